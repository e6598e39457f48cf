//! Paths of a process that works in a copy of its working folder, because the system does not let
//! it have an overlay: paths below the folder lead to the copy, and the program sees the folder's
//! own name.
//!
//! Paths are compared as text: a path through a symbolic link from outside the folder leads to the
//! original.
#![allow(unsafe_code, reason = "is called by programs and passes their paths on")]

use std::{
    ffi::{CStr, CString, OsStr, c_char, c_int},
    fs, io,
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
    path::{Component, Path, PathBuf},
    ptr,
    sync::OnceLock,
};

use super::{
    errno::{self, Outcome},
    itself,
    thread::parking,
};
use crate::replacement::Replacement;

/// A folder and its copy.
struct Copied {
    folder: PathBuf,
    copy: PathBuf,
}

static COPIED: OnceLock<Copied> = OnceLock::new();

/// Renames a folder, whose old and new path are given.
type Rename = fn(&Path, &Path) -> io::Result<()>;

static RENAME: OnceLock<Rename> = OnceLock::new();

/// From now on this function renames the folders that the system cannot rename, because they lie on a file system of which the
/// process has a view.
pub fn rename_folders_by(rename: Rename) {
    RENAME.get_or_init(|| rename);
}

/// From now on this process sees `copy` under the name `folder`.
pub fn work_in_copy(folder: &Path, copy: &Path) {
    COPIED.get_or_init(|| Copied { folder: folder.to_path_buf(), copy: copy.to_path_buf() });
}

impl Copied {
    /// Returns the path in the copy, or the original path if that would be left by `..`; `None` if
    /// the path may stay as it is. `present` is the current directory.
    fn translated(&self, path: &Path, present: &Path) -> Option<PathBuf> {
        let climbs = path.components().any(|part| part == Component::ParentDir);
        if path.is_relative() && !climbs {
            return None;
        }
        let absolute = normal(&self.shown(present).join(path));
        let moved = moved(&absolute, &self.folder, &self.copy);
        moved.or_else(|| path.is_relative().then_some(absolute))
    }

    /// Returns the name under which the program knows a path.
    fn shown(&self, path: &Path) -> PathBuf {
        moved(path, &self.copy, &self.folder).unwrap_or_else(|| path.to_path_buf())
    }
}

/// Returns a path below the folder `from` as a path below `to`.
fn moved(path: &Path, from: &Path, to: &Path) -> Option<PathBuf> {
    let inside = path.strip_prefix(from).ok()?;
    // Joining an empty path would add a slash.
    Some(if inside.as_os_str().is_empty() { to.to_path_buf() } else { to.join(inside) })
}

/// Removes `.` and `..` from an absolute path.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(normal.pop()),
            Component::RootDir | Component::Prefix(_) | Component::Normal(_) => normal.push(part),
        }
    }
    normal
}

fn text(path: &Path) -> Option<CString> {
    CString::new(path.as_os_str().as_bytes()).ok()
}

/// Returns the path that a path of the program leads to; `None` if that is the path itself.
pub(super) fn translated(path: *const c_char) -> Option<CString> {
    // SAFETY: the program passes a C string or null.
    let path = (!path.is_null()).then(|| unsafe { CStr::from_ptr(path) })?;
    if let Some(own) = itself::by_number(path) {
        return Some(own);
    }
    let copied = COPIED.get()?;
    let path = Path::new(OsStr::from_bytes(path.to_bytes()));
    let present = std::env::current_dir().ok()?;
    text(&copied.translated(path, &present)?)
}

/// Returns the absolute path that a path of the program leads to.
///
/// # Errors
/// Returns an error if the program has no working folder any more.
pub fn absolute(path: &Path) -> std::io::Result<PathBuf> {
    let present = std::env::current_dir()?;
    let led = COPIED.get().and_then(|copied| copied.translated(path, &present));
    Ok(led.unwrap_or_else(|| present.join(path)))
}

