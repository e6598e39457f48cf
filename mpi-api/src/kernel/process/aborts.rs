//! [`Aborts`]: the communicators that a program has aborted.

/// The aborts of a run.
#[derive(Debug, Default)]
pub(crate) struct Aborts {
    /// Exit code of the first one.
    code: Option<i32>,
    /// Whether one ended only the ranks of its communicator.
    partial: bool,
}

impl Aborts {
    pub(super) fn record(&mut self, code: i32) {
        self.code.get_or_insert(code);
    }

    pub(super) fn spare_others(&mut self) {
        self.partial = true;
    }

    /// Reports whether some ranks were ended by another's abort while others continue.
    #[inline]
    pub(crate) fn are_partial(&self) -> bool {
        self.partial
    }

    /// Returns the exit code of the first abort.
    pub(crate) fn code(&self) -> Option<i32> {
        self.code
    }
}
