//! The numbers of the MPI-5.0 standard ABI (MPI 5.0, chapter 20): handles, constants, classes.

/// A handle as programs hold it: a pointer to nothing, below `0x1000` for predefined objects.
pub type Handle = usize;

/// `MPI_SUCCESS`.
pub const SUCCESS: i32 = 0;

/// Predefined handles.
#[allow(missing_docs, reason = "each is the constant of that name")]
pub mod handle {
    use super::Handle;
    pub const OP_NULL: Handle = 0x20;
    pub const COMM_NULL: Handle = 0x100;
    pub const COMM_WORLD: Handle = 0x101;
    pub const COMM_SELF: Handle = 0x102;
    pub const GROUP_NULL: Handle = 0x108;
    pub const GROUP_EMPTY: Handle = 0x109;
    pub const SESSION_NULL: Handle = 0x120;
    pub const MESSAGE_NULL: Handle = 0x128;
    pub const MESSAGE_NO_PROC: Handle = 0x129;
    pub const INFO_NULL: Handle = 0x130;
    pub const INFO_ENV: Handle = 0x131;
    pub const ERRHANDLER_NULL: Handle = 0x140;
    pub const ERRORS_ARE_FATAL: Handle = 0x141;
    pub const ERRORS_RETURN: Handle = 0x142;
    pub const ERRORS_ABORT: Handle = 0x143;
    /// `MPI_T_PVAR_ALL_HANDLES`.
    pub const ALL_VARIABLES: Handle = 1;
    pub const REQUEST_NULL: Handle = 0x180;
    pub const DATATYPE_NULL: Handle = 0x200;
    /// Of MPI-1, outside the page of the standard's own handles.
    pub const LB: Handle = 0xff0;
    /// Of MPI-1.
    pub const UB: Handle = 0xff1;
    /// The first handle of a made object.
    pub const FIRST: Handle = 0x1000;
}

/// Integer constants.
#[allow(missing_docs, reason = "each is the constant of that name")]
pub mod number {
    pub const ANY_SOURCE: i32 = -1;
    pub const ANY_TAG: i32 = -2;
    pub const PROC_NULL: i32 = -3;
    pub const ROOT: i32 = -4;
    pub const UNDEFINED: i32 = -32766;
    /// Largest tag.
    pub const TAG_UB: i32 = i32::MAX;
    pub const THREAD_SINGLE: i32 = 0;
    pub const THREAD_FUNNELED: i32 = 1024;
    pub const THREAD_SERIALIZED: i32 = 2048;
    pub const THREAD_MULTIPLE: i32 = 4096;
    pub const IDENT: i32 = 201;
    pub const CONGRUENT: i32 = 202;
    pub const SIMILAR: i32 = 203;
    pub const UNEQUAL: i32 = 204;
    pub const CART: i32 = 211;
    pub const GRAPH: i32 = 212;
    pub const DIST_GRAPH: i32 = 213;
    pub const COMM_TYPE_SHARED: i32 = 221;
    pub const COMM_TYPE_HW_UNGUIDED: i32 = 222;
    pub const COMM_TYPE_HW_GUIDED: i32 = 223;
    pub const COMM_TYPE_RESOURCE_GUIDED: i32 = 224;
    pub const MAX_PROCESSOR_NAME: usize = 256;
    pub const MAX_ERROR_STRING: usize = 512;
    pub const MAX_OBJECT_NAME: usize = 128;
    pub const MAX_PORT_NAME: usize = 1024;
    pub const MAX_INFO_KEY: usize = 256;
    pub const MAX_INFO_VAL: usize = 1024;
    pub const BSEND_OVERHEAD: i64 = 512;
    pub const KEYVAL_INVALID: i32 = 0;
}

/// Error classes.
#[allow(missing_docs, reason = "each is the class of that name")]
pub mod class {
    pub const BUFFER: i32 = 1;
    pub const COUNT: i32 = 2;
    pub const TYPE: i32 = 3;
    pub const TAG: i32 = 4;
    pub const COMM: i32 = 5;
    pub const RANK: i32 = 6;
    pub const REQUEST: i32 = 7;
    pub const ROOT: i32 = 8;
    pub const GROUP: i32 = 9;
    pub const OP: i32 = 10;
    pub const TOPOLOGY: i32 = 11;
    pub const DIMS: i32 = 12;
    pub const ARG: i32 = 13;
    pub const UNKNOWN: i32 = 14;
    pub const TRUNCATE: i32 = 15;
    pub const OTHER: i32 = 16;
    pub const INTERN: i32 = 17;
    pub const PENDING: i32 = 18;
    pub const IN_STATUS: i32 = 19;
    pub const CONVERSION: i32 = 25;
    pub const INFO_KEY: i32 = 31;
    pub const INFO_NOKEY: i32 = 32;
    pub const INFO_VALUE: i32 = 33;
    pub const INFO: i32 = 34;
    pub const KEYVAL: i32 = 36;
    pub const NAME: i32 = 38;
    pub const NO_MEM: i32 = 39;
    pub const PORT: i32 = 43;
    pub const SERVICE: i32 = 51;
    pub const SPAWN: i32 = 53;
    pub const UNSUPPORTED_OPERATION: i32 = 55;
    pub const SESSION: i32 = 60;
    pub const ERRHANDLER: i32 = 61;
    pub const LASTCODE: i32 = 0x3fff;
}

