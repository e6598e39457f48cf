use std::collections::BTreeMap;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::{
    catalog::Catalog,
    model::{LinkParameters, Links},
    network::NodeId,
    traffic::carry,
};

const GIGABYTE: u64 = 1_000_000_000;
const LATENCY: SimDuration = SimDuration::from_us(1);
const HOP: SimDuration = SimDuration::from_ns(100);

fn topology(text: &str) -> Arc<Topology> {
    let spec = Catalog::standard().topology(text).expect("a topology");
    Arc::new(spec.build(1).expect("it can be built"))
}

/// Links of 1 GB/s, ports of 1 GB/s in each direction.
fn parameters() -> FluidParameters {
    FluidParameters {
        latency: LATENCY,
        hop: HOP,
        bandwidth: Bandwidth::from_bytes_per_sec(GIGABYTE),
        injection: Some(Bandwidth::from_bytes_per_sec(GIGABYTE)),
        half_duplex: false,
        switching: Switching::CutThrough,
        weights: Weights::Equal,
        gamma: None,
    }
}

fn local() -> LocalPath {
    LocalPath { latency: SimDuration::from_ns(10), bandwidth: None }
}

/// A transfer of a test: time of injection in nanoseconds, source, target, bytes.
type Sent = (u64, u32, u32, u64);

/// Returns the arrival of each transfer in picoseconds.
fn arrivals(topology: &str, parameters: FluidParameters, sent: &[Sent]) -> Vec<u64> {
    let mut network = Fluid::new(self::topology(topology), parameters, local());
    let mut list: Vec<(SimTime, Transfer)> = (0..)
        .zip(sent)
        .map(|(id, (time, source, target, bytes))| {
            let (source, target) = (NodeId(*source), NodeId(*target));
            let transfer = Transfer { id: TransferId(id), source, target, bytes: *bytes };
            (SimTime::ZERO + SimDuration::from_ns(*time), transfer)
        })
        .collect();
    list.sort_by_key(|(time, transfer)| (*time, transfer.id));
    let (deliveries, reports) = carry(&mut network, list.iter().copied());
    let known = list.iter().zip(deliveries);
    let mut arrived: BTreeMap<TransferId, SimTime> = known
        .filter_map(|((_, transfer), delivery)| Some((transfer.id, delivery.arrival()?)))
        .collect();
    for pair in reports.chunks(2) {
        assert_eq!((pair[0].id, pair[0].progress), (pair[1].id, Progress::Released));
        assert_eq!((pair[0].time, pair[1].progress), (pair[1].time, Progress::Arrived));
        arrived.insert(pair[0].id, pair[0].time);
    }
    assert!(reports.is_sorted_by_key(|report| (report.time, report.id)));
    assert_eq!(arrived.len(), sent.len(), "each arrives once");
    arrived.into_values().map(SimTime::as_ps).collect()
}

#[test]
fn an_idle_network_is_as_fast_as_link() {
    let switchings = [Switching::CutThrough, Switching::StoreAndForward];
    for (switching, injection) in
        switchings.into_iter().flat_map(|how| [300, 700, 5000].map(|rate| (how, rate)))
    {
        let injection = Some(Bandwidth::from_bytes_per_sec(injection * 1_000_003));
        let mine = FluidParameters { switching, injection, ..parameters() };
        let theirs = LinkParameters {
            latency: mine.latency,
            hop: mine.hop,
            bandwidth: mine.bandwidth,
            injection,
            switching,
        };
        for (target, bytes) in [(1, 1), (5, 1000), (15, 999_983), (3, 0), (10, 1 << 40)] {
            let mut link = Links::new(topology("mesh:4x4"), theirs, local());
            let (source, target) = (NodeId(0), NodeId(target));
            let transfer = Transfer { id: TransferId(0), source, target, bytes };
            let (deliveries, reports) = carry(&mut link, [(SimTime::ZERO, transfer)]);
            let arrival = deliveries[0].arrival().unwrap_or_else(|| reports[0].time);
            let found = arrivals("mesh:4x4", mine, &[(0, 0, target.0, bytes)]);
            assert_eq!(found, [arrival.as_ps()], "{switching:?} {injection:?} {bytes}");
        }
    }
}

#[test]
fn two_flows_halve_a_link_until_one_ends() {
    // Both cross the link from 1 to 2. From 1.3 us on: 1,000 B each at half the rate need 2 us; the
    // second one has 2,000 B left then.
    let wide = FluidParameters { injection: None, ..parameters() };
    let found = arrivals("linear:4", wide, &[(0, 0, 3, 1000), (0, 0, 3, 3000)]);
    assert_eq!(found, [1_300_000 + 2_000_000, 1_300_000 + 4_000_000]);
    // The second one starts 400 ns later: 400 B alone, 600 B at half the rate, then 2,400 B alone.
    let found = arrivals("linear:4", wide, &[(0, 0, 3, 1000), (400, 0, 3, 3000)]);
    assert_eq!(found, [1_300_000 + 1_600_000, 1_300_000 + 4_000_000]);
}

