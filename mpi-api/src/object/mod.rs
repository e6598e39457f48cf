//! MPI objects as pure values, without time or a kernel.

pub mod blueprint;
pub mod cart;
pub mod datatype;
pub mod graph;
pub mod group;
pub mod hints;
pub mod info;
pub mod op;
pub mod primitive;
pub mod representation;
pub mod signature;
pub mod status;
pub mod view;
