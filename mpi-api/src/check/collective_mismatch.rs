//! WT0005: ranks disagree on the collective operation.

use super::disagreement::{Side, between};
use crate::{
    call::{CollectiveKind, Form, Site},
    finding::{Code, Finding},
};

/// Returns the finding that two ranks split a communicator by different functions.
pub fn functions(me: Side, other: Side) -> Finding {
    between(me, other, Code::CollectiveMismatch)
        .note("all ranks of a communicator call the same functions (MPI 5.0, 7.4.2, 8.5)")
        .help("make all ranks call the same function")
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
