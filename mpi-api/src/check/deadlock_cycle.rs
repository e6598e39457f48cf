//! WT0001: ranks wait for each other in a cycle.

use super::{
    missing::{help_for_cycle, notes},
    waiting::{Stall, Waiting},
};
use crate::finding::{Code, Finding};

/// What a thread does that asks again for a lock that it holds.
const RELOCKED: &str =
    "the thread holds this lock already: it cannot release it while it waits for it";

/// How that is mended.
const HELP_FOR_RELOCKED: &str = "release the lock before it is taken again, or use one that its thread may take again, such as a mutex of the type \
    PTHREAD_MUTEX_RECURSIVE or an omp_nest_lock_t";

/// Returns the finding about a cycle, given as the processes of its members.
pub(crate) fn deadlock(stall: &Stall, cycle: &[u32]) -> Finding {
    let members: Vec<&Waiting> = (cycle.iter())
        .filter_map(|process| stall.waiting.iter().find(|w| w.process == *process))
        .collect();
    let shown = members.iter().flat_map(|w| w.shown.clone());
    let is_member = |process: &u32| members.iter().any(|w| w.process == *process);
    let of_member = |w: &&Waiting| w.held && w.joined.is_some_and(|holder| is_member(&holder));
    let beside = stall.waiting.iter().filter(of_member).filter(|w| !is_member(&w.process));
    let held: Vec<&Waiting> = beside.collect();
    let sites = members.iter().chain(&held).map(|w| w.site.clone()).chain(shown).collect();
    let threads = members.iter().any(|w| w.threaded);
    let calls = match &members[..] {
        [one] => format!("{} waits for itself", one.name),
        [others @ .., last] if threads => {
            let names: Vec<&str> = others.iter().map(|w| w.name.as_str()).collect();
            format!("{} and {} wait for each other in a cycle", names.join(", "), last.name)
        }
        many => format!("{} ranks wait for each other in a cycle", many.len()),
    };
    let mut cycle: Vec<u32> = members.iter().map(|w| w.rank).collect();
    cycle.dedup();
    if cycle.len() > 1 && cycle.first() == cycle.last() {
        cycle.pop();
    }
    let mut finding =
        Finding::error(Code::DeadlockCycle, format!("deadlock: {calls}"), cycle.clone(), sites);
    if let ([_], [first, ..]) = (&cycle[..], &members[..])
        && threads
    {
        let names = members.iter().chain([first]).map(|w| w.name.as_str());
        finding = finding.note(format!("cycle: {}", names.collect::<Vec<_>>().join(" -> ")));
    }
    finding = notes(&members).into_iter().fold(finding.cycle(cycle), Finding::note);
    let is_own_lock = |w: &Waiting| w.held && w.joined == Some(w.process);
    if matches!(members[..], [one] if is_own_lock(one)) {
        return finding.note(RELOCKED).note(stall.note()).help(HELP_FOR_RELOCKED);
    }
    if !held.is_empty() {
        let text = "a thread of the cycle keeps another one of its rank waiting, for a lock that it holds or for its end";
        finding = finding.note(text);
    }
    finding.note(stall.note()).help(help_for_cycle(&members))
}
