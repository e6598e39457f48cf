//! Generates `mpif.h`: constants and special variables, valid in fixed and free form.

use std::{collections::BTreeMap, fmt::Write as _};

use super::{own, sentinel};
use crate::header::HEADER;

/// Constants that only Fortran has: indices of a status and kinds of integers.
const OWN: [(&str, i64); 8] = [
    ("MPI_STATUS_SIZE", 8),
    ("MPI_SOURCE", 1),
    ("MPI_TAG", 2),
    ("MPI_ERROR", 3),
    ("MPI_INTEGER_KIND", 4),
    ("MPI_ADDRESS_KIND", 8),
    ("MPI_COUNT_KIND", 8),
    ("MPI_OFFSET_KIND", 8),
];

/// The type of a Fortran constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A default integer.
    Integer,
    /// An integer of kind `MPI_OFFSET_KIND`.
    Offset,
    /// A handle of this C type.
    Handle(&'static str),
}

/// A constant with its value and type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Constant {
    pub(super) value: i64,
    pub(super) kind: Kind,
}

impl Constant {
    /// Returns its declaration as an integer.
    pub(super) fn declaration(self, name: &str) -> String {
        let kind = if self.kind == Kind::Offset { "(KIND=8)" } else { "" };
        format!("      INTEGER{kind} {name}\n      PARAMETER ({name}={})\n", self.value)
    }
}

/// Parses a number in C, optionally cast to a handle type; `None` for an address.
fn constant(text: &'static str) -> Option<Constant> {
    let (kind, text) = match text.strip_prefix("((").and_then(|rest| rest.split_once(')')) {
        Some((kind, _)) if kind.contains('*') => return None,
        Some(("MPI_Offset", number)) => (Kind::Offset, number.strip_suffix(')')?),
        Some((kind, number)) => (Kind::Handle(kind), number.strip_suffix(')')?),
        None => (Kind::Integer, text.trim_start_matches('(').trim_end_matches(')')),
    };
    let value = match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    };
    Some(Constant { value: value?, kind })
}

/// Returns the name and value that a line of `mpi.h` defines, if it defines a constant.
fn definition(line: &'static str) -> Option<(&'static str, &'static str)> {
    let (name, value) = line.strip_prefix("#define ")?.split_once(' ')?;
    name.starts_with("MPI_").then_some((name, value.trim()))
}

/// Returns every constant, by name. The maximum lengths of strings are one smaller than in C, which
/// needs room for the terminating zero (MPI 2.6.2).
pub(super) fn constants() -> BTreeMap<&'static str, Constant> {
    let own = OWN.map(|(name, value)| (name, Constant { value, kind: Kind::Integer }));
    let mut list: BTreeMap<&str, Constant> = own.into_iter().collect();
    for line in HEADER.lines() {
        let Some((name, text)) = definition(line) else { continue };
        // The tools interface has no Fortran binding.
        if name.starts_with("MPI_T_") {
            continue;
        }
        let found = constant(text).or_else(|| list.get(text).copied());
        let Some(mut found) = found else { continue };
        if name.starts_with("MPI_MAX_") {
            found.value -= 1;
        }
        list.insert(name, found);
    }
    list
}

/// Returns the declarations that all modules share. `sections` says whether buffers may be sections
/// of arrays, also where MPI keeps them (MPI 19.1.12), which protects these from the compiler's
/// optimisations if they are asynchronous (19.1.17).
pub(super) fn common(sections: bool) -> String {
    let mut text = String::new();
    for name in ["MPI_SUBARRAYS_SUPPORTED", "MPI_ASYNC_PROTECTS_NONBLOCKING"] {
        let value = if sections { ".TRUE." } else { ".FALSE." };
        let _ = writeln!(text, "      LOGICAL {name}\n      PARAMETER ({name}={value})");
    }
    for name in own::NAMED {
        let _ = writeln!(text, "      EXTERNAL {name}");
    }
    text
}

/// Returns the constants and special variables of `mpif.h` and of the module `mpi`.
pub(super) fn values() -> String {
    let mut text = String::from(
        "! The MPI of windtunnel for Fortran: constants of the standard ABI of MPI 5.0.\n",
    );
    constants().iter().for_each(|(name, found)| text.push_str(&found.declaration(name)));
    text.push_str(&sentinel::declarations("INTEGER", "(8)", "(8,1)"));
    text.push_str(&common(false));
    text
}

/// Returns the text of `mpif.h`.
pub fn text() -> String {
    let mut text = values();
    for name in ["MPI_WTIME", "MPI_WTICK", "PMPI_WTIME", "PMPI_WTICK"] {
        let _ = writeln!(text, "      DOUBLE PRECISION {name}\n      EXTERNAL {name}");
    }
    for name in ["MPI_AINT_ADD", "MPI_AINT_DIFF", "PMPI_AINT_ADD", "PMPI_AINT_DIFF"] {
        let _ = writeln!(text, "      INTEGER(KIND=8) {name}\n      EXTERNAL {name}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_those_of_c() {
        let list = constants();
        let known = [
            ("MPI_COMM_WORLD", 0x101),
            ("MPI_INTEGER", 0x219),
            ("MPI_LONG_LONG_INT", 0x20b),
            ("MPI_ANY_SOURCE", -1),
            ("MPI_TAG_UB", 501),
            ("MPI_ERR_LASTCODE", 0x3fff),
            ("MPI_MAX_PROCESSOR_NAME", 255),
            ("MPI_UB", 0xff1),
        ];
        for (name, value) in known {
            assert_eq!(list.get(name).map(|found| found.value), Some(value), "{name}");
        }
        assert_eq!(list["MPI_COMM_WORLD"].kind, Kind::Handle("MPI_Comm"));
        assert_eq!(list["MPI_ANY_TAG"].kind, Kind::Integer);
        assert_eq!(list["MPI_DISPLACEMENT_CURRENT"].kind, Kind::Offset);
        for name in ["MPI_BOTTOM", "MPI_COMM_DUP_FN", "MPI_STATUS_IGNORE"] {
            assert!(!list.contains_key(name), "{name} is no constant of Fortran");
        }
    }

    #[test]
    fn lines_fit_fixed_form() {
        for line in text().lines() {
            let comment = line.starts_with('!');
            assert!(comment || line.len() <= 72 && line.starts_with("      "), "{line}");
        }
    }
}
