//! The attribute interface under rsmpi's module path.

pub use super::topology::{AttributeKey, CommAttribute};

/// The traits of this module.
pub mod traits {
    pub use super::CommAttribute;
}
