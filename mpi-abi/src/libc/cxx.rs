//! C++: exceptions and what the run-time system keeps for each rank.
#![allow(unsafe_code, reason = "speaks with the C++ run-time system of the host")]

use std::{
    ffi::{CStr, c_char, c_int, c_void},
    ptr,
    sync::atomic::{AtomicUsize, Ordering},
};

use super::{Replacement, ending::Ending, process, rank::Rank};
use crate::loader::host_symbol;

/// Exceptions that are being handled: what `__cxa_get_globals` points to.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Exceptions {
    caught: *mut c_void,
    uncaught: u32,
}

impl Default for Exceptions {
    fn default() -> Self {
        Self { caught: ptr::null_mut(), uncaught: 0 }
    }
}

/// `__cxa_get_globals`, once the C++ library is there.
static GLOBALS: AtomicUsize = AtomicUsize::new(0);

fn globals() -> Option<*mut Exceptions> {
    let address = GLOBALS.load(Ordering::Relaxed);
    if address == 0 {
        return None;
    }
    // SAFETY: the address is that of this function.
    let get: extern "C" fn() -> *mut Exceptions = unsafe { std::mem::transmute(address) };
    Some(get())
}

impl Exceptions {
    pub(super) fn take() -> Self {
        // SAFETY: the thread's own structure.
        globals().map_or_else(Self::default, |globals| unsafe { *globals })
    }

    pub(super) fn put(self) {
        if let Some(globals) = globals() {
            // SAFETY: as above.
            unsafe { *globals = self };
        }
    }
}

/// True if a program that needs these libraries may throw.
pub(crate) fn present(needed: &[String]) -> bool {
    needed
        .iter()
        .any(|name| ["libstdc++", "libc++", "libgcc_s"].iter().any(|l| name.starts_with(l)))
}

/// The C++ library is in the process.
pub(super) fn loaded() {
    if let Some(address) = host_symbol("__cxa_get_globals") {
        GLOBALS.store(address, Ordering::Relaxed);
    }
    if let Some(address) = host_symbol("_ZNSt8ios_base4InitC1Ev") {
        // The streams must be ready before images copy them. One more count of the objects that
        // keep them is never given back.
        // SAFETY: the address is that of the constructor of `std::ios_base::Init`, an empty class.
        let prepare: extern "C" fn(*mut c_void) = unsafe { std::mem::transmute(address) };
        let mut object = [0_u64; 2];
        prepare(object.as_mut_ptr().cast());
    }
    if let Some(address) = host_symbol("_ZSt13set_terminatePFvvE") {
        // SAFETY: the address is that of `std::set_terminate`.
        let set: extern "C" fn(extern "C" fn()) -> usize = unsafe { std::mem::transmute(address) };
        set(terminate);
    }
}

/// An exception that nobody catches ends its rank.
extern "C" fn terminate() {
    let Some(rank) = Rank::current() else { std::process::abort() };
    process::finish(rank, Ending::Uncaught(exception()))
}

/// The type of the present exception.
fn exception() -> String {
    let type_of = host_symbol("__cxa_current_exception_type");
    let demangle = host_symbol("__cxa_demangle");
    let (Some(type_of), Some(demangle)) = (type_of, demangle) else { return String::new() };
    // SAFETY: the addresses are those of functions of these types.
    unsafe {
        let type_of: extern "C" fn() -> *const [*const c_char; 2] = std::mem::transmute(type_of);
        let demangle: extern "C" fn(*const c_char, usize, usize, *mut c_int) -> *mut c_char =
            std::mem::transmute(demangle);
        let Some([_, mangled]) = type_of().as_ref() else { return "no exception".to_string() };
        let mut status = 0;
        let name = demangle(*mangled, 0, 0, &raw mut status);
        let shown = if name.is_null() { *mangled } else { name };
        let text = CStr::from_ptr(shown).to_string_lossy().into_owned();
        libc::free(name.cast());
        text
    }
}

/// Tells the unwinder of functions at these addresses.
pub(crate) fn register_frames(table: usize) {
    frames("__register_frame", table);
}

/// Takes `register_frames` back.
pub(crate) fn forget_frames(table: usize) {
    frames("__deregister_frame", table);
}

fn frames(function: &str, table: usize) {
    if let Some(address) = host_symbol(function) {
        // SAFETY: both functions take the address of a table that ends in a zero word.
        let function: extern "C" fn(usize) = unsafe { std::mem::transmute(address) };
        function(table);
    }
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![("_ZSt9terminatev", terminate as *const () as usize)]
}
