//! The functions by which compiled code begins loops and asks for chunks. Many names stand for one
//! function: a loop knows its schedule.
#![allow(unsafe_code, reason = "is called by programs with addresses of variables")]

use std::{ffi::c_long, rc::Rc};

use super::{
    loops::{begin_loop, next_chunk, scheduled},
    parallel,
    present::present,
    reduction::Extras,
    schedule::{Schedule, Space},
    share::{Loop, Work},
    team::Member,
};

unsafe extern "C-unwind" fn start<const KIND: u32, const ORDERED: bool>(
    start: c_long,
    end: c_long,
    step: c_long,
    chunk: c_long,
    first: *mut u64,
    last: *mut u64,
) -> bool {
    let make = || {
        let space = Space::signed(start, end, step);
        Loop::new(space, scheduled(KIND, chunk as u64), ORDERED)
    };
    begin_loop(make, Extras::NONE, first, last)
}

unsafe extern "C-unwind" fn start_runtime<const ORDERED: bool>(
    begin: c_long,
    end: c_long,
    step: c_long,
    first: *mut u64,
    last: *mut u64,
) -> bool {
    // SAFETY: the arguments are passed on.
    unsafe { start::<0, ORDERED>(begin, end, step, 0, first, last) }
}

unsafe extern "C-unwind" fn start_any<const ORDERED: bool>(
    start: c_long,
    end: c_long,
    step: c_long,
    schedule: c_long,
    chunk: c_long,
    first: *mut u64,
    last: *mut u64,
    reductions: *mut usize,
    memory: *mut usize,
) -> bool {
    let make = || {
        let space = Space::signed(start, end, step);
        Loop::new(space, scheduled(schedule as u32, chunk as u64), ORDERED)
    };
    begin_loop(make, Extras { reductions, memory }, first, last)
}

unsafe extern "C-unwind" fn start_unsigned<const KIND: u32, const ORDERED: bool>(
    up: bool,
    start: u64,
    end: u64,
    step: u64,
    chunk: u64,
    first: *mut u64,
    last: *mut u64,
) -> bool {
    let make = || {
        let space = Space::unsigned(up, start, end, step);
        Loop::new(space, scheduled(KIND, chunk), ORDERED)
    };
    begin_loop(make, Extras::NONE, first, last)
}

unsafe extern "C-unwind" fn start_unsigned_runtime<const ORDERED: bool>(
    up: bool,
    begin: u64,
    end: u64,
    step: u64,
    first: *mut u64,
    last: *mut u64,
) -> bool {
    // SAFETY: the arguments are passed on.
    unsafe { start_unsigned::<0, ORDERED>(up, begin, end, step, 0, first, last) }
}

unsafe extern "C-unwind" fn start_any_unsigned<const ORDERED: bool>(
    up: bool,
    start: u64,
    end: u64,
    step: u64,
    schedule: c_long,
    chunk: u64,
    first: *mut u64,
    last: *mut u64,
    reductions: *mut usize,
    memory: *mut usize,
) -> bool {
    let make = || {
        let space = Space::unsigned(up, start, end, step);
        Loop::new(space, scheduled(schedule as u32, chunk), ORDERED)
    };
    begin_loop(make, Extras { reductions, memory }, first, last)
}

/// Gives the calling thread its next chunk, of a loop of any kind.
unsafe extern "C-unwind" fn next(first: *mut u64, last: *mut u64) -> bool {
    next_chunk(&present().member, first, last)
}

/// Executes a function as a region whose threads are in a loop.
fn region(body: (usize, usize), wanted: u32, space: Space, schedule: Schedule) {
    parallel::run(body, wanted, |member| enter(member, space, schedule));
}

fn enter(member: &Rc<Member>, space: Space, schedule: Schedule) {
    member.enter(|| Work::Loop(Loop::new(space, schedule, false)));
}

extern "C-unwind" fn parallel_loop<const KIND: u32>(
    function: usize,
    data: usize,
    wanted: u32,
    start: c_long,
    end: c_long,
    step: c_long,
    chunk: c_long,
    _flags: u32,
) {
    let schedule = scheduled(KIND, chunk as u64);
    region((function, data), wanted, Space::signed(start, end, step), schedule);
}

extern "C-unwind" fn parallel_loop_runtime(
    function: usize,
    data: usize,
    wanted: u32,
    start: c_long,
    end: c_long,
    step: c_long,
    _flags: u32,
) {
    region((function, data), wanted, Space::signed(start, end, step), scheduled(0, 0));
}

extern "C-unwind" fn parallel_loop_start<const KIND: u32>(
    function: usize,
    data: usize,
    wanted: u32,
    start: c_long,
    end: c_long,
    step: c_long,
    chunk: c_long,
) {
    let (space, schedule) = (Space::signed(start, end, step), scheduled(KIND, chunk as u64));
    parallel::start((function, data), wanted, |member| enter(member, space, schedule));
}

extern "C-unwind" fn parallel_loop_start_runtime(
    function: usize,
    data: usize,
    wanted: u32,
    start: c_long,
    end: c_long,
    step: c_long,
) {
    parallel_loop_start::<0>(function, data, wanted, start, end, step, 0);
}

