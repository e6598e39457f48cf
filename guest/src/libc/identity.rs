//! Identity of a rank's process and node: properties of the modelled machine, the same in every
//! run.
#![allow(unsafe_code, reason = "writes to the memory of programs")]

use std::ffi::{c_char, c_int, c_long};

use super::{errno::fails, rank::Rank, string};
use crate::replacement::Replacement;

/// Process number of the launcher, the parent of all ranks.
const LAUNCHER: c_int = 999;
/// Address of the first node, also its number for `gethostid`; other nodes follow.
pub(super) const FIRST_HOST: u32 = 0x7f00_0100;

fn node() -> u32 {
    Rank::current().map_or(0, |rank| rank.host().node(rank.number()))
}

extern "C" fn getppid() -> c_int {
    LAUNCHER
}

/// Implements `getpgrp`: each rank leads its own process group and session.
extern "C" fn getpgrp() -> c_int {
    Rank::current().map_or(0, string::process_of)
}

extern "C" fn getpgid(process: c_int) -> c_int {
    if [0, getpgrp()].contains(&process) { getpgrp() } else { fails(libc::ESRCH) }
}

extern "C" fn gethostid() -> c_long {
    c_long::from(FIRST_HOST + node())
}

/// Implements `gethostname`: returns the same name as `MPI_Get_processor_name`.
unsafe extern "C" fn gethostname(place: *mut c_char, room: usize) -> c_int {
    let name = format!("node{}\0", node());
    let length = name.len().min(room);
    // SAFETY: the program passes that much room.
    unsafe { std::ptr::copy_nonoverlapping(name.as_ptr(), place.cast(), length) };
    if length < name.len() { fails(libc::ENAMETOOLONG) } else { 0 }
}

/// Implements `uname`: the system of every node, that of the host without details that differ
/// between hosts.
unsafe extern "C" fn uname(place: *mut libc::utsname) -> c_int {
    let texts = ["Linux", &format!("node{}", node()), "6.0.0", "#1 windtunnel", "x86_64", "(none)"];
    // SAFETY: the program passes a structure, which consists of six texts of the same size.
    unsafe {
        place.write_bytes(0, 1);
        let room = size_of::<libc::utsname>() / texts.len();
        for (at, text) in texts.iter().enumerate() {
            let field = place.cast::<u8>().add(at * room);
            std::ptr::copy_nonoverlapping(text.as_ptr(), field, text.len().min(room - 1));
        }
    }
    0
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("getppid", getppid as *const () as usize),
        ("getpgrp", getpgrp as *const () as usize),
        ("getpgid", getpgid as *const () as usize),
        ("getsid", getpgid as *const () as usize),
        ("gethostid", gethostid as *const () as usize),
        ("gethostname", gethostname as *const () as usize),
        ("uname", uname as *const () as usize),
    ]
}
