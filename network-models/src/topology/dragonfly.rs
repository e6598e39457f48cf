//! `dragonfly`: groups of routers, each group a complete graph, and every two groups joined (Kim,
//! Dally, Scott and Abts, "Technology-driven, highly-scalable dragonfly topology", ISCA 2008).

use super::{
    BadSizes, Labels, LinkNumbers, Plan, Shape, Sizes, TopologyDescription, TopologyKind,
    groups::{Circles, GlobalCables, Lengths, Wiring},
};

/// The topology `dragonfly`.
#[derive(Debug)]
pub(super) struct Dragonfly;

impl TopologyKind for Dragonfly {
    fn description(&self) -> TopologyDescription {
        TopologyDescription {
            name: "dragonfly",
            syntax: "dragonfly[:PxAxH[xG][:ORDER][:local=TIME][:global=TIME]]",
            sizes: "PxAxHxG:ORDER:local=TIME:global=TIME: P nodes and H global cables a router, A routers \
                    a group, G groups, either 1 or more than H and up to AxH+1; absolute, relative or \
                    palm-tree; times of switch and cable, as in 300ns",
            summary: "P nodes and H global cables a router, groups of A routers; local, global, local; \
                      2 virtual channels; ORDER absolute, relative or palm-tree; TIME of switch and cable \
                      inside groups and between them",
        }
    }

    fn plan(&self, sizes: Sizes, needed: u32) -> Result<Plan, BadSizes> {
        let (numbers, wiring) = Wiring::after(sizes)?;
        let (hosts, routers, ports, groups) = match numbers.listed()?.as_slice() {
            [] => {
                let ports = balanced(needed);
                (ports, 2 * ports, ports, None)
            }
            [hosts, routers, ports] => (*hosts, *routers, *ports, None),
            [hosts, routers, ports, groups] => (*hosts, *routers, *ports, Some(*groups)),
            _ => return Err(BadSizes),
        };
        let group_nodes = u64::from(hosts) * u64::from(routers);
        let groups = groups
            .unwrap_or_else(|| GlobalCables::fewest_groups(routers, ports, group_nodes, needed));
        let Wiring { arrangement, lengths } = wiring;
        let cables = GlobalCables { groups, routers, ports, arrangement }.check()?;
        let name = format!("{hosts}x{routers}x{ports}x{groups}{}", wiring.suffix());
        let nodes = group_nodes.saturating_mul(u64::from(groups));
        let pairs = u64::from(routers).saturating_mul(u64::from(routers) / 2 + u64::from(ports));
        let shape = Groups { hosts, cables, lengths };
        Ok(Plan::new(name, nodes, move || shape).with_cables(pairs.saturating_mul(groups.into())))
    }
}

/// Returns the fewest global ports a router with which a balanced dragonfly (as many nodes as
/// global ports a router, twice as many routers a group) holds `needed` nodes.
fn balanced(needed: u32) -> u32 {
    let holds = |ports: &u32| {
        let ports = u64::from(*ports);
        2 * ports * ports * (2 * ports * ports + 1) >= u64::from(needed)
    };
    (1..).find(holds).unwrap_or(1)
}

/// Node n is at router n / P, and router r in group r / A.
///
/// Routing is minimal: a local link to the router with the global cable, the global cable, and a
/// local link to the target's router. Of several cables between the groups a route takes the one
/// with the fewest local links, and of equal ones that which the target's number names. Local links
/// in the target's group have a virtual channel of their own, after that of the source's group.
#[derive(Debug)]
struct Groups {
    /// Nodes of a router.
    hosts: u32,
    cables: GlobalCables,
    lengths: Lengths,
}

impl Groups {
    /// Returns the group and the router within it of a vertex.
    fn place(&self, vertex: u32) -> (u32, u32) {
        let nodes = self.nodes();
        let router = if vertex < nodes { vertex / self.hosts } else { vertex - nodes };
        (router / self.cables.routers, router % self.cables.routers)
    }

    fn vertex(&self, (group, router): (u32, u32)) -> u32 {
        self.nodes() + group * self.cables.routers + router
    }

    /// Returns the two ends of the global cable on the route from a router to a router of another
    /// group, and the number of local links before and after it.
    ///
    /// A router has at most one cable to a group, so that the choice at the cable's router is that
    /// of the routers before it.
    fn global(&self, from: (u32, u32), to: (u32, u32), target: u32) -> (u32, u32, u32) {
        let cables = (0..self.cables.parallel()).map(|step| {
            let round = (step + target) % self.cables.parallel();
            let exit = self.cables.router(from.0, to.0, round);
            let entry = self.cables.router(to.0, from.0, round);
            (exit, entry, u32::from(exit != from.1) + u32::from(entry != to.1))
        });
        cables.min_by_key(|(_, _, local)| *local).expect("any two groups are joined")
    }
}

