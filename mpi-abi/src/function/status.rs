//! Statuses (MPI section 3.2.5) in the layout of the ABI.

use std::ffi::c_int;

use mpi_api::object::{datatype::Datatype, status::Status as Seen};

use crate::{
    constant::{Handle, class, number},
    memory::{get, put_at},
    state::{Fault, Mpi, Number, always, put},
};

/// `MPI_Status` in the layout of the ABI.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Status {
    pub(crate) source: c_int,
    pub(crate) tag: c_int,
    pub(crate) error: c_int,
    /// Bytes received, low and high half; cancelled flag; two unused words.
    reserved: [c_int; 5],
}

impl Status {
    /// Returns the empty status (MPI section 3.7.3).
    pub(crate) fn empty() -> Self {
        Self { source: number::ANY_SOURCE, tag: number::ANY_TAG, error: 0, reserved: [0; 5] }
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

    pub(crate) fn set_cancelled(&mut self, flag: bool) {
        self.reserved[2] = c_int::from(flag);
    }

    /// Writes all fields except the error, which single completions do not set.
    pub(crate) fn store(self, place: *mut Self) {
        if let Ok(before) = read(place) {
            put_at(place, 0, Self { error: before.error, ..self });
        }
    }

    /// Writes one element of an array of statuses, including the error.
    pub(crate) fn store_at(self, array: *mut Self, index: usize) {
        put_at(array, index, self);
    }
}

fn read(status: *const Status) -> Mpi<Status> {
    get(status, "the status")
}

/// Writes a number, or `MPI_UNDEFINED` if there is none or it does not fit.
fn put_count<N: Number>(place: *mut N, value: Option<u64>) -> Mpi {
    let undefined = N::narrow(i64::from(number::UNDEFINED));
    let value = value.and_then(|value| N::narrow(value as i64)).or(undefined);
    put(place, value.expect("the constant fits both"))
}

pub(super) extern "C-unwind" fn get_count<N: Number>(
    status: *const Status,
    datatype: Handle,
    count: *mut N,
) -> c_int {
    always(|state, _| {
        let datatype = state.any_type(datatype)?.datatype.clone();
        put_count(count, datatype.count_in(read(status)?.bytes()))
    })
}

pub(super) extern "C-unwind" fn get_elements<N: Number>(
    status: *const Status,
    datatype: Handle,
    count: *mut N,
) -> c_int {
    always(|state, _| {
        let datatype = state.any_type(datatype)?.datatype.clone();
        put_count(count, datatype.basic_elements(read(status)?.bytes()))
    })
}

pub(super) extern "C-unwind" fn set_elements<N: Number>(
    status: *mut Status,
    datatype: Handle,
    count: N,
) -> c_int {
    always(|state, _| {
        let datatype = state.any_type(datatype)?.datatype.clone();
        let mut changed = read(status)?;
        let bytes = bytes_of(&datatype, count.wide())?;
        changed.set_bytes(bytes);
        put(status, changed)
    })
}

/// Returns the bytes of `elements` basic elements of a type, which is repeated as often as needed.
fn bytes_of(datatype: &Datatype, elements: i64) -> Mpi<u64> {
    let wrong = || Fault::new(class::COUNT, format!("{elements} elements of a status"));
    let elements = u64::try_from(elements).map_err(|_| wrong())?;
    let each = datatype.elements();
    if each == 0 && elements > 0 {
        return Err(wrong());
    }
    let whole = (elements / each.max(1)).checked_mul(datatype.size()).ok_or_else(wrong)?;
    let mut left = elements % each.max(1);
    let mut bytes = whole;
    for (primitive, run) in datatype.signature().runs() {
        let taken = run.min(left);
        bytes += taken * primitive.size() as u64;
        left -= taken;
        if left == 0 {
            break;
        }
    }
    Ok(bytes)
}

pub(super) extern "C-unwind" fn set_cancelled(status: *mut Status, flag: c_int) -> c_int {
    always(|_, _| {
        let mut changed = read(status)?;
        changed.set_cancelled(flag != 0);
        put(status, changed)
    })
}

pub(super) extern "C-unwind" fn test_cancelled(status: *const Status, flag: *mut c_int) -> c_int {
    always(|_, _| put(flag, read(status)?.reserved[2]))
}

pub(super) extern "C-unwind" fn get_source(status: *const Status, source: *mut c_int) -> c_int {
    always(|_, _| put(source, read(status)?.source))
}

pub(super) extern "C-unwind" fn get_tag(status: *const Status, tag: *mut c_int) -> c_int {
    always(|_, _| put(tag, read(status)?.tag))
}

pub(super) extern "C-unwind" fn get_error(status: *const Status, error: *mut c_int) -> c_int {
    always(|_, _| put(error, read(status)?.error))
}

pub(super) extern "C-unwind" fn set_source(status: *mut Status, source: c_int) -> c_int {
    always(|_, _| put(status, Status { source, ..read(status)? }))
}

pub(super) extern "C-unwind" fn set_tag(status: *mut Status, tag: c_int) -> c_int {
    always(|_, _| put(status, Status { tag, ..read(status)? }))
}

pub(super) extern "C-unwind" fn set_error(status: *mut Status, error: c_int) -> c_int {
    always(|_, _| put(status, Status { error, ..read(status)? }))
}
