//! Resources that ranks leave behind at finalize: one finding for each kind and source line.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{CallSite, Code, Finding, Severity};
use crate::{
    call::Site,
    text::{Text, interned},
};

/// Largest number of runs of ranks that a message lists.
const RUNS_MAX: usize = 6;

/// A kind of resource that a rank leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Leak {
    /// A request that was not completed.
    Request,
    /// The request of the named call, freed before the call was known to be complete.
    Freed(#[serde(deserialize_with = "interned")] Text),
    /// An object that was not freed, by its name in messages, such as `datatype`.
    Object(#[serde(deserialize_with = "interned")] Text),
    /// An object that the program keeps in a static variable until it ends.
    Cached(#[serde(deserialize_with = "interned")] Text),
}

impl Leak {
    fn code(self) -> Code {
        match self {
            Self::Request | Self::Freed(_) => Code::RequestLeak,
            Self::Object(_) | Self::Cached(_) => Code::ResourceLeak,
        }
    }

    fn call(self) -> &'static str {
        match self {
            Self::Freed(call) => call,
            Self::Request | Self::Object(_) | Self::Cached(_) => "create",
        }
    }

    fn label(self) -> String {
        match self {
            Self::Request => "this request is never completed".into(),
            Self::Freed(_) => "its request was freed, so nothing tells when it is complete".into(),
            Self::Object(what) => format!("this {what} is never freed"),
            Self::Cached(what) => format!("this {what} is kept in a static variable"),
        }
    }

    /// Returns the message for `who`, which left `count` resources behind.
    fn message(self, who: &str, many: bool, count: u32) -> String {
        let end = if many { "end" } else { "ends" };
        match self {
            Self::Request => {
                format!("{who} {end} with {} never completed", counted("request", count))
            }
            Self::Object(what) => {
                format!("{who} {end} with {} never freed", counted(what, count))
            }
            Self::Cached(what) => {
                let keep = if many { "keep" } else { "keeps" };
                let static_variables =
                    if count > 1 { "static variables" } else { "a static variable" };
                format!("{who} {keep} {} in {static_variables} to the end", plural(what, count))
            }
            Self::Freed(call) => {
                let finalize = if many { "finalize" } else { "finalizes" };
                let calls = if count > 1 { format!(" ({count} calls)") } else { String::new() };
                format!("{who} {finalize} before {call} is known to be complete{calls}")
            }
        }
    }

    fn finding(self, site: Site, ranks: &BTreeMap<u32, u32>) -> Finding {
        let at = |rank: &u32| {
            CallSite::new(*rank, site.call_or(self.call()), site.known(), self.label())
        };
        let list: Vec<u32> = ranks.keys().copied().collect();
        let count = ranks.values().sum();
        let message = self.message(&ranks_text(&list), list.len() > 1, count);
        let sites = list.iter().take(1).map(at).collect();
        let finding = Finding { count, ..Finding::error(self.code(), message, list, sites) };
        match self {
            Self::Request => finding.warning().help("have the request completed before finalize"),
            Self::Object(what) => {
                finding.warning().help(format!("have the {what} freed before finalize"))
            }
            Self::Cached(what) => Finding { severity: Severity::Note, ..finding }.note(format!(
                "{} that a static variable holds is good for the whole run",
                plural(what, 1)
            )),
            Self::Freed(_) => finding
                .note("all communication must be complete at finalize (MPI 5.0, 11.2.2)")
                .help("complete the request, or hear from the other side first"),
        }
    }
}

/// Returns a text such as `a datatype that was` or `3 datatypes that were`.
fn counted(what: &str, count: u32) -> String {
    format!("{} that {}", plural(what, count), if count == 1 { "was" } else { "were" })
}

/// Returns a text such as `a datatype` or `3 datatypes`.
fn plural(what: &str, count: u32) -> String {
    let article = if what.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    match count {
        1 => format!("{article} {what}"),
        count => format!("{count} {what}s"),
    }
}

/// Returns a text such as `rank 3`, `ranks 0 to 7` or `ranks 0, 2 to 4 and 9`; `ranks` must be
/// sorted.
pub fn ranks_text(ranks: &[u32]) -> String {
    let runs: Vec<&[u32]> = ranks.chunk_by(|low, high| low + 1 == *high).collect();
    let mut shown: Vec<String> = runs.iter().take(RUNS_MAX).flat_map(|run| ends(run)).collect();
    let left: usize = runs.iter().skip(RUNS_MAX).map(|run| run.len()).sum();
    if left > 0 {
        shown.push(format!("{left} more"));
    }
    let word = if ranks.len() > 1 { "ranks" } else { "rank" };
    match shown.split_last() {
        Some((last, [])) => format!("{word} {last}"),
        Some((last, first)) => format!("{word} {} and {last}", first.join(", ")),
        None => word.into(),
    }
}

/// Returns the text of one run of ranks; two ranks are listed individually.
fn ends(run: &[u32]) -> Vec<String> {
    match run {
        [first, _, .., last] => vec![format!("{first} to {last}")],
        few => few.iter().map(u32::to_string).collect(),
    }
}

/// The numbers of resources left behind, by kind, source line and rank.
#[derive(Default)]
pub struct Leaks(BTreeMap<(Leak, Site), BTreeMap<u32, u32>>);

impl Leaks {
    /// Records that a rank has left behind something that it created at `site`.
    pub fn note(&mut self, rank: u32, leak: Leak, site: Site) {
        *self.0.entry((leak, site)).or_default().entry(rank).or_default() += 1;
    }

    /// Returns a finding for each kind and source line.
    pub fn findings(&self) -> impl Iterator<Item = Finding> {
        self.0.iter().map(|((leak, site), ranks)| leak.finding(*site, ranks))
    }
}

#[cfg(test)]
mod tests {
    use super::{super::Verdict, *};

    #[test]
    fn ranks_are_named_in_runs() {
        assert_eq!(ranks_text(&[3]), "rank 3");
        assert_eq!(ranks_text(&[3, 4]), "ranks 3 and 4");
        assert_eq!(ranks_text(&[0, 1, 2, 3]), "ranks 0 to 3");
        assert_eq!(ranks_text(&[0, 2, 3, 4, 9]), "ranks 0, 2 to 4 and 9");
        let even: Vec<u32> = (0..20).step_by(2).collect();
        assert_eq!(ranks_text(&even), "ranks 0, 2, 4, 6, 8, 10 and 4 more");
    }

    #[test]
    fn one_kind_at_one_place_is_one_finding() {
        let at = |line| Site::at("a.rs", line, 1);
        let mut leaks = Leaks::default();
        (0..100).for_each(|_| leaks.note(1, Leak::Request, at(7)));
        (0..8).rev().for_each(|rank| leaks.note(rank, Leak::Object("attached buffer"), at(3)));
        leaks.note(0, Leak::Object("datatype"), at(3));
        leaks.note(0, Leak::Freed("immediate_send"), at(9));
        (0..2).for_each(|rank| leaks.note(rank, Leak::Cached("datatype"), at(5)));
        let told: Vec<_> = leaks.findings().map(|f| (f.message, f.ranks.len(), f.count)).collect();
        let expected = [
            ("rank 1 ends with 100 requests that were never completed", 1, 100),
            ("rank 0 finalizes before immediate_send is known to be complete", 1, 1),
            ("ranks 0 to 7 end with 8 attached buffers that were never freed", 8, 8),
            ("rank 0 ends with a datatype that was never freed", 1, 1),
            ("ranks 0 and 1 keep 2 datatypes in static variables to the end", 2, 2),
        ];
        assert!(leaks.findings().last().is_some_and(|kept| kept.verdict() == Verdict::Ok));
        assert_eq!(told, expected.map(|(text, ranks, count)| (text.to_string(), ranks, count)));
    }
}
