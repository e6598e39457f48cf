//! The numbers of the MPI-5.0 standard ABI (MPI 5.0, chapter 20): handles, constants, classes.

/// A handle as the MPI-5.0 ABI passes it: an opaque pointer value, below `0x1000` for predefined
/// objects.
pub type Handle = usize;

/// The return value `MPI_SUCCESS`.
pub const SUCCESS: i32 = 0;

/// Handles of predefined objects.
#[allow(missing_docs, reason = "each is the constant of that name")]
pub mod handle {
    use mpi_api::error::ErrorHandler;

    use super::Handle;

    /// Reports whether an error handler ends the run.
    pub fn is_fatal(handler: Handle) -> bool {
        told(handler).is_fatal()
    }

    /// Returns what the kernel is to do with errors under an error handler; functions of the program are called by this
    /// crate.
    pub(crate) fn told(handler: Handle) -> ErrorHandler {
        match handler {
            ERRORS_ARE_FATAL => ErrorHandler::Fatal,
            ERRORS_ABORT => ErrorHandler::Abort,
            _ => ErrorHandler::Return,
        }
    }

    pub const OP_NULL: Handle = 0x20;
    pub const COMM_NULL: Handle = 0x100;
    pub const COMM_WORLD: Handle = 0x101;
    pub const COMM_SELF: Handle = 0x102;
    pub const GROUP_NULL: Handle = 0x108;
    pub const GROUP_EMPTY: Handle = 0x109;
    pub const SESSION_NULL: Handle = 0x120;
    pub const MESSAGE_NULL: Handle = 0x128;
    pub const MESSAGE_NO_PROC: Handle = 0x129;
    pub const WIN_NULL: Handle = 0x110;
    pub const FILE_NULL: Handle = 0x118;
    pub const INFO_NULL: Handle = 0x130;
    pub const INFO_ENV: Handle = 0x131;
    pub const ERRHANDLER_NULL: Handle = 0x140;
    pub const ERRORS_ARE_FATAL: Handle = 0x141;
    pub const ERRORS_RETURN: Handle = 0x142;
    pub const ERRORS_ABORT: Handle = 0x143;
    /// The handle `MPI_T_PVAR_ALL_HANDLES`, which stands for all performance variables of a
    /// session.
    pub const ALL_VARIABLES: Handle = 1;
    pub const REQUEST_NULL: Handle = 0x180;
    pub const DATATYPE_NULL: Handle = 0x200;
    pub const COUNT: Handle = 0x202;
    pub const INT: Handle = 0x209;
    pub const UNSIGNED_LONG_LONG: Handle = 0x20f;
    pub const DOUBLE: Handle = 0x214;
    pub const BYTE: Handle = 0x247;
    /// `MPI_LB` of MPI-1. The MPI-5.0 ABI does not define it; the value lies outside the standard's
    /// range.
    pub const LB: Handle = 0xff0;
    /// `MPI_UB` of MPI-1; see [`LB`].
    pub const UB: Handle = 0xff1;
    /// The first handle given to an object that the program creates.
    pub const FIRST: Handle = 0x1000;
    /// The first handle of created datatypes and operations. The values are unusual enough that one
    /// found in a program's static memory can be taken for a handle, and they fit a Fortran
    /// `INTEGER`.
    pub const FIRST_TYPE: Handle = 0x4d54_1000;
    pub const FIRST_OPERATION: Handle = 0x4d4f_1000;
}

/// Constants of the tools interface (MPI 15.3).
#[allow(missing_docs, reason = "each is the constant of that name")]
pub mod tools {
    pub const VERBOSITY_USER_BASIC: i32 = 9;
    pub const VERBOSITY_TUNER_BASIC: i32 = 17;
    pub const BIND_NO_OBJECT: i32 = 1;
    pub const SCOPE_ALL_EQ: i32 = 7;
    pub const CB_REQUIRE_NONE: i32 = 0x00;
    pub const CB_REQUIRE_MPI_RESTRICTED: i32 = 0x03;
    pub const CB_REQUIRE_THREAD_SAFE: i32 = 0x0f;
    pub const CB_REQUIRE_ASYNC_SIGNAL_SAFE: i32 = 0x3f;
    pub const SOURCE_ORDERED: i32 = 1;
}

