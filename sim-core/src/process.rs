//! A process: one coroutine, and the port through which it calls the kernel.
#![allow(unsafe_code, reason = "a port keeps a pointer to its coroutine's yielder")]

use std::{
    cell::Cell,
    panic::{self, AssertUnwindSafe},
    ptr::NonNull,
    rc::Rc,
    sync::Once,
};

use corosensei::{Coroutine, CoroutineResult, Yielder, stack::DefaultStack};

use crate::{kernel::ProcessId, outcome::Crash};

/// A process's way to the kernel. Cloned freely inside its process; useless outside.
pub struct Port<C, R> {
    inner: Rc<Inner<C, R>>,
}

struct Inner<C, R> {
    process: ProcessId,
    /// Null before the process runs and after it has ended.
    yielder: Cell<Option<NonNull<Yielder<Option<R>, C>>>>,
    /// The process that runs now, shared by all ports of a simulation.
    running: Rc<Cell<Option<ProcessId>>>,
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
    pub fn call(&self, call: C) -> Option<R> {
        if std::thread::panicking() {
            return None;
        }
        let running = self.inner.running.get() == Some(self.inner.process);
        assert!(running, "a communicator is used outside the rank it belongs to");
        let yielder = self.inner.yielder.get().expect("a running process has its yielder");
        // SAFETY: the yielder lives on the stack of this process's coroutine for as long as its
        // body runs; `running` proves that we are inside that body now, and `Guard` clears the
        // pointer when the body ends or unwinds.
        let yielder = unsafe { yielder.as_ref() };
        yielder.suspend(call)
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

/// What a process did when it was resumed.
pub(crate) enum Step<C> {
    Called(C),
    Ended,
    Crashed(Crash),
}

/// The body of a process.
pub(crate) type Body<C, R> = Rc<dyn Fn(Port<C, R>)>;

/// One coroutine with its identity.
pub(crate) struct Process<C, R> {
    id: ProcessId,
    running: Rc<Cell<Option<ProcessId>>>,
    coroutine: Coroutine<Option<R>, C, (), DefaultStack>,
}

impl<C: 'static, R: 'static> Process<C, R> {
    pub(crate) fn new(
        id: ProcessId,
        running: Rc<Cell<Option<ProcessId>>>,
        stack: DefaultStack,
        body: Body<C, R>,
    ) -> Self {
        install_hook();
        let shared = Rc::clone(&running);
        let coroutine = Coroutine::with_stack(stack, move |yielder: &Yielder<Option<R>, C>, _| {
            let inner = Rc::new(Inner {
                process: id,
                yielder: Cell::new(Some(NonNull::from(yielder))),
                running: shared,
            });
            let _guard = Guard(Rc::clone(&inner));
            body(Port { inner });
        });
        Self { id, running, coroutine }
    }

    /// Runs until the next call or the end.
    pub(crate) fn resume(&mut self, reply: Option<R>) -> Step<C> {
        self.running.set(Some(self.id));
        INSIDE.set(true);
        let result = panic::catch_unwind(AssertUnwindSafe(|| self.coroutine.resume(reply)));
        INSIDE.set(false);
        self.running.set(None);
        match result {
            Ok(CoroutineResult::Yield(call)) => Step::Called(call),
            Ok(CoroutineResult::Return(())) => Step::Ended,
            Err(_) => {
                let (message, location) = CRASH.take().unwrap_or_default();
                Step::Crashed(Crash { process: self.id, message, location })
            }
        }
    }

    /// The stack of a process that has ended; unwinds it first if it has not.
    pub(crate) fn into_stack(mut self) -> DefaultStack {
        if !self.coroutine.done() {
            INSIDE.set(true);
            let unwound = panic::catch_unwind(AssertUnwindSafe(|| self.coroutine.force_unwind()));
            INSIDE.set(false);
            CRASH.take();
            drop(unwound);
        }
        self.coroutine.into_stack()
    }
}

type Report = (String, Option<(String, u32)>);

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
    static CRASH: Cell<Option<Report>> = const { Cell::new(None) };
}

/// Keeps panics of processes off the terminal: they are results.
fn install_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !INSIDE.get() {
                previous(info);
                return;
            }
            let payload = info.payload();
            let message = payload
                .downcast_ref::<&str>()
                .map(ToString::to_string)
                .or_else(|| payload.downcast_ref::<String>().cloned())
                .unwrap_or_default();
            let location = info.location().map(|place| (place.file().to_string(), place.line()));
            CRASH.set(Some((message, location)));
        }));
    });
}
