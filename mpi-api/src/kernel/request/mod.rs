//! Requests and the calls that wait for something.
//!
//! `table` is the request itself; `completion` says why a rank is blocked and ends that, `waiting` is
//! the wait and test families, `lifecycle` all else that programs do with requests; `cancel`, `pair`
//! (a send and a receive with one request), `partitioned`, `probe`, and `polling` for tests that fail.

pub(in crate::kernel) mod cancel;
pub(in crate::kernel) mod completion;
pub(in crate::kernel) mod lifecycle;
pub(in crate::kernel) mod pair;
pub(in crate::kernel) mod partitioned;
pub(in crate::kernel) mod polling;
pub(in crate::kernel) mod probe;
pub(in crate::kernel) mod table;
pub(in crate::kernel) mod waiting;