impl Shape for Groups {
    fn nodes(&self) -> u32 {
        self.cables.groups * self.cables.routers * self.hosts
    }

    fn vertices(&self) -> u32 {
        self.nodes() + self.cables.groups * self.cables.routers
    }

    fn neighbours(&self, vertex: u32) -> Vec<u32> {
        let (group, router) = self.place(vertex);
        if vertex < self.nodes() {
            return vec![self.vertex((group, router))];
        }
        let first = (vertex - self.nodes()) * self.hosts;
        let others = (0..self.cables.routers).filter(|other| *other != router);
        (first..first + self.hosts)
            .chain(others.map(|other| self.vertex((group, other))))
            .chain(self.cables.ends(group, router).map(|end| self.vertex(end)))
            .collect()
    }

    fn link_numbers(&self, from: u32, to: u32, _: u32) -> LinkNumbers {
        if from.min(to) < self.nodes() {
            return LinkNumbers::default();
        }
        self.lengths.between(self.place(from).0, self.place(to).0)
    }

    fn next_hop(&self, at: u32, target: u32) -> u32 {
        let (here, there) = (self.place(at), self.place(target));
        if at < self.nodes() {
            return self.vertex(here);
        }
        if here == there {
            return target;
        }
        if here.0 == there.0 {
            return self.vertex(there);
        }
        let (exit, entry, _) = self.global(here, there, target);
        self.vertex(if exit == here.1 { (there.0, entry) } else { (here.0, exit) })
    }

    fn channels(&self) -> u32 {
        if self.cables.groups > 1 { 2 } else { 1 }
    }

    fn channel(&self, source: u32, at: u32, _: u32) -> u32 {
        u32::from(self.place(source).0 != self.place(at).0)
    }

    fn hops(&self, source: u32, target: u32) -> Option<u32> {
        let (from, to) = (self.place(source), self.place(target));
        Some(match () {
            () if source == target => 0,
            () if from == to => 2,
            () if from.0 == to.0 => 3,
            () => 3 + self.global(from, to, target).2,
        })
    }

    fn coordinates(&self, node: u32) -> Vec<u32> {
        let (group, router) = self.place(node);
        vec![group, router, node % self.hosts]
    }

    fn groups(&self) -> Option<u32> {
        Some(self.cables.groups)
    }

    /// Cuts between groups, if neither half has one more.
    fn halving(&self) -> Option<u64> {
        self.cables.groups.is_multiple_of(2).then(|| self.cables.halved())
    }

    /// Draws groups as circles of routers on a circle, with the nodes outside of each.
    fn layout(&self, vertex: u32) -> (f64, f64) {
        let ring =
            f64::from(self.cables.routers.max(3)) / 6.0 * f64::from(self.hosts).max(2.0) / 2.0;
        let circles = Circles { groups: self.cables.groups, radius: ring + 1.0 };
        let (group, router) = self.place(vertex);
        let routers = f64::from(self.cables.routers);
        if vertex >= self.nodes() {
            return circles.place(group, (f64::from(router) + 0.5) / routers, ring);
        }
        let beside = (f64::from(vertex % self.hosts) + 0.5) / f64::from(self.hosts);
        circles.place(group, (f64::from(router) + 0.1 + 0.8 * beside) / routers, ring + 1.0)
    }

