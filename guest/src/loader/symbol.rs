//! Symbols of the host's libraries.
#![allow(unsafe_code, reason = "asks the libraries of the host for symbols")]

use std::ffi::CString;

/// Returns the address of a symbol in the libraries of the host.
pub(crate) fn host_symbol(name: &str) -> Option<usize> {
    let name = CString::new(name).ok()?;
    // SAFETY: the name is a C string; the lookup has no side effect.
    let address = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!address.is_null()).then_some(address as usize)
}
