//! Loops whose iterations are divided while they run, and `ordered` regions (OpenMP 5.2, sections 11.5
//! and 15.10). Loops with a static schedule are divided by compiled code, unless they are ordered.
#![allow(unsafe_code, reason = "writes the bounds of chunks into variables of programs")]

use std::ops::Range;

use super::{
    pace::{catch_up, keep_pace},
    present::present,
    reduction::{self, Extras},
    schedule::Schedule,
    share::{Loop, Share, Work},
    team::Member,
    work::barrier,
};
use crate::libc::thread::{self, Why};

/// The name of the end of a construct in findings.
const END: &str = "the end of omp for";

/// Returns the schedule of a number; that of the running task if it is the number of no schedule.
pub(super) fn scheduled(number: u32, chunk: u64) -> Schedule {
    Schedule::numbered(number, chunk).unwrap_or_else(|| present().task.controls.get().schedule)
}

/// Records that a thread has finished its present chunk.
fn finish_chunk(member: &Member, share: &Share) {
    let Work::Loop(one) = &share.work else { return };
    let (start, end) = member.chunk.replace((0, 0));
    if start == end {
        return;
    }
    let chunk = start..end;
    if one.order.is_some() || !one.nest.is_empty() {
        catch_up();
    }
    if let Some(order) = &one.order {
        let passes = order.borrow_mut().finish(&chunk);
        if passes {
            thread::wake(key(share), usize::MAX);
        }
    }
    if !one.nest.is_empty() {
        one.posts.borrow_mut().finish(&chunk);
        thread::wake(key(share), usize::MAX);
    }
}

/// Returns the key at which threads wait for their turn in a loop.
pub(super) fn key(share: &Share) -> usize {
    (&raw const share.cancelled) as usize
}

/// Gives the calling thread its next chunk.
fn take_chunk(member: &Member) -> Option<Range<u64>> {
    let share = member.present_share()?;
    let Work::Loop(one) = &share.work else { return None };
    finish_chunk(member, &share);
    if share.cancelled.get() || member.team.cancelled.get() {
        return None;
    }
    if !one.schedule.is_static() {
        keep_pace(member);
    }
    let (mut next, trip) = (one.next.get(), member.trip.get());
    let place = (member.number, member.team.size);
    let chunk = one.schedule.chunk(one.space.count, &mut next, place, trip)?;
    one.next.set(next);
    member.trip.set(trip + 1);
    member.chunk.set((chunk.start, chunk.end));
    if !one.nest.is_empty() {
        one.posts.borrow_mut().begin(&chunk);
    }
    Some(chunk)
}

/// Writes the bounds of the calling thread's next chunk; false if there is none.
pub(super) fn next_chunk(member: &Member, begin: *mut u64, end: *mut u64) -> bool {
    let Some(chunk) = take_chunk(member) else { return false };
    let Some(share) = member.present_share() else { return false };
    let Work::Loop(one) = &share.work else { return false };
    let bounds = one.space.bounds(&chunk);
    // SAFETY: compiled code passes two variables.
    unsafe {
        begin.write(bounds.0);
        end.write(bounds.1);
    }
    true
}

/// Begins a loop and gives the calling thread its first chunk, if it asks for one.
pub(super) fn begin_loop(
    make: impl FnOnce() -> Loop,
    extras: Extras,
    begin: *mut u64,
    end: *mut u64,
) -> bool {
    let here = present();
    let (share, first) = here.member.enter(|| Work::Loop(make()));
    reduction::begin_share(&here, (&share, first), extras);
    begin.is_null() || next_chunk(&here.member, begin, end)
}

/// Ends the calling thread's part of a loop, without waiting for the others.
extern "C-unwind" fn end_nowait() {
    let member = present().member;
    if let Some(share) = member.present_share() {
        finish_chunk(&member, &share);
    }
}

extern "C-unwind" fn end() {
    end_cancel();
}

/// Ends a loop; true if the region is cancelled.
extern "C-unwind" fn end_cancel() -> bool {
    let why = Why::here(END);
    end_nowait();
    barrier(&present(), &why)
}

/// Waits until all earlier iterations have left their `ordered` regions.
extern "C-unwind" fn ordered_start() {
    let why = Why::here("omp ordered");
    let member = present().member;
    let Some(share) = member.present_share() else { return };
    let Work::Loop(Loop { order: Some(order), .. }) = &share.work else { return };
    catch_up();
    let (start, end) = member.chunk.get();
    while start < end && !order.borrow().is_turn_of(&(start..end)) && !share.cancelled.get() {
        thread::wait(key(&share), &why);
    }
}

extern "C-unwind" fn ordered_end() {}

pub(super) fn waiting() -> Vec<(&'static str, usize)> {
    vec![
        ("GOMP_loop_end", end as *const () as usize),
        ("GOMP_loop_end_nowait", end_nowait as *const () as usize),
        ("GOMP_loop_end_cancel", end_cancel as *const () as usize),
        ("GOMP_ordered_start", ordered_start as *const () as usize),
        ("GOMP_ordered_end", ordered_end as *const () as usize),
    ]
}
