//! Registrations of events of the tools interface (MPI section 15.3.8).

use std::{
    cell::{Cell, RefCell},
    ffi::{c_int, c_void},
};

use mpi_api::{call::EventKind, object::info::Info};
use sim_core::SimTime;

use crate::constant::Handle;

/// Number of callback safety levels.
pub(crate) const LEVELS: usize = 4;

/// The callback type `MPI_T_event_cb_function`.
pub(crate) type OnEvent = extern "C-unwind" fn(Handle, Handle, c_int, *mut c_void);
/// The callback type `MPI_T_event_free_cb_function`.
pub(crate) type OnFree = extern "C-unwind" fn(Handle, c_int, *mut c_void);
/// The callback type `MPI_T_event_dropped_cb_function`.
pub(crate) type OnDropped = extern "C-unwind" fn(i64, Handle, c_int, c_int, *mut c_void);

/// A program's callback for events.
#[derive(Clone)]
pub(crate) struct EventCallback {
    pub(crate) function: OnEvent,
    pub(crate) data: *mut c_void,
    pub(crate) hints: Info,
}

/// A registration: what a program wants to be told of one type of event.
pub(crate) struct Registration {
    pub(crate) kind: EventKind,
    /// How many events are kept until the call ends in which they happened.
    pub(crate) room: Cell<u32>,
    /// The callback of each safety level, the least safe one first.
    pub(crate) callbacks: RefCell<[Option<EventCallback>; LEVELS]>,
    pub(crate) dropped: Cell<Option<OnDropped>>,
    /// When it began to listen: earlier events are not for it.
    pub(crate) since: Cell<SimTime>,
    /// How many callbacks of it run.
    pub(crate) running: Cell<u32>,
    pub(crate) freed: Cell<bool>,
    /// What is called when it is freed and none of its callbacks runs any more.
    pub(crate) farewell: Cell<Option<(OnFree, *mut c_void)>>,
}

impl Registration {
    pub(crate) fn new(kind: EventKind, room: u32) -> Self {
        Self {
            kind,
            room: Cell::new(room),
            callbacks: RefCell::default(),
            dropped: Cell::new(None),
            since: Cell::new(SimTime::ZERO),
            running: Cell::new(0),
            freed: Cell::new(false),
            farewell: Cell::new(None),
        }
    }

    /// Returns the callback that is called where nothing is asked of it: that of the lowest safety level.
    pub(crate) fn callback(&self) -> Option<EventCallback> {
        self.callbacks.borrow().iter().flatten().next().cloned()
    }

    /// Returns how many events have to be kept for it.
    pub(crate) fn wants(&self) -> u32 {
        let listens = !self.freed.get() && self.callbacks.borrow().iter().any(Option::is_some);
        if listens { self.room.get() } else { 0 }
    }
}
