//! A run depends on its inputs and on nothing else; and the digest would show it if it did not.

use std::rc::Rc;

use sim_core::{
    Kernel, Limits, Outcome, Pending, Port, ProcessId, Scheduler, SimDuration, Simulation, TieBreak,
};

/// Processes that hand a token on: the one that is told first at a moment goes first.
struct Relay {
    /// Who waits, and since when, in the order of their calls.
    waiting: Vec<ProcessId>,
    /// Delay of the answer to the n-th call, ns.
    delay: fn(u64) -> u64,
    calls: u64,
}

impl Kernel for Relay {
    type Call = u64;
    type Reply = u64;
    type Event = ProcessId;

    fn call(
        &mut self,
        process: ProcessId,
        word: Pending<'_, u64>,
        s: &mut Scheduler<ProcessId, u64>,
    ) {
        self.calls += 1;
        s.record(*word ^ u64::from(process.0));
        self.waiting.push(process);
        let at = s.now() + SimDuration::from_ns((self.delay)(self.calls));
        s.schedule(at, process);
    }

    fn event(&mut self, _due: ProcessId, s: &mut Scheduler<ProcessId, u64>) {
        // Whoever has waited longest gets the answer, whoever's event it was.
        let process = self.waiting.remove(0);
        let (now, events) = (s.now(), s.events());
        s.reply(process, now, events);
    }

    fn finished(&mut self, _process: ProcessId, _s: &mut Scheduler<ProcessId, u64>) {}

    fn quiescent(&mut self, _s: &mut Scheduler<ProcessId, u64>) -> bool {
        false
    }
}

/// Simultaneous events abound.
fn tied(call: u64) -> u64 {
    1 + call % 2
}

/// No two events are simultaneous: every sum of distinct powers is another.
fn untied(call: u64) -> u64 {
    1 << (call % 40)
}

fn digest(
    processes: u32,
    steps: u64,
    delay: fn(u64) -> u64,
    limits: Limits,
    ties: TieBreak,
) -> u64 {
    let relay = Relay { waiting: Vec::new(), delay, calls: 0 };
    let mut simulation = Simulation::new(relay, limits, ties);
    let body: Rc<dyn Fn(Port<u64, u64>)> = Rc::new(move |port| {
        let mut word = 0u64;
        for step in 0..steps {
            word ^= port.call(word.wrapping_add(step)).unwrap_or_default();
        }
    });
    (0..processes).for_each(|_| {
        simulation.spawn(Rc::clone(&body));
    });
    let (outcome, _, stats) = simulation.run();
    assert_eq!(outcome, Outcome::Completed);
    stats.digest
}

#[test]
fn nothing_but_the_inputs_decides() {
    let insertion = TieBreak::InsertionOrder;
    let first = digest(20, 30, tied, Limits::standard(), insertion);
    let small = Limits { stack_bytes: 32 << 10, guard_bytes: 64 << 10, ..Limits::standard() };
    assert_eq!(digest(20, 30, tied, small, insertion), first, "stacks do not matter");
    assert_eq!(digest(20, 30, tied, Limits::foreign(), insertion), first, "nor what runs on them");
    let enough = Limits { events: 1 << 40, ..Limits::standard() };
    assert_eq!(digest(20, 30, tied, enough, insertion), first, "nor a limit that is not reached");
    let threads: Vec<_> = (0..8)
        .map(|_| {
            let go = move || digest(20, 30, tied, Limits::standard(), insertion);
            std::thread::spawn(go)
        })
        .collect();
    for thread in threads {
        assert_eq!(thread.join().expect("no panic"), first, "nor other runs beside it");
    }
    assert_ne!(digest(20, 31, tied, Limits::standard(), insertion), first, "one step more does");
    assert_ne!(digest(21, 30, tied, Limits::standard(), insertion), first, "so does a process");
}

#[test]
fn seeded_ties_change_the_digest_and_only_where_there_are_ties() {
    let run = |delay, ties| digest(20, 30, delay, Limits::standard(), ties);
    let plain = run(tied, TieBreak::InsertionOrder);
    let seeded: Vec<u64> = (0..10).map(|seed| run(tied, TieBreak::Seeded(seed))).collect();
    for (seed, digest) in seeded.iter().enumerate() {
        assert_ne!(*digest, plain, "seed {seed} is the negative control");
        assert_eq!(*digest, run(tied, TieBreak::Seeded(seed as u64)), "and repeats itself");
        assert!(!seeded[..seed].contains(digest), "seed {seed} differs from the others");
    }
    let alone = |ties| digest(1, 30, untied, Limits::standard(), ties);
    assert_eq!(alone(TieBreak::InsertionOrder), alone(TieBreak::Seeded(7)));
}
