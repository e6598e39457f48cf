use std::sync::Arc;

use sim_core::{SimDuration, SimTime};

use crate::topology::testing::{build, structure, verify};
use crate::{
    catalog::Catalog,
    model,
    network::{NodeId, Transfer, TransferId},
    topology::{GraphFile, LinkId, PlaneSet, Topology, TopologySpec, VertexId},
};

#[test]
fn planes_are_sound_and_as_long_as_one() {
    verify(&[
        "planes:2*fat-tree:4x2",
        "planes:3*torus:3x4",
        "planes:2*crossbar:5",
        "planes:4*dragonfly:2x4x2x5",
        "planes:2*omega:2x3",
        "planes:1*tree:2x3",
        "planes:3:round-robin*torus:3x4",
    ]);
    for name in ["fat-tree:4x2", "torus:4x5", "dragonfly:2x4x2x5"] {
        let (one, two) = (structure(name), structure(&format!("planes:2*{name}")));
        assert_eq!((two.nodes, two.links), (one.nodes, 2 * one.links), "{name}");
        assert_eq!((two.diameter, two.mean_hops), (one.diameter, one.mean_hops), "{name}");
        assert_eq!(two.switches, 2 * one.switches, "{name}");
        assert_eq!(build(&format!("planes:2*{name}")).deadlock(), None, "{name}");
    }
    assert_eq!(build("planes:2*hypercube:3").name(), "planes:2*hypercube:3");
}

#[test]
fn pairs_are_spread_over_planes_and_ports() {
    for name in ["planes:4*crossbar:32", "planes:4*torus:4x8"] {
        let topology = build(name);
        assert_eq!(topology.rails(), 4, "{name}");
        let mut used = [0u32; 4];
        for (source, target) in (0..32).flat_map(|a| (0..32).map(move |b| (a, b))) {
            let mut links: Vec<LinkId> = Vec::new();
            topology.route(NodeId(source), NodeId(target), &mut links);
            let [first, .., last] = links[..] else { continue };
            let out = topology.rail(first, NodeId(source));
            assert_eq!(out, topology.rail(last, NodeId(target)), "{name}: one plane");
            used[out as usize] += 1;
        }
        let all: u32 = used.iter().sum();
        assert!(used.iter().all(|times| (all / 5..=all / 3).contains(times)), "{name}: {used:?}");
    }
}

/// Returns when the last of the messages of node 0 to all others arrives. Units: picoseconds.
fn makespan(topology: &Arc<Topology>, model: &str) -> u64 {
    let hardware = model::test_hardware(0, 1);
    let kind = Catalog::standard().model(model).expect("a model");
    kind.check(&hardware, topology).expect("it fits");
    let mut network = kind.build(&hardware, topology);
    let mut last = SimTime::ZERO;
    for target in 1..topology.nodes() {
        let (source, target) = (NodeId(0), NodeId(target));
        let transfer = Transfer { id: TransferId(target.0.into()), source, target, bytes: 100_000 };
        let arrival = network.inject(SimTime::ZERO, transfer).arrival();
        last = arrival.map_or(last, |arrival| last.max(arrival));
    }
    let network = network.event_driven().expect("it has links");
    let mut reports = Vec::new();
    while let Some(next) = network.next_time() {
        network.advance(next, &mut reports);
    }
    reports.iter().map(|report| report.time).fold(last, SimTime::max).as_ps()
}

#[test]
fn each_port_sends_at_the_rate_of_a_port() {
    let file = "switch a b\n".to_owned()
        + &(0..65).map(|node| format!("{node} a\n{node} b\n")).collect::<String>();
    let file = GraphFile::parse(&file, "rails").expect("a graph");
    let rails = Arc::new(TopologySpec::from(file).build(1).expect("it fits"));
    let [one, two] = ["crossbar:65", "planes:2*crossbar:65"].map(|name| Arc::new(build(name)));
    for model in ["link", "fluid", "packet"] {
        // 64 messages of 100 us, of which 32 or a few more take the same port.
        let alone = makespan(&one, model);
        assert!((6_400_000_000..6_410_000_000).contains(&alone), "{model}: {alone}");
        for topology in [&two, &rails] {
            let shared = makespan(topology, model);
            let expected = 3_200_000_000..4_210_000_000;
            assert!(expected.contains(&shared), "{model}, {}: {shared}", topology.name());
        }
    }
}

