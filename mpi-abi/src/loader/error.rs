//! Why a program cannot be loaded.

use std::path::PathBuf;

/// Bad input: the file is not a program this crate can run, or the system lacks something for it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is no ELF object (a script, a text, an object of another system).
    #[error("{} is {found}, not a compiled program (no ELF file)", path.display())]
    NotElf {
        /// The file.
        path: PathBuf,
        /// What it looks like.
        found: &'static str,
    },
    /// An object file from which no program has been made yet.
    #[error("{} is an object file that is not linked; link it with `windtunnel cc`", path.display())]
    NotLinked {
        /// The file.
        path: PathBuf,
    },
    /// The file claims to be ELF but is damaged.
    #[error("{} is a damaged ELF file: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        what: String,
    },
    /// Compiled for another processor or another kind of ELF.
    #[error("{} is for {found}; this machine runs 64-bit x86-64", path.display())]
    WrongArchitecture {
        /// The file.
        path: PathBuf,
        /// What the header says.
        found: String,
    },
    /// Linked without `-pie`: only one copy could exist in a process.
    #[error("{} is linked at a fixed address; rebuild it with `windtunnel cc` and without \
             -static or -no-pie", path.display())]
    NotPositionIndependent {
        /// The file.
        path: PathBuf,
    },
    /// Linked with `-static` or `-static-pie`: its libc cannot be replaced.
    #[error("{} is statically linked; rebuild it with `windtunnel cc` and without -static",
            path.display())]
    Static {
        /// The file.
        path: PathBuf,
    },
    /// Built against another MPI library, whose constants differ from the standard ABI.
    #[error("{} was built for {library}, not with `windtunnel cc`; rebuild it", path.display())]
    OtherMpi {
        /// The file.
        path: PathBuf,
        /// The library it names.
        library: String,
    },
    /// No MPI in it.
    #[error("{} is no MPI program: it was not built with `windtunnel cc`", path.display())]
    NotMpi {
        /// The file.
        path: PathBuf,
    },
    /// A library that the program names is nowhere, or cannot be loaded.
    #[error(
        "{needed_by} needs {library}, which cannot be loaded: {reason} (LD_LIBRARY_PATH and \
             -Wl,-rpath say where libraries are)"
    )]
    MissingLibrary {
        /// The name in the program.
        library: String,
        /// Who names it.
        needed_by: String,
        /// The system's words.
        reason: String,
    },
    /// Functions or variables that nobody defines, each once, in alphabetical order.
    #[error("{} uses what neither MPI nor a library defines: {}", path.display(), names.join(", "))]
    Unresolved {
        /// The program.
        path: PathBuf,
        /// Every missing name.
        names: Vec<String>,
    },
    /// A relocation that this loader does not do.
    #[error("{} has relocations of type {kind}, which are not supported", path.display())]
    Relocation {
        /// The object.
        path: PathBuf,
        /// Its number in the x86-64 psABI.
        kind: u32,
    },
    /// Thread-local variables reached by instructions that cannot be made private per rank.
    #[error("{} has thread-local variables and was not compiled with `windtunnel cc`; recompile \
             all of it (a build system that drops flags needs it as the compiler itself: \
             CC=mpicc, see `windtunnel wrappers`)", path.display())]
    ThreadLocal {
        /// The object.
        path: PathBuf,
    },
    /// Neither an entry point nor a function `main`.
    #[error("{} has no main program", path.display())]
    NoMain {
        /// The file.
        path: PathBuf,
    },
    /// The system gives no memory for the images of the ranks.
    #[error("no memory for {ranks} images of {bytes} bytes each: {source}")]
    Memory {
        /// How many were asked for.
        ranks: u32,
        /// Size of one.
        bytes: usize,
        /// What the system said.
        source: std::io::Error,
    },
}
