//! Ranks that begin and end during a run: `spawn` starts them, `port` lets groups of them meet,
//! `ending` ends them, and
//! `exit` ends them early.

pub(in crate::kernel) mod ending;
pub(crate) mod exit;
pub(in crate::kernel) mod port;
pub(in crate::kernel) mod spawn;
