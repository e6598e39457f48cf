//! Decides whether a read really uses what it touches.
//!
//! Functions on strings read whole aligned blocks around a string. Such a read may begin in memory
//! that an operation owns, next to the string, although the program does not read that memory. Other
//! functions of libraries read what they are given. The simulator's own code may look at more. Vectorised code of programs
//! loads elements between those that it uses.

use std::{ops::Range, sync::OnceLock};

use super::{Piece, own_code};
use crate::loader::symbol::host_symbol;

/// Functions that read exactly the bytes they are asked for.
const EXACT: [&str; 4] = ["memcpy", "memmove", "mempcpy", "memccpy"];
/// Functions that read whole blocks; their code lies between that of the others.
const IN_BLOCKS: [&str; 41] = [
    "strlen",
    "strnlen",
    "strchr",
    "strchrnul",
    "strrchr",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "strcasecmp_l",
    "strncasecmp_l",
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
    "__memcmpeq",
    "bcmp",
    "memset",
    "wcscpy",
    "wcscat",
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
const EXACT_CODE_MAX: usize = 0x1000;
/// Upper bound for the code size of a function in `IN_BLOCKS`, in bytes, and of those that lie between them.
const BLOCKS_CODE_MAX: usize = 0x4000;
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
/// `piece`; `arguments` are the registers of the first two arguments of its function.
pub(super) fn means(
    (instruction, arguments): (usize, [usize; 2]),
    address: usize,
    piece: &Piece,
) -> bool {
    let code = CODE.get().map_or(&[][..], Vec::as_slice);
    let before = code.partition_point(|(start, _)| *start <= instruction);
    let within = before.checked_sub(1).map(|at| code[at]);
    let is_exact = match within {
        Some((start, true)) if instruction - start < EXACT_CODE_MAX => true,
        Some((start, _)) if instruction - start < BLOCKS_CODE_MAX => false,
        _ => !own_code().contains(&instruction),
    };
    // The first byte of a string is always read.
    let is_first = arguments.contains(&address);
    let block = address & !(BLOCK - 1);
    // Who owns each byte of a piece whose accesses are listed is not known here.
    let is_inside = !piece.listed && piece.start <= block && block + BLOCK <= piece.end;
    is_exact || is_first || is_inside
}

/// Within this many bytes of a piece lies another one of the same operation, if that owns every few elements.
const PATTERN: usize = 64;

/// Reports whether a load of these bytes, which begins in a piece, is certain to use it. Code that compilers have vectorised
/// loads whole vectors of memory in which an operation owns every few elements, and drops those.
pub(super) fn uses_all<'a>(
    pieces: impl Iterator<Item = &'a Piece> + Clone,
    piece: &Piece,
    load: &Range<usize>,
) -> bool {
    if piece.end >= load.end {
        return true;
    }
    let near = load.start.saturating_sub(PATTERN)..load.end + PATTERN;
    let beside = pieces.filter(|other| {
        (other.call, other.site) == (piece.call, piece.site)
            && other.start < near.end
            && near.start < other.end
    });
    let inside =
        |other: &Piece| other.end.min(load.end).saturating_sub(other.start.max(load.start));
    beside.clone().count() == 1 || beside.map(inside).sum::<usize>() == load.len()
}

#[cfg(test)]
mod tests {
    use sim_core::Site;

    use super::{super::Claimed, *};

    fn piece(start: usize, end: usize) -> Piece {
        Piece {
            start,
            end,
            claimed: Claimed::Exclusive,
            call: "",
            site: Site::NOWHERE,
            listed: false,
        }
    }

    #[test]
    fn a_vector_that_holds_elements_of_others_may_drop_some() {
        let every_third: Vec<Piece> = (0..8).map(|at| piece(12 * at, 12 * at + 4)).collect();
        let uses = |pieces: &[Piece], load| uses_all(pieces.iter(), &pieces[1], &load);
        assert!(!uses(&every_third, 12..28) && uses(&every_third, 12..16));
        let pair: Vec<Piece> = vec![piece(0, 12), piece(12, 16), piece(16, 28)];
        assert!(uses(&pair, 12..28));
        let far: Vec<Piece> = vec![piece(1000, 1004), piece(12, 16)];
        assert!(uses(&far, 12..28));
    }

    #[test]
    fn a_copy_means_every_byte_and_a_string_function_whole_blocks() {
        prepare();
        let address = |name| host_symbol(name).expect("the C library has it");
        let (copies, searches) = (address("memcpy") + 8, address("strlen") + 8);
        let none = [0; 2];
        assert!(means((copies, none), 100, &piece(100, 104)));
        assert!(!means((searches, none), 100, &piece(100, 104)));
        assert!(means((searches, [100, 0]), 100, &piece(100, 104)));
        assert!(means((searches, none), 128, &piece(128, 192)));
        assert!(!means((searches, none), 128, &piece(128, 191)));
        let elsewhere = (address("strtol") + 8, none);
        assert!(means(elsewhere, 100, &piece(100, 104)));
        let listed = Piece { listed: true, ..piece(128, 192) };
        assert!(!means((searches, none), 128, &listed) && means((copies, none), 128, &listed));
        let own = (prepare as *const () as usize, none);
        assert!(!means(own, 100, &piece(100, 104)));
    }
}
