//! One-sided communication.

use std::mem;

use windtunnel::mpi::{collective::SystemOperation, traits::*};

use crate::cases::{Cases, Element, with_each_type};

/// Adds all programs about windows.
pub(crate) fn add(cases: &mut Cases) {
    for ranks in [3, 4] {
        with_each_type!(wrong(cases, ranks));
        with_each_type!(sound(cases, ranks));
    }
}

fn wrong<T: Element>(cases: &mut Cases, ranks: u32) {
    let concurrent = &["global-concurrency"];
    cases.add(("windows", "a put beyond the window"), ranks, &["invalid-argument"], |world| {
        world.with_window(&mut [T::default(); 8], |window| {
            window.fence().put(1, 6, &[T::of(1); 4]); // here
        });
    });
    cases.add(("windows", "no such target"), ranks, &["invalid-argument"], |world| {
        world.with_window(&mut [T::default(); 8], |window| {
            window.fence().put(99, 0, &[T::of(1)]); // here
        });
    });
    cases.add(("windows", "two puts to one place"), ranks, concurrent, |world| {
        world.with_window(&mut [T::default(); 8], |window| {
            window.fence().put(0, 0, &[T::of(1)]); // here
        });
    });
    cases.add(("windows", "a get and a put to one place"), ranks, concurrent, |world| {
        let mut own = [T::default()];
        world.with_window(&mut [T::default(); 8], |window| {
            let epoch = window.fence();
            match world.rank() {
                1 => epoch.get_into(0, 0, &mut own),
                2 => epoch.put(0, 0, &[T::of(1)]), // here
                _ => {}
            }
        });
    });
    cases.add(("windows", "an update by reading and writing"), ranks, concurrent, |world| {
        world.with_window(&mut [T::default()], |window| {
            let epoch = window.lock_all();
            let before = epoch.get(0, 0);
            let after = if before == T::default() { T::of(1) } else { before };
            epoch.put(0, 0, &[after]); // here
        });
    });
    cases.add(("windows", "a lock never released"), ranks, &["epoch-lifecycle"], |world| {
        world.with_window(&mut [T::default()], |window| {
            mem::forget(window.lock_shared(0)); // here
        });
    });
    cases.add(("windows", "a second lock of one rank"), ranks, &["epoch-lifecycle"], |world| {
        world.with_window(&mut [T::default()], |window| {
            let _first = window.lock_shared(0);
            let _second = window.lock_shared(0); // here
        });
    });
    cases.add(("windows", "a fence left out by one rank"), ranks, &["call-ordering"], |world| {
        world.with_window(&mut [T::default()], |window| {
            if world.rank() != 1 {
                drop(window.fence());
            }
        });
    });
    cases.add(("windows", "never exposed"), ranks, &["deadlock"], |world| {
        world.with_window(&mut [T::default()], |window| {
            if world.rank() == 0 {
                window.start(&[1]).put(1, 0, &[T::of(1)]); // here
            }
        });
    });
    cases.add(("windows", "made by some ranks only"), ranks, &["call-ordering"], |world| {
        if world.rank() != 1 {
            world.with_window(&mut [T::default()], |_| ());
        }
    });
}

fn sound<T: Element>(cases: &mut Cases, ranks: u32) {
    cases.add(("windows", "neighbours' values by fence"), ranks, &["ok"], |world| {
        let (rank, size) = (world.rank(), world.size());
        let mut own = [T::default(); 2];
        let value = T::of(rank as u8);
        world.with_window(&mut [value], |window| {
            let (left, right) = own.split_at_mut(1);
            let epoch = window.fence();
            epoch.get_into((rank + size - 1) % size, 0, left);
            epoch.get_into((rank + 1) % size, 0, right);
        });
        assert!(own[1] == T::of(((rank + 1) % size) as u8));
    });
    cases.add(("windows", "a sum by accumulate"), ranks, &["ok"], |world| {
        let mut sum = [T::default()];
        world.with_window(&mut sum, |window| {
            window.fence().accumulate(0, 0, &[T::of(1)], SystemOperation::sum());
        });
        assert!(world.rank() != 0 || sum[0] == T::of(world.size() as u8));
    });
    cases.add(("windows", "tickets of a counter"), ranks, &["ok"], |world| {
        let mut counter = [0i64];
        world.with_window(&mut counter, |window| {
            let epoch = window.lock_all();
            let ticket = epoch.fetch_and_op(0, 0, 1, SystemOperation::sum());
            assert!(ticket < i64::from(world.size()));
        });
        assert!(world.rank() != 0 || counter[0] == i64::from(world.size()));
    });
    cases.add(("windows", "puts under an exclusive lock"), ranks, &["ok"], |world| {
        world.with_window(&mut [T::default(); 2], |window| {
            let epoch = window.lock_exclusive(0);
            epoch.put(0, 0, &[T::of(1), T::of(2)]);
        });
    });
    cases.add(("windows", "exposed to one rank"), ranks, &["ok"], |world| {
        let mut memory = [T::default()];
        world.with_window(&mut memory, |window| match world.rank() {
            0 => window.start(&[1]).put(1, 0, &[T::of(5)]),
            1 => drop(window.expose(&[0])),
            _ => {}
        });
        assert!(world.rank() != 1 || memory[0] == T::of(5));
    });
    cases.add(("windows", "each rank writes its own element"), ranks, &["ok"], |world| {
        world.with_window(&mut [T::default(); 8], |window| {
            let epoch = window.lock_shared(0);
            epoch.put(0, world.rank() as usize, &[T::of(1)]);
            epoch.flush(0);
        });
    });
}
