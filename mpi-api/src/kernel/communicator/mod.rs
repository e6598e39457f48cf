//! Communicators: `table` finds them by number, `peer` checks the ranks that calls name, `reorder`
//! numbers the ranks of new topologies.

pub(in crate::kernel) mod peer;
pub(in crate::kernel) mod reorder;
pub(in crate::kernel) mod table;
