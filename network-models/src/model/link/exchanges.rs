//! The link model under exchanges of all nodes: bounds, tori and the meshes inside them, and a
//! naive implementation of the same rule.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sim_core::shuffle;

use super::*;
use crate::{network::NodeId, topology::TopologySpec, traffic::carry};

fn topology(text: &str) -> Arc<Topology> {
    let spec: TopologySpec = text.parse().expect("a topology");
    Arc::new(spec.build(1).expect("it fits"))
}

/// Links and ports of 1 GB/s, 1 us and 100 ns a hop.
fn network(topology: &Arc<Topology>) -> Links {
    with_ports(topology, 1)
}

/// The same with ports as fast as this many links.
fn with_ports(topology: &Arc<Topology>, links: u64) -> Links {
    let rate = |links| Bandwidth::from_bytes_per_sec(links * 1_000_000_000);
    let parameters = LinkParameters {
        latency: SimDuration::from_us(1),
        hop: SimDuration::from_ns(100),
        bandwidth: rate(1),
        injection: Some(rate(links)),
        switching: Switching::CutThrough,
    };
    Links::new(Arc::clone(topology), parameters, LOCAL)
}

const LOCAL: LocalPath = LocalPath { latency: SimDuration::ZERO, bandwidth: None };

/// The size of the messages of an all-to-all, which take 65,536 ns on a link.
const BYTES: u64 = 65_536;

/// Sends a message for each pair at once, in this order, by ports as fast as this many links, and
/// returns when the last one arrives.
fn at_once(topology: &Arc<Topology>, pairs: &[(u32, u32)], ports: u64) -> SimTime {
    let transfers = (0..).zip(pairs).map(|(id, (source, target))| {
        let (source, target) = (NodeId(*source), NodeId(*target));
        (SimTime::ZERO, Transfer { id: TransferId(id), source, target, bytes: BYTES })
    });
    let (deliveries, reports) = carry(&mut with_ports(topology, ports), transfers);
    let known = deliveries.iter().filter_map(|delivery| delivery.arrival());
    known.chain(reports.iter().map(|report| report.time)).max().expect("messages")
}

/// The order in which the nodes send to all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// To the next one first.
    Shift,
    /// To node 0 first.
    Rank,
    /// To the nodes whose numbers differ by the bits of 1, 2, 3 and so on.
    Pairwise,
    /// In steps of 19 nodes, which use links of all directions at any time.
    Steps,
    /// In a random order of each node's own.
    Shuffled,
}

impl Order {
    const ALL: [Self; 5] = [Self::Shift, Self::Rank, Self::Pairwise, Self::Steps, Self::Shuffled];
}

fn all_to_all(nodes: u32, order: Order) -> Vec<(u32, u32)> {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let mut rows: Vec<Vec<u32>> = (0..nodes)
        .map(|node| {
            let mut targets: Vec<u32> = match order {
                Order::Shift => (1..nodes).map(|shift| (node + shift) % nodes).collect(),
                Order::Pairwise => (1..nodes).map(|turn| node ^ turn).collect(),
                Order::Steps => (1..nodes).map(|turn| (node + 19 * turn) % nodes).collect(),
                Order::Rank | Order::Shuffled => (0..nodes).filter(|to| *to != node).collect(),
            };
            if order == Order::Shuffled {
                shuffle(&mut targets, |most| random.random_range(0..=most));
            }
            targets.reverse();
            targets
        })
        .collect();
    let turns = (1..nodes).flat_map(|_| 0..nodes);
    turns.map(|node| (node, rows[node as usize].pop().expect("one a turn"))).collect()
}

