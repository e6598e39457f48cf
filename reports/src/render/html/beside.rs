//! The part of a check's page that shows a failing execution beside one that finishes: what each rank did, and
//! the free choices as a list to step through, with the source lines.

use maud::{Markup, html};
use mpi_api::trace::Record;
use sim_core::SimTime;

use super::figure;
use crate::{format::counted, render::svg};

/// A failing execution, and one that finishes.
#[derive(Clone, Debug)]
pub struct Beside {
    /// The execution that the page shows.
    pub failing: ShownExecution,
    /// One that is as similar to it as possible and finishes, if there is any.
    pub finishing: Option<ShownExecution>,
    /// The calls that are blocked at the end of the first one, each with its lines.
    pub end: Vec<Step>,
}

/// One of the executions.
#[derive(Clone, Debug)]
pub struct ShownExecution {
    /// The schedule that runs it again.
    pub schedule: String,
    /// How it ended.
    pub outcome: String,
    /// Number of ranks.
    pub ranks: u32,
    /// Simulated time of its end.
    pub makespan: SimTime,
    /// Its intervals and messages.
    pub records: Vec<Record>,
    /// Its free choices, in order.
    pub steps: Vec<Step>,
}

/// A choice, or a call, with the lines of source that belong to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What happens, without a full stop.
    pub what: String,
    /// The lines.
    pub lines: Vec<Excerpt>,
}

/// Some lines of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The file and the line that is meant.
    pub place: String,
    /// The line that is meant.
    pub line: u32,
    /// Numbers and text of the lines around it; none if the file cannot be read.
    pub text: Vec<(u32, String)>,
}

/// Most choices that are listed.
const STEPS_MAX: usize = 200;

/// Returns the number of the first choice that two executions make differently, if any is.
fn first_difference(one: &[Step], other: &[Step]) -> Option<usize> {
    let same = one.iter().zip(other).take_while(|(one, other)| one.what == other.what).count();
    (same < one.len() || same < other.len()).then_some(same)
}

/// Returns the part of the page.
pub(super) fn beside(data: &Beside) -> Markup {
    let Beside { failing, finishing, end } = data;
    let differs = finishing.as_ref().map(|other| first_difference(&failing.steps, &other.steps));
    let scale = finishing.as_ref().map_or(failing.makespan, |o| o.makespan.max(failing.makespan));
    let hidden = failing.steps.len().saturating_sub(STEPS_MAX);
    html! {
        @if let Some(other) = finishing {
            h3 { "Beside one that finishes" }
            p { (difference(failing, other, differs.flatten())) }
            div.beside {
                (timeline("This one", failing, scale))
                (timeline("One that finishes", other, scale))
            }
        }
        h3 { "Step by step" }
        @if failing.steps.is_empty() {
            p { "Nothing is left to choice on the way to the end: every message has one receive." }
        } @else {
            p {
                "The free choices of this execution, in order"
                @if differs.flatten().is_some() { "; from the marked one on the other execution goes another way" }
                "."
                @if hidden > 0 { " The first " (hidden) " are not listed." }
            }
        }
        ol.steps start=(hidden + 1) {
            @for (number, step) in failing.steps.iter().enumerate().skip(hidden) {
                @let marked = differs.flatten() == Some(number);
                li.differs[marked] {
                    (sentence(step))
                    @if let Some(other) = finishing.as_ref().filter(|_| marked).and_then(|f| f.steps.get(number)) {
                        p.instead { "The execution that finishes: " (other.what) "." }
                    }
                    (source(step))
                }
            }
            @if !end.is_empty() {
                li.end {
                    "Then nothing can happen any more: " (counted(end.len() as u64, "call")) " blocked."
                    @for step in end { div.call { (sentence(step)) (source(step)) } }
                }
            }
        }
    }
}

fn sentence(step: &Step) -> Markup {
    html! { p.what { (step.what) "." } }
}

fn difference(one: &ShownExecution, other: &ShownExecution, at: Option<usize>) -> String {
    let ways = format!("--schedule {} leads here, {} there", one.schedule, other.schedule);
    match at.map(|at| (one.steps.get(at), other.steps.get(at))) {
        Some((Some(here), Some(there))) => format!(
            "Up to a choice both are alike. Here {}; there {}. {ways}.",
            here.what, there.what
        ),
        Some((Some(here), None)) => {
            format!(
                "Both are alike up to a choice that only this one makes: {}. {ways}.",
                here.what
            )
        }
        Some((None, _)) => {
            format!("Both make the same choices as far as this one comes. {ways}.")
        }
        None => {
            format!("Both make the same choices; what differs is what the system does. {ways}.")
        }
    }
}

fn timeline(title: &str, shown: &ShownExecution, scale: SimTime) -> Markup {
    let height = (shown.ranks * 22).clamp(120, 700) + 140;
    let records = shown.records.iter().cloned().collect();
    let picture = svg::space_time(shown.ranks, &records, scale, 640, height);
    let caption = format!("{title}: {} at {}.", shown.outcome, shown.makespan);
    figure(&picture, &caption)
}

fn source(step: &Step) -> Markup {
    html! { @for excerpt in &step.lines {
        div.source {
            p.place { (excerpt.place) }
            @if !excerpt.text.is_empty() {
                pre { @for (number, text) in &excerpt.text {
                    span.meant[*number == excerpt.line] { (format!("{number:>5}  {text}\n")) }
                } }
            }
        }
    } }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(what: &str) -> Step {
        Step { what: what.into(), lines: Vec::new() }
    }

    #[test]
    fn the_first_choice_that_differs_is_found() {
        let [a, b, c] = ["a", "b", "c"].map(step);
        let at = |one: &[&Step], other: &[&Step]| {
            let steps = |all: &[&Step]| all.iter().map(|step| (*step).clone()).collect::<Vec<_>>();
            first_difference(&steps(one), &steps(other))
        };
        assert_eq!(at(&[&a, &b], &[&a, &c]), Some(1));
        assert_eq!(at(&[&a], &[&a, &c]), Some(1));
        assert_eq!(at(&[&a, &c], &[&a, &c]), None);
    }
}
