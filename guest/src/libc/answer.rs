//! Functions of libc that return pointers to static memory or keep a table; each rank has its own
//! copy.
#![allow(unsafe_code, reason = "calls the reentrant functions of libc")]

use std::{
    cell::UnsafeCell,
    ffi::{CStr, c_char, c_double, c_int, c_long, c_uint, c_void},
    mem,
};

use super::rank::Rank;
use crate::{loader::symbol::host_symbol, replacement::Replacement};

/// Size of the buffer of `tmpnam` (`L_tmpnam`).
const NAME_BYTES: usize = 20;
/// Size of the longest decimal text of a number: all digits of the largest `double`.
const DIGITS: usize = 344;

/// `ENTRY` of `<search.h>`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Entry {
    key: *mut c_char,
    data: *mut c_void,
}

/// `struct hsearch_data` of `<search.h>`.
#[repr(C)]
struct Table {
    table: *mut c_void,
    size: c_uint,
    filled: c_uint,
}

/// The static memory of these functions for one rank.
struct Kept {
    error: [c_char; 128],
    signal: [c_char; 128],
    address: [c_char; 24],
    name: [c_char; NAME_BYTES],
    number: [c_char; 8],
    digits: [[c_char; DIGITS]; 2],
    table: Table,
}

/// The static memory of a rank, allocated when one of the functions is first called.
#[derive(Default)]
pub(crate) struct Answers(UnsafeCell<Option<Box<Kept>>>);

unsafe extern "C" {
    fn strerror_r(error: c_int, text: *mut c_char, bytes: usize) -> *mut c_char;
    fn sigdescr_np(signal: c_int) -> *const c_char;
    fn ether_ntoa_r(address: *const c_void, text: *mut c_char) -> *mut c_char;
    fn ecvt_r(
        value: c_double,
        digits: c_int,
        point: *mut c_int,
        sign: *mut c_int,
        text: *mut c_char,
        bytes: usize,
    ) -> c_int;
    fn fcvt_r(
        value: c_double,
        digits: c_int,
        point: *mut c_int,
        sign: *mut c_int,
        text: *mut c_char,
        bytes: usize,
    ) -> c_int;
    fn hcreate_r(size: usize, table: *mut Table) -> c_int;
    fn hdestroy_r(table: *mut Table);
    fn hsearch_r(item: Entry, action: c_int, found: *mut *mut Entry, table: *mut Table) -> c_int;
}

/// Returns the static memory of the calling rank.
fn kept<'a>() -> &'a mut Kept {
    let rank = Rank::running();
    // SAFETY: there is one thread, and no two of the functions below are active at once. All zeros
    // are empty texts and an absent table.
    unsafe {
        let kept = &mut *rank.state::<Answers>().0.get();
        kept.get_or_insert_with(|| Box::new(mem::zeroed()))
    }
}

/// Writes a NUL-terminated text to a place with room for it.
fn write(place: &mut [c_char], text: &[u8]) -> *mut c_char {
    let length = text.len().min(place.len() - 1);
    for (to, from) in place.iter_mut().zip(text[..length].iter().chain([&0])) {
        *to = *from as c_char;
    }
    place.as_mut_ptr()
}

extern "C" fn strerror(error: c_int) -> *mut c_char {
    let place = &mut kept().error;
    // SAFETY: the place has room for that many bytes; known errors have constant texts.
    unsafe { strerror_r(error, place.as_mut_ptr(), place.len()) }
}

extern "C" fn strerror_in(error: c_int, _locale: usize) -> *mut c_char {
    strerror(error)
}

extern "C" fn strsignal(signal: c_int) -> *mut c_char {
    // SAFETY: calls of the library; the text is copied before any other call.
    unsafe {
        let text = libc::strsignal(signal);
        if !sigdescr_np(signal).is_null() {
            return text;
        }
        write(&mut kept().signal, CStr::from_ptr(text).to_bytes())
    }
}

/// Implements `inet_ntoa`; the address is in network byte order.
extern "C" fn inet_ntoa(address: u32) -> *mut c_char {
    let [a, b, c, d] = address.to_ne_bytes();
    write(&mut kept().address, format!("{a}.{b}.{c}.{d}").as_bytes())
}

unsafe extern "C" fn ether_ntoa(address: *const c_void) -> *mut c_char {
    // SAFETY: the argument is passed on unchanged, with a buffer of 18 bytes.
    unsafe { ether_ntoa_r(address, kept().address.as_mut_ptr()) }
}

unsafe extern "C" fn tmpnam(place: *mut c_char) -> *mut c_char {
    let Some(address) = host_symbol("tmpnam") else { return std::ptr::null_mut() };
    let place = if place.is_null() { kept().name.as_mut_ptr() } else { place };
    // SAFETY: the buffer belongs to this function, which writes at most `L_tmpnam` bytes.
    unsafe {
        let function: extern "C" fn(*mut c_char) -> *mut c_char = mem::transmute(address);
        function(place)
    }
}

/// Implements `l64a`: six bits per character, the lowest first; only 32 bits count.
extern "C" fn l64a(value: c_long) -> *mut c_char {
    const CHARACTERS: &[u8; 64] =
        b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut rest = value as u32;
    let mut text = Vec::new();
    while rest != 0 {
        text.push(CHARACTERS[rest as usize % 64]);
        rest /= 64;
    }
    write(&mut kept().number, &text)
}

unsafe extern "C" fn ecvt(
    value: c_double,
    digits: c_int,
    point: *mut c_int,
    sign: *mut c_int,
) -> *mut c_char {
    let place = kept().digits[0].as_mut_ptr();
    // SAFETY: the arguments are passed on unchanged, with a buffer of that many bytes.
    unsafe { ecvt_r(value, digits, point, sign, place, DIGITS) };
    place
}

unsafe extern "C" fn fcvt(
    value: c_double,
    digits: c_int,
    point: *mut c_int,
    sign: *mut c_int,
) -> *mut c_char {
    let place = kept().digits[1].as_mut_ptr();
    // SAFETY: the arguments are passed on unchanged, with a buffer of that many bytes.
    unsafe { fcvt_r(value, digits, point, sign, place, DIGITS) };
    place
}

extern "C" fn hcreate(size: usize) -> c_int {
    // SAFETY: the rank's own table.
    unsafe { hcreate_r(size, &raw mut kept().table) }
}

extern "C" fn hdestroy() {
    // SAFETY: the rank's own table.
    unsafe { hdestroy_r(&raw mut kept().table) };
}

extern "C" fn hsearch(item: Entry, action: c_int) -> *mut Entry {
    let mut found = std::ptr::null_mut();
    // SAFETY: the arguments are passed on unchanged, with the rank's own table.
    unsafe { hsearch_r(item, action, &raw mut found, &raw mut kept().table) };
    found
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("strerror", strerror as *const () as usize),
        ("strerror_l", strerror_in as *const () as usize),
        ("strsignal", strsignal as *const () as usize),
        ("inet_ntoa", inet_ntoa as *const () as usize),
        ("ether_ntoa", ether_ntoa as *const () as usize),
        ("tmpnam", tmpnam as *const () as usize),
        ("l64a", l64a as *const () as usize),
        ("ecvt", ecvt as *const () as usize),
        ("fcvt", fcvt as *const () as usize),
        ("hcreate", hcreate as *const () as usize),
        ("hdestroy", hdestroy as *const () as usize),
        ("hsearch", hsearch as *const () as usize),
    ]
}
