//! Barrier: nobody leaves before all have entered.

pub mod dissemination;
pub mod linear;
pub mod tree;
