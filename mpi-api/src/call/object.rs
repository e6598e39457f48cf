//! Objects that a rank makes and frees without other ranks.

use serde::{Deserialize, Serialize};

/// A call about derived datatypes, which the kernel knows by number for their cost and for leaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TypeCall {
    /// Records that a derived datatype was created; replies `Object`.
    Create,
    /// Records that a derived datatype was committed.
    Commit(u32),
    /// Records that a derived datatype was freed.
    Free(u32),
}
