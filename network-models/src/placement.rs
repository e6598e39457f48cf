//! Which node each rank lives on.

use rand::RngExt;

use crate::{network::NodeId, topology::Topology};

/// A placement as users write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlacementSpec {
    /// Puts rank r on node r / ranks-per-node: `in-order`, or `block`.
    InOrder,
    /// Puts rank r on node r mod n, where n is the number of nodes that hold the ranks.
    Cyclic,
    /// Puts ranks on random nodes, drawn from a seed.
    Random(u64),
    /// Puts rank r on node gray(r) of a hypercube, so that neighbours on a ring stay neighbours.
    Gray,
    /// Puts each rank on the node that the list has for it.
    List(Vec<u32>),
}

/// Why ranks cannot be placed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlacementError {
    /// No placement has this name.
    #[error("no placement is called `{}`; there are {}", .0, PlacementSpec::FORMS.join(", "))]
    Unknown(String),
    /// The topology is no hypercube, which a Gray code needs.
    #[error("gray placement needs a hypercube, and the topology is {0}")]
    NotHypercube(String),
    /// A node has several NICs, each a place of the hypercube.
    #[error("gray placement needs nodes with one NIC, and those of the machine have several")]
    SeveralNics,
    /// A listed node does not exist.
    #[error("rank {rank} is placed on node {node}, and there are {nodes} nodes")]
    NoSuchNode {
        /// The rank.
        rank: usize,
        /// The node in the list.
        node: u32,
        /// The number of nodes of the topology.
        nodes: u32,
    },
    /// The list has another number of entries than there are ranks.
    #[error("the placement lists {listed} ranks, and the program has {ranks}")]
    WrongLength {
        /// The number of entries.
        listed: usize,
        /// The number of ranks.
        ranks: u32,
    },
}

impl PlacementSpec {
    /// The placements as they are written. `file:PATH` is not one for [`PlacementSpec::parse`], since files are
    /// not read here.
    pub const FORMS: [&str; 7] =
        ["in-order", "block", "cyclic", "random", "random:SEED", "gray", "file:PATH"];

    /// Reads a placement other than `file:`; `random` without a seed takes `seed`.
    ///
    /// # Errors
    /// [`PlacementError::Unknown`] if no placement has this name.
    pub fn parse(text: &str, seed: u64) -> Result<Self, PlacementError> {
        match text {
            "in-order" | "block" => Ok(Self::InOrder),
            "cyclic" => Ok(Self::Cyclic),
            "gray" => Ok(Self::Gray),
            "random" => Ok(Self::Random(seed)),
            _ => text
                .strip_prefix("random:")
                .and_then(|seed| seed.parse().ok())
                .map(Self::Random)
                .ok_or_else(|| PlacementError::Unknown(text.to_string())),
        }
    }

    /// Returns the node of each rank.
    ///
    /// # Errors
    /// If the placement does not fit the topology.
    pub fn place(
        &self,
        ranks: u32,
        ranks_per_node: u32,
        topology: &Topology,
    ) -> Result<Vec<NodeId>, PlacementError> {
        let nodes_of_machine = topology.machine_nodes();
        let in_order = (0..ranks).map(|rank| rank / ranks_per_node.max(1));
        match self {
            Self::InOrder => Ok(in_order.map(NodeId).collect()),
            Self::Cyclic => {
                let nodes = ranks.div_ceil(ranks_per_node.max(1)).max(1);
                Ok((0..ranks).map(|rank| NodeId(rank % nodes)).collect())
            }
            Self::Random(seed) => {
                let mut nodes: Vec<u32> = (0..nodes_of_machine).collect();
                let mut stream = sim_core::stream(*seed, "placement", 0);
                sim_core::shuffle(&mut nodes, |last| stream.random_range(0..=last));
                Ok(in_order.map(|slot| NodeId(nodes[slot as usize])).collect())
            }
            Self::Gray if topology.nics() > 1 => Err(PlacementError::SeveralNics),
            Self::Gray if !topology.axes().is_some_and(|axes| axes.is_binary()) => {
                Err(PlacementError::NotHypercube(topology.name().to_string()))
            }
            Self::Gray => Ok(in_order.map(|slot| NodeId(slot ^ slot >> 1)).collect()),
            Self::List(list) => {
                if list.len() != ranks as usize {
                    return Err(PlacementError::WrongLength { listed: list.len(), ranks });
                }
                let nodes = nodes_of_machine;
                match list.iter().position(|node| *node >= nodes) {
                    Some(rank) => Err(PlacementError::NoSuchNode { rank, node: list[rank], nodes }),
                    None => Ok(list.iter().copied().map(NodeId).collect()),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::TopologySpec;

    #[test]
    fn gray_keeps_ring_neighbours_next_to_each_other() {
        let topology =
            "hypercube:5".parse::<TopologySpec>().expect("a topology").build(32).expect("it fits");
        let nodes = PlacementSpec::Gray.place(32, 1, &topology).expect("a hypercube");
        for rank in 0..32 {
            let apart = nodes[rank].0 ^ nodes[(rank + 1) % 32].0;
            assert_eq!(apart.count_ones(), 1);
        }
    }

    #[test]
    fn cyclic_placement_deals_ranks_to_as_few_nodes_as_hold_them() {
        let topology = "crossbar:8".parse::<TopologySpec>().expect("a topology").build(8);
        let spec = PlacementSpec::parse("cyclic", 0).expect("a placement");
        let nodes = spec.place(7, 2, &topology.expect("it fits")).expect("it fits");
        assert_eq!(nodes, [0, 1, 2, 3, 0, 1, 2].map(NodeId));
        assert_eq!(PlacementSpec::parse("block", 0), Ok(PlacementSpec::InOrder));
    }

    #[test]
    fn every_form_but_a_file_is_parsed() {
        let forms = PlacementSpec::FORMS.into_iter().filter(|form| !form.starts_with("file:"));
        for form in forms {
            assert!(PlacementSpec::parse(&form.replace("SEED", "7"), 0).is_ok(), "{form}");
        }
    }

    #[test]
    fn random_placement_is_a_permutation_from_its_seed() {
        let topology =
            "crossbar:16".parse::<TopologySpec>().expect("a topology").build(16).expect("it fits");
        let place = |seed| PlacementSpec::Random(seed).place(16, 1, &topology).expect("it fits");
        assert_eq!(place(1), place(1));
        assert_ne!(place(1), place(2));
        let mut sorted = place(1);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..16).map(NodeId).collect::<Vec<_>>());
    }
}
