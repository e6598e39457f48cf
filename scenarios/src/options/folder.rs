//! [`Folder`]: what paths in a file are relative to.

use std::path::{Path, PathBuf};

use network_models::Catalog;

use super::{Noise, OrNone};
use crate::{json, networks::with_path};

/// The folder of a file, to which the paths in it are relative.
#[derive(Clone, Debug, Default)]
pub struct Folder(PathBuf);

impl Folder {
    /// Returns the folder of a file.
    pub fn of_file(path: &str) -> Self {
        Self(Path::new(path).parent().unwrap_or(Path::new("")).to_owned())
    }

    /// Returns the working folder: paths stay as they are.
    pub fn working() -> Self {
        Self::default()
    }

    /// Returns a path relative to the working folder.
    pub fn path(&self, path: &str) -> String {
        self.0.join(path).display().to_string()
    }

    /// Returns the name of a machine or of a file system, or the path of its file.
    pub fn name_or_file(&self, name: &str) -> String {
        if json::is_file_name(name) { self.path(name) } else { name.to_owned() }
    }

    /// Returns a topology, a placement or a network model with the path in it, if there is one.
    pub fn part(&self, text: &str) -> String {
        // Only the begin of a path changes, so that a user's models, which may end it, need not be known.
        with_path(text, &Catalog::standard(), |path| self.path(path))
    }

    /// Returns noise with the path of its file, if it has one.
    pub fn noise(&self, noise: OrNone<Noise>) -> OrNone<Noise> {
        let beside = |noise| match noise {
            Noise::Trace(path) => Noise::Trace(self.path(&path)),
            Noise::Fixed(_) | Noise::Exponential(_) => noise,
        };
        OrNone(noise.0.map(beside))
    }
}
