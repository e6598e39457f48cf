//! The root of a collective over an intercommunicator.

use super::Rank;

/// The root argument of the calling process in a collective over an intercommunicator, if it is the
/// root. The others of its group pass [`PROC_NULL`](crate::api::PROC_NULL), the other group passes
/// the root's rank.
pub const ROOT: Rank = -4;
