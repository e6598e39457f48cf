//! The status of a completed receive (MPI section 3.2.5).

use serde::{Deserialize, Serialize};

use super::primitive::Primitive;

/// The result of a receive or probe. Those of one message are equal.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Status {
    /// Rank of the sender; `None` for the null process, for sends and for empty statuses.
    pub source: Option<u32>,
    /// Tag of the message; `None` is `MPI_ANY_TAG`, as in empty statuses.
    pub tag: Option<i32>,
    /// Size of the message in bytes.
    pub bytes: u64,
    /// Whether the operation was cancelled.
    pub cancelled: bool,
    /// Whether the message was received from the null process.
    pub from_null: bool,
    /// Basic type of the message that a probe has found, if it has only one.
    pub found: Option<Primitive>,
}

impl PartialEq for Status {
    fn eq(&self, other: &Self) -> bool {
        let Self { source, tag, bytes, cancelled, from_null, found: _ } = self;
        (source, tag, bytes, cancelled, from_null)
            == (&other.source, &other.tag, &other.bytes, &other.cancelled, &other.from_null)
    }
}

impl Eq for Status {}

impl Status {
    /// Creates the status of a received message.
    pub fn message(source: u32, tag: i32, bytes: u64) -> Self {
        Self { source: Some(source), tag: Some(tag), bytes, ..Self::empty() }
    }

    /// Creates the empty status, for sends and for requests that are null or inactive.
    pub fn empty() -> Self {
        Self { source: None, tag: None, bytes: 0, cancelled: false, from_null: false, found: None }
    }

    /// Creates the status of a receive from the null process.
    pub fn null_process() -> Self {
        Self { from_null: true, ..Self::empty() }
    }
}
