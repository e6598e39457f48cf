//! Processors of a rank, and on which of them its threads run: properties of the modelled machine, the same on every
//! host. A thread has a processor of its own whatever its affinity, which is only remembered.
#![allow(unsafe_code, reason = "reads and writes the memory of programs")]

use std::{
    cell::RefCell,
    ffi::{c_int, c_long, c_uint, c_void},
};

use super::{
    attribute::process_of_thread,
    caller::{caller, find},
    table::Thread,
};
use crate::{
    libc::{errno::fails, rank::Rank, string},
    replacement::Replacement,
};

/// Bytes of the system's own sets: such as those of the type `cpu_set_t`.
pub(super) const SET: usize = 128;

/// The set of processors that a thread was bound to, if it was.
type Bound = RefCell<Option<[u8; SET]>>;

/// Returns the number of processors of the calling rank: its part of the cores of its node, or 1 where the machine does
/// not say how many there are.
pub(super) fn processors() -> u32 {
    Rank::current().and_then(|rank| rank.host().processors(rank.number())).unwrap_or(1)
}

/// Returns the processors of a thread: those that it was bound to, or all of its rank.
fn set_of(thread: &Thread) -> [u8; SET] {
    thread.state::<Bound>().borrow().unwrap_or_else(|| {
        let mut set = [0; SET];
        let all = processors().min(8 * SET as u32);
        (0..all).for_each(|number| set[number as usize / 8] |= 1 << (number % 8));
        set
    })
}

/// Writes the processors of a thread to a set of the program. Returns the error, if there is one.
unsafe fn read(thread: &Thread, bytes: usize, place: *mut u8) -> c_int {
    let set = set_of(thread);
    let used = set.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    if bytes < used || !bytes.is_multiple_of(size_of::<c_long>()) {
        return libc::EINVAL;
    }
    // SAFETY: the program passes a set of that size.
    unsafe {
        place.write_bytes(0, bytes);
        place.copy_from_nonoverlapping(set.as_ptr(), bytes.min(SET));
    }
    0
}

/// Binds a thread to the processors in a set of the program. Returns the error, if there is one.
unsafe fn bind(thread: &Thread, bytes: usize, place: *const u8) -> c_int {
    let mut set = [0; SET];
    // SAFETY: the program passes a set of that size.
    unsafe { set.as_mut_ptr().copy_from_nonoverlapping(place, bytes.min(SET)) };
    if set.iter().all(|byte| *byte == 0) {
        return libc::EINVAL;
    }
    *thread.state::<Bound>().borrow_mut() = Some(set);
    0
}

/// Reports whether a number is that of the calling process or of one of its threads; 0 is the calling thread.
fn is_own(process: c_int) -> bool {
    process == 0 || process_of_thread(process) == string::process_of(caller().0)
}

fn returned(error: c_int) -> c_int {
    if error == 0 { 0 } else { fails(error) }
}

pub(super) unsafe extern "C" fn get(process: c_int, bytes: usize, place: *mut u8) -> c_int {
    if !is_own(process) {
        return fails(libc::ESRCH);
    }
    // SAFETY: the program vouches for the arguments, which are passed on.
    returned(unsafe { read(caller().1, bytes, place) })
}

pub(super) unsafe extern "C" fn set(process: c_int, bytes: usize, place: *const u8) -> c_int {
    if !is_own(process) {
        return fails(libc::ESRCH);
    }
    // SAFETY: as above.
    returned(unsafe { bind(caller().1, bytes, place) })
}

unsafe extern "C" fn get_of_thread(handle: usize, bytes: usize, place: *mut u8) -> c_int {
    let Some(thread) = find(handle) else { return libc::ESRCH };
    // SAFETY: as above.
    unsafe { read(&thread, bytes, place) }
}

unsafe extern "C" fn set_of_thread(handle: usize, bytes: usize, place: *const u8) -> c_int {
    let Some(thread) = find(handle) else { return libc::ESRCH };
    // SAFETY: as above.
    unsafe { bind(&thread, bytes, place) }
}

/// Implements `pthread_attr_setaffinity_np`, which has no effect: a new thread may run on all processors.
unsafe extern "C" fn set_in(_attributes: usize, _bytes: usize, _set: *const c_void) -> c_int {
    0
}

unsafe extern "C" fn get_in(_attributes: usize, bytes: usize, place: *mut u8) -> c_int {
    // SAFETY: as above.
    unsafe { read(caller().1, bytes, place) }
}

/// Implements `sched_getcpu`: threads run on the processors that they may use in turn.
pub(super) extern "C" fn processor() -> c_int {
    let thread = caller().1;
    let set = set_of(thread);
    let has = |number: &usize| set[number / 8] >> (number % 8) & 1 == 1;
    let numbers: Vec<usize> = (0..8 * SET).filter(has).collect();
    numbers.get(thread.number as usize % numbers.len().max(1)).map_or(0, |number| *number as c_int)
}

/// Implements `getcpu`; the node of memory is the only one.
pub(super) unsafe extern "C" fn place(number: *mut c_uint, node: *mut c_uint) -> c_int {
    for (place, value) in [(number, processor() as c_uint), (node, 0)] {
        if !place.is_null() {
            // SAFETY: the program passes variables.
            unsafe { place.write(value) };
        }
    }
    0
}

extern "C" fn count() -> c_int {
    processors() as c_int
}

/// Implements `sysconf`; what does not concern processors is that of the host.
extern "C" fn sysconf(name: c_int) -> c_long {
    match name {
        libc::_SC_NPROCESSORS_ONLN | libc::_SC_NPROCESSORS_CONF => c_long::from(processors()),
        // SAFETY: any number may be passed.
        _ => unsafe { libc::sysconf(name) },
    }
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("sched_getaffinity", get as *const () as usize),
        ("sched_setaffinity", set as *const () as usize),
        ("pthread_getaffinity_np", get_of_thread as *const () as usize),
        ("pthread_setaffinity_np", set_of_thread as *const () as usize),
        ("pthread_attr_getaffinity_np", get_in as *const () as usize),
        ("pthread_attr_setaffinity_np", set_in as *const () as usize),
        ("sched_getcpu", processor as *const () as usize),
        ("getcpu", place as *const () as usize),
        ("get_nprocs", count as *const () as usize),
        ("get_nprocs_conf", count as *const () as usize),
        ("sysconf", sysconf as *const () as usize),
    ]
}
