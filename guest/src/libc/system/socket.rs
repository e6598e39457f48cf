//! Socket functions that do not block other ranks.
#![allow(unsafe_code, reason = "is called by programs and calls the system")]

use std::ffi::{c_int, c_void};

use super::{
    file::{joined, may_block, ready},
    wait::{EndedBy, until_answered},
};
use crate::{libc::process, replacement::Replacement};

unsafe extern "C-unwind" fn recv(
    file: c_int,
    bytes: *mut c_void,
    count: usize,
    flags: c_int,
) -> isize {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { recvfrom(file, bytes, count, flags, std::ptr::null_mut(), std::ptr::null_mut()) }
}

unsafe extern "C-unwind" fn recvfrom(
    file: c_int,
    bytes: *mut c_void,
    count: usize,
    flags: c_int,
    address: *mut libc::sockaddr,
    length: *mut libc::socklen_t,
) -> isize {
    let (waits, all) = (flags & libc::MSG_DONTWAIT == 0, flags & libc::MSG_WAITALL != 0);
    let mut done = 0;
    loop {
        if waits && may_block(file) && !ready("recv", file, libc::POLLIN) {
            return if done > 0 { done as isize } else { -1 };
        }
        // SAFETY: the arguments are passed on; data that have arrived are taken without waiting for
        // more.
        let got = unsafe {
            let (rest, flags) = (bytes.byte_add(done), flags & !libc::MSG_WAITALL);
            libc::recvfrom(file, rest, count - done, flags, address, length)
        };
        if got < 0 {
            return if done > 0 { done as isize } else { got };
        }
        done += got as usize;
        if got == 0 || done >= count || !(waits && all && is_stream(file)) {
            return done as isize;
        }
    }
}

/// Reports whether a socket carries bytes, not messages.
fn is_stream(file: c_int) -> bool {
    let (mut kind, mut size): (c_int, _) = (0, size_of::<c_int>() as libc::socklen_t);
    let place = (&raw mut kind).cast();
    // SAFETY: variables of ours.
    let asked =
        unsafe { libc::getsockopt(file, libc::SOL_SOCKET, libc::SO_TYPE, place, &raw mut size) };
    asked == 0 && kind == libc::SOCK_STREAM
}

/// Implements `__recv_chk`, which code compiled with checks calls.
unsafe extern "C-unwind" fn recv_checked(
    file: c_int,
    bytes: *mut c_void,
    count: usize,
    room: usize,
    flags: c_int,
) -> isize {
    if count > room {
        process::overflow_found();
    }
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { recv(file, bytes, count, flags) }
}

/// Implements `sendmsg`; what a stream socket has no room for is sent after it.
unsafe extern "C-unwind" fn sendmsg(
    file: c_int,
    message: *const libc::msghdr,
    flags: c_int,
) -> isize {
    // SAFETY: the arguments are passed on unchanged, without blocking.
    let attempt = |flags| unsafe { libc::sendmsg(file, message, flags) };
    if flags & libc::MSG_DONTWAIT != 0 || !may_block(file) {
        return attempt(flags);
    }
    let how = ("sendmsg", EndedBy::NotRestarting);
    let sent = until_answered(how, &[libc::EAGAIN], || attempt(flags | libc::MSG_DONTWAIT));
    if sent < 0 || !is_stream(file) {
        return sent;
    }
    // SAFETY: the system has read the message and its parts.
    let bytes = unsafe { joined((*message).msg_iov, (*message).msg_iovlen) };
    let rest = &bytes[sent as usize..];
    if rest.is_empty() {
        return sent;
    }
    // SAFETY: bytes of ours.
    let more = unsafe { send(file, rest.as_ptr().cast(), rest.len(), flags) };
    sent + more.max(0)
}

unsafe extern "C-unwind" fn recvmsg(
    file: c_int,
    message: *mut libc::msghdr,
    flags: c_int,
) -> isize {
    if flags & libc::MSG_DONTWAIT == 0 && may_block(file) && !ready("recvmsg", file, libc::POLLIN) {
        return -1;
    }
    // SAFETY: the arguments are passed on unchanged.
    unsafe { libc::recvmsg(file, message, flags & !libc::MSG_WAITALL) }
}

unsafe extern "C-unwind" fn accept(
    file: c_int,
    address: *mut libc::sockaddr,
    length: *mut libc::socklen_t,
) -> c_int {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { accept4(file, address, length, 0) }
}

unsafe extern "C-unwind" fn accept4(
    file: c_int,
    address: *mut libc::sockaddr,
    length: *mut libc::socklen_t,
    flags: c_int,
) -> c_int {
    if may_block(file) && !ready("accept", file, libc::POLLIN) {
        return -1;
    }
    // SAFETY: the arguments are passed on unchanged.
    unsafe { libc::accept4(file, address, length, flags) }
}

/// Implements `send`: data of one call on a stream socket are sent in portions, a datagram is sent
/// as a whole.
unsafe extern "C-unwind" fn send(
    file: c_int,
    bytes: *const c_void,
    count: usize,
    flags: c_int,
) -> isize {
    if flags & libc::MSG_DONTWAIT != 0 || !may_block(file) {
        // SAFETY: the arguments are passed on unchanged.
        return unsafe { libc::send(file, bytes, count, flags) };
    }
    let mut done = 0;
    loop {
        let sent = until_answered(("send", EndedBy::NotRestarting), &[libc::EAGAIN], || {
            // SAFETY: a part of the program's bytes.
            unsafe {
                let rest = bytes.byte_add(done);
                libc::send(file, rest, count - done, flags | libc::MSG_DONTWAIT)
            }
        });
        if sent < 0 {
            return if done > 0 { done as isize } else { sent };
        }
        done += sent as usize;
        if done >= count {
            return done as isize;
        }
    }
}

unsafe extern "C-unwind" fn sendto(
    file: c_int,
    bytes: *const c_void,
    count: usize,
    flags: c_int,
    address: *const libc::sockaddr,
    length: libc::socklen_t,
) -> isize {
    if address.is_null() {
        // SAFETY: the program vouches for the arguments, which are passed on.
        return unsafe { send(file, bytes, count, flags) };
    }
    // SAFETY: the arguments are passed on unchanged, without blocking.
    let attempt = |flags| unsafe { libc::sendto(file, bytes, count, flags, address, length) };
    if flags & libc::MSG_DONTWAIT != 0 || !may_block(file) {
        return attempt(flags);
    }
    let how = ("sendto", EndedBy::NotRestarting);
    until_answered(how, &[libc::EAGAIN], || attempt(flags | libc::MSG_DONTWAIT))
}

pub(super) fn waiting() -> Vec<Replacement> {
    vec![
        ("recv", recv as *const () as usize),
        ("__recv_chk", recv_checked as *const () as usize),
        ("recvfrom", recvfrom as *const () as usize),
        ("recvmsg", recvmsg as *const () as usize),
        ("accept", accept as *const () as usize),
        ("accept4", accept4 as *const () as usize),
        ("send", send as *const () as usize),
        ("sendto", sendto as *const () as usize),
        ("sendmsg", sendmsg as *const () as usize),
    ]
}
