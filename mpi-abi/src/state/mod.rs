//! What one rank's MPI library holds: its objects, and which rank is running.
#![allow(unsafe_code, reason = "keeps a pointer to the state of the running rank")]

mod argument;
mod cached;
mod combining;
mod failing;
mod fault;
mod object;
mod table;
mod thread;
mod watching;

use std::{
    any::Any,
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
    ptr,
    rc::Rc,
    time::Duration,
};

use mpi_api::{
    call::{CommId, CommInfo, Operation, Reply, RequestId, Site},
    error::ErrorCodes,
    object::{datatype::Datatype, group::Group, op::Op},
    policy::Policies,
    raw::Raw,
    settings::Environment,
};

pub(crate) use argument::{Number, array, put, wanted};
pub(crate) use fault::{Fault, Mpi};
pub(crate) use object::{
    Attribute, Comm, Filling, HandlePlace, Handler, Heritage, Keyval, Matched, Precision, Request,
    Session, Topology, Type, Work, handle_of, primitive_of,
};
pub(crate) use table::Table;
pub(crate) use thread::NOWHERE;

pub(crate) use mpi_api::object::info::Info;

use crate::{
    constant::{Handle, class, handle},
    function::transfer::{Parts, unpack_all},
    launch::Start,
    libc::{attend, suspend},
    site, watch,
};

/// How far a rank has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    /// Before `MPI_Init`.
    Fresh,
    /// Between init and finalize.
    Running,
    /// After `MPI_Finalize`.
    Finalized,
}

/// The MPI library of one rank.
pub(crate) struct State {
    raw: Raw,
    /// The doors of further threads of the rank.
    doors: RefCell<Vec<Rc<Raw>>>,
    /// The number of the thread that has initialized MPI.
    main_thread: Cell<u32>,
    /// The program has ended in another thread than those that are left.
    over: Cell<bool>,
    pub(crate) stage: Cell<Stage>,
    pub(crate) thread_level: Cell<i32>,
    pub(crate) sessions: RefCell<Table<Rc<Session>>>,
    /// How often the tools interface has begun and not ended.
    pub(crate) tool_inits: Cell<u32>,
    /// Sessions of performance variables.
    pub(crate) tool_sessions: RefCell<Table<()>>,
    pub(crate) comms: RefCell<Table<Rc<Comm>>>,
    pub(crate) types: RefCell<Table<Rc<Type>>>,
    /// Those it has used; a program uses few.
    predefined: RefCell<Vec<(Handle, Rc<Type>)>>,
    pub(crate) ops: RefCell<Table<(Op, Site)>>,
    pub(crate) groups: RefCell<Table<(mpi_api::object::group::Group, Site)>>,
    pub(crate) requests: RefCell<Table<Box<Request>>>,
    /// Receives whose requests were freed before their data had come: where the data go.
    pub(crate) forgotten: RefCell<Vec<(RequestId, Parts)>>,
    /// Memory that operations under way own.
    pub(crate) claims: RefCell<crate::function::claim::Claims>,
    pub(crate) handlers: RefCell<Table<Handler>>,
    pub(crate) keyvals: RefCell<BTreeMap<i32, Keyval>>,
    pub(crate) next_keyval: Cell<i32>,
    pub(crate) infos: RefCell<Table<(Rc<RefCell<Info>>, Site)>>,
    pub(crate) messages: RefCell<Table<Matched>>,
    /// Buffers of buffered mode.
    pub(crate) attached: RefCell<Vec<crate::function::buffer::Given>>,
    /// The sessions that groups come from.
    pub(crate) group_sessions: RefCell<BTreeMap<Handle, Handle>>,
    /// Types by precision and range, by combiner and arguments: asked for twice, they are the same.
    pub(crate) precise: RefCell<BTreeMap<(i32, Vec<i32>), Handle>>,
    /// Its error codes.
    pub(crate) codes: RefCell<ErrorCodes>,
    /// The value of `MPI_LASTUSEDCODE`, which the program reads here.
    pub(crate) last_used_code: Box<Cell<i32>>,
    pub(crate) world_ranks: u32,
    /// What callbacks of Fortran need as long as the rank lives.
    pub(crate) callbacks: RefCell<Vec<Rc<dyn Any>>>,
    /// Attributes that Fortran has set, by value: C gets their addresses.
    pub(crate) integers: RefCell<BTreeMap<i64, Box<i64>>>,
    /// What `MPI_Alloc_mem` gave and `MPI_Free_mem` has not taken back, by address.
    pub(crate) memory: RefCell<BTreeSet<usize>>,
    /// Addresses that do not fit an integer of Fortran, by the half that MPI-1 gave out.
    pub(crate) halves: RefCell<BTreeMap<i32, i64>>,
    /// A function of an operation runs outside the rank.
    pub(crate) combining: Cell<bool>,
    /// One of them has not returned: the rank is about to end.
    ended: Cell<bool>,
    /// The exception that one of them has thrown; 0 is none.
    thrown: Cell<usize>,
    /// The rank has something to do for them when it goes on.
    owes: Cell<bool>,
    /// What such functions have asked of the kernel, for when the rank goes on.
    deferred: RefCell<Vec<(Site, Operation)>>,
    /// Timers of the program run, whose signals it hears of when a call ends.
    attends: Cell<bool>,
    /// Accesses of the program to memory of operations are watched.
    watched: bool,
    /// Calls of MPI that it is in: those of callbacks are inside of others.
    depth: Cell<u32>,
    /// Where the outermost of them returns to: the place of the address, and the address.
    returns: Cell<(usize, usize)>,
    /// How its program was started.
    pub(crate) start: Start,
    /// `MPI_UNIVERSE_SIZE`.
    pub(crate) universe: i32,
    /// What `MPI_Comm_get_parent` gives.
    pub(crate) parent: Cell<Handle>,
}

