//! The sections that a page has of a safety check.

use maud::{Markup, html};
use sim_core::SimTime;

use super::{
    beside::{Beside, beside},
    figure,
};
use crate::render::svg::{self, Wait};

/// What a check has found, beside the run that the page shows.
#[derive(Clone, Debug)]
pub struct CheckSummary {
    /// The verdict, one word.
    pub verdict: String,
    /// All findings, as text, the most severe first.
    pub findings: Vec<String>,
    /// How far orders of messages were followed, a sentence.
    pub explored: String,
    /// The executions behind the verdict, in order.
    pub executions: Vec<CheckedExecution>,
    /// What the execution varies that the page shows, and why it is this one: a sentence.
    pub shown: String,
    /// The blocked ranks of that execution.
    pub blocked: Vec<BlockedCall>,
    /// The ranks of a cycle of waiting, in order.
    pub cycle: Vec<u32>,
    /// The execution step by step, beside one that finishes, if it does not finish itself.
    pub beside: Option<Beside>,
}

/// One execution of a check.
#[derive(Clone, Debug)]
pub struct CheckedExecution {
    /// What it varied.
    pub policy: String,
    /// What `--schedule` takes to run it again, if that is possible.
    pub schedule: Option<String>,
    /// How it ended.
    pub outcome: String,
    /// Its simulated run time.
    pub makespan: SimTime,
    /// Number of its findings.
    pub findings: usize,
}

/// The call in which a rank is blocked.
#[derive(Clone, Debug)]
pub struct BlockedCall {
    /// The call and what it waits for.
    pub wait: Wait,
    /// The thread that is blocked, where its rank has several.
    pub thread: Option<String>,
    /// Name of the call.
    pub call: String,
    /// Source file and line; empty if they are not known.
    pub place: String,
    /// The tag, if it has one.
    pub tag: Option<i32>,
    /// Bytes of data, if it moves any.
    pub bytes: Option<u64>,
}

/// Most executions that are listed; those with findings come first.
const EXECUTIONS_MAX: usize = 40;

/// Returns the sections.
pub(super) fn check(summary: &CheckSummary) -> Markup {
    let mut order: Vec<&CheckedExecution> = summary.executions.iter().collect();
    order.sort_by_key(|execution| execution.findings == 0);
    let hidden = order.len().saturating_sub(EXECUTIONS_MAX);
    html! {
        p.advice { "Verdict: " strong { (summary.verdict) } ". " (summary.explored) }
        @for finding in &summary.findings { pre.finding { (finding) } }
        @if summary.findings.is_empty() { p { "Nothing was found." } }
        h2 { "Executions" }
        div.scroll { table {
            thead { tr { th.l { "what varies" } th.l { "--schedule" } th.l { "outcome" } th { "run time" } th { "findings" } } }
            tbody { @for execution in order.iter().take(EXECUTIONS_MAX) {
                tr {
                    th.l { (execution.policy) }
                    td.l { @if let Some(schedule) = &execution.schedule { code { (schedule) } } @else { "-" } }
                    td.l { (execution.outcome) }
                    td { (execution.makespan) } td { (execution.findings) }
                }
            } }
        } }
        @if hidden > 0 { p.soft { (hidden) " more are not listed." } }
        h2 { "The execution shown" }
        p { (summary.shown) }
        @if !summary.blocked.is_empty() { (blocked(summary)) }
        @if let Some(data) = &summary.beside { (beside(data)) }
    }
}

fn blocked(summary: &CheckSummary) -> Markup {
    let waits: Vec<Wait> = summary.blocked.iter().map(|call| call.wait.clone()).collect();
    let list = |wait: &Wait| {
        let ranks: Vec<String> = wait.partners.iter().take(12).map(u32::to_string).collect();
        let more = if wait.partners.len() > 12 { ", ..." } else { "" };
        let which = if wait.all || wait.partners.len() < 2 { "" } else { "any of " };
        format!("{which}{}{more}", ranks.join(", "))
    };
    let number = |value: Option<String>| value.unwrap_or_else(|| "-".into());
    let who =
        |call: &BlockedCall| call.thread.clone().unwrap_or_else(|| call.wait.rank.to_string());
    html! {
        h3 { "Blocked ranks" }
        div.scroll { table {
            thead { tr { th { "rank" } th.l { "call" } th.l { "line" } th.l { "waits for rank" } th { "tag" } th { "bytes" } } }
            tbody { @for call in &summary.blocked {
                tr {
                    th { (who(call)) } td.l { (call.call) } td.l { (call.place) }
                    td.l { (list(&call.wait)) }
                    td { (number(call.tag.map(|tag| tag.to_string()))) }
                    td { (number(call.bytes.map(|bytes| bytes.to_string()))) }
                }
            } }
        } }
        (figure(&svg::waits(&waits, &summary.cycle), "An arrow runs from a rank to one that it waits for."))
    }
}
