//! Mutexes: a free one is taken at once, one that is given up goes to whoever has waited longest.
#![allow(unsafe_code, reason = "reads and writes the memory of programs")]

use std::ffi::c_int;

use super::{
    super::{Replacement, clock},
    caller, nothing,
    parking::{self, Why},
};

/// `pthread_mutex_t`: the kind lies where glibc's initialisers put it.
#[repr(C)]
pub(super) struct Mutex {
    /// Handle of the thread that holds it; 0 if it is free.
    owner: u64,
    /// How often it does.
    count: u32,
    _unused: u32,
    kind: u32,
}

const _: () = assert!(size_of::<Mutex>() <= size_of::<libc::pthread_mutex_t>());

const RECURSIVE: u32 = libc::PTHREAD_MUTEX_RECURSIVE as u32;
const CHECKED: u32 = libc::PTHREAD_MUTEX_ERRORCHECK as u32;
/// The kind proper: glibc keeps other attributes beside it.
const KIND: u32 = 3;

impl Mutex {
    fn kind(&self) -> u32 {
        self.kind & KIND
    }

    fn key(&self) -> usize {
        std::ptr::from_ref(self) as usize
    }

    /// Takes it if that needs no waiting; what is to be answered then.
    fn try_take(&mut self) -> Option<c_int> {
        let me = caller().1.handle as u64;
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

    /// Waits for it, which is held: whoever gives it up hands it over.
    fn wait(&mut self, why: Why) -> c_int {
        let why = why.held_by(self.owner as u32 - 1);
        if parking::wait(self.key(), &why) { 0 } else { libc::ETIMEDOUT }
    }

    /// Takes it, whatever that takes.
    pub(super) fn lock_as(&mut self, why: impl FnOnce() -> Why) -> c_int {
        match self.try_take() {
            Some(code) => code,
            None => self.wait(why()),
        }
    }

    /// Whether the calling thread may give it up.
    pub(super) fn may_unlock(&self) -> bool {
        let me = caller().1.handle as u64;
        !matches!(self.kind(), RECURSIVE | CHECKED) || self.owner == me
    }

    /// How often it is held; it is given up altogether.
    pub(super) fn release(&mut self) -> u32 {
        let count = std::mem::replace(&mut self.count, 1);
        let next = parking::take(self.key(), 1);
        self.owner = next.first().map_or(0, |thread| u64::from(*thread) + 1);
        parking::hand_over(next, &[self.key()]);
        count
    }

    /// It is held so often again.
    pub(super) fn set_count(&mut self, count: u32) {
        self.count = count;
    }
}

/// The mutex of a program.
fn at<'a>(place: *mut Mutex) -> &'a mut Mutex {
    // SAFETY: the program passes a mutex; no two borrows of it are used at once.
    unsafe { &mut *place }
}

pub(super) extern "C" fn init(place: *mut Mutex, attributes: *const u32) -> c_int {
    // SAFETY: the program passes attributes, of which the first number is the kind, or null.
    let kind = unsafe { attributes.as_ref() }.map_or(0, |kind| *kind & KIND);
    // SAFETY: the program passes a variable.
    unsafe { place.write(Mutex { owner: 0, count: 0, _unused: 0, kind }) };
    0
}

pub(super) extern "C" fn destroy(place: *mut Mutex) -> c_int {
    if at(place).owner == 0 { 0 } else { libc::EBUSY }
}

/// Takes a mutex in a function of this name.
pub(super) fn lock_in(place: *mut Mutex, call: &'static str) -> c_int {
    at(place).lock_as(|| Why::here(call))
}

/// As `lock_in`, until a time of a clock.
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

extern "C" fn lock(place: *mut Mutex) -> c_int {
    lock_in(place, "pthread_mutex_lock")
}

pub(super) extern "C" fn try_lock(place: *mut Mutex) -> c_int {
    match at(place).try_take() {
        Some(libc::EDEADLK) | None => libc::EBUSY,
        Some(code) => code,
    }
}

extern "C" fn lock_until(place: *mut Mutex, time: *const libc::timespec) -> c_int {
    lock_until_on(place, libc::CLOCK_REALTIME, time)
}

extern "C" fn lock_until_on(
    place: *mut Mutex,
    clock: libc::clockid_t,
    time: *const libc::timespec,
) -> c_int {
    lock_until_in(place, (clock, time), "pthread_mutex_timedlock")
}

pub(super) extern "C" fn unlock(place: *mut Mutex) -> c_int {
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

extern "C" fn init_attributes(place: *mut u32) -> c_int {
    // SAFETY: the program passes a variable.
    unsafe { place.write(0) };
    0
}

extern "C" fn set_kind(place: *mut u32, kind: c_int) -> c_int {
    let Some(kind) = u32::try_from(kind).ok().filter(|kind| *kind <= KIND) else {
        return libc::EINVAL;
    };
    // SAFETY: the program passes attributes.
    unsafe { place.write(kind) };
    0
}

extern "C" fn get_kind(place: *const u32, kind: *mut u32) -> c_int {
    // SAFETY: the program passes attributes and a variable.
    unsafe { kind.write(*place) };
    0
}

/// Threads of one rank alone share memory; how they are scheduled makes no difference.
extern "C" fn set_other(_place: *mut u32, _value: c_int) -> c_int {
    0
}

extern "C" fn get_other(_place: *const u32, value: *mut c_int) -> c_int {
    // SAFETY: the program passes a variable.
    unsafe { value.write(0) };
    0
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("pthread_mutex_init", init as *const () as usize),
        ("pthread_mutex_destroy", destroy as *const () as usize),
        ("pthread_mutex_trylock", try_lock as *const () as usize),
        ("pthread_mutexattr_init", init_attributes as *const () as usize),
        ("pthread_mutexattr_destroy", nothing as *const () as usize),
        ("pthread_mutexattr_settype", set_kind as *const () as usize),
        ("pthread_mutexattr_gettype", get_kind as *const () as usize),
        ("pthread_mutexattr_setpshared", set_other as *const () as usize),
        ("pthread_mutexattr_getpshared", get_other as *const () as usize),
        ("pthread_mutexattr_setprotocol", set_other as *const () as usize),
        ("pthread_mutexattr_getprotocol", get_other as *const () as usize),
        ("pthread_mutexattr_setrobust", set_other as *const () as usize),
        ("pthread_mutexattr_getrobust", get_other as *const () as usize),
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
