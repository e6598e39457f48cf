//! Attributes under the names that rsmpi has for them.

pub use super::topology::{AttributeKey, CommAttribute};

/// The traits of this module.
pub mod traits {
    pub use super::CommAttribute;
}
