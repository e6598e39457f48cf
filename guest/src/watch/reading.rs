//! Decides whether a read by library code really uses the first byte it touches.
//!
//! Functions on strings read whole aligned blocks around a string. Such a read may begin in memory
//! that an operation owns, next to the string, although the program does not read that memory.

use std::sync::OnceLock;

use super::Piece;
use crate::loader::symbol::host_symbol;

/// Functions that read exactly the bytes they are asked for.
const EXACT: [&str; 4] = ["memcpy", "memmove", "mempcpy", "memccpy"];
/// Functions that read whole blocks; their code lies between that of the others.
const IN_BLOCKS: [&str; 36] = [
    "strlen",
    "strnlen",
    "strchr",
    "strchrnul",
    "strrchr",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "strcpy",
    "strncpy",
    "stpcpy",
    "stpncpy",
    "strcat",
    "strncat",
    "strspn",
    "strcspn",
    "strpbrk",
    "strstr",
    "strcasestr",
    "memchr",
    "memrchr",
    "rawmemchr",
    "memcmp",
    "bcmp",
    "memset",
    "wcslen",
    "wcsnlen",
    "wcschr",
    "wcsrchr",
    "wcscmp",
    "wcsncmp",
    "wmemchr",
    "wmemcmp",
    "wmemset",
    "memmem",
];
/// Upper bound for the code size of a function in `EXACT`, in bytes.
const CODE_MAX: usize = 0x1000;
/// The largest block that is read at once, bytes.
const BLOCK: usize = 64;

/// Start addresses of the functions above, in ascending order, and whether each is exact.
static CODE: OnceLock<Vec<(usize, bool)>> = OnceLock::new();

/// Looks up the functions in advance, because a signal handler cannot.
pub(super) fn prepare() {
    CODE.get_or_init(|| {
        let exact = EXACT.iter().map(|name| (name, true));
        let all = exact.chain(IN_BLOCKS.iter().map(|name| (name, false)));
        let mut code: Vec<_> =
            all.filter_map(|(name, exact)| Some((host_symbol(name)?, exact))).collect();
        code.sort_unstable();
        code
    });
}

/// Reports whether library code at `instruction` that reads from `address` really uses memory of
/// `piece`.
pub(super) fn means(instruction: usize, address: usize, piece: &Piece) -> bool {
    let code = CODE.get().map_or(&[][..], Vec::as_slice);
    let before = code.partition_point(|(start, _)| *start <= instruction);
    let within = before.checked_sub(1).map(|at| code[at]);
    let exact = within.is_some_and(|(start, exact)| exact && instruction - start < CODE_MAX);
    let block = address & !(BLOCK - 1);
    exact || (piece.start <= block && block + BLOCK <= piece.end)
}

#[cfg(test)]
mod tests {
    use sim_core::Site;

    use super::*;

    fn piece(start: usize, end: usize) -> Piece {
        Piece { start, end, writes: true, call: "", site: Site::NOWHERE, listed: false }
    }

    #[test]
    fn a_copy_means_every_byte_and_a_string_function_whole_blocks() {
        prepare();
        let address = |name| host_symbol(name).expect("the C library has it");
        let (copies, searches) = (address("memcpy") + 8, address("strlen") + 8);
        assert!(means(copies, 100, &piece(100, 104)));
        assert!(!means(searches, 100, &piece(100, 104)));
        assert!(means(searches, 128, &piece(128, 192)));
        assert!(!means(searches, 128, &piece(128, 191)));
    }
}
