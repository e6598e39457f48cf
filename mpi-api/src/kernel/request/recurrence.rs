//! [`Recurrence`]: tells programs that wait without an end from those that work and look for messages now and then.
//!
//! A loop that only looks is in one of a few states again and again; one that works has counted something, in a register or
//! in a variable on the stack of the process ([`sim_core::Scheduler::caller_state`]).

use std::collections::{BTreeMap, BTreeSet};

use sim_core::ProcessId;

/// Of so many looks of a process one is examined. A prime number: loops whose number of looks it does not divide are
/// seen in all their states.
const EVERY: u32 = 17;
/// Number of examined looks in a row, in states that are known, after which a process is taken to wait without an end.
const REPEATS: u32 = 100;
/// Most states of a process that are remembered, and so the longest loop that is recognised, in examined looks.
const STATES_MAX: usize = 1 << 12;

/// Times as many looks are allowed where a program counts something between them: it may do work, and look now and then.
pub(crate) const COUNTING: u64 = 16;

/// The states of processes that have looked for long, while nothing else was under way.
#[derive(Debug, Default)]
pub(crate) struct Recurrence {
    processes: BTreeMap<ProcessId, States>,
    /// Number of processes that are taken to wait without an end.
    recurring: usize,
}

/// The states of a process.
#[derive(Debug, Default)]
struct States {
    looks: u32,
    known: BTreeSet<u64>,
    /// Number of examined looks in a row in states that were known.
    repeats: u32,
}

impl Recurrence {
    /// Forgets all states.
    pub(crate) fn clear(&mut self) {
        self.processes.clear();
        self.recurring = 0;
    }

    /// Records a look of a process; `state` returns a number for the state of its program, 0 if that is not known.
    pub(crate) fn look(&mut self, process: ProcessId, state: impl FnOnce() -> u64) {
        let states = self.processes.entry(process).or_default();
        states.looks += 1;
        if !states.looks.is_multiple_of(EVERY) {
            return;
        }
        let state = state();
        let did_recur = states.repeats >= REPEATS;
        if state == 0 || states.known.contains(&state) {
            states.repeats = states.repeats.saturating_add(1);
        } else {
            states.repeats = 0;
            if states.known.len() == STATES_MAX {
                states.known.clear();
            }
            states.known.insert(state);
        }
        match (did_recur, states.repeats >= REPEATS) {
            (false, true) => self.recurring += 1,
            (true, false) => self.recurring -= 1,
            (true, true) | (false, false) => {}
        }
    }

    /// Returns the number of processes that wait without an end.
    pub(crate) fn recurring(&self) -> usize {
        self.recurring
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns after how many looks a process is recognised that is in these states one after the other.
    fn recognised(recurrence: &mut Recurrence, state: impl Fn(u32) -> u64) -> Option<u32> {
        let process = ProcessId(3);
        (1..1_000_000).find(|look| {
            recurrence.look(process, || state(*look));
            recurrence.recurring() == 1
        })
    }

    #[test]
    fn who_is_in_few_states_again_and_again_waits() {
        let mut recurrence = Recurrence::default();
        assert_eq!(recognised(&mut recurrence, |_| 7), Some(EVERY * (REPEATS + 1)));
        recurrence.clear();
        let of_many = recognised(&mut recurrence, |look| u64::from(look % 1000) + 1);
        assert_eq!(of_many, Some(EVERY * (1000 + REPEATS)));
        recurrence.clear();
        assert_eq!(recognised(&mut recurrence, |_| 0), Some(EVERY * REPEATS), "nothing is known");
    }

    #[test]
    fn who_counts_works() {
        let mut recurrence = Recurrence::default();
        assert_eq!(recognised(&mut recurrence, u64::from), None);
        // It goes on after a long wait.
        recurrence.clear();
        assert!(recognised(&mut recurrence, |_| 7).is_some());
        (0..EVERY).for_each(|_| recurrence.look(ProcessId(3), || 8));
        assert_eq!(recurrence.recurring(), 0);
    }
}
