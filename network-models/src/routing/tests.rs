use std::num::NonZeroU32;

use super::*;
use crate::{
    catalog::Catalog,
    model::{Allocation, FlitParameters, flit_testing as testing},
    traffic::TrafficPattern,
};

pub(super) fn topology(text: &str) -> Arc<Topology> {
    let spec = Catalog::standard().topology(text).expect("a topology");
    Arc::new(spec.build(1).expect("it can be built"))
}

pub(super) struct Empty;

impl Queues for Empty {
    fn waiting(&self, _: LinkId) -> u64 {
        0
    }

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
        "dragonfly-plus:1x2x2x2x3",
        "dragonfly-plus:1x2x2x2x5:relative",
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
    let merged = deadlock::Merged(valiant.on(&topology, 0));
    let circle = deadlock::cycle(&topology, &merged, 1).expect("a circle");
    assert!(circle.to_string().contains("waits for the first"), "{circle}");
}

#[test]
fn spray_takes_all_shortest_paths_alike() {
    let tree = topology("fat-tree:4x2");
    let kind = named("spray").expect("it is listed");
    assert_eq!(kind.classes(&tree), 1);
    assert_eq!(kind.classes(&topology("torus:4x4")), 4, "its diameter");
    let (mut routing, mut counts) = (kind.on(&tree, 1), std::collections::BTreeMap::new());
    for _ in 0..4000 {
        let mut path = Vec::new();
        routing.path(NodeId(0), NodeId(12), &Empty, &mut path);
        *counts.entry(path).or_insert(0) += 1;
    }
    let alike = |count: &i32| (900..1100).contains(count);
    assert!(counts.len() == 4 && counts.values().all(alike), "{:?}", counts.values());
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
    // Who sees all queues does no worse, and both nearly as well as if all detoured. Packets that wait
    // for the cable are before it, not behind it.
    let flooded = |routing| accepted(routing, name, TrafficPattern::NextGroup, 0.5);
    let [valiant, local, global] = ["valiant", "ugal-l", "ugal-g"].map(flooded);
    assert!(global > 0.98 * valiant && global > 1.1 * local, "{global}, {local} and {valiant}");
    assert!(local > 0.8 * valiant, "{local} and {valiant}");
    // Packets that meet a queue for the cable of another router turn away from it.
    let par = flooded("par");
    assert!(par > 1.05 * local && par > 0.95 * valiant, "{par}, {local} and {valiant}");
    let uniform = |routing| accepted(routing, name, TrafficPattern::Uniform, 0.6);
    let minimal = uniform("dimension-order");
    for routing in ["ugal-l", "ugal-g", "par"] {
        let found = uniform(routing);
        assert!(found > 0.97 * minimal, "{routing}: {found} and {minimal}");
    }
}

#[test]
fn nobody_takes_a_detour_on_an_idle_network() {
    let topology = topology("dragonfly:2x4x2x9");
    let number = |number| NonZeroU32::new(number).expect("it is not 0");
    let latency = |name| {
        let parameters = FlitParameters {
            packet: number(4),
            channels: number(8),
            routing: named(name).expect("it is listed"),
            ..testing::parameters()
        };
        testing::measured(&topology, parameters, TrafficPattern::NextGroup, 0.001).mean_latency
    };
    let minimal = latency("dimension-order").as_ns_f64();
    for name in ["ugal-l", "ugal-g", "par"] {
        let found = latency(name).as_ns_f64();
        assert!(found < 1.02 * minimal, "{name}: {found} and {minimal}");
    }
}

#[test]
fn adaptive_packets_avoid_what_their_fixed_routes_crowd_into() {
    let mesh = |name| accepted(name, "mesh:8x8", TrafficPattern::Transpose, 0.25);
    let (order, adaptive) = (mesh("dimension-order"), mesh("minimal-adaptive"));
    assert!(adaptive > 0.21 && adaptive > 1.15 * order, "{adaptive} and {order}");
    // The targets of the four nodes of a switch share one of its ports upwards.
    let tree = |name| accepted(name, "fat-tree:4x2", TrafficPattern::Transpose, 0.8);
    let (fixed, adaptive) = (tree("dimension-order"), tree("minimal-adaptive"));
    assert!(fixed < 0.3 && adaptive > 0.5, "{adaptive} and {fixed}");
}

fn listed(text: &str) -> Arc<Topology> {
    let file = crate::topology::GraphFile::parse(text, "it").expect("a graph");
    Arc::new(crate::topology::TopologySpec::from(file).build(1).expect("it fits"))
}

/// Six switches in a ring with a chord, two cables between two of them, and a node on each.
const IRREGULAR: &str = "switch a b c d e f\na b\nb c\nc d\nd e\ne f\nf a\na d cables=2\n0 a\n1 b\n2 c\n\
                         3 d\n4 e\n5 f\n";

