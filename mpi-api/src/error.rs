//! Errors of the simulated program, with the classes of MPI section 9.4.

use std::fmt;

/// An MPI error class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "each is the class of that name in MPI section 9.4")]
pub enum ErrorClass {
    Buffer,
    Count,
    Type,
    Tag,
    Comm,
    Rank,
    Request,
    Root,
    Group,
    Op,
    Topology,
    Dims,
    Arg,
    Truncate,
    Spawn,
    Other,
    InStatus,
    Pending,
    /// One that the kernel never gives of itself: its constant.
    Named(&'static str),
}

impl ErrorClass {
    /// The constant of the standard.
    pub fn name(self) -> &'static str {
        match self {
            Self::Buffer => "MPI_ERR_BUFFER",
            Self::Count => "MPI_ERR_COUNT",
            Self::Type => "MPI_ERR_TYPE",
            Self::Tag => "MPI_ERR_TAG",
            Self::Comm => "MPI_ERR_COMM",
            Self::Rank => "MPI_ERR_RANK",
            Self::Request => "MPI_ERR_REQUEST",
            Self::Root => "MPI_ERR_ROOT",
            Self::Group => "MPI_ERR_GROUP",
            Self::Op => "MPI_ERR_OP",
            Self::Topology => "MPI_ERR_TOPOLOGY",
            Self::Dims => "MPI_ERR_DIMS",
            Self::Arg => "MPI_ERR_ARG",
            Self::Truncate => "MPI_ERR_TRUNCATE",
            Self::Spawn => "MPI_ERR_SPAWN",
            Self::Other => "MPI_ERR_OTHER",
            Self::InStatus => "MPI_ERR_IN_STATUS",
            Self::Pending => "MPI_ERR_PENDING",
            Self::Named(name) => name,
        }
    }
}

/// One failed MPI call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MpiError {
    /// Class.
    pub class: ErrorClass,
    /// What was wrong, with the offending value.
    pub message: String,
}

impl MpiError {
    /// An error of `class`.
    pub fn new(class: ErrorClass, message: impl Into<String>) -> Self {
        Self { class, message: message.into() }
    }
}

impl fmt::Display for MpiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.class.name(), self.message)
    }
}

impl std::error::Error for MpiError {}
