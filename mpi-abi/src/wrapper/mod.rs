//! The compiler commands: `windtunnel cc`, `cxx` and `fc`.
//!
//! Each is the system's compiler with the flags that an image needs (`flags`) and a folder with
//! headers and a library to link with (`kit`). What it builds runs in a simulation; started by
//! itself, it asks the simulator to run it as a single rank.

mod flags;
mod fortran;
mod kit;

use std::{
    ffi::OsString,
    io,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::Command,
};

pub use flags::{Language, Part, Request, Words};
pub use kit::Kit;

/// What goes wrong before the compiler runs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WrapperError {
    /// The compiler is not there.
    #[error("cannot run the compiler `{compiler}`: {source} (set {variable} to choose another)")]
    NoCompiler {
        /// What was tried.
        compiler: String,
        /// The environment variable that names another.
        variable: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// No folder for headers and library can be written.
    #[error("cannot write the headers for programs to {}: {source}", folder.display())]
    NoFolder {
        /// The last folder that was tried.
        folder: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The library that programs are linked with cannot be built.
    #[error("`{compiler}` cannot build the library that programs are linked with:\n{message}")]
    NoLibrary {
        /// The compiler.
        compiler: String,
        /// What it said.
        message: String,
    },
    /// The Fortran module cannot be built.
    #[error("`{compiler}` cannot build the module `mpi` (only gfortran is supported):\n{message}")]
    NoModule {
        /// The compiler.
        compiler: String,
        /// What it said.
        message: String,
    },
}

/// Becomes the compiler. Returns only the text of a question about itself (`-show` and its kin),
/// which is to be printed.
///
/// # Errors
/// If the compiler cannot be run or the folder it needs cannot be written.
pub fn run(
    language: Language,
    arguments: &[OsString],
    kit: &Kit<'_>,
) -> Result<String, WrapperError> {
    let compiler = language.compiler();
    let mut places = kit.install()?;
    if language == Language::Fortran {
        places.add_module(&compiler)?;
    }
    let request = Request::of(arguments);
    let words = request.command(language, &places);
    if let Some(part) = request.question() {
        return Ok(part.text(&compiler, &words));
    }
    let error = Command::new(&compiler).args(words.all()).exec();
    Err(WrapperError::NoCompiler { compiler, variable: language.variable(), source: error })
}

/// Where headers and library are.
#[derive(Clone, Debug)]
pub struct Places {
    /// Folder of the headers.
    pub include: PathBuf,
    /// Folder of the library.
    pub library: PathBuf,
    /// Flags for a compilation of Fortran: where the modules are, and more.
    pub fortran: Vec<OsString>,
}

impl Places {
    fn below(folder: &Path) -> Self {
        Self { include: folder.join("include"), library: folder.join("lib"), fortran: Vec::new() }
    }
}
