//! A rank's way to the kernel.

use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

use sim_core::{Port, SimDuration, SimTime};

use super::{
    clock::Clock,
    error::Functions,
    profile::Levels,
    topology::{Attributes, Lasting},
};
use crate::{
    call::{Call, CommId, CommInfo, Operation, Reply, Site, Threading},
    error::{ErrorClass, ErrorCodes, ErrorHandler, Failure, MpiError},
    finding::{CallSite, Code, Finding},
    kernel::call_name,
    object::info::Info,
    policy::Policy,
    settings::Environment,
    spawn::AddressSpace,
};

/// A rank's way to the kernel, shared by all its objects.
#[derive(Clone)]
pub(crate) struct Context(Rc<Shared>);

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
    attached: Cell<usize>,
    level: Cell<Threading>,
    finalized: Cell<bool>,
    /// Whether calls need a closer look: see [`Context::call_unusually`].
    unusual: Cell<bool>,
    attributes: RefCell<Attributes>,
    lasting: Lasting,
    clock: Clock,
    /// The ways of further threads of the rank.
    threads: RefCell<Vec<Port<Call, Reply>>>,
    /// Layers between the program and the kernel, once there has been one.
    levels: OnceCell<Box<Levels>>,
}

thread_local! {
    /// Whether ranks have run on this thread. It needs no destructor, so that an allocator may ask.
    static HAS_RANKS: Cell<bool> = const { Cell::new(false) };

    static ENTERING: RefCell<Option<Entry>> = const { RefCell::new(None) };

    /// The rank that runs now: set whenever the kernel hands control to one, so that functions
    /// without a communicator find their rank.
    static CURRENT: RefCell<Option<Context>> = const { RefCell::new(None) };
}

/// What a rank is given when its body begins.
pub(crate) struct Entry {
    pub(crate) port: Port<Call, Reply>,
    /// Number in the run.
    pub(crate) number: u32,
    pub(crate) world: CommInfo,
    /// The communicator with those who have started it.
    pub(crate) parent: Option<CommInfo>,
    /// Which of the programs started together it runs.
    pub(crate) application: u32,
    pub(crate) node: u32,
    pub(crate) space: AddressSpace,
    pub(crate) environment: Rc<Environment>,
}

/// Prepares `initialize` for the rank whose body begins.
pub(crate) fn enter(entry: Entry) {
    HAS_RANKS.set(true);
    CURRENT.set(None);
    ENTERING.set(Some(entry));
}

/// What [`enter`] left, once.
pub(crate) fn entering() -> Option<Entry> {
    ENTERING.take()
}

/// What is around the rank that runs, before and after its `initialize`; `None` outside of a run.
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

/// What the rank on this thread sees on its clock, if one runs and its clocks are simulated. May be
/// asked at any time, by an allocator too.
pub(super) fn reading() -> Option<SimTime> {
    if !HAS_RANKS.get() {
        return None;
    }
    let entering = ENTERING.try_with(|entry| {
        let entry = entry.try_borrow().ok()?;
        let entry = entry.as_ref().filter(|entry| entry.port.is_current())?;
        entry.environment.simulated_clocks.then(|| entry.port.now())
    });
    let current = || {
        CURRENT.try_with(|current| {
            let current = current.try_borrow().ok()?;
            current.as_ref().filter(|context| context.is_running())?.read_clock()
        })
    };
    entering.ok().flatten().or_else(|| current().ok().flatten())
}

