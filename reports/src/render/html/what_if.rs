//! The section on what would change the run time of a run.

use maud::{Markup, html};

use super::figure;
use crate::{
    analysis::{Again, Answer, WhatIf},
    render::{
        svg::{self, ChangeRow},
        what_if::{cells, remarks},
    },
};

/// Returns the section with answers to questions of "what if".
pub(super) fn what_if(what_if: &WhatIf) -> Markup {
    let sensitivities = what_if.sensitivities();
    let choices = what_if.choices();
    let without = what_if.without_effect();
    html! {
        h2 { "What if" }
        p { "Each answer is a run of its own in which one setting differs." }
        @if !sensitivities.is_empty() {
            (halves(what_if))
            div.scroll { table {
                thead { tr {
                    th.l { "setting" } th { "run time if halved" } th { "change" }
                    th { "run time if doubled" } th { "change" }
                } }
                tbody { @for one in &sensitivities { tr {
                    th.l { (one.setting) }
                    @for answer in [one.halved, one.doubled] {
                        @for cell in cells(what_if, answer) { td { (cell) } }
                    }
                } } }
            } }
        }
        @if !choices.is_empty() {
            (others(what_if, &choices))
            div.scroll { table {
                thead { tr { th.l { "setting" } th { "run time" } th { "change" } } }
                tbody { @for answer in &choices {
                    @if let Again::Ran { .. } = answer.again { tr {
                        th.l { (answer.name()) }
                        @for cell in cells(what_if, Some(answer)) { td { (cell) } }
                    } }
                } }
            } }
        }
        @if !without.is_empty() { p { "No effect: " (without.join("; ")) "." } }
        @for (names, remark) in remarks(what_if) { p { (names) ": " (remark) } }
        @for answer in &choices {
            @if let Again::Impossible(reason) = &answer.again {
                p { "Left out: " (answer.name()) ": " (reason) }
            }
        }
    }
}

fn halves(what_if: &WhatIf) -> Markup {
    let change = |answer: Option<&Answer>| answer.and_then(|answer| what_if.change(answer));
    let row = |one: &crate::analysis::Sensitivity| -> ChangeRow {
        (one.setting.to_owned(), [one.halved, one.doubled].map(change))
    };
    let rows: Vec<ChangeRow> = what_if.sensitivities().iter().map(row).collect();
    let title = "What halving and doubling changes";
    html! { (figure(&svg::changes(title, &rows, Some(["halved", "doubled"])),
    "Left of zero the run is faster. What did not complete has no bar.")) }
}

fn others(what_if: &WhatIf, choices: &[&Answer]) -> Markup {
    let row = |answer: &&Answer| -> Option<ChangeRow> {
        Some((answer.name(), [Some(what_if.change(answer)?), None]))
    };
    let rows: Vec<ChangeRow> = choices.iter().filter_map(row).collect();
    html! { @if !rows.is_empty() {
        (figure(&svg::changes("What other settings change", &rows, None),
            "Left of zero the run is faster."))
    } }
}
