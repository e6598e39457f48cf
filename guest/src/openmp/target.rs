//! Devices and leagues of teams (OpenMP 5.2, chapters 10 and 13): there is no device, so that target
//! regions are executed by the thread that reaches them, and the teams of a league one after the other.
#![allow(unsafe_code, reason = "reads what compiled code passes with a region")]

use std::{
    ffi::{c_int, c_uint},
    rc::Rc,
    slice,
};

use super::{
    block::Block,
    present::{Present, present, set_present, settings},
    settings::Controls,
    team::{Member, Team},
    work::call,
};
use crate::libc::{ending::Ending, host::Stream, thread};

/// The kind of a variable that the region gets a copy of.
const FIRSTPRIVATE: u16 = 12;

/// Runs a function as the first task of a team that no other region is around, so that leagues and
/// levels are counted from zero.
fn run_alone(function: usize, data: usize, league: (u32, u32), limit: u32) {
    let before = present();
    let mut controls = before.task.controls.get();
    if limit > 0 {
        controls.limit = limit;
        controls.threads = controls.threads.min(limit);
    }
    set_present(Some(alone(controls, league)));
    call(function, data);
    set_present(Some(before));
}

/// Returns the first task of a new team with one thread.
fn alone(controls: Controls, league: (u32, u32)) -> Present {
    let team = Rc::new(Team::of_league(league, controls));
    let task = team.implicit_task();
    Present { member: Rc::new(Member::new(team, 0)), task }
}

/// Executes a region with the addresses of its variables.
unsafe fn run_target(
    function: usize,
    count: usize,
    (addresses, sizes): (*const usize, *const usize),
    kind_of: impl Fn(usize) -> u16,
) {
    if count == 0 {
        run_alone(function, addresses as usize, (1, 0), 0);
        return;
    }
    // SAFETY: compiled code passes `count` addresses and sizes.
    let (mut addresses, sizes) = unsafe {
        (slice::from_raw_parts(addresses, count).to_vec(), slice::from_raw_parts(sizes, count))
    };
    let mut copies = Vec::new();
    for index in 0..count {
        let kind = kind_of(index);
        if kind & 0xff != FIRSTPRIVATE {
            continue;
        }
        let copy = Block::new(sizes[index], 1 << (kind >> 8).min(12));
        // SAFETY: the variable has that size.
        unsafe { copy.fill(addresses[index], sizes[index]) };
        addresses[index] = copy.start();
        copies.push(copy);
    }
    run_alone(function, addresses.as_ptr() as usize, (1, 0), 0);
}

unsafe extern "C-unwind" fn target(
    _device: c_int,
    function: usize,
    _unused: usize,
    count: usize,
    addresses: *const usize,
    sizes: *const usize,
    _kinds: *const u8,
) {
    // SAFETY: the arguments are passed on. These calls have no variables to copy.
    unsafe { run_target(function, count, (addresses, sizes), |_| 0) };
}

unsafe extern "C-unwind" fn target_ext(
    _device: c_int,
    function: usize,
    count: usize,
    addresses: *const usize,
    sizes: *const usize,
    kinds: *const u16,
    _flags: c_uint,
    depends: *const usize,
    _arguments: *const usize,
) {
    if !depends.is_null() {
        // SAFETY: compiled code passes dependences.
        unsafe { super::task_entry::taskwait_depend(depends) };
    }
    // SAFETY: compiled code passes a kind for each variable.
    unsafe { run_target(function, count, (addresses, sizes), |index| kinds.add(index).read()) };
}

/// Data are where they are.
extern "C-unwind" fn nothing() {}

/// Makes the calling thread the only one of a team in a league.
fn set_team(league: (u32, u32), limit: u32) {
    let here = present();
    let mut controls = here.task.controls.get();
    if limit > 0 {
        controls.limit = limit;
        controls.threads = controls.threads.min(limit);
    }
    set_present(Some(alone(controls, league)));
}

extern "C-unwind" fn teams(count: c_uint, limit: c_uint) {
    set_team((count.max(1), 0), limit);
}

/// Begins the next team of a league; false after the last one.
extern "C-unwind" fn teams_next(least: c_uint, most: c_uint, limit: c_uint, first: bool) -> bool {
    let count = if most > 0 { most } else { least }.max(1);
    let number = if first { 0 } else { present().member.team.league.1 + 1 };
    if number < count {
        set_team((count, number), limit);
    }
    number < count
}

extern "C-unwind" fn teams_host(
    function: usize,
    data: usize,
    count: c_uint,
    limit: c_uint,
    _flags: c_uint,
) {
    let teams = settings(thread::caller().0).teams;
    let count = if count > 0 { count } else { teams.0.max(1) };
    let limit = if limit > 0 { limit } else { teams.1 };
    for number in 0..count {
        run_alone(function, data, (count, number), limit);
    }
}

/// Returns the text of an `error` directive; a length of all ones stands for a C string.
unsafe fn message(text: *const u8, length: usize) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: compiled code passes a text of that length, or a C string.
    let bytes = unsafe {
        let length = if length == usize::MAX { libc::strlen(text.cast()) } else { length };
        slice::from_raw_parts(text, length)
    };
    format!(": {}", String::from_utf8_lossy(bytes))
}

unsafe extern "C-unwind" fn warning(text: *const u8, length: usize) {
    // SAFETY: the arguments are passed on.
    let text = format!("omp error directive{}\n", unsafe { message(text, length) });
    thread::caller().0.write(Stream::Error, text.as_bytes());
}

unsafe extern "C-unwind" fn error(text: *const u8, length: usize) {
    // SAFETY: the arguments are passed on.
    unsafe { warning(text, length) };
    thread::caller().0.finish(Ending::Exited(1))
}

pub(super) fn waiting() -> Vec<(&'static str, usize)> {
    vec![
        ("GOMP_target", target as *const () as usize),
        ("GOMP_target_ext", target_ext as *const () as usize),
        ("GOMP_teams_reg", teams_host as *const () as usize),
        ("GOMP_error", error as *const () as usize),
    ]
}

pub(super) fn replacements() -> Vec<(&'static str, usize)> {
    vec![
        ("GOMP_warning", warning as *const () as usize),
        ("GOMP_teams", teams as *const () as usize),
        ("GOMP_teams4", teams_next as *const () as usize),
        ("GOMP_target_data", nothing as *const () as usize),
        ("GOMP_target_data_ext", nothing as *const () as usize),
        ("GOMP_target_end_data", nothing as *const () as usize),
        ("GOMP_target_update", nothing as *const () as usize),
        ("GOMP_target_update_ext", nothing as *const () as usize),
        ("GOMP_target_enter_exit_data", nothing as *const () as usize),
        ("GOMP_offload_register", nothing as *const () as usize),
        ("GOMP_offload_register_ver", nothing as *const () as usize),
        ("GOMP_offload_unregister", nothing as *const () as usize),
        ("GOMP_offload_unregister_ver", nothing as *const () as usize),
    ]
}
