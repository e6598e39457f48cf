use std::num::NonZeroU32;

use super::*;
use crate::{
    catalog::Catalog,
    model::{Allocation, FlitParameters, flit_testing as testing},
    traffic::TrafficPattern,
};
fn topology(text: &str) -> Arc<Topology> {
    let spec = Catalog::standard().topology(text).expect("a topology");
    Arc::new(spec.build(1).expect("it can be built"))
}

struct Empty;

impl Queues for Empty {
    fn queue(&self, _: LinkId) -> u64 {
        0
    }
}

#[test]
fn paths_lead_from_link_to_link_and_are_those_that_are_stated() {
    for text in [
        "torus:4x5",
        "hypercube:4",
        "fat-tree:4x2:2",
        "dragonfly:2x4x2x5",
        "hyperx:3x3:2",
        "star:6",
    ] {
        let topology = topology(text);
        for kind in routings() {
            let name = kind.description().name;
            assert_eq!(kind.fits(&topology), Ok(()), "{name}");
            let (mut routing, classes) = (kind.on(&topology, 3), kind.classes(&topology));
            let (mut path, mut known) = (Vec::new(), Vec::new());
            for (source, target) in [(0, 1), (3, 2), (5, 0), (0, 4)] {
                let (source, target) = (NodeId(source), NodeId(target));
                known.clear();
                routing.paths(source, target, &mut |path| known.push(path.to_vec()));
                for _ in 0..50 {
                    path.clear();
                    routing.path(source, target, &Empty, &mut path);
                    let mut at = source.0;
                    for hop in &path {
                        let (from, to) = topology.link_ends(hop.link);
                        assert!(from.0 == at && hop.class < classes, "{name} on {text}: {path:?}");
                        at = to.0;
                    }
                    assert_eq!(at, target.0, "{name} on {text}");
                    assert!(known.contains(&path), "{name} on {text}: {path:?}");
                    let inside = path.iter().skip(1).map(|hop| topology.link_ends(hop.link).0);
                    let hosts = inside.filter(|at| at.0 < topology.nodes());
                    assert!(hosts.map(|at| NodeId(at.0)).all(|node| !topology.is_host(node)));
                }
            }
        }
    }
}

#[test]
fn routings_are_free_from_deadlock_with_their_virtual_channels() {
    for text in [
        "ring:8",
        "torus:4x4",
        "torus:3x5",
        "mesh:3x4",
        "hypercube:4",
        "fat-tree:4x2",
        "fat-tree:2x4",
        "dragonfly:1x4x2x5",
        "dragonfly:1x3x1x4:palm-tree",
        "hyperx:3x3:2",
        "slim-fly:5x1",
        "tree:2x4",
    ] {
        let topology = topology(text);
        for kind in routings() {
            let name = kind.description().name;
            assert_eq!(kind.deadlock(&topology), None, "{name} on {text}");
        }
    }
}

#[test]
fn one_class_is_too_few_for_detours_and_the_circle_is_named() {
    let topology = topology("mesh:3x3");
    let valiant = named("valiant").expect("it is listed");
    assert_eq!(valiant.classes(&topology), 2);
    #[derive(Debug)]
    struct OneClass(Box<dyn Routing>);
    impl Routing for OneClass {
        fn path(&mut self, from: NodeId, to: NodeId, queues: &dyn Queues, path: &mut Vec<Hop>) {
            self.0.path(from, to, queues, path);
        }

        fn paths(&self, from: NodeId, to: NodeId, visit: &mut dyn FnMut(&[Hop])) {
            self.0.paths(from, to, &mut |path| {
                let path: Vec<Hop> = path.iter().map(|hop| Hop { class: 0, ..*hop }).collect();
                visit(&path);
            });
        }
    }
    let merged = OneClass(valiant.on(&topology, 0));
    let circle = deadlock::cycle(&topology, &merged, 1).expect("a circle");
    assert!(circle.to_string().contains("waits for the first"), "{circle}");
}