thread_local! {
    static CURRENT: Cell<*const State> = const { Cell::new(ptr::null()) };
}

/// Makes a rank the running one while the value lives.
pub(crate) struct Running(*const State);

impl Drop for Running {
    fn drop(&mut self) {
        CURRENT.set(self.0);
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
        let mut comms = Table::new(handle::FIRST);
        comms.insert_at(handle::COMM_WORLD, Rc::new(Comm::new(world, "MPI_COMM_WORLD")));
        comms.insert_at(handle::COMM_SELF, Rc::new(Comm::new(own, "MPI_COMM_SELF")));
        let watched = raw.environment().watched;
        Box::new(Self {
            raw,
            doors: RefCell::default(),
            main_thread: Cell::new(0),
            over: Cell::new(false),
            stage: Cell::new(Stage::Fresh),
            thread_level: Cell::new(0),
            sessions: RefCell::new(Table::new(handle::FIRST)),
            tool_inits: Cell::new(0),
            tool_sessions: RefCell::new(Table::new(handle::FIRST)),
            comms: RefCell::new(comms),
            types: RefCell::new(Table::new(handle::FIRST_TYPE)),
            predefined: RefCell::default(),
            ops: RefCell::new(Table::new(handle::FIRST_OPERATION)),
            groups: RefCell::new(Table::new(handle::FIRST)),
            requests: RefCell::new(Table::new(handle::FIRST)),
            forgotten: RefCell::default(),
            claims: RefCell::default(),
            handlers: RefCell::new(Table::new(handle::FIRST)),
            keyvals: RefCell::default(),
            next_keyval: Cell::new(1000),
            infos: RefCell::new(Table::new(handle::FIRST)),
            messages: RefCell::new(Table::new(handle::FIRST)),
            attached: RefCell::default(),
            group_sessions: RefCell::default(),
            precise: RefCell::default(),
            codes: RefCell::default(),
            last_used_code: Box::new(Cell::new(class::LASTCODE)),
            world_ranks: ranks,
            callbacks: RefCell::default(),
            integers: RefCell::default(),
            memory: RefCell::default(),
            halves: RefCell::default(),
            attends: Cell::new(false),
            watched,
            depth: Cell::new(0),
            returns: Cell::new((0, 0)),
            combining: Cell::new(false),
            ended: Cell::new(false),
            thrown: Cell::new(0),
            owes: Cell::new(false),
            deferred: RefCell::default(),
            start,
            universe,
            parent: Cell::new(handle::COMM_NULL),
        })
    }

    /// What is around this rank.
    pub(crate) fn environment(&self) -> &Environment {
        self.raw.environment()
    }

    /// Where editions of the standard disagree.
    pub(crate) fn policies(&self) -> &Policies {
        &self.environment().policies
    }

    /// Makes this the running rank.
    pub(crate) fn enter(&self) -> Running {
        Running(CURRENT.replace(self))
    }

    /// The running rank.
    pub(crate) fn current<'a>() -> Option<&'a Self> {
        // SAFETY: set by `enter` of a state that outlives the `Running` it gave.
        unsafe { CURRENT.get().as_ref() }
    }