/// Returns two lower bounds of the time of messages that are all sent at once, in picoseconds: by
/// the busiest link or port alone, and by any link or port and the order in which the ports send. After
/// the earliest time at which a message can reach a link, it carries that one and all later ones; a
/// port receives them.
fn bounds(topology: &Topology, pairs: &[(u32, u32)], ports: u64) -> (u64, u64) {
    let wire = BYTES * 1000;
    let mut sent = vec![0; topology.nodes() as usize];
    let mut reached: BTreeMap<LinkId, Vec<u64>> = BTreeMap::new();
    let mut route = Vec::new();
    for (source, target) in pairs {
        let port = &mut sent[*source as usize];
        route.clear();
        topology.route(NodeId(*source), NodeId(*target), &mut route);
        route.push(LinkId(topology.link_count() + target));
        for (hop, link) in (0..).zip(&route) {
            reached.entry(*link).or_default().push(*port + 1_000_000 + hop * 100_000);
        }
        *port += wire / ports;
    }
    let (mut busiest, mut chain) = (None, 0);
    for (link, times) in &mut reached {
        let wire = if link.0 < topology.link_count() { wire } else { wire / ports };
        times.sort_unstable();
        let later =
            (0..times.len()).map(|place| times[place] + (times.len() - place) as u64 * wire);
        chain = chain.max(later.max().expect("messages"));
        busiest = busiest.max(Some(times.len() as u64 * wire));
    }
    (busiest.max(sent.into_iter().max()).expect("messages"), chain)
}

#[test]
fn an_all_to_all_at_once_comes_close_to_the_busiest_link() {
    for name in ["torus:8x8", "mesh:8x8", "torus:4x4x4", "mesh:4x4x4", "hypercube:6", "ring:64"] {
        let topology = topology(name);
        let ratio = |order| {
            let pairs = all_to_all(64, order);
            let (end, (busiest, chain)) =
                (at_once(&topology, &pairs, 1), bounds(&topology, &pairs, 1));
            let end = end.as_ps() as f64;
            assert!(end >= chain as f64, "{name} {order:?}: nothing is faster");
            (end / busiest as f64, end / chain as f64)
        };
        let (busiest, _) = ratio(Order::Steps);
        assert!(busiest < 1.15, "{name}: {busiest}");
        // In other orders, many links have nothing to carry at first. What is left of the difference
        // is then the order, not the network.
        for order in Order::ALL {
            let (_, chain) = ratio(order);
            assert!(chain < 1.065, "{name} {order:?}: {chain}");
        }
    }
}

/// A port that sends its messages in order decides when the last message for a link or a port can reach
/// it. No order in which links serve is faster than that.
#[test]
fn in_shift_order_ports_or_the_busiest_link_limit_an_all_to_all() {
    for name in ["torus:8x8", "mesh:8x8", "torus:4x4x4", "mesh:4x4x4", "hypercube:6"] {
        let topology = topology(name);
        let pairs = all_to_all(64, Order::Shift);
        let ratios = |ports| {
            let end = at_once(&topology, &pairs, ports).as_ps() as f64;
            let (busiest, chain) = bounds(&topology, &pairs, ports);
            (end / busiest as f64, end / chain as f64, chain as f64 / busiest as f64)
        };
        let (busiest, chain, forced) = ratios(1);
        if name == "torus:8x8" {
            assert!(forced > 1.45 && chain < 1.05, "{name}: {chain}, {forced}");
        } else {
            assert!(busiest < 1.32, "{name}: {busiest}");
        }
    }
}

/// Ports as fast as all links of a node are in nobody's way, but for nodes that all send to node 0 first.
#[test]
fn with_fast_ports_an_all_to_all_comes_close_to_the_busiest_link_in_usual_orders() {
    for name in ["torus:8x8", "mesh:8x8", "torus:4x4x4", "mesh:4x4x4", "hypercube:6"] {
        let topology = topology(name);
        let links = topology.graph().neighbours(27).len() as u64;
        for order in [Order::Shift, Order::Pairwise, Order::Steps, Order::Shuffled] {
            let pairs = all_to_all(64, order);
            let (busiest, _) = bounds(&topology, &pairs, links);
            let ratio = at_once(&topology, &pairs, links).as_ps() as f64 / busiest as f64;
            assert!(ratio < 1.3, "{name} {order:?} with ports of {links} links: {ratio}");
        }
    }
}

