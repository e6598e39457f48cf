//! The fifteen neighbourhood collectives, on grids and graphs.

use mpi_api::{
    api::{
        collective::{NeighborhoodCollectives, Section},
        datatype::{Partition, PartitionMut, UserDatatype},
        initialize,
        request::scope,
        topology::{CartesianCommunicator, SimpleCommunicator},
        traits::*,
    },
    error::ErrorClass,
    error::ErrorHandler,
};

use crate::holds;

/// A row of ranks without a way round: the ends have null neighbours.
fn row(world: &SimpleCommunicator) -> CartesianCommunicator {
    let row = world.create_cartesian_communicator(&[world.size()], &[false], false);
    row.expect("everybody has a place")
}

/// Two parts of one element, the first behind the second.
fn reversed(buffer: &mut [i32]) -> PartitionMut<'_, [i32], [i32; 2], [i32; 2]> {
    PartitionMut::new(buffer, [1, 1], [1, 0])
}

/// What each rank of a row must find: the blocks of its neighbours, 9 where there is none.
fn around(row: &CartesianCommunicator, low: i32, high: i32) -> [i32; 2] {
    let last = row.size() - 1;
    [if row.rank() == 0 { 9 } else { low }, if row.rank() == last { 9 } else { high }]
}

#[test]
fn every_form_of_gathering_agrees() {
    holds(4, || {
        let universe = initialize().expect("once");
        let row = row(&universe.world());
        let me = row.rank();
        let expected = around(&row, me - 1, me + 1);
        let mut blocking = [9; 2];
        row.neighbor_all_gather_into(&me, &mut blocking[..]);
        assert_eq!(blocking, expected);
        let mut immediate = [9; 2];
        scope(|scope| {
            row.immediate_neighbor_all_gather_into(scope, &me, &mut immediate[..]).wait();
        });
        assert_eq!(immediate, expected);
        let mut persistent = [9; 2];
        let mut request = row.neighbor_all_gather_init(&me, &persistent[..]);
        for round in 0..3 {
            request.start_with(&(me + round));
            request.wait_into(&mut persistent[..]);
            assert_eq!(persistent, around(&row, me - 1 + round, me + 1 + round));
        }
        request.free();
    });
}

#[test]
fn every_form_of_gathering_parts_agrees() {
    holds(3, || {
        let universe = initialize().expect("once");
        let row = row(&universe.world());
        let me = row.rank();
        let [low, high] = around(&row, me - 1, me + 1);
        let mut blocking = [9; 2];
        row.neighbor_all_gather_varcount_into(&me, &mut reversed(&mut blocking[..]));
        assert_eq!(blocking, [high, low]);
        let mut immediate = [9; 2];
        let mut parts = reversed(&mut immediate[..]);
        scope(|scope| {
            row.immediate_neighbor_all_gather_varcount_into(scope, &me, &mut parts).wait();
        });
        assert_eq!(immediate, [high, low]);
        let mut persistent = [9; 2];
        let mut request =
            row.neighbor_all_gather_varcount_init(&me, &reversed(&mut persistent[..]));
        request.start_with(&me);
        request.wait_into_parts(&mut reversed(&mut persistent[..]));
        assert_eq!(persistent, [high, low]);
        request.free();
    });
}

#[test]
fn every_form_of_exchanging_agrees() {
    holds(4, || {
        let universe = initialize().expect("once");
        let row = row(&universe.world());
        let me = row.rank();
        let out = [10 * me, 10 * me + 1];
        let expected = around(&row, 10 * (me - 1) + 1, 10 * (me + 1));
        let mut blocking = [9; 2];
        row.neighbor_all_to_all_into(&out[..], &mut blocking[..]);
        assert_eq!(blocking, expected);
        let mut immediate = [9; 2];
        scope(|scope| {
            row.immediate_neighbor_all_to_all_into(scope, &out[..], &mut immediate[..]).wait();
        });
        assert_eq!(immediate, expected);
        let mut persistent = [9; 2];
        let mut request = row.neighbor_all_to_all_init(&out[..], &persistent[..]);
        request.start_with(&out[..]);
        request.wait_into(&mut persistent[..]);
        assert_eq!(persistent, expected);
        request.free();
    });
}

