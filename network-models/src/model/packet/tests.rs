use std::collections::BTreeMap;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::{
    catalog::Catalog,
    model::{LinkParameters, Links},
    network::NodeId,
    topology::Shape,
    traffic::carry,
};

const RATE: Bandwidth = Bandwidth::from_bytes_per_sec(1_000_000_000);
const LATENCY: SimDuration = SimDuration::from_us(1);
const HOP: SimDuration = SimDuration::from_ns(100);

fn topology(text: &str) -> Arc<Topology> {
    let spec = Catalog::standard().topology(text).expect("a topology");
    Arc::new(spec.build(1).expect("it can be built"))
}

fn number(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).expect("it is not 0")
}

/// Links and ports of 1 GB/s, packets of 1,000 bytes, 4 of them in a buffer.
fn parameters() -> PacketParameters {
    PacketParameters {
        latency: LATENCY,
        hop: HOP,
        bandwidth: RATE,
        injection: Some(RATE),
        switching: Switching::CutThrough,
        size: number(1000),
        buffers: Some(number(4)),
    }
}

fn local() -> LocalPath {
    LocalPath { latency: SimDuration::from_ns(10), bandwidth: None }
}

/// A transfer of a test: time of injection in picoseconds, source, target, bytes.
type Sent = (u64, u32, u32, u64);

/// Sends transfers, in order of time, and returns release and arrival of each in picoseconds.
fn times_of(network: &mut Packets, sent: &[Sent]) -> Vec<(u64, u64)> {
    let transfers = (0..).zip(sent).map(|(id, (time, source, target, bytes))| {
        let (source, target) = (NodeId(*source), NodeId(*target));
        let transfer = Transfer { id: TransferId(id), source, target, bytes: *bytes };
        (SimTime::from_ps(*time), transfer)
    });
    let (deliveries, reports) = carry(network, transfers);
    for (delivery, sent) in deliveries.iter().zip(sent) {
        assert_eq!(delivery.accepted, SimTime::from_ps(sent.0));
    }
    let mut times = BTreeMap::<u64, (u64, u64)>::new();
    for Report { id, progress, time } in reports {
        let entry = times.entry(id.0).or_default();
        let place = match progress {
            Progress::Released => &mut entry.0,
            Progress::Arrived => &mut entry.1,
        };
        assert_eq!(std::mem::replace(place, time.as_ps()), 0, "each is reported once");
    }
    assert_eq!(times.len(), sent.len());
    assert!(times.values().all(|(released, arrived)| 0 < *released && released <= arrived));
    times.into_values().collect()
}

fn network(topology: &str, parameters: PacketParameters) -> Packets {
    Packets::new(self::topology(topology), parameters, local())
}

#[test]
fn an_idle_network_has_its_closed_form() {
    let (through, stored) = (Switching::CutThrough, Switching::StoreAndForward);
    for (switching, rate) in
        [(through, 250), (through, 1000), (through, 4000), (stored, 1000), (stored, 4000)]
    {
        let injection = Some(Bandwidth::from_bytes_per_sec(rate * 1_000_000));
        // A credit is back before the buffer is full.
        let mine = PacketParameters { switching, injection, ..parameters() };
        for (target, bytes) in [(1, 1), (5, 1000), (15, 64_000), (3, 0), (10, 10_500)] {
            let sent = [(7, 0, target, bytes)];
            let found = times_of(&mut network("mesh:4x4", mine), &sent)[0].1;
            let hops = u64::from(topology("mesh:4x4").hops(NodeId(0), NodeId(target)));
            let slowest = rate.min(1000);
            let stored = match switching {
                Switching::CutThrough => 0,
                Switching::StoreAndForward => (hops - 1) * bytes.min(1000) * 1000,
            };
            let closed = 7 + 1_000_000 + hops * 100_000 + bytes * 1_000_000 / slowest + stored;
            assert_eq!(found, closed, "{switching:?} {rate} MB/s to {target}: {bytes} bytes");
        }
    }
}

#[test]
fn a_long_latency_takes_no_space() {
    let slow = PacketParameters { latency: SimDuration::from_us(50), ..parameters() };
    let found = times_of(&mut network("mesh:4x4", slow), &[(0, 0, 1, 64_000)]);
    assert_eq!(found, [(64_000_000, 50_000_000 + 100_000 + 64_000_000)]);
}

