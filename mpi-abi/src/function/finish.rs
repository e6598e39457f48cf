//! The end of a receive.

use mpi_api::{
    call::{Completion, Reply, Site},
    finding::CallPlace,
    object::status::Status as Seen,
};

use super::{asserted, status::layout::Status, transfer::Part};
use crate::{
    constant::Handle,
    state::{Mpi, State},
};

/// Completes a receive: `put` stores the data, and the status is filled in.
pub(super) fn finish_reply(reply: Reply, put: impl FnOnce(&[u8]), status: *mut Status) -> Mpi {
    finish_completion(completed(reply), put, status)
}

fn finish_completion(completion: Completion, put: impl FnOnce(&[u8]), status: *mut Status) -> Mpi {
    if let Some(payload) = &completion.payload {
        put(payload.as_slice());
    }
    Status::of(&completion.status, true).store(status);
    completion.error.map_or(Ok(()), |failure| Err(failure.into()))
}

/// Completes a receive on a communicator: stores its data in the buffer of `part` and fills in the status.
pub(super) fn finish(
    (state, site, comm): (&State, Site, Handle),
    part: &Part,
    reply: Reply,
    status: *mut Status,
) -> Mpi {
    let completion = completed(reply);
    let received = completion.status.bytes;
    finish_completion(completion, |data| part.unpack(data), status)?;
    if !state.asserts.get() {
        return Ok(());
    }
    let lengths = (received, part.bytes());
    asserted::check_length(state, CallPlace::at(site, "receive"), comm, lengths)
}

pub(super) fn completed(reply: Reply) -> Completion {
    reply.completion().unwrap_or_else(|| Completion::of(Seen::null_process()))
}