    /// Whether a blocking call needs none of the looks that [`call`] and the guards take: the rank is
    /// between init and finalize, has one thread, owns no memory to operations, awaits no signals,
    /// and no callback runs.
    #[inline]
    pub(crate) fn is_calm(&self) -> bool {
        self.stage.get() == Stage::Running
            && !self.watched
            && !self.combining.get()
            && !self.owes.get()
            && !self.attends.get()
            && self.doors.borrow().is_empty()
            && self.forgotten.borrow().is_empty()
            && self.claims.borrow().is_empty()
    }

    /// As [`State::kernel`], of a rank that is calm. Inside the function of MPI, so that the call is
    /// written once where it waits.
    #[inline(always)]
    pub(crate) fn kernel_calmly(&self, site: Site, operation: Operation) -> Mpi<Reply> {
        let reply = suspend(
            #[inline(always)]
            || self.raw.call(site, operation),
        );
        CURRENT.set(self);
        if self.owes.get() {
            self.catch_up();
        }
        match reply {
            Some(Reply::Failed(failure)) => Err(failure.into()),
            Some(reply) => Ok(reply),
            None => Err(Fault::new(class::INTERN, "the run is over")),
        }
    }

    /// A call to the kernel; other ranks run meanwhile.
    pub(crate) fn kernel(&self, site: Site, operation: Operation) -> Mpi<Reply> {
        if self.combining.get() {
            return self.outside_the_rank(site, operation);
        }
        let closed = self.watched && watch::open();
        if closed {
            self.tell_touched(site);
        }
        let reply = suspend(|| self.call_out(site, operation));
        CURRENT.set(self);
        if closed {
            watch::close(self.pieces().into_iter());
        }
        if self.owes.get() {
            self.catch_up();
        }
        match reply {
            Some(Reply::Failed(failure)) => Err(failure.into()),
            Some(reply) => Ok(reply),
            None => Err(Fault::new(class::INTERN, "the run is over")),
        }
    }

    /// Puts what freed receives have brought into their places. The data of a request that was
    /// freed may come at any time; the program sees them after its next call.
    fn receive_forgotten(&self, site: Site) {
        if self.forgotten.borrow().is_empty() || self.stage.get() != Stage::Running {
            return;
        }
        let Ok(Reply::Late(late)) = self.kernel(site, Operation::TakeLate) else { return };
        let mut forgotten = self.forgotten.borrow_mut();
        for (id, payload) in late {
            if let Some(at) = forgotten.iter().position(|(known, _)| *known == id) {
                unpack_all(&forgotten.swap_remove(at).1, payload.as_slice());
            }
        }
    }

    /// Number of the node this rank is on.
    pub(crate) fn node(&self) -> u32 {
        self.raw.node()
    }

    /// This rank's number in the run, which is what groups hold.
    pub(crate) fn number(&self) -> u32 {
        self.raw.number()
    }

    /// The communicator with those who have started this rank.
    pub(crate) fn parents(&self) -> Option<CommInfo> {
        self.raw.parent().cloned()
    }

    /// How many ranks share this one's address space.
    pub(crate) fn ranks_in_address_space(&self) -> u32 {
        self.raw.address_space().ranks
    }

    /// All ranks of its world.
    pub(crate) fn world_group(&self) -> Group {
        self.raw.world().group.clone()
    }

    pub(crate) fn comm(&self, comm: Handle) -> Mpi<Rc<Comm>> {
        let found = self.comms.borrow().get(comm).cloned();
        found.ok_or_else(|| Fault::new(class::COMM, "the communicator is null or was freed"))
    }

    /// A communicator with one group.
    pub(crate) fn intra(&self, comm: Handle) -> Mpi<Rc<Comm>> {
        let comm = self.comm(comm)?;
        if comm.info.remote.is_some() {
            return Err(Fault::new(class::COMM, "an intercommunicator is not allowed here"));
        }
        Ok(comm)
    }

    pub(crate) fn add_comm(&self, site: Site, info: CommInfo, heritage: Heritage) -> Mpi<Handle> {
        let comm = Comm::new(info, "");
        comm.handler.set(heritage.handler);
        comm.attributes.replace(heritage.attributes);
        comm.topology.replace(heritage.topology);
        comm.hints.replace(heritage.hints);
        let made = self.comms.borrow_mut().insert(Rc::new(comm));
        if let Some(session) = heritage.session {
            self.join_session(site, made, session)?;
        }
        Ok(made)
    }

