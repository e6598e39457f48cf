//! Symbols of the host's libraries.
#![allow(unsafe_code, reason = "asks the libraries of the host for symbols")]

use std::{
    ffi::{CStr, CString, c_int, c_void},
    ops::Range,
};

/// Returns the address of a symbol in the libraries of the host.
pub(crate) fn host_symbol(name: &str) -> Option<usize> {
    let name = CString::new(name).ok()?;
    // SAFETY: the name is a C string; the lookup has no side effect.
    let address = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!address.is_null()).then_some(address as usize)
}

/// What an address in a library of the host belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// A variable or constant of any library.
    Data,
    /// Functions of the mathematical library or of the compiler's own, which keep no state.
    Mathematics,
    /// Functions of the C++ library.
    Cxx,
    /// Functions of other libraries.
    Other,
}

/// The segments of the libraries that are in the process.
pub(super) struct Libraries(Vec<(Range<usize>, Owner)>);

impl Libraries {
    /// Lists the segments of all libraries, in the order in which they were loaded.
    pub(super) fn loaded() -> Self {
        let mut all = Self(Vec::new());
        // SAFETY: the function gets the list, which outlives the call.
        unsafe { libc::dl_iterate_phdr(Some(add), (&raw mut all).cast()) };
        all
    }

    /// Returns what an address belongs to; `None` outside all libraries.
    pub(super) fn owner(&self, address: usize) -> Option<Owner> {
        let found = self.0.iter().find(|(range, _)| range.contains(&address));
        found.map(|(_, owner)| *owner)
    }
}

/// Adds the segments of one library to a list of type [`Libraries`].
unsafe extern "C" fn add(info: *mut libc::dl_phdr_info, _: usize, all: *mut c_void) -> c_int {
    // SAFETY: the C library passes a description of a library, and what it was given for us.
    let (info, all) = unsafe { (&*info, &mut *all.cast::<Libraries>()) };
    // SAFETY: the name is a C string.
    let path = unsafe { CStr::from_ptr(info.dlpi_name) }.to_string_lossy();
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_of = |starts: &[&str]| starts.iter().any(|start| name.starts_with(start));
    let code = if is_of(&["libm.so", "libmvec.so", "libquadmath.so", "libgcc_s.so"]) {
        Owner::Mathematics
    } else if is_of(&["libstdc++.so", "libc++.so", "libc++abi.so"]) {
        Owner::Cxx
    } else {
        Owner::Other
    };
    for number in 0..usize::from(info.dlpi_phnum) {
        // SAFETY: the array has that many headers.
        let header = unsafe { &*info.dlpi_phdr.add(number) };
        if header.p_type == libc::PT_LOAD {
            let start = info.dlpi_addr as usize + header.p_vaddr as usize;
            let owner = if header.p_flags & libc::PF_X == 0 { Owner::Data } else { code };
            all.0.push((start..start + header.p_memsz as usize, owner));
        }
    }
    0
}
