//! The page of a single run.

use maud::html;

use super::{page, pairs, provenance, section::section};
use crate::comparison::{Detail, MachineNotes};

/// The contents of the page of a single run.
#[derive(Clone, Debug)]
pub struct RunPage {
    /// Name of the program.
    pub program: String,
    /// Machine of the run.
    pub machine: MachineNotes,
    /// Settings, each with name and value.
    pub settings: Vec<(String, String)>,
    /// Command line that repeats this run.
    pub command: String,
    /// Why another run may have another result, if it may.
    pub caution: Option<String>,
    /// Findings, as text.
    pub findings: Vec<String>,
    /// The run itself.
    pub detail: Detail,
}

/// Returns the page as HTML text in UTF-8.
pub fn run(data: &RunPage) -> String {
    let title = format!("{} on {}", data.program, data.machine.name);
    page(
        &title,
        html! {
            p.soft { "One run simulated by Windtunnel." }
            @if let Some(caution) = &data.caution { p.caution { (caution) } }
            @for finding in &data.findings { pre.finding { (finding) } }
            (section(&data.detail))
            h2 { "Settings" }
            (pairs(&data.settings))
            p { "The same page again: " code { (data.command) } }
            (provenance(std::slice::from_ref(&data.machine)))
        },
    )
}
