//! The short path of messages inside collectives: an eager message for which its receiver waits.
//!
//! The schedule says what the message is, so that it has no types, no request and no place in the
//! queues: its record is small, keeps its memory from one message to the next, and is dropped as
//! soon as the data are in the receiver's buffer. Anything unusual (the receiver has not reached the
//! round, or an earlier message of the sender was overtaken) first becomes the message that it would
//! have been. Both paths give the same events at the same times and the same digest.
//!
//! Runs that look at single messages (traces, exploration, nodes that represent data differently)
//! take the general path.

use sim_core::SimTime;

use crate::kernel::collective::packet::Packet;
use crate::{
    collective::Region,
    kernel::{
        Event, MpiKernel, Sched,
        request::table::internal_context,
        transport::protocol::{inside_collective, receiver_copies},
    },
    trace::Protocol,
};

impl MpiKernel {
    /// Sends a region to a member by the short path, prepared at `at`; false, without any effect,
    /// if the message has to take the general path.
    #[inline]
    pub(super) fn send_packet(
        &mut self,
        index: u32,
        (to, from): (u32, Region),
        at: SimTime,
        s: &mut Sched,
    ) -> bool {
        let limit = self.settings.buffering.eager_limit;
        let protocol = inside_collective(from.bytes, limit, self.settings.synchronisation);
        if !self.shortcuts.short_ways || protocol != Protocol::Eager {
            return false;
        }
        let e = &self.collectives.executions[index];
        let (source, target) = (e.rank, e.members.world_rank(to));
        let (source_rank, context, tag) = (e.me, internal_context(e.comm), e.tag);
        let (id, sequence) = self.register(source, target, from.bytes);
        let packet = self
            .collectives
            .packets
            .reuse()
            .unwrap_or_else(|| self.collectives.packets.insert(Packet::new()));
        let p = &mut self.collectives.packets[packet];
        p.live = true;
        p.tag = tag;
        p.id = id;
        (p.source, p.target) = (source, target);
        (p.source_rank, p.context, p.sequence) = (source_rank, context, sequence);
        p.execution = index;
        p.posted = s.now();
        p.data.clear();
        p.data.extend_from_slice(self.collectives.executions[index].buffers.region(from));
        if at > s.now() {
            self.collectives.executions[index].outstanding += 1;
            s.schedule(at, Event::PacketLeaves(packet));
            return true;
        }
        let (accepted, _) = self.transfer(source, target, from.bytes, Event::Packet(packet), s);
        let e = &mut self.collectives.executions[index];
        e.sent_until = e.sent_until.max(accepted);
        true
    }

    /// Puts a message that its sender has prepared into the network.
    pub(crate) fn packet_leaves(&mut self, packet: u32, s: &mut Sched) {
        let p = &self.collectives.packets[packet];
        let (source, target, execution) = (p.source, p.target, p.execution);
        let bytes = p.data.len() as u64;
        let (accepted, _) = self.transfer(source, target, bytes, Event::Packet(packet), s);
        self.step_sent(execution, accepted, s);
    }

    /// Handles a message at its receiver. Messages of one sender are admitted in the order sent.
    pub(crate) fn packet_arrives(&mut self, packet: u32, s: &mut Sched) {
        let p = &self.collectives.packets[packet];
        let (source, target, sequence) = (p.source, p.target, p.sequence);
        let state = &mut self.ranks[target as usize];
        let expected = state.expected.or_default(source);
        if *expected != sequence {
            let message = self.make_general(packet, s.now());
            self.ranks[target as usize].early.push(message);
            return;
        }
        *expected += 1;
        let alone = state.early.is_empty();
        self.admit_packet(packet, s);
        if !alone {
            self.admit_early(source, target, s);
        }
    }

    #[inline]
    fn admit_packet(&mut self, packet: u32, s: &mut Sched) {
        let p = &self.collectives.packets[packet];
        let executing = &self.ranks[p.target as usize].executing;
        let awaited = executing.get(&(p.context, p.tag)).and_then(|index| {
            let into = self.collectives.executions[*index].take_awaited(p.source_rank)?;
            Some((*index, into))
        });
        let Some((index, into)) = awaited else {
            let message = self.make_general(packet, s.now());
            self.keep_internal(message);
            return;
        };
        let p = &self.collectives.packets[packet];
        s.record(p.id);
        let source = p.source;
        let filled = self.collectives.executions[index].buffers.fill(into, &p.data);
        let given = p.data.len() as u64;
        self.collectives.packets.free(packet);
        let copies = receiver_copies(Protocol::Eager, false);
        self.step_filled(index, (source, given, copies), (into, filled), s);
    }

    /// Turns a message of the short path into a general one.
    #[cold]
    fn make_general(&mut self, packet: u32, now: SimTime) -> u32 {
        let message = self.collectives.packets[packet].to_message(now);
        self.collectives.packets.free(packet);
        self.messages.insert(message)
    }
}
