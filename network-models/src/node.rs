//! [`NodeShape`]: the inside of a node, sockets with memory of limited bandwidth.

use sim_core::{SimDuration, SimTime};

use crate::{
    network::{
        Delivery, EventDriven, Flight, LinkLog, LinkView, LocalPath, Network, NetworkDeadlock,
        NodeId, PacketLosses, Transfer,
    },
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

/// A network whose nodes have sockets.
///
/// A message within a node is copied at the rate of its path, and the memory of a socket carries one
/// message at a time, in the order in which they are sent: that of the sender's socket when it is
/// read, that of the receiver's when it is written. So many ranks that copy at once share the memory's
/// rate, and a few get that of the path. A message to another node is left to the network.
///
/// # Validity
/// Caches are not modelled, nor the memory traffic of the network's ports and of computing.
pub struct Sockets {
    network: Box<dyn Network>,
    shape: NodeShape,
    /// For each socket of each node: when its memory is free.
    free: Vec<SimTime>,
}

impl Sockets {
    /// Gives the nodes of a network sockets.
    pub fn new(network: Box<dyn Network>, shape: NodeShape, nodes: u32) -> Self {
        let count = nodes as usize * shape.sockets as usize;
        Self { network, shape, free: vec![SimTime::ZERO; count] }
    }

    /// Uses the memory of a socket for a number of bytes, from `now` on at the earliest. Returns
    /// when it is done.
    fn occupy(&mut self, now: SimTime, socket: usize, bytes: u64) -> SimTime {
        let busy = self.shape.memory.map_or(SimDuration::ZERO, |rate| rate.time_for(bytes));
        let free = &mut self.free[socket];
        *free = now.max(*free) + busy;
        *free
    }
}

impl Network for Sockets {
    fn inject(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
        self.network.inject(now, transfer)
    }

    fn inject_within(
        &mut self,
        now: SimTime,
        transfer: Transfer,
        (from, to): (u32, u32),
    ) -> Delivery {
        let path = if from == to { self.shape.within } else { self.shape.across };
        let copied =
            now + path.bandwidth.map_or(SimDuration::ZERO, |rate| rate.time_for(transfer.bytes));
        let first = transfer.source.0 as usize * self.shape.sockets as usize;
        let ends = [from, to].map(|socket| first + socket as usize);
        let used = ends.map(|socket| self.occupy(now, socket, transfer.bytes));
        let released = copied.max(used[0]).max(used[1]);
        let arrival = Some(released + path.latency);
        Delivery { accepted: now, flight: Some(Flight { released, arrival }) }
    }

    fn inject_through_port(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
        self.network.inject_through_port(now, transfer)
    }

    fn event_driven(&mut self) -> Option<&mut dyn EventDriven> {
        self.network.event_driven()
    }

    fn deadlock(&self) -> Option<NetworkDeadlock> {
        self.network.deadlock()
    }

    fn cycle(&self) -> Option<SimDuration> {
        self.network.cycle()
    }

    fn links(&self) -> Option<LinkView<'_>> {
        self.network.links()
    }

    fn losses(&self) -> Option<PacketLosses> {
        self.network.losses()
    }

    fn link_log(&mut self) -> Option<&mut LinkLog> {
        self.network.link_log()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{LogGp, LogGpParameters},
        network::TransferId,
        units::ByteTime,
    };

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

    fn node() -> Sockets {
        let parameters = LogGpParameters {
            latency: SimDuration::from_ns(1000),
            gap: SimDuration::ZERO,
            byte_time: ByteTime::from_fs(1_000_000),
            duplex_factor: 1,
        };
        let local = LocalPath { latency: SimDuration::ZERO, bandwidth: None };
        Sockets::new(Box::new(LogGp::new(parameters, 2, local)), shape(), 2)
    }

    /// Sends messages at once within node 0 and returns the nanoseconds at which they arrive.
    fn arrivals(sockets: &[(u32, u32)], bytes: u64) -> Vec<u64> {
        let mut node = node();
        let mut arrival = |(id, sockets): (u64, &(u32, u32))| {
            let id = TransferId(id);
            let transfer = Transfer { id, source: NodeId(0), target: NodeId(0), bytes };
            let delivery = node.inject_within(SimTime::ZERO, transfer, *sockets);
            delivery.arrival().expect("it is known").as_ps() / 1000
        };
        (0..).zip(sockets).map(&mut arrival).collect()
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
    fn ranks_fill_sockets_in_order_on_each_node() {
        let nodes = |list: &[u32]| list.iter().copied().map(NodeId).collect::<Vec<_>>();
        let shape = shape();
        assert_eq!(shape.sockets_of(&nodes(&[0, 0, 0, 0, 1, 1]), 2), [0, 0, 1, 1, 0, 0]);
        assert_eq!(shape.sockets_of(&nodes(&[0, 1, 0, 1, 0, 1]), 1), [0, 0, 1, 1, 0, 0]);
        assert_eq!(shape.cores(), Some(8));
    }

    #[test]
    fn messages_to_other_nodes_are_left_to_the_network() {
        let transfer =
            Transfer { id: TransferId(0), source: NodeId(0), target: NodeId(1), bytes: 1000 };
        let arrival = node().inject(SimTime::ZERO, transfer).arrival();
        assert_eq!(arrival, Some(SimTime::from_ps(2_000_000)));
    }
}
