//! [`State`]: what the MPI library keeps for one rank, and its calls to the kernel.
#![allow(unsafe_code, reason = "keeps a pointer to the state of the running rank")]

use std::{
    cell::{Cell, OnceCell, RefCell},
    ptr,
    rc::Rc,
    time::Duration,
};

use mpi_api::{
    call::{CommId, CommInfo, Operation, Reply, RequestCall, RequestId, Site},
    object::group::Group,
    policy::Policies,
    raw::Raw,
    settings::{Environment, Watched},
};
use sim_core::SimTime;

use super::{
    claims::ClaimTable,
    compared::Compared,
    fault::{Fault, Mpi},
    file::File,
    last_comm::LastComm,
    object::{Comm, FreedRequest, Request, Type},
    rare::Rare,
    table::{BoxTable, Table},
    window::Window,
};
use crate::{
    constant::{Handle, class, handle},
    function::{
        bounds,
        claims::Claims,
        transfer::{Parts, unpack_all},
    },
    launch::origin::Start,
    memory::look_with,
};
use guest::{
    libc::{Exception, Plain, attend, suspend},
    memory, site,
};

/// The initialization state of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    /// Before `MPI_Init`.
    Fresh,
    /// Between `MPI_Init` and `MPI_Finalize`.
    Running,
    /// After `MPI_Finalize`.
    Finalized,
}

/// The state of the MPI library of one rank.
pub(crate) struct State {
    pub(super) raw: Raw,
    /// Handles by which further threads of the rank make kernel calls.
    pub(super) doors: RefCell<Vec<Rc<Raw>>>,
    /// The number of the thread that has initialized MPI.
    pub(super) main_thread: Cell<u32>,
    /// Whether the program has ended in a thread other than those that are left.
    pub(super) over: Cell<bool>,
    /// Set by [`State::set_stage`].
    pub(crate) stage: Cell<Stage>,
    /// Whether nothing unusual is under way: see [`State::is_quiet`].
    pub(super) quiet: Cell<bool>,
    /// The lowest and the highest address of memory that the rank provides to windows.
    pub(super) window_memory: Cell<(i64, i64)>,
    pub(crate) thread_level: Cell<i32>,
    /// Number of calls of `MPI_T_init_thread` without a matching `MPI_T_finalize`.
    pub(crate) tool_inits: Cell<u32>,
    pub(super) comms: RefCell<Table<Rc<Comm>>>,
    /// The communicator of the last message: most messages use the same one as those before.
    pub(super) last_comm: Cell<LastComm>,
    /// Whether the program has asserted something about the use of a communicator.
    pub(crate) asserts: Cell<bool>,
    pub(crate) types: RefCell<Table<Rc<Type>>>,
    /// Predefined datatypes that the program has used; most programs use few.
    pub(super) predefined: RefCell<Vec<(Handle, Rc<Type>)>>,
    pub(crate) requests: RefCell<BoxTable<Request>>,
    /// Receives whose requests were freed before their data had arrived, with the buffers for the
    /// data.
    pub(super) forgotten: RefCell<Vec<(RequestId, Parts)>>,
    /// Operations whose requests were freed before they were complete, in runs that are watched.
    pub(super) freed: RefCell<Vec<FreedRequest>>,
    /// Memory owned by operations that are under way.
    pub(crate) claims: ClaimTable,
    /// The value of the attribute `MPI_LASTUSEDCODE`, whose address the program gets.
    pub(crate) last_used_code: Box<Cell<i32>>,
    pub(crate) world_ranks: u32,
    pub(crate) windows: RefCell<Table<Rc<Window>>>,
    /// Open files; see [`State::files`].
    #[allow(clippy::type_complexity, reason = "a table that few ranks have")]
    pub(super) files: OnceCell<Box<RefCell<Table<Rc<File>>>>>,
    /// What few programs need.
    pub(super) rare: OnceCell<Box<Rare>>,
    /// Whether a function of a reduction operation runs while the rank is suspended.
    pub(super) combining: Cell<bool>,
    /// Whether that function is a signal handler.
    pub(super) handling: Cell<bool>,
    /// Time of the next timer that the kernel knows.
    pub(super) timer: Cell<Option<Duration>>,
    /// Whether such a function has not returned: the rank is about to end.
    pub(super) ended: Cell<bool>,
    /// The exception that such a function has thrown.
    pub(super) thrown: Cell<Option<Exception>>,
    /// Whether the rank has deferred work to do when it is resumed.
    pub(super) owes: Cell<bool>,
    /// Kernel calls made by such functions, deferred until the rank is resumed.
    pub(super) deferred: RefCell<Vec<(Site, Operation)>>,
    /// Whether timers of the program run, whose signals are delivered when a call ends.
    pub(super) attends: Cell<bool>,
    /// What tells the program of events of the tools interface, if it listens to some.
    pub(super) listener: Cell<Option<Listener>>,
    /// Whether its callbacks for them run.
    pub(crate) telling: Cell<bool>,
    /// Whether a call ends with more than its result: `attends` or `listener`.
    pub(super) ends_busily: Cell<bool>,
    /// Whether accesses of the program to memory that operations own are watched.
    pub(super) watched: bool,
    /// What is kept in a run that compares the memory which calls use with the program's objects.
    pub(crate) compared: Option<Compared>,
    /// Whether these are accesses to memory of windows instead.
    pub(super) watches_windows: bool,
    /// Whether the kernel knows that some of what the program does with memory of windows is not seen.
    pub(super) unseen: Cell<bool>,
    /// Nesting depth of MPI calls: calls made by callbacks are inside other calls.
    pub(super) depth: Cell<u32>,
    /// The return of the outermost call: the location of the return address, and the address.
    pub(super) returns: Cell<site::ReturnPlace>,
    /// How the program was started: its command, and its position among those started together.
    pub(crate) start: Start,
    /// `MPI_UNIVERSE_SIZE`.
    pub(crate) universe: i32,
    /// The handle that `MPI_Comm_get_parent` returns.
    pub(crate) parent: Cell<Handle>,
}

