//! One-sided communication (MPI chapter 12).
//!
//! A window borrows its memory for the time of a closure, so that nothing else can use the memory
//! meanwhile; the rank itself reads and writes it through the window. Epochs are guards: an access is
//! possible only through one, and the buffers that it fills are borrowed until it ends.
//!
//! ```no_run
//! use mpi_api::api::{collective::SystemOperation, initialize, traits::*};
//!
//! let universe = initialize().expect("once");
//! let world = universe.world();
//! let mut counter = [0_i64];
//! world.with_window(&mut counter, |window| {
//!     let epoch = window.lock_all();
//!     let drawn = epoch.fetch_and_op(0, 0, 1, SystemOperation::sum());
//!     println!("rank {} draws number {drawn}", world.rank());
//! });
//! ```

mod epoch;

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use sim_core::words::out_of_range;

pub use self::epoch::{Epoch, LockEpoch};
use super::{
    PROC_NULL,
    datatype::{Equivalence, Packed, UncommittedDatatype, fill},
    topology::{Communicator, Rank, SimpleCommunicator},
};
use crate::{
    call::{
        Assertions, CommCall, Flavor, LockType, Reply, Runs, SameParts, Site, Use, WindowCall,
        WindowId, WindowPart,
    },
    error::{ErrorClass, MpiError},
    object::group::Group as Ranks,
    window_memory::{self, WindowMemory},
};

/// The packed elements of a window.
struct Elements(RefCell<Vec<u8>>);

impl WindowMemory for Elements {
    fn read(&self, at: i64, into: &mut [u8]) {
        // Without bytes the place may be anywhere.
        if !into.is_empty() {
            into.copy_from_slice(&self.0.borrow()[at as usize..][..into.len()]);
        }
    }

    fn write(&self, at: i64, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.0.borrow_mut()[at as usize..][..bytes.len()].copy_from_slice(bytes);
        }
    }
}

/// Memory of all ranks of a communicator that they access without each other's help. Positions count
/// elements.
pub struct Window<'w, T: Equivalence + Copy> {
    comm: SimpleCommunicator,
    memory: RefCell<&'w mut [T]>,
    elements: Rc<Elements>,
    tickets: Cell<u32>,
}

/// The windows of a communicator.
pub trait CommunicatorWindows: Communicator {
    /// Runs `body` with a window of which this rank provides `memory` (`MPI_Win_create` and
    /// `MPI_Win_free`): collective. The memory has what was written to it afterwards.
    ///
    /// # Errors
    /// Returns `None` if the window cannot be created and the error handler of the communicator returns
    /// errors.
    #[track_caller]
    fn with_window<T: Equivalence + Copy, R>(
        &self,
        memory: &mut [T],
        body: impl FnOnce(&Window<'_, T>) -> R,
    ) -> Option<R> {
        let site = Site::here();
        let window = Window::create(self.as_simple(), memory, site)?;
        let result = body(&window);
        window.free(site);
        Some(result)
    }
}

impl<C: Communicator + ?Sized> CommunicatorWindows for C {}

impl<'w, T: Equivalence + Copy> Window<'w, T> {
    fn create(parent: &SimpleCommunicator, memory: &'w mut [T], site: Site) -> Option<Self> {
        let context = parent.context.clone();
        let elements = Packed::of(&*memory).ok()?.bytes.as_slice().to_vec();
        let bytes = elements.len() as u64;
        let elements = Rc::new(Elements(RefCell::new(elements)));
        let comm = context.as_one((site, "MPI_Win_create", parent.info.id), || {
            let comm = parent.make(site, CommCall::Duplicate(parent.info.id))?;
            let part = WindowPart {
                flavor: Flavor::Create,
                memory: window_memory::register(Rc::clone(&elements) as Rc<dyn WindowMemory>),
                base: 0,
                bytes,
                unit: Self::element_bytes() as i64,
                same: SameParts::default(),
            };
            let id = WindowId(comm.info.id);
            parent.context.call(site, WindowCall::Create(id, Box::new(part)))?;
            Some(comm)
        })?;
        Some(Self { comm, memory: RefCell::new(memory), elements, tickets: Cell::new(0) })
    }

    /// Frees the window and writes the elements back.
    fn free(self, site: Site) {
        self.call(site, WindowCall::Free(self.id()));
        self.refresh();
    }

    /// Returns the size of a packed element.
    fn element_bytes() -> usize {
        (T::equivalent_datatype().kind().size() as usize).max(1)
    }

    fn id(&self) -> WindowId {
        WindowId(self.comm.info.id)
    }

    fn call(&self, site: Site, call: WindowCall) -> Option<Reply> {
        self.comm.context.call(site, call)
    }

    /// Returns a rank of the window; `None` for the null process.
    fn place_of(&self, rank: Rank) -> Result<Option<u32>, MpiError> {
        let size = self.size();
        match u32::try_from(rank) {
            Ok(place) if place < size => Ok(Some(place)),
            _ if rank == PROC_NULL => Ok(None),
            _ => {
                let text = out_of_range(format_args!("target rank {rank}"), size);
                Err(MpiError::new(ErrorClass::Rank, text))
            }
        }
    }

