//! The untyped interface to the kernel: calls as data, for layers that provide their own MPI API.

use std::{cell::Cell, rc::Rc, sync::OnceLock};

use sim_core::{Port, SimTime};

use crate::{
    api::{self, topology::note_by_node},
    call::{Call, CommInfo, Operation, Reply, Site, ThreadBody, ThreadCall, Threading},
    settings::Environment,
    spawn::AddressSpace,
};

/// How a rank continues after the handlers of its expired timers have run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterTimer {
    /// It goes on waiting; its next timer expires at that time, if there is one.
    Waits(Option<SimTime>),
    /// Its program has ended in a function that a timer called: the call that it waits in returns.
    Ends,
}

/// A function that looks after the timers of a rank, given by its number in the run, that have
/// expired while the rank waits in an MPI call. It runs on a stack of its own.
pub type TimerHook = fn(u32) -> AfterTimer;

static ON_TIMER: OnceLock<TimerHook> = OnceLock::new();

/// Sets the function that runs when the time given by [`SetTimer`](crate::call::ClockCall::SetTimer) comes; only the first
/// one counts.
pub fn on_timer(hook: TimerHook) {
    ON_TIMER.get_or_init(|| hook);
}

/// Looks after the timers of a rank that waits.
pub(crate) fn timer_hook(rank: u32) -> AfterTimer {
    ON_TIMER.get().map_or(AfterTimer::Waits(None), |hook| hook(rank))
}

/// The handle of one thread of a rank, through which it makes calls.
pub struct Raw {
    port: Port<Call, Reply>,
    number: u32,
    world: CommInfo,
    parent: Option<CommInfo>,
    application: u32,
    node: u32,
    space: AddressSpace,
    environment: Rc<Environment>,
}

impl Raw {
    /// Returns the handle of the rank whose body runs. Like [`api::initialize`], it can be taken
    /// once.
    pub fn take() -> Option<Self> {
        let api::Entry { port, number, world, parent, application, node, space, environment } =
            api::entering()?;
        Some(Self { port, number, world, parent, application, node, space, environment })
    }

    /// Takes the handle of the rank whose body runs, and passes it to `work`. This function is executed
    /// on the stack of the engine and can make no calls: see [`Port::aside`].
    pub fn take_aside<T>(work: impl FnOnce(Self) -> T) -> Option<T> {
        let port = api::entering_port()?;
        port.aside(|| Self::take().map(work))
    }

    /// Returns the number of this rank in the run: its rank in the world, except for ranks started
    /// during the run. Groups hold these numbers.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Returns the intercommunicator with the parents, if this rank was started during the run.
    /// Such a rank initializes with [`Initialize`](crate::call::ProcessCall::Initialize).
    pub fn parent(&self) -> Option<&CommInfo> {
        self.parent.as_ref()
    }

    /// Returns `MPI_COMM_WORLD` of this rank.
    pub fn world(&self) -> &CommInfo {
        &self.world
    }

    /// Returns the number of the node that this rank is on.
    pub fn node(&self) -> u32 {
        self.node
    }

    /// Returns the number of the node that this rank is on, for a split of a communicator by node.
    pub fn node_of_split(&self) -> u32 {
        note_by_node();
        self.node
    }

    /// Returns the index of the command that this rank runs, for ranks started by
    /// `MPI_Comm_spawn_multiple`.
    pub fn application(&self) -> u32 {
        self.application
    }

    /// Returns the address space of this rank.
    pub fn address_space(&self) -> AddressSpace {
        self.space
    }

    /// Returns the settings of the run that programs can observe.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// Starts another thread of this rank, which gets a handle of its own, and returns its number.
    /// Returns `None` only while the rank is unwound.
    pub fn spawn(
        &self,
        site: Site,
        level: Threading,
        body: impl FnOnce(Self) + 'static,
    ) -> Option<u32> {
        match self.call(site, ThreadCall::Spawn(level, self.thread(body)))? {
            Reply::Object(thread) => Some(thread),
            _ => None,
        }
    }

    /// Returns the body of another thread of this rank, which gets a handle of its own. The thread
    /// may outlive MPI.
    pub fn thread(&self, body: impl FnOnce(Self) + 'static) -> ThreadBody {
        let (world, parent) = (self.world.clone(), self.parent.clone());
        let (number, application) = (self.number, self.application);
        let (node, space) = (self.node, self.space);
        let environment = Rc::clone(&self.environment);
        let body = move |port| {
            body(Self { port, number, world, parent, application, node, space, environment });
        };
        ThreadBody::new(true, body)
    }

    /// Reports whether the thread of this handle runs now.
    #[inline]
    pub fn is_current(&self) -> bool {
        self.port.is_current()
    }

    /// Returns the present simulated time without making a call; also works in a user's reduction
    /// function, which the kernel runs while the rank is suspended.
    pub fn now(&self) -> SimTime {
        self.port.now()
    }

    /// Makes a call and waits for its reply. Returns `None` only while the rank is unwound.
    #[inline(always)]
    pub fn call(&self, site: Site, operation: impl Into<Operation>) -> Option<Reply> {
        self.call_with(
            site,
            #[inline(always)]
            || operation,
        )
    }

    /// Like [`Raw::call`], with an operation that is made where it waits: a value that is passed on
    /// is copied.
    #[inline(always)]
    pub fn call_with<T: Into<Operation>>(
        &self,
        site: Site,
        make: impl FnOnce() -> T,
    ) -> Option<Reply> {
        self.port.call_with(
            #[inline(always)]
            || Call { site, operation: make().into() },
        )
    }

    /// Like [`Raw::call_with`], with a place for the reply: a value that is returned is copied. The place
    /// is empty before, and also afterwards if the run is over.
    #[inline(always)]
    pub fn call_into<T: Into<Operation>>(
        &self,
        site: &Site,
        reply: &Cell<Option<Reply>>,
        make: impl FnOnce() -> T,
    ) {
        self.port.call_into(
            reply,
            #[inline(always)]
            || Call { site: *site, operation: make().into() },
        );
    }
}
