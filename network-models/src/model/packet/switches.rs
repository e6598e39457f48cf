//! [`Switches`]: packets that wait for servers, which are links and ports, and for space behind
//! them.

use std::{cmp::Reverse, collections::BinaryHeap, num::NonZeroU64};

use sim_core::{SimDuration, SimTime};
use slab::Slab;

use super::agenda::{Agenda, Classed};
use crate::units::Bandwidth;

/// What carries packets one at a time: a link or a port.
#[derive(Clone, Copy, Debug)]
pub(super) struct Server {
    /// `None` takes no time.
    pub(super) rate: Option<Bandwidth>,
    /// Time from here to the next server.
    pub(super) delay: SimDuration,
    /// Time after which this server knows that a packet has left the buffer behind it.
    pub(super) credit_delay: SimDuration,
    /// Whether the whole packet is received before the next server of this kind sends it.
    pub(super) stores: bool,
    /// Number of virtual channels.
    pub(super) channels: u32,
    /// Space behind it for each virtual channel, in bytes, at least that of the largest packet; `None` is
    /// unlimited.
    pub(super) room: Option<NonZeroU64>,
    /// Whether a packet takes its space when it is sent, not when it is there. Without it, packets that
    /// come when the space is full are kept, too, and the server waits until there is space again.
    pub(super) reserves: bool,
}

/// A virtual channel of a server, as a step of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Channel {
    pub(super) server: u32,
    /// Number of the virtual channel, below the server's number of them.
    pub(super) lane: u32,
}

/// A packet that has left a server.
#[derive(Clone, Copy, Debug)]
pub(super) struct Left {
    pub(super) server: u32,
    /// The number of its message.
    pub(super) message: u32,
    pub(super) bytes: u64,
    /// Whether it is the last packet of its message.
    pub(super) last: bool,
    pub(super) start: SimTime,
    pub(super) end: SimTime,
}

/// A packet before a server.
#[derive(Clone, Copy, Debug)]
struct Packet {
    message: u32,
    bytes: u64,
    last: bool,
    /// Index of the server in the route.
    step: u32,
    /// When all of the packet is there.
    complete: SimTime,
    /// Number of packets that were sent before it.
    age: u64,
}

impl Packet {
    /// Returns the bytes that it takes of a buffer. One without data takes some, too, so that the number of
    /// packets in a buffer is finite.
    fn space(&self) -> u32 {
        self.bytes.max(1) as u32
    }
}

/// A packet that a server carries. Its head may be before the next servers already.
#[derive(Clone, Copy, Debug)]
struct Carried {
    packet: Packet,
    start: SimTime,
}

/// Returns the space behind a server while no packet is there.
fn room_of(server: &Server) -> i64 {
    server.room.map_or(i64::MAX, |room| room.get() as i64)
}

/// The packets that wait for a virtual channel, and the space behind it.
#[derive(Clone, Debug)]
struct Lane {
    /// Ages and numbers.
    waiting: BinaryHeap<Reverse<(u64, u32)>>,
    /// In bytes; negative where more have come than there is space for.
    room: i64,
}

impl Lane {
    /// Returns the age of the packet that goes next, if one waits and there is space for it behind `server`. A shorter
    /// packet that would fit does not overtake it.
    fn ready(&self, server: &Server, packets: &Slab<Packet>) -> Option<u64> {
        let Reverse((age, number)) = self.waiting.peek()?;
        let needed = if server.reserves { packets[*number as usize].space().into() } else { 1 };
        (self.room >= needed).then_some(*age)
    }
}

#[derive(Clone, Debug)]
struct State {
    server: Server,
    /// Number of the first lane.
    lanes: u32,
    carries: Option<Carried>,
    /// Number of packets that wait for it.
    waiting: u32,
}

#[derive(Clone, Copy, Debug)]
enum Event {
    /// A server has carried its packet.
    Left(u32),
    /// A lane of a server gets back this space, in bytes.
    Credit(Channel, u32),
    /// The first byte of a packet is before the next server of its route.
    Ready(u32),
}

