//! Loop nests whose iterations wait for earlier ones: `ordered depend(sink)` and `depend(source)`
//! (OpenMP 5.2, section 15.9.6).
#![allow(unsafe_code, reason = "reads the iterations that compiled code passes")]

use std::{arch::naked_asm, ffi::c_long};

use super::{
    loops::{begin_loop, key, scheduled},
    pace::catch_up,
    present::present,
    reduction::Extras,
    schedule::Space,
    share::{Loop, Work},
};
use crate::libc::thread::{self, Why};

/// Reads `count` words.
///
/// # Safety
/// There must be as many at `place`.
unsafe fn words(place: *const u64, count: usize) -> Vec<u64> {
    // SAFETY: guaranteed by the caller.
    (0..count).map(|index| unsafe { place.add(index).read() }).collect()
}

/// Begins a nest whose loops have these numbers of iterations.
unsafe fn start_nest(
    (count, counts): (u32, *const u64),
    (schedule, chunk): (u32, u64),
    extras: Extras,
    (first, last): (*mut u64, *mut u64),
) -> bool {
    // SAFETY: compiled code passes `count` numbers.
    let nest = unsafe { words(counts, count as usize) };
    let make = || {
        let space = Space::unsigned(true, 0, nest.first().copied().unwrap_or(0), 1);
        Loop { nest: nest.clone(), ..Loop::new(space, scheduled(schedule, chunk), false) }
    };
    begin_loop(make, extras, first, last)
}

unsafe extern "C-unwind" fn start<const KIND: u32>(
    count: u32,
    counts: *const u64,
    chunk: u64,
    first: *mut u64,
    last: *mut u64,
) -> bool {
    // SAFETY: the arguments are passed on.
    unsafe { start_nest((count, counts), (KIND, chunk), Extras::NONE, (first, last)) }
}

unsafe extern "C-unwind" fn start_runtime(
    count: u32,
    counts: *const u64,
    first: *mut u64,
    last: *mut u64,
) -> bool {
    // SAFETY: the arguments are passed on.
    unsafe { start_nest((count, counts), (0, 0), Extras::NONE, (first, last)) }
}

unsafe extern "C-unwind" fn start_any(
    count: u32,
    counts: *const u64,
    schedule: c_long,
    chunk: u64,
    first: *mut u64,
    last: *mut u64,
    reductions: *mut usize,
    memory: *mut usize,
) -> bool {
    let (how, extras) = ((schedule as u32, chunk), Extras { reductions, memory });
    // SAFETY: the arguments are passed on.
    unsafe { start_nest((count, counts), how, extras, (first, last)) }
}

/// Records that the iteration at `place` has done what later ones wait for.
unsafe extern "C-unwind" fn post(place: *const u64) {
    let member = present().member;
    let Some(share) = member.present_share() else { return };
    let Work::Loop(one) = &share.work else { return };
    catch_up();
    // SAFETY: compiled code passes an index for each loop of the nest.
    let iteration = unsafe { words(place, one.nest.len()) };
    one.posts.borrow_mut().post(member.chunk.get().0, iteration);
    thread::wake(key(&share), usize::MAX);
}

/// Waits until an iteration has been posted. Its indices are the arguments: the first six in registers
/// that `wait` has stored at `registers`, the others at `stack`.
unsafe extern "C-unwind" fn wait_for(registers: *const u64, stack: *const u64) {
    let why = Why::here("omp ordered depend(sink)");
    catch_up();
    let Some(share) = present().member.present_share() else { return };
    let Work::Loop(one) = &share.work else { return };
    let count = one.nest.len();
    // SAFETY: compiled code passes an index for each loop of the nest.
    let mut iteration = unsafe { words(registers, count.min(6)) };
    // SAFETY: as above.
    iteration.extend(unsafe { words(stack, count.saturating_sub(6)) });
    while !one.posts.borrow().has(&one.nest, &iteration) && !share.cancelled.get() {
        thread::wait(key(&share), &why);
    }
}

/// A function with a variable number of arguments, as the x86-64 psABI passes them.
#[unsafe(naked)]
unsafe extern "C" fn wait() {
    naked_asm!(
        "push r9; push r8; push rcx; push rdx; push rsi; push rdi",
        "mov rdi, rsp",
        "lea rsi, [rsp + 56]",
        "sub rsp, 8",
        "call {wait}",
        "add rsp, 56",
        "ret",
        wait = sym wait_for,
    )
}

pub(super) fn waiting() -> Vec<(&'static str, usize)> {
    vec![
        ("GOMP_loop_doacross_static_start", start::<1> as *const () as usize),
        ("GOMP_loop_doacross_dynamic_start", start::<2> as *const () as usize),
        ("GOMP_loop_doacross_guided_start", start::<3> as *const () as usize),
        ("GOMP_loop_doacross_runtime_start", start_runtime as *const () as usize),
        ("GOMP_loop_doacross_start", start_any as *const () as usize),
        ("GOMP_loop_ull_doacross_static_start", start::<1> as *const () as usize),
        ("GOMP_loop_ull_doacross_dynamic_start", start::<2> as *const () as usize),
        ("GOMP_loop_ull_doacross_guided_start", start::<3> as *const () as usize),
        ("GOMP_loop_ull_doacross_runtime_start", start_runtime as *const () as usize),
        ("GOMP_loop_ull_doacross_start", start_any as *const () as usize),
        ("GOMP_doacross_post", post as *const () as usize),
        ("GOMP_doacross_ull_post", post as *const () as usize),
        ("GOMP_doacross_wait", wait as *const () as usize),
        ("GOMP_doacross_ull_wait", wait as *const () as usize),
    ]
}