/// A function that tells the program of events when a call ends.
pub(crate) type Listener = fn(&State, Site);

thread_local! {
    pub(super) static CURRENT: Cell<*const State> = const { Cell::new(ptr::null()) };
}

/// A guard: its rank is the running one while the value lives.
pub(crate) struct Running(*const State);

impl Drop for Running {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}

/// Returns the kernel's reply as the result of a call.
#[inline(always)]
pub(crate) fn checked(reply: Option<Reply>) -> Mpi<Reply> {
    match reply {
        Some(Reply::Failed(failure)) => Err(failure.into()),
        Some(reply) => Ok(reply),
        None => Err(Fault::new(class::INTERN, "the run is over")),
    }
}

impl State {
    pub(crate) fn new(raw: Raw, start: Start) -> Box<Self> {
        let world = raw.world().clone();
        let ranks = world.group.size();
        let universe = raw.environment().universe.map_or(ranks, |size| size) as i32;
        let own = CommInfo {
            id: CommId::SELF,
            rank: 0,
            group: Group::range(raw.number(), 1),
            ..world.clone()
        };
        let world = Comm::new(world, "MPI_COMM_WORLD");
        let last_comm = LastComm::of(handle::COMM_WORLD, &world.info, world.peers());
        let mut comms = Table::new(handle::FIRST);
        comms.insert_at(handle::COMM_WORLD, Rc::new(world));
        comms.insert_at(handle::COMM_SELF, Rc::new(Comm::new(own, "MPI_COMM_SELF")));
        let watched = raw.environment().watched;
        let watches_windows = watched.is_of_windows();
        let claims = ClaimTable::default();
        if watched == Watched::OwnedAlone {
            claims.change(Claims::make_exclusive);
        }
        let compares = raw.environment().compares_buffers;
        if compares {
            memory::record();
            look_with(Some(bounds::look));
        }
        Box::new(Self {
            raw,
            doors: RefCell::default(),
            main_thread: Cell::new(0),
            over: Cell::new(false),
            stage: Cell::new(Stage::Fresh),
            quiet: Cell::new(false),
            window_memory: Cell::new((i64::MAX, i64::MIN)),
            thread_level: Cell::new(0),
            tool_inits: Cell::new(0),
            comms: RefCell::new(comms),
            last_comm: Cell::new(last_comm),
            asserts: Cell::new(false),
            types: RefCell::new(Table::new(handle::FIRST_TYPE)),
            predefined: RefCell::default(),
            requests: RefCell::new(BoxTable::new(handle::FIRST)),
            forgotten: RefCell::default(),
            freed: RefCell::default(),
            claims,
            last_used_code: Box::new(Cell::new(class::LASTCODE)),
            world_ranks: ranks,
            windows: RefCell::new(Table::new(handle::FIRST)),
            files: OnceCell::new(),
            rare: OnceCell::new(),
            attends: Cell::new(false),
            listener: Cell::new(None),
            telling: Cell::new(false),
            ends_busily: Cell::new(false),
            watched: watched != Watched::Nothing,
            compared: compares.then(Compared::default),
            watches_windows,
            unseen: Cell::new(false),
            depth: Cell::new(0),
            returns: Cell::default(),
            combining: Cell::new(false),
            handling: Cell::new(false),
            timer: Cell::new(None),
            ended: Cell::new(false),
            thrown: Cell::default(),
            owes: Cell::new(false),
            deferred: RefCell::default(),
            start,
            universe,
            parent: Cell::new(handle::COMM_NULL),
        })
    }

