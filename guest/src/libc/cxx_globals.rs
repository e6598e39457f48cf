//! What the C++ library keeps once for a process, for each rank: the function that `operator new` calls when there is no
//! memory, and the locale that streams begin with. The library is shared by all ranks, of several simulations at a time.
#![allow(
    unsafe_code,
    reason = "calls functions of the C++ library, which make objects in places of the program"
)]

use std::{
    cell::Cell,
    ffi::{CStr, c_char},
    mem,
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use super::{locale, rank::Rank};
use crate::{loader::symbol::host_symbol, replacement::Replacement};

/// Whether any rank of this process has ever set one of the values.
static CHANGED: AtomicBool = AtomicBool::new(false);

/// The values of one rank.
#[derive(Default)]
struct Globals {
    /// The function set by `std::set_new_handler`; 0 if there is none.
    new_handler: Cell<usize>,
    /// The object set by `std::locale::global`; 0 if there is none. Its reference is never given back: what it refers to
    /// may be a part of the program, which is gone first.
    locale: Cell<usize>,
}

/// Returns the values of the running rank, if any rank has set one.
fn present<'a>() -> Option<&'a Globals> {
    CHANGED.load(Ordering::Relaxed).then(Rank::current).flatten().map(Rank::state)
}

/// Returns the values of the running rank, to set one.
fn to_change<'a>() -> &'a Globals {
    CHANGED.store(true, Ordering::Relaxed);
    Rank::running().state()
}

/// Implements `std::set_new_handler`.
extern "C" fn set_new_handler(handler: usize) -> usize {
    to_change().new_handler.replace(handler)
}

/// Implements `std::get_new_handler`, which the operators of the library call, too.
pub(super) extern "C" fn get_new_handler() -> usize {
    present().map_or(0, |globals| globals.new_handler.get())
}

/// Returns a function of the library by its name.
fn of_library(name: &str, known: &OnceLock<usize>) -> usize {
    // The program, or the library itself, has just called another function of the library.
    *known.get_or_init(|| host_symbol(name).unwrap_or_else(|| std::process::abort()))
}

/// Makes a locale at a place: a copy of another one.
fn copy(place: *mut usize, other: *const usize) {
    static HOST: OnceLock<usize> = OnceLock::new();
    // SAFETY: this is the type of the copy constructor of `std::locale`; the caller passes a place for such an object, and
    // an object of that kind.
    unsafe {
        let host: extern "C" fn(*mut usize, *const usize) =
            mem::transmute(of_library("_ZNSt6localeC1ERKS_", &HOST));
        host(place, other);
    }
}

/// Implements `std::locale::locale()`: makes a copy of the global locale at a place.
pub(super) extern "C" fn make(place: *mut usize) {
    static HOST: OnceLock<usize> = OnceLock::new();
    match present().filter(|globals| globals.locale.get() != 0) {
        Some(globals) => copy(place, globals.locale.as_ptr()),
        // SAFETY: this is the type of the constructor. The global locale of the process stays "C".
        None => unsafe {
            let host: extern "C" fn(*mut usize) =
                mem::transmute(of_library("_ZNSt6localeC1Ev", &HOST));
            host(place);
        },
    }
}

/// Implements `std::locale::global`: `previous` is the place for the result.
extern "C-unwind" fn set_global(previous: *mut usize, new: *const usize) -> *mut usize {
    let globals = to_change();
    make(previous);
    let mut own = 0;
    copy(&raw mut own, new);
    globals.locale.set(own);
    with_name(new, locale::set_all);
    previous
}

/// Calls a function with the name of a locale of the library, unless it has none.
fn with_name(object: *const usize, call: impl FnOnce(&CStr)) {
    static NAME: OnceLock<usize> = OnceLock::new();
    /// `std::string` of libstdc++.
    #[repr(C)]
    struct Text {
        start: *mut c_char,
        length: usize,
        within: [u64; 2],
    }
    let mut text = Text { start: std::ptr::null_mut(), length: 0, within: [0; 2] };
    // SAFETY: this is the type of `std::locale::name`, with the place for the result in front. The text ends in a zero,
    // and is released as the library would do it.
    unsafe {
        let name: extern "C" fn(*mut Text, *const usize) -> *mut Text =
            mem::transmute(of_library("_ZNKSt6locale4nameB5cxx11Ev", &NAME));
        name(&raw mut text, object);
        let name = CStr::from_ptr(text.start);
        if name != c"*" {
            call(name);
        }
        if !std::ptr::eq(text.start.cast(), &raw const text.within) {
            libc::free(text.start.cast());
        }
    }
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("_ZSt15set_new_handlerPFvvE", set_new_handler as *const () as usize),
        ("_ZSt15get_new_handlerv", get_new_handler as *const () as usize),
        ("_ZNSt6localeC1Ev", make as *const () as usize),
        ("_ZNSt6localeC2Ev", make as *const () as usize),
        ("_ZNSt6locale6globalERKS_", set_global as *const () as usize),
    ]
}
