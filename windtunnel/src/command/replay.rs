//! The command `windtunnel replay`.

use std::path::Path;

use replay::{OpenError, kind_of};
use scenarios::{error::Error, json};

use super::{program::Own, run::run};
use crate::args::Repeated;

/// Replays a recording, a schedule in GOAL or a time-independent trace.
///
/// # Errors
/// Returns an error if the input is bad or a file cannot be written.
pub(crate) fn replay(repeated: &Repeated, own: &Own) -> Result<u8, Error> {
    let Some(path) = &repeated.judged.options.program else { return Err(Error::NoProgram) };
    let bad = |reason: String| Error::BadFile { path: path.clone(), reason };
    let is_scenario = json::is_file_name(path);
    if !is_scenario && kind_of(Path::new(path)).map_err(|error| bad(error.to_string()))?.is_none() {
        return Err(bad(OpenError::Unknown.to_string()));
    }
    run(repeated, own)
}