/// Integer constants of MPI-5.0, chapter 20.
#[allow(missing_docs, reason = "each is the constant of that name")]
pub mod number {
    pub const ANY_SOURCE: i32 = -1;
    pub const ANY_TAG: i32 = -2;
    pub const PROC_NULL: i32 = -3;
    pub const ROOT: i32 = -4;
    pub const UNDEFINED: i32 = -32766;
    /// Source and tag of a status that MPI leaves undefined: no constant, and as an index outside of every array.
    pub const UNSET: i32 = -1_234_567_890;
    /// The largest tag, and the value of the attribute `MPI_TAG_UB`.
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
    pub const MAX_LIBRARY_VERSION_STRING: usize = 8192;
    pub const MAX_ERROR_STRING: usize = 512;
    pub const MAX_OBJECT_NAME: usize = 128;
    pub const MAX_PORT_NAME: usize = 1024;
    pub const MAX_INFO_KEY: usize = 256;
    pub const MAX_INFO_VAL: usize = 1024;
    pub const BSEND_OVERHEAD: i64 = 512;
    pub const KEYVAL_INVALID: i32 = 0;
    pub const MAX_DATAREP_STRING: usize = 128;
    pub const MODE_APPEND: i32 = 1;
    pub const MODE_CREATE: i32 = 2;
    pub const MODE_DELETE_ON_CLOSE: i32 = 4;
    pub const MODE_EXCL: i32 = 8;
    pub const MODE_RDONLY: i32 = 16;
    pub const MODE_RDWR: i32 = 32;
    pub const MODE_SEQUENTIAL: i32 = 64;
    pub const MODE_UNIQUE_OPEN: i32 = 128;
    pub const MODE_WRONLY: i32 = 256;
    pub const SEEK_CUR: i32 = 401;
    pub const SEEK_END: i32 = 402;
    pub const SEEK_SET: i32 = 403;
    pub const DISPLACEMENT_CURRENT: i64 = -1;
    pub const MODE_NOCHECK: i32 = 1024;
    pub const MODE_NOPRECEDE: i32 = 2048;
    pub const MODE_NOPUT: i32 = 4096;
    pub const MODE_NOSTORE: i32 = 8192;
    pub const MODE_NOSUCCEED: i32 = 16384;
    pub const LOCK_EXCLUSIVE: i32 = 301;
    pub const LOCK_SHARED: i32 = 302;
    pub const WIN_FLAVOR_CREATE: i32 = 311;
    pub const WIN_FLAVOR_ALLOCATE: i32 = 312;
    pub const WIN_FLAVOR_DYNAMIC: i32 = 313;
    pub const WIN_FLAVOR_SHARED: i32 = 314;
    pub const WIN_UNIFIED: i32 = 321;
    pub const WIN_BASE: i32 = 601;
    pub const WIN_DISP_UNIT: i32 = 602;
    pub const WIN_SIZE: i32 = 603;
    pub const WIN_CREATE_FLAVOR: i32 = 604;
    pub const WIN_MODEL: i32 = 605;
}

/// Error classes (MPI section 9.4).
#[allow(missing_docs, reason = "each is the class of that name")]
pub mod class {
    use mpi_api::error::ErrorClass;

    pub const BUFFER: i32 = ErrorClass::Buffer.code();
    pub const COUNT: i32 = ErrorClass::Count.code();
    pub const TYPE: i32 = ErrorClass::Type.code();
    pub const TAG: i32 = ErrorClass::Tag.code();
    pub const COMM: i32 = ErrorClass::Comm.code();
    pub const RANK: i32 = ErrorClass::Rank.code();
    pub const REQUEST: i32 = ErrorClass::Request.code();
    pub const ROOT: i32 = ErrorClass::Root.code();
    pub const GROUP: i32 = ErrorClass::Group.code();
    pub const OP: i32 = ErrorClass::Op.code();
    pub const TOPOLOGY: i32 = ErrorClass::Topology.code();
    pub const DIMS: i32 = ErrorClass::Dims.code();
    pub const ARG: i32 = ErrorClass::Arg.code();
    pub const UNKNOWN: i32 = ErrorClass::Unknown.code();
    pub const TRUNCATE: i32 = ErrorClass::Truncate.code();
    pub const OTHER: i32 = ErrorClass::Other.code();
    pub const INTERN: i32 = ErrorClass::Intern.code();
    pub const IN_STATUS: i32 = ErrorClass::InStatus.code();
    pub const ASSERT: i32 = ErrorClass::Assert.code();
    pub const BASE: i32 = ErrorClass::Base.code();
    pub const CONVERSION: i32 = ErrorClass::Conversion.code();
    pub const INFO_KEY: i32 = ErrorClass::InfoKey.code();
    pub const INFO_NOKEY: i32 = ErrorClass::InfoNokey.code();
    pub const INFO_VALUE: i32 = ErrorClass::InfoValue.code();
    pub const INFO: i32 = ErrorClass::Info.code();
    pub const DISP: i32 = ErrorClass::Disp.code();
    pub const KEYVAL: i32 = ErrorClass::Keyval.code();
    pub const LOCKTYPE: i32 = ErrorClass::Locktype.code();
    pub const NAME: i32 = ErrorClass::Name.code();
    pub const NO_MEM: i32 = ErrorClass::NoMem.code();
    pub const PORT: i32 = ErrorClass::Port.code();
    pub const RMA_FLAVOR: i32 = ErrorClass::RmaFlavor.code();
    pub const RMA_SHARED: i32 = ErrorClass::RmaShared.code();
    pub const SIZE: i32 = ErrorClass::Size.code();
    pub const SPAWN: i32 = ErrorClass::Spawn.code();
    pub const UNSUPPORTED_OPERATION: i32 = ErrorClass::UnsupportedOperation.code();
    pub const WIN: i32 = ErrorClass::Win.code();
    pub const SESSION: i32 = ErrorClass::Session.code();
    pub const ERRHANDLER: i32 = ErrorClass::Errhandler.code();
    pub const ABI: i32 = ErrorClass::Abi.code();
    pub const AMODE: i32 = ErrorClass::Amode.code();
    pub const DUP_DATAREP: i32 = ErrorClass::DupDatarep.code();
    pub const FILE: i32 = ErrorClass::File.code();
    pub const IO: i32 = ErrorClass::Io.code();
    pub const NO_SPACE: i32 = ErrorClass::NoSpace.code();
    pub const QUOTA: i32 = ErrorClass::Quota.code();
    pub const UNSUPPORTED_DATAREP: i32 = ErrorClass::UnsupportedDatarep.code();
    pub const LASTCODE: i32 = mpi_api::error::LASTCODE;
}
