//! What to run: programs, machines, and the safety check.
//!
//! Reading order: [`machine`], [`program`], [`scenario`] (checked and resolved), [`safety`].

pub mod error;
pub mod machine;
pub mod program;
pub mod safety;
pub mod scenario;
