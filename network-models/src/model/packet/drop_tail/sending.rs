//! The sending end of connections: windows, time-outs and packets that leave their nodes.

use rand::RngExt;
use sim_core::{SimDuration, SimTime};

use super::{DropTail, Event, Packet, connection::Segment, queue::Service};

impl DropTail {
    /// Sends what the window of a connection allows.
    pub(super) fn send(&mut self, now: SimTime, connection: u32) {
        while let Some(number) = self.connections[connection as usize].sender.next() {
            self.transmit(now, connection, number);
        }
        self.set_timer(now, connection, false);
    }

    /// Hands a packet to the port of its node.
    fn transmit(&mut self, now: SimTime, connection: u32, number: u64) {
        self.follow_changes(now, connection);
        let place = &mut self.connections[connection as usize];
        let Segment { bytes, ends, left, .. } = place.segment(number);
        let (route, port) = place.way();
        // A port has space without limit and is never cut.
        let Service::Sent(start, end) = self.queues[port as usize].take(now, bytes, now) else {
            return;
        };
        let index = (number - place.sender.first()) as usize;
        let again = left.is_some();
        place.segments[index].left = Some((start, end));
        place.segments[index].again = again;
        place.active = end;
        self.losses.sent += 1;
        self.losses.retransmitted += u64::from(again);
        if let Some(id) = ends.filter(|_| !again) {
            self.events.schedule(end, Event::Released(id));
        }
        let last = ends.is_some();
        let head = self.leave_node(port, start, bytes);
        let complete = head + end.since(start);
        let packet = Packet { connection, route, number, bytes, last, step: 1, complete };
        let packet = self.packets.insert(packet) as u32;
        self.events.schedule(head, Event::Queued(packet));
    }

    /// Returns when the head of a packet that a port sends from `start` on is at the first link.
    fn leave_node(&mut self, port: u32, start: SimTime, bytes: u64) -> SimTime {
        let (random, last) = &mut self.delays[(port - self.topology.link_count()) as usize];
        let mut head = start + self.queues[port as usize].delay;
        if self.losses.dropped > 0 {
            let most = self.parameters.bandwidth.time_for(bytes).as_ps();
            head = (head + SimDuration::from_ps(random.random_range(0..=most))).max(*last);
            *last = head;
        }
        head
    }

    /// Sets the timer of a connection, if packets are not acknowledged; again, if it is set.
    fn set_timer(&mut self, now: SimTime, connection: u32, again: bool) {
        let place = &mut self.connections[connection as usize];
        if place.timer.is_some() && !again {
            return;
        }
        if let Some(old) = place.timer.take() {
            self.timers.remove(&(old, connection));
        }
        if place.sender.has_outstanding() {
            let left = place.segment(place.sender.first()).left;
            let from = left.map_or(now, |(_, end)| now.max(end));
            let time = from + place.sender.timeout();
            place.timer = Some(time);
            self.timers.insert((time, connection));
        }
    }

    /// Takes an acknowledgement and sends what it allows.
    pub(super) fn acknowledge(
        &mut self,
        now: SimTime,
        connection: u32,
        missing: u64,
        arrived: u64,
    ) {
        let place = &mut self.connections[connection as usize];
        place.active = place.active.max(now);
        let before = place.sender.first();
        let count = missing.saturating_sub(before) as usize;
        let known: Vec<Segment> = place.segments.drain(..count).collect();
        let again = known.iter().any(|segment| segment.again);
        let left = known.last().filter(|_| !again).and_then(|segment| segment.left);
        let sample = left.map(|(start, _)| now.since(start));
        let lost = place.sender.acknowledge(missing, arrived, sample);
        if let Some(number) = lost {
            self.transmit(now, connection, number);
        }
        if count > 0 || lost.is_some() {
            self.set_timer(now, connection, true);
        }
        self.send(now, connection);
    }

    /// Sends the packets of a connection again from the first that is not acknowledged on; gives up if no
    /// path is left and no later change brings one.
    pub(super) fn time_out(&mut self, now: SimTime, connection: u32) {
        let has_future = self.has_future(now, connection);
        let place = &mut self.connections[connection as usize];
        place.timer = None;
        if !has_future {
            self.given_up.insert(connection);
            return;
        }
        place.sender.time_out();
        self.losses.timeouts += 1;
        self.send(now, connection);
    }
}
