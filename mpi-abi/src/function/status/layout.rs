//! The layout of a status in the ABI.

use std::ffi::c_int;

use mpi_api::object::{datatype::Datatype, signature::Primitive, status::Status as Seen};

use crate::{
    constant::number,
    memory::{self, change, get, put_at},
    purpose::Purpose,
    state::fault::Mpi,
};

/// `MPI_Status` in the layout of the ABI.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Status {
    pub(crate) source: c_int,
    pub(crate) tag: c_int,
    pub(crate) error: c_int,
    /// Bytes received, low and high half; cancelled flag; the number of the basic type of the receive, or of the message that
    /// a probe has found, and 1, in runs that compare, or 0; an unused word.
    pub(super) reserved: [c_int; 5],
}

/// Returns the word for a basic type.
fn mark(of: Option<Primitive>) -> c_int {
    of.map_or(0, |of| of as c_int + 1)
}

impl Status {
    /// Returns the empty status (MPI section 3.7.3).
    pub(crate) fn empty() -> Self {
        Self { source: number::ANY_SOURCE, tag: number::ANY_TAG, error: 0, reserved: [0; 5] }
    }

    /// Returns a status that MPI has not set.
    pub(super) fn unset() -> Self {
        Self { source: number::UNSET, tag: number::UNSET, ..Self::empty() }
    }

    /// Reports whether this is a status that MPI has not set.
    pub(super) fn is_unset(&self) -> bool {
        self.source == number::UNSET && self.tag == number::UNSET
    }

    /// Converts the kernel's status; `null` marks a receive from `MPI_PROC_NULL`.
    pub(crate) fn of(seen: &Seen, null: bool) -> Self {
        let mut status = Self::empty();
        status.source = match seen.source {
            Some(rank) => rank as c_int,
            None if null => number::PROC_NULL,
            None => number::ANY_SOURCE,
        };
        status.tag = seen.tag.unwrap_or(number::ANY_TAG);
        status.set_bytes(seen.bytes);
        status.reserved[2] = c_int::from(seen.cancelled);
        status
    }

    /// Of a message that was received.
    #[inline]
    pub(crate) fn received(source: c_int, tag: c_int, bytes: u64) -> Self {
        let mut status = Self { source, tag, error: 0, reserved: [0; 5] };
        status.set_bytes(bytes);
        status
    }

    pub(crate) fn bytes(&self) -> u64 {
        u64::from(self.reserved[0] as u32) | u64::from(self.reserved[1] as u32) << 32
    }

    pub(crate) fn set_bytes(&mut self, bytes: u64) {
        self.reserved[0] = bytes as c_int;
        self.reserved[1] = (bytes >> 32) as c_int;
    }

    /// Converts the kernel's status of a probe, in a run that compares with the type of the message.
    pub(crate) fn probed(seen: &Seen, compares: bool) -> Self {
        let mut status = Self::of(seen, true);
        status.reserved[3] = mark(seen.found.filter(|_| compares));
        status
    }

    /// Keeps the basic type of the receive that sets the status, if it has only one.
    pub(crate) fn set_type(&mut self, datatype: &Datatype) {
        self.reserved[3] = mark(datatype.signature().uniform());
    }

    /// Returns the basic type of the receive or of the message that has set the status, if it was kept.
    pub(super) fn received_type(&self) -> Option<Primitive> {
        let place = usize::try_from(self.reserved[3]).ok()?.checked_sub(1)?;
        Primitive::ALL.get(place).copied()
    }

    pub(crate) fn set_cancelled(&mut self, flag: bool) {
        self.reserved[2] = c_int::from(flag);
    }

    /// Writes all fields except the error, which single completions do not set.
    pub(crate) fn store(self, place: *mut Self) {
        change(place, |before| Self { error: before.error, ..self });
    }

    /// Has an array of statuses looked at as a whole; false if the program leaves it out.
    pub(crate) fn are_wanted(array: *mut Self, count: usize) -> bool {
        if array.is_null() {
            return false;
        }
        memory::look(array, count, Purpose::Write);
        true
    }

    /// Writes the elements of an array of statuses that the program may leave out: those of no operation.
    pub(crate) fn store_empty(array: *mut Self, count: usize) {
        if Self::are_wanted(array, count) {
            (0..count).for_each(|place| Self::empty().store_at(array, place));
        }
    }

    /// Writes one element of an array of statuses, including the error.
    pub(crate) fn store_at(self, array: *mut Self, index: usize) {
        put_at(array, index, self);
    }
}

pub(super) fn read(status: *const Status) -> Mpi<Status> {
    get(status, "the status")
}
