//! [`Connection`]: the packets from one node to another, and the queues on their way.

use std::collections::VecDeque;

use sim_core::{SimDuration, SimTime};

use super::{
    DropTail,
    receiver::Receiver,
    sender::{Control, Sender},
};
use crate::network::{NodeId, Transfer, TransferId};

/// The packets from one node to another.
#[derive(Debug)]
pub(super) struct Connection {
    /// The two nodes.
    pub(super) ends: (NodeId, NodeId),
    /// The queues on the way, as it was from time to time; new packets take the last one.
    pub(super) routes: Vec<Vec<u32>>,
    /// When links change next.
    pub(super) until: Option<SimTime>,
    /// Time of an acknowledgement; `None` if no path leads back.
    pub(super) back: Option<SimDuration>,
    pub(super) sender: Sender,
    pub(super) receiver: Receiver,
    /// The packets that are not acknowledged, from [`Sender::first`] on.
    pub(super) segments: VecDeque<Segment>,
    pub(super) timer: Option<SimTime>,
    /// When it sent or received something last.
    pub(super) active: SimTime,
}

impl Connection {
    pub(super) fn segment(&self, number: u64) -> Segment {
        self.segments[(number - self.sender.first()) as usize]
    }

    /// Returns the number of the route of new packets and its first queue, the port of the node.
    pub(super) fn way(&self) -> (u32, u32) {
        let last = self.routes.len() - 1;
        (last as u32, self.routes[last][0])
    }

    /// Returns the messages that have not arrived, in order.
    pub(super) fn missing(&self) -> impl Iterator<Item = TransferId> {
        let arrived = (self.receiver.next() - self.sender.first()) as usize;
        self.segments.iter().skip(arrived).filter_map(|segment| segment.ends)
    }
}

/// Bytes of a message that takes the turn of a route: all packets of a connection have one route, so that they come in order.
const TURN: u64 = 1;

/// A packet that is not acknowledged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) bytes: u64,
    /// The message of which it is the last packet.
    pub(super) ends: Option<TransferId>,
    /// When it left its node last, from its first byte to its last.
    pub(super) left: Option<(SimTime, SimTime)>,
    /// Whether it was sent several times.
    pub(super) again: bool,
}

impl DropTail {
    /// Returns the connection from one node to another. Its routes and times are those at `now`.
    pub(super) fn connection(&mut self, now: SimTime, source: NodeId, target: NodeId) -> u32 {
        if let Some(number) = self.numbers.get(&(source, target)) {
            return *number;
        }
        let number = self.connections.len() as u32;
        let back = self.idle_time(now, (target, source), 0);
        let whole = self.idle_time(now, (source, target), self.parameters.size.get().into());
        let control = Control {
            least: self.parameters.least_timeout,
            window: self.parameters.window.get(),
            selective: self.parameters.selective,
        };
        let connection = Connection {
            ends: (source, target),
            routes: Vec::new(),
            until: None,
            back: None,
            sender: Sender::new(control, whole + back),
            receiver: Receiver::default(),
            segments: VecDeque::new(),
            timer: None,
            active: SimTime::ZERO,
        };
        self.connections.push(connection);
        self.numbers.insert((source, target), number);
        self.renew(now, number);
        number
    }

    /// Gives a connection the route and the time back that hold at `now`, if links have changed.
    pub(super) fn follow_changes(&mut self, now: SimTime, connection: u32) {
        if self.connections[connection as usize].until.is_some_and(|until| until <= now) {
            self.renew(now, connection);
        }
    }

    fn renew(&mut self, now: SimTime, connection: u32) {
        let (source, target) = self.connections[connection as usize].ends;
        let timeline = self.paths.timeline();
        let until = timeline.change_from(now + SimDuration::from_ps(1));
        let joined = timeline.at(now).reaches(target, source);
        let route = self.route(now, (source, target), TURN);
        let back = joined.then(|| self.idle_time(now, (target, source), 0));
        let place = &mut self.connections[connection as usize];
        (place.until, place.back) = (until, back);
        if place.routes.last() != Some(&route) {
            place.routes.push(route);
        }
    }

    /// Returns whether packets and acknowledgements of a connection have a path, now or after a later
    /// change.
    pub(super) fn has_future(&self, now: SimTime, connection: u32) -> bool {
        let (source, target) = self.connections[connection as usize].ends;
        let mut later = self.paths.timeline().from(now);
        later.any(|it| it.reaches(source, target) && it.reaches(target, source))
    }

    /// Returns the queues from one node to another. Those of the links are in `links`, too. Where no path
    /// is left, the route leads over a link that is cut. If several routes of a node take turns, this is the next one, which
    /// is used up if there are `bytes` to send.
    fn route(&mut self, now: SimTime, (source, target): (NodeId, NodeId), bytes: u64) -> Vec<u32> {
        let links = self.topology.link_count();
        let message = Transfer { id: TransferId(0), source, target, bytes };
        let sent = self.paths.send(now, &message);
        self.paths.links(sent, (source, target), &mut self.links);
        let path = &self.links;
        let out = self.topology.port(path[0], source);
        let into = self.topology.port(path[path.len() - 1], target);
        let mut route = vec![links + out];
        route.extend(path.iter().map(|link| link.0));
        route.push(links + self.topology.ports() + into);
        route
    }

    /// Returns the time of a packet on an idle network.
    fn idle_time(&mut self, now: SimTime, ends: (NodeId, NodeId), bytes: u64) -> SimDuration {
        let (mut head, mut complete) = (SimDuration::ZERO, SimDuration::ZERO);
        let route = self.route(now, ends, 0);
        for (place, number) in route.iter().enumerate() {
            let queue = &self.queues[*number as usize];
            complete = complete.max(head + queue.time_for(now, bytes));
            let next = route.get(place + 1).is_some_and(|next| self.queues[*next as usize].stores);
            head = if queue.stores && next { complete } else { head } + queue.delay;
            complete += queue.delay;
        }
        complete
    }
}