    /// Returns the state that few programs need.
    pub(crate) fn rare(&self) -> &Rare {
        self.rare.get_or_init(Box::default)
    }

    /// Returns the state that few programs need, if this one has needed any of it.
    pub(crate) fn rare_if_any(&self) -> Option<&Rare> {
        self.rare.get().map(|rare| &**rare)
    }

    /// Returns the settings of the run that programs can observe.
    pub(crate) fn environment(&self) -> &Environment {
        self.raw.environment()
    }

    /// Returns the largest size of data that the run carries; `None` if it carries all.
    #[inline]
    pub(crate) fn carried(&self) -> Option<u64> {
        self.environment().carried
    }

    /// Returns the policies on which editions of the standard disagree.
    pub(crate) fn policies(&self) -> &Policies {
        &self.environment().policies
    }

    /// Makes this the running rank until the value is dropped.
    pub(crate) fn enter(&self) -> Running {
        Running(CURRENT.replace(self))
    }

    /// Returns the state of the running rank.
    pub(crate) fn current<'a>() -> Option<&'a Self> {
        // SAFETY: set by `enter` of a state that outlives the `Running` it gave.
        unsafe { CURRENT.get().as_ref() }
    }

    /// Like [`State::kernel`], for a rank for which the short path is allowed. Inlined into the MPI
    /// function, so that the call is written once, in the place where it waits.
    #[inline(always)]
    pub(crate) fn kernel_calmly(&self, site: Site, call: impl Into<Operation>) -> Mpi<Reply> {
        checked(self.kernel_directly(
            site,
            #[inline(always)]
            || call,
        ))
    }

    /// Like [`State::kernel_calmly`], and leaves it to the caller to look at the reply: the usual
    /// one is neither moved nor dropped then.
    #[inline(always)]
    pub(crate) fn kernel_directly<T: Into<Operation>>(
        &self,
        site: Site,
        make: impl FnOnce() -> T,
    ) -> Option<Reply> {
        let reply = suspend(
            #[inline(always)]
            || self.raw.call_with(site, make),
        );
        // Setting the key directly is not inlined.
        CURRENT.with(|current| current.set(self));
        self.after_reply();
        reply
    }

    /// Like [`State::kernel_directly`], for a rank whose C library is saved already, with a place for
    /// the reply: the usual one is never moved then.
    #[inline(always)]
    pub(crate) fn kernel_plainly<T: Into<Operation>>(
        &self,
        (library, site): (Plain, &Site),
        reply: &Cell<Option<Reply>>,
        make: impl FnOnce() -> T,
    ) {
        library.suspend(
            #[inline(always)]
            || self.raw.call_into(site, reply, make),
        );
        CURRENT.with(|current| current.set(self));
        self.after_reply();
    }