/// Calls a function with the path that a path of the program leads to.
///
/// A rank that asks for a file again and again until another rank has made or removed it lets simulated time pass.
pub(super) fn with<T: Outcome>(path: *const c_char, body: impl FnOnce(*const c_char) -> T) -> T {
    // To look where the path leads changes the error number, which a function that succeeds leaves as it was.
    let outcome = match errno::keeping(|| translated(path)) {
        Some(other) => body(other.as_ptr()),
        None => body(path),
    };
    if outcome.is_failure() && matches!(errno::present(), libc::ENOENT | libc::EEXIST) {
        // SAFETY: the program passes a C string, as the function has read it.
        let name = unsafe { CStr::from_ptr(path) };
        errno::keeping(|| parking::ask_again(name));
    }
    outcome
}

/// Defines functions that take a path first, and passes the other arguments on.
macro_rules! with_path {
    ($($function:ident($($argument:ident: $kind:ty),*) -> $result:ty;)*) => {$(
        unsafe extern "C" fn $function(path: *const c_char, $($argument: $kind),*) -> $result {
            // SAFETY: the program vouches for the arguments, which are passed on.
            with(path, |path| unsafe { libc::$function(path, $($argument),*) })
        }
    )*};
}

with_path! {
    access(mode: c_int) -> c_int;
    stat(place: *mut libc::stat) -> c_int;
    lstat(place: *mut libc::stat) -> c_int;
    statfs(place: *mut libc::statfs) -> c_int;
    mkdir(mode: libc::mode_t) -> c_int;
    mkfifo(mode: libc::mode_t) -> c_int;
    rmdir() -> c_int;
    unlink() -> c_int;
    remove() -> c_int;
    opendir() -> *mut libc::DIR;
    chmod(mode: libc::mode_t) -> c_int;
    chown(owner: libc::uid_t, group: libc::gid_t) -> c_int;
    truncate(length: libc::off_t) -> c_int;
    utime(times: *const libc::utimbuf) -> c_int;
    utimes(times: *const libc::timeval) -> c_int;
}

/// Defines functions that take two paths, both of which are translated.
macro_rules! with_paths {
    ($($function:ident;)*) => {$(
        unsafe extern "C" fn $function(from: *const c_char, to: *const c_char) -> c_int {
            // SAFETY: the program vouches for the arguments, which are passed on.
            with(from, |from| with(to, |to| unsafe { libc::$function(from, to) }))
        }
    )*};
}

with_paths! {
    link;
}

unsafe extern "C" fn rename(from: *const c_char, to: *const c_char) -> c_int {
    with(from, |from| {
        with(to, |to| {
            // SAFETY: the program vouches for the arguments, which are passed on.
            let renamed = unsafe { libc::rename(from, to) };
            if renamed == 0 || errno::present() != libc::EXDEV {
                return renamed;
            }
            // SAFETY: the function has read both.
            let [from, to] = [from, to].map(|path| unsafe { CStr::from_ptr(path) });
            let [from, to] = [from, to].map(|path| Path::new(OsStr::from_bytes(path.to_bytes())));
            match RENAME.get().filter(|_| is_within_view(from, to)).map(|rename| rename(from, to)) {
                Some(Ok(())) => 0,
                Some(Err(error)) => errno::fails(error.raw_os_error().unwrap_or(libc::EIO)),
                None => errno::fails(libc::EXDEV),
            }
        })
    })
}

/// Reports whether a folder and its new place are on one file system.
fn is_within_view(from: &Path, to: &Path) -> bool {
    let parent = |path: &Path| {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        fs::metadata(parent.unwrap_or(Path::new("."))).ok()
    };
    let is_folder = fs::symlink_metadata(from).is_ok_and(|details| details.is_dir());
    let device = parent(from).zip(parent(to)).map(|(one, other)| one.dev() == other.dev());
    is_folder && device == Some(true)
}

/// Defines functions that take a folder's descriptor and a path, which is translated unless it is
/// relative to another folder.
macro_rules! with_path_at {
    ($($function:ident($($argument:ident: $kind:ty),*) -> $result:ty;)*) => {$(
        unsafe extern "C" fn $function(
            folder: c_int,
            path: *const c_char,
            $($argument: $kind),*
        ) -> $result {
            // SAFETY: the program vouches for the arguments, which are passed on.
            let call = |path| unsafe { libc::$function(folder, path, $($argument),*) };
            if is_elsewhere(folder, path) { call(path) } else { with(path, call) }
        }
    )*};
}

