//! Names and addresses of nodes: every simulated node has an address in the loopback network, by
//! which ranks reach each other's sockets. All other names are resolved by the host.
#![allow(unsafe_code, reason = "is called by programs and calls the resolver of the host")]

use std::{
    cell::UnsafeCell,
    ffi::{CStr, CString, c_char, c_int, c_void},
    mem,
    net::Ipv4Addr,
    ptr,
};

use super::{identity::FIRST_HOST, rank::Rank};
use crate::replacement::Replacement;

/// Number of nodes with an address.
const NODES: u32 = 1 << 22;
/// Size of the result buffer of `gethostbyname`.
const ROOM: usize = 1024;

/// Returns the address of a node.
fn address_of(node: u32) -> Ipv4Addr {
    Ipv4Addr::from_bits(FIRST_HOST + node)
}

/// Returns the node with this name.
fn node_of(name: &CStr) -> Option<u32> {
    let digits = name.to_str().ok()?.strip_prefix("node")?;
    let node: u32 = digits.parse().ok().filter(|node| *node < NODES)?;
    (node.to_string() == digits).then_some(node)
}

/// Returns the name of the node with this address.
fn name_of(address: Ipv4Addr) -> Option<CString> {
    let node = address.to_bits().checked_sub(FIRST_HOST).filter(|node| *node < NODES)?;
    CString::new(format!("node{node}")).ok()
}

/// Returns the name and the address, as texts, of the node that the program names; `None` for other
/// names.
fn node_named(name: *const c_char) -> Option<(CString, CString)> {
    // SAFETY: the program passes a C string or null.
    let name = (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) })?;
    let address = CString::new(address_of(node_of(name)?).to_string()).ok()?;
    Some((name.to_owned(), address))
}

/// Returns the node whose address is in a structure of the program.
fn node_at(address: *const libc::sockaddr, length: libc::socklen_t) -> Option<CString> {
    if address.is_null() || (length as usize) < size_of::<libc::sockaddr_in>() {
        return None;
    }
    // SAFETY: the program passes a structure of that length; its family is read first.
    unsafe {
        if c_int::from((*address).sa_family) != libc::AF_INET {
            return None;
        }
        let bits = (*address.cast::<libc::sockaddr_in>()).sin_addr.s_addr;
        name_of(Ipv4Addr::from_bits(u32::from_be(bits)))
    }
}

/// The result of `gethostbyname` for a rank: an entry that points into the buffer after it.
struct Answer {
    entry: libc::hostent,
    room: [c_char; ROOM],
}

/// The last result of a rank, at a stable address.
#[derive(Default)]
pub(crate) struct Hosts(UnsafeCell<Option<Box<Answer>>>);

unsafe extern "C" {
    fn gethostbyname2_r(
        name: *const c_char,
        family: c_int,
        entry: *mut libc::hostent,
        room: *mut c_char,
        bytes: usize,
        result: *mut *mut libc::hostent,
        error: *mut c_int,
    ) -> c_int;
    fn gethostbyaddr_r(
        address: *const c_void,
        length: libc::socklen_t,
        family: c_int,
        entry: *mut libc::hostent,
        room: *mut c_char,
        bytes: usize,
        result: *mut *mut libc::hostent,
        error: *mut c_int,
    ) -> c_int;
    fn __h_errno_location() -> *mut c_int;
    fn strdup(text: *const c_char) -> *mut c_char;
}

/// Overwrites a text with one that is not longer.
///
/// # Safety
/// `place` contains a text that is at least as long.
unsafe fn overwrite(place: *mut c_char, text: &CStr) {
    let bytes = text.to_bytes_with_nul();
    // SAFETY: guaranteed by the caller.
    unsafe { ptr::copy_nonoverlapping(bytes.as_ptr().cast(), place, bytes.len()) };
}

/// Resolves a name with a buffer of the rank; returns the entry, or null with `h_errno` set.
fn answer(
    ask: impl FnOnce(*mut libc::hostent, *mut c_char, *mut *mut libc::hostent, *mut c_int) -> c_int,
) -> *mut libc::hostent {
    let rank = Rank::running();
    let mut result = ptr::null_mut();
    // SAFETY: there is one thread, and nothing else uses the result meanwhile. All zeros are an
    // empty entry.
    unsafe {
        let kept = &mut *rank.state::<Hosts>().0.get();
        let kept = kept.get_or_insert_with(|| Box::new(mem::zeroed()));
        let entry = &raw mut kept.entry;
        ask(entry, kept.room.as_mut_ptr(), &raw mut result, __h_errno_location());
    }
    result
}

unsafe extern "C" fn gethostbyname(name: *const c_char) -> *mut libc::hostent {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { gethostbyname_of(name, libc::AF_INET) }
}

unsafe extern "C" fn gethostbyname_of(name: *const c_char, family: c_int) -> *mut libc::hostent {
    answer(|entry, room, result, error| {
        // SAFETY: the program vouches for the arguments, which are passed on.
        unsafe { gethostbyname_of_into(name, family, entry, room, ROOM, result, error) }
    })
}

unsafe extern "C" fn gethostbyname_into(
    name: *const c_char,
    entry: *mut libc::hostent,
    room: *mut c_char,
    bytes: usize,
    result: *mut *mut libc::hostent,
    error: *mut c_int,
) -> c_int {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { gethostbyname_of_into(name, libc::AF_INET, entry, room, bytes, result, error) }
}

