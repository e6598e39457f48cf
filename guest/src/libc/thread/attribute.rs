//! Thread attributes, stored in the program's variable of type `pthread_attr_t`.
#![allow(unsafe_code, reason = "reads and writes the memory of programs")]

use std::ffi::c_int;

use super::caller::{caller, find, nothing};
use crate::replacement::Replacement;

/// The value `PTHREAD_CREATE_DETACHED`.
const DETACHED: c_int = 1;
/// The value `PTHREAD_STACK_MIN` in bytes.
const STACK_MIN: usize = 16 << 10;
const STACK_BYTES: usize = 8 << 20;
const GUARD_BYTES: usize = 4096;
/// Bits of the number of a thread that are that of its process.
const PROCESS_BITS: u32 = 20;

/// Thread attributes; not larger than glibc's.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Attributes {
    detached: c_int,
    policy: c_int,
    priority: c_int,
    inherit: c_int,
    stack_start: usize,
    stack_bytes: usize,
    guard_bytes: usize,
    scope: c_int,
}

const _: () = assert!(size_of::<Attributes>() <= size_of::<libc::pthread_attr_t>());

impl Attributes {
    const STANDARD: Self = Self {
        detached: 0,
        policy: 0,
        priority: 0,
        inherit: 0,
        stack_start: 0,
        stack_bytes: STACK_BYTES,
        guard_bytes: GUARD_BYTES,
        scope: 0,
    };

    /// Returns the attributes of a detached thread with a stack of this size.
    pub(super) fn detached_with(stack_bytes: usize) -> Self {
        Self { detached: DETACHED, stack_bytes, ..Self::STANDARD }
    }

    pub(super) fn is_detached(&self) -> bool {
        self.detached == DETACHED
    }

    pub(super) fn stack_bytes(&self) -> usize {
        self.stack_bytes
    }

    /// Returns the end of the stack that the program provides.
    pub(super) fn end_of_own_stack(&self) -> Option<usize> {
        (self.stack_start != 0).then(|| self.stack_start + self.stack_bytes)
    }
}

unsafe extern "C" fn init(place: *mut Attributes) -> c_int {
    // SAFETY: the program passes a variable.
    unsafe { place.write(Attributes::STANDARD) };
    0
}

/// Defines a pair of functions that set and get a number, restricted to allowed values.
macro_rules! number {
    ($set:ident, $get:ident, $field:ident, $type:ty, $allowed:pat) => {
        extern "C" fn $set(place: *mut Attributes, value: $type) -> c_int {
            if !matches!(value, $allowed) {
                return libc::EINVAL;
            }
            // SAFETY: the program passes attributes.
            unsafe { (*place).$field = value };
            0
        }

        extern "C" fn $get(place: *const Attributes, value: *mut $type) -> c_int {
            // SAFETY: the program passes attributes and a variable.
            unsafe { value.write((*place).$field) };
            0
        }
    };
}

number!(set_detached, get_detached, detached, c_int, 0 | DETACHED);
number!(set_stack_bytes, get_stack_bytes, stack_bytes, usize, STACK_MIN..);
number!(set_guard_bytes, get_guard_bytes, guard_bytes, usize, _);
number!(set_scope, get_scope, scope, c_int, 0);
number!(set_policy, get_policy, policy, c_int, 0..=2);
number!(set_inherit, get_inherit, inherit, c_int, 0 | 1);
number!(set_priority, get_priority, priority, c_int, _);

unsafe extern "C" fn set_parameters(place: *mut Attributes, value: *const c_int) -> c_int {
    // SAFETY: the program passes a structure that contains one number.
    set_priority(place, unsafe { *value })
}

unsafe extern "C" fn set_stack(place: *mut Attributes, start: usize, bytes: usize) -> c_int {
    if bytes < STACK_MIN {
        return libc::EINVAL;
    }
    // SAFETY: the program passes attributes.
    unsafe { ((*place).stack_start, (*place).stack_bytes) = (start, bytes) };
    0
}

unsafe extern "C" fn get_stack(
    place: *const Attributes,
    start: *mut usize,
    bytes: *mut usize,
) -> c_int {
    // SAFETY: the program passes attributes and variables.
    unsafe {
        start.write((*place).stack_start);
        bytes.write((*place).stack_bytes);
    }
    0
}

/// Implements `pthread_getattr_np`, which returns the attributes of a thread.
unsafe extern "C" fn of_thread(handle: usize, place: *mut Attributes) -> c_int {
    let Some(thread) = find(handle) else { return libc::ESRCH };
    let detached = c_int::from(thread.detached.get());
    // SAFETY: the program passes a variable.
    unsafe { place.write(Attributes { detached, ..Attributes::STANDARD }) };
    0
}

unsafe extern "C" fn set_schedule(_of: usize, _policy: c_int, _parameters: *const c_int) -> c_int {
    0
}

unsafe extern "C" fn get_schedule(_of: usize, policy: *mut c_int, parameters: *mut c_int) -> c_int {
    // SAFETY: the program passes variables.
    unsafe {
        policy.write(libc::SCHED_OTHER);
        parameters.write(0);
    }
    0
}

/// Implements `pthread_getcpuclockid`: the clock of a thread shows simulated time, like that of its
/// rank.
unsafe extern "C" fn clock_of(_of: usize, place: *mut libc::clockid_t) -> c_int {
    // SAFETY: the program passes a variable.
    unsafe { place.write(libc::CLOCK_THREAD_CPUTIME_ID) };
    0
}

/// Implements `gettid`: the main thread has the process number, other threads the following ones.
pub(super) extern "C" fn system_number() -> c_int {
    let (rank, thread) = caller();
    super::super::string::process_of(rank) + (thread.number << PROCESS_BITS) as c_int
}

/// Returns the number of the process of the thread with this number.
pub(super) fn process_of_thread(number: c_int) -> c_int {
    number & ((1 << PROCESS_BITS) - 1)
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("pthread_attr_init", init as *const () as usize),
        ("pthread_attr_destroy", nothing as *const () as usize),
        ("pthread_attr_setdetachstate", set_detached as *const () as usize),
        ("pthread_attr_getdetachstate", get_detached as *const () as usize),
        ("pthread_attr_setstacksize", set_stack_bytes as *const () as usize),
        ("pthread_attr_getstacksize", get_stack_bytes as *const () as usize),
        ("pthread_attr_setguardsize", set_guard_bytes as *const () as usize),
        ("pthread_attr_getguardsize", get_guard_bytes as *const () as usize),
        ("pthread_attr_setscope", set_scope as *const () as usize),
        ("pthread_attr_getscope", get_scope as *const () as usize),
        ("pthread_attr_setschedpolicy", set_policy as *const () as usize),
        ("pthread_attr_getschedpolicy", get_policy as *const () as usize),
        ("pthread_attr_setinheritsched", set_inherit as *const () as usize),
        ("pthread_attr_getinheritsched", get_inherit as *const () as usize),
        ("pthread_attr_setschedparam", set_parameters as *const () as usize),
        ("pthread_attr_getschedparam", get_priority as *const () as usize),
        ("pthread_attr_setstack", set_stack as *const () as usize),
        ("pthread_attr_getstack", get_stack as *const () as usize),
        ("pthread_getattr_np", of_thread as *const () as usize),
        ("pthread_setschedparam", set_schedule as *const () as usize),
        ("pthread_getschedparam", get_schedule as *const () as usize),
        ("pthread_setschedprio", set_schedule as *const () as usize),
        ("pthread_getcpuclockid", clock_of as *const () as usize),
        ("gettid", system_number as *const () as usize),
    ]
}
