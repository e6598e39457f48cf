//! [`NodeShape`]: the inside of a node, sockets with memory of limited bandwidth.

use std::collections::VecDeque;

use sim_core::{SimDuration, SimTime};

use crate::{
    network::{Delivery, Flight, LocalPath, NodeId},
    nics::RankPorts,
    units::Bandwidth,
};

/// The sockets of every node of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeShape {
    /// Number of sockets of a node; at least 1.
    pub sockets: u32,
    /// Number of cores of a socket; `None` sets no limit to the ranks of a node.
    pub cores: Option<u32>,
    /// Rate of the memory of a socket, which all its messages share; `None` is infinite.
    pub memory: Option<Bandwidth>,
    /// The path between ranks of one socket.
    pub within: LocalPath,
    /// The path between ranks on different sockets of a node.
    pub across: LocalPath,
}

impl NodeShape {
    /// Returns the number of cores of a node, if there is a limit.
    pub fn cores(&self) -> Option<u32> {
        self.cores.map(|cores| cores.saturating_mul(self.sockets))
    }

    /// Returns the socket of each rank, given its node. The ranks of a node fill its sockets one
    /// after the other, in order, `each` on a socket; ranks that are left over begin with the first
    /// socket again.
    pub fn sockets_of(&self, nodes: &[NodeId], each: u32) -> Vec<u32> {
        let count = nodes.iter().map(|node| node.0 as usize + 1).max().unwrap_or(0);
        let mut held = vec![0u32; count];
        let mut socket = |node: &NodeId| {
            let place = &mut held[node.0 as usize];
            *place += 1;
            (*place - 1) / each.max(1) % self.sockets
        };
        nodes.iter().map(&mut socket).collect()
    }
}

/// The nodes of a machine with sockets, and the socket of each rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankSockets {
    /// The sockets of every node.
    pub shape: NodeShape,
    /// Socket of each rank within its node. Further ranks, such as those started during a run, are on
    /// socket 0.
    pub of_ranks: Vec<u32>,
    /// The NICs of the nodes and the one that each rank uses; `None` is one in each node, as near to all
    /// sockets.
    pub ports: Option<RankPorts>,
}

impl RankSockets {
    /// Returns the socket of a rank within its node.
    pub fn of(&self, rank: u32) -> u32 {
        self.of_ranks.get(rank as usize).copied().unwrap_or(0)
    }
}

/// The memory of the sockets of all nodes, which carries the messages within nodes.
///
/// A message is copied at the rate of its path, and the memory of a socket carries one message at a
/// time, in the order in which they are sent: that of the sender's socket when it is read, that of the
/// receiver's when it is written. So many ranks that copy at once share the memory's rate, and a few
/// get that of the path.
///
/// # Validity
/// Caches are not modelled, nor the memory traffic of the network's ports and of computing.
#[derive(Debug)]
pub struct NodeMemory {
    shape: NodeShape,
    /// For each socket of each node: when its memory is free. What is missing is free.
    free: Vec<SimTime>,
}

impl NodeMemory {
    /// Creates the memory of nodes within which no message is under way.
    pub fn new(shape: NodeShape) -> Self {
        Self { shape, free: Vec::new() }
    }

    /// Returns how long a message between two sockets of a node is copied.
    pub fn copies(&self, (from, to): (u32, u32), bytes: u64) -> SimDuration {
        self.path(from, to).copies(bytes)
    }

    fn path(&self, from: u32, to: u32) -> LocalPath {
        if from == to { self.shape.within } else { self.shape.across }
    }

    /// Carries a message between two sockets of a node that is sent `now` and that its sender begins to copy at a time.
    pub fn carry(
        &mut self,
        (now, begins): (SimTime, SimTime),
        node: NodeId,
        (from, to): (u32, u32),
        bytes: u64,
    ) -> Delivery {
        let path = self.path(from, to);
        let busy = self.shape.memory.map_or(SimDuration::ZERO, |rate| rate.time_for(bytes));
        let first = node.0 as usize * self.shape.sockets as usize;
        let mut released = begins + path.copies(bytes);
        for socket in [from, to].map(|socket| first + socket as usize) {
            if socket >= self.free.len() {
                self.free.resize(socket + 1, SimTime::ZERO);
            }
            let free = &mut self.free[socket];
            *free = now.max(*free) + busy;
            released = released.max(*free);
        }
        let arrival = Some(released + path.latency);
        Delivery { accepted: now, flight: Some(Flight { released, arrival }) }
    }
}