/// Reports whether a path is relative to a folder that is given by its descriptor.
pub(super) fn is_elsewhere(folder: c_int, path: *const c_char) -> bool {
    // SAFETY: the program passes a C string or null.
    let relative = !path.is_null() && unsafe { *path } != b'/' as c_char;
    relative && folder != libc::AT_FDCWD
}

with_path_at! {
    fstatat(place: *mut libc::stat, flags: c_int) -> c_int;
    faccessat(mode: c_int, flags: c_int) -> c_int;
    mkdirat(mode: libc::mode_t) -> c_int;
    unlinkat(flags: c_int) -> c_int;
    statx(flags: c_int, mask: u32, place: *mut libc::statx) -> c_int;
}

/// Implements `symlink`; the target is only a text.
unsafe extern "C" fn symlink(target: *const c_char, path: *const c_char) -> c_int {
    // SAFETY: the program vouches for the arguments, which are passed on.
    with(path, |path| unsafe { libc::symlink(target, path) })
}

/// Implements `__xstat`, which programs for glibc before 2.33 call.
unsafe extern "C" fn stat_of_version(
    _version: c_int,
    path: *const c_char,
    place: *mut libc::stat,
) -> c_int {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { stat(path, place) }
}

/// Implements `__lxstat`, which programs for glibc before 2.33 call.
unsafe extern "C" fn lstat_of_version(
    _version: c_int,
    path: *const c_char,
    place: *mut libc::stat,
) -> c_int {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { lstat(path, place) }
}

/// Creates a file or folder from a template that ends in six replaceable characters.
pub(super) fn from_template<T>(template: *mut c_char, make: impl FnOnce(*mut c_char) -> T) -> T {
    const REPLACED: usize = 6;
    let Some(other) = translated(template) else { return make(template) };
    let other = other.into_raw();
    let made = make(other);
    // SAFETY: `other` is the string from just above, and both strings end in the characters that
    // the library has checked, or are shorter and unchanged.
    unsafe {
        let other = CString::from_raw(other);
        let (bytes, length) = (other.as_bytes(), libc::strlen(template));
        if let Some(from) = bytes.len().checked_sub(REPLACED).filter(|_| length >= REPLACED) {
            let to = template.add(length - REPLACED).cast::<u8>();
            ptr::copy_nonoverlapping(bytes[from..].as_ptr(), to, REPLACED);
        }
    }
    made
}

unsafe extern "C" fn mkdtemp(template: *mut c_char) -> *mut c_char {
    // SAFETY: the program vouches for the argument.
    let made = from_template(template, |template| unsafe { libc::mkdtemp(template) });
    if made.is_null() { made } else { template }
}

/// Writes a path to `place`, of `room` bytes, or to new memory if it is null; the second half of
/// `getcwd` and `realpath`.
unsafe fn give(path: &Path, place: *mut c_char, room: usize) -> *mut c_char {
    let Some(text) = text(path) else { return ptr::null_mut() };
    let bytes = text.as_bytes_with_nul();
    // SAFETY: the program passes room for that many bytes, or null.
    unsafe {
        if place.is_null() {
            return libc::strdup(text.as_ptr());
        }
        if bytes.len() > room {
            *libc::__errno_location() = if room == 0 { libc::EINVAL } else { libc::ERANGE };
            return ptr::null_mut();
        }
        ptr::copy_nonoverlapping(bytes.as_ptr().cast(), place, bytes.len());
    }
    place
}

/// Returns the name under which the program knows a path that the library has found, and frees it.
///
/// # Safety
/// `found` is null or comes from the allocator of the C library.
unsafe fn shown(copied: &Copied, found: *mut c_char) -> Option<PathBuf> {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let path = (!found.is_null()).then(|| CStr::from_ptr(found))?;
        let shown = copied.shown(Path::new(OsStr::from_bytes(path.to_bytes())));
        libc::free(found.cast());
        Some(shown)
    }
}

unsafe extern "C" fn getcwd(place: *mut c_char, room: usize) -> *mut c_char {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe {
        let Some(copied) = COPIED.get() else { return libc::getcwd(place, room) };
        match shown(copied, libc::getcwd(ptr::null_mut(), 0)) {
            Some(path) => give(&path, place, room),
            None => ptr::null_mut(),
        }
    }
}

