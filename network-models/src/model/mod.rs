//! Cost models, one file each.

mod constant;
mod link;
mod loggp;

pub use constant::Constant;
pub use link::{LinkParameters, Links, Recording, Switching};
pub use loggp::{LogGp, LogGpParameters};
