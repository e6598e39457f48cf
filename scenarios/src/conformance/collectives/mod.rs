//! Collective communication (MPI: The Complete Reference, chapter 4).

mod gather;
mod gather_parts;
mod location;
mod order;
mod reduce;
mod scatter;
mod user_operation;

use super::{Case, Expect, Row};

pub(super) fn rows() -> Vec<Row> {
    let parts = [
        gather::rows(),
        gather_parts::rows(),
        scatter::rows(),
        reduce::rows(),
        location::rows(),
        user_operation::rows(),
        order::rows(),
    ];
    parts.into_iter().flatten().collect()
}

/// A row with one safe program.
fn safe(
    id: &'static str,
    source: &'static str,
    shows: &'static str,
    reason: &'static str,
    body: fn(),
) -> Row {
    Row::new(id, source, shows, vec![Case::new(&[1, 2, 4], |_| Expect::safe(), reason, body)])
}
