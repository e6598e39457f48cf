//! The results of checks in the formats of other tools.

mod github;
mod junit;
mod sarif;

use std::path::Path;

use mpi_api::{call::Site, finding::Finding};

use super::Checked;
use crate::{formats::Format, json};

/// Prints the checks in a format other than text.
pub(super) fn print(format: Format, checks: &[Checked]) {
    match format {
        Format::Text => {}
        Format::Json => match checks {
            [one] => json::print(&one.object()),
            several => json::print(&json::check::Checks::new(
                super::worst(several).word(),
                several.iter().map(Checked::object).collect(),
            )),
        },
        Format::Sarif => json::print(&sarif::log(checks)),
        Format::Github => print!("{}", github::annotations(checks)),
        Format::Junit => print!("{}", junit::suite(checks)),
    }
}

/// Returns the first known source line of a finding.
fn place(finding: &Finding) -> Option<Site> {
    finding.sites.iter().find_map(|site| site.site?.with_line())
}

/// Returns what a finding says apart from its message: labels, notes, help.
fn details(finding: &Finding) -> Vec<String> {
    let labels = finding.sites.iter().map(|site| match site.site.and_then(Site::with_line) {
        Some(place) => format!("{}:{}: {}", place.file, place.line, site.label),
        None => site.label.clone(),
    });
    let schedule = finding.schedule.iter().map(|schedule| format!("schedule: {schedule}"));
    let notes = finding.notes.iter().map(|note| format!("note: {note}"));
    let help = finding.help.iter().map(|help| format!("help: {help}"));
    labels.chain(notes).chain(schedule).chain(help).collect()
}

/// Returns the path of a source file, relative to the present folder if it is below it.
fn path(file: &str) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let below = Path::new(file).strip_prefix(&here).ok();
    below.map_or_else(|| file.to_owned(), |path| path.display().to_string())
}
