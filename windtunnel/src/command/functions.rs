//! The command `windtunnel list functions`: every MPI function, whether it is supported, and the
//! section of the standard that defines it. Programs link with all of them: a refused function
//! returns an error, and an absent one ends the run with a finding.

use mpi_functions::{History, Standing, Status, functions, history};
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
    /// The edition of the standard that added it.
    pub(super) added: &'static str,
    /// The edition that deprecated it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) deprecated: Option<&'static str>,
    /// The edition that removed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) removed: Option<&'static str>,
    /// Whether it is deprecated in the edition that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) deprecated_there: Option<bool>,
}

impl Function {
    fn new(
        function: &mpi_functions::Function,
        history: History,
        standing: Option<Standing>,
    ) -> Self {
        Self {
            name: function.name.clone(),
            status: match function.status {
                Status::Supported => "supported",
                Status::Refused => "refused",
                Status::Absent => "absent",
            },
            standard: format!("MPI 5.0, {}", function.section),
            group: function.group,
            added: history.added,
            deprecated: history.deprecated,
            removed: history.removed,
            deprecated_there: standing.map(|standing| standing == Standing::Deprecated),
        }
    }

    /// Returns in which editions its standing changed.
    pub(super) fn changes(&self) -> String {
        let mut text = format!("since {}", self.added);
        for (what, edition) in [("deprecated", self.deprecated), ("removed", self.removed)] {
            if let Some(edition) = edition {
                text.push_str(&format!(", {what} in {edition}"));
            }
        }
        text
    }
}

/// Returns the functions of an edition of the standard, or of all editions, ordered by name.
pub(super) fn of(edition: Option<&str>) -> Vec<Function> {
    // Those without a history are our own.
    let function = |function: &mpi_functions::Function| {
        let history = history(&function.name)?;
        let standing = match edition {
            Some(edition) => Some(history.standing(edition)?),
            None => None,
        };
        Some(Function::new(function, history, standing))
    };
    functions().iter().filter_map(function).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of functions in MPI 5.0 (664) and in earlier editions, without those that exist in
    /// Fortran only.
    const FUNCTIONS: usize = 702;

    #[test]
    fn every_function_of_the_standard_is_listed() {
        assert_eq!(of(None).len(), FUNCTIONS);
    }

    #[test]
    fn an_edition_has_its_own_functions() {
        let has = |edition, name: &str| {
            let all = of(Some(edition));
            all.into_iter().find(|row| row.name == name).map(|row| row.deprecated_there)
        };
        assert_eq!(has("2.2", "MPI_Type_hvector"), Some(Some(true)));
        assert_eq!(has("2.2", "MPI_Type_create_hvector"), Some(Some(false)));
        assert_eq!(has("3.1", "MPI_Type_hvector"), None);
        assert_eq!(has("3.1", "MPI_Send_c"), None);
        let row = of(None).into_iter().find(|row| row.name == "MPI_Type_hvector");
        let changes = row.expect("it is listed").changes();
        assert_eq!(changes, "since 1.0, deprecated in 2.0, removed in 3.0");
    }

    #[test]
    fn every_function_of_the_textbooks_is_supported() {
        let functions = of(None);
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
