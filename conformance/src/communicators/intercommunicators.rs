//! Intercommunicators: two groups that address each other.

use mpi_api::api::{
    initialize,
    topology::{Color, InterCommunicator, SimpleCommunicator},
    traits::*,
};

use super::super::Row;

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::safe(
            "B5.14",
            "MPI: The Complete Reference, example 5.14",
            "a pipeline of three groups",
            &[3, 4, 7],
            "the middle group makes both intercommunicators in one order; tags tell them apart",
            pipeline,
        ),
        Row::safe(
            "B5.F8",
            "MPI: The Complete Reference, figures 5.8 and 5.9",
            "addressing in an intercommunicator",
            &[6],
            "a destination is a rank of the remote group, and so is the source of a receive",
            addressing,
        ),
    ]
}

fn part(world: &SimpleCommunicator, color: i32) -> SimpleCommunicator {
    let part = world.split_by_color_with_key(Color::with_value(color), world.rank());
    part.expect("every rank has a colour")
}

/// Leaders are the first of each group: ranks 0, 1 and 2 of the world.
fn pipeline() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let color = world.rank() % 3;
    let mine = part(&world, color);
    let to = |leader: i32, tag: i32| -> InterCommunicator {
        let made = mine.create_intercommunicator(0, Some((&world, leader)), tag);
        made.expect("both groups take part")
    };
    match color {
        0 => hand_on(&mine, None, Some(&to(1, 1))),
        1 => {
            let (first, second) = (to(0, 1), to(2, 12));
            hand_on(&mine, Some(&first), Some(&second));
        }
        _ => hand_on(&mine, Some(&to(1, 12)), None),
    }
}

/// The first of each group receives from the group before it and sends to the one behind.
fn hand_on(
    mine: &SimpleCommunicator,
    before: Option<&InterCommunicator>,
    behind: Option<&InterCommunicator>,
) {
    if mine.rank() != 0 {
        return;
    }
    let got = before.map_or(0, |before| before.process_at_rank(0).receive::<i32>().0);
    if let Some(behind) = behind {
        behind.process_at_rank(0).send(&(got + 1));
    } else {
        assert_eq!(got, 2);
    }
}

/// Group A is ranks 0 to 2 of the world, group B ranks 3 to 5.
fn addressing() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let is_a = world.rank() < 3;
    let mine = part(&world, i32::from(!is_a));
    let leader = if is_a { 3 } else { 0 };
    let inter = mine.create_intercommunicator(0, Some((&world, leader)), 5);
    let inter = inter.expect("both groups take part");
    assert_eq!((inter.rank(), inter.size(), inter.remote_size()), (mine.rank(), 3, 3));
    if is_a && inter.rank() == 1 {
        inter.process_at_rank(2).send(&world.rank());
    } else if !is_a && inter.rank() == 2 {
        assert_eq!(world.rank(), 5, "rank 2 of the second group");
        let (value, status) = inter.any_process().receive::<i32>();
        assert_eq!((value, status.source_rank()), (1, 1));
    }
}
