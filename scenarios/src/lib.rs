//! What to run: programs, machines, and the safety check.
//!
//! Reading order: [`machine`], [`program`], [`options`] (what can be asked for), [`scenario`] (checked and
//! resolved), [`computing`] (how long programs compute), [`safety`].

pub mod computing;
pub mod error;
mod json;
pub mod machine;
mod occupancy;
pub mod options;
pub mod program;
pub mod safety;
pub mod scenario;
