//! Recordings in files.

use std::{fs, io, path::Path};

use sim_core::Digest;
use thiserror::Error;

use crate::{
    recording::Recording,
    step::{Outcome, Step},
};

/// The first bytes of a file with a recording: name and version of the format.
pub const MAGIC: &[u8] = b"windtunnel.recording/1\n";

/// A file that is not a recording.
#[derive(Debug, Error)]
pub enum FileError {
    /// The file cannot be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file begins with something else.
    #[error("it is no recording: it does not begin with `windtunnel.recording/1`")]
    Unknown,
    /// A part of the file is missing or damaged.
    #[error("it is damaged: {0}")]
    Damaged(String),
}

impl Recording {
    /// Returns the contents of a file with the recording.
    pub fn to_bytes(&self) -> Vec<u8> {
        let bytes = postcard::to_extend(self, MAGIC.to_vec()).expect("a recording is plain data");
        let sum = checksum(&bytes[MAGIC.len()..]);
        [bytes, sum.to_le_bytes().to_vec()].concat()
    }

    /// Reads a recording from the contents of a file.
    ///
    /// # Errors
    /// Returns an error if they are no recording, or a damaged one.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(FileError::Unknown)?;
        let missing = || FileError::Damaged("its end is missing".into());
        let (rest, sum) = rest.split_last_chunk().ok_or_else(missing)?;
        if checksum(rest) != u64::from_le_bytes(*sum) {
            return Err(FileError::Damaged("its checksum is wrong, or its end is missing".into()));
        }
        let damaged = |error: postcard::Error| FileError::Damaged(error.to_string());
        let recording: Self = postcard::from_bytes(rest).map_err(damaged)?;
        recording.check()?;
        Ok(recording)
    }

    /// Reads a recording from a file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is no recording.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        Self::from_bytes(&fs::read(path)?)
    }

    /// Checks every step, so that a replay can rely on it.
    fn check(&self) -> Result<(), FileError> {
        for (rank, calls) in self.ranks.iter().enumerate() {
            let mut rest = &calls.steps[..];
            let mut count = 0;
            while !rest.is_empty() {
                let wrong =
                    |what: String| FileError::Damaged(format!("rank {rank}, call {count}: {what}"));
                let (step, after) = postcard::take_from_bytes::<Step>(rest)
                    .map_err(|error| wrong(error.to_string()))?;
                if step.site as usize >= self.sites.len() {
                    return Err(wrong("its place is missing".into()));
                }
                if let Some(reason) = unusable(&step) {
                    return Err(wrong(reason.into()));
                }
                rest = after;
                count += 1;
            }
            if count != calls.count {
                return Err(FileError::Damaged(format!(
                    "rank {rank} has {count} calls instead of {}",
                    calls.count
                )));
            }
        }
        Ok(())
    }
}

fn checksum(bytes: &[u8]) -> u64 {
    let mut digest = Digest::new();
    digest.mix_bytes(bytes);
    digest.value()
}

/// Returns why a step cannot be replayed.
fn unusable(step: &Step) -> Option<&'static str> {
    use mpi_api::call::{Operation, RequestCall};
    if crate::strip::stripped(&step.operation).is_err() {
        return Some("it is of a kind that is never recorded");
    }
    if let (
        Operation::Request(RequestCall::Wait(list, _) | RequestCall::Test(list, _)),
        Outcome::Completed(done),
    ) = (&step.operation, &step.outcome)
        && done.iter().any(|(place, _)| *place as usize >= list.len())
    {
        return Some("a request completes that it does not wait for");
    }
    None
}
