//! Description of the match order of one execution.

use std::collections::BTreeMap;

use mpi_api::{
    call::Site,
    outcome::{Choice, Chosen, RunResult, Took},
};

/// Number of choices that are described, the last ones.
const TOLD: usize = 6;

/// Returns one note for each choice that matters, in the order of the execution: those that did not
/// take the first alternative, or all that were free if there are none.
pub(super) fn notes(result: &RunResult) -> Vec<String> {
    let mut turns: BTreeMap<(u32, Site), u32> = BTreeMap::new();
    let mut free: Vec<(&Choice, Chosen, u32)> = Vec::new();
    for choice in result.choices.iter().filter(|choice| choice.alternatives > 1) {
        let Some(by) = choice.by.or(choice.buffers) else { continue };
        let turn = turns.entry((by.rank, by.site)).or_default();
        *turn += 1;
        free.push((choice, by, *turn));
    }
    let others = free.iter().filter(|(choice, ..)| choice.taken > 0);
    let others: Vec<(&Choice, Chosen, u32)> = others.copied().collect();
    let (told, before) = if others.is_empty() {
        (free, "choices were made before the ones that follow")
    } else {
        (others, "other choices differ before the ones that follow")
    };
    let again = |by: &Chosen| turns[&(by.rank, by.site)] > 1;
    let told: Vec<String> = told
        .iter()
        .map(|(choice, by, turn)| tell(choice, by, again(by).then_some(*turn)))
        .collect();
    let hidden = told.len().saturating_sub(TOLD);
    let mut notes = told[hidden..].to_vec();
    if hidden > 0 {
        notes.insert(0, format!("{hidden} {before}"));
    }
    notes
}

/// Describes a choice; `turn` counts those of the same call at the same place, if it had several.
fn tell(choice: &Choice, by: &Chosen, turn: Option<u32>) -> String {
    let sent = |took: &Took| {
        let at = place(took.site).map_or(String::new(), |at| format!(" sent at {at}"));
        format!("the message of rank {}{at} (tag {})", took.source, took.tag)
    };
    let what = match (choice.took, choice.instead) {
        (Some(took), Some(first)) => {
            format!("took {} before {}", sent(&took), sent(&first))
        }
        (Some(took), None) => {
            format!("took {}, one of {} that were there", sent(&took), choice.alternatives)
        }
        (None, _) => match choice.reported {
            Some(reported) => format!(
                "reported {}, where {} answers were possible",
                requests(reported),
                choice.alternatives
            ),
            None => format!(
                "took number {}, one of {} that were there",
                choice.taken + 1,
                choice.alternatives
            ),
        },
    };
    let at = place(by.site).map_or(String::new(), |at| format!(" at {at}"));
    if choice.buffers.is_some() {
        return format!(
            "in this order, the system buffers the data of {} on rank {}{at}",
            by.call, by.rank
        );
    }
    let turn = turn.map_or(String::new(), |turn| format!(", at its choice number {turn},"));
    format!("in this order, {} on rank {}{at}{turn} {what}", by.call, by.rank)
}

/// Returns, as text, the requests at these positions of a call's list; a set of bits as in [`Choice::reported`].
pub fn requests(positions: u64) -> String {
    let numbers: Vec<String> =
        (0..64).filter(|at| positions >> at & 1 == 1).map(|at| at.to_string()).collect();
    match numbers.split_last() {
        None => "a request after the 64th".into(),
        Some((only, [])) => format!("request {only} of its list"),
        Some((last, before)) => format!("requests {} and {last} of its list", before.join(", ")),
    }
}

fn place(site: Site) -> Option<String> {
    site.known().map(|site| format!("{}:{}", site.file, site.line))
}
