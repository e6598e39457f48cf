//! Libraries and message contexts (Walker, The design of a standard message passing interface, Parallel Computing 20).

use super::Row;

pub(super) fn rows() -> Vec<Row> {
    Vec::new()
}
