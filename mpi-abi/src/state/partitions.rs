//! The data of a partitioned operation (MPI chapter 4).

use std::cell::RefCell;

use crate::function::{owned::Owned, transfer::Part};

/// The partitions on one side of a partitioned operation.
pub(crate) struct Partitions {
    /// The whole buffer.
    pub(crate) whole: Part,
    /// Number of elements in one partition.
    pub(crate) count: i64,
    pub(crate) sends: bool,
    /// Whether each partition was declared ready, or returned to the program, since the request was
    /// started.
    pub(crate) done: RefCell<Vec<bool>>,
    /// Ownership of each partition: sent ones that were declared ready, received ones that have not
    /// arrived.
    pub(crate) owned: RefCell<Vec<Option<Owned>>>,
}
