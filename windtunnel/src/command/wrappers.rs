//! Links with the command names of other MPI systems: build systems look for these names and
//! require a compiler to be a single file.

use std::{
    env,
    ffi::OsStr,
    fs, io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use scenarios::error::Error;

use crate::output::Destination;

/// Link names, each with the command it stands for.
const NAMES: [(&str, &str); 10] = [
    ("mpicc", "cc"),
    ("mpicxx", "cxx"),
    ("mpic++", "cxx"),
    ("mpiCC", "cxx"),
    ("mpifort", "fc"),
    ("mpif90", "fc"),
    ("mpif77", "fc"),
    ("mpiexec", "mpiexec"),
    ("mpirun", "mpiexec"),
    ("srun", "srun"),
];

/// Returns the command that a program called `path` stands for, or `None` if it is not one of these
/// names.
pub(crate) fn command_of(path: &OsStr) -> Option<&'static str> {
    let name = Path::new(path).file_name()?.to_str()?;
    let found = NAMES.into_iter().find(|(known, _)| *known == name);
    found.map(|(_, command)| command)
}

/// The functions for CMake, in a file beside the links.
const CMAKE: &str = include_str!("Windtunnel.cmake");

/// The name of that file, and how it begins.
const CMAKE_FILE: (&str, &[u8]) = ("Windtunnel.cmake", b"# Windtunnel for CMake");

/// Creates links with these names to this program in `folder`, one with the program's own name, and the
/// file with functions for CMake.
///
/// # Errors
/// Returns an error if a link or the file cannot be created, or something else with its name exists.
pub(crate) fn wrappers(folder: &Path) -> Result<u8, Error> {
    let bad = |path: &Path, error: &io::Error| Error::BadFile {
        path: path.display().to_string(),
        reason: error.to_string(),
    };
    let program = env::current_exe().map_err(|error| bad(Path::new("windtunnel"), &error))?;
    fs::create_dir_all(folder).map_err(|error| bad(folder, &error))?;
    let own = [("windtunnel", "windtunnel")];
    for (name, _) in NAMES.into_iter().chain(own) {
        let link = folder.join(name);
        if link == program {
            continue;
        }
        place(&program, &link).map_err(|error| bad(&link, &error))?;
        println!("{}", link.display());
    }
    let (name, beginning) = CMAKE_FILE;
    let file = folder.join(name).display().to_string();
    Destination::claim_of_kind(&file, &[beginning])?.write(CMAKE.as_bytes())?;
    println!("{file}");
    Ok(0)
}

/// Replaces an existing link, but never a file that is not a link.
fn place(program: &Path, link: &PathBuf) -> io::Result<()> {
    match fs::symlink_metadata(link) {
        Ok(there) if there.is_symlink() => fs::remove_file(link)?,
        Ok(_) => return Err(io::Error::other("it is there already and is no link")),
        Err(_) => {}
    }
    symlink(program, link)
}
