//! Calls whose data are left out, so that only their sizes are simulated.

use super::{
    CollectiveCall, CollectiveEntry, CollectiveKind, Counts, MessageCall, Operation,
    PartitionedCall, Payload, RequestCall,
};

impl Payload {
    /// Returns whether a run that carries data of at most `limit` bytes leaves out as many as these.
    #[inline]
    fn is_left_out(bytes: u64, limit: u64) -> bool {
        bytes > limit
    }

    /// Returns the payload of this many bytes that `pack` makes. It is not called, and the data are not read, where a run
    /// that carries data of at most `limit` bytes leaves them out.
    #[inline]
    pub fn carried(bytes: u64, limit: Option<u64>, pack: impl FnOnce() -> Self) -> Self {
        match limit {
            Some(limit) if Self::is_left_out(bytes, limit) => Self::Absent(bytes),
            Some(_) | None => pack(),
        }
    }

    /// Leaves out data of more than `limit` bytes.
    fn leave_out(&mut self, limit: u64) {
        let bytes = self.bytes();
        if Self::is_left_out(bytes, limit) {
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
    /// Returns whether a run that carries data of at most `limit` bytes leaves out those of this operation: if a block
    /// has more, so that ranks with blocks of the same size do the same.
    fn is_left_out(&self, limit: u64) -> bool {
        let largest = self.send.largest().max(self.receive.largest());
        !self.essential && Payload::is_left_out(largest, limit)
    }

    /// Returns whether a rank gives one block, of this many bytes.
    fn gives_one_block(&self, bytes: u64) -> bool {
        use CollectiveKind as K;
        match self.kind {
            K::Broadcast
            | K::Gather
            | K::Allgather
            | K::Reduce
            | K::Allreduce
            | K::Scan
            | K::Exscan => {
                matches!(self.send, Counts::Uniform(block) if block == bytes)
            }
            K::Barrier
            | K::Scatter
            | K::Alltoall
            | K::ReduceScatter
            | K::NeighborAllgather
            | K::NeighborAlltoall
            | K::Management(_) => false,
        }
    }

    /// Gives the data of `bytes` bytes that `pack` makes. It is not called, and the data are not read, where the run leaves
    /// them out and a single block says how many there are.
    #[inline]
    pub fn give(&mut self, bytes: u64, limit: Option<u64>, pack: impl FnOnce() -> Vec<u8>) {
        match limit {
            Some(limit) if self.gives_one_block(bytes) && self.is_left_out(limit) => {
                self.absent = true
            }
            Some(_) | None => self.input = pack(),
        }
    }

    /// Leaves out the data of this operation if the run does.
    fn leave_out(&mut self, limit: u64) {
        if self.is_left_out(limit) {
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
