//! The bytes of an object as they are in memory before relocation.
#![allow(unsafe_code, reason = "maps files of the system")]

use std::{
    fs::File,
    io,
    ops::{Deref, DerefMut},
};

use memmap2::{Mmap, MmapMut, MmapOptions};

/// The bytes of an object, without the zeros at the end.
pub(crate) enum Contents {
    /// A copy of the file's segments.
    Copied(Vec<u8>),
    /// The file itself, of which each page is copied when it is written to.
    Mapped(MmapMut),
}

impl Contents {
    /// Makes so many bytes available, zeros at the end.
    pub(super) fn grow(&mut self, bytes: usize) {
        if self.len() < bytes {
            let mut longer = vec![0; bytes];
            longer[..self.len()].copy_from_slice(self);
            *self = Self::Copied(longer);
        }
    }

    /// Maps the first bytes of a library of the system, which nobody writes to: a new version of it is a new file.
    ///
    /// # Errors
    /// If the system refuses.
    pub(super) fn of_system(file: &File, bytes: usize) -> io::Result<Self> {
        // SAFETY: the file does not change while it is mapped.
        Ok(Self::Mapped(unsafe { MmapOptions::new().len(bytes).map_copy(file)? }))
    }
}

/// The bytes of a file while it is parsed.
pub(super) enum Source {
    Read(Vec<u8>),
    /// A library of the system.
    Mapped(Mmap),
}

impl Source {
    /// Reads a file; one of the system is mapped instead.
    ///
    /// # Errors
    /// If the system refuses.
    pub(super) fn of(file: &File, is_of_system: bool) -> io::Result<Self> {
        if is_of_system {
            // SAFETY: as in `Contents::of_system`.
            return Ok(Self::Mapped(unsafe { Mmap::map(file)? }));
        }
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut &*file, &mut bytes)?;
        Ok(Self::Read(bytes))
    }
}

impl Deref for Source {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Read(bytes) => bytes,
            Self::Mapped(bytes) => bytes,
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
