//! Loads programs and creates one image per rank in one process.
//!
//! A program is read once: its segments, its private libraries, the meaning of every relocation. An
//! image is then a slot of memory that shares code and constants with all other images and has its
//! own copy of everything writable. Executables and shared objects of C, C++ and Fortran are
//! treated alike; the only instructions that are rewritten are reads of the thread pointer
//! (`text`). Libraries that a rank opens while it runs (`plugin`) lie outside its image.

mod arena;
mod cell;
mod check;
mod contained;
mod contents;
mod elf;
pub(crate) mod enter;
mod entropy;
mod error;
mod exports;
mod guard;
mod image;
mod images;
mod layout;
mod library;
mod plan;
pub(crate) mod plugin;
pub(crate) mod program;
pub(crate) mod symbol;
mod text;
pub(crate) mod thread;

pub use arena::Text;
pub use error::LoadError;
pub use exports::Exports;
pub use image::Image;
pub use images::Images;
pub use program::Program;
