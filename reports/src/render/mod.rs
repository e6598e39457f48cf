//! Renderings of the analyses: trace files, pictures, pages and terminal text.

mod difference;
pub mod html;
pub mod perfetto;
mod profile;
pub mod svg;
pub mod table;
pub mod text;
mod tuning;
mod what_if;

pub use difference::difference;
pub use profile::profile;
pub use tuning::tuning;
pub use what_if::what_if;