#[test]
fn messages_take_the_planes_in_turn() {
    let [pair, round] = ["planes:4*crossbar:65", "planes:4:round-robin*crossbar:65"]
        .map(|name| Arc::new(build(name)));
    assert_eq!((pair.turns(), round.turns()), (1, 4));
    assert_eq!(round.deadlock(), None);
    for model in ["link", "fluid", "packet"] {
        // 64 messages of 100 us: 16 a port in turn, and a few more where a hash chooses.
        let (hashed, balanced) = (makespan(&pair, model), makespan(&round, model));
        assert!((1_600_000_000..1_610_000_000).contains(&balanced), "{model}: {balanced}");
        assert!(hashed > 1_700_000_000, "{model}: {hashed}");
    }
    // The one port of a node is the limit under `flit`: 64 messages of 100 us.
    for topology in [&pair, &round] {
        let flits = makespan(topology, "flit");
        assert!((6_400_000_000..6_700_000_000).contains(&flits), "{flits}");
    }
    // A torus has cables of its own for each plane.
    let torus = build("planes:3:round-robin*torus:3x4");
    for (source, target) in (0..12).flat_map(|a| (0..12).map(move |b| (NodeId(a), NodeId(b)))) {
        let routes: Vec<Vec<LinkId>> = (0..3)
            .map(|turn| {
                let mut route = Vec::new();
                torus.route_in_turn(source, target, turn, &mut route);
                route
            })
            .collect();
        let ends = |route: &[LinkId]| -> Vec<_> {
            route.iter().map(|link| torus.link_ends(*link)).collect()
        };
        assert!(routes.iter().all(|route| ends(route) == ends(&routes[0])));
        let mut all = routes.concat();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 3 * torus.hops(source, target) as usize, "no cable is shared");
    }
}

#[test]
fn a_file_may_be_there_several_times() {
    let text = "switch leaf0 leaf1 spine\nlatency=200ns\nn0 leaf0\nn1 leaf0\nn2 leaf1\n\
                leaf0 spine bandwidth=100Gb/s\nleaf1 spine\n";
    let file = GraphFile::parse(text, "small").expect("a graph");
    let (planes, inner) = PlaneSet::split("2:round-robin*file").expect("planes");
    assert_eq!(inner, "file");
    let topology = TopologySpec::from(file).in_planes(planes).build(3).expect("it fits");
    topology.verify().expect("it agrees with itself");
    assert_eq!((topology.nodes(), topology.vertices(), topology.rails()), (3, 9, 2));
    assert_eq!(topology.name(), "planes:2:round-robin*file:small");
    let names: Vec<String> = (0..9).map(|at| topology.describe(VertexId(at))).collect();
    assert_eq!((names[0].as_str(), names[3].as_str()), ("node n0", "switch leaf0@0"));
    assert_eq!(names[8], "switch spine@1");
    let mut route = Vec::new();
    topology.route_in_turn(NodeId(0), NodeId(2), 1, &mut route);
    let told: Vec<String> = route.iter().map(|link| topology.describe_link(*link)).collect();
    assert_eq!(told[1], "switch leaf0@1 -> switch spine@1");
    assert_eq!(topology.numbers(route[1]).delay, Some(SimDuration::from_ns(200)));
}

#[test]
fn sizes() {
    for text in [
        "planes",
        "planes:2",
        "planes:0*ring",
        "planes:65*ring",
        "planes:2*donut",
        "planes:2*mesh:0x1",
        "planes:2*planes:2*ring",
        "planes:x*ring",
        "planes:2:fastest*ring",
        "planes:2:*ring",
    ] {
        assert!(text.parse::<TopologySpec>().is_err(), "{text}");
    }
    let spec: TopologySpec = "planes:2*mesh".parse().expect("a topology");
    assert_eq!(spec.build(12).expect("it fits").name(), "planes:2*mesh:3x4");
    let spec: TopologySpec = "planes:2:by-pair*mesh".parse().expect("a topology");
    assert_eq!(spec.build(12).expect("it fits").name(), "planes:2*mesh:3x4");
}
