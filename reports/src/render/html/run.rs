//! The page of a single run.

use maud::html;

use super::{page, pairs, provenance, section::section};
use crate::comparison::{Detail, MachineNotes};

/// What the page of a single run is made of.
#[derive(Clone, Debug)]
pub struct RunPage {
    /// Name of the program.
    pub program: String,
    /// Its machine.
    pub machine: MachineNotes,
    /// What was set, name and value.
    pub settings: Vec<(String, String)>,
    /// The command that makes this page again.
    pub command: String,
    /// Why another run may come out differently, if it may.
    pub caution: Option<String>,
    /// What was found, as text.
    pub findings: Vec<String>,
    /// The run.
    pub detail: Detail,
}

/// The page as HTML text in UTF-8.
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
