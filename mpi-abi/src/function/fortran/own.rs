//! Procedures that do not follow the pattern of a C function with an error code: functions,
//! `MPI_SIZEOF`, predefined callbacks.

use std::ffi::{c_int, c_void};

use super::{
    super::{Export, buffer, datatype, environment, unmodelled},
    attribute::{copy_nothing, delete_nothing, duplicate},
    entry::answer,
};
use crate::{
    constant::Handle,
    memory::{read, write},
    state::Number,
};

extern "C-unwind" fn aint_add(base: *const i64, displacement: *const i64) -> i64 {
    datatype::aint_add(read(base), read(displacement))
}

extern "C-unwind" fn aint_diff(first: *const i64, second: *const i64) -> i64 {
    datatype::aint_diff(read(first), read(second))
}

/// Implements `MPI_PCONTROL`, which has no error code (MPI 15.2.4).
extern "C-unwind" fn pcontrol(level: *const c_int) {
    environment::pcontrol(read(level));
}

/// Implements `MPI_F_SYNC_REG`: the call itself prevents the compiler from keeping a buffer in
/// registers.
extern "C-unwind" fn sync_reg(_buffer: *mut c_void) {}

/// Implements `MPI_SIZEOF` for a type of `BYTES` bytes.
extern "C-unwind" fn size_of<const BYTES: c_int>(
    _x: *const c_void,
    size: *mut c_int,
    error: *mut c_int,
) {
    answer(size, BYTES);
    answer(error, 0);
}

/// Implements `MPI_SIZEOF` for characters; `length` is that of one element.
extern "C-unwind" fn size_of_text(
    _x: *const c_void,
    size: *mut c_int,
    error: *mut c_int,
    length: usize,
) {
    answer(size, length as c_int);
    answer(error, 0);
}

/// Implements `MPI_STATUS_F2F08` and `MPI_STATUS_F082F`: a status is eight integers in both.
extern "C-unwind" fn copy_status(
    from: *const [c_int; 8],
    into: *mut [c_int; 8],
    error: *mut c_int,
) {
    write(into, read(from));
    answer(error, 0);
}

/// Implements `MPI_BUFFER_DETACH` of `mpi_f08`, which returns the address.
extern "C-unwind" fn detach<N: Number>(buffer: *mut c_void, size: *mut N, error: *mut c_int) {
    answer(error, buffer::buffer_detach(buffer, size));
}

/// Implements `MPI_COMM_DETACH_BUFFER` of `mpi_f08`.
extern "C-unwind" fn comm_detach<N: Number>(
    comm: *const c_int,
    buffer: *mut c_void,
    size: *mut N,
    error: *mut c_int,
) {
    answer(error, buffer::comm_detach(read(comm) as u32 as Handle, buffer, size));
}

/// Implements `MPI_SESSION_DETACH_BUFFER` of `mpi_f08`.
extern "C-unwind" fn session_detach<N: Number>(
    session: *const c_int,
    buffer: *mut c_void,
    size: *mut N,
    error: *mut c_int,
) {
    answer(error, buffer::session_detach(read(session) as u32 as Handle, buffer, size));
}

/// Reports whether two handles are equal.
pub(super) extern "C-unwind" fn equal(first: *const c_int, second: *const c_int) -> c_int {
    c_int::from(read(first) == read(second))
}

/// Reports whether two handles differ.
pub(super) extern "C-unwind" fn different(first: *const c_int, second: *const c_int) -> c_int {
    c_int::from(read(first) != read(second))
}

extern "C-unwind" fn compute(seconds: *const f64) {
    environment::compute(read(seconds));
}

/// Types that `MPI_SIZEOF` accepts: declaration, symbol, bytes.
pub(super) const SIZES: [(&str, &str, usize); 17] = [
    ("integer(1)", "mpi_sizeof_i1_", 1),
    ("integer(2)", "mpi_sizeof_i2_", 2),
    ("integer(4)", "mpi_sizeof_i4_", 4),
    ("integer(8)", "mpi_sizeof_i8_", 8),
    ("integer(16)", "mpi_sizeof_i16_", 16),
    ("real(4)", "mpi_sizeof_r4_", 4),
    ("real(8)", "mpi_sizeof_r8_", 8),
    ("real(10)", "mpi_sizeof_r10_", 16),
    ("real(16)", "mpi_sizeof_r16_", 16),
    ("complex(4)", "mpi_sizeof_c4_", 8),
    ("complex(8)", "mpi_sizeof_c8_", 16),
    ("complex(10)", "mpi_sizeof_c10_", 32),
    ("complex(16)", "mpi_sizeof_c16_", 32),
    ("logical(1)", "mpi_sizeof_l1_", 1),
    ("logical(2)", "mpi_sizeof_l2_", 2),
    ("logical(4)", "mpi_sizeof_l4_", 4),
    ("logical(8)", "mpi_sizeof_l8_", 8),
];

