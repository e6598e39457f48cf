//! A process: one coroutine, and the port through which it calls the kernel.
#![allow(unsafe_code, reason = "a call and its reply stay on the stack of the suspended process")]

mod entropy;
mod guest;
mod registers;
mod running;
mod stack;
mod stop;
mod stretch;
mod table;
mod trap;

use std::{
    cell::Cell,
    mem::MaybeUninit,
    panic::{self, AssertUnwindSafe},
    ptr::NonNull,
    rc::Rc,
};

use corosensei::{Coroutine, CoroutineResult, Yielder, stack::Stack};

pub(crate) use self::guest::guarded;
pub use self::running::running_process;
pub use self::stop::{after, stop_at};
pub use self::stretch::{StretchHook, tell_long_stretches};
pub(crate) use self::table::{Processes, Step};
pub use self::trap::{Strike, StrikeHook, ask_when_struck, signal_cause, signal_name};
use self::{running::Running, stack::SlotStack, trap::Trap};
use crate::{kernel::ProcessId, time::SimTime};

/// A call on its way out and the reply on its way in, on the stack of the process that waits.
///
/// The call is read exactly once, as soon as its process is suspended: calls are large, and this
/// way they are copied once.
struct Exchange<C, R> {
    call: MaybeUninit<C>,
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
    #[inline]
    pub fn call(&self, call: C) -> Option<R> {
        let running = &self.inner.running;
        if std::thread::panicking() && running.unwinding.get() {
            return None;
        }
        let mine = running.process.get() == Some(self.inner.process);
        assert!(mine, "a communicator is used outside the rank it belongs to");
        let yielder = self.inner.yielder.get().expect("a running process has its yielder");
        let exchange = Exchange { call: MaybeUninit::new(call), reply: Cell::new(None) };
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
    /// The call it waits in; none before it has made one.
    exchange: Option<Suspended<C, R>>,
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
        Self { coroutine, bottom, exchange: None }
    }

    /// Runs until the next call, or to the end.
    #[inline(always)]
    fn resume(&mut self, reply: Option<R>) -> CoroutineResult<Suspended<C, R>, End> {
        if let Some(exchange) = self.exchange {
            // SAFETY: the process is suspended in the call that holds it.
            unsafe { exchange.as_ref() }.reply.set(reply);
        }
        let result = self.coroutine.resume(());
        if let CoroutineResult::Yield(exchange) = result {
            self.exchange = Some(exchange);
        }
        result
    }
}

/// A call that its process has just made.
pub(crate) struct Called<C, R>(Suspended<C, R>);

impl<C, R> Called<C, R> {
    /// A look at the call.
    pub(crate) fn peek(&self) -> &C {
        // SAFETY: the process is suspended in this call, and only `take` moves the call away.
        unsafe { self.0.as_ref().call.assume_init_ref() }
    }

    /// The call itself.
    #[inline]
    pub(crate) fn take(self) -> C {
        // SAFETY: the process is suspended in this call, and `self` is made once for it.
        unsafe { self.0.as_ref().call.assume_init_read() }
    }
}
