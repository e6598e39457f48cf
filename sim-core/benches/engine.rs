//! What the engine costs by itself: a queue step, a process's step, a process's birth and end.
//!
//! `cargo bench -p sim-core`. Times are for the whole benchmark divided by its elements: read
//! the throughput.
#![allow(missing_docs, reason = "criterion's macros make public items without them")]

use std::{hint::black_box, rc::Rc};

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rand::RngExt;
use sim_core::{
    EventQueue, Kernel, Limits, Pending, Port, ProcessId, Scheduler, SimDuration, SimTime,
    Simulation, TieBreak, stream,
};

/// Answers every call after a fixed time, or leaves it open.
struct Clock;

impl Kernel for Clock {
    type Call = u64;
    type Reply = ();
    type Event = ();

    fn call(&mut self, process: ProcessId, delay: Pending<'_, u64>, s: &mut Scheduler<(), ()>) {
        let delay = *delay;
        if delay < u64::MAX {
            s.reply(process, s.now() + SimDuration::from_ns(delay), ());
        }
    }

    fn event(&mut self, _event: (), _s: &mut Scheduler<(), ()>) {}

    fn finished(&mut self, _process: ProcessId, _s: &mut Scheduler<(), ()>) {}

    fn quiescent(&mut self, _s: &mut Scheduler<(), ()>) -> bool {
        false
    }
}

fn simulation(processes: u32, calls: u32, delay: u64) -> Simulation<Clock> {
    let mut simulation = Simulation::new(Clock, Limits::standard(), TieBreak::InsertionOrder);
    let body: Rc<dyn Fn(Port<u64, ()>)> = Rc::new(move |port| {
        let block = black_box([0u8; 512]);
        for _ in 0..calls {
            port.call(delay);
        }
        black_box(block);
    });
    for _ in 0..processes {
        simulation.spawn(Rc::clone(&body));
    }
    simulation
}

/// The hold model: take the earliest, put one in later; the number waiting stays the same.
fn queue(criterion: &mut Criterion) {
    const STEPS: u64 = 10_000;
    let mut group = criterion.benchmark_group("queue-hold");
    group.throughput(Throughput::Elements(STEPS));
    for size in [1_000u64, 10_000, 100_000, 1_000_000] {
        for (kind, spread) in [("spread", 1_000_000u64), ("ties", 4)] {
            let mut random = stream(1, "hold", size);
            let mut delays = Vec::new();
            delays.extend((0..1 << 16).map(|_| 1000 * (1 + random.random_range(0..spread))));
            let mut queue = EventQueue::new(TieBreak::InsertionOrder);
            for number in 0..size {
                let delay = delays[number as usize % delays.len()];
                queue.push(SimTime::from_ps(delay), number);
            }
            let mut at = 0;
            group.bench_function(BenchmarkId::new(kind, size), |bencher| {
                bencher.iter(|| {
                    for _ in 0..STEPS {
                        let (time, event) = queue.pop().expect("it never empties");
                        at = (at + 1) % delays.len();
                        queue.push(time + SimDuration::from_ps(delays[at]), event);
                    }
                });
            });
        }
    }
    group.finish();
}

/// A call and its answer: two switches, one queue step.
fn switch(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("call-and-answer");
    group.sample_size(10);
    for (processes, calls) in [(1_000u32, 200u32), (100_000, 30)] {
        group.throughput(Throughput::Elements(u64::from(processes) * u64::from(calls)));
        group.bench_function(BenchmarkId::from_parameter(processes), |bencher| {
            bencher.iter_batched(
                || simulation(processes, calls, 10),
                |simulation| simulation.run().2.events,
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

/// Birth and end of processes, one call each: all alive at once; and left blocked and unwound.
fn spawn(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("spawn");
    group.sample_size(10);
    for processes in [1_000u32, 100_000] {
        group.throughput(Throughput::Elements(u64::from(processes)));
        for (kind, delay) in [("ended", 10), ("unwound", u64::MAX)] {
            group.bench_function(BenchmarkId::new(kind, processes), |bencher| {
                bencher.iter(|| simulation(processes, 1, delay).run().2.events);
            });
        }
    }
    group.finish();
}

criterion_group!(benches, queue, switch, spawn);
criterion_main!(benches);