extern "C" fn get_current_dir_name() -> *mut c_char {
    // SAFETY: a call that returns new memory.
    unsafe { getcwd(ptr::null_mut(), 0) }
}

unsafe extern "C" fn realpath(path: *const c_char, place: *mut c_char) -> *mut c_char {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe {
        let Some(copied) = COPIED.get() else { return libc::realpath(path, place) };
        let found = with(path, |path| libc::realpath(path, ptr::null_mut()));
        match shown(copied, found) {
            Some(path) => give(&path, place, libc::PATH_MAX as usize),
            None => ptr::null_mut(),
        }
    }
}

unsafe extern "C" fn realpath_checked(
    path: *const c_char,
    place: *mut c_char,
    _room: usize,
) -> *mut c_char {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { realpath(path, place) }
}

unsafe extern "C" fn canonicalize_file_name(path: *const c_char) -> *mut c_char {
    // SAFETY: the program vouches for the argument, which is passed on.
    unsafe { realpath(path, ptr::null_mut()) }
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("access", access as *const () as usize),
        ("stat", stat as *const () as usize),
        ("stat64", stat as *const () as usize),
        ("__xstat", stat_of_version as *const () as usize),
        ("__xstat64", stat_of_version as *const () as usize),
        ("lstat", lstat as *const () as usize),
        ("lstat64", lstat as *const () as usize),
        ("__lxstat", lstat_of_version as *const () as usize),
        ("__lxstat64", lstat_of_version as *const () as usize),
        ("statfs", statfs as *const () as usize),
        ("statfs64", statfs as *const () as usize),
        ("statx", statx as *const () as usize),
        ("fstatat", fstatat as *const () as usize),
        ("fstatat64", fstatat as *const () as usize),
        ("faccessat", faccessat as *const () as usize),
        ("mkdir", mkdir as *const () as usize),
        ("mkdirat", mkdirat as *const () as usize),
        ("mkdtemp", mkdtemp as *const () as usize),
        ("mkfifo", mkfifo as *const () as usize),
        ("rmdir", rmdir as *const () as usize),
        ("unlink", unlink as *const () as usize),
        ("unlinkat", unlinkat as *const () as usize),
        ("remove", remove as *const () as usize),
        ("rename", rename as *const () as usize),
        ("link", link as *const () as usize),
        ("symlink", symlink as *const () as usize),
        ("opendir", opendir as *const () as usize),
        ("chmod", chmod as *const () as usize),
        ("chown", chown as *const () as usize),
        ("truncate", truncate as *const () as usize),
        ("truncate64", truncate as *const () as usize),
        ("utime", utime as *const () as usize),
        ("utimes", utimes as *const () as usize),
        ("getcwd", getcwd as *const () as usize),
        ("get_current_dir_name", get_current_dir_name as *const () as usize),
        ("realpath", realpath as *const () as usize),
        ("__realpath_chk", realpath_checked as *const () as usize),
        ("canonicalize_file_name", canonicalize_file_name as *const () as usize),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_below_the_folder_lead_to_the_copy() {
        let copied = Copied { folder: "/home/ann/work".into(), copy: "/tmp/wt/3/copy".into() };
        let at = |present: &str, path: &str| {
            let found = copied.translated(Path::new(path), Path::new(present));
            found.map(|found| found.to_string_lossy().into_owned())
        };
        let present = "/tmp/wt/3/copy";
        assert_eq!(at(present, "out.txt"), None);
        assert_eq!(at(present, "/etc/hosts"), None);
        assert_eq!(at(present, "/home/ann/workshop"), None);
        assert_eq!(at(present, "/home/ann/work/a/../b").as_deref(), Some("/tmp/wt/3/copy/b"));
        assert_eq!(at(present, "/home/ann/work").as_deref(), Some("/tmp/wt/3/copy"));
        assert_eq!(at(present, "../input/x").as_deref(), Some("/home/ann/input/x"));
        let below = "/tmp/wt/3/copy/results";
        assert_eq!(at(below, "../out.txt").as_deref(), Some("/tmp/wt/3/copy/out.txt"));
        assert_eq!(copied.shown(Path::new(below)), Path::new("/home/ann/work/results"));
        assert_eq!(copied.shown(Path::new("/home/ann")), Path::new("/home/ann"));
    }
}
