//! Executions that only look for accesses of the program to memory that operations own, or to that of windows.
//!
//! They are slow: each access to a closed page is a signal. So the ordinary execution is watched, the one whose first
//! polls are unsuccessful, those without buffering of a program that frees active requests, also with a late rank, and of the other match orders
//! as many as are affordable, spread over all of them. In some of these the buffers are compared with the program's
//! variables, too.

use mpi_api::{
    check::limit_reached,
    finding::{Code, Finding},
    outcome::{Ending, RunResult},
    settings::{Matching, OneSided, Polls, Settings, Watched},
};

use super::{
    Policy, PolicyRun, Space, Variation, execution::Executions, seeded, settings::settings_with,
};
use crate::scenario::Scenario;

/// Most match orders that are watched besides the ordinary execution.
const ORDERS_MAX: u64 = 256;

/// Most executions with a late rank that are watched.
const LATE_MAX: usize = 16;

/// Most match orders in which buffers are compared: each execution reads the program's debug information.
const COMPARED_MAX: u64 = 16;

/// Executions with another order of simultaneous events that are watched if ranks share memory.
const SHARED_SEEDS: u64 = 4;

/// Most accesses that are examined in all of these orders together, going by the ordinary execution.
const ACCESSES_MAX: u64 = 1 << 17;

/// Most events in all of these orders together, going by the ordinary execution.
const EVENTS_MAX: u64 = 1 << 20;

/// What is watched, whether buffers are compared, and the codes of what that can find. Other findings are those of
/// executions that are not watched.
#[derive(Clone, Copy)]
pub(super) struct Watch {
    watched: Watched,
    compares: bool,
    finds: &'static [Code],
}

/// The comparison of buffers with variables, which the ordinary execution has made.
const COMPARISON: Watch = Watch {
    watched: Watched::Nothing,
    compares: true,
    finds: &[Code::ShortBuffer, Code::MemoryType],
};

/// Returns what is to be watched in a program, of which these executions are known.
pub(super) fn wanted(runs: &[PolicyRun]) -> Vec<Watch> {
    let mut wanted = Vec::new();
    // What the ranks of a program owned that was struck by a signal, or ended by a wrong call, is not known of all.
    let ended = |finding: &Finding| matches!(finding.code, Code::Signal | Code::InvalidArgument);
    let may_own = |run: &PolicyRun| run.result.owns || run.result.findings.iter().any(ended);
    if runs.iter().any(may_own) {
        let finds = &[Code::BufferConflict];
        wanted.push(Watch { watched: Watched::Owned, compares: false, finds });
    }
    let uses_windows =
        |run: &PolicyRun| run.result.one_sided && (run.result.owns || run.result.shares);
    if runs.iter().any(uses_windows) {
        let polls = runs.iter().any(|run| run.result.syncs || run.result.polled);
        let watched = Watched::Windows { polls };
        let finds = &[Code::WindowRace, Code::EpochMisuse];
        wanted.push(Watch { watched, compares: false, finds });
    }
    wanted
}

/// Watches the ordinary execution; if the program polls, that whose first polls are unsuccessful; if it has threads, one in
/// which these begin in reverse order; if it calls
/// `MPI_Win_sync`, those whose one-sided accesses depart late; if it frees requests of active operations, that without
/// buffering. A note says if such an execution fails and none of `others` does, since
/// nothing is known of accesses after that.
pub(super) fn ordinary(
    executions: &Executions<'_>,
    watches: &[Watch],
    others: &[PolicyRun],
) -> Vec<PolicyRun> {
    let any = |is: fn(&RunResult) -> bool| others.iter().any(|run| is(&run.result));
    let usual = settings_with(Space::Infinite, executions.scenario);
    let mut variants = vec![(Variation::Plain, usual.clone())];
    if any(|result| result.polled) {
        let settings = Settings { polls: Polls::Reluctant, ..usual.clone() };
        variants.push((Variation::Polls, settings));
    }
    // Threads begin before their creator goes on, which may call MPI next, except where their order is reversed.
    let reverses_threads = any(|result| result.reverses_threads);
    if reverses_threads {
        variants.push(seed(executions.scenario, Space::Infinite, 0));
    }
    let unbuffered = settings_with(Space::Zero, executions.scenario);
    let mut without_buffering = Vec::new();
    // A buffered send is complete at once, and nothing is pending when its request is freed.
    if any(|result| result.freed) {
        without_buffering.push((Variation::Plain, unbuffered.clone()));
    }
    // A load after `MPI_Win_sync` counts as a poll, unless it comes before the write that it is to see. Where the writer
    // sends a message first and then has to wait for its receiver, that is certain to go on before the write.
    if any(|result| result.syncs) {
        let late = |settings| Settings { one_sided: OneSided::Late, ..settings };
        variants.push((Variation::LateAccesses, late(usual)));
        without_buffering.push((Variation::LateAccesses, late(unbuffered)));
    }
    let mut made = run(executions, (watches, Space::Infinite), &variants, others);
    made.extend(run(executions, (watches, Space::Zero), &without_buffering, others));
    if any(|result| result.shares) {
        let first = u64::from(reverses_threads);
        let more = sharing(executions, watches, (&made, first), others);
        made.extend(more);
    }
    made
}

