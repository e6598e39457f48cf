//! What the findings about a stall say of the ranks and threads that wait: WT0001, WT0002, WT0022.

use std::collections::BTreeSet;

use super::signal::bytes_text;
use crate::finding::{CallSite, ranks_text};

/// A node of the wait-for graph: a blocked thread and its partners.
pub(crate) struct Waiting {
    pub(crate) rank: u32,
    /// Number of the thread's process.
    pub(crate) process: u32,
    /// Name for texts: the rank, or one of its threads.
    pub(crate) name: String,
    /// The thread of its rank that it waits for, if it waits for nothing else.
    pub(crate) joined: Option<u32>,
    /// Whether it waits outside MPI, for other threads of its rank.
    pub(crate) parked: bool,
    /// The collective operation that it is in or waits for, if it waits for nothing else.
    pub(crate) collective: Option<&'static str>,
    /// Whether it waits for ranks to initialize MPI.
    pub(crate) births: bool,
    /// Whether its rank has several threads.
    pub(crate) threaded: bool,
    /// Whether it needs all of `partners`, or any one of them.
    pub(crate) all: bool,
    pub(crate) partners: Vec<u32>,
    pub(crate) site: CallSite,
    /// Place of the call that made the request it waits for.
    pub(crate) made: Option<CallSite>,
}

/// Ranks and threads that wait for ever.
pub(crate) struct Stall {
    pub(crate) waiting: Vec<Waiting>,
    /// Number of other ranks that have not finished and go on.
    pub(crate) going_on: usize,
}

/// Returns the label of the call in which a rank or thread waits for `partners`, all or any of them,
/// or for a thread of its rank.
pub(crate) fn describe(
    name: &str,
    site: &CallSite,
    (all, partners): (bool, &[u32]),
    thread: Option<String>,
) -> String {
    let whom = match partners {
        _ if thread.is_some() => thread.unwrap_or_default(),
        [] => "a message nobody is left to send".to_string(),
        [one] => format!("rank {one}"),
        many if all => format!("all of {}", list(many)),
        many => format!("any of {}", list(many)),
    };
    let call = site.call;
    let size = site.bytes.map_or(String::new(), |bytes| format!(" ({})", bytes_text(bytes)));
    format!("{name} waits in {call}{size} for {whom}")
}

/// Returns the ranks as text, each once.
pub(super) fn list(ranks: &[u32]) -> String {
    let each: Vec<u32> = ranks.iter().copied().collect::<BTreeSet<u32>>().into_iter().collect();
    ranks_text(&each)
}

impl Stall {
    /// Returns the note that says how many ranks or threads are blocked.
    pub(super) fn note(&self) -> String {
        let what = if self.waiting.iter().any(|w| w.threaded) { "thread" } else { "rank" };
        let blocked = match self.waiting.len() {
            1 => format!("1 {what} is blocked"),
            count => format!("{count} {what}s are blocked"),
        };
        match self.going_on {
            0 => format!("nothing can happen any more and {blocked}"),
            1 => format!(
                "{blocked} for ever; another rank goes on, but nothing that it does can change that"
            ),
            others => format!(
                "{blocked} for ever; {others} others go on, but nothing that they do can change that"
            ),
        }
    }
}

/// Reports whether no other thread of its rank waits for anything.
pub(crate) fn is_alone(waiting: &[Waiting], one: &Waiting) -> bool {
    !waiting.iter().any(|w| w.rank == one.rank && w.process != one.process)
}
