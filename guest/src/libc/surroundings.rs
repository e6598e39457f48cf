//! Environment variables and the working directory: each rank has its own, as processes do.
//!
//! The host's C library has one of each. They are restored whenever a rank is resumed; functions
//! that change variables work on a copy that belongs to the rank.
#![allow(unsafe_code, reason = "sets a variable of the C library and reads strings of programs")]

use std::{
    cell::{Cell, RefCell},
    ffi::{CStr, CString, c_char, c_int},
    io,
    os::unix::ffi::OsStrExt,
    path::Path,
    ptr,
    sync::OnceLock,
};

use super::{changes::note_change, errno::fails, folder, locale, rank::Rank};
use crate::replacement::Replacement;

unsafe extern "C" {
    static mut environ: *mut *mut c_char;
}

/// An environment in the form that C requires: strings `NAME=TEXT`, and a null pointer at the end.
pub struct Variables {
    pointers: Vec<*mut c_char>,
    /// The strings that are not the host's own; kept as long as the program may hold pointers to
    /// them.
    texts: Vec<CString>,
}

impl Variables {
    /// Copies the variables that the program sees now.
    fn present() -> Self {
        let mut pointers = Vec::new();
        let mut next = present();
        // SAFETY: the variables end in a null pointer, and none of them may be there at all.
        while let Some(text) = unsafe { next.as_ref() }.copied().filter(|text| !text.is_null()) {
            pointers.push(text);
            // SAFETY: as above.
            next = unsafe { next.add(1) };
        }
        pointers.push(ptr::null_mut());
        Self { pointers, texts: Vec::new() }
    }

    /// Returns the host's variables with changes; `None` removes a variable.
    pub fn changed(changes: &[(String, Option<String>)]) -> Self {
        let mut variables = Self::present();
        for (name, text) in changes {
            match text {
                Some(text) => variables.set(name.as_bytes(), text.as_bytes()),
                None => variables.remove(name.as_bytes()),
            }
        }
        variables
    }

    fn position(&self, name: &[u8]) -> Option<usize> {
        self.pointers.iter().position(|text| {
            // SAFETY: each but the last is a C string.
            let text = (!text.is_null()).then(|| unsafe { CStr::from_ptr(*text) }.to_bytes());
            let rest = text.and_then(|text| text.strip_prefix(name));
            rest.is_some_and(|rest| rest.first() == Some(&b'='))
        })
    }

    fn set(&mut self, name: &[u8], text: &[u8]) {
        let Ok(text) = CString::new([name, b"=", text].concat()) else { return };
        let pointer = text.as_ptr().cast_mut();
        self.texts.push(text);
        self.put(name, pointer);
    }

    fn put(&mut self, name: &[u8], text: *mut c_char) {
        match self.position(name) {
            Some(at) => self.pointers[at] = text,
            None => self.pointers.insert(self.pointers.len() - 1, text),
        }
    }

    fn remove(&mut self, name: &[u8]) {
        while let Some(at) = self.position(name) {
            self.pointers.remove(at);
        }
    }
}

thread_local! {
    /// The variables that this thread has set in the C library; null for the host's own. The C
    /// library has one place for all threads: a thread that uses the host's does not write it.
    static SHOWN: Cell<*mut *mut c_char> = const { Cell::new(ptr::null_mut()) };
}

/// Returns the variables that this thread uses now.
pub(super) fn present() -> *mut *mut c_char {
    let shown = SHOWN.get();
    if shown.is_null() { base() } else { shown }
}

/// Sets the variables in the C library.
#[inline]
pub(super) fn show(variables: *mut *mut c_char) {
    if variables != present() {
        note_change();
        SHOWN.set(if variables == base() { ptr::null_mut() } else { variables });
        // SAFETY: the array belongs to the host or to a rank that lives as long as it is shown.
        unsafe { environ = variables };
    }
}

/// Returns the host's own variables. First called before any rank has set its own.
fn base() -> *mut *mut c_char {
    static BASE: OnceLock<usize> = OnceLock::new();
    // SAFETY: reads a variable of the C library.
    *BASE.get_or_init(|| unsafe { environ } as usize) as *mut *mut c_char
}

/// Records the host's own variables; called when images are created.
pub(crate) fn remember_own() {
    base();
}

