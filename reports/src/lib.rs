//! Analyses of a run and their renderings. Nothing in this crate simulates.
//!
//! Reading order: [`records`] and [`comparison`] (the inputs), [`analysis`] (the computed facts), [`render`] (text,
//! pictures, pages).
//!
//! Every function is a pure function of its arguments: equal inputs give equal bytes.

pub mod analysis;
pub mod comparison;
mod format;
pub mod records;
pub mod render;
#[cfg(test)]
mod tests;

pub use comparison::{Axis, Comparison, Detail, MachineNotes, Row, Setting, Skipped};
pub use records::Records;