/// Returns the variation of a buffering with the seed of a round.
fn seed(scenario: &Scenario, space: Space, round: u64) -> (Variation, Settings) {
    (Variation::Seeded(round), seeded(scenario, space, round).1)
}

/// Watches executions in which what ranks do with memory that they share happens in other orders, from a `first` round on:
/// a buffered send never ends after its receive, for instance. Where the watch has not seen all of the ordinary
/// execution, which `made` has, nothing would come of it.
fn sharing(
    executions: &Executions<'_>,
    watches: &[Watch],
    (made, first): (&[PolicyRun], u64),
    others: &[PolicyRun],
) -> Vec<PolicyRun> {
    let windows: Vec<Watch> =
        watches.iter().filter(|watch| watch.watched.is_of_windows()).copied().collect();
    let is_in_part = |run: &PolicyRun| {
        run.settings.environment.watched.is_of_windows() && run.result.watched_in_part
    };
    if made.iter().any(is_in_part) {
        return Vec::new();
    }
    let in_space = |space: Space| {
        let rounds = first..first + SHARED_SEEDS;
        let variants: Vec<_> =
            rounds.map(|round| seed(executions.scenario, space, round)).collect();
        run(executions, (&windows, space), &variants, others)
    };
    Space::BOTH.into_iter().flat_map(in_space).collect()
}

/// Watches some executions without buffering in which one rank starts late, of a program that frees active requests: nothing
/// tells it when their operations are complete, which they are late there.
pub(super) fn late(
    executions: &Executions<'_>,
    watches: &[Watch],
    runs: &[PolicyRun],
) -> Vec<PolicyRun> {
    if !runs.iter().any(|run| run.result.freed) {
        return Vec::new();
    }
    let late = varied(runs, Space::Zero, |run| run.settings.late.is_some());
    run(executions, (watches, Space::Zero), &spread(&late, LATE_MAX), runs)
}

/// Watches the execution with these settings, which `runs` have made without, and compares its buffers.
pub(super) fn scheduled(
    executions: &Executions<'_>,
    (space, settings): (Space, &Settings),
    runs: &[PolicyRun],
) -> Vec<PolicyRun> {
    let watches: Vec<Watch> = wanted(runs).into_iter().chain(comparison(runs)).collect();
    run(executions, (&watches, space), &[(Variation::Scheduled, settings.clone())], runs)
}

/// Returns the comparison of buffers, if the program is one whose buffers can be compared.
fn comparison(runs: &[PolicyRun]) -> Option<Watch> {
    runs.iter().any(|run| run.result.comparable).then_some(COMPARISON)
}

/// Watches some of the match orders with unlimited buffering that `runs` have followed, and compares buffers in some.
pub(super) fn in_orders(
    executions: &Executions<'_>,
    watches: &[Watch],
    runs: &[PolicyRun],
) -> Vec<PolicyRun> {
    let orders = orders(runs);
    let mut made = Vec::new();
    for watch in watches.iter().copied().chain(comparison(runs)) {
        let is_like = |run: &&PolicyRun| run.settings.environment.watched == watch.watched;
        let known = || runs.iter().filter(is_like).map(|run| &run.result);
        let affordable = |all: u64, each: u64| all / each.max(1);
        let most = if watch.compares { COMPARED_MAX } else { ORDERS_MAX };
        let most = most
            .min(affordable(ACCESSES_MAX, known().map(|result| result.accesses).max().unwrap_or(0)))
            .min(affordable(EVENTS_MAX, known().map(|result| result.events).max().unwrap_or(0)));
        let watches: (&[Watch], Space) = (&[watch], Space::Infinite);
        made.extend(run(executions, watches, &spread(&orders, most as usize), runs));
    }
    made
}