#[test]
fn ecmp_spreads_pairs_over_shortest_paths() {
    let tree = topology("fat-tree:4x3");
    let kind = named("ecmp").expect("it is listed");
    assert_eq!(kind.classes(&tree), 1);
    assert_eq!(kind.classes(&topology("torus:4x4")), 4, "its diameter");
    let mut routing = kind.on(&tree, 1);
    let mut used = vec![0; tree.link_count() as usize];
    for source in 0..16 {
        for target in 48..64 {
            let mut path = Vec::new();
            routing.path(NodeId(source), NodeId(target), &Empty, &mut path);
            assert_eq!(path.len(), 6);
            path.iter().for_each(|hop| used[hop.link.0 as usize] += 1);
            let mut again = Vec::new();
            routing.path(NodeId(source), NodeId(target), &Empty, &mut again);
            assert_eq!(path, again, "one path for a pair");
        }
    }
    // 16 cables lead up from the lowest switches of the sources; 16 paths each on average.
    let up = (0..tree.link_count()).map(LinkId).filter(|link| {
        let (from, to) = tree.link_ends(*link);
        from.0 >= 64 && from.0 < 68 && to.0 >= 80
    });
    let loads: Vec<u32> = up.map(|link| used[link.0 as usize]).collect();
    assert_eq!((loads.len(), loads.iter().sum::<u32>()), (16, 256));
    assert!(loads.iter().all(|load| (4..=32).contains(load)), "{loads:?}");
}

#[test]
fn detours_need_cables_in_both_directions() {
    let omega = topology("omega:2x3");
    for (name, fits) in [("dimension-order", true), ("ecmp", true), ("valiant", false)] {
        let kind = named(name).expect("it is listed");
        assert_eq!(kind.fits(&omega).is_ok(), fits, "{name}");
    }
}

/// Returns the load that a network of single flits accepts, in flits per node and cycle, with 16
/// virtual channels and old messages first, so that it does not depend on the load beyond saturation.
fn accepted(name: &str, text: &str, pattern: TrafficPattern, load: f64) -> f64 {
    let topology = topology(text);
    let number = |number| NonZeroU32::new(number).expect("it is not 0");
    let parameters = FlitParameters {
        channels: number(16),
        oldest_first: true,
        allocation: Allocation::Islip,
        routing: named(name).expect("it is listed"),
        ..testing::parameters()
    };
    testing::measured(&topology, parameters, pattern, load).accepted
}

#[test]
fn detours_balance_a_tornado_and_ugal_takes_them_where_they_help() {
    // Each message crosses 3 links in one direction, or on detours 12 / 7 in each.
    let (minimal, detoured) = (1.0 / 3.0, 7.0 / 12.0);
    let tornado = |name| accepted(name, "ring:7", TrafficPattern::Tornado, 0.7);
    let (order, valiant) = (tornado("dimension-order"), tornado("valiant"));
    assert!((0.8 * minimal..minimal).contains(&order), "{order}");
    assert!((0.8 * detoured..detoured).contains(&valiant), "{valiant}");
    for (name, share) in [("ugal-l", 0.87), ("ugal-g", 0.87)] {
        let ugal = tornado(name);
        assert!(ugal > share * valiant && ugal > 1.3 * order, "{name}: {ugal} and {valiant}");
    }
    let uniform = |name| accepted(name, "ring:7", TrafficPattern::Uniform, 0.8);
    let (order, valiant) = (uniform("dimension-order"), uniform("valiant"));
    assert!(valiant < 0.65 * order, "{valiant} and {order}");
    for name in ["ugal-l", "ugal-g"] {
        assert!(uniform(name) > 0.96 * order, "{name}: {} and {order}", uniform(name));
    }
}

#[test]
fn ugal_spreads_a_dragonfly_s_traffic_to_the_next_group() {
    let name = "dragonfly:2x4x2x9";
    let next = |routing| accepted(routing, name, TrafficPattern::NextGroup, 0.25);
    // All 8 nodes of a group share one cable.
    let minimal = next("dimension-order");
    assert!((0.95 / 8.0..1.001 / 8.0).contains(&minimal), "{minimal}");
    for routing in ["valiant", "ugal-l", "ugal-g"] {
        let found = next(routing);
        assert!(found > 0.24, "{routing}: {found}");
    }
    let uniform = |routing| accepted(routing, name, TrafficPattern::Uniform, 0.6);
    let (minimal, local) = (uniform("dimension-order"), uniform("ugal-l"));
    assert!(local > 0.97 * minimal, "{local} and {minimal}");
}

#[test]
fn adaptive_packets_avoid_what_their_fixed_routes_crowd_into() {
    let mesh = |name| accepted(name, "mesh:8x8", TrafficPattern::Transpose, 0.25);
    let (order, adaptive) = (mesh("dimension-order"), mesh("minimal-adaptive"));
    assert!(adaptive > 0.21 && adaptive > 1.15 * order, "{adaptive} and {order}");
    // The targets of the four nodes of a switch share one of its ports upwards.
    let tree = |name| accepted(name, "fat-tree:4x2", TrafficPattern::Transpose, 0.8);
    let (fixed, adaptive) = (tree("dimension-order"), tree("minimal-adaptive"));
    assert!(fixed < 0.5 && adaptive > 0.55, "{adaptive} and {fixed}");
}
