//! WT0018: a rank panicked, or its program ended itself because of a fault.

use crate::{
    call::Site,
    finding::{CallSite, Code, Finding},
    text::intern,
};

/// Returns the finding about the process `name` of a rank that panicked: at the place of the panic
/// if it is known, else at the last call if there is one.
pub fn of_rank(
    (name, rank): (&str, u32),
    message: &str,
    location: Option<(&str, u32)>,
    last: Option<CallSite>,
) -> Finding {
    let (first, rest) = first_and_rest(message);
    let first = if first.is_empty() { "the panic's message is empty" } else { first };
    let place = location.map(|(file, line)| {
        CallSite::new(rank, "panic", Some(Site::at(intern(file), line, 1)), first.into())
    });
    let text = format!("{name} panicked: {first}");
    let sites = place.or(last).into_iter().collect();
    with_rest(Finding::error(Code::Panicked, text, vec![rank], sites), rest)
}

/// Returns the first line of a program's message, and its other lines without the indentation that all of them have.
/// Titles and labels of findings are single lines; the rest becomes a note.
fn first_and_rest(message: &str) -> (&str, Option<String>) {
    let message = message.trim_end().trim_start_matches(['\r', '\n']);
    let Some((first, rest)) = message.split_once('\n') else { return (message, None) };
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let filled = rest.lines().filter(|line| !line.trim().is_empty());
    let common = filled.map(indentation).min().unwrap_or(0);
    let lines = rest.lines().map(|line| line.get(common..).unwrap_or("").trim_end());
    (first.trim_end(), Some(lines.collect::<Vec<_>>().join("\n")))
}

/// Returns the finding with the other lines of a program's message.
fn with_rest(finding: Finding, rest: Option<String>) -> Finding {
    match rest {
        Some(rest) => finding.note(rest),
        None => finding,
    }
}

/// Label of an assertion.
pub const ASSERTION: &str = "this assertion";

/// Label of a throw.
pub const THROWN: &str = "thrown here";

/// Returns the finding about an assertion that does not hold on some ranks, `who`.
pub fn by_assertion(who: &str, condition: &str, ranks: &[u32], place: CallSite) -> Finding {
    let text = format!("{who}: the assertion `{condition}` does not hold");
    Finding::error(Code::Panicked, text, ranks.to_vec(), vec![place])
}

/// Returns the finding about an exception that was not caught.
pub fn by_exception(who: &str, what: &str, ranks: &[u32], place: Option<CallSite>) -> Finding {
    let (first, rest) = first_and_rest(what);
    let text = format!("{who}: an exception was not caught: {first}");
    let sites = place.into_iter().collect();
    with_rest(Finding::error(Code::Panicked, text, ranks.to_vec(), sites), rest)
}

/// Label of a call that a simulated rank cannot make.
pub const REFUSED: &str = "called here";

/// Returns the finding about programs that could not go on for a reason of the simulator, at the call that was the
/// reason if that is known.
pub fn refused((who, ranks): (&str, &[u32]), why: &str, place: Option<CallSite>) -> Finding {
    let text = format!("{who}: {why}");
    Finding::error(Code::Panicked, text, ranks.to_vec(), place.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_of_several_lines_is_a_title_and_a_note() {
        let of = |message: &str| {
            let finding = of_rank(("rank 1", 1), message, Some(("a.rs", 3)), None);
            (finding.message, finding.sites[0].label.clone(), finding.notes)
        };
        let (title, label, notes) = of("assertion failed\n  left: 1\n right: [\n    2,\n]\n");
        assert_eq!(
            (title.as_str(), label.as_str()),
            ("rank 1 panicked: assertion failed", "assertion failed")
        );
        assert_eq!(notes, ["  left: 1\n right: [\n    2,\n]"]);
        assert_eq!(of("a\n  left: 1\n right: 2").2, [" left: 1\nright: 2"]);
        assert_eq!(of("one line"), ("rank 1 panicked: one line".into(), "one line".into(), vec![]));
        assert_eq!(of("").0, "rank 1 panicked: the panic's message is empty");
    }
}
