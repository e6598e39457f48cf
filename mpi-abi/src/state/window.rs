//! Windows, as one rank knows them (MPI chapter 12).

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, VecDeque},
    ffi::c_int,
};

use mpi_api::{
    call::{CommInfo, Flavor, MemoryId, Payload, RequestId, Site, WindowId},
    object::info::Info,
};

use super::{asserted::Asserted, object::Attribute};
use crate::{
    constant::Handle,
    function::{owned::Owned, window::buffers::Buffers},
};

/// A window.
pub(crate) struct Window {
    /// The communicator of its group, which belongs to it alone.
    pub(crate) info: CommInfo,
    pub(crate) flavor: Flavor,
    /// The number of the rank's memory.
    pub(crate) memory: MemoryId,
    /// The address of the first byte.
    pub(crate) base: usize,
    /// Memory attached to a dynamic window: address and size in bytes.
    pub(crate) attached: RefCell<BTreeMap<usize, usize>>,
    /// What `MPI_WIN_SIZE` points to.
    pub(crate) size: i64,
    /// What `MPI_WIN_DISP_UNIT` points to.
    pub(crate) unit: c_int,
    /// What `MPI_WIN_CREATE_FLAVOR` points to.
    pub(crate) flavor_number: c_int,
    /// What `MPI_WIN_MODEL` points to.
    pub(crate) model: c_int,
    pub(crate) site: Site,
    pub(crate) handler: Cell<Handle>,
    pub(crate) name: RefCell<String>,
    pub(crate) attributes: RefCell<BTreeMap<i32, Attribute>>,
    pub(crate) hints: RefCell<Info>,
    /// What the hints assert about its use.
    pub(crate) asserted: Asserted,
    /// Accesses that no synchronisation has completed.
    pub(crate) pending: RefCell<Vec<PendingAccess>>,
    /// Accesses with requests that no synchronisation has completed; the program may have waited for some.
    pub(crate) requested: RefCell<Vec<RequestedAccess>>,
    /// Results of accesses that are not stored yet.
    pub(crate) results: RefCell<Results>,
    /// The number of the next access.
    pub(crate) tickets: Cell<u32>,
}

/// An access that no synchronisation has completed, with the memory of the origin that it owns.
pub(crate) struct PendingAccess {
    /// The target's rank in the window.
    pub(crate) target: u32,
    pub(crate) ticket: u32,
    pub(crate) buffers: Buffers,
    pub(crate) owned: Owned,
}

/// Results of accesses, in the order of their tickets, which may wrap around. Other threads may have taken them for
/// those who store them.
#[derive(Default)]
pub(crate) struct Results(VecDeque<(u32, Payload)>);

impl Results {
    /// Adds results, in any order.
    pub(crate) fn add(&mut self, list: Vec<(u32, Payload)>) {
        let is_single = self.0.is_empty() && list.len() < 2;
        self.0.extend(list);
        if !is_single {
            let all = self.0.make_contiguous();
            all.sort_by(|(one, _), (other, _)| (one.wrapping_sub(*other) as i32).cmp(&0));
        }
    }

    /// Reports whether the result of an access is there.
    pub(crate) fn has(&self, ticket: u32) -> bool {
        self.place(ticket).is_some()
    }

    /// Takes the result of an access.
    pub(crate) fn take(&mut self, ticket: u32) -> Option<Payload> {
        self.0.remove(self.place(ticket)?).map(|(_, payload)| payload)
    }

    fn place(&self, ticket: u32) -> Option<usize> {
        // They are usually taken in this order.
        if self.0.front()?.0 == ticket {
            return Some(0);
        }
        self.0.binary_search_by(|(known, _)| (known.wrapping_sub(ticket) as i32).cmp(&0)).ok()
    }
}

/// An access with a request.
pub(crate) struct RequestedAccess {
    /// The target's rank in the window.
    pub(crate) target: u32,
    pub(crate) ticket: u32,
    pub(crate) request: Handle,
    pub(crate) id: RequestId,
}

impl Window {
    /// Returns the number of the next access, and counts it.
    #[inline]
    pub(crate) fn next_ticket(&self) -> u32 {
        self.tickets.replace(self.tickets.get().wrapping_add(1))
    }

    /// Numbers accesses from 0 again if none is open: a loop that only waits is then in the same state again and again. Another
    /// thread of the rank may have a number already and not have started its access.
    pub(crate) fn count_again(&self) {
        let is_idle = self.pending.borrow().is_empty()
            && self.requested.borrow().is_empty()
            && self.results.borrow().0.is_empty();
        if is_idle {
            self.tickets.set(0);
        }
    }

    /// Returns the identifier by which the kernel knows it.
    pub(crate) fn id(&self) -> WindowId {
        WindowId(self.info.id)
    }

    /// Returns the memory that the rank provides: addresses of the first byte and the end.
    pub(crate) fn memory(&self) -> Vec<(usize, usize)> {
        if self.flavor == Flavor::Dynamic {
            let attached = self.attached.borrow();
            return attached.iter().map(|(first, bytes)| (*first, first + bytes)).collect();
        }
        vec![(self.base, self.base + self.size as usize)]
    }

    /// Reports whether the rank provides any byte from `first` to `end`.
    pub(crate) fn provides(&self, first: i64, end: i64) -> bool {
        let meets = |low: usize, bytes: usize| first < (low + bytes) as i64 && end > low as i64;
        match self.flavor {
            Flavor::Dynamic => {
                let attached = self.attached.borrow();
                attached.iter().any(|(low, bytes)| meets(*low, *bytes))
            }
            Flavor::Create | Flavor::Allocate | Flavor::Shared => {
                meets(self.base, self.size as usize)
            }
        }
    }

    /// Returns the number of its ranks.
    pub(crate) fn size(&self) -> u32 {
        self.info.group.size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_found_by_ticket_also_where_tickets_wrap_around() {
        let one = |ticket: u32| (ticket, Payload::from_slice(&ticket.to_le_bytes()));
        let mut results = Results::default();
        assert!(!results.has(0) && results.take(0).is_none());
        results.add(vec![one(1), one(u32::MAX), one(0)]);
        results.add(vec![one(u32::MAX - 1)]);
        assert!(results.has(u32::MAX) && !results.has(2));
        for ticket in [0, u32::MAX - 1, 1, u32::MAX] {
            let taken = results.take(ticket).expect("it was added");
            assert_eq!(taken.as_slice(), ticket.to_le_bytes());
            assert!(!results.has(ticket));
        }
    }
}
