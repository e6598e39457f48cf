//! Suspension of a rank: the C library's variables are saved, and restored when it is resumed.
#![allow(unsafe_code, reason = "reads and sets variables of the C library")]

use std::{ffi::c_char, ptr};

use super::{
    changes, cxx,
    float::{Float, Modes},
    locale,
    rank::{CURRENT, Rank},
    surroundings,
    thread::table::{Thread, Threads},
};

/// Records that no program runs on this thread.
pub(crate) fn forget_current() {
    CURRENT.set(ptr::null());
    surroundings::show_own();
    locale::show_own();
}

/// The C library's variables as a thread of a rank sees them; saved and restored around
/// suspensions.
pub(super) struct Seen {
    rank: *const Rank,
    thread: *const Thread,
    errno: i32,
    exceptions: cxx::Exceptions,
    variables: *mut *mut c_char,
    folder: u32,
    float: Float,
}

impl Seen {
    /// Returns the values at the start of a program.
    pub(super) fn of(rank: &Rank) -> Self {
        let exceptions = cxx::Exceptions::default();
        let (variables, folder) = (surroundings::present(), surroundings::folder());
        let thread = ptr::from_ref(rank.threads.main());
        let float = Float::of(Modes::FRESH);
        Self { rank, thread, errno: 0, exceptions, variables, folder, float }
    }

    /// Returns the values at the start of another thread.
    pub(super) fn of_thread(rank: &Rank, thread: &Thread) -> Self {
        Self { thread, ..Self::lent(rank) }
    }

    /// Returns the values for a function of the program that runs while the rank is suspended.
    pub(super) fn lent(rank: &Rank) -> Self {
        Self { float: Float::of(rank.modes.get()), ..Self::of(rank) }
    }

    pub(super) fn save() -> Self {
        let rank = CURRENT.get();
        // SAFETY: the thread's own variable.
        let errno = unsafe { *libc::__errno_location() };
        let exceptions = cxx::Exceptions::take();
        let (variables, folder) = (surroundings::present(), surroundings::folder());
        let float = Float::take();
        // SAFETY: set while the rank lives.
        let known = unsafe { rank.as_ref() };
        if let Some(rank) = known {
            rank.modes.set(float.modes());
        }
        let threads = known.map(|rank| &rank.threads);
        let thread = threads.map_or(ptr::null(), Threads::mark);
        if let Some(threads) = threads.filter(|threads| threads.several()) {
            threads.keep(variables, folder);
        }
        Self { rank, thread, errno, exceptions, variables, folder, float }
    }

    pub(super) fn restore(mut self) {
        CURRENT.set(self.rank);
        // SAFETY: as in `save`.
        match unsafe { self.rank.as_ref() } {
            Some(rank) => {
                if rank.threads.several() {
                    rank.threads.show(self.thread);
                    (self.variables, self.folder) = rank.threads.kept();
                }
                locale::show(rank);
            }
            None => locale::show_own(),
        }
        surroundings::show(self.variables);
        surroundings::go_to(self.folder);
        self.exceptions.put();
        self.float.put();
        // SAFETY: the thread's own variable.
        unsafe { *libc::__errno_location() = self.errno };
    }
}

/// The C library's variables of the running rank, saved for the common case: the program has one
/// thread, does not use the C++ library, and has not changed environment, directory, locale or
/// floating-point modes.
pub struct Plain {
    rank: *const Rank,
    errno: i32,
    modes: Modes,
}

impl Plain {
    /// Saves the variables; `None` if the case is not the common one, for which [`suspend`] is.
    #[inline(always)]
    pub fn save() -> Option<Self> {
        let pointer = CURRENT.get();
        // SAFETY: set while the rank lives.
        let rank = unsafe { pointer.as_ref() }?;
        let modes = Modes::present();
        if !Self::is_now() || rank.threads.several() || !modes.are_plain() {
            return None;
        }
        rank.modes.set(modes);
        // SAFETY: the thread's own variable.
        Some(Self { rank: pointer, errno: unsafe { *libc::__errno_location() }, modes })
    }

    /// Reports whether the library shows the values of the host's process.
    // One test instead of four in most runs, four times a message.
    #[inline(always)]
    fn is_now() -> bool {
        !changes::were_made() || Self::is_now_again()
    }

    #[inline(never)]
    fn is_now_again() -> bool {
        surroundings::are_own() && locale::is_own() && !cxx::is_there()
    }

    /// Suspends the rank, like [`suspend`]. Nothing of the program runs between [`Plain::save`] and
    /// this.
    #[inline(always)]
    pub fn suspend<T>(self, suspension: impl FnOnce() -> T) -> T {
        // Setting the key directly is not inlined.
        CURRENT.with(|current| current.set(ptr::null()));
        let value = suspension();
        self.restore();
        value
    }

    #[inline(always)]
    fn restore(self) {
        CURRENT.with(|current| current.set(self.rank));
        if !Self::is_now() {
            Self::make_own();
        }
        self.modes.put_plain();
        // SAFETY: the thread's own variable.
        unsafe { *libc::__errno_location() = self.errno };
    }

    /// Restores the values after other ranks have set theirs.
    #[cold]
    fn make_own() {
        surroundings::show_own();
        surroundings::go_to(0);
        locale::show_own();
        cxx::Exceptions::default().put();
    }
}

/// Suspends a rank: `suspension` gives up the thread and returns when the rank is resumed; changes
/// of other ranks to the C library's variables are then undone. Every suspension of a rank goes
/// through this function.
#[inline(always)]
pub fn suspend<T>(suspension: impl FnOnce() -> T) -> T {
    match Plain::save() {
        Some(seen) => seen.suspend(suspension),
        None => suspend_unusual(suspension),
    }
}

/// Like [`suspend`], for any rank.
#[cold]
#[inline(never)]
fn suspend_unusual<T>(suspension: impl FnOnce() -> T) -> T {
    let seen = Seen::save();
    CURRENT.set(ptr::null());
    let value = suspension();
    seen.restore();
    value
}
