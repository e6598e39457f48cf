//! Slots that fill a whole box of a regular network.

use super::{
    gray::Column,
    measure::{Machine, distinct},
};
use crate::{
    network::NodeId,
    topology::{AxisMetric, Topology, row_major},
};

/// The box of nodes that the slots fill; all nodes have the same number of slots.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Frame {
    /// Dimensions of the box in row-major order; a network without coordinates has one.
    pub(super) columns: Vec<Column>,
    /// Whether the dimensions are levels of a tree, from the root down.
    pub(super) tree: bool,
    /// Number of slots on each node.
    pub(super) inner: u32,
    /// The slots, node by node.
    pub(super) slots: Vec<u32>,
}

impl Frame {
    /// Returns the box, if the slots fill one.
    pub(super) fn of(machine: &Machine) -> Option<Self> {
        Self::over(machine, &Dimensions::of(machine, true))
            .or_else(|| Self::over(machine, &Dimensions::of(machine, false)))
    }

    fn over(machine: &Machine, dimensions: &Dimensions) -> Option<Self> {
        let used = distinct(machine.nodes);
        let places: Vec<Vec<u32>> =
            used.iter().zip(0..).map(|(node, number)| dimensions.place(*node, number)).collect();
        let span = |along: usize| {
            let all = places.iter().map(|place| place[along]);
            (all.clone().min().unwrap_or(0), all.max().unwrap_or(0))
        };
        let spans: Vec<(u32, u32)> = (0..dimensions.columns.len()).map(span).collect();
        let extents: Vec<u32> = spans.iter().map(|(low, high)| high - low + 1).collect();
        let volume = extents.iter().fold(1u64, |volume, size| volume * u64::from(*size));
        let inner = machine.nodes.len() / used.len().max(1);
        if volume != used.len() as u64 || inner * used.len() != machine.nodes.len() {
            return None;
        }
        let number = |place: &Vec<u32>| {
            let steps = place.iter().zip(&spans).zip(&extents);
            steps.fold(0, |number, ((at, (low, _)), size)| number * size + at - low)
        };
        let numbers: Vec<u32> = places.iter().map(number).collect();
        let slots = arrange(machine.nodes, &used, &numbers, inner)?;
        let columns = extents.iter().zip(&dimensions.columns);
        let columns = columns
            .map(|(size, whole)| Column { size: *size, ring: whole.ring && *size == whole.size })
            .filter(|column| column.size > 1)
            .collect();
        let axes = machine.topology.and_then(Topology::axes);
        let tree = axes.is_some_and(|axes| axes.metric == AxisMetric::Levels);
        Some(Self { columns, tree, inner: inner as u32, slots })
    }
}

/// The coordinates of a network's nodes.
pub(super) struct Dimensions {
    columns: Vec<Column>,
    /// Sizes of the coordinates by which the network numbers its nodes; `None` if it has no
    /// coordinates.
    sizes: Option<Vec<u32>>,
    /// Whether rings of four nodes are treated as two by two, with which they are identical:
    /// neighbours differ in one of two bits.
    squares: bool,
}

impl Dimensions {
    pub(super) fn of(machine: &Machine, squares: bool) -> Self {
        let Some(axes) = machine.topology.and_then(Topology::axes) else {
            let columns = vec![Column { size: machine.nodes.len() as u32, ring: false }];
            return Self { columns, sizes: None, squares: false };
        };
        let (sizes, closed) = (axes.sizes, axes.metric == AxisMetric::Rings);
        let squares = squares && closed;
        let column = |size: &u32| match (squares, *size) {
            (true, 4) => vec![Column { size: 2, ring: false }; 2],
            _ => vec![Column { size: *size, ring: closed }],
        };
        let columns = sizes.iter().flat_map(column).collect();
        Self { columns, sizes: Some(sizes), squares }
    }

    /// Returns the coordinates of a node, which is the `number`th one in use.
    pub(super) fn place(&self, node: NodeId, number: u32) -> Vec<u32> {
        let Some(sizes) = &self.sizes else { return vec![number] };
        let coordinates = row_major(node.0, sizes);
        if !self.squares {
            return coordinates;
        }
        let split = |(at, size): (&u32, &u32)| match size {
            4 => vec![at >> 1, at >> 1 ^ at & 1],
            _ => vec![*at],
        };
        coordinates.iter().zip(sizes).flat_map(split).collect()
    }
}

/// Returns the slots ordered by the numbers of their nodes, if every node has `inner` of them.
fn arrange(nodes: &[NodeId], used: &[NodeId], numbers: &[u32], inner: usize) -> Option<Vec<u32>> {
    let mut slots = vec![u32::MAX; nodes.len()];
    let mut filled = vec![0; used.len()];
    for (slot, node) in nodes.iter().enumerate() {
        let place = used.binary_search(node).expect("it is among them");
        if filled[place] == inner {
            return None;
        }
        slots[numbers[place] as usize * inner + filled[place]] = slot as u32;
        filled[place] += 1;
    }
    Some(slots)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::TopologySpec;

    fn frame(topology: &str, nodes: &[u32]) -> Option<Frame> {
        let spec: TopologySpec = topology.parse().expect("a topology");
        let topology = spec.build(1).expect("it fits");
        let nodes: Vec<NodeId> = nodes.iter().copied().map(NodeId).collect();
        Frame::of(&Machine::new(&nodes, Some(&topology)))
    }

    fn sizes(frame: &Frame) -> Vec<(u32, bool)> {
        frame.columns.iter().map(|column| (column.size, column.ring)).collect()
    }

    #[test]
    fn a_part_of_a_torus_is_a_box_or_nothing() {
        let part = frame("torus:4x4", &[5, 4, 6, 7, 9, 8, 10, 11]).expect("two rows");
        assert_eq!(sizes(&part), [(2, false); 3], "a ring of four is a square");
        assert_eq!(part.slots, [1, 0, 3, 2, 5, 4, 7, 6]);
        let part = frame("torus:4x5", &[5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 10, 11, 12, 13, 14]);
        assert_eq!(sizes(&part.expect("three rows")), [(3, false), (5, true)]);
        assert_eq!(frame("torus:4x4", &[0, 1, 4]), None);
    }

    #[test]
    fn nodes_have_equally_many_slots() {
        let pairs = frame("hypercube:2", &[0, 3, 0, 3, 1, 1, 2, 2]).expect("all four");
        assert_eq!((sizes(&pairs), pairs.inner), (vec![(2, false); 2], 2));
        assert_eq!(pairs.slots, [0, 2, 4, 5, 6, 7, 1, 3]);
        assert_eq!(frame("hypercube:1", &[0, 0, 0, 1]), None);
    }
}
