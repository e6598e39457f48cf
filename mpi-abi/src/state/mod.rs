//! The state of one rank's MPI library: its objects, and which rank is running.

pub(crate) mod argument;
mod asserted;
mod attached;
mod cached;
mod claims;
mod combining;
mod compared;
mod entry;
mod event;
mod failing;
pub(crate) mod fault;
mod file;
mod last_comm;
mod left;
mod lookup;
pub(crate) mod object;
mod partitions;
mod quiet;
mod rank;
mod rare;
mod representation;
mod source;
mod table;
mod thread;
mod timer;
mod watching;
mod window;
mod windows;

pub(crate) use crate::memory::{array, put, put_in, wanted};
pub(crate) use argument::{Number, fitting};
pub(crate) use asserted::Asserted;
pub(crate) use compared::Compared;
pub(crate) use entry::{always, call, creating, here, in_any_thread, local, with_own_codes};
pub(crate) use event::{EventCallback, LEVELS, OnDropped, OnEvent, OnFree, Registration};
pub(crate) use fault::{Fault, Mpi};
pub(crate) use file::{File, Seen, Split};
pub(crate) use last_comm::Peers;
pub(crate) use left::Left;
pub(crate) use object::{
    Attribute, Comm, Duplicating, Filling, FreedRequest, HandlePlace, Heritage, Precision, Request,
    Topology, Type, Work, handle_of,
};
pub(crate) use partitions::Partitions;
pub(crate) use quiet::quiet;
pub(crate) use rank::{Running, Stage, State, checked};
pub(crate) use rare::{
    Given, Handler, HandlerOf, KeptGroup, KeyOf, Keyval, Matched, Measurement, OwnOperation,
    Session,
};
pub(crate) use representation::Representation;
pub(crate) use source::{Source, must_agree};
pub(crate) use table::Table;
pub(crate) use thread::NOWHERE;
pub(crate) use window::{PendingAccess, RequestedAccess, Window};

pub(crate) use mpi_api::object::info::Info;
