//! The engine as a whole, with a kernel that echoes after a delay.

use std::{cell::Cell, rc::Rc};

use crate::{
    Kernel, Limit, Limits, Outcome, Port, ProcessId, RunStats, Scheduler, SimDuration, SimTime,
    Simulation, TieBreak,
};

struct Echo;

impl Kernel for Echo {
    type Call = u64;
    type Reply = SimTime;
    type Event = ();

    fn call(&mut self, process: ProcessId, delay: u64, s: &mut Scheduler<(), SimTime>) {
        if delay < u64::MAX {
            let at = s.now() + SimDuration::from_ns(delay);
            s.reply(process, at, at);
        }
    }

    fn event(&mut self, _event: (), _s: &mut Scheduler<(), SimTime>) {}

    fn finished(&mut self, _process: ProcessId, _s: &mut Scheduler<(), SimTime>) {}

    fn quiescent(&mut self, _s: &mut Scheduler<(), SimTime>) -> bool {
        false
    }
}

fn run(
    count: usize,
    limits: Limits,
    body: impl Fn(Port<u64, SimTime>) + 'static,
) -> (Outcome, RunStats) {
    let mut simulation = Simulation::new(Echo, limits, TieBreak::InsertionOrder);
    let body: Rc<dyn Fn(Port<u64, SimTime>)> = Rc::new(body);
    for _ in 0..count {
        simulation.spawn(Rc::clone(&body));
    }
    let (outcome, _, stats) = simulation.run();
    (outcome, stats)
}

#[test]
fn time_advances_by_what_is_asked() {
    let (outcome, stats) = run(3, Limits::standard(), |port| {
        for _ in 0..10 {
            port.call(u64::from(port.process().0) + 1);
        }
    });
    assert_eq!(outcome, Outcome::Completed);
    assert_eq!(stats.end, SimTime::ZERO + SimDuration::from_ns(30));
}

#[test]
fn the_same_run_has_the_same_digest() {
    let go = |steps: u64| {
        run(4, Limits::standard(), move |port| {
            for step in 0..steps {
                port.call(step);
            }
        })
        .1
        .digest
    };
    assert_eq!(go(20), go(20));
    assert_ne!(go(20), go(21));
}

#[test]
fn a_blocked_process_is_a_stall_and_is_unwound() {
    struct Count(Rc<Cell<u32>>, Port<u64, SimTime>);
    impl Drop for Count {
        fn drop(&mut self) {
            assert!(self.1.call(1).is_none(), "nothing is suspended during unwinding");
            self.0.set(self.0.get() + 1);
        }
    }
    let dropped = Rc::new(Cell::new(0));
    let count = Rc::clone(&dropped);
    let (outcome, stats) = run(5, Limits::standard(), move |port| {
        let _held = Count(Rc::clone(&count), port.clone());
        port.call(u64::MAX);
    });
    assert_eq!(outcome, Outcome::Stalled);
    assert_eq!(stats.unfinished.len(), 5);
    assert_eq!(dropped.get(), 5);
}

#[test]
fn a_panic_is_an_outcome_with_its_place() {
    let (outcome, _) = run(2, Limits::standard(), |port| {
        port.call(5);
        assert!(port.process().0 == 0, "number {}", port.process().0);
    });
    let Outcome::Panicked(crash) = outcome else { panic!("{outcome:?}") };
    assert_eq!(crash.process, ProcessId(1));
    assert_eq!(crash.message, "number 1");
    assert!(crash.location.is_some_and(|(file, _)| file.ends_with("tests.rs")));
}

#[test]
fn limits_end_a_run() {
    let endless = |port: Port<u64, SimTime>| while port.call(1).is_some() {};
    let events = Limits { events: 100, ..Limits::standard() };
    assert_eq!(run(1, events, endless).0, Outcome::LimitReached(Limit::Events));
    let time = Limits { time: SimTime::from_ps(5_000), ..Limits::standard() };
    assert_eq!(run(1, time, endless).0, Outcome::LimitReached(Limit::Time));
}

#[test]
fn ten_thousand_processes_run() {
    let (outcome, stats) = run(10_000, Limits::standard(), |port| {
        port.call(1);
    });
    assert_eq!(outcome, Outcome::Completed);
    assert_eq!(stats.events, 20_000);
}
