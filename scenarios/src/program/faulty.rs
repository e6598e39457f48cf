//! Small faulty programs that show the findings of the safety check.

use mpi_api::api::{initialize, traits::*};

use super::{BuiltIn, Values, Volume};

pub(super) fn programs() -> Vec<BuiltIn> {
    let program = |name, summary, body| BuiltIn {
        name,
        summary,
        parameters: &[],
        power_of_two: false,
        body,
        volume: |_, _| Volume::default(),
    };
    vec![
        program("crossed-receives", "every rank receives before it sends: deadlock", crossed),
        program("lost-receive", "a receive with no send anywhere: deadlock", lost),
    ]
}

fn crossed(_: &Values) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let partner = world.process_at_rank((world.rank() ^ 1).min(world.size() - 1));
    let (_, _) = partner.receive::<i32>();
    partner.send(&world.rank());
}

fn lost(_: &Values) {
    let universe = initialize().expect("once");
    let world = universe.world();
    if world.rank() == 0 {
        let (_, _) = world.process_at_rank(world.size() - 1).receive::<i32>();
    }
}
