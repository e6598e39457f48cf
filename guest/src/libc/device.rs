//! System files with random numbers: `/dev/urandom` and similar files return numbers from the seed.
//!
//! A rank that opens one gets its own file, filled with the next random numbers of the rank. Unlike
//! the device, it ends after 256 KiB.
#![allow(unsafe_code, reason = "is called by programs and opens files")]

use std::{
    ffi::{CStr, CString, c_char, c_int},
    mem::ManuallyDrop,
};

use super::{entropy, errno::Outcome, folder, rank::Rank};
use crate::{loader::symbol::host_symbol, replacement::Replacement};

const DEVICES: [&CStr; 3] = [c"/dev/urandom", c"/dev/random", c"/dev/hwrng"];
/// System files that contain a random UUID, which is 36 characters long.
const NAMES: [&CStr; 2] = [c"/proc/sys/kernel/random/uuid", c"/proc/sys/kernel/random/boot_id"];
const BYTES: usize = 256 << 10;

/// Returns a random UUID in the notation of RFC 9562.
fn name() -> Vec<u8> {
    let (high, low) = (entropy::next(), entropy::next());
    let text = format!(
        "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}\n",
        high >> 32,
        (high >> 16) & 0xffff,
        high & 0xfff,
        0x8000 | (low >> 48) & 0x3fff,
        low & 0xffff_ffff_ffff,
    );
    text.into_bytes()
}

/// Returns the contents that replace a file for the running rank; `None` if the file is not
/// replaced.
fn contents(path: &CStr) -> Option<Vec<u8>> {
    Rank::current()?;
    if NAMES.contains(&path) {
        return Some(name());
    }
    DEVICES.contains(&path).then(|| {
        let mut bytes = vec![0_u8; BYTES];
        // SAFETY: the program vouches for the arguments, which are passed on.
        unsafe { entropy::fill(bytes.as_mut_ptr().cast(), BYTES) };
        bytes
    })
}

/// The replacement of a file, open until the value is dropped.
struct Stand {
    file: c_int,
    path: CString,
}

impl Stand {
    fn of(path: *const c_char) -> Option<Self> {
        // SAFETY: the program passes a C string or null.
        let path = (!path.is_null()).then(|| unsafe { CStr::from_ptr(path) })?;
        let bytes = contents(path)?;
        // SAFETY: the name is a C string, and the pointer and the length describe one slice.
        unsafe {
            let file = libc::memfd_create(c"random".as_ptr(), libc::MFD_CLOEXEC);
            if file < 0 || libc::write(file, bytes.as_ptr().cast(), bytes.len()) < 0 {
                return None;
            }
            Some(Self { file, path: CString::new(format!("/proc/self/fd/{file}")).ok()? })
        }
    }
}

impl Drop for Stand {
    fn drop(&mut self) {
        // SAFETY: the descriptor is ours.
        unsafe { libc::close(self.file) };
    }
}

/// Calls a function with the path of a file's replacement, or with the original path.
pub(super) fn with<T: Outcome>(path: *const c_char, body: impl FnOnce(*const c_char) -> T) -> T {
    match Stand::of(path) {
        Some(stand) => body(stand.path.as_ptr()),
        None => folder::with(path, body),
    }
}

/// `std::basic_filebuf<char>::open(const char *, std::ios_base::openmode)`.
const BUFFER_OPEN: &str = "_ZNSt13basic_filebufIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode";
/// The same function for `std::string`.
const BUFFER_OPEN_STRING: &str = "_ZNSt13basic_filebufIcSt11char_traitsIcEE4openERKNSt7__cxx1112basic_stringIcS1_SaIcEEESt13_Ios_Openmode";
/// Constructors of `std::ifstream` with a file name, as `const char *` and as `std::string`.
const STREAM: &str = "_ZNSt14basic_ifstreamIcSt11char_traitsIcEEC1EPKcSt13_Ios_Openmode";
const STREAM_STRING: &str = "_ZNSt14basic_ifstreamIcSt11char_traitsIcEEC1ERKNSt7__cxx1112basic_stringIcS1_SaIcEEESt13_Ios_Openmode";
/// The functions `std::ifstream::open` for `const char *` and `std::string`.
const STREAM_OPEN: &str = "_ZNSt14basic_ifstreamIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode";
const STREAM_OPEN_STRING: &str = "_ZNSt14basic_ifstreamIcSt11char_traitsIcEE4openERKNSt7__cxx1112basic_stringIcS1_SaIcEEESt13_Ios_Openmode";
/// The same four for `std::ofstream`.
const OUTPUT: &str = "_ZNSt14basic_ofstreamIcSt11char_traitsIcEEC1EPKcSt13_Ios_Openmode";
const OUTPUT_STRING: &str = "_ZNSt14basic_ofstreamIcSt11char_traitsIcEEC1ERKNSt7__cxx1112basic_stringIcS1_SaIcEEESt13_Ios_Openmode";
const OUTPUT_OPEN: &str = "_ZNSt14basic_ofstreamIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode";
const OUTPUT_OPEN_STRING: &str = "_ZNSt14basic_ofstreamIcSt11char_traitsIcEE4openERKNSt7__cxx1112basic_stringIcS1_SaIcEEESt13_Ios_Openmode";
/// The same four for `std::fstream`.
const BOTH: &str = "_ZNSt13basic_fstreamIcSt11char_traitsIcEEC1EPKcSt13_Ios_Openmode";
const BOTH_STRING: &str = "_ZNSt13basic_fstreamIcSt11char_traitsIcEEC1ERKNSt7__cxx1112basic_stringIcS1_SaIcEEESt13_Ios_Openmode";
const BOTH_OPEN: &str = "_ZNSt13basic_fstreamIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode";
const BOTH_OPEN_STRING: &str = "_ZNSt13basic_fstreamIcSt11char_traitsIcEE4openERKNSt7__cxx1112basic_stringIcS1_SaIcEEESt13_Ios_Openmode";

