//! [`TrafficPattern`]: who sends to whom in synthetic traffic.

use std::fmt;

use rand::RngExt;
use sim_core::{ChaCha8Rng, shuffle, stream};

use crate::{network::NodeId, topology::Topology};

/// A synthetic traffic pattern (Dally and Towles, Principles and Practices of Interconnection
/// Networks, section 3.2). A node whose target is itself sends nothing, unless
/// [`Targets::including_self`] says otherwise.
///
/// The patterns of bits are defined for 2^b nodes; b is even for `transpose`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrafficPattern {
    /// Any other node, with equal probability.
    Uniform,
    /// The bits of the node number, the upper and the lower half exchanged.
    Transpose,
    /// The complement of the bits.
    BitComplement,
    /// The bits in reverse order.
    BitReverse,
    /// The bits rotated to the left by one.
    Shuffle,
    /// In each dimension of k nodes ceil(k/2) - 1 further; without dimensions, of all nodes.
    Tornado,
    /// In each dimension one further; without dimensions, the next node.
    Neighbor,
    /// Half of the messages to node 0, the others to any node.
    Hotspot,
    /// A permutation drawn from the seed.
    Permutation,
    /// Any node of the next group, on topologies of groups (Kim, Dally, Scott and Abts 2008).
    NextGroup,
}

/// Why a pattern does not fit a topology.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternMismatch {
    /// It is defined for other numbers of nodes.
    #[error(
        "the number of nodes of pattern `{pattern}` is {needed}, and the topology has {nodes} nodes"
    )]
    Nodes {
        /// The pattern.
        pattern: TrafficPattern,
        /// The numbers of nodes that it is defined for.
        needed: &'static str,
        /// The number of nodes of the topology.
        nodes: u32,
    },
    /// It is defined for topologies of several groups.
    #[error("pattern `{pattern}` is defined for several groups, which `{kind}` does not have")]
    Groups {
        /// The pattern.
        pattern: TrafficPattern,
        /// Kind of the topology.
        kind: &'static str,
    },
}

impl TrafficPattern {
    /// All patterns.
    pub const ALL: [Self; 10] = [
        Self::Uniform,
        Self::Transpose,
        Self::BitComplement,
        Self::BitReverse,
        Self::Shuffle,
        Self::Tornado,
        Self::Neighbor,
        Self::Hotspot,
        Self::Permutation,
        Self::NextGroup,
    ];

    /// Returns the pattern of a name, if there is one.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|pattern| pattern.name() == name)
    }

    /// Returns the name, as in `--pattern bit-reverse`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Transpose => "transpose",
            Self::BitComplement => "bit-complement",
            Self::BitReverse => "bit-reverse",
            Self::Shuffle => "shuffle",
            Self::Tornado => "tornado",
            Self::Neighbor => "neighbor",
            Self::Hotspot => "hotspot",
            Self::Permutation => "permutation",
            Self::NextGroup => "next-group",
        }
    }

    /// Prepares the pattern for a topology. The seed decides what is random.
    ///
    /// # Errors
    /// Returns an error if the pattern is not defined for this number of nodes.
    pub fn on(self, topology: &Topology, seed: u64) -> Result<Targets, PatternMismatch> {
        let nodes = topology.nodes();
        let bits = nodes.trailing_zeros();
        let mismatch = |needed| Err(PatternMismatch::Nodes { pattern: self, needed, nodes });
        let of_bits = |target: &dyn Fn(u32) -> u32| {
            if nodes.is_power_of_two() && bits > 0 {
                Ok(Rule::Fixed((0..nodes).map(target).collect()))
            } else {
                mismatch("a power of two")
            }
        };
        let rule = match self {
            Self::Uniform => Rule::Uniform,
            Self::Hotspot => Rule::Hotspot,
            Self::Transpose if !nodes.is_power_of_two() || !bits.is_multiple_of(2) => {
                mismatch("a power of four")?
            }
            Self::Transpose => {
                let half = bits / 2;
                of_bits(&|node| node >> half | (node & ((1 << half) - 1)) << half)?
            }
            Self::BitComplement => of_bits(&|node| nodes - 1 - node)?,
            Self::BitReverse => of_bits(&|node| node.reverse_bits() >> (32 - bits))?,
            Self::Shuffle => of_bits(&|node| (node << 1 | node >> (bits - 1)) & (nodes - 1))?,
            Self::Tornado => Rule::Fixed(shifted(topology, |size| size.div_ceil(2) - 1)),
            Self::Neighbor => Rule::Fixed(shifted(topology, |_| 1)),
            Self::Permutation => {
                let mut random = stream(seed, "traffic permutation", 0);
                let mut targets: Vec<u32> = (0..nodes).collect();
                shuffle(&mut targets, |most| random.random_range(0..=most));
                Rule::Fixed(targets)
            }
            Self::NextGroup => match topology.groups() {
                Some(groups) if groups > 1 => Rule::NextGroup(nodes / groups),
                Some(_) | None => {
                    return Err(PatternMismatch::Groups { pattern: self, kind: topology.kind() });
                }
            },
        };
        Ok(Targets { rule, nodes, including_self: false })
    }
}

