//! The context of a rank: its connection to the kernel, and the state that MPI keeps locally.

mod kept;

use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::BTreeMap,
    panic::{RefUnwindSafe, UnwindSafe},
    rc::Rc,
};

use sim_core::{Port, SimDuration, SimTime, with_caller_state};

use super::{
    clock::Clock,
    error::Functions,
    profile::Levels,
    topology::{Attributes, Lasting},
};
use crate::{
    call::{
        BufferCall, Call, ClockCall, CommCall, CommId, CommInfo, Operation, Reply, ReportCall,
        RequestCall, Site, ThreadCall, Threading, TypeCall,
    },
    check,
    error::{ErrorCodes, MpiError},
    object::info::Info,
    policy::Policy,
    settings::Environment,
    spawn::AddressSpace,
};

/// Builds calls to the kernel for one rank and keeps the state that MPI keeps locally: names,
/// hints, attributes, error handlers, the last error. Shared by all objects of the rank.
#[derive(Clone)]
pub(crate) struct Context(Rc<Shared>);

// Handles of MPI may be used in `catch_unwind`, as in rsmpi: no panic leaves this state half changed, since borrows
// end with the call that takes them.
impl UnwindSafe for Context {}
impl RefUnwindSafe for Context {}

struct Shared {
    port: Port<Call, Reply>,
    number: u32,
    world: CommInfo,
    parent: RefCell<Option<CommInfo>>,
    application: u32,
    node: u32,
    space: AddressSpace,
    environment: Rc<Environment>,
    last_error: RefCell<Option<MpiError>>,
    names: RefCell<BTreeMap<CommId, String>>,
    hints: RefCell<BTreeMap<CommId, Info>>,
    functions: Functions,
    codes: RefCell<ErrorCodes>,
    attached: Cell<Option<usize>>,
    /// Where the files that are open were opened.
    files: RefCell<BTreeMap<CommId, Site>>,
    level: Cell<Threading>,
    finalized: Cell<bool>,
    /// Whether the program's caller finalizes, so that the program may end without.
    finalized_for_it: Cell<bool>,
    /// Whether calls need special treatment: see [`Context::call_unusually`].
    unusual: Cell<bool>,
    attributes: RefCell<Attributes>,
    lasting: Lasting,
    clock: Clock,
    /// Ports of the rank's additional threads.
    threads: RefCell<Vec<Port<Call, Reply>>>,
    /// Profiling layers between the program and the kernel; created with the first one.
    levels: OnceCell<Box<Levels>>,
}

thread_local! {
    /// Whether ranks have run on this thread. It has no destructor, so that an allocator may read
    /// it.
    static HAS_RANKS: Cell<bool> = const { Cell::new(false) };

    static ENTERING: RefCell<Option<Entry>> = const { RefCell::new(None) };

    /// The running rank. Set whenever the kernel resumes a rank, so that functions without a
    /// communicator argument find it.
    static CURRENT: Cell<Option<Context>> = const { Cell::new(None) };
}

/// The data that a rank receives when its body starts.
pub(crate) struct Entry {
    pub(crate) port: Port<Call, Reply>,
    /// Number of the rank in the run.
    pub(crate) number: u32,
    pub(crate) world: CommInfo,
    /// Intercommunicator with the ranks that spawned it.
    pub(crate) parent: Option<CommInfo>,
    /// Index of its program among those started together.
    pub(crate) application: u32,
    pub(crate) node: u32,
    pub(crate) space: AddressSpace,
    pub(crate) environment: Rc<Environment>,
}

/// Prepares `initialize` for a rank whose body is about to start.
pub(crate) fn enter(entry: Entry) {
    HAS_RANKS.set(true);
    CURRENT.set(None);
    ENTERING.set(Some(entry));
}

/// Takes the data that [`enter`] left; `None` the second time.
pub(crate) fn entering() -> Option<Entry> {
    ENTERING.take()
}