#[test]
fn small_packets_are_not_held_back_by_credits_unless_buffers_are_given() {
    let small = PacketParameters { size: number(10), buffers: None, ..parameters() };
    let long = [(0, 0, 15, 64_000)];
    let found = times_of(&mut network("mesh:4x4", small), &long)[0].1;
    assert_eq!(found, 1_000_000 + 600_000 + 64_000_000);
    let given = PacketParameters { buffers: Some(number(8)), ..small };
    let held_back = times_of(&mut network("mesh:4x4", given), &long)[0].1;
    assert!(held_back > 2 * found, "{held_back} and {found}");
}

#[test]
fn short_packets_take_the_space_of_their_bytes() {
    // Together they are as fast as the link, although more than 4 of them are sent before a credit is back.
    let sent: Vec<Sent> = (0..200).map(|_| (0, 0, 2, 64)).collect();
    let found = times_of(&mut network("linear:3", parameters()), &sent);
    assert_eq!(found[199].1, 1_000_000 + 200_000 + 200 * 64_000);
    // A packet without bytes takes some space, too: the buffers of one byte each hold one of them.
    let least = PacketParameters { size: number(1), buffers: Some(number(1)), ..parameters() };
    let found = times_of(&mut network("linear:3", least), &[(7, 0, 2, 0), (7, 0, 2, 0)]);
    assert!(found[1].1 >= found[0].1 + 200_000, "{found:?}");
}

#[test]
fn messages_without_bytes_go_between_the_packets_of_others() {
    // Each begins when the packet ends that the port sends when it comes.
    let sent = [(0, 0, 1, 64_000), (500_000, 0, 3, 0), (2_000_000, 0, 3, 0), (2_000_000, 0, 1, 8)];
    let found = times_of(&mut network("star:4", parameters()), &sent);
    assert_eq!(found[1].0, 1_000_000);
    assert_eq!(found[2].0, 2_000_000);
    assert_eq!((found[0].0, found[3].0), (64_000_000, 64_008_000));
}

#[test]
fn one_packet_takes_as_long_as_in_link() {
    let mine = parameters();
    let theirs = LinkParameters {
        latency: mine.latency,
        hop: mine.hop,
        bandwidth: mine.bandwidth,
        injection: mine.injection,
        switching: mine.switching,
    };
    let transfer =
        Transfer { id: TransferId(0), source: NodeId(0), target: NodeId(13), bytes: 999 };
    let mut link = Links::new(topology("torus:4x4"), theirs, local());
    let (deliveries, reports) = carry(&mut link, [(SimTime::ZERO, transfer)]);
    let released = deliveries[0].flight.expect("the release is known at once").released;
    let found = times_of(&mut network("torus:4x4", mine), &[(0, 0, 13, 999)]);
    assert_eq!(found, [(released.as_ps(), reports[0].time.as_ps())]);
}

#[test]
fn packets_of_two_messages_share_a_link_in_turn() {
    // Nodes 0 and 1 send 4 packets each to node 3 over the link from 1 to 2.
    let sent = [(0, 0, 3, 4000), (0, 1, 3, 4000)];
    let found = times_of(&mut network("linear:4", parameters()), &sent);
    // The first packet of node 0 comes 100 ns later. Then the older one goes first: of those that
    // were sent at the same time, that of node 0.
    assert_eq!(found[0].1, 1_000_000 + 200_000 + 7_000_000);
    assert_eq!(found[1].1, 1_000_000 + 200_000 + 8_000_000);
}

/// Returns the mean time, in packets, that single packets wait at a link that they reach at random.
fn mean_wait(load: f64) -> f64 {
    let mut random = ChaCha8Rng::seed_from_u64(1953);
    let mut now = 0.0;
    let sent: Vec<Sent> = (0..200_000)
        .map(|_| {
            now -= (1.0 - random.random::<f64>()).ln() * 1e6 / load;
            (now as u64, 0, 1, 1000)
        })
        .collect();
    let times = times_of(&mut network("linear:2", parameters()), &sent);
    let idle = 1_000_000 + 100_000 + 1_000_000;
    let waits = times.iter().zip(&sent).map(|((_, arrived), sent)| arrived - sent.0 - idle);
    waits.sum::<u64>() as f64 / 1e6 / sent.len() as f64
}

