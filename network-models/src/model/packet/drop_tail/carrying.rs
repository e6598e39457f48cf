//! The way of packets through queues, and the receiving end of connections.

use sim_core::SimTime;

use super::{DropTail, Event, Packet, queue::Service};
use crate::{
    network::{Occupancy, Progress, Report},
    topology::LinkId,
};

impl DropTail {
    /// Lets a packet join the next queue of its route.
    pub(super) fn join(&mut self, now: SimTime, number: u32) {
        let packet = self.packets[number as usize];
        let Packet { bytes, step, complete, last, .. } = packet;
        let route = &self.connections[packet.connection as usize].routes[packet.route as usize];
        let server = route[step as usize];
        let next = route.get(step as usize + 1).copied();
        let queue = &mut self.queues[server as usize];
        let service = queue.take(now, bytes, complete);
        let (delay, stores) = (queue.delay, queue.stores);
        if let Service::Sent(start, end) | Service::Cut(start, end) = service {
            let whole = matches!(service, Service::Sent(..));
            let occupancy = Occupancy { link: LinkId(server), start, end };
            let carried = if whole { bytes } else { 0 };
            if self.usage.add(now, occupancy, (carried, whole && last)) {
                self.log.add(occupancy);
            }
        }
        let Service::Sent(start, end) = service else {
            self.losses.dropped += 1;
            self.losses.cut += u64::from(service != Service::Full);
            self.packets.remove(number as usize);
            return;
        };
        let Some(next) = next else {
            self.events.schedule(end, Event::Arrived(number));
            return;
        };
        let stored = stores && self.queues[next as usize].stores;
        self.packets[number as usize].step += 1;
        self.packets[number as usize].complete = end + delay;
        let from = if stored { end } else { start };
        self.events.schedule(from + delay, Event::Queued(number));
    }

    /// Ends the way of a packet and acknowledges it.
    pub(super) fn arrive(&mut self, now: SimTime, packet: u32, reports: &mut Vec<Report>) {
        let Packet { connection, number, .. } = self.packets.remove(packet as usize);
        self.losses.delivered += 1;
        self.follow_changes(now, connection);
        let place = &mut self.connections[connection as usize];
        let before = place.receiver.next();
        let missing = place.receiver.take(number);
        for next in before..missing {
            if let Some(id) = place.segment(next).ends {
                reports.push(Report { id, progress: Progress::Arrived, time: now });
            }
        }
        if let Some(back) = place.back {
            let event = Event::Acknowledged { connection, missing, arrived: number };
            self.events.schedule(now + back, event);
        }
    }
}
