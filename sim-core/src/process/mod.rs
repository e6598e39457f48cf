//! A process: one coroutine, and the port through which it calls the kernel.
#![allow(unsafe_code, reason = "a call and its reply stay on the stack of the suspended process")]

mod entropy;
mod guest;
mod mailbox;
mod running;
mod stack;
mod stop;
mod table;
mod trap;

use std::{
    cell::{Cell, UnsafeCell},
    mem::MaybeUninit,
    panic::{self, AssertUnwindSafe},
    ptr::NonNull,
    rc::Rc,
};

use corosensei::{Coroutine, Yielder, stack::Stack};

pub use self::mailbox::Pending;
pub use self::running::running_process;
pub use self::stop::{after, stop_at};
pub(crate) use self::table::{Processes, Step};
pub use self::trap::{Strike, StrikeHook, ask_when_struck, signal_cause, signal_name};
pub(crate) use self::{guest::guarded, mailbox::Mailboxes};
use self::{running::Running, stack::SlotStack, trap::Trap};
use crate::{kernel::ProcessId, time::SimTime};

/// A call and the reply to it, on the stack of the process that waits.
///
/// The kernel owns the call as soon as the process is suspended, and reads it where it lies.
struct Exchange<C, R> {
    call: UnsafeCell<MaybeUninit<C>>,
    reply: Cell<Option<R>>,
}

type Suspended<C, R> = NonNull<Exchange<C, R>>;

/// A process's way to the kernel. Cloned freely inside its process; useless outside.
pub struct Port<C, R> {
    inner: Rc<Inner<C, R>>,
}

struct Inner<C, R> {
    process: ProcessId,
    /// Empty after the process has ended.
    yielder: Cell<Option<NonNull<Yielder<(), Suspended<C, R>>>>>,
    running: Rc<Running>,
}

impl<C, R> Clone for Port<C, R> {
    fn clone(&self) -> Self {
        Self { inner: Rc::clone(&self.inner) }
    }
}

impl<C, R> Port<C, R> {
    /// Hands a call to the kernel and suspends until it replies. `None` only while the process
    /// is being unwound: then nothing is suspended.
    ///
    /// # Panics
    /// If the port is used outside its own process.
    #[inline(always)]
    pub fn call(&self, call: C) -> Option<R> {
        let running = &self.inner.running;
        if std::thread::panicking() && running.unwinding.get() {
            return None;
        }
        let mine = running.process.get() == Some(self.inner.process);
        assert!(mine, "a communicator is used outside the rank it belongs to");
        let yielder = self.inner.yielder.get().expect("a running process has its yielder");
        let exchange =
            Exchange { call: UnsafeCell::new(MaybeUninit::new(call)), reply: Cell::new(None) };
        // SAFETY: the yielder lives on the stack of this process's coroutine for as long as its
        // body runs; we are inside that body now, as was just checked, and `Guard` clears the
        // pointer when the body ends or unwinds.
        let yielder = unsafe { yielder.as_ref() };
        yielder.suspend(NonNull::from(&exchange));
        exchange.reply.into_inner()
    }

    /// Whether it is the port of the process that runs now.
    #[inline]
    pub fn is_current(&self) -> bool {
        self.inner.running.process.get() == Some(self.inner.process)
    }

    /// The time at which the process runs, read without a call: nothing is suspended.
    pub fn now(&self) -> SimTime {
        self.inner.running.now.get()
    }

    /// The process.
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

/// How a coroutine came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Returned,
    /// By a panic, or by being unwound.
    Unwound,
    Trapped(Trap),
}

/// Runs code that may panic.
fn caught(work: impl FnOnce()) -> End {
    match panic::catch_unwind(AssertUnwindSafe(work)) {
        Ok(()) => End::Returned,
        Err(payload) => {
            // A payload may panic when it is dropped; that one's payload stays.
            if let Err(second) = panic::catch_unwind(AssertUnwindSafe(|| drop(payload))) {
                std::mem::forget(second);
            }
            End::Unwound
        }
    }
}

/// The body of a process.
pub(crate) type Body<C, R> = Rc<dyn Fn(Port<C, R>)>;

/// A process that has begun and not ended.
struct Process<C, R> {
    coroutine: Coroutine<(), Suspended<C, R>, End, SlotStack>,
    /// Lowest address of its stack, guard included.
    bottom: usize,
}

impl<C: 'static, R: 'static> Process<C, R> {
    fn new(id: ProcessId, running: Rc<Running>, stack: SlotStack, body: Body<C, R>) -> Self {
        let bottom = stack.limit().get();
        let coroutine = Coroutine::with_stack(stack, move |yielder: &Yielder<_, _>, ()| {
            let inner =
                Rc::new(Inner { process: id, yielder: Cell::new(Some(yielder.into())), running });
            let _guard = Guard(Rc::clone(&inner));
            // Caught here, and not where the process is resumed: that is done once a process
            // instead of once a step.
            caught(move || body(Port { inner }))
        });
        Self { coroutine, bottom }
    }
}

/// A call that its process has just made and waits in.
pub(crate) struct Called<C>(NonNull<C>);

impl<C> Called<C> {
    fn of<R>(exchange: Suspended<C, R>) -> Self {
        // SAFETY: the process is suspended in the call that holds it.
        let call = unsafe { exchange.as_ref() }.call.get();
        Self(NonNull::new(call.cast()).expect("a place on a stack"))
    }

    /// A look at the call.
    pub(crate) fn peek(&self) -> &C {
        // SAFETY: the process is suspended in this call, and only `pending` gives the call away.
        unsafe { self.0.as_ref() }
    }

    /// The call itself, for its kernel.
    #[inline]
    pub(crate) fn pending<'a>(self) -> Pending<'a, C> {
        // SAFETY: the process is suspended in this call until the kernel has replied and returned,
        // and `self` is made once for it.
        unsafe { Pending::new(self.0) }
    }
}