/// Whether the rank that runs has taken what [`enter`] left.
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
            attached: Cell::new(0),
            level: Cell::new(Threading::Single),
            finalized: Cell::new(false),
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

    /// The rank that runs now, between its `initialize` and the end of its body.
    pub(crate) fn current() -> Option<Self> {
        CURRENT.with_borrow(Clone::clone)
    }

    /// Whether the run of this rank follows something else than the standard.
    pub(crate) fn follows(policy: Policy) -> bool {
        Self::current().is_some_and(|context| context.environment().policies.differs(policy))
    }

    /// Makes a call. `None` while the rank is unwound, and when the call failed under
    /// `MPI_ERRORS_RETURN`.
    #[inline]
    pub(crate) fn call(&self, site: Site, operation: Operation) -> Option<Reply> {
        if self.0.unusual.get() {
            return self.call_unusually(site, operation);
        }
        let reply = self.0.port.call(Call { site, operation })?;
        self.answered(reply)
    }

    /// A call of a rank that has several threads, has layers, has finalized or has read its clock
    /// for long.
    #[cold]
    fn call_unusually(&self, site: Site, operation: Operation) -> Option<Reply> {
        let owed = self.0.clock.owed();
        if owed > SimDuration::default() {
            self.call_below(site, Operation::Compute(owed));
        }
        let operation =
            if self.0.finalized.get() { self.too_late(site, operation)? } else { operation };
        let reply = match self.0.levels.get() {
            // Layers are the program's: they do not run while it is unwound.
            Some(levels) if !std::thread::panicking() => levels.call(self, site, operation),
            _ => self.call_below(site, operation),
        };
        self.answered(reply?)
    }

    /// One function of MPI that takes several calls: layers see it as a whole, and whether it left
    /// an error, and not what it does inside.
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

    /// A call that has passed all layers.
    pub(super) fn call_below(&self, site: Site, operation: Operation) -> Option<Reply> {
        self.port().call(Call { site, operation })
    }

    /// The way of the thread that runs.
    pub(super) fn port(&self) -> Port<Call, Reply> {
        if self.0.port.is_current() { self.0.port.clone() } else { self.port_of_thread() }
    }

    /// The layers between the program and the kernel, if there have ever been any.
    pub(super) fn levels(&self) -> Option<&Levels> {
        self.0.levels.get().map(Box::as_ref)
    }

    /// The layers, for one more.
    pub(super) fn grow_levels(&self) -> &Levels {
        self.0.unusual.set(true);
        self.0.levels.get_or_init(Box::default)
    }

    /// A call has come back to the rank.
    #[inline]
    fn answered(&self, reply: Reply) -> Option<Reply> {
        CURRENT.with_borrow_mut(|current| match current {
            Some(current) if Rc::ptr_eq(&current.0, &self.0) => {}
            _ => *current = Some(self.clone()),
        });
        match reply {
            Reply::Failed(failure) => {
                self.failed(*failure);
                None
            }
            reply => Some(reply),
        }
    }

    /// A call after finalize: objects may still be dropped, all else ends the run.
    #[cold]
    fn too_late(&self, site: Site, operation: Operation) -> Option<Operation> {
        use Operation as O;
        let harmless =
            matches!(operation, O::Compute(_) | O::JoinThread(_) | O::Report(_) | O::Fail(_));
        match operation {
            O::FreeComm(_) | O::FreeType(_) | O::FreeRequest(_) | O::DetachBuffer(_) => None,
            operation if harmless => Some(operation),
            operation => {
                let rank = self.0.number;
                let call = call_name(&operation);
                let message = format!("rank {rank} calls {call} after it has finalized");
                let label = "MPI has ended here".to_string();
                let finding = Finding::error(
                    Code::NotFinalized,
                    message,
                    vec![rank],
                    vec![CallSite::new(rank, call, site.known(), label)],
                )
                .note("few calls are allowed after finalize (MPI 5.0, 11.4.1)")
                .help("keep the universe until the last call of MPI");
                Some(O::Fail(Box::new(finding)))
            }
        }
    }

    pub(crate) fn is_finalized(&self) -> bool {
        self.0.finalized.get()
    }

    /// Finalize is complete.
    pub(crate) fn set_finalized(&self) {
        self.0.finalized.set(true);
        self.0.unusual.set(true);
        if let Some(levels) = self.0.levels.get() {
            // They may hold communicators, which hold this.
            levels.clear();
        }
    }

    /// What the rank's communicators keep.
    pub(crate) fn attributes(&self) -> &RefCell<Attributes> {
        &self.0.attributes
    }

    /// What the rank sees on its clock, unless that is the host's.
    fn read_clock(&self) -> Option<SimTime> {
        if !self.0.environment.simulated_clocks {
            return None;
        }
        let (time, took) = self.0.clock.read(self.0.port.now());
        if took {
            self.0.unusual.set(true);
        }
        Some(time)
    }

    /// Values that stay where they are until the rank ends.
    pub(crate) fn lasting(&self) -> &Lasting {
        &self.0.lasting
    }

    /// The way of the further thread that runs.
    ///
    /// # Panics
    /// If it is none of this rank's.
    #[cold]
    fn port_of_thread(&self) -> Port<Call, Reply> {
        let threads = self.0.threads.borrow();
        let mine = threads.iter().find(|port| port.is_current());
        mine.expect("a communicator is used outside the rank it belongs to").clone()
    }

    /// A further thread of the rank begins.
    pub(crate) fn enter_thread(&self, port: Port<Call, Reply>) {
        self.0.unusual.set(true);
        self.0.threads.borrow_mut().push(port);
        CURRENT.set(Some(self.clone()));
    }

    /// The thread that runs now ends.
    pub(crate) fn leave_thread(&self) {
        self.0.threads.borrow_mut().retain(|port| !port.is_current());
    }

    /// Whether one of the rank's threads runs now, and not the kernel or code outside of a run.
    pub(crate) fn is_running(&self) -> bool {
        let others = || self.0.threads.borrow().iter().any(Port::is_current);
        self.0.port.is_current() || others()
    }

    /// Whether the main thread of the rank runs now.
    pub(crate) fn is_main_thread(&self) -> bool {
        self.0.port.is_current()
    }

    pub(crate) fn level(&self) -> &Cell<Threading> {
        &self.0.level
    }

    /// Raises an error found in the arguments.
    pub(crate) fn raise(
        &self,
        site: Site,
        comm: CommId,
        class: ErrorClass,
        text: impl Into<String>,
    ) {
        self.call(site, Operation::Raise(comm, MpiError::new(class, text)));
    }

    /// A call has failed: the program's function hears of it, if it has one, and then the call
    /// returns with it.
    #[cold]
    pub(crate) fn failed(&self, failure: Failure) {
        self.tell(failure.handler, &failure.error);
        *self.0.last_error.borrow_mut() = Some(failure.error);
    }

    /// Has an error handler hear of an error.
    pub(crate) fn tell(&self, handler: ErrorHandler, error: &MpiError) {
        if let ErrorHandler::Function(function) = handler {
            self.0.functions.call(function, error);
        }
    }

    /// The functions of the program that hear of errors.
    pub(crate) fn functions(&self) -> &Functions {
        &self.0.functions
    }

    /// The error codes of the rank.
    pub(crate) fn codes(&self) -> &RefCell<ErrorCodes> {
        &self.0.codes
    }

    pub(crate) fn take_error(&self) -> Option<MpiError> {
        self.0.last_error.borrow_mut().take()
    }

    /// The rank's number in the run, as groups hold it.
    pub(crate) fn number(&self) -> u32 {
        self.0.number
    }

    /// The communicator with those who have started the rank.
    pub(crate) fn parent(&self) -> Option<CommInfo> {
        self.0.parent.borrow().clone()
    }

    /// As [`Context::parent`], from now on none.
    pub(crate) fn leave_parent(&self) -> Option<CommInfo> {
        self.0.parent.take()
    }

    /// Which of the programs started together the rank runs.
    pub(crate) fn application(&self) -> u32 {
        self.0.application
    }

    /// The rank's address space.
    pub(crate) fn address_space(&self) -> AddressSpace {
        self.0.space
    }

    pub(crate) fn world(&self) -> &CommInfo {
        &self.0.world
    }

    /// Number of the node the rank is on.
    pub(crate) fn node(&self) -> u32 {
        self.0.node
    }

    pub(crate) fn environment(&self) -> &Environment {
        &self.0.environment
    }

    pub(crate) fn attached(&self) -> &Cell<usize> {
        &self.0.attached
    }

    pub(crate) fn name(&self, comm: CommId) -> String {
        self.0.names.borrow().get(&comm).cloned().unwrap_or_default()
    }

    /// Hints of the rank's communicators.
    pub(crate) fn hints(&self) -> &RefCell<BTreeMap<CommId, Info>> {
        &self.0.hints
    }

    pub(crate) fn set_name(&self, comm: CommId, name: &str) {
        self.0.names.borrow_mut().insert(comm, name.to_owned());
    }
}
