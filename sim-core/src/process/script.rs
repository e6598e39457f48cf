//! Processes without a stack: state machines that make calls.
#![allow(unsafe_code, reason = "a call and its reply stay in the slot of the script")]

use std::{cell::Cell, mem::MaybeUninit, ptr::NonNull};

use super::{Called, mailbox::Mailboxes};
use crate::{
    id::ProcessId,
    prefetch::{lines, prefetch},
    time::SimTime,
};

/// A process that needs no stack, because what it does next is a function of its state and of the
/// replies so far: a recorded program, a generator of traffic.
pub trait Script<C, R> {
    /// Returns the next call, or `None` to end the process. `reply` is the reply to the last call;
    /// `None` when the process begins.
    fn next(&mut self, now: SimTime, reply: Option<R>) -> Option<C>;

    /// Called when the script takes its next step soon and its own fields have been prefetched: an
    /// opportunity to [`prefetch`](crate::prefetch()) what they point to. The default does nothing.
    fn foresee(&self) {}
}

/// Cache lines of a script that are prefetched.
const SCRIPT: usize = 3;

/// The part of a script's memory that is prefetched.
#[derive(Clone, Copy)]
pub(crate) enum Foresight {
    /// The slots of its call and of the reply.
    Slots,
    /// Its own fields.
    Script,
    /// What these point to.
    Data,
}

/// A script that has not ended, with the slots of its present call and of the reply.
pub(super) struct Scripted<C, R> {
    script: Box<dyn Script<C, R>>,
    call: MaybeUninit<C>,
    reply: Cell<Option<R>>,
}

impl<C, R> Scripted<C, R> {
    pub(super) fn new(script: Box<dyn Script<C, R>>) -> Self {
        Self { script, call: MaybeUninit::uninit(), reply: Cell::new(None) }
    }

    /// Prefetches part of the memory that the next step needs. Each part is found through the one
    /// before.
    pub(super) fn foresee(&self, foresight: Foresight) {
        match foresight {
            Foresight::Slots => prefetch(self),
            Foresight::Script => lines::<SCRIPT>(std::ptr::from_ref(&*self.script).addr()),
            Foresight::Data => self.script.foresee(),
        }
    }

    /// Runs the script until its next call; `None` when it ends.
    ///
    /// # Safety
    /// This value is not moved, dropped or stepped again before the call was taken out of
    /// [`Called`] and a reply put into the mailbox, or neither happens any more.
    pub(super) unsafe fn step(
        &mut self,
        id: ProcessId,
        now: SimTime,
        mailboxes: &mut Mailboxes<R>,
    ) -> Option<Called<C>> {
        let call = self.script.next(now, self.reply.take())?;
        self.call.write(call);
        // SAFETY: the reply is in this value, which stays where it is by the caller's contract.
        unsafe { mailboxes.open(id, NonNull::from(&self.reply)) };
        Some(Called(NonNull::from(&mut self.call).cast()))
    }
}
