//! Scenarios: programs, machines and options, and the safety check that runs them.
//!
//! Reading order: [`machine`], [`program`], [`options`] (as the user gives them), [`scenario`]
//! (checked and resolved), [`computing`] (computing times), [`safety`], [`calibration`] (machines from
//! measurements).

pub mod calibration;
pub mod computing;
pub mod error;
pub mod json;
pub mod machine;
mod networks;
pub mod options;
pub mod prices;
pub mod program;
pub mod safety;
pub mod scenario;
pub mod study;
pub mod traffic;
