//! The files of a run, as input and output of MPI access them (MPI chapter 14).
//!
//! The kernel says which bytes of which file are read or written, and when in simulated time; it knows
//! nothing of the host. Who runs the program provides the files: names are those that the calls carry.

use std::{cell::RefCell, rc::Rc};

use crate::{call::FileMode, error::MpiError};

/// Opens and deletes files by name.
pub trait FileSystem {
    /// Opens a file as its mode says; it is created if the mode says so.
    ///
    /// # Errors
    /// Returns why the file cannot be opened, with the error class of MPI section 14.7.
    fn open(&self, name: &str, mode: FileMode) -> Result<Box<dyn OpenFile>, MpiError>;

    /// Returns the absolute name of a file that a program names: below `root` if there is one, where names
    /// cannot leave it. Equal files have equal names.
    ///
    /// # Errors
    /// Returns an error if the name cannot be one of a file, or leads out of `root`.
    fn resolve(&self, name: &str, root: Option<&str>) -> Result<String, MpiError>;

    /// Deletes a file.
    ///
    /// # Errors
    /// Returns why the file cannot be deleted.
    fn delete(&self, name: &str) -> Result<(), MpiError>;
}

/// An open file, whose bytes are accessed by position.
pub trait OpenFile {
    /// Returns the size in bytes.
    ///
    /// # Errors
    /// Returns an error if the host cannot tell.
    fn size(&self) -> Result<u64, MpiError>;

    /// Reads bytes from `at` on and returns their number, which is smaller than that of `into` at the
    /// end of the file only.
    ///
    /// # Errors
    /// Returns an error if the host cannot read.
    fn read(&self, at: u64, into: &mut [u8]) -> Result<usize, MpiError>;

    /// Writes bytes from `at` on; the file grows if it must.
    ///
    /// # Errors
    /// Returns an error if the host cannot write.
    fn write(&self, at: u64, bytes: &[u8]) -> Result<(), MpiError>;

    /// Changes the size; new bytes are 0.
    ///
    /// # Errors
    /// Returns an error if the host refuses.
    fn resize(&self, size: u64) -> Result<(), MpiError>;
}

thread_local! {
    static PROVIDED: RefCell<Option<Rc<dyn FileSystem>>> = const { RefCell::new(None) };
}

/// Provides the files of the runs of this thread.
pub fn provide(files: Rc<dyn FileSystem>) {
    PROVIDED.set(Some(files));
}

/// Returns the files of this thread, if any were provided.
pub(crate) fn provided() -> Option<Rc<dyn FileSystem>> {
    PROVIDED.with_borrow(Clone::clone)
}
