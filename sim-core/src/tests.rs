//! The engine as a whole, with a kernel that echoes after a delay.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use crate::{
    AccessKind, Kernel, Limit, Limits, Meter, Outcome, Pending, Port, ProcessId, RunStats,
    Scheduler, Script, SimDuration, SimTime, Simulation, Tap, TieBreak, with_caller_state,
};

/// Returns the process whose stack overflowed.
fn overflown(outcome: &Outcome) -> Option<ProcessId> {
    match outcome {
        Outcome::StackOverflow { process, .. } => Some(*process),
        _ => None,
    }
}

struct Echo;

impl Kernel for Echo {
    type Call = u64;
    type Reply = SimTime;
    type Event = ();

    fn call(
        &mut self,
        process: ProcessId,
        delay: Pending<'_, u64>,
        s: &mut Scheduler<(), SimTime>,
    ) {
        let delay = delay.take();
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
        for step in 1..=10 {
            let delay = u64::from(port.process().0) + 1;
            port.call(delay);
            assert_eq!(port.now(), SimTime::ZERO + SimDuration::from_ns(step * delay));
        }
    });
    assert_eq!(outcome, Outcome::Completed);
    assert_eq!(stats.end, SimTime::ZERO + SimDuration::from_ns(30));
}

/// A process that asks for these delays, one after the other.
struct Delays(std::vec::IntoIter<u64>, SimTime);

impl Script<u64, SimTime> for Delays {
    fn next(&mut self, now: SimTime, reply: Option<SimTime>) -> Option<u64> {
        assert_eq!(reply.unwrap_or_default(), self.1, "the reply to the last call");
        let delay = self.0.next()?;
        self.1 = now + SimDuration::from_ns(delay);
        Some(delay)
    }
}

#[test]
fn a_script_runs_as_a_coroutine_that_makes_the_same_calls() {
    let delays = |process: u64| vec![3, process, 0, 7];
    let (outcome, expected) = run(3, Limits::standard(), move |port| {
        for delay in delays(u64::from(port.process().0)) {
            port.call(delay);
        }
    });
    assert_eq!(outcome, Outcome::Completed);
    let mut simulation = Simulation::new(Echo, Limits::standard(), TieBreak::InsertionOrder);
    for process in 0..3 {
        let script = Delays(delays(process).into_iter(), SimTime::ZERO);
        simulation.spawn_script_at(SimTime::ZERO, Box::new(script));
    }
    let (outcome, _, stats) = simulation.run();
    assert_eq!((outcome, stats), (Outcome::Completed, expected));
}

