//! [`NodeNics`]: the network interfaces of a node, and [`RankPorts`]: which of them each rank uses.

use sim_core::SimDuration;

use crate::network::NodeId;

/// The network interfaces (NICs) of every node of a machine.
///
/// A NIC is a place of the network: a node of k NICs has k consecutive nodes of the topology, each with
/// the port and the cables of one. So all models see what shares a NIC, and what does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeNics {
    /// Socket of each NIC; at least one.
    pub sockets: Vec<u32>,
    /// Time that a message takes in addition for each of its ends whose rank is on another socket than
    /// its NIC.
    pub across: SimDuration,
}

impl NodeNics {
    /// Divides `count` NICs among sockets as equally as possible, in order.
    pub fn divided(count: u32, sockets: u32) -> Vec<u32> {
        let socket = |nic: u32| u64::from(nic) * u64::from(sockets) / u64::from(count.max(1));
        (0..count).map(|nic| socket(nic) as u32).collect()
    }

    /// Returns the number of NICs of a node.
    pub fn count(&self) -> u32 {
        self.sockets.len() as u32
    }

    /// Returns the ports of ranks, given the node and the socket of each. The ranks of a socket take the
    /// NICs of their socket in turn; ranks on a socket without a NIC take all NICs of their node in turn.
    pub fn ports(&self, nodes: &[NodeId], sockets: &[u32]) -> RankPorts {
        let highest =
            |values: &mut dyn Iterator<Item = u32>| values.max().map_or(0, |most| most + 1);
        let places = highest(&mut sockets.iter().copied()) as usize;
        let mut turns = vec![0; highest(&mut nodes.iter().map(|node| node.0)) as usize * places];
        // Ranks without a NIC of their own on a node take turns together.
        let mut others = vec![0; turns.len() / places.max(1)];
        let mut port = |(node, socket): (&NodeId, &u32)| {
            let turn = if self.on(*socket).next().is_some() {
                &mut turns[node.0 as usize * places + *socket as usize]
            } else {
                &mut others[node.0 as usize]
            };
            *turn += 1;
            self.port(*socket, *turn - 1)
        };
        RankPorts {
            count: self.count(),
            of_ranks: nodes.iter().zip(sockets).map(&mut port).collect(),
            of_others: self.port(0, 0),
        }
    }

    /// Returns the NICs of a socket.
    fn on(&self, socket: u32) -> impl Iterator<Item = u32> {
        let nics = (0..).zip(&self.sockets);
        nics.filter(move |(_, at)| **at == socket).map(|(nic, _)| nic)
    }

    /// Returns the NIC that a socket uses at a turn.
    fn port(&self, socket: u32, turn: u32) -> RankPort {
        let own: Vec<u32> = self.on(socket).collect();
        match own.len() {
            0 => RankPort { nic: turn % self.count(), delay: self.across },
            count => RankPort { nic: own[turn as usize % count], delay: SimDuration::ZERO },
        }
    }
}

/// The NIC of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankPort {
    /// Number of the NIC within its node.
    pub nic: u32,
    /// Time between the rank and the NIC.
    pub delay: SimDuration,
}

/// The NICs that ranks use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankPorts {
    /// Number of NICs of a node.
    count: u32,
    of_ranks: Vec<RankPort>,
    /// That of ranks which are started during the run.
    of_others: RankPort,
}

impl RankPorts {
    /// Returns the place of a rank's NIC in the network, given the node of the rank, and the time
    /// between both.
    pub fn of(&self, rank: u32, node: NodeId) -> (NodeId, SimDuration) {
        let RankPort { nic, delay } =
            self.of_ranks.get(rank as usize).copied().unwrap_or(self.of_others);
        (NodeId(node.0 * self.count + nic), delay)
    }

    /// Returns the place of the first NIC of a node.
    pub fn first_of(&self, node: NodeId) -> NodeId {
        NodeId(node.0 * self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACROSS: SimDuration = SimDuration::from_ns(150);

    fn ports(nics: &[u32], nodes: &[u32], sockets: &[u32]) -> Vec<(u32, u64)> {
        let nics = NodeNics { sockets: nics.to_vec(), across: ACROSS };
        let nodes: Vec<NodeId> = nodes.iter().copied().map(NodeId).collect();
        let ports = nics.ports(&nodes, sockets);
        let port = |(rank, node): (u32, &NodeId)| {
            let (place, delay) = ports.of(rank, *node);
            (place.0, delay.as_ps() / 1000)
        };
        (0..).zip(&nodes).map(port).collect()
    }

    #[test]
    fn ranks_use_the_nics_of_their_socket_in_turn() {
        // Two NICs on each of two sockets, three ranks on each.
        let found = ports(&[0, 0, 1, 1], &[0; 6], &[0, 0, 0, 1, 1, 1]);
        assert_eq!(found, [(0, 0), (1, 0), (0, 0), (2, 0), (3, 0), (2, 0)]);
        // Turns of nodes do not mix.
        assert_eq!(ports(&[0, 0], &[0, 1, 0, 1], &[0; 4]), [(0, 0), (2, 0), (1, 0), (3, 0)]);
    }

    #[test]
    fn ranks_without_a_nic_on_their_socket_take_all_in_turn_and_longer() {
        assert_eq!(ports(&[1], &[0, 0], &[0, 1]), [(0, 150), (0, 0)]);
        // Sockets 1 and 3 have none.
        let found = ports(&[0, 2], &[0; 6], &[0, 1, 2, 3, 1, 3]);
        assert_eq!(found, [(0, 0), (0, 150), (1, 0), (1, 150), (0, 150), (1, 150)]);
    }

    #[test]
    fn nics_are_divided_among_sockets_in_order() {
        let cases: [(u32, u32, &[u32]); 5] = [
            (1, 2, &[0]),
            (2, 2, &[0, 1]),
            (4, 2, &[0, 0, 1, 1]),
            (2, 4, &[0, 2]),
            (3, 2, &[0, 0, 1]),
        ];
        for (count, sockets, expected) in cases {
            assert_eq!(NodeNics::divided(count, sockets), expected, "{count} on {sockets}");
        }
    }

    #[test]
    fn ranks_that_are_started_use_the_first_nic_of_socket_0() {
        let nics = NodeNics { sockets: vec![1, 0], across: ACROSS };
        let ports = nics.ports(&[], &[]);
        assert_eq!(ports.of(7, NodeId(3)), (NodeId(7), SimDuration::ZERO));
        let nics = NodeNics { sockets: vec![1, 1], across: ACROSS };
        assert_eq!(nics.ports(&[], &[]).of(0, NodeId(3)), (NodeId(6), ACROSS));
    }
}
