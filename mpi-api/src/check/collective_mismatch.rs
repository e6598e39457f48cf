//! WT0005: ranks disagree on the collective operation.

use super::disagreement::{Side, between};
use crate::{
    call::{CollectiveKind, Form, Site},
    finding::{CallSite, Code, Finding, ranks_text},
};

/// Returns the finding that two ranks split a communicator by different functions.
pub fn functions(me: Side, other: Side) -> Finding {
    between(me, other, Code::CollectiveMismatch)
        .note("all ranks of a communicator call the same functions (MPI 5.0, 7.4.2, 8.5)")
        .help("make all ranks call the same function")
}

/// Returns the label of a collective call that only some ranks make.
pub fn made_by(rank: u32) -> String {
    format!("rank {rank} calls it here")
}

/// Returns the finding that ranks never make a collective call in which nobody waits for them.
pub fn of_some_ranks(call: CallSite, missing: Vec<u32>) -> Finding {
    let take = if missing.len() > 1 { "take" } else { "takes" };
    let who = ranks_text(&missing);
    let message = format!("{} is collective, and {who} {take} no part in it", call.call);
    let ranks = std::iter::once(call.rank).chain(missing).collect();
    Finding::error(Code::CollectiveMismatch, message, ranks, vec![call])
        .note(
            "all ranks make a collective call, also one that need not wait for the others (MPI 5.0, 6.13, 7.4.4, \
             12.2.7)",
        )
        .help("make all ranks call it")
}

/// Returns the text for a collective and whether it is blocking, nonblocking or persistent, by its
/// `manner` in words.
pub fn in_manner(site: Site, manner: &str, call: &str) -> String {
    site.call().map_or_else(|| format!("{manner} {call}"), Into::into)
}

/// Returns the text for a collective and which of its functions is called.
pub fn in_form(site: Site, (kind, call): (CollectiveKind, &str), form: Form) -> String {
    let blocks = match form {
        Form::Plain if kind == CollectiveKind::ReduceScatter => "blocks of any length",
        Form::Plain | Form::Block => "equal blocks",
        Form::Vector => "blocks of any length",
        Form::General => "blocks of any type",
    };
    site.call().map_or_else(|| format!("{call} of {blocks}"), Into::into)
}
