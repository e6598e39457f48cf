//! Findings as text that reads like the Rust compiler's, and as JSON.

use std::{collections::BTreeMap, env, fs, path::Path};

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use mpi_api::finding::{CallSite, Finding, Severity};
use serde_json::{Value, json};

/// Most labels under one source line's snippet.
const LABELS_MAX: usize = 3;

/// The finding with its source lines.
pub fn render(finding: &Finding) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut by_line: BTreeMap<(&str, u32), Vec<&CallSite>> = BTreeMap::new();
    let mut order = Vec::new();
    for site in &finding.sites {
        if let Some(place) = site.site {
            let key = (place.file, place.line);
            if !by_line.contains_key(&key) {
                order.push(key);
            }
            by_line.entry(key).or_default().push(site);
        }
    }
    let sources: Vec<(&str, u32, Option<String>, String)> = order
        .into_iter()
        .map(|(file, line)| (file, line, source_of(file), labels(&by_line[&(file, line)])))
        .collect();
    let code = finding.code.name();
    let title = level.primary_title(finding.message.as_str()).id(code.as_str());
    let mut group = Group::with_title(title);
    let mut places = Vec::new();
    for (file, line, source, label) in &sources {
        match source.as_deref().and_then(|text| span(text, *line).map(|span| (text, span))) {
            Some((text, span)) => {
                group = group.element(
                    Snippet::source(text)
                        .path(*file)
                        .annotation(AnnotationKind::Primary.span(span).label(label.as_str())),
                );
            }
            None => places.push(format!("{file}:{line}: {label}")),
        }
    }
    let mut notes = places;
    if !finding.cycle.is_empty() {
        notes.push(format!("cycle: {}", cycle(&finding.cycle)));
    }
    notes.extend(finding.notes.iter().cloned());
    for note in &notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    Renderer::plain().render(&[group]).to_string()
}

fn labels(sites: &[&CallSite]) -> String {
    // Ranks may say the same of one line.
    let mut all: Vec<&str> = Vec::new();
    sites.iter().map(|site| site.label.as_str()).for_each(|label| {
        if !all.contains(&label) {
            all.push(label);
        }
    });
    let rest = all.len().saturating_sub(LABELS_MAX);
    let more = format!("and {rest} more ranks");
    let mut text: Vec<&str> = all.into_iter().take(LABELS_MAX).collect();
    if rest > 0 {
        text.push(&more);
    }
    text.join("; ")
}

fn cycle(ranks: &[u32]) -> String {
    let mut shown: Vec<String> = ranks.iter().map(u32::to_string).collect();
    if shown.len() > 12 {
        shown.splice(6..shown.len() - 2, ["...".to_string()]);
    }
    shown.push(ranks[0].to_string());
    shown.join(" -> ")
}

fn source_of(file: &str) -> Option<String> {
    scenarios::program::source(file).map(ToString::to_string).or_else(|| read_nearby(file))
}

/// A source file, relative to the working folder or to a folder above it: the compiler names files
/// of a workspace relative to its root, and tests run in the folder of their package.
fn read_nearby(file: &str) -> Option<String> {
    fs::read_to_string(file).ok().or_else(|| {
        let here = env::current_dir().ok().filter(|_| Path::new(file).is_relative())?;
        here.ancestors().skip(1).find_map(|folder| fs::read_to_string(folder.join(file)).ok())
    })
}

/// The text of a line without its indentation, as a range of bytes.
fn span(text: &str, line: u32) -> Option<std::ops::Range<usize>> {
    let mut start = 0;
    for (number, content) in text.split_inclusive('\n').enumerate() {
        if number + 1 == line as usize {
            let indent = content.len() - content.trim_start().len();
            return Some(start + indent..start + content.trim_end().len());
        }
        start += content.len();
    }
    None
}

/// The finding for scripts.
pub fn json(finding: &Finding) -> Value {
    let sites: Vec<Value> = finding
        .sites
        .iter()
        .map(|site| {
            json!({
                "rank": site.rank,
                "call": site.call,
                "file": site.site.map(|place| place.file),
                "line": site.site.map(|place| place.line),
                "peer": site.peer,
                "tag": site.tag,
                "bytes": site.bytes,
                "label": site.label,
            })
        })
        .collect();
    json!({
        "code": finding.code.name(),
        "verdict": finding.verdict().word(),
        "severity": finding.severity.word(),
        "message": finding.message,
        "ranks": finding.ranks,
        "count": finding.count,
        "sites": sites,
        "cycle": finding.cycle,
        "notes": finding.notes,
        "help": finding.help,
    })
}

#[cfg(test)]
mod tests {
    use mpi_api::finding::Code;

    use super::*;

    fn sites(labels: &[&str]) -> Vec<CallSite> {
        let site =
            |(rank, label): (u32, &&str)| CallSite::new(rank, "create", None, (*label).to_string());
        (0..).zip(labels).map(site).collect()
    }

    fn told(given: &[&str]) -> String {
        let sites = sites(given);
        labels(&sites.iter().collect::<Vec<_>>())
    }

    #[test]
    fn what_several_ranks_say_of_a_line_is_told_once() {
        assert_eq!(told(&["kept"; 8]), "kept");
        assert_eq!(told(&["a", "b", "a"]), "a; b");
        assert_eq!(told(&["a", "b", "c", "d", "e"]), "a; b; c; and 2 more ranks");
    }

    #[test]
    fn scripts_see_how_often_it_is_so() {
        let finding = Finding::error(Code::ResourceLeak, "kept", vec![0, 1], sites(&["kept"; 2]));
        assert_eq!(json(&finding)["count"], 1);
        assert_eq!(json(&Finding { count: 7, ..finding })["count"], 7);
    }
}
