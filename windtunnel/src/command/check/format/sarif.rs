//! SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format).

use std::collections::BTreeMap;

use mpi_api::finding::{CallSite, Code, Finding, Severity};
use serde::Serialize;

use super::{Checked, details, path};

/// Part of the format: the log file.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: Vec<Run>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    results: Vec<Outcome>,
    column_kind: &'static str,
    properties: BTreeMap<&'static str, String>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: String,
    name: &'static str,
    short_description: Message,
    help: Message,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcome {
    rule_id: String,
    rule_index: u32,
    level: &'static str,
    message: Message,
    locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    occurrence_count: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suppressions: Vec<Suppression>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    physical_location: Option<Physical>,
    message: Message,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
}

#[derive(Serialize)]
struct Suppression {
    kind: &'static str,
    justification: String,
}

/// Returns the log: a run of the tool for each number of ranks.
pub(super) fn log(checks: &[Checked]) -> Log {
    Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: checks.iter().map(run).collect(),
    }
}

fn run(check: &Checked) -> Run {
    let rules = Code::ALL.into_iter().map(|code| Rule {
        id: code.name(),
        name: code.verdict().word(),
        short_description: Message { text: code.title().into() },
        help: Message { text: format!("windtunnel explain {}", code.name()) },
    });
    let driver = Driver {
        name: "Windtunnel",
        semantic_version: env!("CARGO_PKG_VERSION"),
        rules: rules.collect(),
    };
    let properties = [
        ("program", check.request.program.clone()),
        ("ranks", check.request.ranks.to_string()),
        ("verdict", check.report.verdict.word().into()),
    ];
    Run {
        tool: Tool { driver },
        results: check.judged.pairs().map(outcome).collect(),
        column_kind: "unicodeCodePoints",
        properties: properties.into(),
    }
}

fn outcome((finding, accepted): (&Finding, Option<&str>)) -> Outcome {
    let mut places =
        finding.sites.iter().filter(|site| site.site.is_some_and(|at| at.with_line().is_some()));
    let text = [finding.message.clone()].into_iter().chain(details(finding));
    Outcome {
        rule_id: finding.code.name(),
        rule_index: finding.code.number() - 1,
        level: match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        },
        message: Message { text: text.collect::<Vec<String>>().join("\n") },
        locations: places.next().map(location).into_iter().collect(),
        related_locations: places.map(location).collect(),
        occurrence_count: finding.count.max(1),
        suppressions: accepted
            .map(|reason| Suppression { kind: "external", justification: reason.into() })
            .into_iter()
            .collect(),
    }
}

fn location(site: &CallSite) -> Location {
    let physical = site.site.map(|place| Physical {
        artifact_location: Artifact { uri: uri(place.file) },
        region: Region { start_line: place.line },
    });
    Location { physical_location: physical, message: Message { text: site.label.clone() } }
}

/// Returns the URI of a file: relative to the present folder if it is below it.
fn uri(file: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(byte);
    let escaped: String = path(file)
        .bytes()
        .map(|byte| match plain(&byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect();
    if escaped.starts_with('/') { format!("file://{escaped}") } else { escaped }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_as_a_uri() {
        assert_eq!(uri("src/my ring.c"), "src/my%20ring.c");
        assert_eq!(uri("/usr/x.c"), "file:///usr/x.c");
        let here = std::env::current_dir().expect("a folder").join("a.c");
        assert_eq!(uri(&here.display().to_string()), "a.c");
    }
}
