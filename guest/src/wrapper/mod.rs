//! The compiler commands `windtunnel cc`, `cxx` and `fc`.
//!
//! Each runs the system's compiler with the flags that an image needs (`flags`), a folder with
//! headers and a library to link with (`kit`). The result runs in a simulation; started directly,
//! it asks the simulator to run it as a single rank.

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

/// An error that occurs before the compiler runs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WrapperError {
    /// The compiler cannot be found or started.
    #[error("cannot run the compiler `{compiler}`: {source} (set {variable} to choose another)")]
    NoCompiler {
        /// Command that was tried.
        compiler: String,
        /// Environment variable that selects another compiler.
        variable: &'static str,
        /// Error of the system.
        source: io::Error,
    },
    /// The program would be linked with the C library in it.
    #[error(
        "a statically linked program cannot be simulated, since its C library cannot be replaced: \
             leave out {option}"
    )]
    Static {
        /// The option that asks for it.
        option: &'static str,
    },
    /// No folder for headers and library is writable.
    #[error("cannot write the headers for programs to {}: {source}", folder.display())]
    NoFolder {
        /// The last folder that was tried.
        folder: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// The library that programs are linked with cannot be built.
    #[error("`{compiler}` cannot build the library that programs are linked with:\n{message}")]
    NoLibrary {
        /// Command of the compiler.
        compiler: String,
        /// Message of the compiler.
        message: String,
    },
    /// The Fortran module cannot be built.
    #[error("`{compiler}` cannot build the module `mpi` (only gfortran is supported):\n{message}")]
    NoModule {
        /// Command of the compiler.
        compiler: String,
        /// Message of the compiler.
        message: String,
    },
}

/// Returns the warning about an option by which integers of Fortran are longer than those of MPI. Only `use mpi` and
/// `use mpi_f08` make the compiler refuse such calls itself.
fn long_integers(option: &str) -> String {
    format!(
        "warning: with {option}, INTEGER has 8 bytes, but arguments of MPI have 4: calls get wrong values\n  \
         = help: compile without {option}, and declare the variables that need 8 bytes as INTEGER(8)"
    )
}

/// Replaces this process by the compiler. Returns only for a query about the command itself (such
/// as `-show`), with the text to print.
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
    match language {
        Language::Fortran => places.add_module(&compiler)?,
        Language::C | Language::Cxx => {
            let version = Command::new(&compiler).arg("--version").output();
            places.of_gcc = version.is_ok_and(|version| is_of_gcc(&version.stdout));
        }
    }
    let request = Request::of(arguments);
    if let Some(option) = request.links_statically() {
        return Err(WrapperError::Static { option });
    }
    let words = request.command(language, &places);
    if let Some(part) = request.question() {
        return Ok(part.text(&compiler, &words));
    }
    if let Some(option) = request.lengthens_integers() {
        eprintln!("{}", long_integers(option));
    }
    let error = Command::new(&compiler).args(words.all()).exec();
    Err(WrapperError::NoCompiler { compiler, variable: language.variable(), source: error })
}

/// Reports whether a compiler that says this of its version is one of GCC, whatever it is called.
fn is_of_gcc(version: &[u8]) -> bool {
    // All of them print whose copyright they are.
    memchr::memmem::find(version, b"Free Software Foundation").is_some()
}

/// The installed folders of headers and library.
#[derive(Clone, Debug)]
pub struct Places {
    /// Folder of the headers.
    pub include: PathBuf,
    /// Folder of the library.
    pub library: PathBuf,
    /// Flags for compiling Fortran, such as the folder of the modules.
    pub fortran: Vec<OsString>,
    /// Whether the compiler is one of GCC, which has flags that others do not know; assumed of a new kit.
    pub of_gcc: bool,
}

impl Places {
    fn below(folder: &Path) -> Self {
        Self {
            include: folder.join("include"),
            library: folder.join("lib"),
            fortran: Vec::new(),
            of_gcc: true,
        }
    }
}