/// Sends the messages of each node so that its links take turns, each in the order of `pairs`.
fn in_turn(topology: &Topology, pairs: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut queues: BTreeMap<(u32, LinkId), VecDeque<(u32, u32)>> = BTreeMap::new();
    for (source, target) in pairs {
        let mut route = Vec::new();
        topology.route(NodeId(*source), NodeId(*target), &mut route);
        queues.entry((*source, route[0])).or_default().push_back((*source, *target));
    }
    let mut sent = Vec::new();
    while sent.len() < pairs.len() {
        sent.extend(queues.values_mut().filter_map(VecDeque::pop_front));
    }
    sent
}

/// In the orders in which programs send to all others, ports that are as fast as a link decide alone
/// that some exchanges take more than 1.3 times what the busiest link needs, in whatever order links
/// serve. Ports that serve their links in turn would change that little.
#[test]
fn ports_alone_hold_back_all_to_alls_in_some_usual_orders() {
    let forced = |name: &str, order, rule: fn(&Topology, &[(u32, u32)]) -> Vec<(u32, u32)>| {
        let topology = topology(name);
        let (busiest, chain) = bounds(&topology, &rule(&topology, &all_to_all(64, order)), 1);
        (chain as f64 / busiest as f64 * 100.0).round() as u32
    };
    for (name, order, in_order, turns) in [
        ("torus:8x8", Order::Shift, 148, 138),
        ("torus:8x8", Order::Rank, 195, 170),
        ("torus:8x8", Order::Pairwise, 148, 141),
        ("mesh:4x4x4", Order::Rank, 195, 170),
        ("mesh:4x4x4", Order::Pairwise, 148, 138),
        ("torus:4x4x4", Order::Rank, 198, 149),
        ("hypercube:6", Order::Rank, 198, 149),
    ] {
        let found = (forced(name, order, |_, pairs| pairs.to_vec()), forced(name, order, in_turn));
        assert_eq!(found, (in_order, turns), "{name} {order:?}");
    }
}

/// Rounds of an exchange: the messages of a node in a round, as targets and bytes. A node begins a
/// round when all messages to it of the round before have arrived.
struct Exchange {
    name: &'static str,
    rounds: u32,
    messages: fn(round: u32, node: u32) -> Vec<(u32, u64)>,
}

/// The exchanges of 64 nodes in the built-in programs, with messages of `UNIT` and multiples of it.
const EXCHANGES: [Exchange; 7] = [
    Exchange {
        name: "allgather along the dimensions of a cube",
        rounds: 6,
        messages: |round, node| vec![(node ^ 1 << round, UNIT << round)],
    },
    Exchange {
        name: "the same from the highest dimension, halving",
        rounds: 6,
        messages: |round, node| vec![(node ^ 32 >> round, UNIT << (5 - round))],
    },
    Exchange { name: "ring", rounds: 63, messages: |_, node| vec![((node + 1) % 64, UNIT)] },
    Exchange {
        name: "both neighbours on the ring",
        rounds: 10,
        messages: |_, node| vec![((node + 1) % 64, UNIT), ((node + 63) % 64, UNIT)],
    },
    Exchange {
        name: "halo of 8 x 8",
        rounds: 10,
        messages: |_, node| {
            let (row, column) = (node / 8, node % 8);
            let at = |row: u32, column: u32| (row % 8 * 8 + column % 8, UNIT);
            vec![at(row + 7, column), at(row + 1, column), at(row, column + 7), at(row, column + 1)]
        },
    },
    Exchange {
        name: "all to all in rounds",
        rounds: 63,
        messages: |round, node| vec![((node + round + 1) % 64, UNIT)],
    },
    Exchange {
        name: "all to all, pairwise",
        rounds: 63,
        messages: |round, node| vec![(node ^ (round + 1), UNIT)],
    },
];

const UNIT: u64 = 4096;

