//! The smallest buffering that a program needs, and the receives that its blocked sends never
//! reach.

use serde::{Deserialize, Serialize};

use super::{Minimum, execution::Executions};
use crate::scenario::Scenario;
use mpi_api::{
    call::Site,
    check::buffering_dependence::{self, Enough},
    finding::{CallSite, Finding},
    settings::{Buffering, Matching, Pool, Settings},
    text::{Text, interned},
    trace::Record,
};

/// A send and the receive that takes its message if nothing blocks it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Pair {
    source: u32,
    target: u32,
    ordinal: u32,
    send: Site,
    #[serde(deserialize_with = "interned")]
    call: Text,
    receive: Site,
}

/// Returns which receive takes the message of which send in a run with these settings.
pub(super) fn pairs(scenario: &Scenario, settings: Settings) -> Vec<Pair> {
    let records = scenario.trace_with(settings).1;
    let pair = |record| match record {
        Record::Pair { source, target, ordinal, send, call, receive } => {
            Some(Pair { source, target, ordinal, send, call, receive })
        }
        _ => None,
    };
    records.into_iter().filter_map(pair).collect()
}

/// Returns the receives that the blocked sends of a deadlock wait for and that are never called.
fn unreached(finding: &Finding, pairs: &[Pair]) -> Vec<CallSite> {
    let mut found = Vec::new();
    for blocked in &finding.sites {
        let pair = pairs.iter().find(|pair| {
            pair.source == blocked.rank
                && Some(pair.ordinal) == blocked.message
                && pair.send.known() == blocked.site
                && Some(pair.target) == blocked.peer
        });
        let Some(pair) = pair else { continue };
        found.push(CallSite {
            rank: pair.target,
            call: pair.call,
            site: pair.receive.known(),
            peer: Some(pair.source),
            tag: blocked.tag,
            bytes: blocked.bytes,
            message: None,
            label: buffering_dependence::unreached(pair.target, pair.call),
        });
    }
    found
}

/// Converts the deadlock of the run with zero buffering to the finding that the program depends on
/// buffering. `minimum` is `None` if the check was stopped before it was known.
pub(super) fn depends(finding: &Finding, minimum: Option<Minimum>, pairs: &[Pair]) -> Finding {
    let enough = minimum.map(|minimum| Enough {
        bytes_per_rank: minimum.bytes_per_rank,
        total_bytes: minimum.total_bytes,
        ranks: minimum.ranks,
    });
    buffering_dependence::of_deadlock(finding, enough, unreached(finding, pairs))
}

/// Returns the smallest buffering with which the program completes: first equal for all ranks, by
/// bisection, then rank by rank. The program must complete in the match order of the run that
/// stalled and in the order of arrival. Returns `None` if the check is stopped before the result is
/// known.
pub(super) fn smallest(
    executions: &Executions<'_>,
    (stalled, ranks): (&Settings, usize),
    peak: u64,
) -> Option<Minimum> {
    let orders = [&stalled.matching, &Matching::Arrival];
    let orders = if stalled.matching == Matching::Arrival { &orders[..1] } else { &orders };
    let finishes = |pool: Pool| {
        for matching in orders {
            let buffering = Buffering { eager_limit: u64::MAX, pool: pool.clone() };
            let matching = (*matching).clone();
            let settings = Settings { buffering, matching, ..stalled.clone() };
            if !executions.finishes(settings)? {
                return Some(false);
            }
        }
        Some(true)
    };
    let (mut short, mut enough) = (0, peak.max(1));
    while enough - short > 1 {
        let middle = short + (enough - short) / 2;
        if finishes(Pool::Bytes(middle))? {
            enough = middle;
        } else {
            short = middle;
        }
    }
    let size = ranks;
    let mut each = vec![enough; size];
    let mut block = size.next_power_of_two();
    while block > 0 && size / block <= 512 {
        for start in (0..size).step_by(block) {
            let range = start..(start + block).min(size);
            if each[range.clone()].iter().all(|bytes| *bytes == 0) {
                continue;
            }
            let mut fewer = each.clone();
            fewer[range].fill(0);
            if finishes(Pool::PerRank(fewer.clone().into()))? {
                each = fewer;
            }
        }
        block /= 2;
    }
    Some(Minimum {
        bytes_per_rank: enough,
        total_bytes: each.iter().sum(),
        ranks: each.iter().filter(|bytes| **bytes > 0).count() as u32,
        peak_bytes: peak,
    })
}

#[cfg(test)]
#[allow(clippy::disallowed_types, reason = "gives a check no time on this machine")]
mod tests {
    use std::time::Instant;

    use workers::{Settings as Surroundings, Workers};

    use super::*;
    use crate::scenario::Request;

    /// Creates workers whose deadline has passed, so that they start no process.
    fn without_time() -> Workers {
        Workers::forked(Surroundings {
            parallel: 1,
            deadline: Some(Instant::now()),
            surroundings: false,
            show: false,
            keep_files: None,
            prepare: || {},
            substitute: |_| {},
            at_exit: String::new,
            tick: Box::new(|_, _| {}),
        })
    }

    #[test]
    fn what_was_not_tried_is_not_told_as_the_smallest_buffering() {
        let scenario = Request::new("jacobi-naive", 4).resolve().expect("a program of ours");
        let settings = Settings { buffering: Buffering::zero(), ..scenario.settings() };
        let stopped = without_time();
        let executions = Executions::new(&scenario, &stopped);
        assert_eq!(smallest(&executions, (&settings, 4), 1 << 10), None);
        let workers = Workers::in_process();
        let executions = Executions::new(&scenario, &workers);
        let enough = smallest(&executions, (&settings, 4), 1 << 10).expect("nothing stops it");
        assert!((1..=1 << 10).contains(&enough.bytes_per_rank));

        let stalled = scenario.run_with(settings);
        let stall = stalled.findings.first().expect("a deadlock");
        let told = |minimum| depends(stall, minimum, &[]).message;
        assert!(told(Some(enough)).contains("bytes at each rank are enough"));
        assert!(!told(None).contains("bytes") && told(None).contains("stopped"));
    }
}
