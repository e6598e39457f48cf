//! Buffers of the buffered send mode as programs attach them (MPI section 3.6).

use mpi_api::call::{BufferOwner, CommId};

use super::{rank::State, rare::Given};
use crate::function::{guard::Memory, transfer::Part};

impl Given {
    /// Lets the program use the memory of the buffer again.
    pub(crate) fn give_back(&mut self, state: &State) {
        if let Some(owned) = self.owned.take() {
            let memory = Part::of_bytes(self.address, self.bytes);
            owned.release(state, Memory::written(&memory));
        }
    }
}

impl State {
    /// Reports whether a buffer is attached that begins at an address.
    pub(crate) fn is_attached(&self, address: usize) -> bool {
        let begins = |given: &Given| given.owned.is_some() && given.address == address;
        self.rare_if_any().is_some_and(|rare| rare.attached.borrow().iter().any(begins))
    }

    /// Lets the program use the buffer of a communicator again, which ceases to exist.
    pub(crate) fn give_back_buffer_of(&self, comm: CommId) {
        let Some(rare) = self.rare_if_any() else { return };
        let mut attached = rare.attached.borrow_mut();
        let of_comm = attached.iter_mut().filter(|given| given.owner == BufferOwner::Comm(comm));
        of_comm.for_each(|given| given.give_back(self));
    }
}
