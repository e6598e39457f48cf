//! One-sided communication whose times and bytes are known in closed form.

use mpi_api::{
    api::{collective::SystemOperation, traits::*},
    call::WindowSynchronization as S,
    settings::{Buffering, Progress},
};

use super::{WaitState as W, profiled, profiled_with, us, whole, world};
use crate::analysis::{Accesses, Profile, Synchronizing};

/// Returns the kinds of synchronisation of a rank, with their calls and microseconds.
fn kinds(one: &Synchronizing) -> Vec<(S, u64, u64)> {
    one.used().map(|how| (how, one.calls(how), whole(one.time(how)))).collect()
}

/// Returns the numbers of messages inside collectives, of accesses, and of bytes in accesses.
fn counted(profile: &Profile) -> [u64; 3] {
    let sizes = profile.sizes.iter();
    sizes.fold([0; 3], |sum, class| {
        [sum[0] + class.inside, sum[1] + class.accesses, sum[2] + class.accessed_bytes]
    })
}

#[test]
fn accesses_under_a_lock_are_counted_by_origin_and_target() {
    let (_, profile) = profiled(3, 3, Buffering::infinite(), |rank| {
        let mut board = [0_i64; 4];
        world().with_window(&mut board, |window| {
            if rank == 0 {
                let lock = window.lock_exclusive(2);
                lock.put(2, 0, &[1, 2]);
                lock.flush(2);
                lock.fetch_and_op(2, 0, 1, SystemOperation::sum());
            } else if rank == 1 {
                us(100);
                window.lock_shared(1).put(1, 3, &[7]);
            }
        });
    });
    let found = profile.one_sided.as_ref().expect("there are accesses");
    let pair =
        |origin, target, accesses, out, back| Accesses { origin, target, accesses, out, back };
    assert_eq!(found.pairs, [pair(0, 2, 2, 24, 8), pair(1, 1, 1, 8, 0)]);
    assert_eq!((found.accesses().out, found.accesses().back), (32, 8));
    // There and back for the lock, for the put, and for the operation, which flushes.
    assert_eq!(kinds(&found.ranks[0]), [(S::Lock, 1, 6), (S::Unlock, 1, 0), (S::Flush, 2, 12)]);
    // A rank reaches itself in no time.
    assert_eq!(kinds(&found.ranks[1]), [(S::Lock, 1, 0), (S::Unlock, 1, 0)]);
    assert_eq!(kinds(&found.ranks[2]), []);
    assert_eq!(whole(found.total.total()), 18);
    let [_, accesses, bytes] = counted(&profile);
    assert_eq!((accesses, bytes), (3, 40));
    assert_eq!(profile.sizes.iter().find(|class| class.from == 16).map(|c| c.accesses), Some(2));
}

#[test]
fn time_in_fences_and_epochs_of_groups_is_that_of_their_calls() {
    let (_, profile) = profiled(2, 3, Buffering::infinite(), |rank| {
        let mut board = [0_u8; 4];
        world().with_window(&mut board, |window| {
            world().barrier();
            if rank == 0 {
                window.start(&[1]).put(1, 0, &[1]);
            } else {
                us(4);
                drop(window.expose(&[0]));
            }
            us(if rank == 0 { 50 } else { 0 });
            drop(window.fence());
        });
    });
    let found = profile.one_sided.as_ref().expect("there are epochs");
    // Rank 1 exposes its memory at 4, rank 0 hears of it at 7, and its access and end arrive at 10.
    let time = |rank: usize, how: S| whole(found.ranks[rank].time(how));
    assert_eq!((time(0, S::Start), time(0, S::Complete)), (7, 0));
    assert_eq!((time(1, S::Post), time(1, S::Wait)), (0, 6));
    // Rank 0 comes to the fence at 57, rank 1 has been there since 10.
    assert!(time(1, S::Fence) >= 47 && time(0, S::Fence) <= 12, "{found:?}");
    let blocked = |rank: usize, state| whole(profile.ranks[rank].get(state));
    assert_eq!((blocked(0, W::LatePost), blocked(1, W::EarlyWait)), (4, 3));
    // Rank 0 leaves the first fence at once, at 57, and is in the second one before rank 1, which leaves at 60.
    assert_eq!((blocked(0, W::WaitAtFence), blocked(1, W::WaitAtFence)), (3, 47));
    let calls = S::ALL.map(|how| found.total.calls(how));
    assert_eq!(calls, [calls[0], 1, 1, 1, 1, 0, 0, 0, 0]);
    // The same calls are call sites, with the same time.
    let names = ["fence", "post", "start_epoch", "complete_epoch", "wait_exposed"];
    let sites = profile.sites.iter().filter(|site| names.contains(&site.call));
    let at_sites = sites.map(|site| site.time()).sum();
    assert_eq!(found.total.total(), at_sites);
}

#[test]
fn a_lock_waits_for_its_holder_and_weak_progress_for_its_target() {
    let program: fn(i32) = |rank| {
        let mut board = [0_u8; 4];
        world().with_window(&mut board, |window| {
            world().barrier();
            match rank {
                // The lock of rank 2 is asked for at 3, held from 6 on and given back at 26.
                0 => {
                    let lock = window.lock_exclusive(2);
                    us(20);
                    drop(lock);
                }
                1 => {
                    us(5);
                    drop(window.lock_exclusive(2));
                }
                _ => us(40),
            }
        });
    };
    let blocked = |profile: &Profile, rank: usize| {
        let waits = &profile.ranks[rank];
        [W::LockContention, W::WaitForProgress].map(|state| whole(waits.get(state)))
    };
    let with = |progress| profiled_with(3, 3, (Buffering::infinite(), progress), program).1;
    let strong = with(Progress::Strong);
    // It is back where it is kept at 29, since rank 1 asked at 5.
    assert_eq!((blocked(&strong, 0), blocked(&strong, 1)), ([0, 0], [24, 0]));
    // Rank 0 is at the end of the window at 26, rank 2 at 40.
    assert_eq!(whole(strong.ranks[0].get(W::WaitAtNxN)), 14);
    let weak = with(Progress::Weak);
    // Rank 2 grants the first lock when it calls MPI at 40; rank 1 waits from 40 on until it comes back at 66.
    assert_eq!((blocked(&weak, 0), blocked(&weak, 1)), ([0, 40], [61, 0]));
}

#[test]
fn a_run_without_windows_has_no_part_about_them() {
    let (_, profile) = profiled(2, 3, Buffering::infinite(), |_| world().barrier());
    assert_eq!(profile.one_sided, None);
    let [inside, accesses, bytes] = counted(&profile);
    assert!(inside > 0 && (accesses, bytes) == (0, 0), "{profile:?}");
}
