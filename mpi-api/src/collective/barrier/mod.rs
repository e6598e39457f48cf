//! Barrier: no rank leaves before all have entered.

pub mod dissemination;
pub mod double_ring;
pub mod linear;
pub mod tree;
