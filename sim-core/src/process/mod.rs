//! Processes: each is one coroutine with a port through which it calls the kernel.
#![allow(unsafe_code, reason = "a call and its reply stay on the stack of the suspended process")]

mod caller;
mod end;
mod entropy;
mod growth;
mod guest;
mod handler;
mod mailbox;
mod registers;
mod running;
mod script;
mod stack;
mod stop;
mod stretch;
mod table;
mod trap;

use std::{cell::Cell, mem::MaybeUninit, ptr::NonNull, rc::Rc};

use corosensei::{Coroutine, Yielder, stack::Stack};

pub(crate) use self::caller::suspended_state;
pub use self::caller::with_caller_state;
pub use self::growth::{GROWTH_SIGNAL, limit_growth};
pub use self::mailbox::Pending;
pub use self::running::running_process;
pub(crate) use self::script::Foresight;
pub use self::script::Script;
pub use self::stack::on_exhausted;
pub use self::stop::{after, stop_at};
pub use self::stretch::{
    ExamineHook, StretchHook, examine_long_stretches, examine_sooner, tell_long_stretches,
    watch_long_stretches,
};
pub(crate) use self::table::{Processes, Step};
pub use self::trap::{Strike, StrikeHook, ask_when_struck, on_fault, signal_cause, signal_name};
use self::{
    end::{End, caught},
    running::Running,
    stack::SlotStack,
};
pub(crate) use self::{
    guest::guarded,
    mailbox::{Mailboxes, Watched},
};
use crate::{id::ProcessId, time::SimTime};

/// A call and the place of its reply, both on the stack of the process that waits.
///
/// The kernel owns the call as soon as the process is suspended, and reads it in place.
struct Exchange<C, R> {
    call: NonNull<C>,
    reply: NonNull<Cell<Option<R>>>,
}

type Suspended<C, R> = NonNull<Exchange<C, R>>;

/// The handle through which a process calls the kernel. Cheap to clone; usable only inside its own
/// process.
pub struct Port<C, R> {
    inner: Rc<Inner<C, R>>,
}

struct Inner<C, R> {
    process: ProcessId,
    /// `None` after the process has ended.
    yielder: Cell<Option<NonNull<Yielder<(), Suspended<C, R>>>>>,
    running: Rc<Running>,
}

impl<C, R> Clone for Port<C, R> {
    fn clone(&self) -> Self {
        Self { inner: Rc::clone(&self.inner) }
    }
}

impl<C, R> Port<C, R> {
    /// Passes a call to the kernel, suspends the process and returns the reply. Returns `None` only
    /// while the process is being unwound, when nothing can be suspended.
    ///
    /// # Panics
    /// Panics if the port is used outside its own process.
    #[inline(always)]
    pub fn call(&self, call: C) -> Option<R> {
        self.call_with(|| call)
    }

    /// Like [`Port::call`], with a call that is made where it waits: a value that is passed on is
    /// copied.
    #[inline(always)]
    pub fn call_with(&self, make: impl FnOnce() -> C) -> Option<R> {
        let reply = Cell::new(None);
        self.call_into(&reply, make);
        reply.into_inner()
    }

    /// Like [`Port::call_with`], with a place for the reply: a value that is returned is copied. The
    /// place is empty before, and also afterwards while the process is being unwound. (A reply that is
    /// there already is never dropped.)
    ///
    /// # Panics
    /// Panics if the port is used outside its own process.
    #[inline(always)]
    pub fn call_into(&self, reply: &Cell<Option<R>>, make: impl FnOnce() -> C) {
        if cfg!(debug_assertions) {
            assert!(reply.take().is_none(), "the place of a reply is empty");
        }
        let running = &self.inner.running;
        if running.unwinding.get() && std::thread::panicking() {
            return;
        }
        let mine = running.process.get() == Some(self.inner.process);
        assert!(mine, "a communicator is used outside the rank it belongs to");
        let yielder = self.inner.yielder.get().expect("a running process has its yielder");
        // A variable of its own, not a field of `Exchange`, into which the compiler would copy it: 30
        // instructions.
        let mut call = MaybeUninit::new(make());
        let exchange =
            Exchange { call: NonNull::from(&mut call).cast::<C>(), reply: NonNull::from(reply) };
        // SAFETY: the yielder lives on the stack of this process's coroutine for as long as its
        // body runs; we are inside that body now, as was just checked, and `Guard` clears the
        // pointer when the body ends or unwinds.
        let yielder = unsafe { yielder.as_ref() };
        yielder.suspend(NonNull::from(&exchange));
    }

