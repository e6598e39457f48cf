//! A test suite in the XML of JUnit.

use maud::{Markup, PreEscaped, html};
use sim_core::words::counted;

use super::{Checked, details};
use crate::diagnostic;

/// Returns the suite: a case for each number of ranks, which fails if findings count.
pub(super) fn suite(checks: &[Checked]) -> String {
    let failures = checks.iter().filter(|check| check.fails()).count();
    let program = checks.first().map_or("", |check| check.request.program.as_str());
    let suite = html! {
        testsuites tests=(checks.len()) failures=(failures) errors="0" {
            testsuite name=(xml(&format!("windtunnel check {program}"))) tests=(checks.len())
                failures=(failures) errors="0"
            {
                @for check in checks { (case(check)) }
            }
        }
    };
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n", suite.into_string())
}

fn case(check: &Checked) -> Markup {
    let (request, verdict) = (&check.request, check.report.verdict.word());
    let name = counted(request.ranks.into(), "rank");
    let text = |finding: &mpi_api::finding::Finding| {
        let lines = [diagnostic::line(finding)].into_iter().chain(details(finding));
        xml(&lines.collect::<Vec<String>>().join("\n"))
    };
    let findings: Vec<String> = check.judged.findings().map(|finding| text(&finding)).collect();
    html! {
        (PreEscaped("\n"))
        testcase name=(name) classname=(xml(&request.program)) {
            @if check.fails() {
                failure message=(verdict) type=(verdict) { (findings.join("\n\n")) }
            } @else if !findings.is_empty() {
                system-out { (findings.join("\n\n")) }
            }
        }
    }
}

/// Replaces characters that XML 1.0 does not allow.
fn xml(text: &str) -> String {
    let allowed = |c: char| !c.is_control() || matches!(c, '\n' | '\t' | '\r');
    text.chars().map(|c| if allowed(c) { c } else { '\u{fffd}' }).collect()
}