/// The start of a `std::string` of libstdc++, for reading only.
#[repr(C)]
struct Text {
    start: *const c_char,
    length: usize,
    room: [usize; 2],
}

type Opens = extern "C-unwind" fn(usize, usize, c_int) -> usize;

fn host(name: &str) -> Opens {
    let address = host_symbol(name).unwrap_or_else(|| std::process::abort());
    // SAFETY: the address is that of a function of the host's library that takes at most three
    // words and returns at most one.
    unsafe { std::mem::transmute(address) }
}

/// Calls a function of the C++ library that opens a file by name.
fn opens(name: &str, object: usize, path: *const c_char, mode: c_int) -> usize {
    with(path, |path| host(name)(object, path as usize, mode))
}

fn opens_text(name: &str, object: usize, text: *const Text, mode: c_int) -> usize {
    // SAFETY: the program passes a string object.
    let path = unsafe { (*text).start };
    with(path, |other| {
        if other == path {
            return host(name)(object, text as usize, mode);
        }
        // SAFETY: a C string.
        let length = unsafe { CStr::from_ptr(other) }.count_bytes();
        let other = ManuallyDrop::new(Text { start: other, length, room: [0; 2] });
        host(name)(object, (&raw const other) as usize, mode)
    })
}

/// Defines one function for each symbol, because a replacement is identified by its address alone.
macro_rules! opening {
    ($($function:ident = $opens:ident $name:ident $kind:ty;)*) => {$(
        extern "C-unwind" fn $function(object: usize, path: *const $kind, mode: c_int) -> usize {
            $opens($name, object, path, mode)
        }
    )*};
}

opening! {
    buffer_open = opens BUFFER_OPEN c_char;
    buffer_open_text = opens_text BUFFER_OPEN_STRING Text;
    stream = opens STREAM c_char;
    stream_text = opens_text STREAM_STRING Text;
    stream_open = opens STREAM_OPEN c_char;
    stream_open_text = opens_text STREAM_OPEN_STRING Text;
    output = opens OUTPUT c_char;
    output_text = opens_text OUTPUT_STRING Text;
    output_open = opens OUTPUT_OPEN c_char;
    output_open_text = opens_text OUTPUT_OPEN_STRING Text;
    both = opens BOTH c_char;
    both_text = opens_text BOTH_STRING Text;
    both_open = opens BOTH_OPEN c_char;
    both_open_text = opens_text BOTH_OPEN_STRING Text;
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        (BUFFER_OPEN, buffer_open as *const () as usize),
        (BUFFER_OPEN_STRING, buffer_open_text as *const () as usize),
        (STREAM, stream as *const () as usize),
        (STREAM_STRING, stream_text as *const () as usize),
        (STREAM_OPEN, stream_open as *const () as usize),
        (STREAM_OPEN_STRING, stream_open_text as *const () as usize),
        (OUTPUT, output as *const () as usize),
        (OUTPUT_STRING, output_text as *const () as usize),
        (OUTPUT_OPEN, output_open as *const () as usize),
        (OUTPUT_OPEN_STRING, output_open_text as *const () as usize),
        (BOTH, both as *const () as usize),
        (BOTH_STRING, both_text as *const () as usize),
        (BOTH_OPEN, both_open as *const () as usize),
        (BOTH_OPEN_STRING, both_open_text as *const () as usize),
    ]
}
