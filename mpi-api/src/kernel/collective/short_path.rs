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

use crate::kernel::collective::{collectives::Collectives, packet::Packet};
use crate::{
    collective::Region,
    kernel::{
        Event, MpiKernel, Sched,
        request::table::internal_context,
        transport::{
            message::Vacate,
            protocol::{inside_collective, receiver_copies},
        },
    },
    trace::Protocol,
};

impl MpiKernel {
    /// Sends a region to a member by the short path, when the rank has time for it; false, without
    /// any effect, if the message has to take the general path.
    #[inline]
    pub(super) fn send_packet(
        &mut self,
        index: u32,
        (to, from): (u32, Region),
        s: &mut Sched,
    ) -> bool {
        let limit = self.settings.buffering.eager_limit;
        let protocol = inside_collective(from.bytes, limit, self.settings.synchronisation);
        if !self.shortcuts.short_ways || protocol != Protocol::Eager {
            return false;
        }
        let Collectives { executions, packets, .. } = &mut self.collectives;
        let e = &mut executions[index];
        if e.absent {
            return false;
        }
        let (source, target) = (e.rank, e.members.world_rank(to));
        let sender = &mut self.ranks[source as usize];
        let (id, sequence) = self.sent.register(sender, target, from.bytes);
        let packet = packets.reuse().unwrap_or_else(|| packets.insert(Packet::new()));
        let p = &mut packets[packet];
        p.live = true;
        p.tag = e.tag;
        p.id = id;
        (p.source, p.target) = (source, target);
        (p.source_rank, p.context, p.sequence) = (e.me, internal_context(e.comm), sequence);
        p.execution = index;
        p.posted = s.now();
        p.load(e.buffers.region(from));
        if e.busy_until > s.now() {
            e.outstanding += 1;
            s.schedule(e.busy_until, Event::PacketLeaves(packet));
            return true;
        }
        let (ends, event) = ((source, target), Event::Packet(packet));
        let delivery = self.wire.transfer(&self.settings, ends, from.bytes, event, s);
        e.sent_until = e.sent_until.max(delivery.accepted);
        true
    }

    /// Puts a message that its sender has prepared into the network.
    pub(crate) fn packet_leaves(&mut self, packet: u32, s: &mut Sched) {
        let p = &self.collectives.packets[packet];
        let (source, target, execution) = (p.source, p.target, p.execution);
        let bytes = p.data.len() as u64;
        let accepted = self.transfer(source, target, bytes, Event::Packet(packet), s);
        self.step_sent(execution, accepted, s);
    }

    /// Handles a message at its receiver. Messages of one sender are admitted in the order sent.
    // Message and rank are looked up once for the usual case, a receiver that waits for the message.
    pub(crate) fn packet_arrives(&mut self, packet: u32, s: &mut Sched) {
        let Collectives { executions, packets, .. } = &mut self.collectives;
        let p = &mut packets[packet];
        let (source, target) = (p.source, p.target);
        let state = &mut self.ranks[target as usize];
        let expected = state.expected.or_default(source);
        if *expected != p.sequence {
            let message = self.make_general(packet, s.now());
            self.ranks[target as usize].early.push(message);
            return;
        }
        *expected += 1;
        let alone = state.early.is_empty();
        let awaited = state.executing.get(&(p.context, p.tag)).and_then(|index| {
            let e = &mut executions[*index];
            Some((*index, e.awaited.take(p.source_rank)?, e))
        });
        if let Some((index, into, e)) = awaited {
            s.record(p.id);
            let given = p.data.len() as u64;
            let filled = match e.absent {
                true => given == into.bytes,
                false => e.buffers.fill(into, &p.data),
            };
            p.vacate();
            packets.give_back(packet);
            if filled {
                self.step_filled(index, given, receiver_copies(Protocol::Eager, false), s);
            } else {
                self.report_blocks(index, source, (given, into.bytes), s);
            }
        } else {
            let message = self.make_general(packet, s.now());
            self.keep_internal(message);
        }
        if !alone {
            self.admit_early(source, target, s);
        }
    }

    /// Turns a message of the short path into a general one.
    #[cold]
    fn make_general(&mut self, packet: u32, now: SimTime) -> u32 {
        let message = self.collectives.packets[packet].to_message(now);
        self.collectives.packets.free(packet);
        self.messages.insert(message)
    }
}
