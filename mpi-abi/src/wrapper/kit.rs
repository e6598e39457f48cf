//! Headers, and the library that stands for MPI when a program is linked.

use std::{
    fmt::Write as _,
    fs,
    hash::{Hash, Hasher},
    io,
    os::unix::fs::{DirBuilderExt, MetadataExt},
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
};

use super::{Language, Places, WrapperError};
use crate::loader::{FORTRAN_BLOCK, FORTRAN_BLOCK_BYTES, MPI_LIBRARY};

/// What programs are compiled and linked with.
pub struct Kit<'a> {
    /// Name and text of each header.
    pub headers: &'a [(&'a str, &'a str)],
    /// Every function that programs may call.
    pub functions: &'a [&'a str],
    /// The simulator, which runs a program that is started by itself.
    pub launcher: &'a Path,
}

/// The part of the library that is the same in every kit: a program that is started by itself
/// becomes `windtunnel mpiexec -n 1 PROGRAM`.
const LAUNCH: &str = include_str!("launch.c");
/// The file beside the library that tells whether it is whole.
const SEAL: &str = "seal";

impl Kit<'_> {
    /// The folders of this kit below the user's cache; makes them at first use. Several processes
    /// may do so at once: each builds its own and the first to finish wins.
    ///
    /// # Errors
    /// If no folder can be written or the library cannot be built.
    pub fn install(&self) -> Result<Places, WrapperError> {
        let mut failure = None;
        for root in roots() {
            match self.install_below(&root) {
                Err(WrapperError::NoFolder { folder, source }) => {
                    failure = Some(WrapperError::NoFolder { folder, source });
                }
                other => return other,
            }
        }
        Err(failure.unwrap_or_else(|| WrapperError::NoFolder {
            folder: PathBuf::from("/tmp"),
            source: io::Error::from(io::ErrorKind::NotFound),
        }))
    }

    /// As [`Kit::install`], in a folder of the caller's choice.
    ///
    /// # Errors
    /// As there.
    pub fn install_below(&self, root: &Path) -> Result<Places, WrapperError> {
        let folder = root.join(format!("{:016x}", self.identity()));
        let places = Places::below(&folder);
        if self.is_intact(&places) {
            return Ok(places);
        }
        let failed = |source| WrapperError::NoFolder { folder: root.to_path_buf(), source };
        if folder.exists() {
            // Somebody has damaged it: it is built again.
            fs::remove_dir_all(&folder).map_err(failed)?;
        }
        let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(root);
        made.and_then(|()| owned(root)).map_err(failed)?;
        static DRAFTS: AtomicU32 = AtomicU32::new(0);
        let (process, number) = (std::process::id(), DRAFTS.fetch_add(1, Ordering::Relaxed));
        let draft = root.join(format!("draft-{process}-{number}"));
        let built = self.build(&draft);
        if built.is_err() {
            // What is left of it is of no use; the first error is the one to be told.
            let _ = fs::remove_dir_all(&draft);
        }
        if built.is_ok() && fs::rename(&draft, &folder).is_err() {
            // Another process was faster, or its folder is in the way: ours must not stay.
            let there = places.library.join(MPI_LIBRARY).exists();
            fs::remove_dir_all(&draft).map_err(failed)?;
            if !there {
                return Err(failed(io::Error::from(io::ErrorKind::AlreadyExists)));
            }
        }
        built.map(|()| places)
    }

    /// Whether headers and library are as they were built.
    fn is_intact(&self, places: &Places) -> bool {
        let header = |(name, text): &(&str, &str)| {
            fs::read(places.include.join(name)).is_ok_and(|there| there == text.as_bytes())
        };
        let library = fs::read(places.library.join(MPI_LIBRARY)).ok();
        let seal = fs::read_to_string(places.library.join(SEAL)).ok();
        self.headers.iter().all(header)
            && library.zip(seal).is_some_and(|(library, seal)| seal == sealed(&library))
    }

    fn build(&self, draft: &Path) -> Result<(), WrapperError> {
        let failed = |source| WrapperError::NoFolder { folder: draft.to_path_buf(), source };
        let places = Places::below(draft);
        fs::create_dir_all(&places.include).map_err(failed)?;
        fs::create_dir_all(&places.library).map_err(failed)?;
        for (name, text) in self.headers {
            fs::write(places.include.join(name), text).map_err(failed)?;
        }
        let source = draft.join("library.c");
        fs::write(&source, self.library_source()).map_err(failed)?;
        build_library(&source, &places.library)?;
        let library = fs::read(places.library.join(MPI_LIBRARY)).map_err(failed)?;
        fs::write(places.library.join(SEAL), sealed(&library)).map_err(failed)?;
        let link = places.library.join("libmpi_abi.so");
        std::os::unix::fs::symlink(MPI_LIBRARY, link).map_err(failed)
    }

    /// C source of the library: `PMPI_` functions, `MPI_` as weak second names of them.
    fn library_source(&self) -> String {
        let launcher = self.launcher.display().to_string();
        let mut text = format!("static const char launcher[] = {launcher:?};\n{LAUNCH}\n");
        // A program's own block of that name is then visible to the loader.
        let _ = writeln!(text, "char {FORTRAN_BLOCK}[{FORTRAN_BLOCK_BYTES}];");
        let mut names: Vec<&str> = self.functions.to_vec();
        names.sort_unstable();
        names.dedup();
        for name in names {
            if name.starts_with("MPI_") {
                let _ = writeln!(text, "PROFILED({name}, P{name})");
            } else if name.starts_with("mpi_") {
                let _ = writeln!(text, "PROFILED({name}, p{name})");
            } else if !name.starts_with("PMPI_") && !name.starts_with("pmpi_") {
                let _ = writeln!(text, "PLAIN({name})");
            }
        }
        text
    }

    /// Changes whenever the kit would.
    fn identity(&self) -> u64 {
        let mut hasher = rustc_hash::FxHasher::default();
        env!("CARGO_PKG_VERSION").hash(&mut hasher);
        (LAUNCH, SEAL).hash(&mut hasher);
        self.headers.hash(&mut hasher);
        self.functions.hash(&mut hasher);
        self.launcher.hash(&mut hasher);
        hasher.finish()
    }
}