/// Returns the time at which the last message of an exchange arrives.
fn end_of(exchange: &Exchange, topology: &Arc<Topology>) -> SimTime {
    let mut network = network(topology);
    let nodes = topology.nodes();
    let mut missing = vec![vec![0; exchange.rounds as usize]; nodes as usize];
    for (round, node) in (0..exchange.rounds).flat_map(|round| (0..nodes).map(move |n| (round, n)))
    {
        for (target, _) in (exchange.messages)(round, node) {
            missing[target as usize][round as usize] += 1;
        }
    }
    let mut sent: Vec<(u32, u32)> = Vec::new();
    let mut arriving: BTreeSet<(SimTime, u64)> = BTreeSet::new();
    let mut starting: Vec<(u32, u32)> = (0..nodes).map(|node| (node, 0)).collect();
    let mut now = SimTime::ZERO;
    loop {
        for (node, round) in starting.drain(..).filter(|(_, round)| *round < exchange.rounds) {
            for (target, bytes) in (exchange.messages)(round, node) {
                let id = TransferId(sent.len() as u64);
                let (source, to) = (NodeId(node), NodeId(target));
                let delivery = network.inject(now, Transfer { id, source, target: to, bytes });
                arriving.extend(delivery.arrival().map(|arrival| (arrival, id.0)));
                sent.push((target, round));
            }
        }
        let arrival = arriving.first().map(|(time, _)| *time);
        let Some(next) = arrival.into_iter().chain(network.next_time()).min() else { return now };
        now = next;
        let mut reports = Vec::new();
        network.advance(now, &mut reports);
        arriving.extend(reports.iter().map(|report| (report.time, report.id.0)));
        while let Some((_, id)) = arriving.first().copied().filter(|(time, _)| *time == now) {
            arriving.pop_first();
            let (node, round) = sent[id as usize];
            let missing = &mut missing[node as usize];
            missing[round as usize] -= 1;
            // A message of a later round may overtake.
            if missing[round as usize] == 0 && missing[..round as usize].iter().all(|n| *n == 0) {
                let done = missing.iter().position(|n| *n > 0).unwrap_or(missing.len());
                starting.extend((round + 1..=done as u32).map(|round| (node, round)));
            }
        }
    }
}

#[test]
fn a_torus_is_never_slower_than_the_mesh_inside_it() {
    for (mesh, torus) in
        [("mesh:8x8", "torus:8x8"), ("linear:64", "ring:64"), ("mesh:4x4x4", "torus:4x4x4")]
    {
        for exchange in &EXCHANGES {
            let [mesh, torus] = [mesh, torus].map(|name| end_of(exchange, &topology(name)));
            assert!(torus <= mesh, "{}: {torus:?} on a torus, {mesh:?} on a mesh", exchange.name);
        }
    }
}

/// The rule of the model in its plainest form: of all heads, the earliest is served.
fn naive(topology: &Topology, p: LinkParameters, sent: &[(u64, u32, u32, u64)]) -> Vec<SimTime> {
    let mut heads: BTreeSet<(SimTime, usize)> = BTreeSet::new();
    let mut ports = vec![SimTime::ZERO; topology.nodes() as usize];
    // Behind the links, the ports that receive.
    let links = topology.link_count();
    let mut free = vec![SimTime::ZERO; (links + topology.nodes()) as usize];
    let (mut tails, mut routes) = (Vec::new(), Vec::new());
    for (number, (time, source, target, bytes)) in sent.iter().enumerate() {
        let port = &mut ports[*source as usize];
        let wire = p.bandwidth.time_for(*bytes);
        let sending = p.injection.map_or(wire, |rate| rate.time_for(*bytes));
        let mut accepted = SimTime::from_ps(*time);
        if *bytes > 0 {
            accepted = accepted.max(*port);
            *port = accepted + sending;
        }
        let head = accepted + p.latency;
        let mut route = Vec::new();
        topology.route(NodeId(*source), NodeId(*target), &mut route);
        let rates = topology.graph().neighbours(*target).len() as u64 * p.bandwidth.bytes_per_sec();
        if *bytes > 0 && p.injection.is_some_and(|port| rates > port.bytes_per_sec()) {
            route.push(LinkId(links + target));
        }
        route.reverse();
        heads.insert((head, number));
        tails.push(head + sending);
        routes.push(route);
    }
    while let Some((head, number)) = heads.pop_first() {
        let link = routes[number].pop().expect("a link is before it");
        let bytes = sent[number].3;
        let wire = p.bandwidth.time_for(bytes);
        let (free, tail) = (&mut free[link.0 as usize], &mut tails[number]);
        if link.0 >= links {
            let receiving = p.injection.expect("a port").time_for(bytes);
            *tail = (*tail).max(*free + receiving);
            *free = head.max(*free) + receiving;
            continue;
        }
        let mut start = head;
        if bytes > 0 {
            start = start.max(*free);
            *free = start + wire;
        }
        *tail = (*tail).max(start + wire) + p.hop;
        match routes[number].last() {
            Some(next) if next.0 < links && p.switching == Switching::StoreAndForward => {
                heads.insert((*tail, number));
            }
            Some(_) => {
                heads.insert((start + p.hop, number));
            }
            None => (),
        }
    }
    tails
}

