//! Mutexes (`pthread_mutex_t`): a free one is taken at once; a released one goes to the thread that
//! has waited longest.
#![allow(unsafe_code, reason = "reads and writes the memory of programs")]

use std::{ffi::c_int, ptr};

use super::{
    super::{clock, system::wait::within},
    caller::caller,
    parking::{self, Why},
};
use crate::replacement::Replacement;

/// `pthread_mutex_t`; the type is where glibc's initialisers put it.
#[repr(C)]
pub(super) struct Mutex {
    /// Owner: the rank in the upper half, the handle of the thread in the lower; 0 if it is free.
    owner: u64,
    /// Number of times the owner has locked it. It is where glibc has the owner, which is 0 in a free mutex: code of
    /// libraries locks the program's mutexes by glibc's own functions (the debug mode of libstdc++).
    count: u32,
    _unused: u32,
    kind: u32,
}

const _: () = assert!(size_of::<Mutex>() <= size_of::<libc::pthread_mutex_t>());

const RECURSIVE: u32 = libc::PTHREAD_MUTEX_RECURSIVE as u32;
const CHECKED: u32 = libc::PTHREAD_MUTEX_ERRORCHECK as u32;
/// Mask of the mutex type; glibc stores other attributes in the same word.
const KIND: u32 = 3;
/// The bit that marks a mutex used by other ranks, too.
const SHARED: u32 = 128;
/// The same bit in glibc's mutex attributes.
const SHARED_ATTRIBUTE: u32 = 1 << 31;

impl Mutex {
    fn kind(&self) -> u32 {
        self.kind & KIND
    }

    fn is_shared(&self) -> bool {
        self.kind & SHARED != 0
    }

    fn key(&self) -> usize {
        ptr::from_ref(self) as usize
    }

    /// Takes the mutex if that needs no waiting; returns the result of the call then.
    fn try_take(&mut self) -> Option<c_int> {
        let me = own_name();
        if self.owner == 0 {
            parking::before_free_lock();
        }
        if self.owner == 0 {
            (self.owner, self.count) = (me, 1);
            return Some(0);
        }
        match (self.owner == me, self.kind()) {
            (true, RECURSIVE) => {
                self.count += 1;
                Some(0)
            }
            (true, CHECKED) => Some(libc::EDEADLK),
            _ => None,
        }
    }

    /// Waits for a held mutex; a thread of the same rank that releases it hands it over.
    fn wait(&mut self, why: Why) -> c_int {
        if self.is_shared() {
            // Other ranks write it while this one waits, which a borrow would rule out.
            let place = std::hint::black_box(ptr::from_mut(self));
            // SAFETY: the program's mutex, as in `at`.
            let taken = || unsafe { (*place).try_take() };
            let taken = within(why.call, why.within, taken);
            return taken.unwrap_or(libc::ETIMEDOUT);
        }
        let why = why.held_by(self.owner as u32 - 1);
        if parking::wait(self.key(), &why) { 0 } else { libc::ETIMEDOUT }
    }

    /// Takes the mutex, waiting if necessary.
    pub(super) fn lock_as(&mut self, why: impl FnOnce() -> Why) -> c_int {
        match self.try_take() {
            Some(code) => code,
            None => self.wait(why()),
        }
    }

    /// Reports whether the calling thread may release it.
    pub(super) fn may_unlock(&self) -> bool {
        let me = own_name();
        !matches!(self.kind(), RECURSIVE | CHECKED) || self.owner == me
    }

    /// Releases the mutex completely; returns how many times it was locked.
    pub(super) fn release(&mut self) -> u32 {
        let next = parking::take(self.key(), 1);
        self.owner = next.first().map_or(0, |thread| name(*thread as usize + 1));
        let count = std::mem::replace(&mut self.count, u32::from(!next.is_empty()));
        parking::hand_over(next, &[self.key()]);
        count
    }

    /// Restores the number of times it is locked.
    pub(super) fn set_count(&mut self, count: u32) {
        self.count = count;
    }
}

/// Returns the identifier of a thread of the running rank in locks, which other ranks may see.
pub(super) fn name(handle: usize) -> u64 {
    u64::from(caller().0.number()) << 32 | handle as u64
}

pub(super) fn own_name() -> u64 {
    name(caller().1.handle)
}

/// Borrows the mutex of a program.
fn at<'a>(place: *mut Mutex) -> &'a mut Mutex {
    // SAFETY: the program passes a mutex; no two borrows of it are used at once.
    unsafe { &mut *place }
}

pub(super) unsafe extern "C" fn init(place: *mut Mutex, attributes: *const u32) -> c_int {
    // SAFETY: the program passes attributes, of which the first number is the kind, or null.
    let attributes = unsafe { attributes.as_ref() }.map_or(0, |attributes| *attributes);
    let shared = if attributes & SHARED_ATTRIBUTE != 0 { SHARED } else { 0 };
    let kind = attributes & KIND | shared;
    // SAFETY: the program passes a variable.
    unsafe { place.write(Mutex { owner: 0, count: 0, _unused: 0, kind }) };
    0
}

pub(super) unsafe extern "C" fn destroy(place: *mut Mutex) -> c_int {
    if at(place).owner == 0 { 0 } else { libc::EBUSY }
}

/// Takes a mutex in a function of this name.
pub(super) fn lock_in(place: *mut Mutex, call: &'static str) -> c_int {
    at(place).lock_as(|| Why::here(call))
}

/// Like `lock_in`, with a time limit.
pub(super) fn lock_until_in(
    place: *mut Mutex,
    (clock, time): (libc::clockid_t, *const libc::timespec),
    call: &'static str,
) -> c_int {
    if let Some(code) = at(place).try_take() {
        return code;
    }
    let why = Why::here(call);
    let Some(left) = clock::left(clock, time) else { return libc::EINVAL };
    at(place).lock_as(|| why.within(Some(left)))
}

unsafe extern "C" fn lock(place: *mut Mutex) -> c_int {
    lock_in(place, "pthread_mutex_lock")
}

pub(super) unsafe extern "C" fn try_lock(place: *mut Mutex) -> c_int {
    match at(place).try_take() {
        Some(libc::EDEADLK) | None => libc::EBUSY,
        Some(code) => code,
    }
}

unsafe extern "C" fn lock_until(place: *mut Mutex, time: *const libc::timespec) -> c_int {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { lock_until_on(place, libc::CLOCK_REALTIME, time) }
}

unsafe extern "C" fn lock_until_on(
    place: *mut Mutex,
    clock: libc::clockid_t,
    time: *const libc::timespec,
) -> c_int {
    lock_until_in(place, (clock, time), "pthread_mutex_timedlock")
}

pub(super) unsafe extern "C" fn unlock(place: *mut Mutex) -> c_int {
    let mutex = at(place);
    if !mutex.may_unlock() {
        return libc::EPERM;
    }
    if mutex.kind() == RECURSIVE && mutex.count > 1 {
        mutex.count -= 1;
        return 0;
    }
    mutex.release();
    0
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("pthread_mutex_init", init as *const () as usize),
        ("pthread_mutex_destroy", destroy as *const () as usize),
        ("pthread_mutex_trylock", try_lock as *const () as usize),
    ]
}

pub(super) fn waiting() -> Vec<Replacement> {
    vec![
        ("pthread_mutex_lock", lock as *const () as usize),
        ("pthread_mutex_timedlock", lock_until as *const () as usize),
        ("pthread_mutex_clocklock", lock_until_on as *const () as usize),
        ("pthread_mutex_unlock", unlock as *const () as usize),
    ]
}
