//! Installs the headers and the stand-in library that programs are linked with.

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
use crate::interface::{self, FORTRAN_BLOCK, FORTRAN_BLOCK_BYTES, LIBRARY, LINK_NAME};

/// The files that programs are compiled and linked with.
pub struct Kit<'a> {
    /// Name and text of each header.
    pub headers: &'a [(&'a str, &'a str)],
    /// Names of all functions that programs may call.
    pub functions: &'a [&'a str],
    /// Path of the simulator, which runs a program that is started directly.
    pub launcher: &'a Path,
}

/// The part of the library that is the same in every kit: a program that is started directly
/// becomes `windtunnel mpiexec -n 1 PROGRAM`.
const LAUNCH: &str = include_str!("launch.c");
/// Name of the file beside the library whose contents show that the library is complete.
const SEAL: &str = "seal";

impl Kit<'_> {
    /// Returns the folders of this kit below the user's cache, and creates them at first use. Of
    /// several processes that do so at once, the first to finish wins.
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

    /// Like [`Kit::install`], in a folder of the caller's choice.
    ///
    /// # Errors
    /// The same as for [`Kit::install`].
    pub fn install_below(&self, root: &Path) -> Result<Places, WrapperError> {
        let folder = root.join(format!("{:016x}", self.identity()));
        let places = Places::below(&folder);
        if self.is_intact(&places) {
            return Ok(places);
        }
        let failed = |source| WrapperError::NoFolder { folder: root.to_path_buf(), source };
        if folder.exists() {
            // The installed kit is damaged and is rebuilt.
            fs::remove_dir_all(&folder).map_err(failed)?;
        }
        let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(root);
        made.and_then(|()| owned(root)).map_err(failed)?;
        static DRAFTS: AtomicU32 = AtomicU32::new(0);
        let (process, number) = (std::process::id(), DRAFTS.fetch_add(1, Ordering::Relaxed));
        let draft = root.join(format!("draft-{process}-{number}"));
        let built = self.build(&draft);
        if built.is_err() {
            // The partial result is useless, and the first error is the one to report.
            let _ = fs::remove_dir_all(&draft);
        }
        if built.is_ok() && fs::rename(&draft, &folder).is_err() {
            // Another process finished first, or its folder is in the way: ours must not stay.
            let there = places.library.join(LIBRARY).exists();
            fs::remove_dir_all(&draft).map_err(failed)?;
            if !there {
                return Err(failed(io::Error::from(io::ErrorKind::AlreadyExists)));
            }
        }
        built.map(|()| places)
    }

    /// Reports whether headers and library are unchanged since they were built.
    fn is_intact(&self, places: &Places) -> bool {
        let header = |(name, text): &(&str, &str)| {
            fs::read(places.include.join(name)).is_ok_and(|there| there == text.as_bytes())
        };
        let library = fs::read(places.library.join(LIBRARY)).ok();
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
            let place = places.include.join(name);
            if let Some(folder) = place.parent() {
                fs::create_dir_all(folder).map_err(failed)?;
            }
            fs::write(place, text).map_err(failed)?;
        }
        let source = draft.join("library.c");
        fs::write(&source, self.library_source()).map_err(failed)?;
        build_library(&source, &places.library)?;
        let library = fs::read(places.library.join(LIBRARY)).map_err(failed)?;
        fs::write(places.library.join(SEAL), sealed(&library)).map_err(failed)?;
        let link = places.library.join(LINK_NAME);
        std::os::unix::fs::symlink(LIBRARY, link).map_err(failed)
    }

    /// Returns the C source of the library: `PMPI_` functions, with `MPI_` names as weak aliases.
    fn library_source(&self) -> String {
        let launcher = self.launcher.display().to_string();
        let mut text = format!("static const char launcher[] = {launcher:?};\n{LAUNCH}\n");
        // The symbol makes a program's own block of that name visible to the loader.
        let _ = writeln!(text, "char {FORTRAN_BLOCK}[{FORTRAN_BLOCK_BYTES}];");
        let mut names: Vec<&str> = self.functions.to_vec();
        names.sort_unstable();
        names.dedup();
        for name in names {
            if let Some(profiling) = interface::profiling_name(name) {
                let _ = writeln!(text, "PROFILED({name}, {profiling})");
            } else if !interface::is_profiling_name(name) {
                let _ = writeln!(text, "PLAIN({name})");
            }
        }
        text
    }

    /// Returns a hash that changes whenever the contents of the kit would.
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

/// Returns the checksum text of a library, which reveals a damaged one.
fn sealed(library: &[u8]) -> String {
    let mut hasher = rustc_hash::FxHasher::default();
    library.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn build_library(source: &Path, folder: &Path) -> Result<(), WrapperError> {
    let compiler = Language::C.compiler();
    let output = Command::new(&compiler)
        .args(["-shared", "-fPIC", "-O1", "-w", "-o"])
        .arg(folder.join(LIBRARY))
        .arg(source)
        .arg(format!("-Wl,-soname,{LIBRARY}"))
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

/// Returns the folders to try, in order.
fn roots() -> Vec<PathBuf> {
    let from = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let cache = from("XDG_CACHE_HOME").or_else(|| from("HOME").map(|home| home.join(".cache")));
    let own = cache.map(|cache| cache.join("windtunnel"));
    let user = fs::metadata("/proc/self").map_or(0, |metadata| metadata.uid());
    let last = std::env::temp_dir().join(format!("windtunnel-{user}"));
    from("WINDTUNNEL_CACHE").into_iter().chain(own).chain([last]).collect()
}

/// Checks that only the user can write to a folder; others could place a library of their own
/// there.
fn owned(folder: &Path) -> io::Result<()> {
    let user = fs::metadata("/proc/self")?.uid();
    if fs::metadata(folder)?.uid() == user {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::PermissionDenied, "it belongs to another user"))
}