/// What tells a library from a damaged one.
fn sealed(library: &[u8]) -> String {
    let mut hasher = rustc_hash::FxHasher::default();
    library.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn build_library(source: &Path, folder: &Path) -> Result<(), WrapperError> {
    let compiler = Language::C.compiler();
    let output = Command::new(&compiler)
        .args(["-shared", "-fPIC", "-O1", "-w", "-o"])
        .arg(folder.join(MPI_LIBRARY))
        .arg(source)
        .arg(format!("-Wl,-soname,{MPI_LIBRARY}"))
        .output()
        .map_err(|source| WrapperError::NoCompiler {
            compiler: compiler.clone(),
            variable: Language::C.variable(),
            source,
        })?;
    if output.status.success() {
        return Ok(());
    }
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(WrapperError::NoLibrary { compiler, message })
}

/// Folders to try, in order.
fn roots() -> Vec<PathBuf> {
    let from = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let cache = from("XDG_CACHE_HOME").or_else(|| from("HOME").map(|home| home.join(".cache")));
    let own = cache.map(|cache| cache.join("windtunnel"));
    let user = fs::metadata("/proc/self").map_or(0, |metadata| metadata.uid());
    let last = std::env::temp_dir().join(format!("windtunnel-{user}"));
    from("WINDTUNNEL_CACHE").into_iter().chain(own).chain([last]).collect()
}

/// A folder that others can write to could make us link with their library.
fn owned(folder: &Path) -> io::Result<()> {
    let user = fs::metadata("/proc/self")?.uid();
    if fs::metadata(folder)?.uid() == user {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::PermissionDenied, "it belongs to another user"))
}