impl fmt::Display for TrafficPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns the node that lies `by(size)` further in each dimension of each node.
fn shifted(topology: &Topology, by: impl Fn(u32) -> u32) -> Vec<u32> {
    let nodes = topology.nodes();
    let sizes = topology.axes().map_or_else(|| vec![nodes], |axes| axes.sizes);
    let target = |node| {
        // Row-major: the last coordinate counts in steps of one.
        let (mut rest, mut step, mut target) = (node, 1, 0);
        for size in sizes.iter().rev() {
            target += (rest % size + by(*size)) % size * step;
            rest /= size;
            step *= size;
        }
        target
    };
    (0..nodes).map(target).collect()
}

/// The targets of a pattern on a topology.
#[derive(Clone, Debug)]
pub struct Targets {
    pub(super) rule: Rule,
    pub(super) nodes: u32,
    including_self: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Rule {
    Uniform,
    Hotspot,
    /// The number of nodes of a group.
    NextGroup(u32),
    /// The target of each node.
    Fixed(Vec<u32>),
}

impl Targets {
    /// Returns the targets with messages of nodes to themselves: nodes whose target is themselves send
    /// them, and where a target is any node it may be the node itself.
    pub fn including_self(self) -> Self {
        Self { including_self: true, ..self }
    }

    /// Returns whether no node sends anything, since every node is its own target, as under `tornado`
    /// on a hypercube.
    pub fn is_silent(&self) -> bool {
        if self.including_self {
            return false;
        }
        match &self.rule {
            Rule::Uniform | Rule::Hotspot => self.nodes < 2,
            Rule::NextGroup(_) => false,
            Rule::Fixed(targets) => (0..).zip(targets).all(|(node, target)| node == *target),
        }
    }

