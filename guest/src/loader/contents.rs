//! The bytes of an object: those of its file, and those that are in memory before relocation.
#![allow(unsafe_code, reason = "maps files of the system")]

use std::{
    fs::File,
    io,
    ops::{Deref, DerefMut},
};

use memmap2::{MmapMut, MmapOptions};

/// Bytes of an object.
pub(crate) enum Contents {
    /// A copy.
    Copied(Vec<u8>),
    /// The file of a library of the system, of which each page is copied when it is written to.
    Mapped(MmapMut),
}

impl Contents {
    /// Returns the bytes of a file; that of a library of the system is mapped.
    ///
    /// # Errors
    /// If the system refuses.
    pub(super) fn of_file(file: &File, is_of_system: bool) -> io::Result<Self> {
        if is_of_system {
            return Self::map(&MmapOptions::new(), file);
        }
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut &*file, &mut bytes)?;
        Ok(Self::Copied(bytes))
    }

    /// Maps the first bytes of a library of the system.
    ///
    /// # Errors
    /// If the system refuses.
    pub(super) fn start_of_system(file: &File, bytes: usize) -> io::Result<Self> {
        Self::map(MmapOptions::new().len(bytes), file)
    }

    fn map(options: &MmapOptions, file: &File) -> io::Result<Self> {
        // SAFETY: nobody writes to a library of the system while it is mapped: a new version of it is a new file.
        Ok(Self::Mapped(unsafe { options.map_copy(file)? }))
    }

    /// Makes this many bytes available, zeros at the end.
    pub(super) fn grow(&mut self, bytes: usize) {
        if self.len() < bytes {
            let mut longer = vec![0; bytes];
            longer[..self.len()].copy_from_slice(self);
            *self = Self::Copied(longer);
        }
    }
}

impl Deref for Contents {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Copied(bytes) => bytes,
            Self::Mapped(bytes) => bytes,
        }
    }
}

impl DerefMut for Contents {
    fn deref_mut(&mut self) -> &mut [u8] {
        match self {
            Self::Copied(bytes) => bytes,
            Self::Mapped(bytes) => bytes,
        }
    }
}
