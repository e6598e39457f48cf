//! Functions of statuses (MPI section 3.2.5).

pub(crate) mod layout;

use std::ffi::c_int;

use mpi_api::{
    call::Site,
    check::type_mismatch,
    finding::{CallPlace, Code},
    object::{datatype::Datatype, signature::Primitive},
    policy::Policy,
};

pub(crate) use layout::Status;

use crate::{
    constant::{Handle, class, number},
    state::{Compared, Fault, Mpi, Number, State, always, put},
};
use layout::read;

use super::bounds;

/// Writes statuses that MPI leaves undefined, if any are wanted. MPI libraries keep their values.
pub(super) fn leave_undefined(state: &State, statuses: *mut Status, count: usize) {
    if !statuses.is_null() && !state.policies().differs(Policy::UndefinedStatuses) {
        (0..count).for_each(|place| Status::unset().store(statuses.wrapping_add(place)));
    }
}

/// Writes a number, or `MPI_UNDEFINED` if there is none or it does not fit.
fn put_count<N: Number>(place: *mut N, value: Option<u64>) -> Mpi {
    let undefined = N::narrow(i64::from(number::UNDEFINED));
    let value = value.and_then(|value| N::narrow(value as i64)).or(undefined);
    put(place, value.expect("the constant fits both"))
}

/// Writes what a function counts of elements of a type in the bytes of a status.
fn count_by<N: Number>(
    status: *const Status,
    datatype: Handle,
    count: *mut N,
    number: impl FnOnce(&Datatype, u64) -> Option<u64>,
) -> c_int {
    always(|state, site| {
        let datatype = state.any_type(datatype)?.datatype.clone();
        let status = read(status)?;
        if let Some(compared) = &state.compared {
            look_at_type((state, compared, site), &status, &datatype);
        }
        put_count(count, number(&datatype, status.bytes()).filter(|_| !status.is_unset()))
    })
}

/// Compares the numbers in which a call counts with those of the receive that has set the status.
#[cold]
fn look_at_type(
    (state, compared, site): (&State, &Compared, Site),
    status: &Status,
    datatype: &Datatype,
) {
    let types = status.received_type().zip(datatype.signature().uniform());
    let Some((received, counted)) = types else { return };
    let sizes = [received, counted].map(|of| bounds::number_of(of).map(|(_, bytes)| bytes));
    if let [Some(theirs), Some(mine)] = sizes
        && theirs != mine
        && compared.is_first(Code::TypeMismatch, site)
    {
        let by = CallPlace::at(site, "MPI_Get_count");
        let finding =
            type_mismatch::of_count(state.number(), by, [received, counted].map(Primitive::name));
        state.keep_finding(compared, finding);
    }
}

pub(super) extern "C-unwind" fn get_count<N: Number>(
    status: *const Status,
    datatype: Handle,
    count: *mut N,
) -> c_int {
    count_by(status, datatype, count, Datatype::count_in)
}

pub(super) extern "C-unwind" fn get_elements<N: Number>(
    status: *const Status,
    datatype: Handle,
    count: *mut N,
) -> c_int {
    count_by(status, datatype, count, Datatype::basic_elements)
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
