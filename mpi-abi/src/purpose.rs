//! [`Purpose`]: what a call uses memory of the program for.

use mpi_api::check::short_buffer::Does;

/// What a call, or the operation that it starts, uses memory of the program for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// It only reads the memory.
    Read,
    /// It may write to the memory.
    Write,
}

impl Purpose {
    /// Returns the purpose of a buffer that is written if `writes`, and otherwise only read.
    #[inline(always)]
    pub(crate) fn written_if(writes: bool) -> Self {
        if writes { Self::Write } else { Self::Read }
    }
}

impl From<Purpose> for Does {
    fn from(purpose: Purpose) -> Self {
        match purpose {
            Purpose::Read => Self::Reads,
            Purpose::Write => Self::Writes,
        }
    }
}
