//! The command `windtunnel list functions`: every MPI function, whether it is supported, and the
//! section of the standard that defines it. Programs link with all of them: a refused function
//! returns an error, and an absent one ends the run with a finding.

use mpi_abi::function::{REFUSED, unmodelled};
use serde::{Deserialize, Serialize};

/// Supported functions: name, section of MPI 5.0 and, for the functions that textbooks cover, their
/// group.
const TABLE: &str = include_str!("../../data/functions.json");

#[derive(Deserialize)]
struct Row {
    name: String,
    section: String,
    #[serde(default)]
    group: Option<char>,
}

/// One MPI function, as scripts see it.
#[derive(Serialize)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) status: &'static str,
    pub(super) standard: String,
    /// Group, `A` (point-to-point calls) to `V` (profiling).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) group: Option<char>,
}

/// Returns all functions, ordered by name.
pub(super) fn all() -> Vec<Function> {
    let rows: Vec<Row> = serde_json::from_str(TABLE).expect("a table of ours is well-formed");
    let function = |row: Row| Function {
        status: if REFUSED.contains(&row.name.as_str()) { "refused" } else { "supported" },
        name: row.name,
        standard: format!("MPI 5.0, {}", row.section),
        group: row.group,
    };
    let absent = unmodelled().iter().map(|known| Function {
        status: "absent",
        name: known.name.clone(),
        standard: format!("MPI 5.0, {}", known.section),
        group: None,
    });
    let mut all: Vec<Function> = rows.into_iter().map(function).chain(absent).collect();
    all.sort_by(|one, other| one.name.cmp(&other.name));
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use mpi_abi::function::exports;

    use super::*;

    /// Number of functions in MPI 5.0 (664) and in earlier editions, without those that exist in
    /// Fortran only.
    const FUNCTIONS: usize = 702;

    #[test]
    fn every_function_of_the_standard_is_listed() {
        assert_eq!(all().len(), FUNCTIONS);
    }

    #[test]
    fn the_table_has_every_function_once() {
        let functions = all();
        let names: BTreeSet<&str> = functions.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names.len(), functions.len(), "once each");
        for (name, _) in exports() {
            let ours = name.starts_with("MPI_");
            assert!(!ours || names.contains(name), "{name} is not in data/functions.json");
        }
    }

    #[test]
    fn every_function_of_the_textbooks_is_supported() {
        let functions = all();
        let grouped: Vec<_> = functions.iter().filter(|row| row.group.is_some()).collect();
        assert_eq!(grouped.len(), 157);
        let missing: Vec<(&str, &str)> = grouped
            .iter()
            .filter(|row| row.status != "supported")
            .map(|row| (row.name.as_str(), row.status))
            .collect();
        assert_eq!(missing, []);
    }
}
