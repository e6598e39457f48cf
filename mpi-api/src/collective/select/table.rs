//! Decision tables: by the number of ranks, then by size.

use super::Algorithm;

/// A decision table. Each row applies below a number of ranks; each of its entries applies below a
/// number of bytes. The last bound of each list is the largest value of its type, which it
/// includes.
pub(super) type Table = &'static [(u32, &'static [(u64, Algorithm)])];

/// The bound of a row for any number of ranks.
pub(super) const ANY: u32 = u32::MAX;
/// The bound of an entry for any number of bytes.
pub(super) const REST: u64 = u64::MAX;
/// Bytes of a kibibyte.
pub(super) const KIB: u64 = 1024;
/// Bytes of a mebibyte.
pub(super) const MIB: u64 = 1024 * KIB;

/// Returns the entry for a number of ranks and bytes; `None` only if the table does not cover them.
pub(super) fn look_up(table: Table, ranks: u32, bytes: u64) -> Option<Algorithm> {
    let row = table.iter().find(|(below, _)| ranks < *below || *below == ANY)?;
    let entry = row.1.iter().find(|(below, _)| bytes < *below || *below == REST)?;
    Some(entry.1)
}