/// The ranks that copy messages within nodes: each copies one message at a time on its way out, in the order in which they are
/// sent, and one on its way in.
///
/// So a rank sends to others of its node, or receives from them, at the rate of one path however many messages are under
/// way, as between nodes it does through a port. Messages without bytes wait for nothing.
#[derive(Debug, Default)]
pub struct Copying {
    /// What each rank copies. What is missing is free.
    ranks: Vec<Copier>,
}

/// What a rank copies.
#[derive(Clone, Debug, Default)]
struct Copier {
    /// When it has copied all that it has sent.
    sent: SimTime,
    /// When it copies what it is sent.
    received: Calendar,
}

impl Copying {
    /// Carries a message between two ranks of a node that each of them copies in `time`; `copy` returns how it is delivered if
    /// its sender begins to copy it at a time.
    pub fn carry(
        &mut self,
        now: SimTime,
        (from, to): (u32, u32),
        time: SimDuration,
        copy: impl FnOnce(SimTime) -> Delivery,
    ) -> Delivery {
        if time == SimDuration::ZERO {
            return copy(now);
        }
        let last = from.max(to) as usize;
        if last >= self.ranks.len() {
            self.ranks.resize(last + 1, Copier::default());
        }
        let begins = now.max(self.ranks[from as usize].sent);
        let mut delivery = copy(begins);
        delivery.accepted = now;
        if let Some(Flight { released, arrival }) = &mut delivery.flight {
            self.ranks[from as usize].sent = *released;
            // Memory that others use may make the sender wait before.
            let copied = begins + (released.since(begins) - time);
            let follows = self.ranks[to as usize].received.book(now, copied, time);
            arrival.iter_mut().for_each(|arrival| *arrival += follows.since(copied));
        }
        delivery
    }
}

/// The times at which something is in use that serves one message at a time: the first gap that is long enough is taken, so
/// that messages which come later may be served before.
#[derive(Clone, Debug, Default)]
struct Calendar {
    /// Beginnings and ends, in order and apart from each other.
    busy: VecDeque<(SimTime, SimTime)>,
}

