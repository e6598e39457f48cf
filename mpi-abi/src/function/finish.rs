//! The end of a receive.

use mpi_api::{
    call::{Completion, Reply, Site},
    finding::CallPlace,
    object::{datatype::Datatype, status::Status as Seen},
};

use super::{asserted, status::layout::Status, transfer::Part};
use crate::{
    constant::Handle,
    state::{Mpi, State},
};

/// Completes a receive: `put` stores the data, and the status is filled in.
pub(super) fn finish_reply(reply: Reply, put: impl FnOnce(&[u8]), status: *mut Status) -> Mpi {
    finish_completion(completed(reply), put, (status, None))
}

/// Completes a receive; its datatype is kept in the status if it is given.
fn finish_completion(
    completion: Completion,
    put: impl FnOnce(&[u8]),
    (status, datatype): (*mut Status, Option<&Datatype>),
) -> Mpi {
    if let Some(payload) = &completion.payload {
        put(payload.as_slice());
    }
    let mut seen = Status::of(&completion.status, true);
    if let Some(datatype) = datatype {
        seen.set_type(datatype);
    }
    seen.store(status);
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
    let datatype = state.compared.as_ref().map(|_| &part.datatype);
    finish_completion(completion, |data| part.unpack(data), (status, datatype))?;
    if !state.asserts.get() {
        return Ok(());
    }
    let lengths = (received, part.bytes());
    asserted::check_length(state, CallPlace::at(site, "receive"), comm, lengths)
}

pub(super) fn completed(reply: Reply) -> Completion {
    reply.completion().unwrap_or_else(|| Completion::of(Seen::null_process()))
}
