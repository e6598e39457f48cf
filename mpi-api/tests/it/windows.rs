//! Windows of the Rust API.

use mpi_api::{
    api::{
        PROC_NULL,
        collective::SystemOperation,
        datatype::{Equivalence, Located},
        initialize,
        traits::*,
        window::Window,
    },
    finding::Code,
    outcome::Ending,
    settings::Buffering,
};

use super::{go, holds, settings};

#[test]
fn a_fence_moves_data_between_borrowed_buffers() {
    holds(4, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let (rank, size) = (world.rank(), world.size());
        let (next, before) = ((rank + 1) % size, (rank + size - 1) % size);
        let mut board = [rank; 3];
        let mut got = [-1, -1];
        world.with_window(&mut board, |window| {
            let epoch = window.fence();
            epoch.put(next, 2, &[10 + rank]);
            epoch.get_into(next, 0, &mut got);
            drop(epoch);
            assert_eq!(window.local(), [rank, rank, 10 + before]);
            window.set(0, -rank);
        });
        assert_eq!((board, got), ([-rank, rank, 10 + before], [next, next]));
    });
}

#[test]
fn locks_count_swap_and_sum() {
    holds(5, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let mut board = [0_i64; 3];
        let drawn = world.with_window(&mut board, |window| {
            let epoch = window.lock_all();
            let drawn = epoch.fetch_and_op(0, 0, 1, SystemOperation::sum());
            let owner = epoch.compare_and_swap(0, 1, 0, 1 + i64::from(world.rank()));
            assert!((0..=5).contains(&owner));
            drop(epoch);
            for _ in 0..2 {
                let lock = window.lock_exclusive(0);
                let sum = lock.get(0, 2);
                lock.put(0, 2, &[sum + 1]);
            }
            drawn
        });
        let mut all = 0_i64;
        world.all_reduce_into(&drawn.expect("a window"), &mut all, SystemOperation::sum());
        assert_eq!(all, 10);
        if world.rank() == 0 {
            assert_eq!((board[0], board[2]), (5, 10));
        }
    });
}

#[test]
fn structures_cross_in_exposed_memory() {
    holds(2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let mut pairs = [(0_u8, 0.0_f64); 2];
        world.with_window(&mut pairs, |window| {
            let other = 1 - world.rank();
            let exposed = window.expose(&[other]);
            let epoch = window.start(&[other]);
            epoch.put(other, 1, &[(world.rank() as u8, 2.5)]);
            drop(epoch);
            drop(exposed);
            assert_eq!(window.local()[1], (other as u8, 2.5));
        });
    });
}

#[test]
fn a_race_is_found() {
    let result = go(settings(3, Buffering::infinite()), || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let mut board = [0];
        world.with_window(&mut board, |window| {
            let epoch = window.fence();
            if world.rank() > 0 {
                epoch.put(0, 0, &[world.rank()]);
            }
        });
    });
    assert_eq!(result.ending, Ending::Completed);
    let codes: Vec<Code> = result.findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [Code::WindowRace], "{:?}", result.findings);
    assert!(result.findings[0].sites[0].site.is_some_and(|site| site.file.ends_with("windows.rs")));
}

#[test]
fn an_element_that_its_rank_and_another_one_write_in_one_epoch_is_found() {
    for same in [false, true] {
        let result = go(settings(2, Buffering::infinite()), move || {
            let universe = initialize().expect("once");
            let world = universe.world();
            let mut board = [0; 2];
            world.with_window(&mut board, |window| {
                let epoch = window.fence();
                match world.rank() {
                    0 => epoch.put(1, 0, &[7]),
                    _ => window.set(usize::from(!same), 8),
                }
                drop(epoch);
            });
        });
        assert_eq!(result.ending, Ending::Completed);
        let codes: Vec<Code> = result.findings.iter().map(|finding| finding.code).collect();
        let expected: &[Code] = if same { &[Code::WindowRace] } else { &[] };
        assert_eq!(codes, expected, "{:?}", result.findings);
    }
}

