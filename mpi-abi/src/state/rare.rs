//! The state of a rank that few programs need. It is created when it is first needed, since a run may
//! have very many ranks.

use std::{
    any::Any,
    cell::{Cell, RefCell},
    collections::BTreeMap,
    ffi::c_void,
    rc::Rc,
};

use mpi_api::{
    call::{BufferOwner, MatchEvent, MatchedId, Site},
    error::ErrorCodes,
    finding::CallSite,
    object::{group::Group, info::Info, op::UserFunction},
};
use sim_core::Address;

use super::{event::Registration, source::Source, table::Table};
use crate::{
    constant::{Handle, handle},
    function::owned::Owned,
};

/// An operation that the program has created.
#[derive(Clone)]
pub(crate) struct OwnOperation {
    pub(crate) commutative: bool,
    pub(crate) function: UserFunction,
    /// Where the function is, if it is one of the program's.
    pub(crate) place: Option<Address>,
}

/// A kind of object that has attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyOf {
    /// Communicators.
    Comms,
    /// Datatypes.
    Types,
    /// Windows.
    Windows,
}

impl KeyOf {
    /// Returns the name for texts.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Comms => "communicators",
            Self::Types => "datatypes",
            Self::Windows => "windows",
        }
    }
}

/// The copy and delete functions of an attribute key.
#[derive(Clone, Copy)]
pub(crate) struct Keyval {
    pub(crate) copy: usize,
    pub(crate) delete: usize,
    pub(crate) extra: *mut c_void,
    /// The objects that it is a key of.
    pub(crate) of: KeyOf,
    pub(crate) freed: bool,
    /// Number of attributes that still use it.
    pub(crate) uses: u32,
    pub(crate) site: Site,
}

/// A message that a matched probe has taken out of its queue.
pub(crate) struct Matched {
    pub(crate) id: MatchedId,
    pub(crate) comm: Handle,
}

/// What an error handler of a program can be attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HandlerOf {
    Comm,
    Window,
    File,
    Session,
}

impl HandlerOf {
    /// Returns the noun for such objects.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Comm => "communicators",
            Self::Window => "windows",
            Self::File => "files",
            Self::Session => "sessions",
        }
    }
}

/// A user's error handler. It exists beyond the release of its last handle while objects use it.
pub(crate) struct Handler {
    pub(crate) function: extern "C-unwind" fn(*mut Handle, *mut i32),
    pub(crate) of: HandlerOf,
    /// Number of its handles that the program has not freed.
    pub(crate) handles: Cell<u32>,
    pub(crate) site: Site,
}

/// A group that the program has a handle of.
pub(crate) struct KeptGroup {
    pub(crate) group: Group,
    /// What it is derived from, if that is known.
    pub(crate) source: Option<Source>,
    pub(crate) site: Site,
}

/// A session.
pub(crate) struct Session {
    pub(crate) handler: Cell<Handle>,
    pub(crate) hints: Info,
}

/// A buffer as the program attached it.
pub(crate) struct Given {
    pub(crate) owner: BufferOwner,
    pub(crate) address: usize,
    pub(crate) bytes: i64,
    /// The claim on its memory, until it is detached.
    pub(crate) owned: Option<Owned>,
}

/// A handle of a performance variable: the variable is measured while it is started.
#[derive(Clone, Copy)]
pub(crate) struct Measurement {
    pub(crate) session: Handle,
    /// The variable's index.
    pub(crate) index: usize,
    /// The value up to the last stop.
    pub(crate) stored: i64,
    /// What was counted when it was started; `None` while it is stopped.
    pub(crate) since: Option<i64>,
}

/// The first key value that a program gets.
const FIRST_KEYVAL: i32 = 1000;