/// Symbol of `MPI_SIZEOF` for characters.
pub(super) const SIZE_OF_TEXT: &str = "mpi_sizeof_ch_";

/// Predefined callback procedures, which programs name instead of their own.
pub(super) const NAMED: [&str; 14] = [
    "MPI_NULL_COPY_FN",
    "MPI_NULL_DELETE_FN",
    "MPI_DUP_FN",
    "MPI_COMM_NULL_COPY_FN",
    "MPI_COMM_NULL_DELETE_FN",
    "MPI_COMM_DUP_FN",
    "MPI_TYPE_NULL_COPY_FN",
    "MPI_TYPE_NULL_DELETE_FN",
    "MPI_TYPE_DUP_FN",
    "MPI_WIN_NULL_COPY_FN",
    "MPI_WIN_NULL_DELETE_FN",
    "MPI_WIN_DUP_FN",
    "MPI_CONVERSION_FN_NULL",
    "MPI_CONVERSION_FN_NULL_C",
];

fn sizes() -> impl Iterator<Item = Export> {
    let function = |bytes| match bytes {
        1 => size_of::<1> as *const () as usize,
        2 => size_of::<2> as *const () as usize,
        4 => size_of::<4> as *const () as usize,
        8 => size_of::<8> as *const () as usize,
        16 => size_of::<16> as *const () as usize,
        _ => size_of::<32> as *const () as usize,
    };
    SIZES.iter().map(move |(_, symbol, bytes)| (*symbol, function(*bytes)))
}

/// Returns the symbols of this module.
pub(super) fn exports() -> Vec<Export> {
    let mut list: Vec<Export> = vec![
        ("mpi_wtime_", environment::wtime as *const () as usize),
        ("mpi_wtick_", environment::wtick as *const () as usize),
        ("mpi_aint_add_", aint_add as *const () as usize),
        ("mpi_aint_diff_", aint_diff as *const () as usize),
        ("mpi_pcontrol_", pcontrol as *const () as usize),
        ("mpi_f_sync_reg_", sync_reg as *const () as usize),
        ("windtunnel_compute_", compute as *const () as usize),
        ("mpi_status_f2f08_", copy_status as *const () as usize),
        ("mpi_status_f082f_", copy_status as *const () as usize),
        ("mpi_buffer_detach_f08_", detach::<i32> as *const () as usize),
        ("mpi_buffer_detach_f08_c_", detach::<i64> as *const () as usize),
        ("mpi_comm_detach_buffer_f08_", comm_detach::<i32> as *const () as usize),
        ("mpi_comm_detach_buffer_f08_c_", comm_detach::<i64> as *const () as usize),
        ("mpi_session_detach_buffer_f08_", session_detach::<i32> as *const () as usize),
        ("mpi_session_detach_buffer_f08_c_", session_detach::<i64> as *const () as usize),
        (SIZE_OF_TEXT, size_of_text as *const () as usize),
        ("mpi_null_copy_fn_", copy_nothing as *const () as usize),
        ("mpi_null_delete_fn_", delete_nothing as *const () as usize),
        ("mpi_dup_fn_", duplicate::<c_int> as *const () as usize),
        ("mpi_comm_null_copy_fn_", copy_nothing as *const () as usize),
        ("mpi_comm_null_delete_fn_", delete_nothing as *const () as usize),
        ("mpi_comm_dup_fn_", duplicate::<i64> as *const () as usize),
        ("mpi_type_null_copy_fn_", copy_nothing as *const () as usize),
        ("mpi_type_null_delete_fn_", delete_nothing as *const () as usize),
        ("mpi_type_dup_fn_", duplicate::<i64> as *const () as usize),
        ("mpi_win_null_copy_fn_", copy_nothing as *const () as usize),
        ("mpi_win_null_delete_fn_", delete_nothing as *const () as usize),
        ("mpi_win_dup_fn_", duplicate::<i64> as *const () as usize),
        ("mpi_conversion_fn_null_", unmodelled::stop as *const () as usize),
        ("mpi_conversion_fn_null_c_", unmodelled::stop as *const () as usize),
    ];
    list.extend(sizes());
    list
}
