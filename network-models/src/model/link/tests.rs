//! The link model against closed forms, to the picosecond (switching: Ni and McKinley 1993).

use std::sync::Arc;

use proptest::prelude::*;
use sim_core::{SimDuration, SimTime};

use super::*;
use crate::{
    network::{NodeId, TransferId},
    topology::TopologySpec,
};

/// Returns parameters with which one byte takes one picosecond on a link.
fn parameters(switching: Switching) -> LinkParameters {
    LinkParameters {
        latency: SimDuration::from_ps(100),
        hop: SimDuration::from_ps(10),
        bandwidth: Bandwidth::from_bytes_per_sec(1_000_000_000_000),
        injection: None,
        switching,
    }
}

fn network(topology: &str, parameters: LinkParameters) -> Links {
    let spec: TopologySpec = topology.parse().expect("a topology");
    let topology = Arc::new(spec.build(1).expect("it fits"));
    let local = LocalPath {
        latency: SimDuration::from_ps(7),
        bandwidth: Some(Bandwidth::from_bytes_per_sec(2_000_000_000_000)),
    };
    Links::new(topology, parameters, local)
}

fn inject(links: &mut Links, now: u64, ends: (u32, u32), bytes: u64) -> (u64, u64, u64) {
    let (source, target) = (NodeId(ends.0), NodeId(ends.1));
    let transfer = Transfer { id: TransferId(now), source, target, bytes };
    let delivery = links.inject(SimTime::from_ps(now), transfer);
    let flight = delivery.flight.expect("this model always knows");
    (delivery.accepted.as_ps(), flight.released.as_ps(), flight.arrival.as_ps())
}

fn arrival(links: &mut Links, source: u32, target: u32, bytes: u64) -> u64 {
    inject(links, 0, (source, target), bytes).2
}

#[test]
fn unloaded_closed_forms() {
    let line = |switching| network("linear:6", parameters(switching));
    for bytes in [0, 1, 40, 1 << 30] {
        for hops in 1..6 {
            let cut = arrival(&mut line(Switching::CutThrough), 0, hops, bytes);
            assert_eq!(cut, 100 + 10 * u64::from(hops) + bytes);
            let stored = arrival(&mut line(Switching::StoreAndForward), 0, hops, bytes);
            assert_eq!(stored, 100 + u64::from(hops) * (10 + bytes));
        }
    }
}

#[test]
fn a_slower_sender_is_paid_once() {
    let slow = Some(Bandwidth::from_bytes_per_sec(250_000_000_000));
    let line = |switching| {
        network("linear:6", LinkParameters { injection: slow, ..parameters(switching) })
    };
    let mut cut = line(Switching::CutThrough);
    assert_eq!(inject(&mut cut, 5, (0, 3), 40), (5, 5 + 160, 5 + 100 + 30 + 160));
    assert_eq!(inject(&mut cut, 6, (0, 1), 40).0, 5 + 160, "the next waits for the port");
    let stored = arrival(&mut line(Switching::StoreAndForward), 0, 3, 40);
    assert_eq!(stored, 100 + 30 + 160 + 2 * 40);
}

#[test]
fn sharing_a_link_serialises_and_disjoint_routes_do_not_meet() {
    let mut network = network("linear:6", parameters(Switching::CutThrough));
    assert_eq!(arrival(&mut network, 1, 2, 40), 150);
    assert_eq!(arrival(&mut network, 0, 2, 40), 100 + 40 + 10 + 40);
    assert_eq!(arrival(&mut network, 2, 1, 40), 150, "the other direction is another link");
    assert_eq!(arrival(&mut network, 4, 5, 40), 150);
    assert_eq!(network.usage.iter().map(|u| u.messages).sum::<u64>(), 5);
}

#[test]
fn a_message_that_waited_follows_at_the_rate_of_the_link() {
    let slow = Some(Bandwidth::from_bytes_per_sec(500_000_000_000));
    let given = LinkParameters { injection: slow, ..parameters(Switching::CutThrough) };
    let mut network = network("linear:6", given);
    // Link 1-2 is taken from 100 to 500.
    assert_eq!(arrival(&mut network, 1, 2, 400), 100 + 10 + 800);
    // The head is there at 110, the tail at 190; the link is free at 500.
    assert_eq!(arrival(&mut network, 0, 2, 40), 500 + 40 + 10);
}