    /// Executes `work` on the stack of the engine and returns its value: for large frames that would
    /// take memory of the process's stack for good. The stack is that of the thread, so a debugger shows
    /// `work` above the engine. Neither `work` nor anything it calls can use a port of this process.
    ///
    /// # Panics
    /// Panics if the port is used outside its own process.
    pub fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        struct Here<F>(F);
        // SAFETY: `work` stays on this thread. The bound keeps it from suspending the process while it
        // is on the engine's stack, and so does the port, which has no yielder meanwhile.
        unsafe impl<F> Send for Here<F> {}
        impl<F: FnOnce() -> T, T> Here<F> {
            fn call(self) -> T {
                (self.0)()
            }
        }

        struct Restore<'a, T: Copy>(&'a Cell<Option<T>>, T);
        impl<T: Copy> Drop for Restore<'_, T> {
            fn drop(&mut self) {
                self.0.set(Some(self.1));
            }
        }

        assert!(self.is_current(), "a communicator is used outside the rank it belongs to");
        let yielder = self.inner.yielder.take().expect("a running process has its yielder");
        let _restore = Restore(&self.inner.yielder, yielder);
        let work = Here(work);
        trap::restore_link(&self.inner.running);
        // SAFETY: as in `call_with`.
        unsafe { yielder.as_ref() }.on_parent_stack(move || work.call())
    }

    /// Declares that the process, which runs now, will not continue after its next call: its frames
    /// are never unwound, and what they own leaks.
    pub fn abandon(&self) {
        self.inner.running.abandoned.borrow_mut().insert(self.inner.process);
    }

    /// Reports whether this is the port of the process that runs now.
    #[inline]
    pub fn is_current(&self) -> bool {
        self.inner.running.process.get() == Some(self.inner.process)
    }

    /// Returns the simulated time at which the process runs. Not a call: nothing is suspended.
    pub fn now(&self) -> SimTime {
        self.inner.running.now.get()
    }

    /// Returns the number of the process.
    pub fn process(&self) -> ProcessId {
        self.inner.process
    }
}

struct Guard<C, R>(Rc<Inner<C, R>>);

impl<C, R> Drop for Guard<C, R> {
    fn drop(&mut self) {
        self.0.yielder.set(None);
    }
}

/// The function that a process runs.
pub(crate) type Body<C, R> = Rc<dyn Fn(Port<C, R>)>;

/// A process that has begun and not ended.
struct Process<C, R> {
    coroutine: Coroutine<(), Suspended<C, R>, End, SlotStack>,
    /// Lowest address of the process's stack, guard included, and its end.
    bottom: usize,
    top: usize,
}

impl<C: 'static, R: 'static> Process<C, R> {
    fn new(id: ProcessId, running: Rc<Running>, stack: SlotStack, body: Body<C, R>) -> Self {
        let (bottom, top) = (stack.limit().get(), stack.base().get());
        let coroutine = Coroutine::with_stack(stack, move |yielder: &Yielder<_, _>, ()| {
            trap::keep_link(&running);
            let inner =
                Rc::new(Inner { process: id, yielder: Cell::new(Some(yielder.into())), running });
            let _guard = Guard(Rc::clone(&inner));
            // Panics are caught here and not where the process is resumed: that way it is set up
            // once per process instead of once per step.
            caught(move || body(Port { inner }))
        });
        Self { coroutine, bottom, top }
    }
}

/// A call that its process has just made and is suspended in.
pub(crate) struct Called<C>(NonNull<C>);

impl<C> Called<C> {
    fn of<R>(exchange: Suspended<C, R>) -> Self {
        // SAFETY: the process is suspended in the call that holds it.
        Self(unsafe { exchange.as_ref() }.call)
    }

    /// Borrows the call without taking it.
    pub(crate) fn peek(&self) -> &C {
        // SAFETY: the process is suspended in this call, and only `pending` gives the call away.
        unsafe { self.0.as_ref() }
    }

    /// Passes the call on to the kernel.
    #[inline]
    pub(crate) fn pending<'a>(self) -> Pending<'a, C> {
        // SAFETY: the process is suspended in this call until the kernel has replied and returned,
        // and `self` is made once for it.
        unsafe { Pending::new(self.0) }
    }
}
