//! Communicators, datatypes and files by handle.

use std::{cell::RefCell, ops::RangeInclusive, rc::Rc};

use mpi_api::{
    call::{BufferCall, CommId, CommInfo, Site},
    finding::CallPlace,
    object::{datatype::Datatype, info::Info},
};

use super::{
    fault::{Fault, Mpi},
    file::File,
    last_comm::{LastComm, Peers},
    object::{Comm, Heritage, Type},
    rank::State,
    source::Source,
    table::Table,
};
use crate::constant::{Handle, class, handle};

/// What `MPI_COMM_WORLD` and `MPI_COMM_SELF` are in the header of MPICH.
const OF_MPICH: RangeInclusive<Handle> = 0x4400_0000..=0x4400_0001;

impl State {
    /// Returns what a message needs to know of the communicator of a handle.
    // One comparison instead of a search of 24 instructions and the count of the table's borrows.
    #[inline(always)]
    pub(crate) fn peers(&self, comm: Handle) -> Option<Peers> {
        if self.last_comm.get().handle != comm {
            self.remember(comm)?;
        }
        Some(self.last_comm.get().peers)
    }

    /// Like [`State::peers`], with the own rank, of an intracommunicator.
    #[inline(always)]
    pub(crate) fn own_group(&self, comm: Handle) -> Option<(Peers, u32)> {
        let peers = self.peers(comm)?;
        Some((peers, self.last_comm.get().rank?))
    }

    /// Makes this the communicator that is found without a search, unless its uses are compared with assertions.
    #[inline(never)]
    fn remember(&self, comm: Handle) -> Option<()> {
        let comms = self.comms.borrow();
        let found = comms.get(comm)?;
        if !found.asserted.is_empty() {
            // The general path compares each use with what was asserted.
            self.last_comm.set(LastComm::NONE);
            return None;
        }
        self.last_comm.set(LastComm::of(comm, &found.info, found.peers()));
        Some(())
    }

    /// Takes over what the program asserts about the use of a communicator.
    pub(crate) fn learn_of_comm(&self, site: Site, comm: &Comm, given: &Info) {
        comm.asserted.learn(given, CallPlace::at(site, "MPI_Comm_set_info"));
        self.asserts.set(self.asserts.get() || !comm.asserted.is_empty());
        self.last_comm.set(LastComm::NONE);
    }

    /// Removes a communicator that the program has made from the table.
    pub(crate) fn remove_comm(&self, comm: Handle) {
        self.comms.borrow_mut().remove(comm);
        // The world is never removed.
        self.remember(handle::COMM_WORLD);
    }

    /// Returns the communicator of a handle.
    pub(crate) fn comm(&self, comm: Handle) -> Mpi<Rc<Comm>> {
        self.known_comm(comm).ok_or_else(|| self.no_comm(comm))
    }

    /// Returns the communicator of a handle, if it is still there.
    pub(crate) fn known_comm(&self, comm: Handle) -> Option<Rc<Comm>> {
        self.comms.borrow().get(comm).cloned()
    }

    #[cold]
    fn no_comm(&self, given: Handle) -> Fault {
        let mut text = "the communicator is null or was freed".to_string();
        if OF_MPICH.contains(&given) {
            text += "; the handle is one of MPICH: compile all sources by `windtunnel cc`, with its mpi.h";
        }
        if self.requests.borrow().iter().any(|request| request.duplicates()) {
            text +=
                "; that of MPI_Comm_idup is there when the request is complete (MPI 5.0, 7.4.2)";
        }
        Fault::new(class::COMM, text)
    }

    /// Returns the handle of a communicator that the kernel names, unless the program has freed it.
    pub(crate) fn handle_of_comm(&self, id: CommId) -> Option<Handle> {
        self.comms.borrow().find(|comm| comm.info.id == id)
    }

    /// Returns the intracommunicator of a handle.
    pub(crate) fn intra(&self, comm: Handle) -> Mpi<Rc<Comm>> {
        let comm = self.comm(comm)?;
        if comm.info.remote.is_some() {
            return Err(Fault::new(class::COMM, "an intercommunicator is not allowed here"));
        }
        Ok(comm)
    }

    pub(crate) fn add_comm(&self, site: Site, info: CommInfo, heritage: Heritage) -> Mpi<Handle> {
        let comm = Comm::new(info, "");
        comm.handler.set(heritage.handler);
        comm.attributes.replace(heritage.attributes);
        comm.topology.replace(heritage.topology);
        comm.asserted.learn(&heritage.hints, CallPlace::at(site, "MPI_Comm_dup_with_info"));
        self.asserts.set(self.asserts.get() || !comm.asserted.is_empty());
        comm.hints.replace(heritage.hints);
        let made = self.comms.borrow_mut().insert(Rc::new(comm));
        self.derive(site, made, heritage.source)?;
        Ok(made)
    }

    /// Records what a new communicator is derived from.
    pub(crate) fn derive(&self, site: Site, comm: Handle, source: Source) -> Mpi {
        let Some(session) = source.session() else { return Ok(()) };
        let comm = self.comm(comm)?;
        comm.source.set(source);
        self.kernel(site, BufferCall::JoinSession(comm.info.id, session)).map(|_| ())
    }

    /// Returns the datatype of a handle, whether committed or not.
    pub(crate) fn any_type(&self, datatype: Handle) -> Mpi<Rc<Type>> {
        if datatype < handle::FIRST {
            return self.predefined_type(datatype);
        }
        let found = self.types.borrow().get(datatype).cloned();
        found.ok_or_else(|| Fault::new(class::TYPE, "the datatype is null or was freed"))
    }

    fn predefined_type(&self, datatype: Handle) -> Mpi<Rc<Type>> {
        let is = |(known, _): &&(Handle, Rc<Type>)| *known == datatype;
        if let Some((_, known)) = self.predefined.borrow().iter().find(is) {
            return Ok(Rc::clone(known));
        }
        let made = Type::predefined(datatype)
            .ok_or_else(|| Fault::new(class::TYPE, "the datatype is null"))?;
        let made = Rc::new(made);
        self.predefined.borrow_mut().push((datatype, Rc::clone(&made)));
        Ok(made)
    }

    /// Returns the datatype of a handle, if it can be used in communication.
    pub(crate) fn datatype(&self, datatype: Handle) -> Mpi<Datatype> {
        let found = self.any_type(datatype)?;
        if !found.committed.get() {
            return Err(Fault::new(class::TYPE, "the datatype was not committed"));
        }
        Ok(found.datatype.clone())
    }
}

impl State {
    /// Returns the open files.
    pub(crate) fn files(&self) -> &RefCell<Table<Rc<File>>> {
        self.files.get_or_init(|| Box::new(RefCell::new(Table::new(handle::FIRST))))
    }

    /// Returns the file of a handle.
    pub(crate) fn file(&self, file: Handle) -> Mpi<Rc<File>> {
        let found = self.files().borrow().get(file).cloned();
        found.ok_or_else(|| Fault::new(class::FILE, "the file is null or was closed"))
    }
}
