use std::sync::Arc;

use super::*;
use crate::{catalog::Catalog, model::test_hardware, topology::Topology};

const RATE: Bandwidth = Bandwidth::from_bytes_per_sec(1_000_000_000);

fn topology(text: &str) -> Arc<Topology> {
    let spec = Catalog::standard().topology(text).expect("a topology");
    Arc::new(spec.build(1).expect("it can be built"))
}

/// Measures messages of 1,000 bytes on links and ports of 1 GB/s, with latencies of 100 ns and of
/// 50 ns for each hop.
fn measured(model: &str, name: &str, pattern: TrafficPattern, load: f64) -> TrafficResult {
    let hardware = test_hardware(100, 50);
    let topology = topology(name);
    let mut network =
        Catalog::standard().model(model).expect("a model").build(&hardware, &topology);
    let targets = pattern.on(&topology, 7).expect("it fits");
    let plan = TrafficPlan { bytes: 1000, rate: RATE, load, warm_up: 200, measured: 800, seed: 7 };
    measure(network.as_mut(), &targets, topology.nodes(), &plan).expect("no deadlock")
}

#[test]
fn at_low_load_the_latency_is_that_of_an_idle_network() {
    for model in ["link", "fluid", "packet"] {
        let found = measured(model, "torus:4x4", TrafficPattern::Neighbor, 0.01);
        // Two hops: 100 + 100 + 1,000 ns, and little more.
        let mean = found.mean_latency.as_ps();
        assert!((1_200_000..1_230_000).contains(&mean), "{model}: {mean}");
        assert!(!found.saturated && found.messages > 50);
        assert!(found.latency_99.as_ps() >= mean);
    }
}

#[test]
fn a_link_is_full_where_the_sum_of_its_flows_is_its_rate() {
    // Tornado on a ring of 8: each message goes 3 links in one direction, so that a link is full at
    // a third of the load that a node can offer.
    for model in ["link", "fluid", "packet"] {
        let below = measured(model, "ring:8", TrafficPattern::Tornado, 0.3);
        assert!(!below.saturated, "{model}: {below:?}");
        assert!((below.accepted - 0.3).abs() < 0.03, "{model}: {below:?}");
        let above = measured(model, "ring:8", TrafficPattern::Tornado, 0.4);
        assert!(above.saturated, "{model}: {above:?}");
        // Of flows that share a full link, fewer are complete than their bytes are worth.
        assert!((0.25..0.345).contains(&above.accepted), "{model}: {above:?}");
        assert!(above.mean_latency > below.mean_latency * 2, "{model}: {above:?}");
    }
}

#[test]
fn fluid_ends_where_a_network_is_flooded_and_says_so() {
    let flooded = measured("fluid", "torus:8x8", TrafficPattern::Tornado, 0.9);
    let stopped = flooded.stopped.expect("too many are under way");
    // A node creates 0.9 in a message time and a third of one arrives, but fewer at first.
    assert_eq!(stopped.under_way, 64);
    assert!((71..160).contains(&stopped.after), "{stopped:?}");
    assert!(flooded.saturated && flooded.accepted < 0.345, "{flooded:?}");
    assert!((flooded.offered - 0.9).abs() < 0.03, "{flooded:?}");
    assert_eq!(measured("fluid", "torus:8x8", TrafficPattern::Tornado, 0.3).stopped, None);
    assert_eq!(measured("packet", "torus:8x8", TrafficPattern::Tornado, 0.9).stopped, None);
}

