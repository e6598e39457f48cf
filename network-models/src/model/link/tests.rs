//! The link model against closed forms, to the picosecond (switching: Ni and McKinley 1993).

use std::sync::Arc;

use proptest::prelude::*;
use sim_core::{SimDuration, SimTime};

use super::*;
use crate::{network::NodeId, topology::TopologySpec, traffic::carry};

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

/// A transfer of a test: time of injection in picoseconds, source, target, bytes.
type Sent = (u64, u32, u32, u64);

/// Sends transfers, in order of time, and returns when each is accepted, released and arrives.
fn times_of(links: &mut Links, sent: &[Sent]) -> Vec<(u64, u64, u64)> {
    let transfers = (0..).zip(sent).map(|(id, (time, source, target, bytes))| {
        let (source, target) = (NodeId(*source), NodeId(*target));
        let transfer = Transfer { id: TransferId(id), source, target, bytes: *bytes };
        (SimTime::from_ps(*time), transfer)
    });
    let (deliveries, reports) = carry(links, transfers);
    let mut arrivals: Vec<_> = deliveries.iter().map(|delivery| delivery.arrival()).collect();
    for Report { id, progress, time } in reports {
        assert_eq!(progress, Progress::Arrived, "the release is known at once");
        let known = arrivals[id.0 as usize].replace(time);
        assert_eq!(known, None, "it arrives once");
    }
    let times = deliveries.iter().zip(arrivals).map(|(delivery, arrival)| {
        let released = delivery.flight.expect("the release is known at once").released;
        (delivery.accepted.as_ps(), released.as_ps(), arrival.expect("it arrives").as_ps())
    });
    times.collect()
}

fn arrivals(links: &mut Links, sent: &[Sent]) -> Vec<u64> {
    times_of(links, sent).into_iter().map(|(.., arrival)| arrival).collect()
}

fn arrival(links: &mut Links, source: u32, target: u32, bytes: u64) -> u64 {
    arrivals(links, &[(0, source, target, bytes)])[0]
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
    let times = times_of(&mut cut, &[(5, 0, 3, 40), (6, 0, 1, 40)]);
    assert_eq!(times[0], (5, 5 + 160, 5 + 100 + 30 + 160));
    assert_eq!(times[1].0, 5 + 160, "the next waits for the port");
    let stored = arrival(&mut line(Switching::StoreAndForward), 0, 3, 40);
    assert_eq!(stored, 100 + 30 + 160 + 2 * 40);
}

#[test]
fn a_port_faster_than_links_sends_over_several_of_them() {
    // Twice as fast: 400 bytes take the port 200 and a link 400. The second message goes the other
    // way while the first is on its link, the third waits for the link of the first.
    let fast = Some(Bandwidth::from_bytes_per_sec(2_000_000_000_000));
    let given = LinkParameters { injection: fast, ..parameters(Switching::CutThrough) };
    let mut network = network("linear:6", given);
    let found = times_of(&mut network, &[(0, 1, 2, 400), (0, 1, 0, 400), (0, 1, 2, 400)]);
    assert_eq!(found, [(0, 200, 510), (200, 400, 710), (400, 600, 910)]);
}

#[test]
fn sharing_a_link_serialises_and_disjoint_routes_do_not_meet() {
    let mut network = network("linear:6", parameters(Switching::CutThrough));
    let sent = [(0, 1, 2, 40), (0, 0, 2, 40), (0, 2, 1, 40), (0, 4, 5, 40)];
    let found = arrivals(&mut network, &sent);
    // The third one takes the other direction of the cable, which is another link.
    assert_eq!(found, [150, 100 + 40 + 10 + 40, 150, 150]);
    assert_eq!(network.usage.reserved().iter().map(|u| u.messages).sum::<u64>(), 5);
}

#[test]
fn a_message_that_waited_follows_at_the_rate_of_the_link() {
    let slow = Some(Bandwidth::from_bytes_per_sec(500_000_000_000));
    let given = LinkParameters { injection: slow, ..parameters(Switching::CutThrough) };
    let mut network = network("linear:6", given);
    // Link 1-2 is taken from 100 to 500. The head of the second message is there at 110, its tail at
    // 190; the link is free at 500.
    let found = arrivals(&mut network, &[(0, 1, 2, 400), (0, 0, 3, 40)]);
    assert_eq!(found, [100 + 10 + 800, 500 + 40 + 10 + 10]);
}

/// Ports of this rate.
fn ports(rate: u64) -> LinkParameters {
    let injection = Some(Bandwidth::from_bytes_per_sec(rate));
    LinkParameters { injection, ..parameters(Switching::CutThrough) }
}

