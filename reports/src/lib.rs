//! What happened: analyses of a run and their renderings. Nothing here simulates.
//!
//! Reading order: [`comparison`] (the inputs), [`analysis`] (facts), [`render`] (pictures).
//!
//! Every function is a pure function of its arguments: equal inputs give equal bytes.

pub mod analysis;
pub mod comparison;
mod format;
pub mod render;
#[cfg(test)]
mod tests;

pub use comparison::{Comparison, Detail, MachineNotes, Row};
