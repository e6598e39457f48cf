//! Analyses of a run, computed from its result and its trace.

mod advice;
mod critical;
mod gain;
mod link;
mod matrix;
mod spread;
mod statistics;
mod summary;

pub use advice::advice;
pub use critical::{CriticalPath, Part, Segment};
pub use gain::Gain;
pub use link::{HottestLink, losses};
pub use matrix::CommunicationMatrix;
pub use spread::{Agreement, Spread, Winner, spreads, winners};
pub use statistics::{Repetitions, Statistics};
pub use summary::Summary;
