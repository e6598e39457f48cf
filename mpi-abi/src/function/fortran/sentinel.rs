//! Special variables whose address has a meaning, such as `MPI_BOTTOM` (MPI 2.5.4).
//!
//! They lie in one common block, of which every rank has its own copy; the loader knows its place.

use std::fmt::Write as _;

use guest::interface::FORTRAN_BLOCK;

/// Name and length of each array of integers in the block, in order.
const INTEGERS: [(&str, usize); 8] = [
    ("MPI_BOTTOM", 1),
    ("MPI_IN_PLACE", 1),
    ("MPI_BUFFER_AUTOMATIC", 1),
    ("MPI_UNWEIGHTED", 1),
    ("MPI_WEIGHTS_EMPTY", 1),
    ("MPI_ERRCODES_IGNORE", 1),
    ("MPI_STATUS_IGNORE", 8),
    ("MPI_STATUSES_IGNORE", 8),
];

/// Size of an integer in bytes.
const INTEGER: usize = 4;

/// Returns the value of the C constant if an address is that of a special variable. Only the first
/// address of a variable has a meaning.
pub(super) fn meaning(block: usize, address: usize) -> Option<usize> {
    let offset = address.checked_sub(block).filter(|_| block != 0)?;
    let integers: usize = INTEGERS.iter().map(|(_, length)| length).sum();
    // `MPI_ARGV_NULL` and `MPI_ARGVS_NULL`.
    if (0..2).any(|character| offset == integers * INTEGER + character) {
        return Some(0);
    }
    match offset / INTEGER {
        _ if !offset.is_multiple_of(INTEGER) => None,
        // `MPI_BOTTOM`, `MPI_ERRCODES_IGNORE`, and the two that ignore statuses.
        0 | 5 | 6 | 14 => Some(0),
        1 => Some(1),
        2 => Some(2),
        3 => Some(10),
        4 => Some(11),
        _ => None,
    }
}

/// Returns the address of a special Fortran variable for C; null in a program without Fortran.
pub(super) fn address_of(block: usize, wanted: &str) -> usize {
    let before = INTEGERS.iter().take_while(|(name, _)| *name != wanted);
    let offset = INTEGER * before.map(|(_, length)| length).sum::<usize>();
    if block == 0 { 0 } else { block + offset }
}

/// Returns the declarations of the variables; `status` is the type of a status, `one` and `many`
/// the dimensions of one and of an array of them.
pub(super) fn declarations(status: &str, one: &str, many: &str) -> String {
    let mut text = String::new();
    for (name, _) in INTEGERS {
        let declaration = match name {
            "MPI_STATUS_IGNORE" => format!("{status} {name}{one}"),
            "MPI_STATUSES_IGNORE" => format!("{status} {name}{many}"),
            "MPI_BOTTOM" | "MPI_IN_PLACE" => format!("INTEGER {name}"),
            _ => format!("INTEGER {name}(1)"),
        };
        let _ = writeln!(text, "      {declaration}");
    }
    for (name, dimension) in [("MPI_ARGV_NULL", "(1)"), ("MPI_ARGVS_NULL", "(1,1)")] {
        let _ = writeln!(text, "      CHARACTER*1 {name}{dimension}");
    }
    let block = FORTRAN_BLOCK.trim_end_matches('_');
    let names = INTEGERS.iter().map(|(name, _)| *name).chain(["MPI_ARGV_NULL", "MPI_ARGVS_NULL"]);
    for name in names {
        let _ = writeln!(text, "      COMMON /{block}/ {name}");
    }
    let _ = writeln!(text, "      SAVE /{block}/");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_is_as_long_as_the_library_says() {
        let integers: usize = INTEGERS.iter().map(|(_, length)| length).sum();
        assert!(integers * INTEGER + 2 <= guest::interface::FORTRAN_BLOCK_BYTES);
    }

    #[test]
    fn an_address_has_the_meaning_of_its_variable() {
        let at = |wanted: &str| address_of(0x7000, wanted);
        let meanings = INTEGERS.map(|(name, _)| meaning(0x7000, at(name)));
        assert_eq!(meanings, [0, 1, 2, 10, 11, 0, 0, 0].map(Some));
        assert_eq!(meaning(0x7000, at("MPI_STATUS_IGNORE") + 4), None);
        assert_eq!(meaning(0x7000, 0x6ffc), None);
        assert_eq!(meaning(0, 0), None);
    }
}