#[test]
fn scripts_that_wait_for_ever_are_unfinished() {
    let mut simulation = Simulation::new(Echo, Limits::standard(), TieBreak::InsertionOrder);
    for delays in [vec![1, u64::MAX], vec![2]] {
        let script = Delays(delays.into_iter(), SimTime::ZERO);
        simulation.spawn_script_at(SimTime::ZERO, Box::new(script));
    }
    let (outcome, _, stats) = simulation.run();
    assert_eq!((outcome, stats.unfinished), (Outcome::Stalled, vec![ProcessId(0)]));
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
    assert_eq!(run(1, events.clone(), endless).0, Outcome::LimitReached(Limit::Events));
    let at_one_moment = |port: Port<u64, SimTime>| while port.call(0).is_some() {};
    assert_eq!(run(1, events, at_one_moment).0, Outcome::LimitReached(Limit::Events));
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

/// Recursion that the compiler cannot flatten; every frame holds 256 bytes and a heap block.
#[expect(unconditional_recursion, reason = "uses up the stack")]
fn deep(level: u64) -> u64 {
    let block = std::hint::black_box([level; 32]);
    deep(level + 1) + block[(level % 32) as usize]
}

#[test]
fn a_stack_overflow_is_an_outcome_and_the_others_are_unwound() {
    struct Count(Rc<Cell<u32>>);
    impl Drop for Count {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }
    let dropped = Rc::new(Cell::new(0));
    let count = Rc::clone(&dropped);
    let (outcome, stats) = run(4, Limits::standard(), move |port| {
        let _held = Count(Rc::clone(&count));
        if port.process().0 == 2 {
            port.call(5);
            deep(0);
        }
        port.call(u64::MAX);
    });
    assert_eq!(overflown(&outcome), Some(ProcessId(2)));
    assert_eq!(stats.unfinished, [0, 1, 3].map(ProcessId));
    assert_eq!(dropped.get(), 3, "all but the one that was cut short");
    let (again, _) = run(2, Limits::standard(), |port| {
        port.call(1);
    });
    assert_eq!(again, Outcome::Completed, "the thread goes on as if nothing had been");
}

#[test]
fn a_stack_overflow_is_caught_on_any_thread_again_and_again() {
    let threads: Vec<_> = (0..4)
        .map(|_| {
            std::thread::spawn(|| {
                for _ in 0..3 {
                    let (outcome, _) = run(1, Limits::standard(), |_| {
                        deep(0);
                    });
                    assert_eq!(overflown(&outcome), Some(ProcessId(0)));
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
}

#[test]
fn a_panic_that_uses_up_the_stack_is_a_stack_overflow() {
    struct Deep;
    impl Drop for Deep {
        fn drop(&mut self) {
            deep(0);
        }
    }
    let go = || {
        run(1, Limits::standard(), |_| {
            let _deep = Deep;
            panic!("unwinds into a destructor without end");
        })
        .0
    };
    std::thread::spawn(move || {
        assert_eq!(overflown(&go()), Some(ProcessId(0)));
        let (after, _) = run(2, Limits::standard(), |port| {
            assert!(port.call(1).is_some(), "the next run's calls work");
        });
        assert_eq!(after, Outcome::Completed);
    })
    .join()
    .expect("no panic");
}

#[allow(unsafe_code, reason = "stands in for faulty foreign code")]
mod foreign {
    use super::*;

    fn read_at(address: usize) -> u8 {
        // SAFETY: none; the fault is what is tested.
        unsafe { std::ptr::read_volatile(std::hint::black_box(address) as *const u8) }
    }

    #[test]
    fn a_signal_is_an_outcome_with_its_place_and_nothing_is_unwound() {
        struct Never;
        impl Drop for Never {
            fn drop(&mut self) {
                panic!("foreign frames are not unwound");
            }
        }
        let (outcome, stats) = run(3, Limits::foreign(), |port| {
            let _never = Never;
            if port.process().0 == 1 {
                port.call(5);
                read_at(16);
            }
            port.call(u64::MAX);
        });
        let Outcome::Signal { process, signal, address, access } = outcome else {
            panic!("{outcome:?}")
        };
        assert_eq!((process, signal), (ProcessId(1), libc::SIGSEGV));
        let access = access.expect("memory was accessed");
        assert_eq!((access.address, access.is_null()), (16, true));
        #[cfg(target_arch = "x86_64")]
        assert_eq!(access.kind, Some(AccessKind::Read));
        let code = read_at as *const () as usize;
        assert!(address.abs_diff(code) < 16 << 20, "{address:x} is in this program, as {code:x}");
        assert_eq!(stats.unfinished, [0, 2].map(ProcessId));
    }

    #[test]
    fn abort_and_illegal_instructions_are_outcomes() {
        let signal = |body: fn(Port<u64, SimTime>)| match run(1, Limits::foreign(), body).0 {
            Outcome::Signal { signal, .. } => signal,
            other => panic!("{other:?}"),
        };
        // SAFETY: the signal is what is tested.
        assert_eq!(signal(|_| unsafe { libc::abort() }), libc::SIGABRT);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        assert_eq!(signal(|_| unsafe { std::arch::asm!("ud2") }), libc::SIGILL);
    }

    #[test]
    fn an_overflow_in_foreign_code_is_an_overflow() {
        let (outcome, _) = run(1, Limits::foreign(), |_| {
            deep(0);
        });
        assert_eq!(overflown(&outcome), Some(ProcessId(0)));
    }
}

#[test]
fn a_simulation_that_never_ran_drops_its_bodies() {
    let held = Rc::new(());
    let inner = Rc::clone(&held);
    let mut simulation = Simulation::new(Echo, Limits::standard(), TieBreak::InsertionOrder);
    let body: Rc<dyn Fn(Port<u64, SimTime>)> = Rc::new(move |_| drop(Rc::clone(&inner)));
    for _ in 0..1000 {
        simulation.spawn(Rc::clone(&body));
    }
    drop((simulation, body));
    assert_eq!(Rc::strong_count(&held), 1);
}

/// Returns the memory of this process that is resident now, or was at its peak (`VmRSS`, `VmHWM`),
/// KiB.
fn resident(key: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells");
    let line = status.lines().find(|line| line.starts_with(key)).expect("it is there");
    line.split_whitespace().nth(1).and_then(|word| word.parse().ok()).expect("a number")
}

#[test]
fn many_blocked_processes_are_unwound_in_little_memory() {
    let before = resident("VmRSS");
    let (outcome, stats) = run(100_000, Limits::standard(), |port| {
        let held = vec![1u8; 100];
        port.call(u64::MAX);
        drop(held);
    });
    assert_eq!(outcome, Outcome::Stalled);
    assert_eq!(stats.unfinished.len(), 100_000);
    let peak = resident("VmHWM") - before;
    assert!(peak < 1_500_000, "{peak} KiB: one page and some a process");
    let after = resident("VmRSS").saturating_sub(before);
    assert!(after < 300_000, "{after} KiB stay");
}

/// A kernel that begins another process at every call and replies at once.
struct Forking;

impl Kernel for Forking {
    type Call = u32;
    type Reply = ProcessId;
    type Event = ();

    fn call(&mut self, process: ProcessId, _: Pending<'_, u32>, s: &mut Scheduler<(), ProcessId>) {
        let child = s.spawn();
        s.reply(process, s.now(), child);
    }

    fn event(&mut self, _event: (), _s: &mut Scheduler<(), ProcessId>) {}

    fn finished(&mut self, _process: ProcessId, _s: &mut Scheduler<(), ProcessId>) {}

    fn quiescent(&mut self, _s: &mut Scheduler<(), ProcessId>) -> bool {
        false
    }
}

#[test]
fn processes_begin_during_a_run() {
    let mut simulation = Simulation::new(Forking, Limits::standard(), TieBreak::InsertionOrder);
    let begun = Rc::new(Cell::new(0));
    let count = Rc::clone(&begun);
    simulation.children(Rc::new(move |port: Port<u32, ProcessId>| {
        count.set(count.get() + 1);
        // The first child has one of its own.
        if port.process() == ProcessId(2) {
            assert_eq!(port.call(0), Some(ProcessId(3)));
        }
    }));
    for _ in 0..2 {
        simulation.spawn(Rc::new(|port: Port<u32, ProcessId>| {
            let child = port.call(0).expect("an answer");
            assert!(child.0 >= 2 && port.is_current());
        }));
    }
    let (outcome, _, stats) = simulation.run();
    assert_eq!((outcome, begun.get()), (Outcome::Completed, 3));
    assert!(stats.unfinished.is_empty());
}

/// A meter for which every step takes as many nanoseconds as the process's number; stops after six
/// steps.
struct Steps(Cell<u32>);

impl Meter<u64> for Steps {
    fn begin(&self, _process: ProcessId) {}

    fn end(&self, process: ProcessId, call: Option<&u64>) -> Option<SimDuration> {
        assert!(call.is_none_or(|delay| *delay == 5));
        self.0.set(self.0.get() + 1);
        (self.0.get() <= 6).then(|| SimDuration::from_ns(u64::from(process.0)))
    }
}

fn metered(calls: u32) -> (Outcome, RunStats) {
    let mut simulation = Simulation::new(Echo, Limits::standard(), TieBreak::InsertionOrder);
    simulation.meter(Rc::new(Steps(Cell::new(0))));
    let body: Rc<dyn Fn(Port<u64, SimTime>)> = Rc::new(move |port: Port<u64, SimTime>| {
        let each = u64::from(port.process().0);
        for call in 1..=u64::from(calls) {
            let answered = port.call(5).map(SimTime::as_ps);
            assert_eq!(answered, Some(1000 * call * (5 + each)));
        }
    });
    simulation.spawn(Rc::clone(&body));
    simulation.spawn(body);
    let (outcome, _, stats) = simulation.run();
    (outcome, stats)
}

#[test]
fn what_a_meter_tells_takes_its_time() {
    let (outcome, stats) = metered(2);
    assert_eq!(outcome, Outcome::Completed);
    assert_eq!(stats.end.as_ps(), 1000 * (2 * 5 + 3), "its end comes after computing, too");
    assert_eq!(stats.digest, metered(2).1.digest);
}

#[test]
fn a_meter_that_knows_nothing_more_ends_the_run() {
    let (outcome, stats) = metered(3);
    assert_eq!(outcome, Outcome::Stopped);
    assert_eq!(stats.unfinished, [ProcessId(1)], "the end of the other one was the seventh");
}

/// Returns the random numbers that two processes draw from the system in a simulation with a seed.
fn drawn(seed: u64) -> Vec<[u8; 16]> {
    let mut simulation = Simulation::new(Echo, Limits::standard(), TieBreak::InsertionOrder);
    simulation.seed(seed);
    let drawn = Rc::new(std::cell::RefCell::new(Vec::new()));
    for _ in 0..2 {
        let drawn = Rc::clone(&drawn);
        simulation.spawn(Rc::new(move |port| {
            let mut bytes = [0; 16];
            #[allow(unsafe_code, reason = "asks the system, in whose place we answer")]
            // SAFETY: there is room for as many bytes.
            let count = unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), bytes.len(), 0) };
            assert_eq!(count, 16);
            drawn.borrow_mut().push(bytes);
            port.call(1);
        }));
    }
    assert_eq!(simulation.run().0, Outcome::Completed);
    drawn.take()
}

#[test]
fn what_processes_draw_from_the_system_depends_on_the_seed() {
    let (first, second) = (drawn(1), drawn(2));
    assert_eq!(first, drawn(1));
    let all: std::collections::BTreeSet<_> = first.iter().chain(&second).collect();
    assert_eq!(all.len(), 4, "no two are the same");
}

#[test]
fn the_state_of_a_loop_differs_only_if_it_counts() {
    assert_eq!(with_caller_state(0, |state| state), 0, "no process runs");
    let (outcome, _) = run(1, Limits::standard(), |_| {
        let seen = Rc::new([const { Cell::new(0) }; 20]);
        let looks = Cell::new(0);
        let looks = Rc::new(looks);
        // What changes lies on the heap.
        let wait = |seen: &[Cell<u64>], looks: &Cell<usize>| {
            with_caller_state(0, |state| {
                seen[looks.get()].set(state);
                looks.set(looks.get() + 1);
                looks.get() < 20
            })
        };
        while wait(&*seen, &looks) {}
        assert_ne!(seen[19].get(), 0);
        assert_eq!(seen[18], seen[19]);
        let mut states = std::collections::BTreeSet::new();
        for count in 0..300 {
            states.insert(with_caller_state(0, |state| state));
            std::hint::black_box(count);
        }
        assert_eq!(states.len(), 300);
    });
    assert_eq!(outcome, Outcome::Completed);
}

/// Writes down what it observes: the process, its reply, what it computed, its call.
#[derive(Default)]
struct Notes(RefCell<Vec<String>>);

impl Tap<u64, SimTime> for Notes {
    fn resumed(&self, process: ProcessId, reply: Option<&SimTime>) {
        let reply = reply.map_or("-".into(), |time| time.as_ps().to_string());
        self.0.borrow_mut().push(format!("{} gets {reply}", process.0));
    }

    fn called(&self, process: ProcessId, computed: SimDuration, call: Option<&u64>) {
        let call = call.map_or("end".into(), u64::to_string);
        self.0.borrow_mut().push(format!("{} {} {call}", process.0, computed.as_ps()));
    }
}

#[test]
fn a_tap_sees_calls_and_replies_and_changes_nothing() {
    let go = |tap: Option<Rc<Notes>>, meter: bool| {
        let mut simulation = Simulation::new(Echo, Limits::standard(), TieBreak::InsertionOrder);
        if let Some(tap) = tap {
            simulation.tap(tap);
        }
        if meter {
            simulation.meter(Rc::new(Steps(Cell::new(0))));
        }
        let body: Rc<dyn Fn(Port<u64, SimTime>)> = Rc::new(|port: Port<u64, SimTime>| {
            port.call(5);
        });
        simulation.spawn(Rc::clone(&body));
        simulation.spawn(body);
        simulation.run().2
    };
    let notes = Rc::new(Notes::default());
    assert_eq!(go(Some(Rc::clone(&notes)), false), go(None, false));
    let seen = ["0 gets -", "0 0 5", "1 gets -", "1 0 5"];
    let then = ["0 gets 5000", "0 0 end", "1 gets 5000", "1 0 end"];
    assert_eq!(*notes.0.borrow(), [seen, then].concat());
    let notes = Rc::new(Notes::default());
    assert_eq!(go(Some(Rc::clone(&notes)), true), go(None, true));
    assert!(notes.0.borrow().contains(&"1 1000 5".to_owned()), "{:?}", notes.0.borrow());
}