#[test]
fn up_down_needs_one_channel_on_any_graph() {
    let up_down = named("up-down").expect("it is listed");
    for topology in [
        listed(IRREGULAR),
        listed("0 1\n1 2\n2 3\n3 4\n4 0\n"),
        listed("switch s t\n0 s\n0 t\n1 s\n1 t\n2 s\n2 t\n"),
        listed("switch a b c d\n0 a\n1 a\n1 d\n2 d\na b\nb c\nc d\n"),
        topology("torus:5x5"),
        topology("slim-fly:5x1"),
        topology("crossbar:2"),
    ] {
        assert_eq!((up_down.classes(&topology), up_down.deadlock(&topology)), (1, None));
        let mut routing = up_down.on(&topology, 0);
        for (source, target) in pairs(topology.nodes()) {
            let mut path = Vec::new();
            routing.path(source, target, &Empty, &mut path);
            let mut at = source.0;
            for hop in &path {
                let (from, to) = topology.link_ends(hop.link);
                assert!(from.0 == at && (to.0 == target.0 || topology.forwards(to)), "{path:?}");
                at = to.0;
            }
            assert!(at == target.0 && path.len() as u32 >= topology.hops(source, target));
        }
    }
    assert!(up_down.fits(&topology("kautz:2x3")).is_err_and(|why| why.contains("both directions")));
}

#[test]
fn up_down_keeps_all_spines_of_a_tree_busy() {
    for tree in [topology("fat-tree:4x3"), topology("tree:2x5")] {
        let mut routing = named("up-down").expect("it is listed").on(&tree, 0);
        let mut used = vec![0u32; tree.link_count() as usize];
        for (source, target) in pairs(tree.nodes()) {
            let mut path = Vec::new();
            routing.path(source, target, &Empty, &mut path);
            assert_eq!(path.len() as u32, tree.hops(source, target), "the shortest");
            path.iter().for_each(|hop| used[hop.link.0 as usize] += 1);
        }
        assert!(used.iter().all(|times| *times > 0), "{used:?}");
    }
}

fn pairs(nodes: u32) -> impl Iterator<Item = (NodeId, NodeId)> {
    let all = (0..nodes).flat_map(move |a| (0..nodes).map(move |b| (NodeId(a), NodeId(b))));
    all.filter(|(a, b)| a != b)
}

#[test]
fn tables_are_followed_and_their_cycles_found() {
    let triangle = topology("ring:3");
    let table = |text: &str| RouteTable::parse(text, "r.txt").expect("lines");
    let direct = table("0 1\n0 2 # a comment\n1 0\n1 2\n2 0\n2 1\n");
    assert_eq!((direct.fits(&triangle), direct.classes(&triangle)), (Ok(()), 1));
    // All go round in one direction.
    let round: Arc<dyn RoutingKind> = Arc::new(table("0 1\n1 2\n2 0\n0 2 1\n1 0 2\n2 1 0\n"));
    assert_eq!((round.classes(&triangle), round.deadlock(&triangle)), (2, None));
    let cycle = cycle_of_one(&triangle, &*round).expect("a cycle");
    assert!(cycle.starts_with("node 0 -> node 1, waits for node 1 -> node 2, waits"), "{cycle}");
    let mut path = Vec::new();
    round.on(&triangle, 0).path(NodeId(2), NodeId(1), &Empty, &mut path);
    let ends: Vec<_> =
        path.iter().map(|hop| (triangle.link_ends(hop.link).1.0, hop.class)).collect();
    assert_eq!(ends, [(0, 0), (1, 1)]);
    let star = table("0 1 s0\n1 0 s0\n");
    assert_eq!(star.fits(&topology("crossbar:2")), Ok(()));
}

#[test]
fn tables_that_do_not_fit_are_refused_with_their_line() {
    assert_eq!(RouteTable::parse("0 1\n\n2\n", "r").map(drop), Err(RouteTableError { line: 3 }));
    let square = topology("ring:4");
    for (text, expected) in [
        ("0 1\n0 9\n", "cannot follow r.txt: line 2: ring:4 has no vertex `9`; there are 0 to 3"),
        ("0 2\n", "line 1: no cable leads from `0` to `2`"),
        ("0 1\n0 1\n", "line 2: line 1 has the route"),
        ("1 1\n", "line 1: a route leads from a node to another one"),
        ("0 1\n", "has no route from `0` to `2` in r.txt, and none for 11 pairs"),
    ] {
        let table = RouteTable::parse(text, "r.txt").expect("lines");
        let told = table.fits(&square).expect_err(text);
        assert!(told.contains(expected), "{text:?}: {told}");
    }
    let through = RouteTable::parse("0 1 s0 2 s1\n", "r.txt").expect("lines");
    let told = through.fits(&listed("switch s0 s1\n0 s0\n1 s1\n2 s0\n2 s1\ns0 s1\n"));
    assert!(told.expect_err("a host").contains("node `2` forwards no packets"));
}

