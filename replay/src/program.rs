//! [`Recorded`]: a recording as a program.

use std::sync::Arc;

use mpi_api::run::{Body, RankScript};

use crate::{recording::Recording, script::RankReplay};

/// A recording as a program, for a run of as many ranks as it has.
pub struct Recorded(Shared);

/// A recording that several runs read.
#[derive(Clone)]
struct Shared(Arc<Recording>);

impl Recorded {
    /// Creates the program.
    pub fn new(recording: Recording) -> Self {
        Self(Shared(Arc::new(recording)))
    }

    /// Returns the recording.
    pub fn recording(&self) -> &Recording {
        &self.0.0
    }
}

impl Body for Recorded {
    fn rank(&self) {}

    fn script(&self, rank: u32) -> Option<RankScript> {
        Some(Box::new(RankReplay::new(Arc::clone(&self.0.0), rank)))
    }
}
