//! Exploration of the freedom that the standard leaves. State: `choice` is the one place that decides,
//! with `sampler` where choices are drawn for a sample of all orders, `receives` the receives that could take a
//! message, `watch` the wildcards that may have to be resolved in another order, `past` what was resolved and what
//! depends on it, `waits` the ends of senders' waits, `asleep` what other executions try, `passed` what was passed
//! over, `reluctance` the polls that have failed once. Steps: `deferred` holds wildcards back until every message that could
//! match is there, `release` buffers the messages of a sender that waits, `reluctant` makes polls fail first.

mod asleep;
pub(in crate::kernel) mod choice;
pub(in crate::kernel) mod deferred;
pub(in crate::kernel) mod exploration;
mod passed;
mod past;
mod receives;
mod release;
pub(in crate::kernel) mod reluctance;
mod reluctant;
mod sampler;
pub(in crate::kernel) mod waits;
pub(in crate::kernel) mod watch;
