//! Builds the modules `mpi` and `mpi_f08`. Each compiler version has its own module format, so that
//! they are built from source at first use and kept beside the headers.

use std::{
    ffi::OsString,
    fs,
    hash::{Hash, Hasher},
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::atomic::{AtomicU32, Ordering},
};

use super::{Language, Places, WrapperError};

/// Sources of the modules, in the folder of the headers.
const SOURCES: [&str; 2] = ["mpi.f90", "mpi_f08.f90"];

/// The file that the compiler creates from the last of them.
const MODULE: &str = "mpi_f08.mod";

/// The file beside the modules that lists the flags of [`LENIENT`] that the compiler accepts, one a line.
const FLAGS: &str = "flags";

/// Flags for code that gfortran rejects since version 10 and that the compiler commands of common MPI
/// libraries accept: buffers of different types passed to one procedure without an interface, and binary
/// constants in the forms of old compilers.
const LENIENT: [&str; 2] = ["-fallow-argument-mismatch", "-fallow-invalid-boz"];

fn run(compiler: &str, words: &[&Path]) -> Result<Output, WrapperError> {
    Command::new(compiler).args(words).output().map_err(|source| WrapperError::NoCompiler {
        compiler: compiler.to_string(),
        variable: Language::Fortran.variable(),
        source,
    })
}

impl Places {
    /// Builds the modules for this compiler unless they exist, and adds the flags to use them.
    ///
    /// # Errors
    /// If there is no compiler, it does not understand the module, or no folder can be written.
    pub fn add_module(&mut self, compiler: &str) -> Result<(), WrapperError> {
        let version = run(compiler, &[Path::new("--version")])?;
        self.of_gcc = super::is_of_gcc(&version.stdout);
        let mut hasher = rustc_hash::FxHasher::default();
        // A folder from before a change of what it holds is not this one.
        (compiler, &version.stdout, FLAGS, LENIENT).hash(&mut hasher);
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

    /// Builds the modules in a private folder; of several processes that do so at once, the first
    /// to finish wins.
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
            // The partial result is useless, and the compiler's message is the one to report.
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
