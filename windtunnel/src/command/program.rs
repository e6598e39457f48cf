//! Which program is meant: a built-in one, or a compiled file.

use std::{path::Path, sync::Arc};

use mpi_abi::launch::{Compiled, Output};
use scenarios::{error::Error, scenario::Scenario};

use crate::args::Options;

/// The scenario of a command's options.
///
/// # Errors
/// If the input is bad.
pub(super) fn resolve(options: &Options, output: Output) -> Result<Scenario, Error> {
    let request = options.request();
    if let Some(program) = crate::own::program(&options.program) {
        return request.resolve_program(program);
    }
    let path = Path::new(&options.program);
    let is_path = options.program.contains('/') || path.is_file();
    if !is_path {
        if let Some(word) = options.arguments.first() {
            return Err(Error::BadValue {
                what: "an argument".into(),
                value: word.clone(),
                allowed: "nothing: a built-in program takes parameters, -p key=value".into(),
            });
        }
        return request.resolve();
    }
    let mut compiled = Compiled::new(output);
    compiled.add(path, &options.arguments, options.ranks).map_err(|error| load(path, &error))?;
    request.resolve_program(Arc::new(compiled))
}

/// A program that cannot be loaded, as bad input.
pub(super) fn load(path: &Path, error: &mpi_abi::loader::LoadError) -> Error {
    Error::BadFile { path: path.display().to_string(), reason: error.to_string() }
}
