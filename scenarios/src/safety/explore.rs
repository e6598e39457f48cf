//! Exploration of match orders, depth first, within a budget.

use std::collections::BTreeMap;

use mpi_api::settings::{Matching, Settings, Synchronisation};

use super::{Policy, PolicyRun, Space, Variation, chose, execution::Executions};

/// Most match orders explored with one buffering policy.
const EXPLORED_MAX: usize = 64;
/// Most messages in all these executions together.
const EXPLORED_MESSAGES_MAX: u64 = 1 << 22;

/// The first choices of an execution; after them it takes the first alternative.
type Prefix = Vec<u32>;

/// Explores every choice of matches. Returns false if the budget was used up before.
///
/// Order: depth first, the last choice first. Parallel executions start early but are evaluated in
/// the same order, so that the result does not depend on their number.
pub(super) fn explore(executions: &Executions<'_>, runs: &mut Vec<PolicyRun>) -> bool {
    let mut exhaustive = true;
    for space in Space::BOTH {
        let policy = |count| Policy::Varied(space, Variation::Order(count));
        let settings = |prefix: &Prefix| Settings {
            buffering: space.buffering(),
            synchronisation: Synchronisation::Least,
            matching: Matching::Explore(prefix.clone()),
            ..executions.scenario.settings()
        };
        // Prefixes still to be explored, the next one last.
        let mut stack: Vec<Prefix> = vec![Vec::new()];
        let mut ahead: BTreeMap<Prefix, PolicyRun> = BTreeMap::new();
        let (mut count, mut messages) = (0, 0);
        while let Some(prefix) = stack.pop() {
            if count == EXPLORED_MAX || messages > EXPLORED_MESSAGES_MAX {
                exhaustive = false;
                break;
            }
            if !ahead.contains_key(&prefix) {
                let room = executions.workers.parallel().min(EXPLORED_MAX - count);
                let next = std::iter::once(&prefix).chain(stack.iter().rev());
                let next: Vec<&Prefix> =
                    next.filter(|prefix| !ahead.contains_key(*prefix)).take(room).collect();
                let wanted = next
                    .iter()
                    .enumerate()
                    .map(|(at, prefix)| (policy(count + at), settings(prefix)));
                let made = executions.run(wanted.collect());
                for run in made {
                    if let Matching::Explore(prefix) = &run.settings.matching {
                        ahead.insert(prefix.clone(), run);
                    }
                }
            }
            let Some(mut run) = ahead.remove(&prefix) else { return false };
            run.policy = policy(count);
            messages += run.result.messages;
            stack.extend(branches(&prefix, &run));
            if count > 0 || chose(&run.result) {
                runs.push(run);
            }
            count += 1;
        }
    }
    exhaustive
}

/// Returns the alternatives to the choices of an execution after its prefix, the next one to
/// explore last.
fn branches(prefix: &Prefix, run: &PolicyRun) -> Vec<Prefix> {
    let choices = &run.result.choices;
    let mut found = Vec::new();
    for at in prefix.len()..choices.len() {
        let before: Prefix = choices[..at].iter().map(|choice| choice.taken).collect();
        let others = (choices[at].taken + 1..choices[at].alternatives).rev();
        found.extend(others.map(|other| [before.as_slice(), &[other]].concat()));
    }
    found
}
