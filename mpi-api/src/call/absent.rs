//! Calls whose data are left out, so that only their sizes are simulated.

use super::{
    CollectiveCall, CollectiveEntry, Counts, MessageCall, Operation, PartitionedCall, Payload,
    RequestCall,
};

impl Payload {
    /// Leaves out data of more than `limit` bytes.
    fn leave_out(&mut self, limit: u64) {
        let bytes = self.bytes();
        if bytes > limit {
            *self = Self::Absent(bytes);
        }
    }
}

impl Counts {
    /// Returns the size of the largest block.
    fn largest(&self) -> u64 {
        match self {
            Self::None => 0,
            Self::Uniform(bytes) => *bytes,
            Self::Each(list) => list.iter().copied().max().unwrap_or(0),
        }
    }
}

impl CollectiveCall {
    /// Leaves out the data if a block has more than `limit` bytes, so that ranks with blocks of the
    /// same size do the same.
    fn leave_out(&mut self, limit: u64) {
        if !self.essential && self.send.largest().max(self.receive.largest()) > limit {
            self.absent = true;
            self.input = Vec::new();
        }
    }
}

impl Operation {
    /// Leaves out the data of messages, and of collective operations by the size of their blocks, if
    /// they have more than `limit` bytes.
    pub(crate) fn leave_out(&mut self, limit: u64) {
        match self {
            Self::Message(call) => match call {
                MessageCall::Send(send)
                | MessageCall::StartSend(send)
                | MessageCall::StartDetachedSend(send)
                | MessageCall::InitSend(send)
                | MessageCall::SendReceive(send, _)
                | MessageCall::StartSendReceive(send, _) => send.payload.leave_out(limit),
                MessageCall::Receive(_)
                | MessageCall::StartReceive(_)
                | MessageCall::InitReceive(_) => {}
            },
            Self::Request(RequestCall::Start(list)) => {
                let payloads = list.iter_mut().filter_map(|(_, payload)| payload.as_mut());
                payloads.for_each(|payload| payload.leave_out(limit));
            }
            Self::Partitioned(PartitionedCall::Ready(_, parts)) => {
                parts.iter_mut().for_each(|(_, payload)| payload.leave_out(limit));
            }
            Self::Collective(entry) => match entry {
                CollectiveEntry::Blocking(call)
                | CollectiveEntry::Immediate(call)
                | CollectiveEntry::Persistent(call) => call.leave_out(limit),
            },
            Self::Request(_)
            | Self::Probe(_)
            | Self::Partitioned(_)
            | Self::Buffer(_)
            | Self::Comm(_)
            // Atomic operations and files need data.
            | Self::Window(_)
            | Self::File(_)
            | Self::Process(_)
            | Self::Port(_)
            | Self::Type(_)
            | Self::Error(_)
            | Self::Report(_)
            | Self::Clock(_)
            | Self::Tool(_)
            | Self::Thread(_) => {}
        }
    }
}
