//! Shared memory, semaphores and message queues with a name get names of this process.
#![allow(unsafe_code, reason = "is called by programs and passes their names on")]

use std::{
    ffi::{CStr, CString, c_char, c_int},
    sync::OnceLock,
};

use crate::replacement::Replacement;

/// What precedes the names of shared objects.
static PREFIX: OnceLock<String> = OnceLock::new();

/// From now on the names of shared memory, semaphores and message queues of this process begin with
/// `prefix`.
pub fn name_shared_memory(prefix: &str) {
    PREFIX.get_or_init(|| prefix.to_string());
}

/// Calls a function with the name of a shared object of this process.
fn named<T>(name: *const c_char, body: impl FnOnce(*const c_char) -> T) -> T {
    let own = PREFIX.get().filter(|_| !name.is_null()).and_then(|prefix| {
        // SAFETY: the program passes a C string.
        let name = unsafe { CStr::from_ptr(name) }.to_bytes();
        let name = name.strip_prefix(b"/").unwrap_or(name);
        CString::new([b"/", prefix.as_bytes(), name].concat()).ok()
    });
    match own {
        Some(own) => body(own.as_ptr()),
        None => body(name),
    }
}

unsafe extern "C" fn shm_open(name: *const c_char, flags: c_int, mode: libc::mode_t) -> c_int {
    // SAFETY: the program vouches for the arguments, which are passed on.
    named(name, |name| unsafe { libc::shm_open(name, flags, mode) })
}

unsafe extern "C" fn shm_unlink(name: *const c_char) -> c_int {
    // SAFETY: the program vouches for the argument, which is passed on.
    named(name, |name| unsafe { libc::shm_unlink(name) })
}

unsafe extern "C" fn sem_open(
    name: *const c_char,
    flags: c_int,
    mode: libc::mode_t,
    value: u32,
) -> *mut libc::sem_t {
    // SAFETY: the program vouches for the arguments; the last two are ignored if the flags say so.
    named(name, |name| unsafe { libc::sem_open(name, flags, mode, value) })
}

unsafe extern "C" fn sem_unlink(name: *const c_char) -> c_int {
    // SAFETY: the program vouches for the argument, which is passed on.
    named(name, |name| unsafe { libc::sem_unlink(name) })
}

unsafe extern "C" fn mq_open(
    name: *const c_char,
    flags: c_int,
    mode: libc::mode_t,
    attributes: *const libc::mq_attr,
) -> libc::mqd_t {
    // SAFETY: the program vouches for the arguments; the last two are ignored if the flags say so.
    named(name, |name| unsafe { libc::mq_open(name, flags, mode, attributes) })
}

unsafe extern "C" fn mq_unlink(name: *const c_char) -> c_int {
    // SAFETY: the program vouches for the argument, which is passed on.
    named(name, |name| unsafe { libc::mq_unlink(name) })
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("shm_open", shm_open as *const () as usize),
        ("shm_unlink", shm_unlink as *const () as usize),
        ("sem_open", sem_open as *const () as usize),
        ("sem_unlink", sem_unlink as *const () as usize),
        ("mq_open", mq_open as *const () as usize),
        ("__mq_open_2", mq_open as *const () as usize),
        ("mq_unlink", mq_unlink as *const () as usize),
    ]
}
