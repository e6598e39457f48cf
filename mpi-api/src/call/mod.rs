//! All that crosses from a rank's coroutine to the kernel and back.
//!
//! A [`Call`] owns its bytes: the kernel never holds a pointer into a program's stack, which is
//! what keeps the whole path safe. Data travel packed and dense; layouts are undone on the
//! rank's own stack by the `api` layer after the reply.

mod buffer;
mod collective;
mod message;
mod operation;
mod payload;
mod port;
mod reply;
mod site;

pub use self::{
    buffer::{Buffer, BufferOwner},
    collective::{
        CollectiveCall, CollectiveKind, Counts, Declared, Form, Neighbors, ROOT_ELSEWHERE,
        ROOT_SELF, Reduction, Types,
    },
    message::{Incoming, Layout, Mode, Outgoing, Partitioned, Source},
    operation::{Completing, Operation, Parking, ThreadBody, Threading},
    payload::{Few, Payload},
    port::PortCall,
    reply::{CommInfo, Completion, Received, Reply},
    site::{Address, Frame, Place, Site},
};
use crate::kernel::call_name;

/// A communicator: one number for all its members, assigned by the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommId(pub u32);

impl CommId {
    /// `MPI_COMM_WORLD`.
    pub const WORLD: Self = Self(0);
    /// `MPI_COMM_SELF` of the calling rank.
    pub const SELF: Self = Self(1);
}

/// A request owned by one rank; never reused with the same number in one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId {
    /// Slot in the kernel's table.
    pub index: u32,
    /// How often the slot had been used before.
    pub generation: u32,
}

/// A message that a matched probe took out of its queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MatchedId(pub u64);

/// One call with the place it was made at.
#[derive(Debug)]
pub struct Call {
    /// Where in the program.
    pub site: Site,
    /// What is asked.
    pub operation: Operation,
}

impl Call {
    /// What is called, in the spelling of the program's language.
    pub fn name(&self) -> &'static str {
        match &self.operation {
            Operation::Park(parking) => parking.call,
            operation => self.site.call().unwrap_or_else(|| call_name(operation)),
        }
    }
}
