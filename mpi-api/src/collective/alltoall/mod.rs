//! All-to-all: one block from every rank for every rank.

pub mod linear;
pub mod pairwise;