#[test]
fn a_node_receives_no_faster_than_its_port() {
    // Over two links at a time, to a port as fast as one of them: 400 bytes each, from 110 on.
    let sent = [(0, 1, 2, 400), (0, 3, 2, 400)];
    let of = |rate| arrivals(&mut network("linear:6", ports(rate)), &sent);
    assert_eq!(of(1_000_000_000_000), [110 + 400, 110 + 800]);
    // 1.6 times as fast as a link, the port takes 500 for both; twice as fast, it is as fast as both
    // links.
    assert_eq!(of(1_600_000_000_000), [110 + 400, 110 + 500]);
    assert_eq!(of(2_000_000_000_000), [110 + 400, 110 + 400]);
    // Half as fast as a link: each of the three ports takes 800 for a message.
    assert_eq!(of(500_000_000_000), [110 + 800, 110 + 1600]);
}

#[test]
fn a_message_waits_for_a_port_behind_those_whose_heads_were_there_before() {
    // 2 receives 400 bytes from 110 on; 40 bytes from the other side are there 10 later, and 40 more long
    // after both.
    let mut network = network("linear:6", ports(1_000_000_000_000));
    let found = arrivals(&mut network, &[(0, 1, 2, 400), (10, 3, 2, 40), (600, 3, 2, 40)]);
    assert_eq!(found, [510, 550, 750]);
}

#[test]
fn messages_without_bytes_wait_for_nothing() {
    // Over the port of 1 and the link 1-2, which are in use, and into the port of 2.
    let mut network = network("linear:6", ports(1_000_000_000_000));
    let found =
        times_of(&mut network, &[(0, 1, 2, 400), (0, 1, 2, 0), (0, 3, 2, 400), (5, 0, 2, 0)]);
    assert_eq!(found, [(0, 400, 510), (0, 0, 110), (0, 400, 910), (5, 5, 125)]);
}

#[test]
fn a_link_is_free_until_the_head_of_a_message_reaches_it() {
    // The message from 0 to 4 waits for link 2-3, which carries 5,000 bytes from 2 to 3 at 100. Those
    // that want the links behind and before it meanwhile do not wait: from 1 to 2 and from 3 to 4.
    let mut network = network("linear:6", parameters(Switching::CutThrough));
    let sent = [(0, 2, 3, 5000), (0, 0, 4, 40), (300, 1, 2, 40), (400, 3, 4, 40)];
    let found = arrivals(&mut network, &sent);
    assert_eq!(found, [5110, 5100 + 20 + 40, 300 + 150, 400 + 150]);
}

#[test]
fn heads_are_served_in_the_order_in_which_they_reach_a_link() {
    // Link 3-4 is reached by the message from 0 after 30, by that from 3, sent 20 later, before it.
    let mut network = network("linear:6", parameters(Switching::CutThrough));
    let found = arrivals(&mut network, &[(0, 0, 4, 1000), (20, 3, 4, 1000)]);
    assert_eq!(found, [100 + 20 + 1000 + 10 + 1000, 20 + 100 + 10 + 1000]);
    // At the same time, the transfer with the lower number is first.
    let mut network = self::network("linear:6", parameters(Switching::CutThrough));
    let found = arrivals(&mut network, &[(0, 0, 4, 1000), (30, 3, 4, 1000)]);
    assert_eq!(found, [100 + 40 + 1000, 100 + 30 + 1000 + 10 + 1000]);
}

#[test]
fn m_messages_over_one_link_take_m_times_as_long() {
    let mut network = network("crossbar:9", parameters(Switching::CutThrough));
    let sent: Vec<Sent> = (1..9).map(|source| (0, source, 0, 1000)).collect();
    let last = arrivals(&mut network, &sent).into_iter().max();
    assert_eq!(last, Some(100 + 20 + 8 * 1000), "all to one: its link is the bottleneck");
    let busiest = network.usage.reserved().iter().map(|usage| usage.busy.as_ps()).max();
    assert_eq!(busiest, Some(8 * 1000));
}

#[test]
fn reservations_of_a_link_never_overlap_and_add_up() {
    let mut network = network("torus:4x4", parameters(Switching::CutThrough));
    network.log.switch_on();
    let mut sent: Vec<Sent> = Vec::new();
    for number in 0..400u64 {
        let (source, target) = (number * 7 % 16, number * number % 16);
        sent.push((number * 3, source as u32, target as u32, number % 50));
    }
    arrivals(&mut network, &sent);
    let all: Vec<Occupancy> = network.log.drain().collect();
    for (link, usage) in network.usage.reserved().iter().enumerate() {
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
        assert_eq!(times_of(&mut network, &[(3, 1, 1, 100)]), [(3, 3 + 50, 3 + 50 + 7)]);
        assert!(network.usage.reserved().iter().all(|usage| usage.messages == 0));
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
        let port = injection.time_for(bytes).as_ps();
        let again = if stored { (hops - 1) * wire } else { 0 };
        let sent = (times.2, source, target, bytes);
        let (accepted, released, arrival) = times_of(&mut network, &[sent])[0];
        prop_assert_eq!(accepted, times.2);
        prop_assert_eq!(released, times.2 + port);
        prop_assert_eq!(arrival, times.2 + times.0 + hops * times.1 + wire.max(port) + again);
    }
}
