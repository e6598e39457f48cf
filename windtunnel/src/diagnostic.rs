//! Findings as text that reads like the Rust compiler's, and as JSON.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::Path,
};

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use mpi_api::{
    call::{Frame, Site},
    finding::{CallSite, Finding, Severity},
};
use sim_core::words::counted;

/// Most labels under the snippet of one source line.
const LABELS_MAX: usize = 3;
/// Most calls that get a note of their own.
const NOTES_MAX: usize = 4;
/// Most callers of a call that are shown.
const CALLERS_MAX: usize = 4;

/// Returns the finding as text with its source lines.
pub fn render(finding: &Finding) -> String {
    render_with(finding, option)
}

/// Returns the option that makes the execution of a schedule again.
pub(crate) fn option(schedule: &str) -> String {
    format!("--schedule {schedule}")
}

/// Like [`render`]; `again` returns the command that makes the execution of a schedule again.
pub(crate) fn render_with(finding: &Finding, again: impl Fn(&str) -> String) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut by_line: BTreeMap<(&str, u32), Vec<&CallSite>> = BTreeMap::new();
    let mut order = Vec::new();
    for (site, place) in finding.sites.iter().filter_map(with_line) {
        let key = (place.file, place.line);
        if !by_line.contains_key(&key) {
            order.push(key);
        }
        by_line.entry(key).or_default().push(site);
    }
    let sources: Vec<(&str, u32, Option<String>, String)> = order
        .into_iter()
        .map(|(file, line)| (file, line, source_of(file), labels(&by_line[&(file, line)])))
        .collect();
    let code = finding.code.name();
    let title = level.primary_title(finding.message.as_str()).id(code.as_str());
    let mut group = Group::with_title(title);
    let mut notes = Vec::new();
    for (file, line, source, label) in &sources {
        match source.as_deref().and_then(|text| span(text, *line).map(|span| (text, span))) {
            Some((text, span)) => {
                group = group.element(
                    Snippet::source(text)
                        .path(*file)
                        .annotation(AnnotationKind::Primary.span(span).label(label.as_str())),
                );
            }
            None => notes.push(format!("{file}:{line}: {label}")),
        }
    }
    notes.extend(few(finding.sites.iter().filter_map(without_line)));
    notes.extend(few(finding.sites.iter().filter_map(callers)));
    // A rank that waits for itself, or whose threads do, is named in the finding.
    if finding.cycle.len() > 1 {
        notes.push(format!("cycle: {}", cycle(&finding.cycle)));
    }
    notes.extend(finding.notes.iter().cloned());
    for note in &notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    if let Some(schedule) = &finding.schedule {
        let text = format!("`{}` runs this execution again", again(schedule));
        group = group.element(Level::NOTE.message(text));
    }
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    printable(&Renderer::plain().render(&[group]).to_string())
}

/// Returns the finding as one line of text.
pub fn line(finding: &Finding) -> String {
    let (severity, code) = (finding.severity.word(), finding.code.name());
    printable(&format!("{severity}[{code}]: {}", finding.message))
}

/// Returns a hint to be printed once after all findings if the source line of some call is unknown: because debug
/// information is missing, or because optimised code makes calls of several lines with the same instruction.
pub fn without_lines(findings: &[Finding]) -> Option<&'static str> {
    let places = findings.iter().flat_map(|finding| &finding.sites).filter_map(|call| call.site);
    let mut lacking = places.filter(|place| place.line == 0 && place.place().is_some());
    let first = lacking.next()?;
    Some(match first.file.is_empty() {
        true => {
            "note: the program has no debug information, which adds source lines: compile it with -g, and do not strip it (-s)"
        }
        false => {
            "note: optimised code makes calls of several lines as one, which has no line; -O0 keeps them apart"
        }
    })
}

/// Returns `text` with control characters escaped, so that it cannot control a terminal.
pub fn printable(text: &str) -> String {
    let steers = |letter: char| letter.is_control() && letter != '\n' && letter != '\t';
    if !text.contains(steers) {
        return text.to_string();
    }
    let shown = |letter: char| match letter {
        letter if steers(letter) => letter.escape_default().to_string(),
        letter => letter.to_string(),
    };
    text.chars().map(shown).collect()
}

fn with_line(site: &CallSite) -> Option<(&CallSite, Site)> {
    site.site.and_then(Site::with_line).map(|place| (site, place))
}

/// Returns the note for a call whose source line is unknown.
fn without_line(site: &CallSite) -> Option<String> {
    if with_line(site).is_some() {
        return None;
    }
    let function = site.site.map(Site::function).filter(|function| !function.is_empty());
    let within = function.map_or(String::new(), |function| format!(" in {function}"));
    let label = if site.label.is_empty() { "" } else { ": " };
    let who = if site.label.is_empty() { format!(" on rank {}", site.rank) } else { String::new() };
    Some(format!("{}{within}{who}{label}{}", site.call, site.label))
}

