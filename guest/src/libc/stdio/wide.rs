//! Wide characters from streams of ours: the library reads them from its own streams only.
#![allow(unsafe_code, reason = "speaks with stdio of the host's libc")]

use std::ffi::{c_char, c_int, c_uint};

use super::{File, descriptor_of};
use crate::{libc::errno::fails, replacement::Replacement};

/// What the library returns at the end of a stream.
const END: c_uint = c_uint::MAX;
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
}

unsafe extern "C" fn get(file: File) -> c_uint {
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

/// Returns the functions, which may wait for other ranks.
pub(super) fn waiting() -> Vec<Replacement> {
    let names = ["fgetwc", "fgetwc_unlocked", "getwc", "getwc_unlocked"];
    let lines = ["fgetws", "fgetws_unlocked"];
    let get = names.map(|name| (name, get as *const () as usize));
    get.into_iter().chain(lines.map(|name| (name, get_line as *const () as usize))).collect()
}
