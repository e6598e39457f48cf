//! Reply slots on the stacks of waiting processes: each reply is written once and moved once.
#![allow(unsafe_code, reason = "writes to the stacks of suspended processes")]

use std::{
    cell::Cell,
    marker::PhantomData,
    ops::{Deref, DerefMut},
    ptr::{self, NonNull},
};

use crate::id::ProcessId;

/// The reply slot on the stack of a process that waits for its reply.
pub(super) type Place<R> = NonNull<Cell<Option<R>>>;

/// The reply slots of all processes. A slot is present from the suspension of its process until the
/// reply, so that a second reply to one call is detected.
pub(crate) struct Mailboxes<R> {
    places: Vec<Option<Place<R>>>,
}

impl<R> Mailboxes<R> {
    pub(crate) fn new() -> Self {
        Self { places: Vec::new() }
    }

    /// Adds a process that has not made a call yet and returns its number.
    pub(crate) fn add(&mut self) -> ProcessId {
        let process = ProcessId(self.places.len() as u32);
        self.places.push(None);
        process
    }

    /// Returns the number of processes.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Records the reply slot of a process that has just been suspended.
    ///
    /// # Safety
    /// The place stays valid until the process is resumed, and the process is not resumed before
    /// [`Mailboxes::put`] was called for it.
    #[inline]
    pub(super) unsafe fn open(&mut self, process: ProcessId, place: Place<R>) {
        self.places[process.0 as usize] = Some(place);
    }

    /// Makes the reply of a process in its slot.
    ///
    /// # Panics
    /// Panics if the process does not wait for a reply.
    #[inline(always)]
    pub(crate) fn put(&mut self, process: ProcessId, make: impl FnOnce() -> R) {
        let Some(place) = self.places[process.0 as usize].take() else {
            panic!("process {} is replied to twice", process.0)
        };
        // SAFETY: by the contract of `open`; nothing is there yet, so that nothing is dropped.
        unsafe { place.as_ref().as_ptr().write(Some(make())) };
    }

    /// Returns the address of the reply slot of a process; `None` if the process does not wait.
    pub(crate) fn reply_of(&self, process: ProcessId) -> Option<usize> {
        self.place(process).map(|place| place.as_ptr() as usize)
    }

    /// Returns the reply slot of a process that waits, to read the reply from later.
    pub(crate) fn watch(&self, process: ProcessId) -> Option<Watched<R>> {
        self.places[process.0 as usize].map(Watched)
    }

    /// Returns the reply slot of a process, for prefetching.
    pub(crate) fn place(&self, process: ProcessId) -> &Option<Place<R>> {
        &self.places[process.0 as usize]
    }
}

/// The reply slot of a process that was waiting.
pub(crate) struct Watched<R>(Place<R>);

impl<R> Watched<R> {
    /// Returns the reply, if there is one.
    ///
    /// # Safety
    /// The process has not been resumed since [`Mailboxes::watch`].
    pub(crate) unsafe fn reply(&self) -> Option<&R> {
        // SAFETY: the slot stays valid until the process is resumed, and is written by
        // `Mailboxes::put` alone, which does not run meanwhile.
        unsafe { (*self.0.as_ref().as_ptr()).as_ref() }
    }
}

/// A call whose process is suspended in it. The call lies on the stack of that process; whatever is
/// not moved out is dropped with this value.
pub struct Pending<'a, C> {
    call: NonNull<C>,
    suspended: PhantomData<&'a mut C>,
}

impl<C> Pending<'_, C> {
    /// # Safety
    /// The call is valid and owned by nobody else for as long as this value lives.
    #[inline]
    pub(super) unsafe fn new(call: NonNull<C>) -> Self {
        Self { call, suspended: PhantomData }
    }

    /// Forgets the call without dropping it. The caller must have moved out everything the call
    /// owned; anything left in it leaks.
    #[inline]
    pub fn forget(self) {
        std::mem::forget(self);
    }

    /// Moves the call off the stack of its process.
    #[inline]
    pub fn take(self) -> C {
        let call = self.call;
        std::mem::forget(self);
        // SAFETY: by the contract of `new`; it is not dropped any more.
        unsafe { call.read() }
    }
}

impl<C> Deref for Pending<'_, C> {
    type Target = C;

    #[inline]
    fn deref(&self) -> &C {
        // SAFETY: by the contract of `new`.
        unsafe { self.call.as_ref() }
    }
}

impl<C> DerefMut for Pending<'_, C> {
    #[inline]
    fn deref_mut(&mut self) -> &mut C {
        // SAFETY: by the contract of `new`.
        unsafe { self.call.as_mut() }
    }
}

impl<C> Drop for Pending<'_, C> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: by the contract of `new`; `take` forgets the value.
        unsafe { ptr::drop_in_place(self.call.as_ptr()) };
    }
}
