//! Renderings of the analyses: trace files, pictures, pages and terminal text.

pub mod html;
pub mod perfetto;
mod profile;
pub mod svg;
pub mod table;
pub mod text;

pub use profile::profile;
