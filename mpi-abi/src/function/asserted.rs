//! Compares what a program does with what it has asserted by info keys.

use mpi_api::{
    call::{ReportCall, Source},
    check::info_assertion::{InfoAssertion, broken},
    finding::CallPlace,
};

use crate::{
    constant::Handle,
    state::{Asserted, Comm, Mpi, State, here},
};

/// Reports that a call breaks this assertion, if it was made of the object.
pub(in crate::function) fn breaks(
    state: &State,
    asserted: &Asserted,
    assertion: InfoAssertion,
    by: CallPlace,
) -> Mpi {
    let Some(given) = asserted.made(assertion) else { return Ok(()) };
    let finding = broken(state.number(), assertion, by, given);
    state.kernel(by.site, ReportCall::Finding(Box::new(finding))).map(|_| ())
}

/// Checks that a receive or probe, which is the running call, uses wildcards only as far as the program has not excluded
/// them.
pub(in crate::function) fn check_wildcards(
    state: &State,
    comm: &Comm,
    source: Source,
    tag: Option<i32>,
) -> Mpi {
    if comm.asserted.is_empty() {
        return Ok(());
    }
    let by = CallPlace::at(here(), "receive");
    if source == Source::Any {
        breaks(state, &comm.asserted, InfoAssertion::NoAnySource, by)?;
    }
    if tag.is_none() && source != Source::Null {
        breaks(state, &comm.asserted, InfoAssertion::NoAnyTag, by)?;
    }
    Ok(())
}

/// Checks that a message is as long as its buffer, if the program has asserted that of its communicator; `by` is the call
/// that has received it.
pub(in crate::function) fn check_length(
    state: &State,
    by: CallPlace,
    comm: Handle,
    (received, room): (u64, u64),
) -> Mpi {
    if received >= room {
        return Ok(());
    }
    let Some(comm) = state.known_comm(comm) else { return Ok(()) };
    breaks(state, &comm.asserted, InfoAssertion::ExactLength, by)
}
