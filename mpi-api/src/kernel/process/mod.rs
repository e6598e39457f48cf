//! Ranks that begin and end during a run: `spawn` starts them, `port` lets groups of them meet,
//! `ending` ends them.

pub(in crate::kernel) mod ending;
pub(in crate::kernel) mod port;
pub(in crate::kernel) mod spawn;