    /// Copies the present elements to the memory.
    fn refresh(&self) {
        let bytes = self.elements.0.borrow();
        fill(&mut **self.memory.borrow_mut(), &bytes);
    }

    /// Returns the elements of this rank, after others' writes have become visible (`MPI_Win_sync`): a rank may wait for such
    /// a write by calling this again and again.
    #[track_caller]
    pub fn local(&self) -> Vec<T> {
        self.call(Site::here(), WindowCall::Sync(self.id()));
        self.refresh();
        self.memory.borrow().to_vec()
    }

    /// Writes an element of this rank. A check compares that with the accesses of other ranks.
    ///
    /// # Panics
    /// If there is no such element.
    #[track_caller]
    pub fn set(&self, at: usize, value: T) {
        let count = self.memory.borrow().len();
        assert!(at < count, "{}", out_of_range(format_args!("element {at}"), count as u64));
        let packed = Packed::of(&[value][..]).map(|packed| packed.bytes);
        let size = Self::element_bytes();
        let place = at * size;
        if let Ok(bytes) = packed {
            self.elements.0.borrow_mut()[place..place + size].copy_from_slice(bytes.as_slice());
            let (owner, runs) = (self.comm.info.rank, Runs::One(0, size as u64));
            let (window, base) = (self.id(), place as i64);
            let touch = WindowCall::Touch { window, owner, base, runs, used: Use::Store };
            self.call(Site::here(), touch);
        }
    }

    /// Begins an epoch in which all ranks access each other's memory (`MPI_Win_fence`): collective, as
    /// is its end.
    #[track_caller]
    pub fn fence(&self) -> Epoch<'_, 'w, T> {
        let site = Site::here();
        self.call(site, WindowCall::Fence(self.id(), Assertions::default()));
        Epoch::new(self, WindowCall::Fence(self.id(), Assertions::default()))
    }

    /// Locks the memory of a rank, which nobody else accesses meanwhile (`MPI_Win_lock` with
    /// `MPI_LOCK_EXCLUSIVE`).
    #[track_caller]
    pub fn lock_exclusive(&self, target: Rank) -> LockEpoch<'_, 'w, T> {
        self.lock(Some(target as u32), LockType::Exclusive, Site::here())
    }

    /// Locks the memory of a rank, together with others (`MPI_Win_lock` with `MPI_LOCK_SHARED`).
    #[track_caller]
    pub fn lock_shared(&self, target: Rank) -> LockEpoch<'_, 'w, T> {
        self.lock(Some(target as u32), LockType::Shared, Site::here())
    }

    /// Locks the memory of all ranks, together with others (`MPI_Win_lock_all`).
    #[track_caller]
    pub fn lock_all(&self) -> LockEpoch<'_, 'w, T> {
        self.lock(None, LockType::Shared, Site::here())
    }

    fn lock(&self, target: Option<u32>, kind: LockType, site: Site) -> LockEpoch<'_, 'w, T> {
        let (window, assertions) = (self.id(), Assertions::default());
        self.call(site, WindowCall::Lock { window, target, kind, assertions });
        LockEpoch::new(Epoch::new(self, WindowCall::Unlock(window, target)))
    }

    /// Begins an epoch in which this rank accesses the memory of some ranks, which expose it
    /// (`MPI_Win_start`; its end is `MPI_Win_complete`).
    #[track_caller]
    pub fn start(&self, targets: &[Rank]) -> Epoch<'_, 'w, T> {
        let call = WindowCall::Start(self.id(), numbers(targets), Assertions::default());
        self.call(Site::here(), call);
        Epoch::new(self, WindowCall::Complete(self.id()))
    }

    /// Lets some ranks access the memory of this one until the value is dropped, which waits for them
    /// (`MPI_Win_post` and `MPI_Win_wait`). The value allows no access by itself.
    #[track_caller]
    pub fn expose(&self, origins: &[Rank]) -> Exposure<'_, 'w, T> {
        let call = WindowCall::Post(self.id(), numbers(origins), Assertions::default());
        self.call(Site::here(), call);
        Exposure { window: self }
    }

    /// Returns the group of the window.
    pub fn size(&self) -> u32 {
        Ranks::size(&self.comm.info.group)
    }
}

fn numbers(ranks: &[Rank]) -> Vec<u32> {
    ranks.iter().map(|rank| *rank as u32).collect()
}

/// An exposure epoch; see [`Window::expose`].
#[must_use = "the exposure ends when the value is dropped"]
pub struct Exposure<'e, 'w, T: Equivalence + Copy> {
    window: &'e Window<'w, T>,
}

impl<T: Equivalence + Copy> Drop for Exposure<'_, '_, T> {
    #[track_caller]
    fn drop(&mut self) {
        self.window.call(Site::here(), WindowCall::Wait(self.window.id()));
    }
}
