//! Tables of decisions: by the number of ranks, then by size.

use super::Algorithm;

/// Rows end below a number of ranks; each has entries that end below a number of bytes. The last
/// bound of each list is its type's largest value, which it includes.
pub(super) type Table = &'static [(u32, &'static [(u64, Algorithm)])];

/// No bound on ranks.
pub(super) const ANY: u32 = u32::MAX;
/// No bound on bytes.
pub(super) const REST: u64 = u64::MAX;
/// Kibibytes.
pub(super) const KIB: u64 = 1024;
/// Mebibytes.
pub(super) const MIB: u64 = 1024 * KIB;

/// The entry for so many ranks and bytes; `None` only if the table does not cover them.
pub(super) fn look_up(table: Table, ranks: u32, bytes: u64) -> Option<Algorithm> {
    let row = table.iter().find(|(below, _)| ranks < *below || *below == ANY)?;
    let entry = row.1.iter().find(|(below, _)| bytes < *below || *below == REST)?;
    Some(entry.1)
}
