use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::{
    catalog::Catalog,
    faults::{LinkChange, LinkFault, damaged},
    model::{PacketParameters, Packets},
    topology::VertexId,
    traffic::carry,
};

const RATE: Bandwidth = Bandwidth::from_bytes_per_sec(1_000_000_000);

fn topology(text: &str) -> Arc<Topology> {
    let spec = Catalog::standard().topology(text).expect("a topology");
    Arc::new(spec.build(1).expect("it can be built"))
}

fn number(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).expect("it is not 0")
}

/// Links and ports of 1 GB/s: a packet of 1,000 bytes takes 1 us. One way takes 50 us and 100 ns for
/// each hop.
fn parameters() -> DropTailParameters {
    DropTailParameters {
        latency: SimDuration::from_us(50),
        hop: SimDuration::from_ns(100),
        bandwidth: RATE,
        injection: Some(RATE),
        switching: Switching::CutThrough,
        size: number(1000),
        queue: number(64_000),
        least_timeout: SimDuration::from_us(200_000),
        window: number(10),
        selective: false,
        seed: 0,
    }
}

fn local() -> LocalPath {
    LocalPath { latency: SimDuration::from_ns(10), bandwidth: None }
}

/// A transfer of a test: time of injection in nanoseconds, source, target, bytes.
type Sent = (u64, u32, u32, u64);

/// Sends transfers, in order of time, and returns release and arrival of each in nanoseconds.
fn times_of(network: &mut dyn Network, sent: &[Sent]) -> Vec<(f64, f64)> {
    let transfers = (0..).zip(sent).map(|(id, (time, source, target, bytes))| {
        let (source, target) = (NodeId(*source), NodeId(*target));
        let transfer = Transfer { id: TransferId(id), source, target, bytes: *bytes };
        (SimTime::from_ps(*time * 1000), transfer)
    });
    let (_, reports) = carry(network, transfers);
    let mut times = BTreeMap::<u64, (Option<f64>, Option<f64>)>::new();
    for Report { id, progress, time } in reports {
        let entry = times.entry(id.0).or_default();
        let place = match progress {
            Progress::Released => &mut entry.0,
            Progress::Arrived => &mut entry.1,
        };
        assert_eq!(place.replace(time.as_ps() as f64 / 1000.0), None, "each is reported once");
    }
    assert_eq!(times.len(), sent.len());
    times.into_values().map(|(left, there)| (left.expect("left"), there.expect("there"))).collect()
}

fn network(topology: &str, parameters: DropTailParameters) -> DropTail {
    DropTail::new(self::topology(topology), parameters, local())
}

fn end_of(network: &mut DropTail, sent: &[Sent]) -> f64 {
    times_of(network, sent).into_iter().map(|(_, there)| there).fold(0.0, f64::max)
}

#[test]
fn a_window_that_never_waits_takes_as_long_as_without_losses() {
    for (switching, rate) in [
        (Switching::CutThrough, 250),
        (Switching::CutThrough, 4000),
        (Switching::StoreAndForward, 1000),
    ] {
        let injection = Some(Bandwidth::from_bytes_per_sec(rate * 1_000_000));
        let mine = DropTailParameters { switching, injection, window: number(200), ..parameters() };
        let theirs = PacketParameters {
            latency: mine.latency,
            hop: mine.hop,
            bandwidth: mine.bandwidth,
            injection,
            switching,
            size: mine.size,
            buffers: Some(number(1000)),
        };
        for (target, bytes) in [(1, 1), (5, 1000), (15, 64_000), (3, 0), (10, 10_500)] {
            let sent = [(7, 0, target, bytes)];
            let mut lossless = Packets::new(topology("mesh:4x4"), theirs, local());
            let expected = times_of(&mut lossless, &sent);
            let mut lossy = network("mesh:4x4", mine);
            assert_eq!(times_of(&mut lossy, &sent), expected, "{switching:?} {rate} {bytes}");
            assert_eq!((lossy.losses.dropped, lossy.losses.retransmitted), (0, 0));
        }
    }
}

