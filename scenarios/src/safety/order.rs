//! Description of the match order of one execution.

use mpi_api::{
    call::Site,
    outcome::{Choice, RunResult},
};

/// Number of choices that are described, the last ones.
const TOLD: usize = 6;

/// Returns one note for each receive that had a choice, in the order of the execution: which
/// message it took.
pub(super) fn notes(result: &RunResult) -> Vec<String> {
    let free = |choice: &&Choice| choice.alternatives > 1;
    let told: Vec<String> = result.choices.iter().filter(free).filter_map(tell).collect();
    let before = told.len().saturating_sub(TOLD);
    let mut notes = told[before..].to_vec();
    if before > 0 {
        notes.insert(0, format!("{before} choices were made before the ones that follow"));
    }
    notes
}

fn tell(choice: &Choice) -> Option<String> {
    let by = choice.by?;
    let what = match choice.took {
        Some(took) => {
            let sent = place(took.site).map_or(String::new(), |at| format!(" sent at {at}"));
            format!("took the message of rank {}{sent} (tag {})", took.source, took.tag)
        }
        None => format!("took number {}", choice.taken + 1),
    };
    let at = place(by.site).map_or(String::new(), |at| format!(" at {at}"));
    Some(format!(
        "in this order, {} on rank {}{at} {what}, one of {} that were there",
        by.call, by.rank, choice.alternatives
    ))
}

fn place(site: Site) -> Option<String> {
    site.known().map(|site| format!("{}:{}", site.file, site.line))
}
