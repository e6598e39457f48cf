//! `dragonfly-plus`: groups of leaf and spine switches, and every two groups joined by their spines
//! (Shpiner and others, "Dragonfly+: low cost topology for scaling datacenters", HiPINEB 2017).

use super::{
    BadSizes, Labels, LinkNumbers, Plan, Shape, Sizes, TopologyDescription, TopologyKind,
    groups::{Circles, GlobalCables, Lengths, Wiring},
};

/// The topology `dragonfly-plus`.
#[derive(Debug)]
pub(super) struct DragonflyPlus;

impl TopologyKind for DragonflyPlus {
    fn description(&self) -> TopologyDescription {
        TopologyDescription {
            name: "dragonfly-plus",
            syntax: "dragonfly-plus[:PxLxSxH[xG][:ORDER][:local=TIME][:global=TIME]]",
            sizes: "PxLxSxHxG:ORDER:local=TIME:global=TIME: P nodes a leaf, L leaves and S spines a \
                    group, H global cables a spine, G groups, either 1 or more than H and up to SxH+1; \
                    absolute, relative or palm-tree; times of switch and cable, as in 300ns",
            summary: "P nodes a leaf, groups of L leaf and S spine switches, H global cables a spine; \
                      up, global, down; ORDER absolute, relative or palm-tree; TIME of switch and cable \
                      inside groups and between them",
        }
    }

    fn plan(&self, sizes: Sizes, needed: u32) -> Result<Plan, BadSizes> {
        let (numbers, wiring) = Wiring::after(sizes)?;
        let (hosts, leaves, routers, ports, groups) = match numbers.listed()?.as_slice() {
            [] => {
                let half = balanced(needed);
                (half, half, half, half, None)
            }
            [hosts, leaves, spines, ports] => (*hosts, *leaves, *spines, *ports, None),
            [hosts, leaves, spines, ports, groups] => {
                (*hosts, *leaves, *spines, *ports, Some(*groups))
            }
            _ => return Err(BadSizes),
        };
        let group_nodes = u64::from(hosts) * u64::from(leaves);
        let groups = groups
            .unwrap_or_else(|| GlobalCables::fewest_groups(routers, ports, group_nodes, needed));
        let Wiring { arrangement, lengths } = wiring;
        let cables = GlobalCables { groups, routers, ports, arrangement }.check()?;
        let name = format!("{hosts}x{leaves}x{routers}x{ports}x{groups}{}", wiring.suffix());
        let nodes = group_nodes.saturating_mul(u64::from(groups));
        let spine = u64::from(leaves) + u64::from(ports);
        let links = spine.saturating_mul(u64::from(routers)).saturating_mul(u64::from(groups));
        let shape = LeavesAndSpines { hosts, leaves, cables, lengths };
        Ok(Plan::new(name, nodes, move || shape).with_cables(links))
    }
}

/// Returns the smallest half of a switch's ports with which the largest balanced dragonfly+ (half
/// of the ports of each switch on either side) holds `needed` nodes.
fn balanced(needed: u32) -> u32 {
    let holds = |half: &u32| {
        let square = u64::from(*half) * u64::from(*half);
        square * (square + 1) >= u64::from(needed)
    };
    (1..).find(holds).unwrap_or(1)
}

/// Node n is at leaf n / P, and leaf l in group l / L. After the nodes come all leaves and then all
/// spines, group by group.
///
/// Routing is minimal: up to a spine with a cable to the target's group, across, and down; inside a
/// group up and down. Of several spines a route takes the one that the target's number names.
/// Routes go up, across and down in this order, so that one virtual channel is enough.
#[derive(Debug)]
struct LeavesAndSpines {
    /// Nodes of a leaf.
    hosts: u32,
    /// Leaves of a group.
    leaves: u32,
    /// The routers of these are the spines.
    cables: GlobalCables,
    lengths: Lengths,
}

/// What a vertex is, with its group and its number in the group.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Node(u32),
    Leaf(u32, u32),
    Spine(u32, u32),
}