/// Runs a program on a window of two elements and returns the text of its first finding.
#[track_caller]
fn misuse<T, F>(board: [T; 2], body: F) -> String
where
    T: Equivalence + Copy + Send + Sync + 'static,
    F: Fn(&Window<'_, T>) + Send + Sync + 'static,
{
    let result = go(settings(2, Buffering::infinite()), move || {
        let universe = initialize().expect("once");
        universe.world().with_window(&mut board.clone(), |window| body(window));
    });
    assert_eq!(result.ending, Ending::Failed);
    let finding = &result.findings[0];
    let ours = finding.sites.iter().filter_map(|site| site.site);
    assert!(ours.into_iter().any(|site| site.file.ends_with("windows.rs")), "{finding:?}");
    finding.message.clone()
}

#[test]
fn wrong_accesses_are_told_with_the_line_of_the_program() {
    let sum = SystemOperation::sum;
    let or = SystemOperation::bitwise_or;
    let float = misuse([0.0_f32; 2], move |window| window.fence().accumulate(0, 0, &[1.0], or()));
    assert!(float.contains("MPI_BOR is not defined for MPI_FLOAT"), "{float}");
    let point = misuse([0.0_f64; 2], |window| {
        window.lock_all().compare_and_swap(0, 0, 0.0, 1.0);
    });
    assert!(point.contains("cannot be compared and swapped"), "{point}");
    let pair = misuse([(0_i32, 0_i32); 2], |window| {
        window.lock_all().compare_and_swap(0, 0, (0, 0), (1, 1));
    });
    assert!(pair.contains("not a predefined one"), "{pair}");
    let several = misuse([[0_i32; 3]; 2], move |window| {
        window.lock_all().fetch_and_op(0, 0, [1; 3], sum());
    });
    assert!(several.contains("not a predefined one"), "{several}");
    let mixed = misuse([(0_i32, 0.0_f64); 2], move |window| {
        window.fence().accumulate(0, 0, &[(1, 1.0)], sum());
    });
    assert!(mixed.contains("not all of one predefined type"), "{mixed}");
    let nobody = misuse([0; 2], |window| window.fence().put(-1, 0, &[1]));
    assert!(nobody.contains("target rank -1"), "{nobody}");
    let twice = misuse([0; 2], |window| drop(window.start(&[1, 1])));
    assert!(twice.contains("rank 1 of the window is listed twice"), "{twice}");
    let twice = misuse([0; 2], |window| drop(window.expose(&[0, 0])));
    assert!(twice.contains("rank 0 of the window is listed twice"), "{twice}");
    let far = misuse([0; 2], |window| window.set(2, 1));
    assert!(far.contains("element 2 is out of range: allowed are 0 to 1"), "{far}");
}

#[test]
fn a_rank_waits_for_a_flag_in_its_own_memory() {
    holds(2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        world.with_window(&mut [0, 0], |window| {
            let epoch = window.lock_all();
            if world.rank() == 0 {
                epoch.put(1, 1, &[7]);
                epoch.flush(1);
                epoch.replace(1, 0, &[1]);
                epoch.flush(1);
            } else {
                while window.local()[0] == 0 {}
                assert_eq!(window.local(), [1, 7]);
            }
        });
    });
}

#[test]
fn the_greatest_value_and_its_place_are_accumulated() {
    holds(3, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let rank = world.rank();
        let mut best = [Located { value: -1.0_f64, index: -1 }];
        world.with_window(&mut best, |window| {
            let own = Located { value: f64::from(rank * rank), index: rank };
            window.fence().accumulate(0, 0, &[own], SystemOperation::max_location());
        });
        if rank == 0 {
            assert_eq!((best[0].value, best[0].index), (4.0, 2));
        }
    });
}

#[test]
fn the_null_process_and_no_elements_are_no_access() {
    holds(2, || {
        let universe = initialize().expect("once");
        universe.world().with_window(&mut [5, 6], |window| {
            let epoch = window.lock_all();
            assert_eq!(epoch.fetch_and_op(PROC_NULL, 0, 3, SystemOperation::sum()), 3);
            assert_eq!(epoch.get(PROC_NULL, 0), 0);
            epoch.put(PROC_NULL, 0, &[1]);
            epoch.flush(PROC_NULL);
            epoch.put(0, 2, &[]);
        });
    });
}
