//! What the safety check says about the built-in programs.

use std::sync::Arc;

use mpi_api::{
    api::{initialize, traits::*},
    finding::{CallSite, Verdict},
};
use scenarios::{
    safety::{self, Report},
    scenario::Request,
};

fn check(program: &str, ranks: u32) -> Report {
    let request = Request::new(program, ranks);
    safety::check(&request.resolve().expect("a valid scenario"))
}

fn check_own(ranks: u32, program: fn()) -> Report {
    let request = Request::new("own", ranks);
    safety::check(&request.resolve_program(Arc::new(program)).expect("a valid scenario"))
}

/// While rank 0 keeps away, rank j can send j blocks: the last one fills n - 1 blocks.
#[test]
fn the_worst_peak_of_the_ring_is_all_passes_of_one_rank() {
    for ranks in [2, 3, 4, 8] {
        let report = check("allgather-ring", ranks);
        assert_eq!(report.verdict, Verdict::Buffering);
        let minimum = report.minimum.expect("buffering decides");
        assert_eq!(minimum.bytes_per_rank, 4);
        assert_eq!((minimum.total_bytes, minimum.ranks), (4, 1));
        assert_eq!(minimum.peak_bytes, u64::from(4 * (ranks - 1)));
    }
}

#[test]
fn polling_for_what_a_blocked_send_holds_back_leans_on_buffering() {
    let report = check_own(2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let partner = world.process_at_rank(1 - world.rank());
        if world.rank() == 0 {
            partner.send_with_tag(&1, 1);
            partner.send_with_tag(&2, 2);
        } else {
            while partner.immediate_probe_with_tag(2).is_none() {}
            assert_eq!(partner.receive_with_tag::<i32>(2).0, 2);
            assert_eq!(partner.receive_with_tag::<i32>(1).0, 1);
        }
    });
    assert_eq!(report.verdict, Verdict::Buffering);
    let minimum = report.minimum.expect("buffering decides");
    assert_eq!((minimum.bytes_per_rank, minimum.total_bytes, minimum.ranks), (4, 4, 1));
}

#[test]
fn the_minimum_is_what_the_order_that_got_stuck_needs() {
    let report = check_own(3, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let first = world.process_at_rank(1);
        match world.rank() {
            0 => {
                let (_, status) = world.any_process().receive_with_tag::<i32>(0);
                if status.source_rank() == 1 {
                    world.any_process().receive_with_tag::<i32>(0);
                    first.receive_with_tag::<i32>(9);
                } else {
                    first.receive_with_tag::<i32>(9);
                    first.receive_with_tag::<i32>(0);
                }
            }
            1 => {
                world.process_at_rank(0).send_with_tag(&1, 0);
                world.process_at_rank(0).send_with_tag(&1, 9);
            }
            _ => world.process_at_rank(0).send_with_tag(&2, 0),
        }
    });
    assert_eq!(report.verdict, Verdict::Buffering);
    let minimum = report.minimum.expect("buffering decides");
    assert_eq!((minimum.bytes_per_rank, minimum.total_bytes, minimum.ranks), (4, 4, 1));
}

#[test]
fn a_race_names_the_receive_that_chose() {
    let report = check_own(3, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        if world.rank() > 0 {
            world.process_at_rank(0).send(&world.rank());
            return;
        }
        let (first, _) = world.any_process().receive::<i32>();
        world.any_process().receive::<i32>();
        assert_eq!(first, 1);
    });
    assert_eq!(report.verdict, Verdict::MessageRace);
    let sites = &report.findings[0].sites;
    let [fault, choice] = &sites[..] else { panic!("two places, not {sites:?}") };
    let line = |place: &CallSite| place.site.expect("a known place").line;
    assert_eq!(choice.call, "receive");
    assert_eq!(line(fault) - line(choice), 2);
}

/// One line that sends for the whole program.
fn put(comm: &impl Communicator, to: i32) {
    comm.process_at_rank(to).send(&[1_u8; 100][..]);
}

#[test]
fn of_a_send_line_that_runs_twice_the_blocked_one_is_told() {
    let report = check_own(2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let get = |from| drop(world.process_at_rank(from).receive_vec::<u8>());
        if world.rank() == 0 {
            put(&world, 1);
            put(&world, 1);
            world.process_at_rank(1).receive_vec::<u8>();
        } else {
            get(0);
            put(&world, 0);
            world.process_at_rank(0).receive_vec::<u8>();
        }
    });
    assert_eq!(report.verdict, Verdict::Buffering);
    let sites = &report.findings[0].sites;
    let never = |rank| {
        let found = sites.iter().find(|site| site.rank == rank && site.label.contains("never"));
        found.and_then(|site| site.site).expect("a receive that is not reached").line
    };
    let sends: Vec<u32> = sites.iter().filter_map(|site| Some(site.site?.line)).collect();
    // The receive of rank 0 stands five lines above the one of rank 1 that its second send waits for.
    assert_eq!(never(1), never(0) + 4, "{sends:?}");
}

#[test]
fn what_lets_others_finish_is_said_as_it_is() {
    let report = check_own(2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let other = world.process_at_rank(1 - world.rank());
        let mut value = 1;
        if world.rank() == 1 {
            other.receive::<i32>();
        }
        world.process_at_rank(0).broadcast_into(&mut value);
        if world.rank() == 0 {
            other.send(&value);
        }
    });
    assert_eq!(report.verdict, Verdict::Deadlock);
    let notes = report.findings[0].notes.join("; ");
    assert!(notes.contains("its collective operations do not wait for all ranks"), "{notes}");
    assert!(!notes.contains("more buffering"), "{notes}");
}