    fn labels(&self) -> Labels {
        Labels::Nowhere
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use sim_core::SimDuration;

    use crate::topology::{
        LinkId, TopologySpec,
        testing::{build, structure, verify},
    };

    #[test]
    fn closed_forms_of_full_dragonflies() {
        for (p, a, h) in [(1u32, 2u32, 1u32), (2, 4, 2), (3, 6, 3), (1, 3, 2), (4, 4, 1)] {
            for arrangement in ["absolute", "relative", "palm-tree"] {
                let g = a * h + 1;
                let name = format!("dragonfly:{p}x{a}x{h}x{g}:{arrangement}");
                let s = structure(&name);
                let cables = g * a * p + g * a * (a - 1) / 2 + g * (g - 1) / 2;
                assert_eq!(
                    (s.nodes, s.switches, s.links),
                    (p * a * g, a * g, cables.into()),
                    "{name}"
                );
                assert_eq!((s.degree, s.diameter), (p + a - 1 + h, 5), "{name}");
                assert!(s.bisection <= u64::from(s.nodes / 2), "{name}: {}", s.bisection);
            }
        }
    }

    #[test]
    fn minimal_routes_have_at_most_one_global_link_and_two_local_ones() {
        // Of the a·h other groups' a routers each, a router reaches h without a local link, and
        // with one those beside them and those that its neighbours have cables to.
        let (p, a, h) = (2u32, 4u32, 2u32);
        for arrangement in ["absolute", "relative", "palm-tree"] {
            let topology = build(&format!("dragonfly:{p}x{a}x{h}x9:{arrangement}"));
            let mut count = [0; 6];
            for target in 0..topology.nodes() {
                count[topology.shape().hops(0, target).expect("a formula") as usize] += 1;
            }
            let (one, two) = (h * (a - 1) + (a - 1) * h, (a - 1) * h * (a - 1));
            assert_eq!(count, [1, 0, p - 1, p * (a - 1) + p * h, p * one, p * two]);
        }
    }

    #[test]
    fn cables_inside_groups_and_between_them_have_lengths() {
        let topology = build("dragonfly:2x4x2x9:local=14ns:global=104ns");
        let delay =
            |link| topology.link_delay(LinkId(link), SimDuration::from_ns(7)).as_ps() / 1000;
        let mut count = BTreeMap::new();
        (0..topology.link_count()).for_each(|link| *count.entry(delay(link)).or_insert(0) += 1);
        // 72 hosts, 9 groups of 6 cables, 36 cables between groups, in both directions.
        assert_eq!(count, BTreeMap::from([(7, 144), (14, 108), (104, 72)]));
        assert!(build("dragonfly:2x4x2x9").is_uniform());
    }

    #[test]
    fn routes_and_channels() {
        let names = [
            "dragonfly:1x1x1x1",
            "dragonfly:2x3x1x1",
            "dragonfly:1x2x1x3",
            "dragonfly:2x4x2x9",
            "dragonfly:2x4x2x9:relative",
            "dragonfly:2x4x2x9:palm-tree",
            "dragonfly:1x4x2x3",
            "dragonfly:1x4x2x5:relative",
            "dragonfly:2x6x3x4:palm-tree",
            "dragonfly:1x6x3x7",
        ];
        verify(&names);
        for name in names {
            assert_eq!(build(name).deadlock(), None, "{name}");
        }
    }

    #[test]
    fn sizes_left_out_are_balanced_and_the_smallest() {
        let name = |text: &str, ranks| {
            let spec: TopologySpec = text.parse().expect("a dragonfly");
            spec.build(ranks).map(|topology| topology.name().to_owned())
        };
        assert_eq!(name("dragonfly", 6).as_deref(), Ok("dragonfly:1x2x1x3"));
        assert_eq!(name("dragonfly", 64).as_deref(), Ok("dragonfly:2x4x2x8"));
        assert_eq!(name("dragonfly", 73).as_deref(), Ok("dragonfly:3x6x3x5"));
        assert_eq!(name("dragonfly:2,4,2", 72).as_deref(), Ok("dragonfly:2x4x2x9"));
        assert_eq!(name("dragonfly:relative", 2).as_deref(), Ok("dragonfly:1x2x1x1:relative"));
        assert_eq!(
            name("dragonfly:2x4x2:palm-tree", 9).as_deref(),
            Ok("dragonfly:2x4x2x3:palm-tree")
        );
        assert!(name("dragonfly:2x4x2", 73).is_err(), "too small");
        assert_eq!(
            name("dragonfly:2x4x2:global=1.5us:palm-tree:local=2.5ns", 9).as_deref(),
            Ok("dragonfly:2x4x2x3:palm-tree:local=2500ps:global=1500ns")
        );
        assert_eq!(
            name("dragonfly:global=1us", 2).as_deref(),
            Ok("dragonfly:1x2x1x1:global=1000ns")
        );
        for text in [
            "2",
            "2x4",
            "2x4x2x10",
            "2x4x2x2",
            "0x4x2",
            "2x4x2:circular",
            "2x4x2x9:",
            ":relative",
            "2x4x2x9:local=",
            "2x4x2x9:local=1",
            "2x4x2x9:far=1ns",
            "2x4x2x9:local=1ns:local=2ns",
            "2x4x2x9:relative:relative",
            "2x4x2x9:global=-1ns",
        ] {
            assert!(format!("dragonfly:{text}").parse::<TopologySpec>().is_err(), "{text}");
        }
    }
}