impl LeavesAndSpines {
    fn role(&self, vertex: u32) -> Role {
        let (nodes, leaves) = (self.nodes(), self.cables.groups * self.leaves);
        if vertex < nodes {
            return Role::Node(vertex);
        }
        match (vertex - nodes).checked_sub(leaves) {
            None => {
                let leaf = vertex - nodes;
                Role::Leaf(leaf / self.leaves, leaf % self.leaves)
            }
            Some(spine) => Role::Spine(spine / self.cables.routers, spine % self.cables.routers),
        }
    }

    fn leaf(&self, group: u32, leaf: u32) -> u32 {
        self.nodes() + group * self.leaves + leaf
    }

    fn spine(&self, group: u32, spine: u32) -> u32 {
        self.nodes() + self.cables.groups * self.leaves + group * self.cables.routers + spine
    }

    /// Returns the leaf of a node, with its group.
    fn leaf_of(&self, node: u32) -> (u32, u32) {
        let leaf = node / self.hosts;
        (leaf / self.leaves, leaf % self.leaves)
    }

    /// Returns the cable that the routes to a target take between two groups.
    fn round(&self, target: u32) -> u32 {
        target % self.cables.parallel()
    }

    /// Returns the round, of those from `first` on, in which a spine has its cable to another group. A route
    /// that came to this spine on purpose takes the first one; packets that choose their way at each switch may
    /// have come to that of another cable.
    fn own_round(&self, group: u32, spine: u32, other: u32, first: u32) -> u32 {
        let parallel = self.cables.parallel();
        let mut rounds = (0..parallel).map(|step| (first + step) % parallel);
        rounds.find(|round| self.cables.router(group, other, *round) == spine).unwrap_or(first)
    }
}

impl Shape for LeavesAndSpines {
    fn nodes(&self) -> u32 {
        self.cables.groups * self.leaves * self.hosts
    }

    fn groups(&self) -> Option<u32> {
        Some(self.cables.groups)
    }

    fn vertices(&self) -> u32 {
        self.nodes() + self.cables.groups * (self.leaves + self.cables.routers)
    }

    fn neighbours(&self, vertex: u32) -> Vec<u32> {
        match self.role(vertex) {
            Role::Node(node) => {
                let (group, leaf) = self.leaf_of(node);
                vec![self.leaf(group, leaf)]
            }
            Role::Leaf(group, leaf) => {
                let first = (group * self.leaves + leaf) * self.hosts;
                let spines = (0..self.cables.routers).map(|spine| self.spine(group, spine));
                (first..first + self.hosts).chain(spines).collect()
            }
            Role::Spine(group, spine) => {
                let ends = self.cables.ends(group, spine);
                let leaves = (0..self.leaves).map(|leaf| self.leaf(group, leaf));
                leaves.chain(ends.map(|(other, end)| self.spine(other, end))).collect()
            }
        }
    }

    fn link_numbers(&self, from: u32, to: u32, _: u32) -> LinkNumbers {
        match (self.role(from), self.role(to)) {
            (Role::Node(_), _) | (_, Role::Node(_)) => LinkNumbers::default(),
            (
                Role::Leaf(one, _) | Role::Spine(one, _),
                Role::Leaf(other, _) | Role::Spine(other, _),
            ) => self.lengths.between(one, other),
        }
    }

    fn next_hop(&self, at: u32, target: u32) -> u32 {
        let to = self.leaf_of(target);
        match self.role(at) {
            Role::Node(node) => {
                let (group, leaf) = self.leaf_of(node);
                self.leaf(group, leaf)
            }
            Role::Leaf(group, leaf) if (group, leaf) == to => target,
            Role::Leaf(group, _) if group == to.0 => {
                self.spine(group, target % self.cables.routers)
            }
            Role::Leaf(group, _) => {
                self.spine(group, self.cables.router(group, to.0, self.round(target)))
            }
            Role::Spine(group, _) if group == to.0 => self.leaf(group, to.1),
            Role::Spine(group, spine) => {
                let round = self.own_round(group, spine, to.0, self.round(target));
                self.spine(to.0, self.cables.router(to.0, group, round))
            }
        }
    }

    fn hops(&self, source: u32, target: u32) -> Option<u32> {
        let (from, to) = (self.leaf_of(source), self.leaf_of(target));
        Some(match () {
            () if source == target => 0,
            () if from == to => 2,
            () if from.0 == to.0 => 4,
            () => 5,
        })
    }