/// Names of the function that gives a thread its next chunk.
const NEXT: [&str; 24] = [
    "GOMP_loop_static_next",
    "GOMP_loop_dynamic_next",
    "GOMP_loop_guided_next",
    "GOMP_loop_runtime_next",
    "GOMP_loop_ordered_static_next",
    "GOMP_loop_ordered_dynamic_next",
    "GOMP_loop_ordered_guided_next",
    "GOMP_loop_ordered_runtime_next",
    "GOMP_loop_nonmonotonic_dynamic_next",
    "GOMP_loop_nonmonotonic_guided_next",
    "GOMP_loop_nonmonotonic_runtime_next",
    "GOMP_loop_maybe_nonmonotonic_runtime_next",
    "GOMP_loop_ull_static_next",
    "GOMP_loop_ull_dynamic_next",
    "GOMP_loop_ull_guided_next",
    "GOMP_loop_ull_runtime_next",
    "GOMP_loop_ull_ordered_static_next",
    "GOMP_loop_ull_ordered_dynamic_next",
    "GOMP_loop_ull_ordered_guided_next",
    "GOMP_loop_ull_ordered_runtime_next",
    "GOMP_loop_ull_nonmonotonic_dynamic_next",
    "GOMP_loop_ull_nonmonotonic_guided_next",
    "GOMP_loop_ull_nonmonotonic_runtime_next",
    "GOMP_loop_ull_maybe_nonmonotonic_runtime_next",
];

fn starts() -> Vec<(&'static str, usize)> {
    vec![
        ("GOMP_loop_static_start", start::<1, false> as *const () as usize),
        ("GOMP_loop_ordered_static_start", start::<1, true> as *const () as usize),
        ("GOMP_loop_dynamic_start", start::<2, false> as *const () as usize),
        ("GOMP_loop_ordered_dynamic_start", start::<2, true> as *const () as usize),
        ("GOMP_loop_guided_start", start::<3, false> as *const () as usize),
        ("GOMP_loop_ordered_guided_start", start::<3, true> as *const () as usize),
        ("GOMP_loop_nonmonotonic_dynamic_start", start::<2, false> as *const () as usize),
        ("GOMP_loop_nonmonotonic_guided_start", start::<3, false> as *const () as usize),
        ("GOMP_loop_runtime_start", start_runtime::<false> as *const () as usize),
        ("GOMP_loop_nonmonotonic_runtime_start", start_runtime::<false> as *const () as usize),
        (
            "GOMP_loop_maybe_nonmonotonic_runtime_start",
            start_runtime::<false> as *const () as usize,
        ),
        ("GOMP_loop_ordered_runtime_start", start_runtime::<true> as *const () as usize),
        ("GOMP_loop_start", start_any::<false> as *const () as usize),
        ("GOMP_loop_ordered_start", start_any::<true> as *const () as usize),
        ("GOMP_loop_ull_static_start", start_unsigned::<1, false> as *const () as usize),
        ("GOMP_loop_ull_ordered_static_start", start_unsigned::<1, true> as *const () as usize),
        ("GOMP_loop_ull_dynamic_start", start_unsigned::<2, false> as *const () as usize),
        ("GOMP_loop_ull_ordered_dynamic_start", start_unsigned::<2, true> as *const () as usize),
        ("GOMP_loop_ull_guided_start", start_unsigned::<3, false> as *const () as usize),
        ("GOMP_loop_ull_ordered_guided_start", start_unsigned::<3, true> as *const () as usize),
        (
            "GOMP_loop_ull_nonmonotonic_dynamic_start",
            start_unsigned::<2, false> as *const () as usize,
        ),
        (
            "GOMP_loop_ull_nonmonotonic_guided_start",
            start_unsigned::<3, false> as *const () as usize,
        ),
        ("GOMP_loop_ull_runtime_start", start_unsigned_runtime::<false> as *const () as usize),
        (
            "GOMP_loop_ull_nonmonotonic_runtime_start",
            start_unsigned_runtime::<false> as *const () as usize,
        ),
        (
            "GOMP_loop_ull_maybe_nonmonotonic_runtime_start",
            start_unsigned_runtime::<false> as *const () as usize,
        ),
        (
            "GOMP_loop_ull_ordered_runtime_start",
            start_unsigned_runtime::<true> as *const () as usize,
        ),
        ("GOMP_loop_ull_start", start_any_unsigned::<false> as *const () as usize),
        ("GOMP_loop_ull_ordered_start", start_any_unsigned::<true> as *const () as usize),
    ]
}

fn regions() -> Vec<(&'static str, usize)> {
    vec![
        ("GOMP_parallel_loop_static", parallel_loop::<1> as *const () as usize),
        ("GOMP_parallel_loop_static_start", parallel_loop_start::<1> as *const () as usize),
        ("GOMP_parallel_loop_dynamic", parallel_loop::<2> as *const () as usize),
        ("GOMP_parallel_loop_dynamic_start", parallel_loop_start::<2> as *const () as usize),
        ("GOMP_parallel_loop_guided", parallel_loop::<3> as *const () as usize),
        ("GOMP_parallel_loop_guided_start", parallel_loop_start::<3> as *const () as usize),
        ("GOMP_parallel_loop_nonmonotonic_dynamic", parallel_loop::<2> as *const () as usize),
        ("GOMP_parallel_loop_nonmonotonic_guided", parallel_loop::<3> as *const () as usize),
        ("GOMP_parallel_loop_runtime", parallel_loop_runtime as *const () as usize),
        ("GOMP_parallel_loop_nonmonotonic_runtime", parallel_loop_runtime as *const () as usize),
        (
            "GOMP_parallel_loop_maybe_nonmonotonic_runtime",
            parallel_loop_runtime as *const () as usize,
        ),
        ("GOMP_parallel_loop_runtime_start", parallel_loop_start_runtime as *const () as usize),
    ]
}

pub(super) fn waiting() -> Vec<(&'static str, usize)> {
    let next = NEXT.into_iter().map(|name| (name, next as *const () as usize));
    starts().into_iter().chain(regions()).chain(next).collect()
}
