//! The command `windtunnel list functions`: every MPI function, whether it is supported, and the
//! section of the standard that defines it. Programs link with all of them: a refused function
//! returns an error, and an absent one ends the run with a finding.

use mpi_functions::{Status, functions};
use serde::Serialize;

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

/// Returns all functions of MPI, ordered by name.
pub(super) fn all() -> Vec<Function> {
    // Those without a section are our own.
    let standard = functions().iter().filter(|function| !function.section.is_empty());
    let function = |function: &mpi_functions::Function| Function {
        name: function.name.clone(),
        status: match function.status {
            Status::Supported => "supported",
            Status::Refused => "refused",
            Status::Absent => "absent",
        },
        standard: format!("MPI 5.0, {}", function.section),
        group: function.group,
    };
    standard.map(function).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of functions in MPI 5.0 (664) and in earlier editions, without those that exist in
    /// Fortran only.
    const FUNCTIONS: usize = 702;

    #[test]
    fn every_function_of_the_standard_is_listed() {
        assert_eq!(all().len(), FUNCTIONS);
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
