//! The error classes of MPI section 9.4.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The last error code reserved for MPI itself (`MPI_ERR_LASTCODE`).
pub const LASTCODE: i32 = 0x3fff;

macro_rules! classes {
    ($($variant:ident = $number:literal, $name:literal, $meaning:literal;)*) => {
        /// An MPI error class.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[allow(missing_docs, reason = "each is the class of that name in MPI section 9.4")]
        pub enum ErrorClass {
            $($variant,)*
            /// A class that the program has added (MPI section 9.5), by its number.
            Own(i32),
        }

        impl ErrorClass {
            /// Returns its number in the standard ABI; every class is also an error code.
            pub const fn code(self) -> i32 {
                match self {
                    $(Self::$variant => $number,)*
                    Self::Own(number) => number,
                }
            }

            /// Returns the name of the standard's constant, or a description for the program's own
            /// classes.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                    Self::Own(_) => "an error class of the program",
                }
            }

            /// Returns its meaning; empty for the program's own classes.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$variant => $meaning,)*
                    Self::Own(_) => "",
                }
            }

            /// Returns the predefined class with this number.
            pub const fn of_mpi(number: i32) -> Option<Self> {
                match number {
                    $($number => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

classes! {
    Buffer = 1, "MPI_ERR_BUFFER", "invalid buffer pointer";
    Count = 2, "MPI_ERR_COUNT", "invalid count";
    Type = 3, "MPI_ERR_TYPE", "invalid datatype";
    Tag = 4, "MPI_ERR_TAG", "invalid tag";
    Comm = 5, "MPI_ERR_COMM", "invalid communicator";
    Rank = 6, "MPI_ERR_RANK", "invalid rank";
    Request = 7, "MPI_ERR_REQUEST", "invalid request";
    Root = 8, "MPI_ERR_ROOT", "invalid root";
    Group = 9, "MPI_ERR_GROUP", "invalid group";
    Op = 10, "MPI_ERR_OP", "invalid operation";
    Topology = 11, "MPI_ERR_TOPOLOGY", "invalid topology";
    Dims = 12, "MPI_ERR_DIMS", "invalid dimensions";
    Arg = 13, "MPI_ERR_ARG", "invalid argument";
    Unknown = 14, "MPI_ERR_UNKNOWN", "unknown error";
    Truncate = 15, "MPI_ERR_TRUNCATE", "message longer than its receive buffer";
    Other = 16, "MPI_ERR_OTHER", "another error";
    Intern = 17, "MPI_ERR_INTERN", "internal error";
    Pending = 18, "MPI_ERR_PENDING", "request not complete";
    InStatus = 19, "MPI_ERR_IN_STATUS", "the error is in the status";
    Access = 20, "MPI_ERR_ACCESS", "permission denied";
    Amode = 21, "MPI_ERR_AMODE", "invalid file mode";
    Assert = 22, "MPI_ERR_ASSERT", "invalid assertion";
    BadFile = 23, "MPI_ERR_BAD_FILE", "invalid file name";
    Base = 24, "MPI_ERR_BASE", "invalid base";
    Conversion = 25, "MPI_ERR_CONVERSION", "conversion failed";
    Disp = 26, "MPI_ERR_DISP", "invalid displacement";
    DupDatarep = 27, "MPI_ERR_DUP_DATAREP", "data representation defined twice";
    FileExists = 28, "MPI_ERR_FILE_EXISTS", "file exists";
    FileInUse = 29, "MPI_ERR_FILE_IN_USE", "file in use";
    File = 30, "MPI_ERR_FILE", "invalid file handle";
    InfoKey = 31, "MPI_ERR_INFO_KEY", "info key too long";
    InfoNokey = 32, "MPI_ERR_INFO_NOKEY", "no such info key";
    InfoValue = 33, "MPI_ERR_INFO_VALUE", "info value too long";
    Info = 34, "MPI_ERR_INFO", "invalid info object";
    Io = 35, "MPI_ERR_IO", "input or output failed";
    Keyval = 36, "MPI_ERR_KEYVAL", "invalid attribute key";
    Locktype = 37, "MPI_ERR_LOCKTYPE", "invalid lock type";
    Name = 38, "MPI_ERR_NAME", "no such service name";
    NoMem = 39, "MPI_ERR_NO_MEM", "out of memory";
    NotSame = 40, "MPI_ERR_NOT_SAME", "arguments differ between processes";
    NoSpace = 41, "MPI_ERR_NO_SPACE", "no space left";
    NoSuchFile = 42, "MPI_ERR_NO_SUCH_FILE", "no such file";
    Port = 43, "MPI_ERR_PORT", "invalid port";
    Quota = 44, "MPI_ERR_QUOTA", "quota exceeded";
    ReadOnly = 45, "MPI_ERR_READ_ONLY", "read-only file";
    RmaAttach = 46, "MPI_ERR_RMA_ATTACH", "memory cannot be attached";
    RmaConflict = 47, "MPI_ERR_RMA_CONFLICT", "conflicting accesses to a window";
    RmaRange = 48, "MPI_ERR_RMA_RANGE", "outside the window";
    RmaShared = 49, "MPI_ERR_RMA_SHARED", "memory cannot be shared";
    RmaSync = 50, "MPI_ERR_RMA_SYNC", "wrong synchronisation of a window";
    Service = 51, "MPI_ERR_SERVICE", "invalid service name";
    Size = 52, "MPI_ERR_SIZE", "invalid size";
    Spawn = 53, "MPI_ERR_SPAWN", "processes cannot be started";
    UnsupportedDatarep = 54, "MPI_ERR_UNSUPPORTED_DATAREP", "unsupported data representation";
    UnsupportedOperation = 55, "MPI_ERR_UNSUPPORTED_OPERATION", "unsupported operation";
    Win = 56, "MPI_ERR_WIN", "invalid window";
    RmaFlavor = 57, "MPI_ERR_RMA_FLAVOR", "wrong kind of window";
    ProcAborted = 58, "MPI_ERR_PROC_ABORTED", "a peer has aborted";
    ValueTooLarge = 59, "MPI_ERR_VALUE_TOO_LARGE", "value too large for its variable";
    Session = 60, "MPI_ERR_SESSION", "invalid session";
    Errhandler = 61, "MPI_ERR_ERRHANDLER", "invalid error handler";
    Abi = 62, "MPI_ERR_ABI", "the ABI is not supported";
}

impl fmt::Display for ErrorClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own(number) => write!(f, "error class {number} of the program"),
            class => f.write_str(class.name()),
        }
    }
}
