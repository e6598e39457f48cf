//! A topology and two network models of your own.

pub mod bus;
pub mod prism;
pub mod shared;
