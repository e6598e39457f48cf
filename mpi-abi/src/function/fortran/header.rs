//! `mpif.h`: constants and special variables, for fixed and free form alike.

use std::{collections::BTreeMap, fmt::Write as _};

use super::{own, sentinel};
use crate::{launch::HEADER, loader::FORTRAN_BLOCK};

/// Constants that only Fortran has: places in a status and kinds of integers.
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

/// A number as C writes it, perhaps behind the type of a handle, but not an address.
fn number(text: &str) -> Option<i64> {
    let text = match text.strip_prefix("((MPI_") {
        Some(handle) => match handle.split_once(')')? {
            (kind, _) if kind.contains('*') => return None,
            (_, number) => number.strip_suffix(')')?,
        },
        None => text,
    };
    match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// Name and value of a line of `mpi.h` that defines a constant: a macro or an enumerator.
fn definition(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let (name, value) = match line.strip_prefix("#define ") {
        Some(rest) => rest.split_once(' ')?,
        None => line.trim_end_matches(',').split_once(" = ")?,
    };
    name.starts_with("MPI_").then_some((name, value.trim()))
}

/// Every constant, by name. A longest text is one shorter than in C, where a zero ends it
/// (MPI 2.6.2).
fn constants() -> BTreeMap<&'static str, i64> {
    let mut list: BTreeMap<&str, i64> = OWN.into_iter().collect();
    for line in HEADER.lines() {
        let Some((name, text)) = definition(line) else { continue };
        // The tools interface is not for Fortran.
        if name.starts_with("MPI_T_") {
            continue;
        }
        let Some(value) = number(text).or_else(|| list.get(text).copied()) else { continue };
        let text_length = name.starts_with("MPI_MAX_");
        list.insert(name, if text_length { value - 1 } else { value });
    }
    list
}

/// The text of `mpif.h`.
pub fn text() -> String {
    let mut text = String::from(
        "! The MPI of windtunnel for Fortran: constants of the standard ABI of MPI 5.0.\n",
    );
    for (name, value) in constants() {
        let _ = writeln!(text, "      INTEGER {name}\n      PARAMETER ({name}={value})");
    }
    for name in ["MPI_SUBARRAYS_SUPPORTED", "MPI_ASYNC_PROTECTS_NONBLOCKING"] {
        let _ = writeln!(text, "      LOGICAL {name}\n      PARAMETER ({name}=.FALSE.)");
    }
    text.push_str(&sentinel::declarations(FORTRAN_BLOCK.trim_end_matches('_')));
    for name in ["MPI_WTIME", "MPI_WTICK"] {
        for name in [name.to_string(), format!("P{name}")] {
            let _ = writeln!(text, "      DOUBLE PRECISION {name}\n      EXTERNAL {name}");
        }
    }
    for name in ["MPI_AINT_ADD", "MPI_AINT_DIFF"] {
        for name in [name.to_string(), format!("P{name}")] {
            let _ = writeln!(text, "      INTEGER(KIND=8) {name}\n      EXTERNAL {name}");
        }
    }
    for name in own::NAMED {
        let _ = writeln!(text, "      EXTERNAL {name}");
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
            assert_eq!(list.get(name), Some(&value), "{name}");
        }
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
