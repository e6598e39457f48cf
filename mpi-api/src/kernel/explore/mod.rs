//! Exploration of the freedom that the standard leaves. State: `choice` is the one place that decides,
//! `watch` keeps the wildcards that may have to be resolved in another order, `reluctance` the polls
//! that have failed once. Steps: `deferred` holds wildcards back until every message that could
//! match is there, `reluctant` makes polls fail first.

pub(in crate::kernel) mod choice;
pub(in crate::kernel) mod deferred;
pub(in crate::kernel) mod exploration;
pub(in crate::kernel) mod reluctance;
mod reluctant;
pub(in crate::kernel) mod watch;
