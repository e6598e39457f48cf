//! Open files, as one rank knows them (MPI chapter 14).

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use mpi_api::call::{CommInfo, Direction, FileId, RequestId, Site};

use super::{Fault, Info, Mpi, State, Type};
use crate::{
    constant::{Handle, class},
    function::{
        external,
        guard::Owned,
        transfer::{Part, Parts, unpack_all},
    },
};

/// How a file represents data (MPI section 14.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Representation {
    /// As in memory: "native".
    Native,
    /// As we like; as in memory, too.
    Internal,
    /// "external32", the same on every machine.
    External32,
}

impl Representation {
    /// Returns the representation of this name.
    pub(crate) fn of(name: &str) -> Option<Self> {
        [Self::Native, Self::Internal, Self::External32]
            .into_iter()
            .find(|known| known.name() == name)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Internal => "internal",
            Self::External32 => "external32",
        }
    }

    /// Returns the number of bytes in the file of one element of a type.
    pub(crate) fn size_of(self, datatype: &mpi_api::object::datatype::Datatype) -> u64 {
        match self {
            Self::Native | Self::Internal => datatype.size(),
            Self::External32 => external::size_of(datatype),
        }
    }

    /// Writes data of the file to a buffer.
    pub(crate) fn store(self, into: &[Part], data: &[u8]) {
        match (self, into) {
            (Self::External32, [part]) => part.unpack(&external::decoded(&part.signature(), data)),
            _ => unpack_all(into, data),
        }
    }

    /// Returns the bytes of memory that so many bytes of the file stand for.
    pub(crate) fn bytes_here(self, parts: &[Part], bytes: u64) -> u64 {
        let (Self::External32, [part]) = (self, parts) else { return bytes };
        let (here, there) = (part.datatype.size(), external::size_of(&part.datatype));
        if here == there || there == 0 {
            return bytes;
        }
        // The elements that are complete, and what is left of the next one.
        let rest = vec![0; (bytes % there) as usize];
        let rest = external::decoded(part.datatype.signature(), &rest).len() as u64;
        bytes / there * here + rest
    }
}

/// The view of a file, as the program has set it.
#[derive(Clone)]
pub(crate) struct Seen {
    pub(crate) displacement: i64,
    pub(crate) etype: (Handle, Rc<Type>),
    pub(crate) filetype: (Handle, Rc<Type>),
    pub(crate) representation: Representation,
}

/// A split collective access that has begun (MPI section 14.4.5).
pub(crate) struct Split {
    pub(crate) id: RequestId,
    /// What the call that ends it has to be.
    pub(crate) ends: (&'static str, Direction),
    pub(crate) address: usize,
    pub(crate) into: Parts,
    pub(crate) from: Parts,
    pub(crate) owned: Owned,
    pub(crate) representation: Representation,
    /// The function that has begun it.
    pub(crate) call: &'static str,
}

/// An open file.
pub(crate) struct File {
    /// The communicator of its group, which belongs to it alone.
    pub(crate) info: CommInfo,
    /// The mode as the program gave it.
    pub(crate) mode: i32,
    pub(crate) site: Site,
    pub(crate) handler: Cell<Handle>,
    /// Whether the program has chosen the error handler.
    pub(crate) chosen: Cell<bool>,
    pub(crate) hints: RefCell<Info>,
    pub(crate) seen: RefCell<Seen>,
    pub(crate) atomic: Cell<bool>,
    pub(crate) split: RefCell<Option<Split>>,
}

impl File {
    pub(crate) fn id(&self) -> FileId {
        FileId(self.info.id)
    }
}

impl State {
    /// Returns the file of a handle.
    pub(crate) fn file(&self, file: Handle) -> Mpi<Rc<File>> {
        let found = self.rare().files.borrow().get(file).cloned();
        found.ok_or_else(|| Fault::new(class::FILE, "the file is null or was closed"))
    }
}
