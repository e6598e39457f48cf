//! Prefetching for messages inside collectives: with many ranks, the part that a message is for has
//! left the processor's caches since its last message.

use sim_core::ProcessId;

use super::execution::Execution;
use crate::kernel::MpiKernel;

impl MpiKernel {
    /// Returns the index of the part that a message is for, if its receiver has entered.
    fn part_of(&self, packet: u32) -> Option<u32> {
        let p = self.collectives.packets.get(packet)?;
        let rank = self.ranks.get(p.target as usize)?;
        rank.executing.get(&(p.context, p.tag)).copied()
    }

    /// Prefetches the part that a message is for, and the receiver's lists of partners: it answers with
    /// a message. The records of the message and its receiver have been prefetched.
    pub(in crate::kernel) fn foresee_part(&self, packet: u32) {
        let Some(p) = self.collectives.packets.get(packet) else { return };
        let rank = &self.ranks[p.target as usize];
        rank.expected.prefetch();
        rank.sent.prefetch();
        if let Some(index) = rank.executing.get(&(p.context, p.tag)) {
            sim_core::prefetch::<Execution>(&self.collectives.executions[*index]);
        }
    }

    /// Prefetches the memory that the data of a message are written to and combined with. Returns the
    /// receiver if this is its last round: no other message of a collective resumes it, and a stack
    /// takes as many cache lines as all the rest.
    pub(in crate::kernel) fn foresee_operands(&self, packet: u32) -> Option<ProcessId> {
        let e = &self.collectives.executions[self.part_of(packet)?];
        e.buffers.prefetch();
        let is_last = e.round + 1 >= e.schedule.round_ends.len();
        is_last.then_some(ProcessId(e.rank))
    }
}
