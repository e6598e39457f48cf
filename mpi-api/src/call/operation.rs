//! A call, and the operations that a rank can request from the kernel, in families.

use serde::{Deserialize, Serialize};

use super::{
    BufferCall, ClockCall, CollectiveEntry, CommCall, ErrorCall, FileCall, MessageCall,
    PartitionedCall, PortCall, ProbeCall, ProcessCall, ReportCall, RequestCall, Site, ThreadCall,
    ToolCall, TypeCall, WindowCall,
};

/// Defines [`Operation`] with the conversion from each of its families.
macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident($family:ty),)*) => {
        /// A request of a rank to the kernel. Each family is executed by one part of the kernel.
        #[derive(Debug, Serialize, Deserialize)]
        pub enum Operation {
            $($(#[$doc])* $name($family),)*
        }

        $(impl From<$family> for Operation {
            #[inline(always)]
            fn from(call: $family) -> Self {
                Self::$name(call)
            }
        })*
    };
}

operations! {
    /// Sends and receives.
    Message(MessageCall),
    /// Requests that exist.
    Request(RequestCall),
    /// Probes and receives of matched messages.
    Probe(ProbeCall),
    /// Partitioned communication.
    Partitioned(PartitionedCall),
    /// Attached buffers.
    Buffer(BufferCall),
    /// Collective operations.
    Collective(CollectiveEntry),
    /// Communicators.
    Comm(CommCall),
    /// One-sided communication.
    Window(WindowCall),
    /// Input and output.
    File(FileCall),
    /// Beginning, meeting and end of processes.
    Process(ProcessCall),
    /// Names of ports.
    Port(PortCall),
    /// Derived datatypes.
    Type(TypeCall),
    /// Error handlers.
    Error(ErrorCall),
    /// Faults found above the kernel.
    Report(ReportCall),
    /// Simulated time.
    Clock(ClockCall),
    /// Threads of the calling rank.
    Thread(ThreadCall),
    /// The tools interface.
    Tool(ToolCall),
}

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
    #[inline]
    pub fn name(&self) -> &'static str {
        match &self.operation {
            Operation::Message(call) => self.site.call().unwrap_or_else(|| call.name()),
            Operation::Thread(ThreadCall::Park(parking)) => parking.call,
            operation => self.site.call().unwrap_or_else(|| operation.name()),
        }
    }
}
