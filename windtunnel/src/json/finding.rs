//! A finding and the calls it names.

use mpi_api::{
    call::{Frame, Site},
    finding,
};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use crate::diagnostic;

/// One finding.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Finding {
    /// Its code, such as `WT0003`; `windtunnel explain CODE` describes it.
    code: String,
    /// The verdict it leads to.
    verdict: String,
    /// `error`, `warning` or `note`.
    severity: String,
    /// One line.
    message: String,
    /// Ranks of the run concerned, each once, ascending.
    ranks: Vec<u32>,
    /// How often it was found at this line; of leaks, the number of objects.
    count: u32,
    /// The calls concerned, the primary one first.
    sites: Vec<CallSite>,
    /// Ranks of a wait cycle in order, the first not repeated; empty if there is none.
    cycle: Vec<u32>,
    /// Why it is so.
    notes: Vec<String>,
    /// Suggested fix; null if there is none.
    help: Option<String>,
    /// Of a message race, the verdict of the execution that goes wrong, such as `deadlock`; else null.
    outcome: Option<String>,
    /// What its execution varied, as `--schedule` takes it; null if that is no more than the buffering.
    schedule: Option<String>,
    /// The option that accepted it, such as `--allow resource-leak`; null if it was not accepted.
    accepted: Option<String>,
}

/// One call that a finding names.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct CallSite {
    /// Rank of the run that made it.
    rank: u32,
    /// The call, in the names of the program's language.
    call: String,
    /// Source file; null if it is not known.
    file: Option<String>,
    /// Line, from 1; null if it is not known.
    line: Option<u32>,
    /// The function around the call; null if it is not known.
    function: Option<String>,
    /// The calls that led there, innermost first.
    callers: Vec<Caller>,
    /// The other side, as rank of the run.
    peer: Option<u32>,
    /// The tag, if it has one.
    tag: Option<i32>,
    /// Bytes of data, if it moves any.
    bytes: Option<u64>,
    /// What this call contributes to the finding.
    label: String,
}

/// One frame of the stack above a call.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Caller {
    /// The function around the call; empty if it is not known.
    function: String,
    /// Source file.
    file: String,
    /// Line, from 1; 0 if it is not known.
    line: u32,
}

impl Finding {
    /// Creates the object of a finding; `accepted` is the option that accepted it.
    pub(crate) fn new(finding: &finding::Finding, accepted: Option<&str>) -> Self {
        Self {
            code: finding.code.name(),
            verdict: finding.verdict().word().into(),
            severity: finding.severity.word().into(),
            message: finding.message.clone(),
            ranks: finding.ranks.clone(),
            count: finding.count,
            sites: finding.sites.iter().map(CallSite::new).collect(),
            cycle: finding.cycle.clone(),
            notes: finding.notes.clone(),
            help: finding.help.clone(),
            schedule: finding.schedule.clone(),
            outcome: finding.outcome.map(|code| code.verdict().word().into()),
            accepted: accepted.map(ToString::to_string),
        }
    }
}

impl CallSite {
    fn new(site: &finding::CallSite) -> Self {
        let place = site.site;
        let line = place.and_then(Site::with_line);
        let function = place.map(Site::function).filter(|function| !function.is_empty());
        let callers = place.map_or(&[][..], diagnostic::callers_of);
        Self {
            rank: site.rank,
            call: site.call.into(),
            file: line.map(|place| place.file.into()),
            line: line.map(|place| place.line),
            function: function.map(ToString::to_string),
            callers: callers.iter().map(Caller::new).collect(),
            peer: site.peer,
            tag: site.tag,
            bytes: site.bytes,
            label: site.label.clone(),
        }
    }
}

impl Caller {
    fn new(frame: &Frame) -> Self {
        Self { function: frame.function.into(), file: frame.file.into(), line: frame.line }
    }
}

#[cfg(test)]
mod tests {
    use mpi_api::finding::{Code, Finding};

    #[test]
    fn a_count_of_places_is_in_the_object() {
        let finding = Finding::error(Code::ResourceLeak, "m", vec![0], Vec::new());
        let object = |finding: &Finding| {
            serde_json::to_value(super::Finding::new(finding, None)).expect("an object")
        };
        assert_eq!(object(&finding)["count"], 1);
        assert_eq!(object(&Finding { count: 7, ..finding })["count"], 7);
    }
}
