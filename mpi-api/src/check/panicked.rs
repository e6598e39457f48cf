//! WT0018: a rank panicked, or its program ended itself because of a fault.

use crate::{
    call::Site,
    finding::{CallSite, Code, Finding},
    text::intern,
};

/// Returns the finding about the process `name` of a rank that panicked: at the place of the panic
/// if it is known, else at the last call if there is one.
pub fn of_rank(
    (name, rank): (&str, u32),
    message: &str,
    location: Option<(&str, u32)>,
    last: Option<CallSite>,
) -> Finding {
    let place = location.map(|(file, line)| {
        CallSite::new(rank, "panic", Some(Site::at(intern(file), line, 1)), message.into())
    });
    let text = format!("{name} panicked: {message}");
    Finding::error(Code::Panicked, text, vec![rank], place.or(last).into_iter().collect())
}

/// Label of an assertion.
pub const ASSERTION: &str = "this assertion";

/// Label of a throw.
pub const THROWN: &str = "thrown here";

/// Returns the finding about an assertion that does not hold on some ranks, `who`.
pub fn by_assertion(who: &str, condition: &str, ranks: &[u32], place: CallSite) -> Finding {
    let text = format!("{who}: the assertion `{condition}` does not hold");
    Finding::error(Code::Panicked, text, ranks.to_vec(), vec![place])
}

/// Returns the finding about an exception that was not caught.
pub fn by_exception(who: &str, what: &str, ranks: &[u32], place: Option<CallSite>) -> Finding {
    let text = format!("{who}: an exception was not caught: {what}");
    Finding::error(Code::Panicked, text, ranks.to_vec(), place.into_iter().collect())
}

/// Label of a call that a simulated rank cannot make.
pub const REFUSED: &str = "called here";

/// Returns the finding about programs that could not go on for a reason of the simulator, at the call that was the
/// reason if that is known.
pub fn refused((who, ranks): (&str, &[u32]), why: &str, place: Option<CallSite>) -> Finding {
    let text = format!("{who}: {why}");
    Finding::error(Code::Panicked, text, ranks.to_vec(), place.into_iter().collect())
}
