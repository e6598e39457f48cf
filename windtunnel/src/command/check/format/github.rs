//! Annotations of GitHub Actions: workflow commands on standard output.

use std::fmt::Write as _;

use mpi_api::finding::Severity;
use sim_core::words::counted;

use super::{Checked, details, path, place};

/// Returns one annotation for each finding, and a last line with each verdict.
pub(super) fn annotations(checks: &[Checked]) -> String {
    let mut text = String::new();
    for check in checks {
        for (finding, accepted) in check.judged.pairs() {
            let kind = match finding.severity {
                _ if accepted.is_some() => "notice",
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "notice",
            };
            let mut properties = Vec::new();
            if let Some(place) = place(finding) {
                properties.push(format!("file={}", property(&path(place.file))));
                properties.push(format!("line={}", place.line));
            }
            properties.push(format!("title={}", property(&finding.code.name())));
            let lines = [finding.message.clone()].into_iter().chain(details(finding));
            let message = data(&lines.collect::<Vec<String>>().join("\n"));
            let _ = writeln!(text, "::{kind} {}::{message}", properties.join(","));
        }
        let (ranks, verdict) = (check.request.ranks, check.report.verdict.word());
        let program = data(&check.request.program);
        let _ = writeln!(text, "{program} on {}: {verdict}", counted(ranks.into(), "rank"));
    }
    text
}

/// Escapes the message of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_command_is_escaped() {
        assert_eq!(data("50 %\nmore"), "50 %25%0Amore");
        assert_eq!(property("a,b:c"), "a%2Cb%3Ac");
    }
}