/// Returns the port of the data that [`enter`] left.
pub(crate) fn entering_port() -> Option<Port<Call, Reply>> {
    ENTERING.with_borrow(|entry| entry.as_ref().map(|entry| entry.port.clone()))
}

/// Returns the environment of the running rank, before and after its `initialize`; `None` outside a
/// run.
pub(crate) fn surroundings() -> Option<Rc<Environment>> {
    let entering = ENTERING.with_borrow(|entry| {
        entry.as_ref().map(|entry| (entry.port.is_current(), Rc::clone(&entry.environment)))
    });
    let current = || {
        let context = Context::current()?;
        Some((context.is_running(), Rc::clone(&context.0.environment)))
    };
    let (_, environment) = entering.or_else(current).filter(|(runs, _)| *runs)?;
    Some(environment)
}

/// Returns the clock time of the rank on this thread, if there is one and its clocks are simulated.
/// May be called at any time, also by an allocator.
pub(super) fn reading() -> Option<SimTime> {
    if !HAS_RANKS.get() {
        return None;
    }
    with_caller_state(0, reading_in)
}

/// Like [`reading`], for a program in a state.
fn reading_in(state: u64) -> Option<SimTime> {
    let entering = ENTERING.try_with(|entry| {
        let entry = entry.try_borrow().ok()?;
        let entry = entry.as_ref().filter(|entry| entry.port.is_current())?;
        entry.environment.simulated_clocks.then(|| entry.port.now())
    });
    let current = || {
        CURRENT.try_with(|current| copied(current).filter(Context::is_running)?.read_clock(state))
    };
    entering.ok().flatten().or_else(|| current().ok().flatten())
}

/// Returns the context in a cell, which keeps it.
fn copied(current: &Cell<Option<Context>>) -> Option<Context> {
    let context = current.take();
    current.set(context.clone());
    context
}

/// Reports whether the running rank has taken the data that [`enter`] left.
pub(crate) fn has_entered() -> bool {
    ENTERING.with_borrow(Option::is_none)
}

impl Context {
    pub(crate) fn new(entry: Entry) -> Self {
        let Entry { port, number, world, parent, application, node, space, environment } = entry;
        let names = [(world.id, "MPI_COMM_WORLD"), (CommId::SELF, "MPI_COMM_SELF")];
        let context = Self(Rc::new(Shared {
            port,
            number,
            world,
            parent: RefCell::new(parent),
            application,
            node,
            space,
            environment,
            last_error: RefCell::default(),
            functions: Functions::default(),
            codes: RefCell::default(),
            hints: RefCell::default(),
            names: RefCell::new(names.map(|(id, name)| (id, name.to_owned())).into()),
            attached: Cell::new(None),
            files: RefCell::default(),
            level: Cell::new(Threading::Single),
            finalized: Cell::new(false),
            finalized_for_it: Cell::new(false),
            unusual: Cell::new(false),
            attributes: RefCell::default(),
            lasting: Lasting::default(),
            clock: Clock::default(),
            threads: RefCell::default(),
            levels: OnceCell::new(),
        }));
        CURRENT.set(Some(context.clone()));
        context
    }

    /// Returns the running rank, between its `initialize` and the end of its body.
    pub(crate) fn current() -> Option<Self> {
        CURRENT.with(copied)
    }

    /// Reports whether this rank's run deviates from the standard in this policy.
    pub(crate) fn follows(policy: Policy) -> bool {
        Self::current().is_some_and(|context| context.environment().policies.differs(policy))
    }

    /// Reports whether this rank's run simulates only the size of data of this many bytes.
    #[cold]
    pub(crate) fn leaves_out(bytes: u64) -> bool {
        let limit = Self::current().and_then(|context| context.environment().carried);
        limit.is_some_and(|limit| bytes > limit)
    }

    /// Makes a call. Returns `None` while the rank is unwound, and if the call failed under
    /// `MPI_ERRORS_RETURN`.
    #[inline]
    pub(crate) fn call(&self, site: Site, operation: impl Into<Operation>) -> Option<Reply> {
        self.call_with(
            site,
            #[inline(always)]
            || operation,
        )
    }

