//! Transfers per second of each model on a torus of 1,024 nodes.
#![allow(missing_docs, reason = "criterion's macros make public items without them")]

use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use network_models::{
    Bandwidth, ByteTime, Catalog, Hardware, LinkParameters, Links, LocalPath, LogGp,
    LogGpParameters, Network, NodeId, Progress, Report, Switching, Topology, TopologySpec,
    Transfer, TransferId,
};
use rand::RngExt;
use sim_core::{SimDuration, SimTime, stream};

const NODES: u32 = 1024;
const TRANSFERS: u64 = 10_000;
const LOCAL: LocalPath = LocalPath { latency: SimDuration::ZERO, bandwidth: None };

fn torus() -> Arc<Topology> {
    let spec: TopologySpec = "torus:32x32".parse().expect("a topology");
    Arc::new(spec.build(NODES).expect("it fits"))
}

fn links(switching: Switching) -> Links {
    let parameters = LinkParameters {
        latency: SimDuration::from_us(1),
        hop: SimDuration::from_ns(100),
        bandwidth: Bandwidth::from_bytes_per_sec(1_000_000_000),
        injection: None,
        switching,
    };
    Links::new(torus(), parameters, LOCAL)
}

fn loggp() -> LogGp {
    let parameters = LogGpParameters {
        latency: SimDuration::from_us(1),
        gap: SimDuration::from_ns(100),
        byte_time: ByteTime::from_fs(1_000_000),
        duplex_factor: 1,
    };
    LogGp::new(parameters, NODES, LOCAL)
}

/// Who sends to whom: the next in order (one or two hops), or anyone (16 hops on average).
fn patterns() -> [(&'static str, Vec<(u32, u32)>); 2] {
    let mut random = stream(1, "transfers", 0);
    let mut anyone = || random.random_range(0..NODES);
    let next = (0..TRANSFERS as u32).map(|n| (n % NODES, (n + 1) % NODES)).collect();
    [("next", next), ("anyone", (0..TRANSFERS).map(|_| (anyone(), anyone())).collect())]
}

fn transfers(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("transfers");
    group.throughput(Throughput::Elements(TRANSFERS));
    for (pattern, pairs) in patterns() {
        let models: [(&str, Box<dyn Network>); 3] = [
            ("loggp", Box::new(loggp())),
            ("cut-through", Box::new(links(Switching::CutThrough))),
            ("store-and-forward", Box::new(links(Switching::StoreAndForward))),
        ];
        for (name, mut network) in models {
            let (mut now, mut ids) = (SimTime::ZERO, (0..).map(TransferId));
            let mut reports = Vec::new();
            group.bench_function(BenchmarkId::new(name, pattern), |bencher| {
                bencher.iter(|| {
                    let mut last = now;
                    for ((source, target), id) in pairs.iter().zip(&mut ids) {
                        now += SimDuration::from_ns(10);
                        advance(network.as_mut(), now, &mut reports);
                        let (source, target) = (NodeId(*source), NodeId(*target));
                        let transfer = Transfer { id, source, target, bytes: 64 };
                        let delivery = network.inject(now, transfer);
                        let arrivals = reports.drain(..).map(|report| report.time);
                        last = arrivals.chain(delivery.arrival()).fold(last, SimTime::max);
                    }
                    last
                });
            });
        }
    }
    group.finish();
}

/// Executes the events of a model until `now`.
fn advance(network: &mut dyn Network, now: SimTime, reports: &mut Vec<Report>) {
    let Some(model) = network.event_driven() else { return };
    while let Some(next) = model.next_time().filter(|next| *next <= now) {
        model.advance(next, reports);
    }
}

/// An all-to-all exchange of 64 KiB among 256 nodes of a torus in three dimensions: all at once, or
/// in rounds in which node i sends to node i + k as soon as its last message has arrived.
fn exchanges(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("exchanges");
    group.sample_size(10);
    let spec: TopologySpec = "torus:8x8x4".parse().expect("a topology");
    let topology = Arc::new(spec.build(1).expect("it fits"));
    let nodes = topology.nodes();
    group.throughput(Throughput::Elements(u64::from(nodes) * u64::from(nodes - 1)));
    let rate = Bandwidth::from_bytes_per_sec(1_000_000_000);
    let hardware = Hardware {
        latency: SimDuration::from_us(1),
        gap: SimDuration::ZERO,
        byte_time: ByteTime::from_fs(1_000_000),
        injection: rate,
        duplex_factor: 1,
        hop: SimDuration::from_ns(100),
        link_bandwidth: rate,
        switching: Switching::CutThrough,
        local: LOCAL,
    };
    // A message is 16 packets; a route has 4 links on average, and two ports.
    for name in ["fluid", "fluid:weights=latency", "packet"] {
        let kind = Catalog::standard().model(name).expect("a model");
        for at_once in [true, false] {
            let pattern = if at_once { "at once" } else { "in rounds" };
            group.bench_function(BenchmarkId::new(name, pattern), |bencher| {
                bencher.iter(|| {
                    let mut network = kind.build(&hardware, &topology);
                    exchange(network.as_mut(), nodes, at_once)
                });
            });
        }
    }
    group.finish();
}

/// Returns the end of the exchange.
fn exchange(network: &mut dyn Network, nodes: u32, at_once: bool) -> SimTime {
    let mut now = SimTime::ZERO;
    let send = |network: &mut dyn Network, now: SimTime, source: u32, round: u32| {
        let target = NodeId((source + round) % nodes);
        let id = TransferId(u64::from(round) * u64::from(nodes) + u64::from(source));
        network.inject(now, Transfer { id, source: NodeId(source), target, bytes: 65_536 });
    };
    let first = if at_once { nodes } else { 2 };
    for (round, source) in (1..first).flat_map(|round| (0..nodes).map(move |node| (round, node))) {
        send(network, now, source, round);
    }
    let mut reports: Vec<Report> = Vec::new();
    while let Some(next) = network.event_driven().and_then(|model| model.next_time()) {
        now = next;
        network.event_driven().expect("it has events").advance(now, &mut reports);
        for report in std::mem::take(&mut reports) {
            let (round, source) = (report.id.0 as u32 / nodes, report.id.0 as u32 % nodes);
            if !at_once && report.progress == Progress::Arrived && round + 1 < nodes {
                send(network, now, source, round + 1);
            }
        }
    }
    now
}

/// Routes alone, 16 hops on average.
fn routes(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("routes");
    group.throughput(Throughput::Elements(TRANSFERS));
    let pairs = patterns().into_iter().next_back().map(|(_, pairs)| pairs).unwrap_or_default();
    for name in ["torus:32x32", "hypercube:10", "fat-tree:32x2"] {
        let spec: TopologySpec = name.parse().expect("a topology");
        let topology = spec.build(NODES).expect("it fits");
        let mut route = Vec::new();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let mut hops = 0;
                for (source, target) in &pairs {
                    route.clear();
                    topology.route(NodeId(*source), NodeId(*target), &mut route);
                    hops += route.len();
                }
                hops
            });
        });
    }
    group.finish();
}

criterion_group!(benches, transfers, exchanges, routes);
criterion_main!(benches);