    /// Does what had to wait until the rank was resumed.
    #[inline(always)]
    pub(super) fn after_reply(&self) {
        if self.owes.get() {
            self.catch_up();
        }
    }

    /// Makes a call to the kernel and returns its reply; other ranks run meanwhile.
    pub(crate) fn kernel(&self, site: Site, operation: impl Into<Operation>) -> Mpi<Reply> {
        // The call is not passed on, which would take a kilobyte more of the stack.
        if self.is_quiet() {
            return self.kernel_calmly(site, operation);
        }
        self.kernel_of_any_family(site, operation.into())
    }

    pub(super) fn kernel_of_any_family(&self, site: Site, operation: Operation) -> Mpi<Reply> {
        if self.combining.get() {
            return self.outside_the_rank(site, operation);
        }
        self.note_going_on(&operation);
        self.tell_findings(site);
        let reply = self.with_memory_open(site, || {
            if self.attends.get() {
                self.prepare_timer(site, &operation);
            }
            let reply = suspend(|| self.call_out(site, operation));
            CURRENT.set(self);
            reply
        });
        self.after_reply();
        checked(reply)
    }

    /// Stores the data of receives whose requests were freed. They may arrive at any time; the
    /// program sees them after its next call.
    pub(super) fn receive_forgotten(&self, site: Site) {
        if self.forgotten.borrow().is_empty() || self.stage.get() != Stage::Running {
            return;
        }
        let Ok(Reply::Late(late)) = self.kernel(site, RequestCall::TakeLate) else { return };
        let mut forgotten = self.forgotten.borrow_mut();
        for (id, payload) in late {
            if let Some(at) = forgotten.iter().position(|(known, _)| *known == id) {
                unpack_all(&forgotten.swap_remove(at).1, payload.as_slice());
            }
        }
        drop(forgotten);
        self.note_quiet();
    }

    /// Returns the number of the node that this rank is on.
    pub(crate) fn node(&self) -> u32 {
        self.raw.node()
    }

    /// Like [`State::node`], for a split of a communicator by node.
    pub(crate) fn node_of_split(&self) -> u32 {
        self.raw.node_of_split()
    }

    /// Returns this rank's number in the run; groups hold these numbers.
    pub(crate) fn number(&self) -> u32 {
        self.raw.number()
    }

    /// Returns the intercommunicator with the parents, if this rank was started during the run.
    pub(crate) fn parents(&self) -> Option<CommInfo> {
        self.raw.parent().cloned()
    }

    /// Returns the number of ranks that share this rank's address space.
    pub(crate) fn ranks_in_address_space(&self) -> u32 {
        self.raw.address_space().ranks
    }

    /// Returns the group of all ranks of its world.
    pub(crate) fn world_group(&self) -> Group {
        self.raw.world().group.clone()
    }

    /// Reports whether a session was finalized.
    pub(crate) fn had_session(&self) -> bool {
        self.rare_if_any().is_some_and(|rare| rare.ended_session.get())
    }

    /// Reports whether MPI may be used without `MPI_Init`.
    pub(crate) fn has_session(&self) -> bool {
        self.rare_if_any().is_some_and(|rare| rare.sessions.borrow().iter().next().is_some())
    }
}

impl State {
    /// Handles expired timers of the program, unless a callback called by MPI is running.
    pub(crate) fn attend_to_signals(&self) {
        if self.attends.get() && self.depth.get() <= 1 {
            attend();
        }
    }

    /// Returns the simulated time in the kernel's form.
    pub(crate) fn moment(&self) -> SimTime {
        self.raw.now()
    }

    /// Returns the simulated time.
    pub(crate) fn time(&self) -> Duration {
        Duration::from_nanos(self.raw.now().as_ps() / 1000)
    }
}
