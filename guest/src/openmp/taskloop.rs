//! Loops whose iterations become tasks (OpenMP 5.2, section 12.6).
#![allow(unsafe_code, reason = "is called by programs with the data of tasks")]

use std::{
    ffi::{c_int, c_long, c_uint, c_ulong},
    ops::Range,
};

use super::{
    present::{Present, present},
    schedule::Space,
    task_entry::{Creation, create, flag, in_group},
    work,
};
use crate::libc::thread::Why;

/// Divides iterations among tasks. `wanted` is a number of tasks, or their size if `by_size`; 0 leaves
/// it to us: a task for each thread.
fn divided(count: u64, wanted: u64, flags: u32, threads: u64) -> Vec<Range<u64>> {
    let (by_size, strict) = (flags & flag::GRAINSIZE != 0, flags & flag::STRICT != 0);
    if count == 0 {
        return Vec::new();
    }
    if by_size && strict {
        let size = wanted.max(1);
        let starts = (0..count.div_ceil(size)).map(|index| index * size);
        return starts.map(|start| start..start.saturating_add(size).min(count)).collect();
    }
    let tasks = match (by_size, wanted) {
        (true, size) => (count / size.max(1)).max(1),
        (false, 0) => threads,
        (false, tasks) => tasks,
    };
    let tasks = tasks.min(count);
    let (each, more) = (count / tasks, count % tasks);
    let start = |index: u64| index * each + index.min(more);
    (0..tasks).map(|index| start(index)..start(index + 1)).collect()
}

/// The arguments that loops of signed and unsigned variables have in common.
struct Arguments {
    code: (usize, usize, usize),
    bytes: usize,
    align: usize,
    flags: u32,
    tasks: u64,
    priority: c_int,
}

/// Creates the tasks of a loop and waits for them, unless they have no group.
///
/// # Safety
/// Compiled code passes data of that size whose first words are for the bounds of a task.
unsafe fn create_all(here: &Present, all: &Arguments, space: &Space, why: &Why) {
    let (function, data, _) = all.code;
    for chunk in divided(space.count, all.tasks, all.flags, here.member.team.size.into()) {
        // SAFETY: guaranteed by the caller.
        let body = unsafe { work::body(all.code, all.bytes, all.align) };
        let (first, last) = space.bounds(&chunk);
        // SAFETY: as above.
        unsafe {
            let place = body.data as *mut u64;
            place.write(first);
            place.add(1).write(last);
        }
        let creation = Creation {
            code: (function, data, 0),
            bytes: all.bytes,
            align: all.align,
            may_wait: all.flags & flag::IF != 0,
            flags: all.flags & flag::FINAL,
            priority: all.priority.max(0) as u32,
            body: Some(body),
        };
        // SAFETY: the task has neither dependences nor an event.
        unsafe { create(here, creation, std::ptr::null(), std::ptr::null_mut(), why) };
    }
}

unsafe fn run(all: &Arguments, space: &Space) {
    let why = Why::here("omp taskloop");
    let here = present();
    let data = all.code.1;
    let description = if all.flags & flag::REDUCTION == 0 {
        0
    } else {
        // SAFETY: the third word of the data is the address of the description.
        unsafe { (data as *const usize).add(2).read() }
    };
    let grouped = all.flags & flag::NOGROUP == 0;
    // SAFETY: compiled code passes the data.
    in_group(&here, (grouped, description), &why, || unsafe {
        create_all(&here, all, space, &why);
    });
}

unsafe extern "C-unwind" fn taskloop(
    function: usize,
    data: usize,
    copy: usize,
    bytes: c_long,
    align: c_long,
    flags: c_uint,
    tasks: c_ulong,
    priority: c_int,
    start: c_long,
    end: c_long,
    step: c_long,
) {
    let (bytes, align) = (bytes as usize, align as usize);
    let all = Arguments { code: (function, data, copy), bytes, align, flags, tasks, priority };
    // SAFETY: the arguments are passed on.
    unsafe { run(&all, &Space::signed(start, end, step)) };
}

unsafe extern "C-unwind" fn taskloop_unsigned(
    function: usize,
    data: usize,
    copy: usize,
    bytes: c_long,
    align: c_long,
    flags: c_uint,
    tasks: c_ulong,
    priority: c_int,
    start: u64,
    end: u64,
    step: u64,
) {
    let (bytes, align) = (bytes as usize, align as usize);
    let all = Arguments { code: (function, data, copy), bytes, align, flags, tasks, priority };
    let space = Space::unsigned(flags & flag::UP != 0, start, end, step);
    // SAFETY: the arguments are passed on.
    unsafe { run(&all, &space) };
}

pub(super) fn waiting() -> Vec<(&'static str, usize)> {
    vec![
        ("GOMP_taskloop", taskloop as *const () as usize),
        ("GOMP_taskloop_ull", taskloop_unsigned as *const () as usize),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(count: u64, wanted: u64, flags: u32) -> Vec<u64> {
        let tasks = divided(count, wanted, flags, 3);
        assert!(tasks.windows(2).all(|pair| pair[0].end == pair[1].start));
        assert_eq!(tasks.last().map_or(0, |last| last.end), count);
        tasks.into_iter().map(|task| task.end - task.start).collect()
    }

    #[test]
    fn iterations_are_divided_as_the_clauses_say() {
        assert_eq!(sizes(10, 0, 0), [4, 3, 3]);
        assert_eq!(sizes(2, 0, 0), [1, 1]);
        assert_eq!(sizes(10, 4, 0), [3, 3, 2, 2]);
        assert_eq!(sizes(10, 4, flag::GRAINSIZE), [5, 5]);
        assert_eq!(sizes(10, 4, flag::GRAINSIZE | flag::STRICT), [4, 4, 2]);
        assert_eq!(sizes(3, 4, flag::GRAINSIZE), [3]);
        assert!(sizes(0, 4, 0).is_empty());
    }
}