    /// Returns the target of the next message of a node, or `None` if it sends nothing.
    pub fn next(&self, source: NodeId, random: &mut ChaCha8Rng) -> Option<NodeId> {
        let target = match &self.rule {
            Rule::Hotspot if random.random_range(0..2u32) == 0 => 0,
            Rule::Hotspot | Rule::Uniform if self.including_self => {
                random.random_range(0..self.nodes)
            }
            Rule::Hotspot | Rule::Uniform => {
                let other = random.random_range(0..self.nodes.checked_sub(1).filter(|n| *n > 0)?);
                if other < source.0 { other } else { other + 1 }
            }
            Rule::NextGroup(size) => {
                (source.0 / size * size + size + random.random_range(0..*size)) % self.nodes
            }
            Rule::Fixed(targets) => targets[source.0 as usize],
        };
        (self.including_self || target != source.0).then_some(NodeId(target))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;

    fn topology(text: &str) -> Topology {
        let spec = Catalog::standard().topology(text).expect("a topology");
        spec.build(1).expect("it can be built")
    }

    /// Returns the targets of all nodes, which are fixed.
    fn targets(pattern: TrafficPattern, text: &str) -> Vec<u32> {
        match pattern.on(&topology(text), 1).expect("it fits").rule {
            Rule::Fixed(targets) => targets,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn patterns_are_those_of_the_textbook() {
        let sixteen = |pattern| targets(pattern, "hypercube:4")[0b0110];
        assert_eq!(sixteen(TrafficPattern::Transpose), 0b1001);
        assert_eq!(sixteen(TrafficPattern::BitComplement), 0b1001);
        assert_eq!(sixteen(TrafficPattern::BitReverse), 0b0110);
        assert_eq!(sixteen(TrafficPattern::Shuffle), 0b1100);
        assert_eq!(targets(TrafficPattern::BitReverse, "hypercube:3")[0b011], 0b110);
        assert_eq!(targets(TrafficPattern::Shuffle, "hypercube:3")[0b101], 0b011);
        // Node (1, 3) of a torus of 4 x 8: to (2, 6) and to (2, 4).
        assert_eq!(targets(TrafficPattern::Tornado, "torus:4x8")[11], 22);
        assert_eq!(targets(TrafficPattern::Neighbor, "torus:4x8")[11], 20);
        assert_eq!(targets(TrafficPattern::Neighbor, "crossbar:3"), [1, 2, 0]);
        let mut permuted = targets(TrafficPattern::Permutation, "crossbar:9");
        permuted.sort_unstable();
        assert!(permuted.into_iter().eq(0..9));
    }

    #[test]
    fn a_tornado_is_silent_where_dimensions_have_two_nodes() {
        let silent = |pattern: TrafficPattern, text: &str| {
            pattern.on(&topology(text), 1).expect("it fits").is_silent()
        };
        assert!(silent(TrafficPattern::Tornado, "hypercube:4"));
        assert!(!silent(TrafficPattern::Tornado, "torus:4x4"));
        assert!(!silent(TrafficPattern::Uniform, "ring:3"));
    }

    #[test]
    fn nodes_that_are_their_own_targets_send_if_asked() {
        let mut random = stream(3, "test", 0);
        let mut next = |targets: &Targets, node| targets.next(NodeId(node), &mut random);
        let targets = TrafficPattern::Transpose.on(&topology("mesh:4x4"), 1).expect("it fits");
        assert_eq!((next(&targets, 5), next(&targets, 1)), (None, Some(NodeId(4))));
        let targets = targets.including_self();
        assert_eq!((next(&targets, 5), next(&targets, 1)), (Some(NodeId(5)), Some(NodeId(4))));
        assert!(!targets.is_silent());
    }

    #[test]
    fn every_node_is_as_likely_but_the_hotspot() {
        let mut random = stream(3, "test", 0);
        let on = |pattern: TrafficPattern| pattern.on(&topology("crossbar:5"), 1).expect("it fits");
        let mut counts = |targets: Targets| {
            let mut counts = [0; 5];
            for _ in 0..10_000 {
                if let Some(target) = targets.next(NodeId(2), &mut random) {
                    counts[target.0 as usize] += 1;
                }
            }
            counts
        };
        let uniform = counts(on(TrafficPattern::Uniform));
        assert_eq!(uniform[2], 0);
        assert!([0, 1, 3, 4].iter().all(|node| (2300..2700).contains(&uniform[*node])));
        let any = counts(on(TrafficPattern::Uniform).including_self());
        assert!(any.iter().all(|count| (1850..2150).contains(count)), "{any:?}");
        let hotspot = counts(on(TrafficPattern::Hotspot));
        assert!((6000..6500).contains(&hotspot[0]), "{hotspot:?}");
    }

    #[test]
    fn numbers_of_nodes_that_do_not_fit_are_refused() {
        let refused = |pattern: TrafficPattern, text: &str| {
            pattern.on(&topology(text), 1).expect_err("it does not fit").to_string()
        };
        assert_eq!(
            refused(TrafficPattern::Shuffle, "ring:6"),
            "the number of nodes of pattern `shuffle` is a power of two, and the topology has 6 nodes"
        );
        for nodes in [8, 9] {
            assert_eq!(
                refused(TrafficPattern::Transpose, &format!("ring:{nodes}")),
                format!(
                    "the number of nodes of pattern `transpose` is a power of four, and the topology has {nodes} nodes"
                )
            );
        }
        for pattern in TrafficPattern::ALL {
            let fits = pattern.on(&topology("torus:4x4"), 1).is_ok();
            assert_eq!(fits, pattern != TrafficPattern::NextGroup, "{pattern}");
        }
        assert_eq!(
            refused(TrafficPattern::NextGroup, "torus:4x4"),
            "pattern `next-group` is defined for several groups, which `torus` does not have"
        );
        for (text, last) in [("dragonfly:2x4x2x9", 71), ("dragonfly-plus:2x4x2x2x5", 39)] {
            let next = TrafficPattern::NextGroup.on(&topology(text), 1);
            let (next, mut random) = (next.expect("it fits"), stream(1, "test", 0));
            for (source, group) in [(0, 1), (7, 1), (8, 2), (last, 0)] {
                let target = next.next(NodeId(source), &mut random).expect("a target").0;
                assert_eq!(target / 8, group, "{source} of {text}");
            }
        }
    }
}