/// Restores the host's variables when no rank is left.
pub(crate) fn show_own() {
    show(base());
}

/// Directories of the ranks of this thread's simulation, each with the mask for the modes of new
/// files; the first is that of the host.
struct Folders {
    names: RefCell<Vec<(CString, libc::mode_t)>>,
}

thread_local! {
    static FOLDERS: Folders = const {
        Folders { names: RefCell::new(Vec::new()) }
    };

    /// Index of the process's present directory. Stored separately because it is read at each
    /// suspension.
    static PRESENT: Cell<u32> = const { Cell::new(0) };
}

/// Returns the index of the process's present directory.
#[inline]
pub(super) fn folder() -> u32 {
    PRESENT.get()
}

/// Reports whether variables and directory are the host's own.
#[inline]
pub(super) fn are_own() -> bool {
    SHOWN.get().is_null() && folder() == 0
}

/// Changes to a directory that was recorded before.
#[inline]
pub(super) fn go_to(folder: u32) {
    if PRESENT.get() != folder {
        FOLDERS.with(|folders| folders.go(folder));
    }
}

impl Folders {
    #[cold]
    fn go(&self, folder: u32) {
        if let Some((name, mask)) = self.names.borrow().get(folder as usize) {
            // SAFETY: the name is a C string. A folder that is gone is the program's own doing.
            unsafe {
                libc::chdir(name.as_ptr());
                libc::umask(*mask);
            }
            note_change();
            PRESENT.set(folder);
        }
    }

    /// Records the process's present directory and mask.
    fn note(&self, mask: libc::mode_t) {
        let here = std::env::current_dir().unwrap_or_default();
        let Ok(here) = CString::new(here.as_os_str().as_bytes()) else { return };
        let mut names = self.names.borrow_mut();
        let here = (here, mask);
        let known = names.iter().position(|known| *known == here);
        let number = known.unwrap_or_else(|| {
            names.push(here);
            names.len() - 1
        });
        if PRESENT.replace(number as u32) != number as u32 {
            note_change();
        }
    }
}

/// Returns the mask for the modes of new files.
fn mask() -> libc::mode_t {
    // SAFETY: sets the mask and puts it back; the ranks of a simulation share one thread.
    unsafe {
        let mask = libc::umask(0o077);
        libc::umask(mask);
        mask
    }
}

/// Begins a simulation on this thread: its ranks start in the present directory, with the present
/// mask.
pub fn begin() {
    FOLDERS.with(|folders| {
        folders.names.borrow_mut().clear();
        folders.note(mask());
    });
}

/// Begins a rank, with variables of its own or the host's, in a directory of its own or the host's.
///
/// # Errors
/// Returns an error if the directory does not exist.
pub fn enter(variables: Option<&mut Variables>, folder: Option<&Path>) -> io::Result<()> {
    show(variables.map_or_else(base, |variables| variables.pointers.as_mut_ptr()));
    go_to(0);
    if let Some(folder) = folder {
        std::env::set_current_dir(folder)?;
        FOLDERS.with(|folders| folders.note(mask()));
    }
    Ok(())
}

/// Restores the host's variables and directory: at the end of a simulation, and when a rank begins
/// or has ended.
pub fn end() {
    show_own();
    locale::show_own();
    go_to(0);
}

/// Sets the initial value of the program's variable `environ`.
pub(super) fn begin_rank(rank: &Rank) {
    let place = rank.c_variables.environment as *mut *mut *mut c_char;
    // SAFETY: the rank's cell.
    unsafe { place.write(present()) };
}

/// Sets the C library's variables to those of the program's variable `environ`.
pub(super) fn follow(rank: &Rank) {
    let place = rank.c_variables.environment as *const *mut *mut c_char;
    // SAFETY: the rank's cell.
    show(unsafe { place.read() });
}

