//! The command `windtunnel`, as a process.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use super::build::Level;

/// The environment variable that makes the program `oracle` the command `windtunnel`.
pub const AS_WINDTUNNEL: &str = "WINDTUNNEL_ORACLE_IS_THE_COMMAND";

/// Seconds after which a command counts as hanging.
const SECONDS_MAX: &str = "120";

/// The program `oracle`, which is also the command `windtunnel`.
pub struct Tool {
    path: PathBuf,
}

impl Tool {
    /// With the path of `oracle`.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Compiles a source in `folder`; the path of the program.
    ///
    /// # Errors
    /// What the compiler says.
    pub(super) fn compile(&self, text: &str, level: Level, folder: &Path) -> Result<String, String> {
        let (source, program) = (folder.join("plans.c"), folder.join("plans"));
        let written = fs::write(&source, text).map_err(|error| error.to_string());
        written?;
        let (source, program) = (source.display().to_string(), program.display().to_string());
        let words = ["cc", "-w", "-g1", level.flag(), &source, "-o", &program];
        let output = self.start(&words, folder)?;
        if output.status.success() {
            Ok(program)
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into_owned())
        }
    }

    /// Runs the command.
    ///
    /// # Errors
    /// If it does not come to an end.
    pub(super) fn start(&self, words: &[&str], folder: &Path) -> Result<Output, String> {
        let output = Command::new("timeout")
            .args(["--kill-after=5", SECONDS_MAX])
            .arg(&self.path)
            .args(words)
            .current_dir(folder)
            .env(AS_WINDTUNNEL, "1")
            .output()
            .map_err(|error| error.to_string())?;
        match output.status.code() {
            Some(124 | 137) => Err(format!("{words:?} takes more than {SECONDS_MAX} seconds")),
            _ => Ok(output),
        }
    }
}
