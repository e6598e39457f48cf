//! Waiting in the system: what ranks can do to each other there is waited for in simulated time.
//!
//! All ranks are one process and one thread, so a call of the system that blocks would block all of them
//! for ever. Locks of files, pipes, sockets, semaphores and queues are asked without blocking instead,
//! again and again while simulated time passes: at first each microsecond, later after a sixteenth of the
//! time waited so far.
#![allow(unsafe_code, reason = "is called by programs and calls the system")]

use std::{
    ffi::{c_int, c_long, c_short, c_uint, c_void},
    mem::MaybeUninit,
    time::Duration,
};

use super::{Replacement, ending::Ending, process, rank::Rank, signal};
use crate::site;

const FIRST: Duration = Duration::from_micros(1);
/// Nobody lets go on who has waited that long.
const LONGEST: Duration = Duration::from_secs(3600);

/// Tries until there is an answer. Simulated time passes in between, and the other ranks go on.
pub(super) fn until<T>(call: &str, attempt: impl FnMut() -> Option<T>) -> T {
    within(call, None, attempt).expect("only a time that is over ends the waiting")
}

/// As [`until`], at most for a time. `None` if it is over.
pub(super) fn within<T>(
    call: &str,
    most: Option<Duration>,
    mut attempt: impl FnMut() -> Option<T>,
) -> Option<T> {
    if let Some(answer) = attempt() {
        return Some(answer);
    }
    let place = site::caller();
    let rank = Rank::current().unwrap_or_else(|| std::process::abort());
    let begun = rank.clock();
    loop {
        let waited = rank.clock().saturating_sub(begun);
        if most.is_some_and(|most| waited >= most) {
            return None;
        }
        if waited >= LONGEST {
            let at = match place.known() {
                Some(place) => format!(" ({}:{})", place.file, place.line),
                None => String::new(),
            };
            let text = format!("it has waited an hour in {call}{at}, and no rank lets it go on");
            process::finish(rank, Ending::Refused(text));
        }
        let step = (waited / 16).max(FIRST);
        let step = most.map_or(step, |most| step.min(most - waited));
        rank.host().sleep(rank.number(), step);
        signal::attend();
        if let Some(answer) = attempt() {
            return Some(answer);
        }
    }
}

fn error() -> c_int {
    // SAFETY: the thread's own variable.
    unsafe { *libc::__errno_location() }
}

fn fails(error: c_int) -> c_int {
    // SAFETY: the thread's own variable.
    unsafe { *libc::__errno_location() = error };
    -1
}

/// An answer that is not "it would block".
fn answered<T: PartialOrd + Default>(answer: T, blocking: &[c_int]) -> Option<T> {
    let would_block = answer < T::default() && blocking.contains(&error());
    (!would_block).then_some(answer)
}

extern "C-unwind" fn flock(file: c_int, operation: c_int) -> c_int {
    // SAFETY: handed on as it came, but never blocking.
    let attempt = |operation| unsafe { libc::flock(file, operation | libc::LOCK_NB) };
    if operation & (libc::LOCK_NB | libc::LOCK_UN) != 0 {
        return attempt(operation);
    }
    until("flock", || answered(attempt(operation), &[libc::EWOULDBLOCK]))
}

/// Locks of a process are those of an opened file here: ranks are one process, but each has opened the
/// file for itself.
pub(super) fn lock(call: &str, file: c_int, command: c_int, place: *mut libc::flock) -> c_int {
    if place.is_null() {
        return fails(libc::EFAULT);
    }
    let ask = |command| {
        // SAFETY: the program passes a structure; that of an opened file has no process.
        unsafe {
            (*place).l_pid = 0;
            libc::fcntl(file, command, place)
        }
    };
    match command {
        libc::F_GETLK | libc::F_OFD_GETLK => ask(libc::F_OFD_GETLK),
        libc::F_SETLK | libc::F_OFD_SETLK => ask(libc::F_OFD_SETLK),
        _ => until(call, || answered(ask(libc::F_OFD_SETLK), &[libc::EAGAIN, libc::EACCES])),
    }
}

/// Whether a command of `fcntl` is about locks.
pub(super) fn is_lock(command: c_int) -> bool {
    matches!(
        command,
        libc::F_GETLK
            | libc::F_SETLK
            | libc::F_SETLKW
            | libc::F_OFD_GETLK
            | libc::F_OFD_SETLK
            | libc::F_OFD_SETLKW
    )
}