/// Changes the variables of a rank.
fn change(act: impl FnOnce(&mut Variables)) -> c_int {
    let Some(rank) = Rank::current() else { return -1 };
    follow(rank);
    let mut own = rank.state::<RefCell<Option<Variables>>>().borrow_mut();
    let shown = own.as_ref().is_some_and(|own| ptr::eq(own.pointers.as_ptr(), present()));
    if !shown {
        // The program may have replaced `environ` by a copy that still uses these strings.
        let texts = own.take().map(|own| own.texts).unwrap_or_default();
        *own = Some(Variables { texts, ..Variables::present() });
    }
    let own = own.get_or_insert_with(Variables::present);
    act(own);
    show(own.pointers.as_mut_ptr());
    let place = rank.c_variables.environment as *mut *mut *mut c_char;
    // SAFETY: the rank's cell.
    unsafe { place.write(own.pointers.as_mut_ptr()) };
    0
}

/// Returns a name passed by a program; `None` if it is empty or contains `=`.
fn name_of<'a>(name: *const c_char) -> Option<&'a [u8]> {
    // SAFETY: the program passes a C string or null.
    let name = (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_bytes())?;
    (!name.is_empty() && !name.contains(&b'=')).then_some(name)
}

/// Returns a variable of the running rank's environment. The C library is not asked, because its
/// variables may be those of another simulation's rank, on another thread of the process.
pub(crate) fn variable(name: &str) -> Option<String> {
    let variables = Variables::present();
    let text = variables.pointers[variables.position(name.as_bytes())?];
    // SAFETY: each variable is a C string.
    let text = unsafe { CStr::from_ptr(text) }.to_bytes();
    Some(String::from_utf8_lossy(&text[name.len() + 1..]).into_owned())
}

unsafe extern "C" fn getenv(name: *const c_char) -> *mut c_char {
    if let Some(rank) = Rank::current() {
        follow(rank);
    }
    // SAFETY: the arguments are passed on unchanged.
    unsafe { libc::getenv(name) }
}

unsafe extern "C" fn setenv(name: *const c_char, text: *const c_char, overwrite: c_int) -> c_int {
    let Some(name) = name_of(name) else { return fails(libc::EINVAL) };
    // SAFETY: the program passes a C string.
    let text = unsafe { CStr::from_ptr(text) }.to_bytes();
    change(|variables| {
        if overwrite != 0 || variables.position(name).is_none() {
            variables.set(name, text);
        }
    })
}

unsafe extern "C" fn unsetenv(name: *const c_char) -> c_int {
    let Some(name) = name_of(name) else { return fails(libc::EINVAL) };
    change(|variables| variables.remove(name))
}

/// Makes the text itself part of the variables; a text without `=` names a variable to remove.
unsafe extern "C" fn putenv(text: *mut c_char) -> c_int {
    // SAFETY: the program passes a C string.
    let bytes = unsafe { CStr::from_ptr(text) }.to_bytes();
    let name = bytes.split(|byte| *byte == b'=').next().unwrap_or_default();
    change(|variables| match name.len() < bytes.len() {
        true => variables.put(name, text),
        false => variables.remove(name),
    })
}

extern "C" fn clearenv() -> c_int {
    change(|variables| {
        variables.pointers.clear();
        variables.pointers.push(ptr::null_mut());
    })
}

/// Records the present directory as the rank's after a successful change.
fn moved(result: c_int) -> c_int {
    if result == 0 {
        FOLDERS.with(|folders| folders.note(mask()));
    }
    result
}

unsafe extern "C" fn chdir(path: *const c_char) -> c_int {
    // SAFETY: the arguments are passed on unchanged.
    moved(folder::with(path, |path| unsafe { libc::chdir(path) }))
}

extern "C" fn fchdir(descriptor: c_int) -> c_int {
    // SAFETY: the arguments are passed on unchanged.
    moved(unsafe { libc::fchdir(descriptor) })
}

extern "C" fn umask(mask: libc::mode_t) -> libc::mode_t {
    // SAFETY: a call of the system without pointers.
    let before = unsafe { libc::umask(mask) };
    FOLDERS.with(|folders| folders.note(mask & 0o777));
    before
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("getenv", getenv as *const () as usize),
        ("secure_getenv", getenv as *const () as usize),
        ("umask", umask as *const () as usize),
        ("setenv", setenv as *const () as usize),
        ("unsetenv", unsetenv as *const () as usize),
        ("putenv", putenv as *const () as usize),
        ("clearenv", clearenv as *const () as usize),
        ("chdir", chdir as *const () as usize),
        ("fchdir", fchdir as *const () as usize),
    ]
}
