//! Transfers per second of each model on a torus of 1,024 nodes.
#![allow(missing_docs, reason = "criterion's macros make public items without them")]

use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use network_models::{
    Bandwidth, ByteTime, LinkParameters, Links, LocalPath, LogGp, LogGpParameters, Network, NodeId,
    Switching, Topology, TopologySpec, Transfer, TransferId,
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
            let mut now = SimTime::ZERO;
            group.bench_function(BenchmarkId::new(name, pattern), |bencher| {
                bencher.iter(|| {
                    let mut last = now;
                    for (number, (source, target)) in pairs.iter().enumerate() {
                        now += SimDuration::from_ns(10);
                        let transfer = Transfer {
                            id: TransferId(number as u64),
                            source: NodeId(*source),
                            target: NodeId(*target),
                            bytes: 64,
                        };
                        let delivery = network.inject(now, transfer);
                        last = last.max(delivery.flight.map_or(now, |flight| flight.arrival));
                    }
                    last
                });
            });
        }
    }
    group.finish();
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

criterion_group!(benches, transfers, routes);
criterion_main!(benches);
