//! Renderings of the analyses: trace files, pictures, pages and terminal text.

pub mod html;
pub mod perfetto;
pub mod svg;
pub mod table;
pub mod text;
