//! The reasons why a program cannot be loaded.

use std::path::PathBuf;

/// An error of loading: the file is not a program that this crate can run, or the system lacks a
/// resource that it needs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: std::io::Error,
    },
    /// The file is not an ELF object (a script, a text, an object of another system).
    #[error("{} is {found}, not a compiled program (no ELF file)", path.display())]
    NotElf {
        /// Path of the file.
        path: PathBuf,
        /// Kind of file it appears to be.
        found: &'static str,
    },
    /// The file is the source of a program.
    #[error("{} is source code, not a compiled program; compile it with `windtunnel {command}` first",
            path.display())]
    Source {
        /// Path of the file.
        path: PathBuf,
        /// The command that compiles it.
        command: &'static str,
    },
    /// The file is a script by which libtool starts a program that is not installed.
    #[error("{} is a script of libtool, not a compiled program; it starts {}, which \
             `libtool --mode=execute windtunnel` takes as well", path.display(), program.display())]
    Libtool {
        /// Path of the file.
        path: PathBuf,
        /// The program that it starts.
        program: PathBuf,
    },
    /// The file is an object file that has not been linked into a program.
    #[error("{} is an object file that is not linked; link it with `windtunnel cc`", path.display())]
    NotLinked {
        /// Path of the file.
        path: PathBuf,
    },
    /// The file has an ELF header but is damaged.
    #[error("{} is a damaged ELF file: {what}", path.display())]
    Damaged {
        /// Path of the file.
        path: PathBuf,
        /// The inconsistency that was found.
        what: String,
    },
    /// The file was compiled for another processor or another kind of ELF.
    #[error("{} is for {found}; this machine runs 64-bit x86-64", path.display())]
    WrongArchitecture {
        /// Path of the file.
        path: PathBuf,
        /// Architecture named in the header.
        found: String,
    },
    /// The program is built with a sanitizer that takes over the memory or the threads of its process.
    #[error("{} is built with -fsanitize={option}, which needs a process for each rank; rebuild it \
             without (-fsanitize=undefined is possible)", path.display())]
    Sanitized {
        /// Path of the file.
        path: PathBuf,
        /// The name of the sanitizer for compilers.
        option: &'static str,
    },
    /// The file was linked without `-pie`: a process can hold only one copy.
    #[error("{} is linked at a fixed address; rebuild it with `windtunnel cc` and without \
             -static or -no-pie", path.display())]
    NotPositionIndependent {
        /// Path of the file.
        path: PathBuf,
    },
    /// The file was linked with `-static` or `-static-pie`: its libc cannot be replaced.
    #[error("{} is statically linked; rebuild it with `windtunnel cc` and without -static",
            path.display())]
    Static {
        /// Path of the file.
        path: PathBuf,
    },
    /// The file was built against another MPI library, whose constants differ from the standard
    /// ABI.
    #[error("{} was built for {library}, not with `windtunnel cc`; rebuild it", path.display())]
    OtherMpi {
        /// Path of the file.
        path: PathBuf,
        /// Name of that library.
        library: String,
    },
    /// The program does not use MPI.
    #[error("{} calls no function of MPI: programs that do are built with `windtunnel cc`, `cxx` or `fc`", path.display())]
    NotMpi {
        /// Path of the file.
        path: PathBuf,
    },
    /// A library that the program needs cannot be found or loaded.
    #[error(
        "{needed_by} needs {library}, which cannot be loaded: {reason} (LD_LIBRARY_PATH and \
             -Wl,-rpath say where libraries are)"
    )]
    MissingLibrary {
        /// Name of the library.
        library: String,
        /// File that needs it.
        needed_by: String,
        /// Error text of the system.
        reason: String,
    },
    /// Functions or variables without a definition, each once, in alphabetical order.
    #[error("{} uses what neither MPI nor a library defines: {}", path.display(), names.join(", "))]
    Unresolved {
        /// Path of the program.
        path: PathBuf,
        /// The missing names.
        names: Vec<String>,
    },
    /// The object has a relocation of a type that this loader does not support.
    #[error("{} has relocations of type {kind}, which are not supported; recompile it with `windtunnel cc`, \
             without options such as -mtls-dialect=gnu2", path.display())]
    Relocation {
        /// Path of the object.
        path: PathBuf,
        /// Type of the relocation in the x86-64 psABI.
        kind: u32,
    },
    /// The object accesses thread-local variables by instructions that cannot be made private per
    /// rank.
    #[error("{} has thread-local variables and was not compiled with `windtunnel cc`; recompile \
             all of it (a build system that drops flags needs it as the compiler itself: \
             CC=mpicc, see `windtunnel wrappers`)", path.display())]
    ThreadLocal {
        /// Path of the object.
        path: PathBuf,
    },
    /// The file has neither an entry point nor a function `main`.
    #[error("{} has no main program", path.display())]
    NoMain {
        /// Path of the file.
        path: PathBuf,
    },
    /// The system refuses memory for the images of the ranks.
    #[error("no memory for {ranks} images of {bytes} bytes each: {source}")]
    Memory {
        /// Number of images that were requested.
        ranks: u32,
        /// Size of one image in bytes.
        bytes: usize,
        /// Error of the system.
        source: std::io::Error,
    },
}