#[test]
fn m_messages_over_one_link_take_m_times_as_long() {
    let mut network = network("crossbar:9", parameters(Switching::CutThrough));
    let last = (1..9).map(|source| arrival(&mut network, source, 0, 1000)).max();
    assert_eq!(last, Some(100 + 20 + 8 * 1000), "all to one: its link is the bottleneck");
    let busiest = network.usage.iter().map(|usage| usage.busy.as_ps()).max();
    assert_eq!(busiest, Some(8 * 1000));
}

#[test]
fn reservations_of_a_link_never_overlap_and_add_up() {
    let mut network = network("torus:4x4", parameters(Switching::CutThrough));
    network.log.switch_on();
    for number in 0..400u64 {
        let (source, target) = (number * 7 % 16, number * number % 16);
        inject(&mut network, number * 3, (source as u32, target as u32), number % 50);
    }
    let all: Vec<Occupancy> = network.log.drain().collect();
    for (link, usage) in network.usage.iter().enumerate() {
        let mut of_link: Vec<_> = all.iter().filter(|o| o.link.0 as usize == link).collect();
        of_link.sort_by_key(|occupancy| occupancy.start);
        assert!(of_link.windows(2).all(|pair| pair[0].end <= pair[1].start), "link {link}");
        let busy: u64 = of_link.iter().map(|o| o.end.since(o.start).as_ps()).sum();
        assert_eq!(busy, usage.busy.as_ps());
    }
}

#[test]
fn ranks_of_one_node_take_the_way_inside_it() {
    for model in [Switching::CutThrough, Switching::StoreAndForward] {
        let mut network = network("mesh:2x2", parameters(model));
        assert_eq!(inject(&mut network, 3, (1, 1), 100), (3, 3 + 50, 3 + 50 + 7));
        assert!(network.usage.iter().all(|usage| usage.messages == 0));
    }
}

proptest! {
    #[test]
    fn on_an_idle_network_every_route_takes_its_closed_form(
        topology in prop::sample::select(vec![
            "ring:9", "linear:7", "mesh:4x5", "torus:5x4", "torus:3x3x3", "hypercube:5",
            "crossbar:8", "star:8", "tree:3x3", "fat-tree:4x2", "fat-tree:4x3:2",
        ]),
        pair in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
        bytes in 0u64..100_000_000,
        rates in (1_000u64..1 << 45, 1_000u64..1 << 45),
        times in (0u64..10_000_000, 0u64..10_000_000, 0u64..1 << 50),
        stored in any::<bool>(),
    ) {
        let switching = if stored { Switching::StoreAndForward } else { Switching::CutThrough };
        let (link, injection) = (
            Bandwidth::from_bytes_per_sec(rates.0),
            Bandwidth::from_bytes_per_sec(rates.1),
        );
        let mut network = network(topology, LinkParameters {
            latency: SimDuration::from_ps(times.0),
            hop: SimDuration::from_ps(times.1),
            bandwidth: link,
            injection: Some(injection),
            switching,
        });
        let nodes = network.topology.nodes() as usize;
        let (source, target) = (pair.0.index(nodes) as u32, pair.1.index(nodes) as u32);
        prop_assume!(source != target);
        let mut route = Vec::new();
        network.topology.route(NodeId(source), NodeId(target), &mut route);
        let hops = route.len() as u64;
        let wire = link.time_for(bytes).as_ps();
        let sending = wire.max(injection.time_for(bytes).as_ps());
        let again = if stored { (hops - 1) * wire } else { 0 };
        let (accepted, released, arrival) = inject(&mut network, times.2, (source, target), bytes);
        prop_assert_eq!(accepted, times.2);
        prop_assert_eq!(released, times.2 + sending);
        prop_assert_eq!(arrival, times.2 + times.0 + hops * times.1 + sending + again);
    }
}