unsafe extern "C" fn gethostbyname_of_into(
    name: *const c_char,
    family: c_int,
    entry: *mut libc::hostent,
    room: *mut c_char,
    bytes: usize,
    result: *mut *mut libc::hostent,
    error: *mut c_int,
) -> c_int {
    let known = node_named(name);
    let asked = known.as_ref().map_or(name, |(_, address)| address.as_ptr());
    // SAFETY: the arguments except the name are passed on unchanged. A found entry has the name
    // that was requested, and an address as a text is longer than the name of its node.
    unsafe {
        let code = gethostbyname2_r(asked, family, entry, room, bytes, result, error);
        if let (0, Some((name, _)), false) = (code, &known, (*result).is_null()) {
            overwrite((**result).h_name, name);
        }
        code
    }
}

unsafe extern "C" fn gethostbyaddr(
    address: *const c_void,
    length: libc::socklen_t,
    family: c_int,
) -> *mut libc::hostent {
    answer(|entry, room, result, error| {
        // SAFETY: the program vouches for the arguments, which are passed on.
        unsafe { gethostbyaddr_into(address, length, family, entry, room, ROOM, result, error) }
    })
}

#[allow(clippy::too_many_arguments, reason = "the C library's")]
unsafe extern "C" fn gethostbyaddr_into(
    address: *const c_void,
    length: libc::socklen_t,
    family: c_int,
    entry: *mut libc::hostent,
    room: *mut c_char,
    bytes: usize,
    result: *mut *mut libc::hostent,
    error: *mut c_int,
) -> c_int {
    let is_plain = family == libc::AF_INET && length == 4 && !address.is_null();
    // SAFETY: an address of that family is four bytes.
    let bits = is_plain.then(|| u32::from_be(unsafe { address.cast::<u32>().read_unaligned() }));
    match bits.and_then(|bits| name_of(Ipv4Addr::from_bits(bits))) {
        // SAFETY: the program vouches for the arguments, which are passed on.
        Some(name) => unsafe {
            gethostbyname_into(name.as_ptr(), entry, room, bytes, result, error)
        },
        // SAFETY: the arguments are passed on unchanged.
        None => unsafe {
            gethostbyaddr_r(address, length, family, entry, room, bytes, result, error)
        },
    }
}

unsafe extern "C" fn getaddrinfo(
    name: *const c_char,
    service: *const c_char,
    hints: *const libc::addrinfo,
    found: *mut *mut libc::addrinfo,
) -> c_int {
    // SAFETY: the program passes hints or null.
    let flags = unsafe { hints.as_ref() }.map_or(0, |hints| hints.ai_flags);
    let known = node_named(name).filter(|_| flags & libc::AI_NUMERICHOST == 0);
    let asked = known.as_ref().map_or(name, |(_, address)| address.as_ptr());
    // SAFETY: the arguments except the name are passed on unchanged. The first structure has the
    // canonical name, if requested, in memory that `freeaddrinfo` frees.
    unsafe {
        let code = libc::getaddrinfo(asked, service, hints, found);
        if let (0, Some((name, _))) = (code, &known)
            && let Some(first) = (*found).as_mut()
            && !first.ai_canonname.is_null()
        {
            libc::free(first.ai_canonname.cast());
            first.ai_canonname = strdup(name.as_ptr());
        }
        code
    }
}

unsafe extern "C" fn getnameinfo(
    address: *const libc::sockaddr,
    length: libc::socklen_t,
    host: *mut c_char,
    host_room: libc::socklen_t,
    service: *mut c_char,
    service_room: libc::socklen_t,
    flags: c_int,
) -> c_int {
    let known = node_at(address, length).filter(|_| flags & libc::NI_NUMERICHOST == 0);
    let asked = if known.is_some() { flags | libc::NI_NUMERICHOST } else { flags };
    // SAFETY: the arguments except the flags are passed on unchanged; an address as a text is
    // longer than the name of its node.
    unsafe {
        let code =
            libc::getnameinfo(address, length, host, host_room, service, service_room, asked);
        if let (0, Some(name)) = (code, known)
            && !host.is_null()
            && host_room > 0
        {
            overwrite(host, &name);
        }
        code
    }
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("gethostbyname", gethostbyname as *const () as usize),
        ("gethostbyname2", gethostbyname_of as *const () as usize),
        ("gethostbyname_r", gethostbyname_into as *const () as usize),
        ("gethostbyname2_r", gethostbyname_of_into as *const () as usize),
        ("gethostbyaddr", gethostbyaddr as *const () as usize),
        ("gethostbyaddr_r", gethostbyaddr_into as *const () as usize),
        ("getaddrinfo", getaddrinfo as *const () as usize),
        ("getnameinfo", getnameinfo as *const () as usize),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_addresses_of_nodes_belong_together() {
        for node in [0, 1, 9, 255, 256, 65_535, NODES - 1] {
            let name = name_of(address_of(node)).expect("a node");
            assert_eq!(node_of(&name), Some(node));
            assert!(address_of(node).is_loopback());
            // The name overwrites the address.
            assert!(name.as_bytes().len() <= address_of(node).to_string().len());
        }
        for name in [c"node", c"node01", c"node-1", c"node4194304", c"Node1", c"localhost", c""] {
            assert_eq!(node_of(name), None, "{name:?}");
        }
        assert_eq!(name_of(Ipv4Addr::LOCALHOST), None);
        assert_eq!(name_of(Ipv4Addr::new(10, 0, 0, 1)), None);
    }
}
