//! Ranks that begin and end during a run: `spawn`, meeting at a `port`, `ending`.

pub(in crate::kernel) mod ending;
pub(in crate::kernel) mod port;
pub(in crate::kernel) mod spawn;