    /// A communicator that comes from a session, or from one that does.
    pub(crate) fn join_session(&self, site: Site, comm: Handle, session: u32) -> Mpi {
        let comm = self.comm(comm)?;
        comm.session.set(Some(session));
        self.kernel(site, Operation::JoinSession(comm.info.id, session)).map(|_| ())
    }

    /// A type, committed or not.
    pub(crate) fn any_type(&self, datatype: Handle) -> Mpi<Rc<Type>> {
        if datatype < handle::FIRST {
            return self.predefined_type(datatype);
        }
        let found = self.types.borrow().get(datatype).cloned();
        found.ok_or_else(|| Fault::new(class::TYPE, "the datatype is null or was freed"))
    }

    fn predefined_type(&self, datatype: Handle) -> Mpi<Rc<Type>> {
        let is = |(known, _): &&(Handle, Rc<Type>)| *known == datatype;
        if let Some((_, known)) = self.predefined.borrow().iter().find(is) {
            return Ok(Rc::clone(known));
        }
        let made = Type::predefined(datatype)
            .ok_or_else(|| Fault::new(class::TYPE, "the datatype is null"))?;
        let made = Rc::new(made);
        self.predefined.borrow_mut().push((datatype, Rc::clone(&made)));
        Ok(made)
    }

    /// A type that can be communicated.
    pub(crate) fn datatype(&self, datatype: Handle) -> Mpi<Datatype> {
        let found = self.any_type(datatype)?;
        if !found.committed.get() {
            return Err(Fault::new(class::TYPE, "the datatype was not committed"));
        }
        Ok(found.datatype.clone())
    }

    /// Whether MPI may be used without `MPI_Init`.
    pub(crate) fn has_session(&self) -> bool {
        self.sessions.borrow().iter().next().is_some()
    }
}

impl State {
    /// What a call returns.
    fn answer(&self, site: Site, comm: Handle, done: Mpi) -> i32 {
        let code = done.map_or_else(|fault| self.fail(site, comm, fault), |()| 0);
        self.attend_to_signals();
        code
    }

    /// Does what timers of the program want that have run out, unless MPI has called the program back.
    pub(crate) fn attend_to_signals(&self) {
        if self.attends.get() && self.depth.get() <= 1 {
            attend();
        }
    }

    /// Whether signals of timers are to be heard of when a call ends.
    pub(crate) fn attend(&self, attends: bool) {
        self.attends.set(attends);
    }

    /// Simulated time.
    pub(crate) fn time(&self) -> Duration {
        Duration::from_nanos(self.raw.now().as_ps() / 1000)
    }
}

/// The place of the MPI call that runs, as the kernel knows places. Asked first thing.
#[inline]
pub(crate) fn here() -> Site {
    site::caller()
}

/// Runs the body of a function that reports errors through a communicator.
pub(crate) fn call(comm: Handle, body: impl FnOnce(&State, Site) -> Mpi) -> i32 {
    watch::open();
    let site = here();
    let Some(state) = State::current() else { return class::OTHER };
    let inside = state.begin_call(site);
    if state.stage.get() != Stage::Running && !state.has_session() {
        let when = match state.stage.get() {
            Stage::Finalized => "after MPI_Finalize",
            _ => "before MPI_Init",
        };
        return state.outside(site, format!("MPI is called {when}"));
    }
    let done = body(state, site);
    state.receive_forgotten(site);
    let code = state.answer(site, comm, done);
    inside.end();
    code
}

/// As [`call`], of a function that makes an object: when it fails, the program's handle is null.
pub(crate) fn creating(
    comm: Handle,
    (place, null): (*mut Handle, Handle),
    body: impl FnOnce(&State, Site) -> Mpi,
) -> i32 {
    call(comm, |state, site| {
        let done = body(state, site);
        if done.is_err() && !place.is_null() {
            put(place, null)?;
        }
        done
    })
}

/// As [`call`], for functions that are not about a communicator.
pub(crate) fn local(body: impl FnOnce(&State, Site) -> Mpi) -> i32 {
    call(handle::COMM_NULL, body)
}

/// As [`local`], for functions that may be called at any time.
pub(crate) fn always(body: impl FnOnce(&State, Site) -> Mpi) -> i32 {
    watch::open();
    let site = here();
    let Some(state) = State::current() else { return class::OTHER };
    let inside = state.begin_call(site);
    let done = body(state, site);
    let code = state.answer(site, handle::COMM_NULL, done);
    inside.end();
    code
}
