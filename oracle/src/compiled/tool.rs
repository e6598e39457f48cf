//! The command `windtunnel`, run as a process.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use super::build::Form;
use crate::{
    plan::Plan,
    written::{Language, helpers, program},
};

/// The environment variable that makes the program `oracle` the command `windtunnel`.
pub const AS_WINDTUNNEL: &str = "WINDTUNNEL_ORACLE_IS_THE_COMMAND";

/// Seconds after which a command counts as hanging.
const SECONDS_MAX: &str = "600";

/// The program `oracle`, which is also the command `windtunnel`.
pub struct Tool {
    path: PathBuf,
}

impl Tool {
    /// Creates the tool from the path of the program `oracle`.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Compiles plans in `folder`, and returns the path of the program.
    ///
    /// # Errors
    /// Returns the compiler's messages if it fails.
    pub(super) fn compile(
        &self,
        plans: &[Plan],
        form: Form,
        folder: &Path,
    ) -> Result<String, String> {
        let write = |name: &str, text: String| {
            fs::write(folder.join(name), text).map_err(|error| error.to_string())
        };
        let text = program(plans, form.language);
        match form.language {
            Language::C => {
                write("plans.c", text)?;
                self.build(&["cc", "-w", "-g1", form.level, "plans.c", "-o", "plans"], folder)?;
            }
            Language::Fortran => {
                write("helpers.c", helpers())?;
                write("plans.f90", text)?;
                self.build(&["cc", "-w", "-g1", form.level, "-c", "helpers.c"], folder)?;
                let words = ["fc", "-w", "-g1", form.level, "-ffree-line-length-none"];
                let files = ["plans.f90", "helpers.o", "-o", "plans"];
                self.build(&[&words[..], &files].concat(), folder)?;
            }
        }
        Ok(folder.join("plans").display().to_string())
    }

    fn build(&self, words: &[&str], folder: &Path) -> Result<(), String> {
        let output = self.start(words, folder)?;
        if output.status.success() {
            return Ok(());
        }
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }

    /// Runs the command in `folder`.
    ///
    /// # Errors
    /// Returns an error if the command does not end.
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