impl Calendar {
    /// Takes a time of this length that does not begin before `earliest`, and returns its beginning. What is over `now` is
    /// forgotten.
    fn book(&mut self, now: SimTime, earliest: SimTime, time: SimDuration) -> SimTime {
        while self.busy.front().is_some_and(|(_, end)| *end <= now) {
            self.busy.pop_front();
        }
        let mut begins = earliest;
        let mut place = 0;
        for (from, to) in &self.busy {
            if begins + time <= *from {
                break;
            }
            begins = begins.max(*to);
            place += 1;
        }
        let ends = begins + time;
        let joins_last = place > 0 && self.busy[place - 1].1 == begins;
        let joins_next = self.busy.get(place).is_some_and(|(from, _)| *from == ends);
        match (joins_last, joins_next) {
            (true, true) => {
                let next = self.busy.remove(place).map_or(ends, |(_, end)| end);
                self.busy[place - 1].1 = next;
            }
            (true, false) => self.busy[place - 1].1 = ends,
            (false, true) => self.busy[place].0 = begins,
            (false, false) => self.busy.insert(place, (begins, ends)),
        }
        begins
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Paths of 10 and 5 GB/s, memory of 20 GB/s.
    fn shape() -> NodeShape {
        let path = |latency, rate| LocalPath {
            latency: SimDuration::from_ns(latency),
            bandwidth: Some(Bandwidth::from_bytes_per_sec(rate)),
        };
        NodeShape {
            sockets: 2,
            cores: Some(4),
            memory: Some(Bandwidth::from_bytes_per_sec(20_000_000_000)),
            within: path(100, 10_000_000_000),
            across: path(200, 5_000_000_000),
        }
    }

    /// Sends messages at once within node 0 and returns the nanoseconds at which they arrive.
    fn arrivals(sockets: &[(u32, u32)], bytes: u64) -> Vec<u64> {
        let mut memory = NodeMemory::new(shape());
        let mut arrival = |sockets: &(u32, u32)| {
            let delivery = memory.carry((SimTime::ZERO, SimTime::ZERO), NodeId(0), *sockets, bytes);
            delivery.arrival().expect("it is known").as_ps() / 1000
        };
        sockets.iter().map(&mut arrival).collect()
    }

    #[test]
    fn one_message_takes_its_path() {
        // Within a socket its memory is used twice, which is as fast as the path.
        assert_eq!(arrivals(&[(0, 0)], 10_000), [1000 + 100]);
        assert_eq!(arrivals(&[(1, 1)], 10_000), [1000 + 100]);
        assert_eq!(arrivals(&[(0, 1)], 10_000), [2000 + 200]);
        assert_eq!(arrivals(&[(1, 0)], 0), [200]);
    }

    #[test]
    fn many_messages_share_the_memory_of_a_socket() {
        // Each uses the memory for 1 us.
        let four = arrivals(&[(0, 0); 4], 10_000);
        assert_eq!(four, [1100, 2100, 3100, 4100]);
        // Each socket's memory is used for 0.5 us by each.
        assert_eq!(arrivals(&[(0, 1); 6], 10_000), [2200, 2200, 2200, 2200, 2700, 3200]);
        // Sockets do not slow each other down.
        assert_eq!(arrivals(&[(0, 0), (1, 1)], 10_000), [1100, 1100]);
    }

    #[test]
    fn a_rank_copies_one_message_at_a_time() {
        let mut copying = Copying::default();
        let mut arrival = |ends, ns| {
            let time = SimDuration::from_ns(ns);
            let delivery = copying.carry(SimTime::ZERO, ends, time, |begins| {
                let path = LocalPath { latency: SimDuration::from_ns(100), bandwidth: None };
                path.carry(begins + time, 8)
            });
            assert_eq!(delivery.accepted, SimTime::ZERO);
            let flight = delivery.flight.expect("it is known");
            let arrival = flight.arrival.expect("it is known");
            [flight.released, arrival].map(|time| time.as_ps() / 1000)
        };
        assert_eq!(arrival((0, 1), 50), [50, 150]);
        assert_eq!(arrival((0, 2), 50), [100, 200], "behind what the rank has sent");
        assert_eq!(arrival((3, 1), 50), [50, 200], "behind what the other one is sent");
        assert_eq!(arrival((4, 5), 50), [50, 150]);
        assert_eq!(arrival((1, 0), 50), [50, 150], "the ways out and in are apart");
        assert_eq!(arrival((6, 2), 50), [50, 150], "before what is copied later");
    }

    #[test]
    fn gaps_are_taken_and_the_past_is_forgotten() {
        let at = |ns| SimTime::ZERO + SimDuration::from_ns(ns);
        let mut calendar = Calendar::default();
        let mut book = |now, earliest, ns| {
            calendar.book(at(now), at(earliest), SimDuration::from_ns(ns)).as_ps() / 1000
        };
        assert_eq!([book(0, 100, 50), book(0, 0, 60), book(0, 0, 50)], [100, 0, 150]);
        assert_eq!([book(0, 0, 40), book(0, 0, 1)], [60, 200], "the gap is full");
        assert_eq!(book(300, 300, 10), 300);
        assert_eq!(calendar.busy.len(), 1);
    }

    #[test]
    fn ranks_fill_sockets_in_order_on_each_node() {
        let nodes = |list: &[u32]| list.iter().copied().map(NodeId).collect::<Vec<_>>();
        let shape = shape();
        assert_eq!(shape.sockets_of(&nodes(&[0, 0, 0, 0, 1, 1]), 2), [0, 0, 1, 1, 0, 0]);
        assert_eq!(shape.sockets_of(&nodes(&[0, 1, 0, 1, 0, 1]), 1), [0, 0, 1, 1, 0, 0]);
        assert_eq!(shape.cores(), Some(8));
    }
}