/// Returns the settings of the match orders with unlimited buffering, except those that are stuck.
fn orders(runs: &[PolicyRun]) -> Vec<(Variation, Settings)> {
    varied(
        runs,
        Space::Infinite,
        |run| matches!(&run.settings.matching, Matching::Explore(choices) if !choices.is_empty()),
    )
}

/// Returns what these executions with a buffering have varied, except those that are stuck.
fn varied(
    runs: &[PolicyRun],
    space: Space,
    is_one: impl Fn(&PolicyRun) -> bool,
) -> Vec<(Variation, Settings)> {
    let of = |run: &PolicyRun| match run.policy {
        Policy::Varied(with, variation) => {
            (with == space).then(|| (variation, run.settings.clone()))
        }
        Policy::Watched(..) | Policy::Search => None,
    };
    runs.iter().filter(|run| is_one(run) && !run.is_stuck()).filter_map(of).collect()
}

/// Returns at most this many of a list, at equal distances.
fn spread<T: Clone>(list: &[T], most: usize) -> Vec<T> {
    let count = most.min(list.len());
    (0..count).map(|at| list[list.len() * at / count].clone()).collect()
}

/// Runs these variants of a buffering under each watch, and keeps what only watched executions find.
fn run(
    executions: &Executions<'_>,
    (watches, space): (&[Watch], Space),
    variants: &[(Variation, Settings)],
    others: &[PolicyRun],
) -> Vec<PolicyRun> {
    let mut watched = Vec::new();
    for Watch { watched: memory, compares, finds } in watches {
        let settings = |(variation, settings): &(Variation, Settings)| {
            let mut settings = settings.clone();
            settings.environment.watched = *memory;
            settings.environment.compares_buffers = *compares;
            (Policy::Watched(space, *variation), settings)
        };
        for mut run in executions.run(variants.iter().map(settings).collect()) {
            let note = fails_alone(&run.result, others);
            run.result.findings.retain(|finding| finds.contains(&finding.code));
            if run.result.findings.is_empty() {
                run.result.findings.extend(note);
            }
            watched.push(run);
        }
    }
    watched
}

/// Returns a note if of these executions only the one that watches memory has failed.
fn fails_alone(watching: &RunResult, others: &[PolicyRun]) -> Option<Finding> {
    let failed = |result: &RunResult| result.ending == Ending::Failed && !result.interrupted;
    let alone = failed(watching) && !others.iter().any(|run| failed(&run.result));
    watching.findings.first().filter(|_| alone).map(limit_reached::unwatched)
}

#[cfg(test)]
mod tests {
    use mpi_api::{check::signal, settings::Buffering};

    use super::*;

    #[test]
    fn a_note_says_if_only_the_execution_that_watches_memory_fails() {
        let killed = RunResult::of_failure(2, signal::killed(11));
        let run = |result: &RunResult| PolicyRun {
            policy: Policy::ORDINARY,
            settings: Settings::free(Vec::new(), Buffering::infinite()),
            result: result.clone(),
            output: String::new(),
        };
        let completed = RunResult { ending: Ending::Completed, ..killed.clone() };
        let note = fails_alone(&killed, &[run(&completed)]).expect("a note");
        assert_eq!(note.verdict(), mpi_api::finding::Verdict::Ok);
        assert!(note.notes[0].ends_with(&killed.findings[0].message), "{:?}", note.notes);
        assert!(fails_alone(&completed, &[run(&completed)]).is_none());
        assert!(fails_alone(&killed, &[run(&completed), run(&killed)]).is_none());
        let stopped = RunResult { interrupted: true, ..killed.clone() };
        assert!(fails_alone(&stopped, &[run(&completed)]).is_none());
    }

    #[test]
    fn orders_are_spread_over_all() {
        assert_eq!(spread(&[0, 1, 2, 3, 4, 5], 3), [0, 2, 4]);
        assert_eq!(spread(&[7, 8], 16), [7, 8]);
        assert!(spread(&[1], 0).is_empty() && spread::<u8>(&[], 4).is_empty());
    }
}