#[test]
fn the_flow_that_another_link_holds_back_leaves_its_share_to_the_others() {
    // Rates in units of a link: three flows share the link from 1 to 2 at 1/3 each, so the fourth,
    // on the link from 2 to 3 with one of them, gets 2/3.
    let wide = FluidParameters { injection: None, ..parameters() };
    let sent = [(0, 1, 2, 1000), (0, 1, 2, 1000), (0, 0, 3, 1000), (200, 2, 3, 2000)];
    // All start at 1.3 us but the first two, which start at 1.1 us: until then at 1/2 each.
    let found = arrivals("linear:4", wide, &sent);
    // The first two have 900 B left at 1.3 us, and end after 2.7 us more. The third then has 100 B
    // left; the fourth has 200 B left, with 2/3 of the rate for 2.7 us: 1,800 B. Each has half of
    // the last link: the third ends after 0.2 us, the fourth 0.1 us later.
    assert_eq!(found, [4_000_000, 4_000_000, 4_200_000, 4_300_000]);
}

#[test]
fn ports_are_shared_in_each_direction_or_in_both() {
    let sent = [(0, 0, 1, 1000), (0, 2, 0, 1000)];
    assert_eq!(arrivals("crossbar:4", parameters(), &sent), [2_200_000, 2_200_000]);
    let half = FluidParameters { half_duplex: true, ..parameters() };
    assert_eq!(arrivals("crossbar:4", half, &sent), [3_200_000, 3_200_000]);
}

#[test]
fn weights_and_windows() {
    // Latencies of 1.1 us and 1.3 us share the link from 0 to 1 as 13 to 11: the first flow gets
    // 13/24 of 1 B/ns. Until it starts no one has the link.
    let wide = FluidParameters { injection: None, weights: Weights::Latency, ..parameters() };
    let sent = [(200, 0, 1, 1300), (0, 0, 3, 1100)];
    assert_eq!(arrivals("linear:4", wide, &sent), [3_700_000, 3_700_000]);
    // A window of 1,300 B: 1,300 / 2.6 us is half a byte in a nanosecond.
    let window = FluidParameters { gamma: Some(1300), ..parameters() };
    assert_eq!(arrivals("linear:4", window, &[(0, 0, 3, 1000)]), [1_300_000 + 2_000_000]);
    // What the window does not let it use is left to the other flow: 1/2 of the rate for both.
    let found = arrivals("linear:4", window, &[(0, 0, 3, 1000), (0, 0, 3, 1000)]);
    assert_eq!(found, [3_300_000; 2]);
}

#[test]
fn nothing_is_faster_than_the_busiest_link_and_equal_shares_take_no_longer() {
    // All to all on a torus of 8 x 8 without ports: the bound is the busiest link's bytes.
    let topology = topology("torus:8x8");
    let (bytes, nodes) = (65_536, topology.nodes());
    let pairs = || (0..nodes).flat_map(|from| (0..nodes).map(move |to| (from, to)));
    let mut loads = vec![0; topology.link_count() as usize];
    let mut route = Vec::new();
    for (from, to) in pairs() {
        route.clear();
        topology.route(NodeId(from), NodeId(to), &mut route);
        route.iter().for_each(|link| loads[link.0 as usize] += bytes);
    }
    let bound = loads.into_iter().max().expect("links") * 1000;
    let sent: Vec<Sent> = pairs().filter(|(a, b)| a != b).map(|(a, b)| (0, a, b, bytes)).collect();
    let flat =
        FluidParameters { latency: SimDuration::ZERO, hop: SimDuration::ZERO, ..parameters() };
    let makespan = arrivals("torus:8x8", flat, &sent).into_iter().max().expect("transfers");
    assert!((bound..bound + bound / 1000).contains(&makespan), "{makespan} and {bound}");
}

/// Returns max-min fair rates by progressive filling as in the textbook: all levels rise at once,
/// by steps.
fn naive(capacities: &[f64], flows: &BTreeMap<FlowId, (Vec<u32>, f64, f64)>) -> Vec<(FlowId, f64)> {
    let mut rates: BTreeMap<FlowId, f64> = BTreeMap::new();
    let mut level = 0.0;
    while rates.len() < flows.len() {
        let rising = |resource: u32| {
            let here = flows.iter().filter(|(_, flow)| flow.0.contains(&resource));
            let weight: f64 = here
                .clone()
                .filter(|(id, _)| !rates.contains_key(id))
                .map(|(_, flow)| flow.1)
                .sum();
            let used: f64 = here.filter_map(|(id, _)| rates.get(id)).sum();
            (weight > 0.0).then(|| (capacities[resource as usize] - used) / weight)
        };
        let levels: Vec<Option<f64>> = (0..capacities.len() as u32).map(rising).collect();
        let bound = |id: &FlowId| flows[id].2 / flows[id].1;
        let waiting: Vec<FlowId> =
            flows.keys().copied().filter(|id| !rates.contains_key(id)).collect();
        let least = levels.iter().flatten().copied().chain(waiting.iter().map(bound));
        level = least.fold(f64::INFINITY, f64::min).max(level);
        let reached = level * (1.0 + 1e-12);
        for id in waiting {
            let (resources, weight, _) = &flows[&id];
            let full = |resource: &u32| levels[*resource as usize].is_some_and(|at| at <= reached);
            if bound(&id) <= reached || resources.iter().any(full) {
                rates.insert(id, weight * level);
            }
        }
    }
    rates.into_iter().collect()
}

