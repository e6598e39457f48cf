//! Messages between nodes that represent data differently.

use mpi_api::{
    api::{initialize, traits::*},
    call::{
        self, CommId, Completion, ErrorCall, Incoming, Layout, MessageCall, Mode, Outgoing,
        Payload, ProcessCall, Reply, Site,
    },
    cost::Costs,
    error::{ErrorClass, ErrorHandler},
    object::{
        representation::{ByteOrder, Representation},
        signature::{Primitive, Signature},
    },
    outcome::{Ending, RunResult},
    raw::Raw,
    settings::{Buffering, Environment, Settings},
};
use network_models::ByteTime;

use super::{go, settings};

/// Rank 1 is on another kind of node.
fn beside(other: Representation, program: fn()) -> RunResult {
    let representations = Some([Representation::default(), other].into());
    let environment = Environment { representations, ..Environment::default() };
    let costs = Costs { pack: ByteTime::from_fs(1_000_000), ..Costs::free() };
    go(Settings { environment, costs, ..settings(2, Buffering::infinite()) }, program)
}

fn exchange<T: Equivalence + Copy + PartialEq + std::fmt::Debug>(value: T) {
    let universe = initialize().expect("once");
    let world = universe.world();
    match world.rank() {
        0 => world.process_at_rank(1).send(&[value; 100][..]),
        _ => assert_eq!(world.process_at_rank(0).receive_vec::<T>().0, [value; 100]),
    }
}

#[test]
fn numbers_take_time_to_convert_and_bytes_do_not() {
    let big = Representation { byte_order: ByteOrder::Big, ..Representation::default() };
    let time = |other, program| {
        let result = beside(other, program);
        assert!(result.findings.is_empty(), "{:?}", result.findings);
        result.makespan.as_ps()
    };
    let alike = time(Representation::default(), || exchange(-7i64));
    assert_eq!(time(big, || exchange(-7i64)), alike + 800_000);
    assert_eq!(time(big, || exchange(1.5f32)), alike + 400_000);
    assert_eq!(time(big, || exchange(200u8)), alike, "one byte has no order");
}

fn long(raw: &Raw, value: i64) -> Option<Completion> {
    let signature = Signature::of(Primitive::Long, 1);
    let operation = if raw.world().rank == 0 {
        MessageCall::Send(Outgoing {
            comm: CommId::WORLD,
            dest: Some(1),
            tag: 0,
            mode: Mode::Standard,
            payload: Payload::from_slice(&value.to_le_bytes()),
            signature,
            layout: Layout::Dense,
        })
    } else {
        MessageCall::Receive(Incoming {
            comm: CommId::WORLD,
            source: call::Source::Rank(0),
            tag: Some(0),
            capacity: 8,
            signature,
            layout: Layout::Dense,
        })
    };
    raw.call(Site::here(), operation).and_then(Reply::completion)
}

#[test]
fn a_program_that_handles_errors_hears_of_a_value_that_does_not_fit() {
    let narrow = Representation { long_bytes: 4, ..Representation::default() };
    let result = beside(narrow, || {
        let raw = Raw::take().expect("once");
        let handler = ErrorCall::SetHandler(CommId::WORLD, ErrorHandler::Return);
        raw.call(Site::here(), handler);
        let errors = [1 << 40, 5].map(|value| {
            let completion = long(&raw, value)?;
            Some(completion.error.map(|failure| (failure.error.class, failure.error.message)))
        });
        if raw.world().rank == 1 {
            let text = "MPI_LONG: 1099511627776 does not fit into 4 bytes".to_string();
            assert_eq!(errors, [Some(Some((ErrorClass::Other, text))), Some(None)]);
        }
        raw.call(Site::here(), ProcessCall::Finalize);
    });
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
}