/// What each class means, from class 1.
pub const CLASS_TEXTS: [&str; 62] = [
    "MPI_ERR_BUFFER: invalid buffer pointer",
    "MPI_ERR_COUNT: invalid count",
    "MPI_ERR_TYPE: invalid datatype",
    "MPI_ERR_TAG: invalid tag",
    "MPI_ERR_COMM: invalid communicator",
    "MPI_ERR_RANK: invalid rank",
    "MPI_ERR_REQUEST: invalid request",
    "MPI_ERR_ROOT: invalid root",
    "MPI_ERR_GROUP: invalid group",
    "MPI_ERR_OP: invalid operation",
    "MPI_ERR_TOPOLOGY: invalid topology",
    "MPI_ERR_DIMS: invalid dimensions",
    "MPI_ERR_ARG: invalid argument",
    "MPI_ERR_UNKNOWN: unknown error",
    "MPI_ERR_TRUNCATE: message longer than its receive buffer",
    "MPI_ERR_OTHER: another error",
    "MPI_ERR_INTERN: internal error",
    "MPI_ERR_PENDING: request not complete",
    "MPI_ERR_IN_STATUS: the error is in the status",
    "MPI_ERR_ACCESS: permission denied",
    "MPI_ERR_AMODE: invalid file mode",
    "MPI_ERR_ASSERT: invalid assertion",
    "MPI_ERR_BAD_FILE: invalid file name",
    "MPI_ERR_BASE: invalid base",
    "MPI_ERR_CONVERSION: conversion failed",
    "MPI_ERR_DISP: invalid displacement",
    "MPI_ERR_DUP_DATAREP: data representation defined twice",
    "MPI_ERR_FILE_EXISTS: file exists",
    "MPI_ERR_FILE_IN_USE: file in use",
    "MPI_ERR_FILE: invalid file handle",
    "MPI_ERR_INFO_KEY: info key too long",
    "MPI_ERR_INFO_NOKEY: no such info key",
    "MPI_ERR_INFO_VALUE: info value too long",
    "MPI_ERR_INFO: invalid info object",
    "MPI_ERR_IO: input or output failed",
    "MPI_ERR_KEYVAL: invalid attribute key",
    "MPI_ERR_LOCKTYPE: invalid lock type",
    "MPI_ERR_NAME: no such service name",
    "MPI_ERR_NO_MEM: out of memory",
    "MPI_ERR_NOT_SAME: arguments differ between processes",
    "MPI_ERR_NO_SPACE: no space left",
    "MPI_ERR_NO_SUCH_FILE: no such file",
    "MPI_ERR_PORT: invalid port",
    "MPI_ERR_QUOTA: quota exceeded",
    "MPI_ERR_READ_ONLY: read-only file",
    "MPI_ERR_RMA_ATTACH: memory cannot be attached",
    "MPI_ERR_RMA_CONFLICT: conflicting accesses to a window",
    "MPI_ERR_RMA_RANGE: outside the window",
    "MPI_ERR_RMA_SHARED: memory cannot be shared",
    "MPI_ERR_RMA_SYNC: wrong synchronisation of a window",
    "MPI_ERR_SERVICE: invalid service name",
    "MPI_ERR_SIZE: invalid size",
    "MPI_ERR_SPAWN: processes cannot be started",
    "MPI_ERR_UNSUPPORTED_DATAREP: unsupported data representation",
    "MPI_ERR_UNSUPPORTED_OPERATION: unsupported operation",
    "MPI_ERR_WIN: invalid window",
    "MPI_ERR_RMA_FLAVOR: wrong kind of window",
    "MPI_ERR_PROC_ABORTED: a peer has aborted",
    "MPI_ERR_VALUE_TOO_LARGE: value too large for its variable",
    "MPI_ERR_SESSION: invalid session",
    "MPI_ERR_ERRHANDLER: invalid error handler",
    "MPI_ERR_ABI: the ABI is not supported",
];
