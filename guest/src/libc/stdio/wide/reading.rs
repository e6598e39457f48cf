//! Input of wide characters, in the encoding of the rank's locale.
#![allow(unsafe_code, reason = "speaks with stdio of the host's libc")]

use std::ffi::{c_char, c_int, c_uint, c_void};

use super::{
    END,
    writing::{encoded, text_at},
};
use crate::{
    libc::{
        errno::fails,
        report::variadic,
        stdio::{File, descriptor_of, shown_input, ungetc},
    },
    replacement::Replacement,
};

/// What `mbrtowc` returns while bytes of a character are missing.
const INCOMPLETE: usize = usize::MAX - 1;
/// What `mbrtowc` returns for bytes that are no character.
const INVALID: usize = usize::MAX;

unsafe extern "C" {
    #[link_name = "fgetwc"]
    fn get_of_library(file: File) -> c_uint;
    #[link_name = "fgetws"]
    fn line_of_library(text: *mut libc::wchar_t, room: c_int, file: File) -> *mut libc::wchar_t;
    fn mbrtowc(
        wide: *mut libc::wchar_t,
        bytes: *const c_char,
        count: usize,
        state: *mut u64,
    ) -> usize;
    #[link_name = "ungetwc"]
    fn unget_of_library(wide: c_uint, file: File) -> c_uint;
    #[link_name = "__isoc99_vfwscanf"]
    fn scan_of_library(file: File, format: *const libc::wchar_t, list: *mut c_void) -> c_int;
    #[link_name = "__isoc99_vfscanf"]
    fn scan_bytes(file: File, format: *const c_char, list: *mut c_void) -> c_int;
}

pub(in crate::libc::stdio) unsafe extern "C" fn get(file: File) -> c_uint {
    if descriptor_of(file).is_none() {
        // SAFETY: the arguments are passed on unchanged.
        return unsafe { get_of_library(file) };
    }
    let (mut wide, mut state) = (0, 0);
    loop {
        // SAFETY: an open stream.
        let byte = unsafe { libc::fgetc(file) };
        if byte == libc::EOF {
            return END;
        }
        let byte = byte as c_char;
        // SAFETY: variables of ours; the state of a conversion has eight bytes.
        match unsafe { mbrtowc(&raw mut wide, &raw const byte, 1, &raw mut state) } {
            INCOMPLETE => {}
            INVALID => {
                fails(libc::EILSEQ);
                return END;
            }
            _ => return wide as c_uint,
        }
    }
}

unsafe extern "C" fn get_line(
    text: *mut libc::wchar_t,
    room: c_int,
    file: File,
) -> *mut libc::wchar_t {
    if descriptor_of(file).is_none() || room < 1 {
        // SAFETY: the arguments are passed on unchanged.
        return unsafe { line_of_library(text, room, file) };
    }
    let mut length = 0;
    while length < room as usize - 1 {
        // SAFETY: the program vouches for the stream.
        let wide = unsafe { get(file) };
        if wide == END {
            break;
        }
        // SAFETY: the program passes room for that many characters.
        unsafe { *text.add(length) = wide as libc::wchar_t };
        length += 1;
        if wide == c_uint::from(b'\n') {
            break;
        }
    }
    if length == 0 && room > 1 {
        return std::ptr::null_mut();
    }
    // SAFETY: as above.
    unsafe { *text.add(length) = 0 };
    text
}

unsafe extern "C" fn get_line_checked(
    text: *mut libc::wchar_t,
    _size: usize,
    room: c_int,
    file: File,
) -> *mut libc::wchar_t {
    // SAFETY: the arguments are passed on.
    unsafe { get_line(text, room, file) }
}

unsafe extern "C" fn get_in() -> c_uint {
    // SAFETY: the stream is the program's.
    unsafe { get(shown_input()) }
}

pub(in crate::libc::stdio) unsafe extern "C" fn unget(wide: c_uint, file: File) -> c_uint {
    if descriptor_of(file).is_none() {
        // SAFETY: the arguments are passed on unchanged.
        return unsafe { unget_of_library(wide, file) };
    }
    if wide == END {
        return END;
    }
    let bytes = encoded(&[wide as libc::wchar_t]);
    let put_back = |byte: &u8| ungetc(c_int::from(*byte), file) != libc::EOF;
    if bytes.iter().rev().all(put_back) { wide } else { END }
}

/// Reads by a format. Its conversions mean the same in a format of bytes, but that fields are as long in bytes as they were
/// in characters.
unsafe extern "C" fn scan_list(
    file: File,
    format: *const libc::wchar_t,
    list: *mut c_void,
) -> c_int {
    if descriptor_of(file).is_none() {
        // SAFETY: the arguments are passed on unchanged.
        return unsafe { scan_of_library(file, format, list) };
    }
    // SAFETY: the program passes a format that ends with a null character, and matching arguments.
    unsafe {
        let mut bytes = encoded(text_at(format));
        bytes.push(0);
        scan_bytes(file, bytes.as_ptr().cast(), list)
    }
}

unsafe extern "C" fn scan_list_in(format: *const libc::wchar_t, list: *mut c_void) -> c_int {
    // SAFETY: the stream is the program's, and the arguments are passed on.
    unsafe { scan_list(shown_input(), format, list) }
}

variadic!(scan, 2, scan_list);
variadic!(scan_in, 1, scan_list_in);

pub(super) fn functions() -> Vec<Replacement> {
    vec![
        ("fgetwc", get as *const () as usize),
        ("fgetwc_unlocked", get as *const () as usize),
        ("getwc", get as *const () as usize),
        ("getwc_unlocked", get as *const () as usize),
        ("getwchar", get_in as *const () as usize),
        ("getwchar_unlocked", get_in as *const () as usize),
        ("fgetws", get_line as *const () as usize),
        ("fgetws_unlocked", get_line as *const () as usize),
        ("__fgetws_chk", get_line_checked as *const () as usize),
        ("ungetwc", unget as *const () as usize),
        ("fwscanf", scan as *const () as usize),
        ("__isoc99_fwscanf", scan as *const () as usize),
        ("__isoc23_fwscanf", scan as *const () as usize),
        ("vfwscanf", scan_list as *const () as usize),
        ("__isoc99_vfwscanf", scan_list as *const () as usize),
        ("__isoc23_vfwscanf", scan_list as *const () as usize),
        ("wscanf", scan_in as *const () as usize),
        ("__isoc99_wscanf", scan_in as *const () as usize),
        ("__isoc23_wscanf", scan_in as *const () as usize),
        ("vwscanf", scan_list_in as *const () as usize),
        ("__isoc99_vwscanf", scan_list_in as *const () as usize),
        ("__isoc23_vwscanf", scan_list_in as *const () as usize),
    ]
}
