//! One-sided communication, as a member of a profile.

use std::collections::BTreeMap;

use reports::analysis;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// One-sided communication.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct OneSided {
    /// Calls of all ranks that synchronise windows.
    synchronisation: Synchronisation,
    /// Those of each rank, in order.
    synchronisation_per_rank: Vec<Synchronisation>,
    /// Accesses by origin and target, in this order; pairs without accesses are left out.
    accesses: Vec<Accesses>,
}

/// Calls that synchronise windows. The keys are `fence`, `post`, `start`, `complete`, `wait`, `lock`, `unlock`,
/// `flush` and `sync`; kinds that were not called are left out.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Synchronisation {
    /// Processor time and blocked time in all of them, nanoseconds.
    total_ns: f64,
    /// The same by kind.
    by_kind_ns: BTreeMap<&'static str, f64>,
    /// Number of calls by kind.
    calls: BTreeMap<&'static str, u64>,
}

/// Accesses of one rank to the memory of one rank that were complete when the run ended.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Accesses {
    /// World rank of the origin.
    origin: u32,
    /// World rank of the target.
    target: u32,
    /// Number of accesses.
    accesses: u64,
    /// Bytes of data that went to the target, operands included.
    bytes_to_target: u64,
    /// Bytes of data that came back to the origin.
    bytes_to_origin: u64,
}

impl OneSided {
    pub(super) fn new(found: &analysis::OneSided) -> Self {
        let pair = |pair: &analysis::Accesses| Accesses {
            origin: pair.origin,
            target: pair.target,
            accesses: pair.accesses,
            bytes_to_target: pair.out,
            bytes_to_origin: pair.back,
        };
        Self {
            synchronisation: Synchronisation::new(&found.total),
            synchronisation_per_rank: found.ranks.iter().map(Synchronisation::new).collect(),
            accesses: found.pairs.iter().map(pair).collect(),
        }
    }
}

impl Synchronisation {
    fn new(one: &analysis::Synchronizing) -> Self {
        Self {
            total_ns: one.total().as_ns_f64(),
            by_kind_ns: one.used().map(|how| (how.name(), one.time(how).as_ns_f64())).collect(),
            calls: one.used().map(|how| (how.name(), one.calls(how))).collect(),
        }
    }
}
