//! Calls of a program's functions while its rank is suspended, such as those of its reductions.
#![allow(unsafe_code, reason = "calls functions of programs and gives up their frames")]

use super::{cxx, rank::Rank, suspend::Seen};
use crate::loader::enter::{RETURNED, THREW, call, leave};

/// The program of a rank, to be called from outside.
#[derive(Clone, Copy)]
pub struct Lent(*const Rank);

/// An exception that a function of the program has thrown and nobody has caught.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exception(usize);

/// The outcome of a function that was called from outside its rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returned {
    /// The function has returned.
    Well,
    /// The function has thrown this exception, which is rethrown in the rank when it resumes
    /// ([`rethrow`]).
    Threw(Exception),
    /// The program has ended in the function, or [`give_up`] was called.
    Never,
}

impl Lent {
    /// Returns the running program.
    pub fn current() -> Option<Self> {
        Rank::current().map(|rank| Self(rank))
    }

    /// Calls one of its functions with up to four words.
    ///
    /// # Safety
    /// The rank must be alive, and the function must belong to its program.
    pub unsafe fn call(self, function: usize, mut words: [usize; 4]) -> Returned {
        // SAFETY: guaranteed by the caller.
        let rank = unsafe { &*self.0 };
        let seen = Seen::save();
        Seen::lent(rank).restore();
        let lent = rank.lent.replace(true);
        let own = rank.escape();
        // SAFETY: the cell belongs to the rank.
        let outer = unsafe { own.read() };
        // SAFETY: guaranteed by the caller.
        let code = unsafe { call(function, &raw mut words, own) };
        // SAFETY: as above.
        unsafe { own.write(outer) };
        rank.lent.set(lent);
        seen.restore();
        match code {
            RETURNED => Returned::Well,
            THREW => Returned::Threw(Exception(words[0])),
            _ => Returned::Never,
        }
    }
}

/// Rethrows an exception that ended a function called from outside the rank.
pub fn rethrow(exception: Exception) {
    cxx::rethrow(exception.0);
}

/// Abandons the function that [`Lent::call`] runs.
///
/// # Panics
/// If no program is running.
pub fn give_up() -> ! {
    let rank = Rank::current().expect("a program runs");
    // SAFETY: `call` has written the return point, and the frames in between own nothing.
    unsafe { leave(*rank.escape(), 0) }
}

/// Ends the program now, if it ended in a function that was called from outside.
pub fn end_late() {
    if let Some(rank) = Rank::current().filter(|rank| rank.has_ended()) {
        rank.finish_ended();
    }
}
