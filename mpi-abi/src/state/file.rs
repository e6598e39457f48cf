//! Open files, as one rank knows them (MPI chapter 14).

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use mpi_api::{
    call::{CommInfo, FileId, FileMeeting, RequestId, Site},
    object::info::Info,
};

use super::{
    fault::{Fault, Mpi},
    object::Type,
    representation::Representation,
};
use crate::{
    constant::{Handle, class, number},
    function::{owned::Owned, transfer::Parts},
};

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
    /// The meeting in which it has begun; the call that ends it is of the same kind.
    pub(crate) what: FileMeeting,
    /// The function that ends it.
    pub(crate) end: &'static str,
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

    /// Reports whether the file is open for sequential access (`MPI_MODE_SEQUENTIAL`).
    pub(crate) fn is_sequential(&self) -> bool {
        self.mode & number::MODE_SEQUENTIAL != 0
    }

    /// Checks that no split access is under way.
    pub(crate) fn no_split(&self) -> Mpi {
        match &*self.split.borrow() {
            None => Ok(()),
            Some(split) => {
                let text = format!("{} has begun and not ended", split.call);
                Err(Fault::new(class::REQUEST, text))
            }
        }
    }
}