/// Returns the calls in a compiled program that led to `place`, innermost first.
pub(crate) fn callers_of(place: Site) -> &'static [Frame] {
    #[cfg(feature = "command-line")]
    return guest::site::callers(place);
    // Only the command line loads compiled programs.
    #[cfg(not(feature = "command-line"))]
    {
        let _ = place;
        &[]
    }
}

fn callers(site: &CallSite) -> Option<String> {
    let place = site.site?;
    let [first, rest @ ..] = callers_of(place) else { return None };
    let at = |frame: &Frame| {
        let function = if frame.function.is_empty() { "a function" } else { frame.function };
        match frame.line {
            0 => function.to_string(),
            line => format!("{function} at {}:{line}", frame.file),
        }
    };
    let rest = rest.iter().take(CALLERS_MAX - 1).map(|frame| format!(", from {}", at(frame)));
    let called = place.place().map_or(site.call, |place| place.call);
    Some(format!("{called} is called from {}{}", at(first), rest.collect::<String>()))
}

/// Returns the first few distinct texts, and says how many more there are.
fn few(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    texts.for_each(|text| {
        if !all.contains(&text) {
            all.push(text);
        }
    });
    let rest = all.len().saturating_sub(NOTES_MAX);
    all.truncate(NOTES_MAX);
    if rest > 0 {
        all.push(format!("and {}", counted(rest as u64, "more call")));
    }
    all
}

fn labels(sites: &[&CallSite]) -> String {
    // Several ranks may give the same text for one line.
    let mut all: Vec<(&str, u32)> = Vec::new();
    for site in sites {
        if all.iter().all(|(label, _)| *label != site.label) {
            all.push((site.label.as_str(), site.rank));
        }
    }
    let rest = all.len().saturating_sub(LABELS_MAX);
    // A rank may have several calls on the line.
    let ranks: BTreeSet<u32> = all.iter().map(|(_, rank)| *rank).collect();
    let more = match ranks.len() == all.len() {
        true => format!("and {}", counted(rest as u64, "more rank")),
        false => format!("and {rest} more"),
    };
    let mut text: Vec<&str> = all.into_iter().take(LABELS_MAX).map(|(label, _)| label).collect();
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

/// Reads a source file relative to the current folder or a folder above it: the compiler names
/// files of a workspace relative to its root, and tests run in the folder of their package.
fn read_nearby(file: &str) -> Option<String> {
    let bytes = fs::read(file).ok().or_else(|| {
        let here = env::current_dir().ok().filter(|_| Path::new(file).is_relative())?;
        here.ancestors().skip(1).find_map(|folder| fs::read(folder.join(file)).ok())
    });
    // Sources may be in Latin-1.
    bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns a line of a source file without its indentation, if it can be read.
#[cfg(feature = "command-line")]
pub(crate) fn line_of(file: &str, line: u32) -> Option<String> {
    let text = source_of(file)?;
    span(&text, line).map(|span| text[span].to_string())
}

/// Returns the lines around one of a source file, equally many before and after it, with their numbers; none if the
/// file cannot be read.
#[cfg(feature = "command-line")]
pub(crate) fn lines_around(file: &str, line: u32, around: u32) -> Vec<(u32, String)> {
    let Some(text) = source_of(file) else { return Vec::new() };
    let first = line.saturating_sub(around).max(1);
    let numbered = (1..).zip(text.lines()).skip(first as usize - 1);
    numbered
        .take_while(|(number, _)| *number <= line.saturating_add(around))
        .map(|(number, line)| (number, printable(line)))
        .collect()
}

/// Returns the byte range of a line without its indentation.
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

#[cfg(test)]
mod tests {

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
    fn a_source_need_not_be_in_utf_8() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("latin1.f90");
        std::fs::write(&file, b"! l\xe4nge\ncall mpi_init()\n").expect("written");
        let text = source_of(file.to_str().expect("a name in UTF-8")).expect("it is read");
        assert_eq!(text.lines().nth(1), Some("call mpi_init()"));
    }

    #[test]
    fn what_several_ranks_say_of_a_line_is_told_once() {
        assert_eq!(told(&["kept"; 8]), "kept");
        assert_eq!(told(&["a", "b", "a"]), "a; b");
        assert_eq!(told(&["a", "b", "c", "d", "e"]), "a; b; c; and 2 more ranks");
        let twice = [sites(&["a", "b", "c"]), sites(&["d", "e"])].concat();
        assert_eq!(labels(&twice.iter().collect::<Vec<_>>()), "a; b; c; and 2 more");
    }
}
