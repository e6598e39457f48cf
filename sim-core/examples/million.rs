//! Very many processes at once: how long they take to begin, step and end, and in what memory.
//!
//! `cargo run --release -p sim-core --example million -- 1000000`

use std::{rc::Rc, time::Duration};

use sim_core::{Kernel, Limits, Pending, Port, ProcessId, Scheduler, Simulation, TieBreak};

/// Answers nobody before everybody has called; then all at once, or nobody.
struct Barrier {
    waiting: Vec<ProcessId>,
    size: usize,
}

impl Kernel for Barrier {
    type Call = bool;
    type Reply = ();
    type Event = ();

    fn call(&mut self, process: ProcessId, released: Pending<'_, bool>, s: &mut Scheduler<(), ()>) {
        self.waiting.push(process);
        if *released && self.waiting.len() == self.size {
            let now = s.now();
            self.waiting.drain(..).for_each(|process| s.reply(process, now, ()));
        }
    }

    fn event(&mut self, _event: (), _s: &mut Scheduler<(), ()>) {}

    fn finished(&mut self, _process: ProcessId, _s: &mut Scheduler<(), ()>) {}

    fn quiescent(&mut self, _s: &mut Scheduler<(), ()>) -> bool {
        false
    }
}

fn main() {
    let size = std::env::args().nth(1).and_then(|size| size.parse().ok()).unwrap_or(1_000_000);
    for (what, released) in [("pass three barriers", true), ("stay blocked", false)] {
        let kernel = Barrier { waiting: Vec::new(), size };
        let mut simulation = Simulation::new(kernel, Limits::standard(), TieBreak::InsertionOrder);
        let body: Rc<dyn Fn(Port<bool, ()>)> = Rc::new(move |port| {
            for _ in 0..3 {
                port.call(released);
            }
        });
        for _ in 0..size {
            simulation.spawn(Rc::clone(&body));
        }
        let start = processor_time();
        let (outcome, _, stats) = simulation.run();
        let took = processor_time().saturating_sub(start);
        let (left, peak) = (stats.unfinished.len(), peak());
        println!("{size} processes {what}: {outcome:?}, {left} left, {took:?}, peak {peak}");
    }
}

/// Processor time of this program so far.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let time = text.split_whitespace().next().and_then(|word| word.parse().ok());
    Duration::from_nanos(time.unwrap_or_default())
}

/// Most memory that was resident.
fn peak() -> String {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("VmHWM"));
    line.map(|line| line[6..].trim().to_string()).unwrap_or_default()
}
