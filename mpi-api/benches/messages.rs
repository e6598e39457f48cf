//! Messages per second, and what queue depth and the number of ranks do to it.

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

mod common;
use common::{all_to_all, ring, simulate};

fn ring_exchange(c: &mut Criterion) {
    let mut group = c.benchmark_group("ring exchange");
    group.sample_size(10).measurement_time(Duration::from_secs(3));
    for ranks in [64u32, 1024, 16_384, 65_536] {
        let steps = (1 << 18) / ranks.min(1 << 16);
        group.throughput(Throughput::Elements(u64::from(ranks * steps)));
        let program = ring(steps);
        group.bench_function(BenchmarkId::from_parameter(ranks), |b| {
            b.iter(|| simulate(ranks, &program));
        });
    }
    group.finish();
}

fn matching_depth(c: &mut Criterion) {
    let mut group = c.benchmark_group("linear all-to-all");
    group.sample_size(10).measurement_time(Duration::from_secs(3));
    for ranks in [64u32, 256, 1024] {
        group.throughput(Throughput::Elements(u64::from(ranks * (ranks - 1))));
        for (name, posted) in [("posted", true), ("unexpected", false)] {
            let program = all_to_all(posted);
            group.bench_function(BenchmarkId::new(name, ranks), |b| {
                b.iter(|| simulate(ranks, &program));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, ring_exchange, matching_depth);
criterion_main!(benches);