#[test]
fn a_short_flow_doubles_its_window_in_each_round_trip() {
    // Windows of 1, 2, 4 and 8 packets. Each round begins 2 x 50.2 + 1 us after the last one; the
    // eight packets of the last take 8 us.
    let one = DropTailParameters { window: number(1), ..parameters() };
    let found = end_of(&mut network("crossbar:2", one), &[(0, 0, 1, 15_000)]);
    assert_eq!(found, 3.0 * 101_400.0 + 8_000.0 + 50_200.0);
    // From 10 packets on, 30 are two rounds.
    let found = end_of(&mut network("crossbar:2", parameters()), &[(0, 0, 1, 30_000)]);
    assert_eq!(found, 101_400.0 + 20_000.0 + 50_200.0);
}

#[test]
fn a_long_pause_brings_the_first_window_back() {
    let quick = DropTailParameters { least_timeout: SimDuration::from_us(500), ..parameters() };
    let second = |after: u64| {
        let mut network = network("crossbar:2", quick);
        let sent = [(0, 0, 1, 30_000), (after, 0, 1, 21_000)];
        times_of(&mut network, &sent)[1].1 - after as f64
    };
    // The first message ends with a window of 21.
    assert_eq!(second(400_000), 21_000.0 + 50_200.0);
    assert_eq!(second(5_000_000), 101_400.0 + 11_000.0 + 50_200.0);
}

/// Sends blocks of 1 MB in `senders` equal parts to node 0, the next one when all parts of the last
/// are there, and returns the share of the link's rate that was used.
fn goodput(senders: u32, least_timeout: SimDuration) -> (f64, PacketLosses) {
    const BLOCKS: u32 = 4;
    let mut network = network(&format!("crossbar:{}", senders + 1), gigabit(least_timeout));
    let part = 1_000_000 / u64::from(senders);
    let (mut now, mut id) = (SimTime::ZERO, 0);
    for _ in 0..BLOCKS {
        for source in 1..=senders {
            let transfer = Transfer {
                id: TransferId(id),
                source: NodeId(source),
                target: NodeId(0),
                bytes: part,
            };
            network.inject(now, transfer);
            id += 1;
        }
        let (mut missing, mut reports) = (senders, Vec::new());
        while missing > 0 {
            now = network.next_time().expect("something is under way");
            network.advance(now, &mut reports);
            let arrived = reports.drain(..).filter(|it| it.progress == Progress::Arrived);
            missing -= arrived.count() as u32;
        }
    }
    let bytes = part * u64::from(senders * BLOCKS);
    let share =
        gigabit(least_timeout).bandwidth.time_for(bytes).as_ps() as f64 / now.as_ps() as f64;
    (share, network.losses)
}

/// Phanishayee et al., "Measurement and analysis of TCP throughput collapse in cluster-based storage
/// systems" (2008): many senders to one node, on gigabit Ethernet with 64 KB of buffer.
#[test]
fn many_to_one_collapses_with_long_time_outs_and_not_with_short_ones() {
    let (long, short) = (SimDuration::from_us(200_000), SimDuration::from_us(1000));
    for senders in [16, 32] {
        let (slow, losses) = goodput(senders, long);
        assert!(slow < 0.1 && losses.timeouts > 0, "{senders}: {slow}, {losses:?}");
        let (fast, losses) = goodput(senders, short);
        assert!(fast > 0.8 && losses.dropped > 0, "{senders}: {fast}, {losses:?}");
    }
    let (few, losses) = goodput(1, long);
    assert!(few > 0.99 && losses.dropped == 0, "{few}, {losses:?}");
}