impl Classed for Event {
    /// Events at one time happen in the order of the variants.
    fn class(&self) -> usize {
        match self {
            Self::Left(_) => 0,
            Self::Credit(..) => 1,
            Self::Ready(_) => 2,
        }
    }
}

/// Servers and the packets among them.
///
/// Of the packets that can go, a server carries the one that was sent first (arbitration by age;
/// Abts and Weisser 2007). So packets on their way precede new ones, which would take the space
/// that the others wait for, and no packet is held back for ever.
///
/// Determinism: events at equal times happen in the order of [`Event`] and then of their causes.
#[derive(Debug)]
pub(super) struct Switches {
    servers: Vec<State>,
    lanes: Vec<Lane>,
    packets: Slab<Packet>,
    sent: u64,
    /// The route of each message.
    routes: Vec<Vec<Channel>>,
    events: Agenda<Event>,
}

impl Switches {
    /// Creates servers that carry nothing.
    pub(super) fn new(servers: impl IntoIterator<Item = Server>) -> Self {
        let mut lanes = Vec::new();
        let state = |server: Server| {
            let first = lanes.len() as u32;
            let room = room_of(&server);
            let lane = Lane { waiting: BinaryHeap::new(), room };
            lanes.extend(std::iter::repeat_n(lane, server.channels as usize));
            State { server, lanes: first, carries: None, waiting: 0 }
        };
        Self {
            servers: servers.into_iter().map(state).collect(),
            lanes,
            packets: Slab::new(),
            sent: 0,
            routes: Vec::new(),
            events: Agenda::new(),
        }
    }

    /// Changes the rate of a server for the packets that it begins to carry from now on.
    pub(super) fn set_rate(&mut self, server: u32, rate: Bandwidth) {
        self.servers[server as usize].server.rate = Some(rate);
    }

    /// Returns the time of the next event.
    pub(super) fn next_time(&self) -> Option<SimTime> {
        self.events.next_time()
    }

    /// Returns the number of packets that a server carries or that wait for it.
    pub(super) fn queued(&self, server: u32) -> u64 {
        let state = &self.servers[server as usize];
        u64::from(state.waiting) + u64::from(state.carries.is_some())
    }

    /// Returns each channel whose buffer a packet holds, with the channel in whose buffer it waits for space, if nothing moves.
    pub(super) fn waits(&self) -> impl Iterator<Item = [Channel; 2]> {
        self.packets.iter().filter_map(|(_, packet)| {
            let route = &self.routes[packet.message as usize];
            let step = packet.step as usize;
            Some([route[step.checked_sub(1)?], route[step]])
        })
    }

    /// Returns whether no packet is anywhere and all buffers are empty.
    #[cfg(test)]
    pub(super) fn is_idle(&self) -> bool {
        let empty = |state: &State| {
            let room = room_of(&state.server);
            let lanes = &self.lanes[state.lanes as usize..][..state.server.channels as usize];
            state.carries.is_none() && lanes.iter().all(|lane| lane.room == room)
        };
        self.events.is_empty() && self.packets.is_empty() && self.servers.iter().all(empty)
    }

    /// Returns the empty route of a message that has no packets, to be filled in.
    pub(super) fn new_route(&mut self, message: u32) -> &mut Vec<Channel> {
        let place = message as usize;
        if place >= self.routes.len() {
            self.routes.resize(place + 1, Vec::new());
        }
        self.routes[place].clear();
        &mut self.routes[place]
    }

    /// Sends a packet along the route of its message.
    pub(super) fn send(&mut self, now: SimTime, message: u32, bytes: u64, last: bool) {
        let age = self.sent;
        self.sent += 1;
        let packet = Packet { message, bytes, last, step: 0, complete: now, age };
        let number = self.packets.insert(packet) as u32;
        self.arrive(number, now);
    }

