//! Where the time of a run went, as members of the object of `windtunnel run --json`.

mod one_sided;

use std::collections::BTreeMap;

use reports::analysis::{self, WaitState};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use self::one_sided::OneSided;
use super::what_if::WhatIf;

/// What `run` computes of a run besides its result.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Analyses {
    /// Efficiencies of the POP model; null if the run took no time.
    efficiencies: Option<Efficiencies>,
    /// Wait states, call sites, collectives and sizes; null unless `--profile` asked for them.
    profile: Option<Profile>,
    /// The same run with one setting changed; null unless `--what-if` asked for it.
    what_if: Option<WhatIf>,
}

/// Efficiencies, 1 at best.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Efficiencies {
    /// Mean time outside MPI divided by the makespan.
    parallel: f64,
    /// Mean divided by largest time outside MPI.
    load_balance: f64,
    /// Largest time outside MPI divided by the makespan.
    communication: f64,
    /// Largest time outside MPI divided by the makespan on an ideal network; null if that is not known.
    serialisation: Option<f64>,
    /// Makespan on an ideal network divided by the makespan; null if it is not known.
    transfer: Option<f64>,
    /// Makespan on an ideal network; null if it is not known.
    ideal_makespan_ns: Option<f64>,
    /// Why it is not known, if it is not.
    ideal_missing_because: Option<String>,
}

/// Blocked time by cause, nanoseconds. The causes are the keys; those without time are left out.
type Causes = BTreeMap<&'static str, f64>;

/// Where the time went.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Profile {
    /// Blocked time of all ranks.
    blocked: Blocked,
    /// Blocked time of each rank, in order.
    blocked_per_rank: Vec<Blocked>,
    /// Call sites, the longest first.
    call_sites: Vec<Site>,
    /// Collective operations, the longest first.
    collectives: Vec<Collective>,
    /// Sizes of the messages that arrived.
    message_sizes: Vec<Class>,
    /// One-sided communication; missing if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    one_sided: Option<OneSided>,
}

/// Blocked time.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Blocked {
    /// All of it, nanoseconds.
    total_ns: f64,
    /// By cause, such as `late sender` and `transfer`.
    by_cause_ns: Causes,
    /// The part of `late sender` in which messages were awaited in the wrong order.
    wrong_order_ns: f64,
}

/// The calls from one place of the program.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Site {
    /// Name of the call in the program's language.
    call: &'static str,
    /// Source file; null if it is not known.
    file: Option<String>,
    /// Its line.
    line: Option<u32>,
    /// Number of calls.
    calls: u64,
    /// Number of ranks that made them.
    ranks: u32,
    /// Bytes of data given to MPI.
    bytes_sent: u64,
    /// Bytes of data that came to receives posted here.
    bytes_received: u64,
    /// Time in these calls, summed over ranks.
    time_ns: f64,
    /// Share of ranks times makespan.
    share_percent: f64,
    /// Processor time.
    overhead_ns: f64,
    /// Blocked time.
    blocked: Blocked,
    /// The rank that spent most time here.
    longest_rank: u32,
    /// Its time, nanoseconds.
    longest_ns: f64,
    /// That time divided by the mean over these ranks.
    imbalance: f64,
    /// What carried out the collective operations that these calls entered; missing if they entered none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    algorithms: Vec<Algorithm>,
}

/// All calls of one collective operation.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Collective {
    /// Its name, for `--collectives` if that can choose its algorithm.
    operation: &'static str,
    /// Number of calls by all ranks.
    calls: u64,
    /// Bytes that the ranks contributed.
    bytes: u64,
    /// Time of all ranks in it.
    time_ns: f64,
    /// Processor time of blocking calls.
    overhead_ns: f64,
    /// Blocked time.
    blocked: Blocked,
    /// The algorithms that carried it out, the one with most calls first.
    algorithms: Vec<Algorithm>,
}

/// The calls that one algorithm carried out.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Algorithm {
    /// Its name, as `--collectives` has it: that of the algorithm that was used where the chosen one is not applicable.
    algorithm: &'static str,
    /// Number of calls by all ranks.
    calls: u64,
    /// Least bytes of data of one rank in a call; ranks without data count only if no rank has any.
    least_bytes: u64,
    /// Most bytes of data of one rank in a call.
    most_bytes: u64,
}

