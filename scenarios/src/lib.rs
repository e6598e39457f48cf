//! What to run: programs, machines, and the safety check.
//!
//! Reading order: [`machine`], [`program`], [`conformance`] (programs of the documents), [`file`](mod@file) (a scenario as written), [`scenario`]
//! (checked and resolved), [`computing`] (how long programs compute), [`safety`].

pub mod computing;
pub mod conformance;
pub mod error;
pub mod file;
mod json;
pub mod machine;
pub mod program;
pub mod safety;
pub mod scenario;