/// Objects and values of a rank of kinds that few programs use.
pub(crate) struct Rare {
    pub(crate) sessions: RefCell<Table<Rc<Session>>>,
    /// Whether a session was finalized.
    pub(crate) ended_session: Cell<bool>,
    /// Sessions of performance variables (`MPI_T`).
    pub(crate) tool_sessions: RefCell<Table<()>>,
    /// The performance variables that they measure.
    pub(crate) measurements: RefCell<Table<Measurement>>,
    /// Indices of the control variables that have handles.
    pub(crate) tool_controls: RefCell<Table<usize>>,
    /// Registrations of events.
    pub(crate) registrations: RefCell<Table<Rc<Registration>>>,
    /// Events for which callbacks run.
    pub(crate) events: RefCell<Table<MatchEvent>>,
    pub(crate) ops: RefCell<Table<(OwnOperation, Site)>>,
    pub(crate) groups: RefCell<Table<KeptGroup>>,
    pub(crate) handlers: RefCell<Table<Handler>>,
    pub(crate) keyvals: RefCell<BTreeMap<i32, Keyval>>,
    pub(crate) next_keyval: Cell<i32>,
    pub(crate) infos: RefCell<Table<(Rc<RefCell<Info>>, Site)>>,
    pub(crate) messages: RefCell<Table<Matched>>,
    /// The error handler of files that are opened later, and whether the program has chosen it.
    pub(crate) file_handler: Cell<(Handle, bool)>,
    /// The last call that has failed to open a file.
    pub(crate) unopened: RefCell<Option<CallSite>>,
    /// The call whose error was left to the program and told: the first one.
    pub(crate) first_left: Cell<Option<Site>>,
    /// Attached buffers of the buffered mode.
    pub(crate) attached: RefCell<Vec<Given>>,
    /// Types by combiner and arguments: two requests with the same precision and range return the
    /// same type.
    pub(crate) precise: RefCell<BTreeMap<(i32, Vec<i32>), Handle>>,
    /// Error classes, codes and strings that the program has added.
    pub(crate) codes: RefCell<ErrorCodes>,
    /// Values that Fortran callbacks need during the life of the rank.
    pub(crate) callbacks: RefCell<Vec<Rc<dyn Any>>>,
    /// Attribute values set by Fortran: C gets their addresses.
    pub(crate) integers: RefCell<BTreeMap<i64, Box<i64>>>,
    /// Addresses of memory that `MPI_Free_mem` has not freed, with the sizes and the places of
    /// `MPI_Alloc_mem`.
    pub(crate) memory: RefCell<BTreeMap<usize, (usize, Site)>>,
    /// Addresses that do not fit a Fortran integer, by the lower half that MPI-1 functions return.
    pub(crate) halves: RefCell<BTreeMap<i32, i64>>,
}

impl Default for Rare {
    fn default() -> Self {
        Self {
            sessions: RefCell::new(Table::new(handle::FIRST)),
            ended_session: Cell::new(false),
            tool_sessions: RefCell::new(Table::new(handle::FIRST)),
            measurements: RefCell::new(Table::new(handle::FIRST)),
            tool_controls: RefCell::new(Table::new(handle::FIRST)),
            registrations: RefCell::new(Table::new(handle::FIRST)),
            events: RefCell::new(Table::new(handle::FIRST)),
            ops: RefCell::new(Table::new(handle::FIRST_OPERATION)),
            groups: RefCell::new(Table::new(handle::FIRST)),
            handlers: RefCell::new(Table::new(handle::FIRST)),
            keyvals: RefCell::default(),
            next_keyval: Cell::new(FIRST_KEYVAL),
            infos: RefCell::new(Table::new(handle::FIRST)),
            messages: RefCell::new(Table::new(handle::FIRST)),
            file_handler: Cell::new((handle::ERRORS_RETURN, false)),
            unopened: RefCell::default(),
            first_left: Cell::new(None),
            attached: RefCell::default(),
            precise: RefCell::default(),
            codes: RefCell::default(),
            callbacks: RefCell::default(),
            integers: RefCell::default(),
            memory: RefCell::default(),
            halves: RefCell::default(),
        }
    }
}
