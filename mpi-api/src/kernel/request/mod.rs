//! Requests and the calls that wait for them.
//!
//! `table` holds the requests; `completion` says why a rank is blocked and unblocks it, `waiting`
//! has the wait and test families, `lifecycle` all other calls on requests; `cancel`, `pair` (a
//! send and a receive with one request), `partitioned`, `probe`, and `polling` for tests that fail.

pub(in crate::kernel) mod cancel;
pub(in crate::kernel) mod completion;
pub(in crate::kernel) mod lifecycle;
pub(in crate::kernel) mod pair;
pub(in crate::kernel) mod partitioned;
pub(in crate::kernel) mod polling;
pub(in crate::kernel) mod probe;
pub(in crate::kernel) mod table;
pub(in crate::kernel) mod waiting;