/// Links of gigabit Ethernet with 64 KB of buffer, and packets of 1,500 bytes.
fn gigabit(least_timeout: SimDuration) -> DropTailParameters {
    let rate = Bandwidth::from_bytes_per_sec(125_000_000);
    DropTailParameters {
        bandwidth: rate,
        injection: Some(rate),
        size: number(1500),
        least_timeout,
        ..parameters()
    }
}

/// Routes that take turns are those of connections, so that the packets of each come in order.
#[test]
fn connections_of_a_node_take_its_planes_in_turn() {
    let sent = [1, 2].map(|target| (0, 0, target, 60_000));
    let both = |text: &str| end_of(&mut network(text, parameters()), &sent);
    let one = end_of(&mut network("crossbar:3", parameters()), &sent[..1]);
    assert_eq!(both("planes:2:round-robin*crossbar:3"), one);
    assert!(both("crossbar:3") > one);
}

#[test]
fn long_connections_share_a_link() {
    const BYTES: u64 = 25_000_000;
    for late in [0, 3_000_000, 40_000_000] {
        let mut network = network("crossbar:3", gigabit(SimDuration::from_us(1000)));
        let times = times_of(&mut network, &[(0, 1, 0, BYTES), (late, 2, 0, BYTES)]);
        // A byte takes 8 ns. Whoever ends first has had this share of the link while both had it.
        let (first, second) = (times[0].1, times[1].1);
        let alone = if first < second { late as f64 } else { 0.0 };
        let both = first.min(second) - late as f64;
        let share = (BYTES as f64 * 8.0 - alone) / both;
        assert!(share < 0.65, "{share} {times:?}");
        assert!(first.max(second) < 1.1 * 16.0 * BYTES as f64, "the link is used: {times:?}");
        assert!(network.losses.dropped > 0, "{:?}", network.losses);
    }
}

/// A link that changes while messages are under way, at nanoseconds; a share of 0 is a cut.
fn broken(topology: &str, (from, to): (u32, u32), changes: &[(u64, f64)]) -> Timeline {
    let faults: Vec<LinkFault> = changes
        .iter()
        .map(|(ns, share)| LinkFault {
            from: VertexId(from),
            to: VertexId(to),
            at: SimTime::from_ps(ns * 1000),
            change: if *share > 0.0 { LinkChange::Rate(*share) } else { LinkChange::Cut },
        })
        .collect();
    damaged(&self::topology(topology), RATE, &faults)
}

/// Sends 200 packets over a link that is cut for 9 us meanwhile. A round trip takes 100 us, and the window
/// is 50 packets.
fn over_a_short_cut(selective: bool) -> (f64, PacketLosses) {
    let timeline = broken("crossbar:2", (0, 2), &[(160_000, 0.0), (169_000, 1.0)]);
    let parameters = DropTailParameters { selective, window: number(50), ..parameters() };
    let mut network = DropTail::routed(&timeline, parameters, local(), &Choice::default());
    let end = end_of(&mut network, &[(0, 0, 1, 200_000)]);
    (end, network.losses)
}

/// Several losses in one window take a round trip each without selective acknowledgements.
#[test]
fn selective_acknowledgements_make_up_for_several_losses_sooner() {
    let (plain, losses) = over_a_short_cut(false);
    let (selective, fewer) = over_a_short_cut(true);
    for (losses, time_outs) in [(losses, 0), (fewer, 0)] {
        assert_eq!((losses.cut, losses.timeouts), (10, time_outs), "{losses:?}");
    }
    // 200 packets in windows of 50 take 303 us.
    assert!(plain > 10.0 * 100_000.0, "a round trip for each of 10 losses: {plain}");
    assert!(selective < 400_000.0, "one for all of them: {selective}");
}

/// Sends transfers over links that change, with time-outs of at least 200 us.
fn over(timeline: &Timeline, sent: &[Sent]) -> (Vec<(f64, f64)>, PacketLosses) {
    let quick = DropTailParameters { least_timeout: SimDuration::from_us(200), ..parameters() };
    let mut network = DropTail::routed(timeline, quick, local(), &Choice::default());
    let times = times_of(&mut network, sent);
    assert!(network.deadlock().is_none());
    (times, network.losses)
}

