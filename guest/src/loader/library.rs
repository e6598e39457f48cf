//! Finds the libraries that a program needs: private ones for each rank, and those of the host.
#![allow(unsafe_code, reason = "loads the libraries of the host")]

use std::{
    collections::BTreeSet,
    ffi::{CStr, CString},
    path::{Path, PathBuf},
    sync::LazyLock,
};

use super::{elf::Elf, error::LoadError};
use crate::{interface, libc::startup, openmp::names};

/// Folders of the system's libraries.
const SYSTEM: [&str; 6] = [
    "/lib/x86_64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
    "/lib64",
    "/usr/lib64",
    "/lib",
    "/usr/lib",
];

/// System libraries that every rank needs a private copy of: they hold its open units or its random
/// seed.
const PRIVATE: [&str; 1] = ["libgfortran.so"];

/// Libraries of the system that all ranks share: the run-time libraries of languages and sanitizers, those of devices and
/// displays, of secure connections, and those that start threads when they are loaded or share work among threads.
const HOST: [&str; 38] = [
    "ld-linux",
    "libGL",
    "libOpenCL.so",
    "libX",
    "libasan.so",
    "libatomic.so",
    "libblis",
    "libc++",
    "libc.so",
    "libcrypto.so",
    "libcuda",
    "libcurl",
    "libdl.so",
    "libgcc_s.so",
    "libgio-",
    "libglib-",
    "libgmodule-",
    "libgnutls.so",
    "libgobject-",
    "libgssapi",
    "libgthread-",
    "libkrb5",
    "libldap",
    "liblsan.so",
    "libm.so",
    "libmkl",
    "libmvec.so",
    "libopenblas",
    "libpthread.so",
    "libpython",
    "libquadmath.so",
    "libresolv.so",
    "librt.so",
    "libssl.so",
    "libstdc++.so",
    "libtbb",
    "libtsan.so",
    "libubsan.so",
];

/// Parts of the paths of libraries of linear algebra that start threads when they are loaded, by whatever name they are
/// linked.
const STARTS_THREADS: [&str; 3] = ["openblas", "blis", "mkl"];

/// Which libraries of the system all ranks share.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sharing {
    /// As few as possible: of others each rank has a copy, as each process of MPI has variables of its own.
    Least,
    /// All but the few of which every rank needs a copy.
    Most,
}

/// Returns the program and its private libraries, the program first, each before its dependencies.
/// Loads libraries of the host into the process and skips those that are `known`.
pub(crate) fn gather(
    program: Elf,
    known: impl Fn(&str) -> bool,
    sharing: Sharing,
) -> Result<Vec<Elf>, LoadError> {
    let mut objects = vec![program];
    let mut seen = BTreeSet::new();
    let mut next = 0;
    while next < objects.len() {
        for name in objects[next].needed.clone() {
            let replaced = names::is_library(&name) && !uses_openacc(&objects[next]);
            let ours = interface::is_library(&name) || replaced;
            if !seen.insert(name.clone()) || ours || known(&name) {
                continue;
            }
            if interface::is_other_library(&name) {
                let path = objects[next].path.clone();
                return Err(LoadError::OtherMpi { path, library: name });
            }
            let own = private(&objects, next, &name);
            match own.or_else(|| of_system(&name).filter(|_| sharing == Sharing::Least)) {
                Some(path) => objects.push(Elf::read(&path)?),
                None => load(&name, &objects[next])?,
            }
        }
        next += 1;
    }
    Ok(objects)
}

fn uses_openacc(object: &Elf) -> bool {
    object.symbols.iter().any(|symbol| !symbol.defined && names::is_of_openacc(&symbol.name))
}

/// Returns the file of a library that each rank gets a private copy of in any case: one of the program's own,
/// or one of the few system libraries that cannot be shared.
pub(super) fn private(objects: &[Elf], by: usize, name: &str) -> Option<PathBuf> {
    let given = std::env::var("LD_LIBRARY_PATH").unwrap_or_default();
    let given = given.split(':').filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let own = objects[by].search.iter().chain(&objects[0].search).cloned();
    let direct = name.contains('/').then(|| PathBuf::from(name));
    let found = direct
        .into_iter()
        .chain(own.chain(given).map(|folder| folder.join(name)))
        .find(|path| path.is_file());
    if let Some(path) = found.filter(|path| !in_system(path)) {
        return Some(path);
    }
    let alone = PRIVATE.iter().any(|private| name.starts_with(private));
    in_folders(name).filter(|_| alone)
}

/// Returns the file of a library of the system of which each rank may have a copy.
fn of_system(name: &str) -> Option<PathBuf> {
    if HOST.iter().any(|host| name.starts_with(host)) {
        return None;
    }
    let path = in_folders(name)?;
    // A name may be a link to one of several libraries.
    let real = path.canonicalize().ok()?;
    let starts_threads = STARTS_THREADS.iter().any(|part| real.to_string_lossy().contains(part));
    (!starts_threads).then_some(path)
}

fn in_folders(name: &str) -> Option<PathBuf> {
    let mut places = SYSTEM.iter().map(|folder| Path::new(folder).join(name));
    places.find(|path| path.is_file())
}

/// Reports whether an object is one of the system libraries with a private copy per rank.
pub(crate) fn is_private(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    name.is_some_and(|name| PRIVATE.iter().any(|private| name.starts_with(private)))
}

/// Reports whether a file is in a folder of the system's libraries.
pub(crate) fn in_system(path: &Path) -> bool {
    // Some are links to others.
    static FOLDERS: LazyLock<BTreeSet<PathBuf>> = LazyLock::new(|| {
        SYSTEM.iter().filter_map(|folder| Path::new(folder).canonicalize().ok()).collect()
    });
    let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
    folder.is_some_and(|folder| FOLDERS.contains(&folder))
}

/// Loads a library of the host, to be shared by all ranks.
fn load(name: &str, by: &Elf) -> Result<(), LoadError> {
    startup::prepare(name);
    let missing = |reason: String| LoadError::MissingLibrary {
        library: name.to_string(),
        needed_by: by.path.display().to_string(),
        reason,
    };
    let c_name = CString::new(name).map_err(|_| missing("its name holds a zero".to_string()))?;
    // SAFETY: the name is a C string; the library's constructors are trusted code of the host
    // system.
    let library = unsafe { libc::dlopen(c_name.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
    if library.is_null() {
        // SAFETY: called right after a failed dlopen, it returns a C string.
        let reason = unsafe { CStr::from_ptr(libc::dlerror()) };
        return Err(missing(reason.to_string_lossy().into_owned()));
    }
    startup::loaded(name);
    Ok(())
}