    /// Like [`Context::call`], with an operation that is made where it waits: a value that is passed on
    /// is copied.
    #[inline(always)]
    pub(crate) fn call_with<T: Into<Operation>>(
        &self,
        site: Site,
        make: impl FnOnce() -> T,
    ) -> Option<Reply> {
        if self.0.unusual.get() {
            return self.call_unusually(site, make().into());
        }
        let mut reply = self.0.port.call_with(
            #[inline(always)]
            || Call { site, operation: make().into() },
        );
        self.answered(&mut reply);
        reply
    }

    /// Makes a call of a rank that has several threads or profiling layers, has finalized, or owes
    /// time for clock readings.
    #[cold]
    fn call_unusually(&self, site: Site, operation: Operation) -> Option<Reply> {
        let owed = self.0.clock.owed();
        if owed > SimDuration::default() {
            self.call_below(site, ClockCall::Compute(owed).into());
        }
        let operation =
            if self.0.finalized.get() { self.too_late(site, operation)? } else { operation };
        let mut reply = match self.0.levels.get() {
            // Layers belong to the program and must not run while it is unwound.
            Some(levels) if !std::thread::panicking() => levels.call(self, site, operation),
            _ => self.call_below(site, operation),
        };
        self.answered(&mut reply);
        reply
    }

