//! Freedom that the standard leaves: `choice` is the one place that decides, `deferred` holds
//! wildcards back until everything that could match is there, `reluctance` has polls fail first.

pub(in crate::kernel) mod choice;
pub(in crate::kernel) mod deferred;
pub(in crate::kernel) mod reluctance;