    /// Executes the next event; returns the packet that has left a server, if the event is that.
    pub(super) fn step(&mut self) -> Option<Left> {
        let (now, event) = self.events.pop()?;
        match event {
            Event::Left(server) => return Some(self.leave(server, now)),
            Event::Credit(channel, space) => self.credit(channel, space, now),
            Event::Ready(number) => self.arrive(number, now),
        }
        None
    }

    /// Lets a packet wait for the next server of its route.
    fn arrive(&mut self, number: u32, now: SimTime) {
        let packet = self.packets[number as usize];
        let route = &self.routes[packet.message as usize];
        let channel = route[packet.step as usize];
        if let Some(before) = packet.step.checked_sub(1) {
            let Channel { server, lane } = route[before as usize];
            let state = &self.servers[server as usize];
            if state.server.room.is_some() && !state.server.reserves {
                self.lanes[(state.lanes + lane) as usize].room -= i64::from(packet.space());
            }
        }
        let state = &mut self.servers[channel.server as usize];
        state.waiting += 1;
        let lane = &mut self.lanes[(state.lanes + channel.lane) as usize];
        lane.waiting.push(Reverse((packet.age, number)));
        self.serve(channel.server, now);
    }

    /// Lets a server carry the oldest packet that has space behind it, if the server is free.
    fn serve(&mut self, server: u32, now: SimTime) {
        let state = &mut self.servers[server as usize];
        if state.carries.is_some() || state.waiting == 0 {
            return;
        }
        let lanes = &mut self.lanes[state.lanes as usize..][..state.server.channels as usize];
        let packets = &self.packets;
        let ready =
            lanes.iter_mut().filter_map(|lane| Some((lane.ready(&state.server, packets)?, lane)));
        let Some((_, queue)) = ready.min_by_key(|(age, _)| *age) else { return };
        let Some(Reverse((_, number))) = queue.waiting.pop() else { return };
        let waiting = &mut self.packets[number as usize];
        if state.server.room.is_some() && state.server.reserves {
            queue.room -= i64::from(waiting.space());
        }
        state.waiting -= 1;
        let packet = *waiting;
        state.carries = Some(Carried { packet, start: now });
        let Server { rate, delay, stores, .. } = state.server;
        let time = rate.map_or(SimDuration::ZERO, |rate| rate.time_for(packet.bytes));
        let end = (now + time).max(packet.complete);
        self.events.schedule(end, Event::Left(server));
        match self.routes[packet.message as usize].get(packet.step as usize + 1) {
            Some(next) => {
                waiting.step += 1;
                waiting.complete = end + delay;
                let stored = stores && self.servers[next.server as usize].server.stores;
                let from = if stored { end } else { now };
                self.events.schedule(from + delay, Event::Ready(number));
            }
            None => {
                self.packets.remove(number as usize);
            }
        }
    }

    /// Ends the packet that a server carries: the buffer in which it was has space again.
    fn leave(&mut self, server: u32, now: SimTime) -> Left {
        let carried = self.servers[server as usize].carries.take();
        let Carried { packet, start } = carried.expect("it carries one until then");
        let Packet { message, bytes, last, step, .. } = packet;
        if let Some(before) = step.checked_sub(1) {
            let channel = self.routes[message as usize][before as usize];
            let Server { credit_delay, room, .. } = self.servers[channel.server as usize].server;
            if room.is_some() && credit_delay == SimDuration::ZERO {
                self.credit(channel, packet.space(), now);
            } else if room.is_some() {
                self.events.schedule(now + credit_delay, Event::Credit(channel, packet.space()));
            }
        }
        self.serve(server, now);
        Left { server, message, bytes, last, start, end: now }
    }

    /// Adds space behind a channel.
    fn credit(&mut self, channel: Channel, space: u32, now: SimTime) {
        let first = self.servers[channel.server as usize].lanes;
        self.lanes[(first + channel.lane) as usize].room += i64::from(space);
        self.serve(channel.server, now);
    }
}