extern "C-unwind" fn lockf(file: c_int, command: c_int, length: libc::off_t) -> c_int {
    let (kind, how) = match command {
        libc::F_LOCK => (libc::F_WRLCK, libc::F_SETLKW),
        libc::F_TLOCK => (libc::F_WRLCK, libc::F_SETLK),
        libc::F_ULOCK => (libc::F_UNLCK, libc::F_SETLK),
        libc::F_TEST => (libc::F_WRLCK, libc::F_GETLK),
        _ => return fails(libc::EINVAL),
    };
    let mut place = libc::flock {
        l_type: kind as c_short,
        l_whence: libc::SEEK_CUR as c_short,
        l_start: 0,
        l_len: length,
        l_pid: 0,
    };
    let answer = lock("lockf", file, how, &raw mut place);
    let free = place.l_type == libc::F_UNLCK as c_short;
    if command == libc::F_TEST && answer == 0 && !free { fails(libc::EACCES) } else { answer }
}

/// Whether other ranks may be at the other end: a pipe or a socket, and reading it may block.
fn may_block(file: c_int) -> bool {
    let mut kind = MaybeUninit::<libc::stat>::uninit();
    // SAFETY: the structure is ours; it is read if the system has filled it.
    let mode = unsafe {
        if libc::fstat(file, kind.as_mut_ptr()) != 0 {
            return false;
        }
        kind.assume_init_ref().st_mode & libc::S_IFMT
    };
    // SAFETY: asks for the flags of a descriptor.
    let flags = unsafe { libc::fcntl(file, libc::F_GETFL) };
    matches!(mode, libc::S_IFIFO | libc::S_IFSOCK) && flags & libc::O_NONBLOCK == 0
}

/// Waits until a descriptor is ready for an event.
fn ready(call: &str, file: c_int, events: c_short) {
    until(call, || {
        let mut place = libc::pollfd { fd: file, events, revents: 0 };
        // SAFETY: one structure of ours.
        (unsafe { libc::poll(&raw mut place, 1, 0) } != 0).then_some(())
    });
}

/// `read` of the system, without blocking other ranks.
pub(super) fn read(file: c_int, bytes: *mut c_void, count: usize) -> isize {
    if file > libc::STDERR_FILENO && Rank::current().is_some() && may_block(file) {
        ready("read", file, libc::POLLIN);
    }
    // SAFETY: handed on as it came.
    unsafe { libc::read(file, bytes, count) }
}

/// `write` of the system, without blocking other ranks: no more at once than a pipe that is ready takes.
pub(super) fn write(file: c_int, bytes: *const c_void, count: usize) -> isize {
    let shared = file > libc::STDERR_FILENO && Rank::current().is_some() && may_block(file);
    if !shared {
        // SAFETY: handed on as it came.
        return unsafe { libc::write(file, bytes, count) };
    }
    let mut done = 0;
    loop {
        ready("write", file, libc::POLLOUT);
        let part = (count - done).min(libc::PIPE_BUF);
        // SAFETY: a part of the program's bytes.
        let written = unsafe { libc::write(file, bytes.byte_add(done), part) };
        if written < 0 {
            return if done > 0 { done as isize } else { written };
        }
        done += written as usize;
        if done >= count {
            return done as isize;
        }
    }
}

extern "C-unwind" fn recv(file: c_int, bytes: *mut c_void, count: usize, flags: c_int) -> isize {
    recvfrom(file, bytes, count, flags, std::ptr::null_mut(), std::ptr::null_mut())
}

extern "C-unwind" fn recvfrom(
    file: c_int,
    bytes: *mut c_void,
    count: usize,
    flags: c_int,
    address: *mut libc::sockaddr,
    length: *mut libc::socklen_t,
) -> isize {
    if flags & libc::MSG_DONTWAIT == 0 && may_block(file) {
        ready("recv", file, libc::POLLIN);
    }
    // SAFETY: handed on as it came; what is there is taken without waiting for more.
    unsafe { libc::recvfrom(file, bytes, count, flags & !libc::MSG_WAITALL, address, length) }
}

extern "C-unwind" fn recvmsg(file: c_int, message: *mut libc::msghdr, flags: c_int) -> isize {
    if flags & libc::MSG_DONTWAIT == 0 && may_block(file) {
        ready("recvmsg", file, libc::POLLIN);
    }
    // SAFETY: handed on as it came.
    unsafe { libc::recvmsg(file, message, flags & !libc::MSG_WAITALL) }
}

extern "C-unwind" fn accept(
    file: c_int,
    address: *mut libc::sockaddr,
    length: *mut libc::socklen_t,
) -> c_int {
    accept4(file, address, length, 0)
}

extern "C-unwind" fn accept4(
    file: c_int,
    address: *mut libc::sockaddr,
    length: *mut libc::socklen_t,
    flags: c_int,
) -> c_int {
    if may_block(file) {
        ready("accept", file, libc::POLLIN);
    }
    // SAFETY: handed on as it came.
    unsafe { libc::accept4(file, address, length, flags) }
}

