//! Kinds of resources that ranks leave behind at finalize.

use serde::{Deserialize, Serialize};

use crate::text::{Text, interned};

/// A kind of resource that a rank leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Leak {
    /// A request that was not completed.
    Request,
    /// The request of the named call, freed before the call was known to be complete.
    Freed(#[serde(deserialize_with = "interned")] Text),
    /// An object that was not freed, by its name in messages, such as `datatype`.
    Object(#[serde(deserialize_with = "interned")] Text),
    /// An object that the program keeps in a static variable until it ends.
    Cached(#[serde(deserialize_with = "interned")] Text),
}
