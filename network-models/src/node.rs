//! [`NodeShape`]: the inside of a node, sockets with memory of limited bandwidth.

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

    /// Carries a message between two sockets of a node.
    pub fn carry(
        &mut self,
        now: SimTime,
        node: NodeId,
        (from, to): (u32, u32),
        bytes: u64,
    ) -> Delivery {
        let path = self.path(from, to);
        let busy = self.shape.memory.map_or(SimDuration::ZERO, |rate| rate.time_for(bytes));
        let copied = now + path.copies(bytes);
        let first = node.0 as usize * self.shape.sockets as usize;
        let mut released = copied;
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

/// The ranks that copy messages within nodes: each copies one message at a time on its way out, and one on its way in, in the
/// order in which they are sent.
///
/// So a rank sends to others of its node, or receives from them, at the rate of one path however many messages are under
/// way, as between nodes it does through a port. Messages without bytes wait for nothing.
#[derive(Debug, Default)]
pub struct Copying {
    /// When each rank has copied what it has sent, and what it is sent. What is missing is free.
    free: Vec<[SimTime; 2]>,
}

impl Copying {
    /// Delays a message between two ranks of a node, which would be delivered like this if nothing else was copied, and copied
    /// in `time`.
    pub fn delay(
        &mut self,
        now: SimTime,
        (from, to): (u32, u32),
        time: SimDuration,
        delivery: Delivery,
    ) -> Delivery {
        if time == SimDuration::ZERO {
            return delivery;
        }
        let last = from.max(to) as usize;
        if last >= self.free.len() {
            self.free.resize(last + 1, [SimTime::ZERO; 2]);
        }
        let [out, _] = &mut self.free[from as usize];
        let begins = now.max(*out);
        *out = begins + time;
        let [_, into] = &mut self.free[to as usize];
        let follows = begins.max(*into);
        *into = follows + time;
        let delayed = |flight: Flight| Flight {
            released: flight.released + begins.since(now),
            arrival: flight.arrival.map(|arrival| arrival + follows.since(now)),
        };
        Delivery { flight: delivery.flight.map(delayed), ..delivery }
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
            let delivery = memory.carry(SimTime::ZERO, NodeId(0), *sockets, bytes);
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
            let delivery = LocalPath { latency: SimDuration::from_ns(100), bandwidth: None };
            let delivery = delivery.carry(SimTime::ZERO + time, 8);
            let delivery = Delivery { accepted: SimTime::ZERO, ..delivery };
            let delayed = copying.delay(SimTime::ZERO, ends, time, delivery);
            let flight = delayed.flight.expect("it is known");
            let arrival = flight.arrival.expect("it is known");
            [flight.released, arrival].map(|time| time.as_ps() / 1000)
        };
        assert_eq!(arrival((0, 1), 50), [50, 150]);
        assert_eq!(arrival((0, 2), 50), [100, 200], "behind what the rank has sent");
        assert_eq!(arrival((3, 1), 50), [50, 200], "behind what the other one is sent");
        assert_eq!(arrival((0, 1), 0), [0, 100], "no bytes");
        assert_eq!(arrival((4, 5), 50), [50, 150]);
        assert_eq!(arrival((1, 0), 50), [50, 150], "the ways out and in are apart");
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
