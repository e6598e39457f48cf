//! Functions that wait for one of several descriptors: `poll`, `select` and `epoll`.
#![allow(unsafe_code, reason = "is called by programs")]

use std::{
    ffi::{c_int, c_short},
    time::Duration,
};

use super::{descriptor::opened, system::asked};
use crate::{
    libc::{
        clock,
        errno::fails,
        rank::Rank,
        signal::{mask::with_mask, state::Set},
        system::ready::{Events, wait_for_events},
    },
    replacement::Replacement,
};

/// Converts a time in milliseconds; a negative one means no limit.
fn milliseconds(time: c_int) -> Option<Duration> {
    u64::try_from(time).ok().map(Duration::from_millis)
}

/// Returns the process's number for a descriptor of the program. A closed one gets a number for
/// which the system reports an invalid descriptor.
fn of_system(number: c_int) -> c_int {
    if number < 0 {
        number
    } else {
        Some(asked(number)).filter(|own| *own >= 0).unwrap_or(c_int::MAX)
    }
}

/// Waits for events on descriptors with the program's numbers.
fn wait_for(
    call: &str,
    list: *mut libc::pollfd,
    count: libc::nfds_t,
    most: Option<Duration>,
) -> c_int {
    if list.is_null() && count > 0 {
        return fails(libc::EFAULT);
    }
    let entry = |at: usize| {
        // SAFETY: the program passes that many entries; each borrow ends before the next begins.
        unsafe { &mut *list.add(at) }
    };
    let numbers: Vec<c_int> = (0..count as usize)
        .map(|at| {
            let number = entry(at).fd;
            entry(at).fd = of_system(number);
            number
        })
        .collect();
    let answer = wait_for_events(call, Events::Listed(list, count), most);
    for (at, number) in numbers.into_iter().enumerate() {
        entry(at).fd = number;
    }
    answer
}

unsafe extern "C-unwind" fn poll(
    list: *mut libc::pollfd,
    count: libc::nfds_t,
    time: c_int,
) -> c_int {
    wait_for("poll", list, count, milliseconds(time))
}

unsafe extern "C-unwind" fn ppoll(
    list: *mut libc::pollfd,
    count: libc::nfds_t,
    time: *const libc::timespec,
    mask: *const Set,
) -> c_int {
    let most = clock::duration(time);
    if most.is_none() && !time.is_null() {
        return fails(libc::EINVAL);
    }
    with_mask(mask, || wait_for("ppoll", list, count, most))
}

/// The sets of `select`: the events that add a descriptor to the result, and those requested.
const KINDS: [(c_short, c_short); 3] = [
    (
        libc::POLLRDNORM | libc::POLLRDBAND | libc::POLLIN | libc::POLLHUP | libc::POLLERR,
        libc::POLLIN,
    ),
    (libc::POLLWRBAND | libc::POLLWRNORM | libc::POLLOUT | libc::POLLERR, libc::POLLOUT),
    (libc::POLLPRI, libc::POLLPRI),
];

/// Implements `select` by means of `poll`.
fn select_as(
    call: &str,
    count: c_int,
    sets: [*mut libc::fd_set; 3],
    most: Option<Duration>,
) -> c_int {
    if !(0..=libc::FD_SETSIZE as c_int).contains(&count) {
        return fails(libc::EINVAL);
    }
    let has = |set: *mut libc::fd_set, number| {
        // SAFETY: the program passes a set or null, and the number is in its range.
        !set.is_null() && unsafe { libc::FD_ISSET(number, set) }
    };
    let mut list: Vec<libc::pollfd> = (0..count)
        .map(|fd| {
            let asked = sets.iter().zip(KINDS).filter(|(set, _)| has(**set, fd));
            let events = asked.fold(0, |events, (_, (_, asked))| events | asked);
            libc::pollfd { fd, events, revents: 0 }
        })
        .filter(|place| place.events != 0)
        .collect();
    let ready = wait_for(call, list.as_mut_ptr(), list.len() as libc::nfds_t, most);
    if ready < 0 {
        return ready;
    }
    if list.iter().any(|place| place.revents & libc::POLLNVAL != 0) {
        return fails(libc::EBADF);
    }
    let mut members = 0;
    for (set, (wanted, asked)) in sets.into_iter().zip(KINDS).filter(|(set, _)| !set.is_null()) {
        for place in list.iter().filter(|place| place.events & asked != 0) {
            let is_member = place.revents & wanted != 0;
            members += c_int::from(is_member);
            if !is_member {
                // SAFETY: as above.
                unsafe { libc::FD_CLR(place.fd, set) };
            }
        }
    }
    members
}

