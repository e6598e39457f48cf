//! The second check of a program that splits communicators by node: with all ranks on one node, where the first has each
//! on its own since nothing says how many a node has. Ranks that share no memory race with nobody.

use mpi_api::finding::Code;
use scenarios::{
    safety::Report,
    scenario::{Request, Scenario},
};

/// What was made of the second check.
#[derive(Default)]
pub(super) struct OneNode {
    /// Number of its executions; 0 if there was none.
    pub executions: usize,
    /// The options that make it; empty unless its verdict is the more severe one and told.
    pub options: Vec<String>,
}

/// Returns the request for the second check, if one is needed.
pub(super) fn request(scenario: &Scenario, report: &Report) -> Option<Request> {
    let request = &scenario.request;
    let splits = report.runs.iter().any(|run| run.result.splits_by_node);
    let open = request.schedule.is_none() && request.shares_across_nodes && request.ranks > 1;
    if !splits || !open || report.stopped.is_some() {
        return None;
    }
    let mut wanted = request.clone();
    wanted.set_ranks_per_node(request.ranks);
    Some(wanted)
}

/// Reports whether the second check was stopped before it could find anything: then the verdict is that of the first.
pub(super) fn is_undecided(report: &Report) -> bool {
    let mut findings = report.findings.iter();
    report.stopped.is_some() && findings.all(|finding| finding.code == Code::LimitReached)
}

/// Adds to the findings of the second check where the ranks are, and returns the options that put them there.
pub(super) fn tell(report: &mut Report, request: &Request) -> Vec<String> {
    let options = vec!["--ranks-per-node".into(), request.ranks_per_node.to_string()];
    let text = format!(
        "all ranks are on one node here (`{}`): the program splits communicators by node",
        options.join(" ")
    );
    report.findings.iter_mut().for_each(|finding| finding.notes.push(text.clone()));
    options
}
