//! [`ClockReads`]: what a rank has read from its clock.

use crate::reading::Reading;

/// The clock reads of a rank.
#[derive(Default)]
pub(super) struct ClockReads {
    pub(super) reading: Reading,
    /// Number of unsuccessful polls of the rank at the last read.
    pub(super) polls: u64,
}
