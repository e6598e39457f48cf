//! The end of a receive.

use mpi_api::{
    call::{Completion, Reply},
    object::status::Status as Seen,
};

use super::{status::layout::Status, transfer::Part};
use crate::state::Mpi;

/// Completes a receive: `put` stores the data, and the status is filled in.
pub(super) fn finish_reply(reply: Reply, put: impl FnOnce(&[u8]), status: *mut Status) -> Mpi {
    let completion = completed(reply);
    if let Some(payload) = &completion.payload {
        put(payload.as_slice());
    }
    Status::of(&completion.status, true).store(status);
    completion.error.map_or(Ok(()), |failure| Err(failure.into()))
}

/// Completes a receive: stores its data in the buffer of `part` and fills in the status.
pub(super) fn finish(part: &Part, reply: Reply, status: *mut Status) -> Mpi {
    finish_reply(reply, |data| part.unpack(data), status)
}

pub(super) fn completed(reply: Reply) -> Completion {
    reply.completion().unwrap_or_else(|| Completion::of(Seen::null_process()))
}