/// Messages of at least one size and less than twice that.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Class {
    /// Smallest size.
    from_bytes: u64,
    /// Largest size.
    to_bytes: u64,
    /// Messages of the program.
    messages: u64,
    /// Bytes of data in them.
    bytes: u64,
    /// Messages inside collective operations.
    messages_in_collectives: u64,
    /// Bytes of data in them.
    bytes_in_collectives: u64,
    /// One-sided accesses; missing if the run has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    accesses: Option<u64>,
    /// Bytes of data in them, in both directions.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_in_accesses: Option<u64>,
}

impl Analyses {
    pub(crate) fn new(
        efficiencies: &Option<analysis::Efficiencies>,
        found: Option<(&analysis::Profile, u128)>,
        what_if: Option<&analysis::WhatIf>,
    ) -> Self {
        Self {
            efficiencies: efficiencies.as_ref().map(Efficiencies::new),
            profile: found.map(|(profile, whole)| Profile::new(profile, whole)),
            what_if: what_if.map(WhatIf::new),
        }
    }
}

impl Efficiencies {
    fn new(found: &analysis::Efficiencies) -> Self {
        Self {
            parallel: found.parallel,
            load_balance: found.load_balance,
            communication: found.communication,
            serialisation: found.serialisation(),
            transfer: found.transfer(),
            ideal_makespan_ns: found.ideal.as_ref().ok().map(|ideal| ideal.as_ns_f64()),
            ideal_missing_because: found.ideal.as_ref().err().map(ToString::to_string),
        }
    }
}

impl Profile {
    /// `whole` is ranks times makespan in picoseconds.
    fn new(profile: &analysis::Profile, whole: u128) -> Self {
        let has_accesses = profile.has_accesses();
        let class = |class: &analysis::SizeClass| Class {
            from_bytes: class.from,
            to_bytes: class.last(),
            messages: class.messages,
            bytes: class.bytes,
            messages_in_collectives: class.inside,
            bytes_in_collectives: class.inside_bytes,
            accesses: has_accesses.then_some(class.accesses),
            bytes_in_accesses: has_accesses.then_some(class.accessed_bytes),
        };
        Self {
            blocked: Blocked::new(&profile.total),
            blocked_per_rank: profile.ranks.iter().map(Blocked::new).collect(),
            call_sites: profile.sites.iter().map(|site| Site::new(site, whole)).collect(),
            collectives: profile.collectives.iter().map(Collective::new).collect(),
            message_sizes: profile.sizes.iter().map(class).collect(),
            one_sided: profile.one_sided.as_ref().map(OneSided::new),
        }
    }
}

impl Blocked {
    fn new(waits: &analysis::Waits) -> Self {
        let time = |state: WaitState| (state.name(), waits.get(state).as_ns_f64());
        Self {
            total_ns: waits.total().as_ns_f64(),
            by_cause_ns: WaitState::ALL.into_iter().map(time).filter(|(_, ns)| *ns > 0.0).collect(),
            wrong_order_ns: waits.wrong_order.as_ns_f64(),
        }
    }
}

impl Site {
    fn new(site: &analysis::CallSite, whole: u128) -> Self {
        let place = site.site.and_then(|place| place.with_line());
        let time = site.time();
        Self {
            call: site.call,
            file: place.map(|place| place.file.to_string()),
            line: place.map(|place| place.line),
            calls: site.calls,
            ranks: site.ranks,
            bytes_sent: site.sent,
            bytes_received: site.received,
            time_ns: time.as_ns_f64(),
            share_percent: if whole == 0 {
                0.0
            } else {
                time.as_ps() as f64 * 100.0 / whole as f64
            },
            overhead_ns: site.overhead.as_ns_f64(),
            blocked: Blocked::new(&site.waits),
            longest_rank: site.longest.0,
            longest_ns: site.longest.1.as_ns_f64(),
            imbalance: site.imbalance(),
            algorithms: Algorithm::all(&site.algorithms),
        }
    }
}

impl Collective {
    fn new(one: &analysis::CollectiveTime) -> Self {
        Self {
            operation: one.operation,
            calls: one.calls,
            bytes: one.bytes,
            time_ns: one.time().as_ns_f64(),
            overhead_ns: one.overhead.as_ns_f64(),
            blocked: Blocked::new(&one.waits),
            algorithms: Algorithm::all(&one.algorithms),
        }
    }
}

impl Algorithm {
    fn all(found: &analysis::Algorithms) -> Vec<Self> {
        let one = |one: &analysis::AlgorithmUse| Self {
            algorithm: one.algorithm.name(),
            calls: one.calls,
            least_bytes: one.bytes.0,
            most_bytes: one.bytes.1,
        };
        found.by_calls().iter().map(one).collect()
    }
}
