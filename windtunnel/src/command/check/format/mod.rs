//! The results of checks in the formats of other tools.

mod github;
mod junit;
mod sarif;

use std::{env, fs, path::Path};

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
        Some(place) => format!("{}:{}: {}", path(place.file), place.line, site.label),
        None => site.label.clone(),
    });
    let schedule = finding.schedule.iter().map(|schedule| format!("schedule: {schedule}"));
    let notes = finding.notes.iter().map(|note| format!("note: {note}"));
    let help = finding.help.iter().map(|help| format!("help: {help}"));
    labels.chain(notes).chain(schedule).chain(help).collect()
}

/// Returns the path of a source file, relative to the working folder if it is below it. The compiler may have seen
/// either through a symbolic link, or with `..`.
fn path(file: &str) -> String {
    let here = env::current_dir().unwrap_or_default();
    let resolved = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let (plain, real) = (Path::new(file), resolved(Path::new(file)));
    let below = real.strip_prefix(resolved(&here)).or_else(|_| plain.strip_prefix(&here)).ok();
    below
        .filter(|_| plain.is_absolute())
        .map_or_else(|| file.to_owned(), |path| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_path_below_the_working_folder_is_relative_however_it_is_written() {
        let here = env::current_dir().expect("a folder");
        let outside = tempfile::tempdir().expect("a folder");
        let link = outside.path().join("link");
        symlink(&here, &link).expect("a link");
        for folder in [here.clone(), link, here.join("src/..")] {
            assert_eq!(path(&folder.join("src/lib.rs").display().to_string()), "src/lib.rs");
        }
        for other in ["src/lib.rs", "gone/x.c", "/gone/x.c", "/etc/hosts"] {
            assert_eq!(path(other), other);
        }
        assert_eq!(path(&here.join("gone.c").display().to_string()), "gone.c");
    }
}
