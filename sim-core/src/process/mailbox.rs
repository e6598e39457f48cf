//! Replies are written where their processes wait: each reply is written once and moved once.
#![allow(unsafe_code, reason = "writes to the stacks of suspended processes")]

use std::{
    cell::Cell,
    marker::PhantomData,
    ops::{Deref, DerefMut},
    ptr::{self, NonNull},
};

use crate::kernel::ProcessId;

/// The place of the reply on the stack of a process that waits for it.
pub(super) type Place<R> = NonNull<Cell<Option<R>>>;

/// The places of replies, by process. A place is there from the suspension of its process to the
/// reply, so that a second reply to one call is noticed.
pub(crate) struct Mailboxes<R> {
    places: Vec<Option<Place<R>>>,
}

impl<R> Mailboxes<R> {
    pub(crate) fn new() -> Self {
        Self { places: Vec::new() }
    }

    /// Adds a process that has not called yet; its number.
    pub(crate) fn add(&mut self) -> ProcessId {
        let process = ProcessId(self.places.len() as u32);
        self.places.push(None);
        process
    }

    /// Number of processes.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Notes where a process that has just been suspended waits for its reply.
    ///
    /// # Safety
    /// The place stays valid until the process is resumed, and the process is not resumed before
    /// [`Mailboxes::put`] was called for it.
    #[inline]
    pub(super) unsafe fn open(&mut self, process: ProcessId, place: Place<R>) {
        self.places[process.0 as usize] = Some(place);
    }

    /// Writes the reply of a process.
    ///
    /// # Panics
    /// If the process does not wait for one.
    #[inline]
    pub(crate) fn put(&mut self, process: ProcessId, reply: R) {
        let Some(place) = self.places[process.0 as usize].take() else {
            panic!("process {} is replied to twice", process.0)
        };
        // SAFETY: by the contract of `open`; nothing is there yet, so that nothing is dropped.
        unsafe { place.as_ref().as_ptr().write(Some(reply)) };
    }

    /// The address at which a process waits for its reply, if it does.
    pub(crate) fn reply_of(&self, process: ProcessId) -> Option<usize> {
        self.place(process).map(|place| place.as_ptr() as usize)
    }

    /// The place that a process waits for a reply at, for prefetching.
    pub(crate) fn place(&self, process: ProcessId) -> &Option<Place<R>> {
        &self.places[process.0 as usize]
    }
}

/// A call that its process has just made and waits in. It lies on the stack of the process; what is
/// not moved out of it is dropped with this value.
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

    /// Ends with the call, without dropping it: everything it owned was moved out. Otherwise what is
    /// left in it leaks.
    #[inline]
    pub fn forget(self) {
        std::mem::forget(self);
    }

    /// Moves the call out.
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
