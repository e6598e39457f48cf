//! Output of wide characters, in the encoding of the rank's locale.
#![allow(unsafe_code, reason = "speaks with stdio of the host's libc")]

use std::{
    ffi::{c_char, c_int, c_uint, c_void},
    ptr, slice,
};

use super::END;
use crate::{
    libc::{
        report::variadic,
        stdio::{File, descriptor_of, shown_output},
    },
    replacement::Replacement,
};

/// What `wcrtomb` returns for a character that the encoding lacks.
const LACKING: usize = usize::MAX;

/// Most bytes of a character in any encoding.
const CHARACTER_MAX: usize = 16;

unsafe extern "C" {
    #[link_name = "fputwc"]
    fn put_of_library(wide: libc::wchar_t, file: File) -> c_uint;
    #[link_name = "fputws"]
    fn text_of_library(text: *const libc::wchar_t, file: File) -> c_int;
    #[link_name = "fwide"]
    fn orient_of_library(file: File, mode: c_int) -> c_int;
    fn vfwprintf(file: File, format: *const libc::wchar_t, list: *mut c_void) -> c_int;
    fn open_wmemstream(text: *mut *mut libc::wchar_t, length: *mut usize) -> File;
    fn wcrtomb(bytes: *mut c_char, wide: libc::wchar_t, state: *mut u64) -> usize;
    fn wcslen(text: *const libc::wchar_t) -> usize;
}

/// Asks the library for the orientation of a stream of its own.
pub(super) fn oriented(file: File, mode: c_int) -> c_int {
    // SAFETY: the arguments are those of the program.
    unsafe { orient_of_library(file, mode) }
}

/// Returns a text without the null character at its end.
///
/// # Safety
/// It ends with a null character, and nothing changes it meanwhile.
pub(super) unsafe fn text_at<'a>(text: *const libc::wchar_t) -> &'a [libc::wchar_t] {
    // SAFETY: as above.
    unsafe { slice::from_raw_parts(text, wcslen(text)) }
}

/// Returns the bytes of a text. As in the library, a question mark takes the place of what the encoding lacks.
pub(super) fn encoded(text: &[libc::wchar_t]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut state = 0;
    for wide in text {
        let mut character = [0u8; CHARACTER_MAX];
        // SAFETY: variables of ours; the state of a conversion has eight bytes.
        let length = unsafe { wcrtomb(character.as_mut_ptr().cast(), *wide, &raw mut state) };
        match length {
            LACKING => bytes.push(b'?'),
            _ => bytes.extend_from_slice(&character[..length]),
        }
    }
    bytes
}

/// Writes a text to a stream of ours. Returns whether all of it was written.
fn write(text: &[libc::wchar_t], file: File) -> bool {
    let bytes = encoded(text);
    // SAFETY: an open stream.
    unsafe { libc::fwrite(bytes.as_ptr().cast(), 1, bytes.len(), file) == bytes.len() }
}

pub(in crate::libc::stdio) unsafe extern "C" fn put(wide: libc::wchar_t, file: File) -> c_uint {
    if descriptor_of(file).is_none() {
        // SAFETY: the arguments are passed on unchanged.
        return unsafe { put_of_library(wide, file) };
    }
    if write(&[wide], file) { wide as c_uint } else { END }
}

unsafe extern "C" fn put_out(wide: libc::wchar_t) -> c_uint {
    // SAFETY: the stream is the program's.
    unsafe { put(wide, shown_output()) }
}

unsafe extern "C" fn put_text(text: *const libc::wchar_t, file: File) -> c_int {
    if descriptor_of(file).is_none() {
        // SAFETY: the arguments are passed on unchanged.
        return unsafe { text_of_library(text, file) };
    }
    // SAFETY: the program passes a text that ends with a null character.
    if write(unsafe { text_at(text) }, file) { 1 } else { -1 }
}

unsafe extern "C" fn print_list(
    file: File,
    format: *const libc::wchar_t,
    list: *mut c_void,
) -> c_int {
    if descriptor_of(file).is_none() {
        // SAFETY: the arguments are passed on unchanged.
        return unsafe { vfwprintf(file, format, list) };
    }
    let (mut text, mut length) = (ptr::null_mut(), 0);
    // SAFETY: the program passes a format and matching arguments; the text is ours to free, and is there once the stream
    // that makes it is closed.
    unsafe {
        let memory = open_wmemstream(&raw mut text, &raw mut length);
        if memory.is_null() {
            return -1;
        }
        let printed = vfwprintf(memory, format, list);
        libc::fclose(memory);
        let written = printed >= 0 && write(slice::from_raw_parts(text, length), file);
        libc::free(text.cast());
        if written { printed } else { -1 }
    }
}

unsafe extern "C" fn print_list_checked(
    file: File,
    _level: c_int,
    format: *const libc::wchar_t,
    list: *mut c_void,
) -> c_int {
    // SAFETY: the arguments are passed on.
    unsafe { print_list(file, format, list) }
}

unsafe extern "C" fn print_list_out(format: *const libc::wchar_t, list: *mut c_void) -> c_int {
    // SAFETY: the stream is the program's, and the arguments are passed on.
    unsafe { print_list(shown_output(), format, list) }
}

unsafe extern "C" fn print_list_out_checked(
    _level: c_int,
    format: *const libc::wchar_t,
    list: *mut c_void,
) -> c_int {
    // SAFETY: the arguments are passed on.
    unsafe { print_list_out(format, list) }
}

variadic!(print, 2, print_list);
variadic!(print_checked, 3, print_list_checked);
variadic!(print_out, 1, print_list_out);
variadic!(print_out_checked, 2, print_list_out_checked);

pub(super) fn functions() -> Vec<Replacement> {
    vec![
        ("fputwc", put as *const () as usize),
        ("fputwc_unlocked", put as *const () as usize),
        ("putwc", put as *const () as usize),
        ("putwc_unlocked", put as *const () as usize),
        ("putwchar", put_out as *const () as usize),
        ("putwchar_unlocked", put_out as *const () as usize),
        ("fputws", put_text as *const () as usize),
        ("fputws_unlocked", put_text as *const () as usize),
        ("fwprintf", print as *const () as usize),
        ("__fwprintf_chk", print_checked as *const () as usize),
        ("vfwprintf", print_list as *const () as usize),
        ("__vfwprintf_chk", print_list_checked as *const () as usize),
        ("wprintf", print_out as *const () as usize),
        ("__wprintf_chk", print_out_checked as *const () as usize),
        ("vwprintf", print_list_out as *const () as usize),
        ("__vwprintf_chk", print_list_out_checked as *const () as usize),
    ]
}
