//! The simulation and process that run on this thread, as seen by ports, the panic hook and the
//! signal handler.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
    panic,
    ptr::{self, NonNull},
    rc::Rc,
    sync::Once,
};

use corosensei::trap::CoroutineTrapHandler;

use super::end::End;
use crate::{id::ProcessId, time::SimTime};

/// Message and source location (file, line) of a panic.
pub(crate) type Report = (String, Option<(String, u32)>);

/// The running process of one simulation.
pub(crate) struct Running {
    pub(crate) process: Cell<Option<ProcessId>>,
    /// Number of times any process has been resumed: identifies the present stretch between two
    /// calls.
    pub(crate) stretch: Cell<u64>,
    /// Simulated time at which the process runs.
    pub(crate) now: Cell<SimTime>,
    /// True while the process panics or is unwound: nothing may be suspended then.
    pub(crate) unwinding: Cell<bool>,
    /// Lowest address of the process's stack, guard included.
    pub(crate) bottom: Cell<usize>,
    /// End of the process's stack.
    pub(crate) top: Cell<usize>,
    /// The word at the end of the running coroutine's stack through which it finds its caller: the same for all
    /// processes, which the engine resumes from one place.
    pub(crate) link: Cell<usize>,
    /// Where the engine goes on when the running coroutine is suspended, the same for all processes.
    pub(crate) back: Cell<usize>,
    /// The stretch in which a signal last ended a process.
    pub(crate) cut: Cell<u64>,
    pub(crate) trap: Cell<Option<CoroutineTrapHandler<End>>>,
    pub(crate) guard_bytes: usize,
    pub(crate) foreign: bool,
    pub(crate) report: Cell<Option<Report>>,
    /// Processes whose frames are left where they are when the simulation ends.
    pub(crate) abandoned: RefCell<BTreeSet<ProcessId>>,
}

impl Running {
    pub(crate) fn new(guard_bytes: usize, foreign: bool) -> Self {
        Self {
            process: Cell::new(None),
            stretch: Cell::new(0),
            now: Cell::new(SimTime::ZERO),
            unwinding: Cell::new(false),
            bottom: Cell::new(0),
            top: Cell::new(0),
            link: Cell::new(0),
            back: Cell::new(0),
            cut: Cell::new(0),
            trap: Cell::new(None),
            guard_bytes,
            foreign,
            report: Cell::new(None),
            abandoned: RefCell::default(),
        }
    }
}

thread_local! {
    static RUNNING: Cell<*const Running> = const { Cell::new(ptr::null()) };
}

/// Returns the simulation that runs on this thread, if there is one. Safe to call in a signal
/// handler.
pub(crate) fn running() -> Option<NonNull<Running>> {
    RUNNING.try_with(|running| NonNull::new(running.get().cast_mut())).ok().flatten()
}

/// Returns the process whose code runs on this thread, if there is one. Works in signal handlers,
/// and in handlers of `exit` after thread-local values were dropped.
#[allow(unsafe_code, reason = "reads the simulation that runs on this thread")]
pub fn running_process() -> Option<ProcessId> {
    // SAFETY: `Entered` keeps it alive while the pointer is set, on this thread alone.
    running().and_then(|running| unsafe { running.as_ref() }.process.get())
}

/// A guard that keeps a simulation registered as the one that runs on this thread.
pub(crate) struct Entered {
    _mine: Rc<Running>,
    previous: *const Running,
}

/// Registers a simulation as the one that runs on this thread, until the guard is dropped.
pub(crate) fn enter(mine: &Rc<Running>) -> Entered {
    install_hook();
    let previous = RUNNING.replace(Rc::as_ptr(mine));
    Entered { _mine: Rc::clone(mine), previous }
}

impl Drop for Entered {
    fn drop(&mut self) {
        RUNNING.set(self.previous);
    }
}

/// Installs a panic hook that keeps panics of processes off the terminal: they are results of the
/// run.
fn install_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !note(info) {
                previous(info);
            }
        }));
    });
}

/// Stores the report of a panic if a process runs; otherwise leaves the panic to the previous hook.
#[allow(unsafe_code, reason = "reads the simulation that runs on this thread")]
fn note(info: &panic::PanicHookInfo<'_>) -> bool {
    let Some(running) = running() else { return false };
    // SAFETY: `Entered` keeps it alive while the pointer is set, on this thread alone.
    let running = unsafe { running.as_ref() };
    if running.process.get().is_none() {
        return false;
    }
    running.unwinding.set(true);
    let payload = info.payload();
    let message = payload
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "the panic's value is not a string".into());
    let location = info.location().map(|place| (place.file().to_string(), place.line()));
    running.report.set(Some((message, location)));
    true
}