#[test]
fn shares_are_those_of_naive_progressive_filling() {
    let mut random = ChaCha8Rng::seed_from_u64(14);
    let mut sets = 0;
    while sets < 10_000 {
        let count = random.random_range(1..12u32);
        let capacities: Vec<f64> =
            (0..count).map(|_| f64::from(random.random_range(1..5u32))).collect();
        let mut sharing = Sharing::new(capacities.iter().copied());
        let mut flows = BTreeMap::new();
        let mut changed = Vec::new();
        let plain = random.random_bool(0.5);
        for _ in 0..random.random_range(1..30) {
            for _ in 0..random.random_range(1..4) {
                let gone = flows.keys().copied().nth(random.random_range(0..20));
                if let Some(id) = gone {
                    sharing.remove(id);
                    flows.remove(&id);
                    continue;
                }
                let used = random.random_range(1..=count.min(5));
                let list = rand::seq::index::sample(&mut random, count as usize, used as usize);
                let resources: Vec<u32> = list.into_iter().map(|index| index as u32).collect();
                let weight = if plain { 1.0 } else { f64::from(random.random_range(1..9u32)) };
                let bound = if random.random_bool(0.2) { 0.3 } else { f64::INFINITY };
                let id = sharing.add(&resources, weight, bound);
                assert_eq!(flows.insert(id, (resources, weight, bound)), None);
            }
            sharing.solve(&mut changed);
            changed.clear();
            for (id, rate) in naive(&capacities, &flows) {
                let found = sharing.rate(id);
                assert!((found - rate).abs() <= 1e-9 * rate, "{found} and {rate} of {flows:?}");
            }
            sets += 1;
        }
    }
}

#[test]
fn only_joined_flows_at_or_above_the_level_of_a_change_are_visited() {
    let mut sharing = Sharing::new([4.0, 1.0, 6.0]);
    let solved = |sharing: &mut Sharing| {
        let mut changed = Vec::new();
        sharing.solve(&mut changed);
        changed.sort_unstable();
        changed
    };
    let free = f64::INFINITY;
    let slow = sharing.add(&[0, 1], 1.0, free);
    let other = sharing.add(&[1], 1.0, free);
    let fast = sharing.add(&[0], 1.0, free);
    let apart = sharing.add(&[2], 1.0, free);
    assert_eq!(solved(&mut sharing), [slow, other, fast, apart]);
    assert_eq!([slow, other, fast, apart].map(|id| sharing.rate(id)), [0.5, 0.5, 3.5, 6.0]);
    let more = sharing.add(&[0], 1.0, free);
    assert_eq!(solved(&mut sharing), [fast, more], "the slow one is held back elsewhere");
    assert_eq!(sharing.rate(more), 1.75);
    sharing.remove(more);
    assert_eq!(solved(&mut sharing), [fast]);
    sharing.remove(slow);
    assert_eq!(solved(&mut sharing), [other, fast]);
    assert_eq!([other, fast, apart].map(|id| sharing.rate(id)), [1.0, 4.0, 6.0]);
}

#[test]
fn flows_that_another_resource_limits_keep_their_rates() {
    let mut sharing = Sharing::new([4.0, 1.0, 1.0]);
    let free = f64::INFINITY;
    let (slow, other) = (sharing.add(&[0, 1], 1.0, free), sharing.add(&[1], 1.0, free));
    let (elsewhere, here) = (sharing.add(&[0, 2], 1.0, free), sharing.add(&[0], 1.0, free));
    let mut changed = Vec::new();
    sharing.solve(&mut changed);
    assert_eq!([slow, other, elsewhere, here].map(|id| sharing.rate(id)), [0.5, 0.5, 1.0, 2.5]);
    sharing.remove(slow);
    changed.clear();
    sharing.solve(&mut changed);
    changed.sort_unstable();
    assert_eq!(
        changed,
        [other, here],
        "the first resource is full, and does not limit all its flows"
    );
    assert_eq!([other, elsewhere, here].map(|id| sharing.rate(id)), [1.0, 1.0, 3.0]);
}