#[test]
fn random_arrivals_wait_as_in_the_queue_m_d_1() {
    for load in [0.3, 0.6, 0.8] {
        let formula = load / (2.0 * (1.0 - load));
        let found = mean_wait(load);
        assert!((found / formula - 1.0).abs() < 0.03, "load {load}: {found} and {formula}");
    }
}

#[test]
fn full_buffers_hold_back_packets_to_idle_nodes() {
    // Nodes 1 and 3 send to node 2 without pause; node 0 sends to node 2 and then to node 1, which
    // nobody else uses. On a star all go through one switch; on the line of nodes 0, 1, 2, 3 the
    // packets of node 0 to node 2 wait in the buffers of node 1.
    let busy = [(0, 0, 2, 40_000), (0, 1, 2, 40_000), (0, 3, 2, 40_000), (0, 0, 1, 1000)];
    let victim = |buffers| {
        let tight = PacketParameters { buffers: Some(number(buffers)), ..parameters() };
        times_of(&mut network("linear:4", tight), &busy)[3].1
    };
    assert!(victim(2) > victim(100) + 10_000_000, "{} and {}", victim(2), victim(100));
}

#[test]
fn nothing_is_lost_and_messages_of_a_pair_arrive_in_order() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for text in
        ["torus:4x4", "ring:7", "mesh:3x3x2", "hypercube:4", "fat-tree:4x2", "star:6", "tree:2x3"]
    {
        for buffers in [1, 3] {
            let topology = topology(text);
            let nodes = topology.nodes();
            let mut now = 0;
            let mut sent: Vec<Sent> = Vec::new();
            while sent.len() < 2000 {
                now += random.random_range(0..500_000);
                let (from, to) = (random.random_range(0..nodes), random.random_range(0..nodes));
                if from != to {
                    sent.push((now, from, to, random.random_range(1..5000)));
                }
            }
            let tight = PacketParameters { buffers: Some(number(buffers)), ..parameters() };
            let mut network = Packets::new(Arc::clone(&topology), tight, local());
            let times = times_of(&mut network, &sent);
            let mut last = BTreeMap::new();
            let mut loads = vec![(0, 0); topology.link_count() as usize];
            let mut route = Vec::new();
            for ((_, from, to, bytes), (_, arrived)) in sent.iter().zip(&times) {
                let before = last.insert((from, to), *arrived);
                assert!(before.is_none_or(|before| before <= *arrived), "{text}");
                route.clear();
                topology.route(NodeId(*from), NodeId(*to), &mut route);
                for link in &route {
                    loads[link.0 as usize].0 += bytes;
                    loads[link.0 as usize].1 += 1;
                }
            }
            let usage = network.links().expect("it has links").usage;
            let found: Vec<(u64, u64)> =
                usage.iter().map(|link| (link.bytes, link.messages)).collect();
            assert_eq!(found, loads, "{text}");
            let end = times.iter().map(|(_, arrived)| *arrived).max().expect("messages");
            assert!(usage.iter().all(|link| link.busy.as_ps() <= end), "{text}");
            assert!(network.switches.is_idle(), "{text}");
        }
    }
}

#[test]
fn larger_buffers_let_an_all_to_all_come_closer_to_the_busiest_link() {
    let topology = topology("torus:8x8");
    let nodes = topology.nodes();
    let shifts = (1..nodes).flat_map(|shift| (0..nodes).map(move |node| (node, shift)));
    let sent: Vec<Sent> =
        shifts.map(|(node, shift)| (0, node, (node + shift) % nodes, 16_000)).collect();
    let mut bound = 0;
    let ends = [1, 4, 64].map(|buffers| {
        let tight = PacketParameters { buffers: Some(number(buffers)), ..parameters() };
        let mut network = Packets::new(Arc::clone(&topology), tight, local());
        let times = times_of(&mut network, &sent);
        let usage = network.links().expect("it has links").usage;
        bound = usage.iter().map(|link| link.bytes * 1000).max().expect("links");
        times.into_iter().map(|(_, arrived)| arrived).max().expect("messages")
    });
    assert!(ends.is_sorted_by(|less, more| less > more), "{ends:?}");
    assert!(bound < ends[2] && ends[2] < bound * 5 / 2, "{ends:?} and {bound}");
}

