//! `single`, `sections` and cancellation (OpenMP 5.2, sections 11.1, 11.3 and 16).
#![allow(unsafe_code, reason = "is called by programs with addresses of variables")]

use super::{
    pace::{catch_up, keep_pace},
    present::{Present, present, settings},
    reduction::{self, Extras},
    share::{Share, Work},
    work::barrier_in,
};
use crate::libc::thread::{self, Why};

extern "C-unwind" fn single_start() -> bool {
    catch_up();
    let work = || Work::Single { copied: std::cell::Cell::new(None) };
    present().member.enter(work).1
}

/// Returns the key at which threads wait for the values that another one broadcasts.
fn key(share: &Share) -> usize {
    (&raw const share.work) as usize
}

/// Begins a `single` with `copyprivate`: returns 0 to the thread that executes it, and to the others,
/// later, the address of its values.
extern "C-unwind" fn single_copy_start() -> usize {
    let why = Why::here("omp single copyprivate");
    catch_up();
    let work = || Work::Single { copied: std::cell::Cell::new(None) };
    let here = present();
    let (share, first) = here.member.enter(work);
    if first {
        return 0;
    }
    let Work::Single { copied } = &share.work else { return 0 };
    while copied.get().is_none() && !here.member.team.cancelled.get() {
        thread::wait(key(&share), &why);
    }
    copied.get().unwrap_or(0)
}

extern "C-unwind" fn single_copy_end(values: usize) {
    catch_up();
    let Some(share) = present().member.present_share() else { return };
    if let Work::Single { copied } = &share.work {
        copied.set(Some(values));
        thread::wake(key(&share), usize::MAX);
    }
}

fn sections(count: u32) -> Work {
    Work::Sections { count, next: std::cell::Cell::new(0) }
}

/// Returns the number of the calling thread's next section, from 1; 0 if there is none.
fn next_section(here: &Present) -> u32 {
    let Some(share) = here.member.present_share() else { return 0 };
    let Work::Sections { count, next } = &share.work else { return 0 };
    keep_pace(&here.member);
    if next.get() >= *count || share.cancelled.get() || here.member.team.cancelled.get() {
        return 0;
    }
    let begun = next.get();
    next.set(begun + 1);
    if here.member.team.reversed { *count - begun } else { begun + 1 }
}

extern "C-unwind" fn sections_start(count: u32) -> u32 {
    let here = present();
    here.member.enter(|| sections(count));
    next_section(&here)
}

unsafe extern "C-unwind" fn sections_start_any(
    count: u32,
    reductions: *mut usize,
    memory: *mut usize,
) -> u32 {
    let here = present();
    let (share, first) = here.member.enter(|| sections(count));
    reduction::begin_share(&here, (&share, first), Extras { reductions, memory });
    next_section(&here)
}

extern "C-unwind" fn sections_next() -> u32 {
    next_section(&present())
}

extern "C-unwind" fn sections_end() {
    barrier_in("the end of omp sections");
}

extern "C-unwind" fn sections_end_cancel() -> bool {
    barrier_in("the end of omp sections")
}

extern "C-unwind" fn sections_end_nowait() {}

extern "C-unwind" fn parallel_sections(
    function: usize,
    data: usize,
    wanted: u32,
    count: u32,
    _flags: u32,
) {
    super::parallel::run((function, data), wanted, |member| _ = member.enter(|| sections(count)));
}

extern "C-unwind" fn parallel_sections_start(
    function: usize,
    data: usize,
    wanted: u32,
    count: u32,
) {
    super::parallel::start((function, data), wanted, |member| _ = member.enter(|| sections(count)));
}

extern "C-unwind" fn barrier() {
    barrier_in("omp barrier");
}

extern "C-unwind" fn barrier_cancel() -> bool {
    barrier_in("omp barrier")
}

/// What is cancelled, as gcc numbers it.
const PARALLEL: u32 = 1;
const LOOP: u32 = 2;
const SECTIONS: u32 = 4;

/// Reports whether a construct that the calling thread is in is cancelled.
fn is_cancelled(here: &Present, which: u32) -> bool {
    let region = here.member.team.cancelled.get();
    match which {
        PARALLEL => region,
        LOOP | SECTIONS => region || here.member.present_share().is_some_and(|s| s.cancelled.get()),
        _ => region || here.task.inner.borrow().as_ref().is_some_and(|g| g.cancelled.get()),
    }
}

extern "C-unwind" fn cancellation_point(which: u32) -> bool {
    settings(thread::caller().0).cancellation && is_cancelled(&present(), which)
}

/// Cancels a construct if `cancels`; returns whether the thread is to leave it.
extern "C-unwind" fn cancel(which: u32, cancels: bool) -> bool {
    if !settings(thread::caller().0).cancellation {
        return false;
    }
    catch_up();
    let here = present();
    if !cancels {
        return is_cancelled(&here, which);
    }
    let team = &here.member.team;
    let share = here.member.present_share();
    match which {
        PARALLEL => {
            team.cancelled.set(true);
            thread::wake(team.work_key(), usize::MAX);
        }
        LOOP | SECTIONS => {
            if let Some(share) = share {
                share.cancelled.set(true);
                thread::wake(super::loops::key(&share), usize::MAX);
            }
        }
        _ => {
            if let Some(group) = here.task.inner.borrow().as_ref() {
                group.cancelled.set(true);
            }
        }
    }
    true
}

pub(super) fn waiting() -> Vec<(&'static str, usize)> {
    vec![
        ("GOMP_barrier", barrier as *const () as usize),
        ("GOMP_barrier_cancel", barrier_cancel as *const () as usize),
        ("GOMP_single_copy_start", single_copy_start as *const () as usize),
        ("GOMP_single_copy_end", single_copy_end as *const () as usize),
        ("GOMP_sections_start", sections_start as *const () as usize),
        ("GOMP_sections2_start", sections_start_any as *const () as usize),
        ("GOMP_sections_next", sections_next as *const () as usize),
        ("GOMP_sections_end", sections_end as *const () as usize),
        ("GOMP_sections_end_cancel", sections_end_cancel as *const () as usize),
        ("GOMP_parallel_sections", parallel_sections as *const () as usize),
        ("GOMP_parallel_sections_start", parallel_sections_start as *const () as usize),
        ("GOMP_cancel", cancel as *const () as usize),
    ]
}

pub(super) fn replacements() -> Vec<(&'static str, usize)> {
    vec![
        ("GOMP_single_start", single_start as *const () as usize),
        ("GOMP_sections_end_nowait", sections_end_nowait as *const () as usize),
        ("GOMP_cancellation_point", cancellation_point as *const () as usize),
    ]
}