proptest! {
    /// The alarm goes off at other times, too, and before or after what is injected then.
    #[test]
    fn arrivals_are_those_of_the_plainest_form(
        name in prop::sample::select(vec![
            "ring:8", "mesh:3x4", "torus:4x4", "star:5", "crossbar:6", "fat-tree:4x2", "dragonfly", "butterfly:2x3",
        ]),
        list in prop::collection::vec((0u64..2000, any::<(u32, u32)>(), prop_oneof![1 => Just(0), 4 => 1u64..900]), 1..120),
        (latency, hop, port) in (0u64..300, 0u64..60, 1u64..5),
        stored in any::<bool>(),
        alarms in prop::collection::btree_set(0u64..4000, 0..20),
    ) {
        let topology = topology(name);
        let rate = |n| Bandwidth::from_bytes_per_sec(n * 500_000_000_000);
        let parameters = LinkParameters {
            latency: SimDuration::from_ps(latency),
            hop: SimDuration::from_ps(hop),
            bandwidth: rate(2),
            injection: Some(rate(port)),
            switching: if stored { Switching::StoreAndForward } else { Switching::CutThrough },
        };
        let nodes = topology.nodes();
        let mut sent: Vec<(u64, u32, u32, u64)> = list
            .into_iter()
            .map(|(time, (a, b), bytes)| (time, a % nodes, b % nodes, bytes))
            .filter(|(_, a, b, _)| a != b)
            .collect();
        sent.sort_by_key(|(time, ..)| *time);
        let mut network = Links::new(Arc::clone(&topology), parameters, LOCAL);
        let mut found = vec![None; sent.len()];
        let mut reports = Vec::new();
        let mut alarms = alarms.into_iter().map(SimTime::from_ps).peekable();
        let mut advance = |network: &mut Links, until: SimTime, found: &mut [Option<SimTime>]| {
            loop {
                let odd = alarms.peek().copied().unwrap_or(SimTime::MAX);
                let next = network.next_time().unwrap_or(SimTime::MAX).min(odd);
                if next > until || next == SimTime::MAX {
                    return;
                }
                alarms.next_if_eq(&next);
                network.advance(next, &mut reports);
                for report in reports.drain(..) {
                    assert!(report.time >= next, "in time");
                    assert_eq!(found[report.id.0 as usize].replace(report.time), None);
                }
            }
        };
        for (number, (time, source, target, bytes)) in sent.iter().enumerate() {
            let now = SimTime::from_ps(*time);
            let early = if number % 2 == 0 { now } else { SimTime::from_ps(time.saturating_sub(1)) };
            advance(&mut network, early, &mut found);
            let (source, target) = (NodeId(*source), NodeId(*target));
            let id = TransferId(number as u64);
            found[number] = network.inject(now, Transfer { id, source, target, bytes: *bytes }).arrival();
        }
        advance(&mut network, SimTime::MAX, &mut found);
        let expected: Vec<_> = naive(&topology, parameters, &sent).into_iter().map(Some).collect();
        prop_assert_eq!(found, expected);
    }
}
