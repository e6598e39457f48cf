//! Windows of the Rust API.

use mpi_api::{
    api::{collective::SystemOperation, initialize, traits::*},
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

#[test]
fn numbers_with_a_point_are_not_compared_and_swapped() {
    let result = go(settings(2, Buffering::infinite()), || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let mut board = [0.0_f64];
        world.with_window(&mut board, |window| {
            window.lock_all().compare_and_swap(0, 0, 0.0, 1.0);
        });
    });
    assert_eq!(result.ending, Ending::Failed);
    assert_eq!(result.findings[0].code, Code::InvalidArgument, "{:?}", result.findings);
    assert!(result.findings[0].message.contains("cannot be compared and swapped"));
}
