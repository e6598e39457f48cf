//! The calls that a rank's coroutine makes to the kernel, and the replies.
//!
//! Calls and replies are values: bytes, numbers and names, which could cross to another process. A
//! function that a rank has to run itself is named by its number in a table on the side of the
//! ranks. A [`Call`] owns its bytes: the kernel never holds a pointer into a program's stack, which
//! keeps the whole path memory-safe. Data are passed packed and contiguous; the `api` layer unpacks
//! them into the program's layout on the rank's stack after the reply.

mod buffer;
mod clock;
mod collective;
mod communicator;
mod error;
mod message;
mod object;
mod operation;
mod partitioned;
mod payload;
mod port;
mod probe;
mod process;
mod reply;
mod request;
#[cfg(test)]
pub(crate) mod seam;
mod thread;

use serde::{Deserialize, Serialize};

pub use self::{
    buffer::{Buffer, BufferCall, BufferOwner},
    clock::ClockCall,
    collective::{
        CollectiveCall, CollectiveEntry, CollectiveKind, Counts, Declared, Form, Neighbors,
        ROOT_ELSEWHERE, ROOT_SELF, Reduction, Types,
    },
    communicator::CommCall,
    error::{ErrorCall, ReportCall},
    message::{Incoming, Layout, MessageCall, Mode, Outgoing, Source},
    object::TypeCall,
    operation::Operation,
    partitioned::{Partitioned, PartitionedCall},
    payload::{Few, Payload},
    port::PortCall,
    probe::ProbeCall,
    process::ProcessCall,
    reply::{CommInfo, Completion, Received, Reply},
    request::{Completing, RequestCall},
    thread::{Parking, ThreadBody, ThreadCall, Threading},
};
pub use sim_core::{Address, Frame, Place, Site};

use crate::kernel::call_name;

/// The identifier of a communicator: the same for all its members, assigned by the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CommId(pub u32);

impl CommId {
    /// `MPI_COMM_WORLD`.
    pub const WORLD: Self = Self(0);
    /// `MPI_COMM_SELF` of the calling rank.
    pub const SELF: Self = Self(1);
}

/// The identifier of a request owned by one rank; never reused within a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RequestId {
    /// Slot in the kernel's request table.
    pub index: u32,
    /// Number of times the slot had been used before.
    pub generation: u32,
}

/// The identifier of a message that a matched probe took out of its queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MatchedId(pub u64);

/// One call, with the place in the program that made it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Call {
    /// Place in the program.
    pub site: Site,
    /// The operation and its arguments.
    pub operation: Operation,
}

impl Call {
    /// Returns the name of the called function, in the spelling of the program's language.
    pub fn name(&self) -> &'static str {
        match &self.operation {
            Operation::Thread(ThreadCall::Park(parking)) => parking.call,
            operation => self.site.call().unwrap_or_else(|| call_name(operation)),
        }
    }
}