#[test]
fn messages_on_their_way_are_no_crowd_and_short_windows_are_lengthened() {
    let topology = topology("crossbar:16");
    let targets = TrafficPattern::Uniform.on(&topology, 7).expect("it fits");
    let plan = TrafficPlan { bytes: 8, rate: RATE, load: 0.3, warm_up: 20, measured: 20, seed: 7 };
    for model in ["fluid", "link"] {
        let measured = |plan: &TrafficPlan| {
            let model = Catalog::standard().model(model).expect("a model");
            let mut network = model.build(&test_hardware(1000, 50), &topology);
            measure(network.as_mut(), &targets, topology.nodes(), plan).expect("no deadlock")
        };
        let short = measured(&plan);
        assert!(short.saturated && short.least_latency > SimDuration::from_us(1), "{short:?}");
        let longer = plan.lengthened(&short, 1_000_000).expect("a longer plan");
        let found = measured(&longer);
        assert!(!found.saturated && found.stopped.is_none(), "{model}: {found:?}");
        assert!((found.accepted / found.offered - 1.0).abs() < 0.05, "{model}: {found:?}");
        assert_eq!(longer.lengthened(&found, 1_000_000), None);
    }
}

#[test]
fn packets_arrive_at_the_highest_rate_when_more_are_offered() {
    for name in ["mesh:8x8", "torus:8x8", "hypercube:6", "ring:16"] {
        let accepted = |load| {
            let found = measured("packet:size=1000", name, TrafficPattern::Uniform, load);
            found.accepted
        };
        let most = [0.4, 0.5, 0.6, 0.7, 0.8, 0.9].map(accepted).into_iter().fold(0.0, f64::max);
        let flooded = accepted(1.0);
        assert!(flooded > 0.95 * most, "{name}: {flooded} of {most}");
    }
    // Each message of a tornado on a torus crosses three links in each dimension.
    for (name, load) in [("ring:8", 0.4), ("ring:8", 1.0), ("torus:8x8", 0.4), ("torus:8x8", 1.0)] {
        let found = measured("packet:size=1000", name, TrafficPattern::Tornado, load);
        assert!((0.27..0.34).contains(&found.accepted), "{name} {load}: {found:?}");
    }
}

#[test]
fn one_node_receives_no_more_than_its_port_carries() {
    // Half of the traffic of 15 nodes goes to node 0, and 1/30 of the rest.
    let found = measured("packet", "crossbar:16", TrafficPattern::Hotspot, 0.5);
    assert!(found.saturated, "{found:?}");
    let same = measured("packet", "crossbar:16", TrafficPattern::Hotspot, 0.5);
    assert_eq!(found, same);
}

#[test]
fn messages_wait_at_their_ports_as_queueing_theory_says() {
    // One sender, one receiver: a queue of messages that all take the same time (M/D/1), under `fluid` one
    // that serves all at once (M/D/1-PS), and with cycles of 1/8 of that time a discrete one (Geo/D/1).
    let topology = topology("crossbar:2");
    let targets = TrafficPattern::Neighbor.on(&topology, 7).expect("it fits");
    let flit = "flit:flit=8:packet=8:wire=1:buffer=64";
    for (model, service) in
        [("loggp", 0.5), ("link", 0.5), ("packet", 0.5), ("fluid", 1.0), (flit, 0.5 * 7.0 / 8.0)]
    {
        for load in [0.3, 0.6, 0.8] {
            let plan = TrafficPlan {
                bytes: 64,
                rate: RATE,
                load,
                warm_up: 500,
                measured: 40_000,
                seed: 7,
            };
            let kind = Catalog::standard().model(model).expect("a model");
            let mut network = kind.build(&test_hardware(100, 50), &topology);
            let found = measure(network.as_mut(), &targets, 2, &plan).expect("no deadlock");
            assert!(!found.saturated && (found.offered / load - 1.0).abs() < 0.02, "{found:?}");
            assert!((found.accepted / found.offered - 1.0).abs() < 0.001, "{model}: {found:?}");
            // In message times of 64 ns, and at the load that was drawn.
            let waited = found.mean_latency - found.least_latency;
            let waited = waited.as_ns_f64() / 64.0;
            let known = service * found.offered / (1.0 - found.offered);
            assert!((waited / known - 1.0).abs() < 0.05, "{model} {load}: {waited}, {known}");
        }
    }
}
