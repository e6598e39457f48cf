//! What a program has asserted by an info key of a communicator or window, and a call that breaks it: WT0007, WT0011,
//! WT0030 and WT0033.

use super::disagreement::{Side, between};
use crate::finding::{CallPlace, CallSite, Code, Finding};

/// An assertion that an info key makes about the use of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InfoAssertion {
    /// `mpi_assert_no_any_source`: no receive or probe is from any source.
    NoAnySource,
    /// `mpi_assert_no_any_tag`: no receive or probe is for any tag.
    NoAnyTag,
    /// `mpi_assert_exact_length`: each message is as long as its receive buffer.
    ExactLength,
    /// `no_locks`: the window is not locked.
    NoLocks,
}

impl InfoAssertion {
    /// All assertions.
    pub const ALL: [Self; 4] =
        [Self::NoAnySource, Self::NoAnyTag, Self::ExactLength, Self::NoLocks];

    /// Returns the info key that makes it if its value is `true`.
    pub fn key(self) -> &'static str {
        match self {
            Self::NoAnySource => "mpi_assert_no_any_source",
            Self::NoAnyTag => "mpi_assert_no_any_tag",
            Self::ExactLength => "mpi_assert_exact_length",
            Self::NoLocks => "no_locks",
        }
    }

    fn code(self) -> Code {
        match self {
            Self::NoAnySource | Self::NoAnyTag => Code::InvalidArgument,
            Self::ExactLength => Code::CountMismatch,
            Self::NoLocks => Code::EpochMisuse,
        }
    }

    /// Returns what a call does that breaks it, for the message and for the label.
    fn breach(self) -> [&'static str; 2] {
        match self {
            Self::NoAnySource => ["names MPI_ANY_SOURCE", "this names MPI_ANY_SOURCE"],
            Self::NoAnyTag => ["names MPI_ANY_TAG", "this names MPI_ANY_TAG"],
            Self::ExactLength => [
                "receives a shorter message than its buffer",
                "this message is shorter than the buffer",
            ],
            Self::NoLocks => ["locks the window", "this locks the window"],
        }
    }

    /// Returns what the standard says.
    fn rule(self) -> &'static str {
        match self {
            Self::NoAnySource | Self::NoAnyTag | Self::ExactLength => {
                "the library may rely on the assertions that the info of a communicator makes, and go wrong if they \
                 are not true (MPI 5.0, 7.4.4)"
            }
            Self::NoLocks => {
                "the library may rely on no_locks, and leave out what MPI_Win_lock and MPI_Win_lock_all need (MPI 5.0, \
                 12.2.1)"
            }
        }
    }
}

/// Returns the finding that a call of a rank breaks an assertion that the call at `given` has made.
pub fn broken(rank: u32, assertion: InfoAssertion, by: CallPlace, given: CallPlace) -> Finding {
    let (key, [what, label]) = (assertion.key(), assertion.breach());
    let message = format!("rank {rank}: {} {what}, and {key} is true", by.call);
    let sites = vec![
        CallSite::of(rank, by, label.into()),
        CallSite::of(rank, given, format!("{key} is set to true here")),
    ];
    Finding::error(assertion.code(), message, vec![rank], sites)
        .note(assertion.rule())
        .help(format!("leave {key} out, or keep to it"))
}

/// An argument of which an info key of a window asserts that all ranks give the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SameArgument {
    /// `same_size`: the size.
    Size,
    /// `same_disp_unit`: the displacement unit.
    Unit,
}

impl SameArgument {
    /// Returns the info key that makes the assertion if its value is `true`.
    pub fn key(self) -> &'static str {
        match self {
            Self::Size => "same_size",
            Self::Unit => "same_disp_unit",
        }
    }
}

/// Returns the finding that two ranks give different values of an argument that is asserted to be the same at all.
pub fn unlike(argument: SameArgument, me: Side, other: Side) -> Finding {
    let key = argument.key();
    between(me, other, Code::ArgumentMismatch)
        .note(format!(
            "{key} is true: the library may rely on the same value at all ranks (MPI 5.0, 12.2.1)"
        ))
        .help(format!("leave {key} out, or give all ranks the same value"))
}