#[test]
fn every_form_of_exchanging_parts_agrees() {
    holds(3, || {
        let universe = initialize().expect("once");
        let row = row(&universe.world());
        let me = row.rank();
        let out = [10 * me, 10 * me + 1];
        let from = Partition::new(&out[..], vec![1, 1], vec![0, 1]);
        let [low, high] = around(&row, 10 * (me - 1) + 1, 10 * (me + 1));
        let mut blocking = [9; 2];
        row.neighbor_all_to_all_varcount_into(&from, &mut reversed(&mut blocking[..]));
        assert_eq!(blocking, [high, low]);
        let mut immediate = [9; 2];
        let mut parts = reversed(&mut immediate[..]);
        scope(|scope| {
            row.immediate_neighbor_all_to_all_varcount_into(scope, &from, &mut parts).wait();
        });
        assert_eq!(immediate, [high, low]);
        let mut persistent = [9; 2];
        let mut request =
            row.neighbor_all_to_all_varcount_init(&from, &reversed(&mut persistent[..]));
        request.start_with_parts(&from);
        request.wait_into_parts(&mut reversed(&mut persistent[..]));
        assert_eq!(persistent, [high, low]);
        request.free();
    });
}

#[test]
#[allow(unsafe_code, reason = "sections are known by address")]
fn every_form_of_exchanging_sections_agrees() {
    holds(4, || {
        let universe = initialize().expect("once");
        let row = row(&universe.world());
        let me = row.rank();
        let integer = i32::equivalent_datatype();
        let pair = UserDatatype::vector(2, 1, 2, &integer);
        // Sent are every other one of the first four, received the two singles behind them.
        let section = |at: isize, count, of| Section { displacement: 4 * at, count, datatype: of };
        let sends = [section(0, 1, pair.as_ref()), section(1, 1, pair.as_ref())];
        let two = UserDatatype::contiguous(2, &integer);
        let receives = [section(4, 1, two.as_ref()), section(6, 1, two.as_ref())];
        let fresh = [10 * me, 10 * me + 1, 10 * me + 2, 10 * me + 3, 9, 9, 9, 9];
        let mut expected = fresh;
        if me > 0 {
            expected[4..6].copy_from_slice(&[10 * me - 9, 10 * me - 7]);
        }
        if me < row.size() - 1 {
            expected[6..8].copy_from_slice(&[10 * me + 10, 10 * me + 12]);
        }
        let mut memory = fresh;
        // SAFETY: all sections lie inside the eight integers.
        unsafe { row.neighbor_all_to_all_sections(&mut memory[..], &sends, &receives) };
        assert_eq!(memory, expected);
        let mut memory = fresh;
        scope(|scope| {
            let memory = &mut memory[..];
            // SAFETY: as before.
            let request = unsafe {
                row.immediate_neighbor_all_to_all_sections(scope, memory, &sends, &receives)
            };
            request.wait();
        });
        assert_eq!(memory, expected);
        let mut memory = fresh;
        let mut request = row.neighbor_all_to_all_sections_init(&sends, &receives);
        // SAFETY: as before.
        unsafe {
            request.start(&mut memory[..]);
            request.wait(&mut memory[..]);
        }
        assert_eq!(memory, expected);
        request.free();
    });
}

#[test]
fn a_buffer_of_another_shape_is_refused() {
    holds(2, || {
        let universe = initialize().expect("once");
        let row = row(&universe.world());
        row.set_error_handler(ErrorHandler::Return);
        let class = || row.take_error().map(|error| error.class);
        row.neighbor_all_to_all_into(&[1, 2, 3][..], &mut [0; 2][..]);
        assert_eq!(class(), Some(ErrorClass::Count));
        let mut request = row.neighbor_all_gather_init(&1, &[0; 2][..]);
        request.start_with(&1);
        request.wait_into(&mut [0; 4][..]);
        assert_eq!(class(), Some(ErrorClass::Count));
        request.start_with(&1.5_f32);
        assert_eq!(class(), Some(ErrorClass::Type));
        request.start_with(&1);
        request.wait_into(&mut [0.5_f32; 2][..]);
        assert_eq!(class(), Some(ErrorClass::Type));
        request.free();
    });
}
