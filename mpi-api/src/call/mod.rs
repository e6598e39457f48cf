//! The calls that a rank's coroutine makes to the kernel, and the replies.
//!
//! Calls and replies are values: bytes, numbers and names, which could cross to another process. A
//! function that a rank has to run itself is named by its number in a table on the side of the
//! ranks. A [`Call`] owns its bytes: the kernel never holds a pointer into a program's stack, which
//! keeps the whole path memory-safe. Data are passed packed and contiguous; the `api` layer unpacks
//! them into the program's layout on the rank's stack after the reply.

mod absent;
mod body;
mod buffer;
mod clock;
mod collective;
mod communicator;
mod error;
mod file;
mod id;
mod message;
mod name;
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
mod tool;
mod window;

pub(crate) use self::communicator::GroupTag;
pub use self::{
    buffer::{BSEND_OVERHEAD, Buffer, BufferCall, BufferOwner},
    clock::ClockCall,
    collective::{
        CollectiveCall, CollectiveEntry, CollectiveKind, Counts, Declared, Form, Management,
        Neighbors, ROOT_ELSEWHERE, ROOT_SELF, Reduction, Types,
    },
    communicator::{CommCall, CommInfo},
    error::{ErrorCall, ReportCall},
    file::{
        Administration, Brought, Direction, FileAccess, FileCall, FileId, FileMeeting, FileMode,
        Manner, Moved, PlainCall, Pointer, Position, Whence,
    },
    id::{CommId, MatchedId, RequestId},
    message::{Incoming, Layout, MessageCall, Mode, Outgoing, Source},
    object::TypeCall,
    operation::{Call, Operation},
    partitioned::{Partitioned, PartitionedCall},
    payload::{Few, Payload},
    port::PortCall,
    probe::ProbeCall,
    process::ProcessCall,
    reply::{Completion, Received, Reply},
    request::{Completing, RequestCall},
    thread::{Parking, ThreadBody, ThreadCall, Threading},
    tool::{Control, EventKind, Gauge, MatchEvent, MatchEvents, ToolCall},
    window::{
        Access, AccessCompletion, Action, Assertions, Flavor, LockType, MemoryId, Runs, SameParts,
        Use, WindowCall, WindowId, WindowPart, WindowSynchronization,
    },
};
pub use sim_core::{Address, Frame, Place, Site};
