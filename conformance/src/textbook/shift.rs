//! Exchanges between neighbours: the order of sends, and shifts with open ends.

use mpi_api::{
    api::{
        ANY_TAG, PROC_NULL, initialize,
        point_to_point::{send_receive_into, send_receive_into_with_tags},
        traits::*,
    },
    finding::Code,
};

use super::super::{Case, Expect, Row};
use scenarios::program::by_name;

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::new(
            "P13.5a",
            "Pacheco, Parallel Programming with MPI, section 13.3",
            "two ranks both send first",
            vec![Case::new(
                &[2],
                |_| Expect::buffering(8, 1),
                "neither is at its receive before its send is done",
                both_send_first,
            )],
        ),
        Row::safe(
            "P13.5b",
            "Pacheco, Parallel Programming with MPI, section 13.3",
            "even ranks send first, odd ranks receive first",
            &[2, 3],
            "of three one send is delayed until rank 1 is done; nobody waits for ever",
            || by_name("allgather-ring-evenodd"),
        ),
        Row::new(
            "P13.6",
            "Pacheco, Parallel Programming with MPI, section 13.4",
            "a shift along a line: the first sends, the last receives, the others do both",
            vec![
                Case::safe(
                    &[2, 3, 5],
                    "the last rank only receives, and those before it follow",
                    line,
                ),
                Case::new(
                    &[1],
                    |_| Expect::wrong(Code::InvalidArgument),
                    "the only rank is the first: it sends to a rank that does not exist",
                    line,
                )
                .named("alone"),
            ],
        ),
        Row::safe(
            "P13.6n",
            "Pacheco, Parallel Programming with MPI, section 13.4",
            "the same with null processes at the ends",
            &[1, 2, 5],
            "a null process is always ready; its status says so",
            line_with_null,
        ),
    ]
}

fn both_send_first() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let other = world.process_at_rank(1 - world.rank());
    other.send(&f64::from(world.rank()));
    let (value, _) = other.receive::<f64>();
    assert_eq!(value, f64::from(1 - world.rank()));
}

fn line() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (rank, last) = (world.rank(), world.size() - 1);
    let mut room = -1;
    if rank == 0 {
        world.process_at_rank(1).send(&rank);
    } else if rank == last {
        world.process_at_rank(rank - 1).receive_into(&mut room);
    } else {
        let (next, before) = (world.process_at_rank(rank + 1), world.process_at_rank(rank - 1));
        send_receive_into(&rank, &next, &mut room, &before);
    }
    assert_eq!(room, rank - 1);
}

fn line_with_null() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (rank, last) = (world.rank(), world.size() - 1);
    let next = if rank == last { PROC_NULL } else { rank + 1 };
    let before = if rank == 0 { PROC_NULL } else { rank - 1 };
    let (next, before) = (world.process_at_rank(next), world.process_at_rank(before));
    let mut room = -7;
    let status = send_receive_into_with_tags(&rank, &next, 3, &mut room, &before, 3);
    if rank == 0 {
        assert_eq!((status.source_rank(), status.tag()), (PROC_NULL, ANY_TAG));
        assert_eq!(status.count(i32::equivalent_datatype()), 0);
        assert_eq!(room, -7, "nothing is received from a null process");
    } else {
        assert_eq!((status.source_rank(), status.tag(), room), (rank - 1, 3, rank - 1));
    }
}
