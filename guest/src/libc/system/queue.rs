//! Semaphores of System V, and message queues.
#![allow(unsafe_code, reason = "is called by programs and calls the system")]

use std::{
    ffi::{c_char, c_int, c_long, c_short, c_uint, c_void},
    time::Duration,
};

use super::{
    super::clock,
    wait::{Ended, EndedBy, answer, answered, until_answered, wait},
};
use crate::{libc::errno::fails, replacement::Replacement};

/// Implements `semop` with `IPC_NOWAIT` in each operation.
unsafe extern "C-unwind" fn semop(
    set: c_int,
    operations: *mut libc::sembuf,
    count: usize,
) -> c_int {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { semtimedop(set, operations, count, std::ptr::null()) }
}

unsafe extern "C-unwind" fn semtimedop(
    set: c_int,
    operations: *mut libc::sembuf,
    count: usize,
    time: *const libc::timespec,
) -> c_int {
    let most = clock::duration(time);
    if operations.is_null() || (most.is_none() && !time.is_null()) {
        return fails(if operations.is_null() { libc::EFAULT } else { libc::EINVAL });
    }
    // SAFETY: the program passes that many.
    let given = unsafe { std::slice::from_raw_parts(operations, count) };
    let mut own: Vec<libc::sembuf> = given
        .iter()
        .map(|one| libc::sembuf { sem_flg: one.sem_flg | libc::IPC_NOWAIT as c_short, ..*one })
        .collect();
    // SAFETY: the array of operations is ours and has that length.
    let mut attempt = || unsafe { libc::semop(set, own.as_mut_ptr(), count) };
    if given.iter().any(|one| c_int::from(one.sem_flg) & libc::IPC_NOWAIT != 0) {
        return attempt();
    }
    match wait("semop", most, EndedBy::Any, || answered(attempt(), &[libc::EAGAIN])) {
        Err(Ended::TimedOut) => fails(libc::EAGAIN),
        ended => answer(ended),
    }
}

unsafe extern "C-unwind" fn msgrcv(
    queue: c_int,
    place: *mut c_void,
    room: usize,
    kind: c_long,
    flags: c_int,
) -> isize {
    // SAFETY: the arguments are passed on unchanged, without blocking.
    let attempt = || unsafe { libc::msgrcv(queue, place, room, kind, flags | libc::IPC_NOWAIT) };
    if flags & libc::IPC_NOWAIT != 0 {
        return attempt();
    }
    until_answered(("msgrcv", EndedBy::Any), &[libc::ENOMSG], attempt)
}

unsafe extern "C-unwind" fn msgsnd(
    queue: c_int,
    message: *const c_void,
    bytes: usize,
    flags: c_int,
) -> c_int {
    // SAFETY: the arguments are passed on unchanged, without blocking.
    let attempt = || unsafe { libc::msgsnd(queue, message, bytes, flags | libc::IPC_NOWAIT) };
    if flags & libc::IPC_NOWAIT != 0 {
        return attempt();
    }
    until_answered(("msgsnd", EndedBy::Any), &[libc::EAGAIN], attempt)
}

/// A time in the past: a call with this time limit returns `ETIMEDOUT` instead of blocking, and
/// `EAGAIN` on queues opened with `O_NONBLOCK`.
static PAST: libc::timespec = libc::timespec { tv_sec: 0, tv_nsec: 0 };

/// Waits for a queue, at most until a time that the program gives; forever if it gives none.
fn wait_for_queue<T: PartialOrd + Default + From<i8>>(
    call: &str,
    time: *const libc::timespec,
    attempt: impl Fn() -> T,
) -> T {
    let most: Option<Duration> = clock::left(libc::CLOCK_REALTIME, time);
    answer(wait(call, most, EndedBy::NotRestarting, || {
        let answer = answered(attempt(), &[libc::ETIMEDOUT]);
        // An invalid time is an error only where the call would block.
        if answer.is_none() && most.is_none() && !time.is_null() {
            fails(libc::EINVAL);
            return Some(T::from(-1));
        }
        answer
    }))
}

unsafe extern "C-unwind" fn mq_receive(
    queue: libc::mqd_t,
    place: *mut c_char,
    room: usize,
    priority: *mut c_uint,
) -> isize {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { mq_timedreceive(queue, place, room, priority, std::ptr::null()) }
}

unsafe extern "C-unwind" fn mq_timedreceive(
    queue: libc::mqd_t,
    place: *mut c_char,
    room: usize,
    priority: *mut c_uint,
    time: *const libc::timespec,
) -> isize {
    wait_for_queue("mq_receive", time, || {
        // SAFETY: the arguments are passed on unchanged, without blocking.
        unsafe { libc::mq_timedreceive(queue, place, room, priority, &raw const PAST) }
    })
}

unsafe extern "C-unwind" fn mq_send(
    queue: libc::mqd_t,
    message: *const c_char,
    bytes: usize,
    priority: c_uint,
) -> c_int {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { mq_timedsend(queue, message, bytes, priority, std::ptr::null()) }
}

unsafe extern "C-unwind" fn mq_timedsend(
    queue: libc::mqd_t,
    message: *const c_char,
    bytes: usize,
    priority: c_uint,
    time: *const libc::timespec,
) -> c_int {
    wait_for_queue("mq_send", time, || {
        // SAFETY: the arguments are passed on unchanged, without blocking.
        unsafe { libc::mq_timedsend(queue, message, bytes, priority, &raw const PAST) }
    })
}

pub(super) fn waiting() -> Vec<Replacement> {
    vec![
        ("semop", semop as *const () as usize),
        ("semtimedop", semtimedop as *const () as usize),
        ("msgrcv", msgrcv as *const () as usize),
        ("msgsnd", msgsnd as *const () as usize),
        ("mq_receive", mq_receive as *const () as usize),
        ("mq_timedreceive", mq_timedreceive as *const () as usize),
        ("mq_send", mq_send as *const () as usize),
        ("mq_timedsend", mq_timedsend as *const () as usize),
    ]
}