/// A ring in one direction that claims to need no second virtual channel.
#[derive(Debug)]
struct Circle;

impl Shape for Circle {
    fn nodes(&self) -> u32 {
        5
    }

    fn neighbours(&self, vertex: u32) -> Vec<u32> {
        vec![(vertex + 1) % 5, (vertex + 4) % 5]
    }

    fn next_hop(&self, at: u32, _: u32) -> u32 {
        (at + 1) % 5
    }

    fn is_free_from_deadlock(&self) -> Option<bool> {
        Some(true)
    }
}

#[test]
fn a_routing_with_too_few_channels_deadlocks_and_the_circle_is_named() {
    let topology = Arc::new(Topology::new("circle", "circle", Arc::new(Circle)));
    let mine = PacketParameters { buffers: Some(number(1)), ..parameters() };
    let mut network = Packets::new(Arc::clone(&topology), mine, local());
    let transfer = |id: u64| {
        let (source, target) =
            (NodeId(id as u32 % 5), NodeId((id as u32 + 3 + id as u32 / 5 % 2) % 5));
        (
            SimTime::from_ps(id * 777),
            Transfer { id: TransferId(id), source, target, bytes: 100_000 },
        )
    };
    let (_, reports) = carry(&mut network, (0..50).map(transfer));
    let arrived = |id: &u64| {
        let is_it = |report: &Report| report.id.0 == *id && report.progress == Progress::Arrived;
        reports.iter().any(is_it)
    };
    let deadlock = network.deadlock().expect("a deadlock");
    let missing: Vec<TransferId> = (0..50).filter(|id| !arrived(id)).map(TransferId).collect();
    assert!(missing.len() > 5);
    assert_eq!(deadlock.transfers, missing);
    let Standstill::Cycle(cycle) = &deadlock.reason else { panic!("{deadlock}") };
    let links: Vec<u32> = cycle.channels().iter().map(|(link, _)| link.0).collect();
    let ends: Vec<u32> = links.iter().map(|link| topology.link_ends(LinkId(*link)).0.0).collect();
    assert_eq!(ends, [0, 1, 2, 3, 4], "{deadlock}");
    assert!(deadlock.to_string().starts_with("no packet can move: node 0 -> node 1, waits for"));
    // A message that comes alone arrives.
    let mut network = Packets::new(topology, mine, local());
    assert!(times_of(&mut network, &[(0, 1, 0, 9000)])[0].1 > 0 && network.deadlock().is_none());
}

/// The same without the claim.
#[derive(Debug)]
struct OneWay;

impl Shape for OneWay {
    fn nodes(&self) -> u32 {
        Circle.nodes()
    }

    fn neighbours(&self, vertex: u32) -> Vec<u32> {
        Circle.neighbours(vertex)
    }

    fn next_hop(&self, at: u32, target: u32) -> u32 {
        Circle.next_hop(at, target)
    }
}

#[test]
fn routes_longer_than_the_diameter_have_a_virtual_channel_for_each_hop() {
    let topology = Arc::new(Topology::new("one-way", "one-way", Arc::new(OneWay)));
    assert_eq!((topology.structure().diameter, topology.longest_route()), (2, 4));
    let mine = PacketParameters { buffers: Some(number(1)), ..parameters() };
    let mut network = Packets::new(topology, mine, local());
    let transfer = |id: u64| {
        let [node, distance] = [id % 5, 1 + id / 5].map(|number| number as u32);
        let (source, target) = (NodeId(node), NodeId((node + distance) % 5));
        (SimTime::ZERO, Transfer { id: TransferId(id), source, target, bytes: 100_000 })
    };
    let (_, reports) = carry(&mut network, (0..20).map(transfer));
    let arrived = reports.iter().filter(|report| report.progress == Progress::Arrived).count();
    assert!(network.deadlock().is_none());
    assert_eq!(arrived, 20);
}
