//! Exploration of the freedom that the standard leaves: `choice` is the one place that decides,
//! `deferred` holds wildcards back until every message that could match is there, `reluctance`
//! makes polls fail first.

pub(in crate::kernel) mod choice;
pub(in crate::kernel) mod deferred;
pub(in crate::kernel) mod reluctance;