#[test]
fn packets_on_a_cut_link_are_sent_again_on_a_detour() {
    // Packets 0 to 9 enter the link from 50 us on, and the tail of packet 4 is on it until 55.1 us.
    let cut = broken("ring:8", (0, 1), &[(55_000, 0.0)]);
    let (times, losses) = over(&cut, &[(0, 0, 1, 10_000)]);
    assert_eq!((losses.cut, losses.retransmitted, losses.timeouts), (6, 6, 1));
    // After a time-out of some 300 us, windows of 1, 2 and 3 packets over seven links.
    let arrived = times[0].1;
    assert!((410_000.0..=810_000.0).contains(&arrived), "{arrived}");
    // Later messages take the detour from the begin on, and lose nothing.
    let (times, losses) = over(&cut, &[(60_000, 0, 1, 10_000)]);
    assert_eq!((times[0].1, losses.dropped), (60_000.0 + 50_000.0 + 700.0 + 10_000.0, 0));
}

#[test]
fn a_connection_without_a_path_waits_for_the_repair() {
    let changes = [(0, 0.0), (3_000_000, 1.0)];
    let (times, losses) = over(&broken("linear:2", (0, 1), &changes), &[(0, 0, 1, 2000)]);
    // Time-outs after 301 us, doubling: at 0.3, 0.9, 2.1 and 4.5 ms.
    assert_eq!((losses.timeouts, losses.cut), (4, 5));
    assert!((4_500_000.0..=4_900_000.0).contains(&times[0].1), "{times:?}");
}

