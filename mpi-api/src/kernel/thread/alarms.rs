//! [`Alarms`]: the timeouts of parked threads.

use std::collections::BTreeMap;

/// Alarms that have not gone off: rank and thread of each, by number.
#[derive(Default)]
pub(crate) struct Alarms {
    pub(super) set: BTreeMap<u32, (u32, u32)>,
    pub(super) next: u32,
}
