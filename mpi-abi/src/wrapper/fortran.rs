//! The modules `mpi` and `mpi_f08`, which every version of the compiler wants in a format of its own: built from
//! source at first use and kept beside the headers.

use std::{
    ffi::OsString,
    fs,
    hash::{Hash, Hasher},
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::atomic::{AtomicU32, Ordering},
};

use super::{Language, Places, WrapperError};

/// Sources of the modules, among the headers.
const SOURCES: [&str; 2] = ["mpi.f90", "mpi_f08.f90"];

/// What the compiler makes of the last of them.
const MODULE: &str = "mpi_f08.mod";

/// Those of [`LENIENT`] that the compiler knows, a line each, beside the modules.
const FLAGS: &str = "flags";

/// What gfortran refuses without a flag since version 10, although programs of many years do it and
/// the compiler commands of common MPI libraries allow it: buffers of different types passed to one
/// procedure without an interface, and binary constants in forms of old compilers.
const LENIENT: [&str; 2] = ["-fallow-argument-mismatch", "-fallow-invalid-boz"];

fn run(compiler: &str, words: &[&Path]) -> Result<Output, WrapperError> {
    Command::new(compiler).args(words).output().map_err(|source| WrapperError::NoCompiler {
        compiler: compiler.to_string(),
        variable: Language::Fortran.variable(),
        source,
    })
}

impl Places {
    /// Makes the modules of this compiler, unless they are there, and the flags to use them.
    ///
    /// # Errors
    /// If there is no compiler, it does not understand the module, or no folder can be written.
    pub fn add_module(&mut self, compiler: &str) -> Result<(), WrapperError> {
        let version = run(compiler, &[Path::new("--version")])?;
        let mut hasher = rustc_hash::FxHasher::default();
        (compiler, &version.stdout).hash(&mut hasher);
        let folder = self.include.join(format!("fortran-{:016x}", hasher.finish()));
        if !folder.join(MODULE).exists() {
            self.build_module(compiler, &folder)?;
        }
        let flags = folder.join(FLAGS);
        let known = fs::read_to_string(&flags)
            .map_err(|source| WrapperError::NoFolder { folder: flags, source })?;
        self.fortran.extend(known.lines().map(OsString::from));
        let mut word = OsString::from("-I");
        word.push(&folder);
        self.fortran.push(word);
        Ok(())
    }

    /// Several processes may do so at once: each builds its own and the first to finish wins.
    fn build_module(&self, compiler: &str, folder: &Path) -> Result<(), WrapperError> {
        static DRAFTS: AtomicU32 = AtomicU32::new(0);
        let number = DRAFTS.fetch_add(1, Ordering::Relaxed);
        let draft = self.include.join(format!("draft-{}-{number}", std::process::id()));
        let failed = |source| WrapperError::NoFolder { folder: draft.clone(), source };
        fs::create_dir_all(&draft).map_err(failed)?;
        let sources = SOURCES.map(|name| self.include.join(name));
        let mut words = ["-fsyntax-only", "-w", "-J"].map(Path::new).to_vec();
        words.push(&draft);
        words.extend(sources.iter().map(PathBuf::as_path));
        let output = run(compiler, &words)?;
        if !output.status.success() {
            // What is left of it is of no use; the compiler's words are the ones to be told.
            let _ = fs::remove_dir_all(&draft);
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(WrapperError::NoModule { compiler: compiler.to_string(), message });
        }
        // Asked once, by compiling: beside `--version` compilers ignore flags that they do not know.
        let probe = draft.join("probe.f90");
        fs::write(&probe, "end\n").map_err(failed)?;
        let mut known = String::new();
        for flag in LENIENT {
            let words = [Path::new(flag), Path::new("-fsyntax-only"), &probe];
            if run(compiler, &words)?.status.success() {
                known.push_str(flag);
                known.push('\n');
            }
        }
        fs::write(draft.join(FLAGS), known).map_err(failed)?;
        if fs::rename(&draft, folder).is_err() {
            fs::remove_dir_all(&draft).map_err(failed)?;
            if !folder.join(MODULE).exists() {
                return Err(failed(std::io::Error::from(std::io::ErrorKind::AlreadyExists)));
            }
        }
        Ok(())
    }
}
