//! Two ways to get the same result: identities that the documents state, each with one program.
//! Tests also check them on random programs and arguments (tests/it/equivalences).

mod communication;
mod communicators;
mod datatypes;

use super::Row;

pub(super) fn rows() -> Vec<Row> {
    let parts = [datatypes::rows(), communication::rows(), communicators::rows()];
    parts.into_iter().flatten().collect()
}

fn row(
    id: &'static str,
    source: &'static str,
    shows: &'static str,
    ranks: &'static [u32],
    body: fn(),
) -> Row {
    let reason = "both ways mean the same by definition";
    Row::safe(id, source, shows, ranks, reason, body)
}
