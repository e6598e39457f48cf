//! [`OpenOptions`]: how a file is opened.

use super::File;
use crate::{
    api::{MpiError, topology::Communicator},
    call::{FileMode, Site},
    error::ErrorClass,
    object::hints::FileHints,
};

/// How a file is opened (MPI section 14.2.1), in the shape of [`std::fs::OpenOptions`]. All ranks must
/// give the same.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenOptions {
    mode: FileMode,
    hints: FileHints,
}

/// Defines the options that are switched on and off.
macro_rules! switches {
    ($($(#[$doc:meta])* $name:ident $field:ident;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $name(mut self, on: bool) -> Self {
            self.mode.$field = on;
            self
        }
    )*};
}

impl OpenOptions {
    /// Creates options that allow nothing: at least one of [`OpenOptions::read`] and
    /// [`OpenOptions::write`] is needed.
    pub fn new() -> Self {
        Self::default()
    }

    switches! {
        /// The file is read (`MPI_MODE_RDONLY`, or `MPI_MODE_RDWR`).
        read reads;
        /// The file is written (`MPI_MODE_WRONLY`, or `MPI_MODE_RDWR`).
        write writes;
        /// The file is created if there is none (`MPI_MODE_CREATE`).
        create create;
        /// The file must not exist (`MPI_MODE_EXCL`).
        create_new exclusive;
        /// The file is deleted when it is closed (`MPI_MODE_DELETE_ON_CLOSE`).
        delete_on_close delete_on_close;
        /// Nobody else opens the file (`MPI_MODE_UNIQUE_OPEN`).
        unique unique;
        /// All file pointers begin at the end (`MPI_MODE_APPEND`).
        append append;
    }

    /// Gives a hint, such as `cb_nodes` with `4`; `docs/files.md` lists those that have an effect. Others are
    /// ignored.
    #[must_use]
    pub fn hint(mut self, name: &str, value: &str) -> Self {
        self.hints.set(name, value);
        self
    }

    /// Opens a file together with all other ranks of the communicator (`MPI_File_open`).
    ///
    /// # Errors
    /// Returns an error if the options contradict each other, the file cannot be opened, or the run has no
    /// files.
    #[track_caller]
    pub fn open(&self, comm: &impl Communicator, name: &str) -> Result<File, MpiError> {
        let mode = self.mode;
        let fault = |text: &str| Err(MpiError::new(ErrorClass::Amode, text));
        if !mode.reads && !mode.writes {
            return fault("a file is opened neither for reading nor for writing");
        }
        if !mode.writes && (mode.create || mode.exclusive) {
            return fault("a file that is open for reading only cannot be created");
        }
        File::open(comm.as_simple(), name, (mode, self.hints), Site::here())
    }
}
