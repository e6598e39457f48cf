//! A topology and two network models of one's own.

pub mod bus;
pub mod prism;
pub mod shared;