/// `poll` of the system, without blocking other ranks.
pub(super) fn poll(places: *mut libc::pollfd, count: libc::nfds_t, time: c_int) -> c_int {
    let most = u64::try_from(time).ok().map(Duration::from_millis);
    // SAFETY: handed on as it came, but not blocking.
    let attempt = || Some(unsafe { libc::poll(places, count, 0) }).filter(|ready| *ready != 0);
    within("poll", most, attempt).unwrap_or(0)
}

/// Operations of System V on semaphores: with `IPC_NOWAIT` in each.
extern "C-unwind" fn semop(set: c_int, operations: *mut libc::sembuf, count: usize) -> c_int {
    // SAFETY: the program passes that many.
    let given = unsafe { std::slice::from_raw_parts(operations, count) };
    let mut own: Vec<libc::sembuf> = given
        .iter()
        .map(|one| libc::sembuf { sem_flg: one.sem_flg | libc::IPC_NOWAIT as c_short, ..*one })
        .collect();
    // SAFETY: as many operations of ours.
    let mut attempt = || unsafe { libc::semop(set, own.as_mut_ptr(), count) };
    if given.iter().any(|one| c_int::from(one.sem_flg) & libc::IPC_NOWAIT != 0) {
        return attempt();
    }
    until("semop", || answered(attempt(), &[libc::EAGAIN]))
}

extern "C-unwind" fn msgrcv(
    queue: c_int,
    place: *mut c_void,
    room: usize,
    kind: c_long,
    flags: c_int,
) -> isize {
    // SAFETY: handed on as it came, but not blocking.
    let attempt = || unsafe { libc::msgrcv(queue, place, room, kind, flags | libc::IPC_NOWAIT) };
    if flags & libc::IPC_NOWAIT != 0 {
        return attempt();
    }
    until("msgrcv", || answered(attempt(), &[libc::ENOMSG]))
}

/// Whether a path is a pipe with a name, and opening it may block.
pub(super) fn is_pipe(path: *const std::ffi::c_char, flags: c_int) -> bool {
    if path.is_null() || flags & libc::O_NONBLOCK != 0 || flags & libc::O_ACCMODE == libc::O_RDWR {
        return false;
    }
    let mut kind = MaybeUninit::<libc::stat>::uninit();
    // SAFETY: the program passes a C string; the structure is read if the system has filled it.
    unsafe {
        libc::stat(path, kind.as_mut_ptr()) == 0
            && kind.assume_init_ref().st_mode & libc::S_IFMT == libc::S_IFIFO
    }
}

/// Opens a pipe with a name, which waits for somebody at the other end.
pub(super) fn open_pipe(path: *const std::ffi::c_char, flags: c_int, mode: c_uint) -> c_int {
    // SAFETY: handed on as it came, but not blocking.
    let open = || unsafe { libc::open(path, flags | libc::O_NONBLOCK, mode) };
    let file = if flags & libc::O_ACCMODE == libc::O_WRONLY {
        until("open", || answered(open(), &[libc::ENXIO]))
    } else {
        let file = open();
        if file >= 0 {
            until("open", || has_writer(file).then_some(()));
        }
        file
    };
    if file >= 0 {
        // SAFETY: the descriptor was opened just now.
        unsafe { libc::fcntl(file, libc::F_SETFL, flags & !libc::O_NONBLOCK) };
    }
    file
}

/// Whether somebody writes to a pipe, or has written: it is looked at without taking anything.
fn has_writer(file: c_int) -> bool {
    let mut ends = [0; 2];
    // SAFETY: a pipe of ours, gone at once.
    unsafe {
        if libc::pipe(ends.as_mut_ptr()) != 0 {
            return true;
        }
        let copied = libc::tee(file, ends[1], 1, libc::SPLICE_F_NONBLOCK);
        ends.iter().for_each(|end| {
            libc::close(*end);
        });
        copied != 0
    }
}

pub(super) fn waiting() -> Vec<Replacement> {
    vec![
        ("flock", flock as *const () as usize),
        ("lockf", lockf as *const () as usize),
        ("lockf64", lockf as *const () as usize),
        ("recv", recv as *const () as usize),
        ("recvfrom", recvfrom as *const () as usize),
        ("recvmsg", recvmsg as *const () as usize),
        ("accept", accept as *const () as usize),
        ("accept4", accept4 as *const () as usize),
        ("semop", semop as *const () as usize),
        ("msgrcv", msgrcv as *const () as usize),
    ]
}
