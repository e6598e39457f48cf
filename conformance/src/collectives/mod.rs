//! Collective communication (MPI: The Complete Reference, chapter 4).

mod gather;
mod gather_parts;
mod location;
mod order;
mod reduce;
mod scatter;
mod user_operation;

use super::Row;

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
