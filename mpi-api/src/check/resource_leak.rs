//! WT0017: an object is never freed.

use super::leaks::{Left, counted, plural};
use crate::finding::{Code, Finding, Severity};

/// Returns the finding about objects that were not freed.
pub(super) fn never_freed(left: &Left<'_>, what: &str) -> Finding {
    let (who, end) = (left.who(), if left.by_many() { "end" } else { "ends" });
    let message = format!("{who} {end} with {} never freed", counted(what, left.count()));
    left.finding(Code::ResourceLeak, message, ("create", format!("this {what} is never freed")))
        .warning()
        .help(format!("have the {what} freed before finalize"))
}

/// Returns the note about objects that the program keeps in static variables until it ends.
pub(super) fn cached(left: &Left<'_>, what: &str) -> Finding {
    let (who, count) = (left.who(), left.count());
    let keep = if left.by_many() { "keep" } else { "keeps" };
    let place = if count > 1 { "static variables" } else { "a static variable" };
    let message = format!("{who} {keep} {} in {place} to the end", plural(what, count));
    let label = format!("this {what} is kept in a static variable");
    let finding = left.finding(Code::ResourceLeak, message, ("create", label));
    Finding { severity: Severity::Note, ..finding }
        .note(format!("{} that a static variable holds is good for the whole run", plural(what, 1)))
}