    fn coordinates(&self, node: u32) -> Vec<u32> {
        let (group, leaf) = self.leaf_of(node);
        vec![group, leaf, node % self.hosts]
    }

    /// Cuts between groups, if neither half has one more.
    fn halving(&self) -> Option<u64> {
        self.cables.groups.is_multiple_of(2).then(|| self.cables.halved())
    }

    /// Draws groups on a circle: spines inside, then leaves, then nodes.
    fn layout(&self, vertex: u32) -> (f64, f64) {
        let (leaves, spines) = (f64::from(self.leaves), f64::from(self.cables.routers));
        let width = (leaves * f64::from(self.hosts.max(2)) * 0.6).max(spines).max(2.0);
        let circles = Circles { groups: self.cables.groups, radius: 0.5 * width.max(4.0) };
        let across = |place: u32, of: f64| width * ((f64::from(place) + 0.5) / of - 0.5);
        match self.role(vertex) {
            Role::Spine(group, spine) => circles.beside(group, across(spine, spines), -2.0),
            Role::Leaf(group, leaf) => circles.beside(group, across(leaf, leaves), 0.0),
            Role::Node(node) => {
                let places = self.leaves * self.hosts;
                let group = node / places;
                circles.beside(group, across(node % places, f64::from(places)), 1.4)
            }
        }
    }

    fn labels(&self) -> Labels {
        Labels::Nowhere
    }
}

#[cfg(test)]
mod tests {
    use crate::topology::{
        TopologySpec,
        testing::{check, sound, structure},
    };

    #[test]
    fn closed_forms_of_full_groups() {
        for (p, l, s, h) in [(1u32, 2u32, 1u32, 2u32), (2, 2, 2, 2), (3, 3, 3, 3), (2, 4, 3, 1)] {
            let g = s * h + 1;
            let nodes = p * l * g;
            let cables = nodes + g * l * s + g * (g - 1) / 2;
            let degree = (p + s).max(l + h);
            let far = u64::from(nodes - p * l) * 5 + u64::from(p * (l - 1) * 4 + (p - 1) * 2);
            for arrangement in ["absolute", "relative", "palm-tree"] {
                let name = format!("dragonfly-plus:{p}x{l}x{s}x{h}x{g}:{arrangement}");
                let mean = far as f64 / f64::from(nodes - 1);
                let bisection = structure(&name).bisection;
                assert!(bisection <= u64::from(nodes / 2), "{name}: {bisection}");
                check(&name, cables.into(), degree, 5, mean, bisection);
            }
        }
    }

    #[test]
    fn routes_and_channels() {
        sound(&[
            "dragonfly-plus:1x1x1x1x1",
            "dragonfly-plus:2x3x2x1x1",
            "dragonfly-plus:1x1x1x1x2",
            "dragonfly-plus:2x2x2x2x5",
            "dragonfly-plus:2x2x2x2x3:relative",
            "dragonfly-plus:2x3x4x2x4:palm-tree",
            "dragonfly-plus:1x2x3x3x10:palm-tree",
        ]);
    }

    #[test]
    fn sizes_left_out_are_balanced_and_the_smallest() {
        let name = |text: &str, ranks| {
            let spec: TopologySpec = text.parse().expect("a dragonfly+");
            spec.build(ranks).map(|topology| topology.name().to_owned())
        };
        assert_eq!(name("dragonfly-plus", 20).as_deref(), Ok("dragonfly-plus:2x2x2x2x5"));
        assert_eq!(name("dragonfly-plus", 64).as_deref(), Ok("dragonfly-plus:3x3x3x3x8"));
        assert_eq!(
            name("dragonfly-plus:2,4,2,2:relative", 30).as_deref(),
            Ok("dragonfly-plus:2x4x2x2x4:relative")
        );
        for text in ["2x2x2", "2x2x2x2x6", "2x2x2x2x2", "2x2x2x0", "2x2x2x2:ring"] {
            assert!(format!("dragonfly-plus:{text}").parse::<TopologySpec>().is_err(), "{text}");
        }
    }
}