unsafe extern "C-unwind" fn select(
    count: c_int,
    read: *mut libc::fd_set,
    write: *mut libc::fd_set,
    except: *mut libc::fd_set,
    time: *mut libc::timeval,
) -> c_int {
    // SAFETY: the program passes a structure or null.
    let most = match unsafe { time.as_ref() } {
        None => None,
        Some(given) => match (u64::try_from(given.tv_sec), u64::try_from(given.tv_usec)) {
            (Ok(seconds), Ok(micros)) => {
                Some(Duration::from_secs(seconds).saturating_add(Duration::from_micros(micros)))
            }
            _ => return fails(libc::EINVAL),
        },
    };
    let now = || Rank::current().map_or(Duration::ZERO, Rank::clock);
    let begun = now();
    let answer = select_as("select", count, [read, write, except], most);
    if let Some(most) = most {
        // Linux writes back the remaining time.
        let left = most.saturating_sub(now().saturating_sub(begun));
        let tv_sec = left.as_secs() as libc::time_t;
        // SAFETY: the program passes a structure.
        unsafe { time.write(libc::timeval { tv_sec, tv_usec: left.subsec_micros().into() }) };
    }
    answer
}

unsafe extern "C-unwind" fn pselect(
    count: c_int,
    read: *mut libc::fd_set,
    write: *mut libc::fd_set,
    except: *mut libc::fd_set,
    time: *const libc::timespec,
    mask: *const Set,
) -> c_int {
    let most = clock::duration(time);
    if most.is_none() && !time.is_null() {
        return fails(libc::EINVAL);
    }
    with_mask(mask, || select_as("pselect", count, [read, write, except], most))
}

extern "C" fn epoll_create(size: c_int) -> c_int {
    // SAFETY: a system call with an integer argument only.
    opened(unsafe { libc::epoll_create(size) })
}

extern "C" fn epoll_create_with(flags: c_int) -> c_int {
    // SAFETY: a system call with an integer argument only.
    opened(unsafe { libc::epoll_create1(flags) })
}

unsafe extern "C" fn epoll_ctl(
    object: c_int,
    operation: c_int,
    descriptor: c_int,
    event: *mut libc::epoll_event,
) -> c_int {
    // SAFETY: the arguments are passed on unchanged.
    unsafe { libc::epoll_ctl(asked(object), operation, of_system(descriptor), event) }
}

unsafe extern "C-unwind" fn epoll_wait(
    object: c_int,
    places: *mut libc::epoll_event,
    room: c_int,
    time: c_int,
) -> c_int {
    wait_for_events("epoll_wait", Events::Of(asked(object), places, room), milliseconds(time))
}

unsafe extern "C-unwind" fn epoll_pwait(
    object: c_int,
    places: *mut libc::epoll_event,
    room: c_int,
    time: c_int,
    mask: *const Set,
) -> c_int {
    // SAFETY: the program vouches for the arguments, which are passed on.
    with_mask(mask, || unsafe { epoll_wait(object, places, room, time) })
}

unsafe extern "C-unwind" fn epoll_pwait_until(
    object: c_int,
    places: *mut libc::epoll_event,
    room: c_int,
    time: *const libc::timespec,
    mask: *const Set,
) -> c_int {
    let most = clock::duration(time);
    if most.is_none() && !time.is_null() {
        return fails(libc::EINVAL);
    }
    let events = Events::Of(asked(object), places, room);
    with_mask(mask, || wait_for_events("epoll_pwait2", events, most))
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("epoll_create", epoll_create as *const () as usize),
        ("epoll_create1", epoll_create_with as *const () as usize),
        ("epoll_ctl", epoll_ctl as *const () as usize),
    ]
}

pub(super) fn waiting() -> Vec<Replacement> {
    vec![
        ("poll", poll as *const () as usize),
        ("__poll_chk", poll as *const () as usize),
        ("ppoll", ppoll as *const () as usize),
        ("__ppoll_chk", ppoll as *const () as usize),
        ("select", select as *const () as usize),
        ("pselect", pselect as *const () as usize),
        ("epoll_wait", epoll_wait as *const () as usize),
        ("epoll_pwait", epoll_pwait as *const () as usize),
        ("epoll_pwait2", epoll_pwait_until as *const () as usize),
    ]
}
