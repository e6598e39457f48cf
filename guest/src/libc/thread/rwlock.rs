//! Read-write locks. As in glibc, a reader waits for a writer that holds the lock, but not for one
//! that waits for it.
#![allow(unsafe_code, reason = "reads and writes the memory of programs")]

use std::{ffi::c_int, ptr};

use super::{
    super::{clock, system::wait::within},
    mutex::{name, own_name},
    parking::{self, Why},
};
use crate::replacement::Replacement;

/// `pthread_rwlock_t`; all zeros are a free lock.
#[repr(C)]
struct Lock {
    /// Writer: the rank in the upper half, the handle of the thread in the lower.
    writer: u64,
    readers: u32,
    /// Whether other ranks use it, too.
    shared: u32,
}

/// `pthread_rwlockattr_t` of glibc.
#[repr(C)]
struct Attributes {
    _kind: c_int,
    shared: c_int,
}

const _: () = assert!(size_of::<Lock>() <= size_of::<libc::pthread_rwlock_t>());

/// The kind of access that a thread wants.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wish {
    Read,
    Write,
}

impl Lock {
    /// Returns the key at which threads wait for this kind of access.
    fn key(&self, wish: Wish) -> usize {
        ptr::from_ref(self) as usize + usize::from(wish == Wish::Write)
    }

    fn is_free(&self, wish: Wish) -> bool {
        self.writer == 0 && (wish == Wish::Read || self.readers == 0)
    }

    fn try_take(&mut self, wish: Wish) -> bool {
        if self.is_free(wish) {
            parking::before_free_lock();
        }
        let free = self.is_free(wish);
        if free {
            match wish {
                Wish::Read => self.readers += 1,
                Wish::Write => self.writer = own_name(),
            }
        }
        free
    }

    /// Waits for the lock; a thread of the same rank that releases it hands it over.
    fn wait(&mut self, wish: Wish, why: Why) -> c_int {
        if self.shared != 0 {
            // Other ranks write it while this one waits, which a borrow would rule out.
            let place = std::hint::black_box(ptr::from_mut(self));
            // SAFETY: the program's lock, as in `at`.
            let taken = || unsafe { (*place).try_take(wish) }.then_some(());
            let taken = within(why.call, why.within, taken);
            return taken.map_or(libc::ETIMEDOUT, |()| 0);
        }
        let why = if self.writer > 0 { why.held_by(self.writer as u32 - 1) } else { why };
        if parking::wait(self.key(wish), &why) { 0 } else { libc::ETIMEDOUT }
    }

    fn take(&mut self, wish: Wish, why: impl FnOnce() -> Why) -> c_int {
        if self.try_take(wish) {
            return 0;
        }
        if self.writer == own_name() {
            return libc::EDEADLK;
        }
        self.wait(wish, why())
    }

    /// Hands over a free lock: to all waiting readers, otherwise to the first waiting writer.
    fn pass_on(&mut self) {
        let keys = [self.key(Wish::Read), self.key(Wish::Write)];
        let mut next = parking::take(keys[0], usize::MAX);
        self.readers = next.len() as u32;
        if next.is_empty() {
            next = parking::take(keys[1], 1);
            self.writer = next.first().map_or(0, |thread| name(*thread as usize + 1));
        }
        parking::hand_over(next, &keys);
    }
}

fn at<'a>(place: *mut Lock) -> &'a mut Lock {
    // SAFETY: the program passes a lock; no two borrows of it are used at once.
    unsafe { &mut *place }
}

unsafe extern "C" fn init(place: *mut Lock, attributes: *const Attributes) -> c_int {
    // SAFETY: the program passes attributes or null.
    let shared = unsafe { attributes.as_ref() }.map_or(0, |given| u32::from(given.shared != 0));
    // SAFETY: the program passes a variable.
    unsafe { place.write(Lock { writer: 0, readers: 0, shared }) };
    0
}

unsafe extern "C" fn destroy(place: *mut Lock) -> c_int {
    let lock = at(place);
    if lock.writer == 0 && lock.readers == 0 { 0 } else { libc::EBUSY }
}

unsafe extern "C" fn read(place: *mut Lock) -> c_int {
    at(place).take(Wish::Read, || Why::here("pthread_rwlock_rdlock"))
}

unsafe extern "C" fn write(place: *mut Lock) -> c_int {
    at(place).take(Wish::Write, || Why::here("pthread_rwlock_wrlock"))
}

unsafe extern "C" fn try_read(place: *mut Lock) -> c_int {
    if at(place).try_take(Wish::Read) { 0 } else { libc::EBUSY }
}

unsafe extern "C" fn try_write(place: *mut Lock) -> c_int {
    if at(place).try_take(Wish::Write) { 0 } else { libc::EBUSY }
}

fn take_until(
    place: *mut Lock,
    wish: Wish,
    (clock, time): (libc::clockid_t, *const libc::timespec),
    call: &'static str,
) -> c_int {
    if at(place).try_take(wish) {
        return 0;
    }
    let why = Why::here(call);
    let Some(left) = clock::left(clock, time) else { return libc::EINVAL };
    at(place).take(wish, || why.within(Some(left)))
}

unsafe extern "C" fn read_until(place: *mut Lock, time: *const libc::timespec) -> c_int {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { read_until_on(place, libc::CLOCK_REALTIME, time) }
}

unsafe extern "C" fn read_until_on(
    place: *mut Lock,
    clock: libc::clockid_t,
    time: *const libc::timespec,
) -> c_int {
    take_until(place, Wish::Read, (clock, time), "pthread_rwlock_timedrdlock")
}

unsafe extern "C" fn write_until(place: *mut Lock, time: *const libc::timespec) -> c_int {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { write_until_on(place, libc::CLOCK_REALTIME, time) }
}

unsafe extern "C" fn write_until_on(
    place: *mut Lock,
    clock: libc::clockid_t,
    time: *const libc::timespec,
) -> c_int {
    take_until(place, Wish::Write, (clock, time), "pthread_rwlock_timedwrlock")
}

unsafe extern "C" fn unlock(place: *mut Lock) -> c_int {
    let lock = at(place);
    if lock.writer > 0 {
        if lock.writer != own_name() {
            return libc::EPERM;
        }
        lock.writer = 0;
        lock.pass_on();
    } else if lock.readers == 0 {
        return libc::EPERM;
    } else {
        lock.readers -= 1;
        if lock.readers == 0 {
            lock.pass_on();
        }
    }
    0
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("pthread_rwlock_init", init as *const () as usize),
        ("pthread_rwlock_destroy", destroy as *const () as usize),
        ("pthread_rwlock_tryrdlock", try_read as *const () as usize),
        ("pthread_rwlock_trywrlock", try_write as *const () as usize),
    ]
}

pub(super) fn waiting() -> Vec<Replacement> {
    vec![
        ("pthread_rwlock_rdlock", read as *const () as usize),
        ("pthread_rwlock_wrlock", write as *const () as usize),
        ("pthread_rwlock_timedrdlock", read_until as *const () as usize),
        ("pthread_rwlock_timedwrlock", write_until as *const () as usize),
        ("pthread_rwlock_clockrdlock", read_until_on as *const () as usize),
        ("pthread_rwlock_clockwrlock", write_until_on as *const () as usize),
        ("pthread_rwlock_unlock", unlock as *const () as usize),
    ]
}