    /// Runs one MPI function that makes several calls: layers see it as a whole, with the error it
    /// left, and not its inner calls.
    pub(crate) fn as_one<T>(
        &self,
        (site, function, comm): (Site, &'static str, CommId),
        body: impl FnOnce() -> T,
    ) -> T {
        let Some(levels) = self.levels().filter(|_| !std::thread::panicking()) else {
            return body();
        };
        levels.call_as_one(self, (site, function, comm), || {
            let before = self.take_error();
            let done = body();
            let error = self.0.last_error.borrow().clone();
            if error.is_none() {
                self.0.last_error.replace(before);
            }
            (done, error)
        })
    }

    /// Makes a call that has passed all layers.
    pub(super) fn call_below(&self, site: Site, operation: Operation) -> Option<Reply> {
        self.port().call(Call { site, operation })
    }

    /// Returns the port of the running thread.
    pub(super) fn port(&self) -> Port<Call, Reply> {
        if self.0.port.is_current() { self.0.port.clone() } else { self.port_of_thread() }
    }

    /// Returns the profiling layers, if there have ever been any.
    pub(super) fn levels(&self) -> Option<&Levels> {
        self.0.levels.get().map(Box::as_ref)
    }

    /// Returns the profiling layers, to add one.
    pub(super) fn grow_levels(&self) -> &Levels {
        self.0.unusual.set(true);
        self.0.levels.get_or_init(Box::default)
    }

    /// Handles the reply to a call, when the rank has been resumed; takes that of a call that failed.
    // The reply stays where it is: it is large, and a value that is passed on is copied.
    #[inline(always)]
    fn answered(&self, reply: &mut Option<Reply>) {
        if reply.is_none() {
            return;
        }
        // Setting the key directly is not inlined.
        CURRENT.with(|current| current.set(Some(self.clone())));
        if let Some(Reply::Failed(_)) = reply {
            self.take_failure(reply);
        }
    }

    #[cold]
    fn take_failure(&self, reply: &mut Option<Reply>) {
        if let Some(Reply::Failed(failure)) = reply.take() {
            self.failed(*failure);
        }
    }

    /// Handles a call after finalize: objects may still be dropped, any other MPI call ends the
    /// run.
    #[cold]
    fn too_late(&self, site: Site, operation: Operation) -> Option<Operation> {
        match operation {
            Operation::Comm(CommCall::Free(_))
            | Operation::Type(TypeCall::Free(_))
            | Operation::Request(RequestCall::Free(_))
            | Operation::Buffer(BufferCall::Detach(_)) => None,
            Operation::Clock(ClockCall::Compute(_))
            | Operation::Tool(_)
            | Operation::Thread(ThreadCall::Join(_))
            | Operation::Report(ReportCall::Finding(_) | ReportCall::Fatal(_)) => Some(operation),
            operation => {
                let rank = self.0.number;
                let call = operation.name();
                let finding = check::not_finalized::after_finalize(rank, call, site);
                Some(ReportCall::Fatal(Box::new(finding)).into())
            }
        }
    }

    pub(crate) fn is_finalized(&self) -> bool {
        self.0.finalized.get()
    }

    /// Records that the program's caller finalizes.
    pub(crate) fn finalize_for_it(&self) {
        self.0.finalized_for_it.set(true);
    }

    /// Reports whether the program must finalize before it ends.
    pub(crate) fn must_finalize(&self) -> bool {
        !self.0.finalized.get() && !self.0.finalized_for_it.get()
    }

    /// Records that finalize is complete.
    pub(crate) fn set_finalized(&self) {
        self.0.finalized.set(true);
        self.0.unusual.set(true);
        if let Some(levels) = self.0.levels.get() {
            // The layers may hold communicators, which hold this context.
            levels.clear();
        }
    }

    /// Reads the rank's clock for a program in a state; `None` if it has the host's.
    fn read_clock(&self, state: u64) -> Option<SimTime> {
        if !self.0.environment.simulated_clocks {
            return None;
        }
        let (time, took) = self.0.clock.read(self.0.port.now(), state);
        if took {
            self.0.unusual.set(true);
        }
        Some(time)
    }

    /// Returns the port of the running additional thread.
    ///
    /// # Panics
    /// If the running thread does not belong to this rank.
    #[cold]
    fn port_of_thread(&self) -> Port<Call, Reply> {
        let threads = self.0.threads.borrow();
        let mine = threads.iter().find(|port| port.is_current());
        mine.expect("a communicator is used outside the rank it belongs to").clone()
    }

    /// Records the start of an additional thread of the rank.
    pub(crate) fn enter_thread(&self, port: Port<Call, Reply>) {
        self.0.unusual.set(true);
        self.0.threads.borrow_mut().push(port);
        CURRENT.set(Some(self.clone()));
    }

    /// Records the end of the running thread.
    pub(crate) fn leave_thread(&self) {
        self.0.threads.borrow_mut().retain(|port| !port.is_current());
    }

    /// Reports whether a thread of the rank is running, as opposed to the kernel or code outside a
    /// run.
    pub(crate) fn is_running(&self) -> bool {
        let others = || self.0.threads.borrow().iter().any(Port::is_current);
        self.0.port.is_current() || others()
    }

    /// Reports whether the main thread of the rank is running.
    pub(crate) fn is_main_thread(&self) -> bool {
        self.0.port.is_current()
    }

    /// Returns the rank's number in the run, which groups contain.
    pub(crate) fn number(&self) -> u32 {
        self.0.number
    }

    /// Returns the intercommunicator with the ranks that spawned this one.
    pub(crate) fn parent(&self) -> Option<CommInfo> {
        self.0.parent.borrow().clone()
    }

    /// Takes the parent communicator; [`Context::parent`] returns `None` from then on.
    pub(crate) fn leave_parent(&self) -> Option<CommInfo> {
        self.0.parent.take()
    }

    /// Returns the index of the rank's program among those started together.
    pub(crate) fn application(&self) -> u32 {
        self.0.application
    }

    /// Returns the rank's address space.
    pub(crate) fn address_space(&self) -> AddressSpace {
        self.0.space
    }

    pub(crate) fn world(&self) -> &CommInfo {
        &self.0.world
    }

    /// Returns the number of the rank's node.
    pub(crate) fn node(&self) -> u32 {
        self.0.node
    }

    pub(crate) fn environment(&self) -> &Environment {
        &self.0.environment
    }
}