#[test]
fn a_connection_that_never_has_a_path_again_is_explained() {
    let timeline = broken("linear:3", (1, 2), &[(55_000, 0.0)]);
    let mut network = DropTail::routed(&timeline, parameters(), local(), &Choice::default());
    let transfer = |id, source, target, bytes| Transfer {
        id: TransferId(id),
        source: NodeId(source),
        target: NodeId(target),
        bytes,
    };
    // The first ends before the link is cut; of the second some packets arrive.
    for transfer in [transfer(0, 0, 2, 1000), transfer(1, 0, 2, 50_000), transfer(2, 0, 1, 50_000)]
    {
        network.inject(SimTime::ZERO, transfer);
    }
    let mut reports = Vec::new();
    while let Some(next) = network.next_time() {
        network.advance(next, &mut reports);
    }
    let arrived = reports.iter().filter(|it| it.progress == Progress::Arrived);
    assert_eq!(arrived.map(|it| it.id.0).collect::<Vec<_>>(), [0, 2]);
    let deadlock = network.deadlock().expect("no path");
    assert_eq!(deadlock.transfers, [TransferId(1)]);
    assert_eq!(deadlock.to_string(), "the cut links leave no path from node 0 to node 2");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_message_arrives_once_and_in_order_and_packets_add_up(
        name in prop::sample::select(vec!["crossbar:6", "mesh:3x3", "torus:4x4", "fat-tree:4x2", "ring:5"]),
        list in prop::collection::vec((0u64..300_000, any::<(u32, u32)>(), 0u64..60_000), 1..80),
        (queue, window) in (500u32..20_000, 1u32..40),
        (stored, selective) in any::<(bool, bool)>(),
    ) {
        let topology = topology(name);
        let nodes = topology.nodes();
        let mut sent: Vec<Sent> = list
            .into_iter()
            .map(|(time, (a, b), bytes)| (time, a % nodes, b % 3 % nodes, bytes))
            .filter(|(_, a, b, _)| a != b)
            .collect();
        sent.sort_by_key(|(time, ..)| *time);
        prop_assume!(!sent.is_empty());
        let tight = DropTailParameters {
            queue: number(queue),
            window: number(window),
            switching: if stored { Switching::StoreAndForward } else { Switching::CutThrough },
            least_timeout: SimDuration::from_us(300),
            selective,
            ..parameters()
        };
        let mut network = DropTail::new(topology, tight, local());
        let times = times_of(&mut network, &sent);
        let mut last = BTreeMap::new();
        for ((_, from, to, _), (released, arrived)) in sent.iter().zip(&times) {
            prop_assert!(released <= arrived);
            let before = last.insert((from, to), *arrived);
            prop_assert!(before.is_none_or(|before| before <= *arrived));
        }
        let PacketLosses { sent: packets, delivered, dropped, retransmitted, .. } = network.losses;
        prop_assert_eq!(packets, delivered + dropped);
        let first: u64 = sent.iter().map(|(.., bytes)| bytes.div_ceil(1000).max(1)).sum();
        prop_assert_eq!(packets, first + retransmitted);
        prop_assert!(network.packets.is_empty() && network.timers.is_empty());
        prop_assert!(network.next_time().is_none());
        prop_assert!(network.connections.iter().all(|it| it.segments.is_empty()));
    }

    /// Whatever is cut, slow and repaired meanwhile, if it is whole at the end.
    #[test]
    fn every_message_arrives_once_and_in_order_over_links_that_fail(
        name in prop::sample::select(vec!["crossbar:6", "ring:5", "torus:4x4", "linear:5", "kautz:2x2"]),
        list in prop::collection::vec((0u64..300_000, any::<(u32, u32)>(), 0u64..30_000), 1..50),
        changes in prop::collection::vec((0u64..400_000, any::<prop::sample::Index>(), 0u32..4), 1..12),
        (selective, stored) in any::<(bool, bool)>(),
    ) {
        let topology = topology(name);
        let nodes = topology.nodes();
        let faults: Vec<LinkFault> = changes
            .iter()
            .map(|(ns, link, share)| (*ns, link, *share))
            .chain(changes.iter().map(|(_, link, _)| (500_000, link, 3)))
            .map(|(ns, link, share)| {
                let (from, to) = topology.link_ends(LinkId(link.index(topology.link_count() as usize) as u32));
                let rate = LinkChange::Rate([1.0, 0.01, 0.5, 1.0][share as usize]);
                let change = if share == 0 { LinkChange::Cut } else { rate };
                LinkFault { from, to, at: SimTime::from_ps(ns * 1000), change }
            })
            .collect();
        let timeline = damaged(&topology, RATE, &faults);
        let mut sent: Vec<Sent> = list
            .into_iter()
            .map(|(time, (a, b), bytes)| (time, a % nodes, b % nodes, bytes))
            .filter(|(_, a, b, _)| a != b)
            .collect();
        sent.sort_by_key(|(time, ..)| *time);
        prop_assume!(!sent.is_empty());
        let quick = DropTailParameters {
            selective,
            queue: number(5000),
            switching: if stored { Switching::StoreAndForward } else { Switching::CutThrough },
            least_timeout: SimDuration::from_us(300),
            ..parameters()
        };
        let mut network = DropTail::routed(&timeline, quick, local(), &Choice::default());
        let times = times_of(&mut network, &sent);
        let mut last = BTreeMap::new();
        for ((_, from, to, _), (released, arrived)) in sent.iter().zip(&times) {
            prop_assert!(released <= arrived);
            let before = last.insert((from, to), *arrived);
            prop_assert!(before.is_none_or(|before| before <= *arrived));
        }
        let PacketLosses { sent: packets, delivered, dropped, cut, .. } = network.losses;
        prop_assert!(packets == delivered + dropped && cut <= dropped);
        prop_assert!(network.deadlock().is_none() && network.timers.is_empty());
        prop_assert!(network.packets.is_empty() && network.next_time().is_none());
    }
}