#[test]
fn other_models_follow_routings_that_decide_early() {
    let catalog = Catalog::standard();
    let hardware = crate::model::test_hardware(0, 1);
    // Node 0 sends to node 2 by way of 3, the longer one of two.
    let read = |_: &str| Ok("0 1\n0 2 3 4\n".to_owned() + &rest(5, &[(0, 1), (0, 2)]));
    let ring = topology("ring:5");
    for name in ["link", "fluid", "packet", "flit"] {
        let model = catalog.model_with_files(&format!("{name}:routing=table:a:b"), &read);
        let model = model.expect("a table");
        assert_eq!(
            model.check(&hardware, &ring).map_err(|why| why.to_string()),
            Err("routing `table` cannot follow a:b: line 2: no cable leads from `0` to `3`"
                .to_owned())
        );
    }
    let read = |_: &str| Ok("0 1\n0 2 4 3\n".to_owned() + &rest(5, &[(0, 1), (0, 2)]));
    for name in ["link", "fluid", "packet", "flit"] {
        let model = catalog.model_with_files(&format!("{name}:routing=table:a:b"), &read);
        let model = model.expect("a table");
        model.check(&hardware, &ring).expect("it fits");
        let mut network = model.build(&hardware, &ring);
        let (id, source, target) = (crate::network::TransferId(0), NodeId(0), NodeId(2));
        network.inject(
            sim_core::SimTime::ZERO,
            crate::network::Transfer { id, source, target, bytes: 8 },
        );
        while let Some(next) = network.event_driven().and_then(|it| it.next_time()) {
            network.event_driven().expect("it is").advance(next, &mut Vec::new());
        }
        let links = network.links().expect("links");
        let used = (0..).zip(links.usage).filter(|(_, usage)| usage.messages > 0);
        let to: Vec<u32> = used.map(|(link, _)| ring.link_ends(LinkId(link)).1.0).collect();
        assert_eq!(to, [4, 2, 3], "{name}: 0 to 4, 3 to 2, 4 to 3");
    }
    let misfit = |text: &str| {
        let model = catalog.model(text).expect("an option");
        model.check(&hardware, &ring).map_err(|why| why.to_string())
    };
    assert_eq!(misfit("packet:routing=valiant:seed=3"), Ok(()));
    assert!(misfit("link:routing=valiant").is_err_and(|why| why.contains("cannot follow")));
    assert!(
        misfit("packet:routing=minimal-adaptive").is_err_and(|why| why.contains("each router"))
    );
    assert!(
        catalog.model("loggp:routing=ecmp").is_err() && catalog.model("link:routing=x").is_err()
    );
}

#[test]
fn what_cannot_be_followed_names_the_models_that_can() {
    let catalog = crate::Catalog::standard();
    let hardware = crate::model::test_hardware(100, 50);
    let one = topology("torus:4x4");
    let rails = listed("switch a b\n0 a\n0 b\n1 a\n1 b\n2 a\n2 b\n");
    for (topology, packet) in [(&one, true), (&rails, false)] {
        for kind in routings() {
            let name = kind.description().name;
            if kind.fits(topology).is_err() {
                continue;
            }
            let misfit = |model: &str| {
                let model = catalog.model(&format!("{model}:routing={name}")).expect("an option");
                model.check(&hardware, topology).err().map(|why| why.to_string())
            };
            for model in ["link", "fluid", "packet", "packet:loss=drop-tail"] {
                let Some(why) = misfit(model) else { continue };
                let known = model.split(':').next().expect("a name");
                assert!(why.contains(&format!("which `{known}`")), "{why}");
                let promised = why.rsplit_once("; ").expect("what can").1;
                let says = |other: &str| promised.contains(&format!("`{other}`"));
                assert_eq!(says("packet"), misfit("packet").is_none(), "{topology:?} {why}");
                assert!(says("flit"), "{why}");
                assert!(!says("packet") || packet, "{why}");
            }
            let flit =
                catalog.model(&format!("flit:channels=64:routing={name}")).expect("an option");
            assert_eq!(flit.check(&hardware, topology), Ok(()), "{name}");
        }
    }
}

/// Returns the lines of shortest routes round a ring for the pairs that are not among `others`.
fn rest(size: u32, others: &[(u32, u32)]) -> String {
    let ring = topology(&format!("ring:{size}"));
    let mut text = String::new();
    for (source, target) in pairs(size).filter(|(a, b)| !others.contains(&(a.0, b.0))) {
        let mut links = Vec::new();
        ring.route(source, target, &mut links);
        links.pop();
        text.push_str(&format!("{} {}", source.0, target.0));
        links.iter().for_each(|link| text.push_str(&format!(" {}", ring.link_ends(*link).1.0)));
        text.push('\n');
    }
    text
}
