//! Functions of a program that are called while its rank is suspended: those of its reductions.
#![allow(unsafe_code, reason = "calls functions of programs and gives up their frames")]

use super::{
    cxx,
    rank::{Rank, Seen},
};
use crate::loader::enter::{RETURNED, THREW, call, leave};

/// The program of a rank, to be called from outside it.
#[derive(Clone, Copy)]
pub(crate) struct Lent(*const Rank);

/// How a function came to its end that was called from outside its rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Returned {
    /// It has returned.
    Well,
    /// It has thrown this exception, which the rank gets when it goes on ([`rethrow`]).
    Threw(usize),
    /// The program has ended there, or [`give_up`] was called.
    Never,
}

impl Lent {
    /// The program that runs.
    pub(crate) fn current() -> Option<Self> {
        Rank::current().map(|rank| Self(rank))
    }

    /// Calls one of its functions with up to four words.
    ///
    /// # Safety
    /// The rank must be alive, and the function one of its program.
    pub(crate) unsafe fn call(self, function: usize, mut words: [usize; 4]) -> Returned {
        // SAFETY: the caller's.
        let rank = unsafe { &*self.0 };
        let seen = Seen::save();
        Seen::lent(rank).restore();
        let own = rank.escape();
        // SAFETY: the cell is the rank's own.
        let outer = unsafe { own.read() };
        // SAFETY: the caller's.
        let code = unsafe { call(function, &raw mut words, own) };
        // SAFETY: as above.
        unsafe { own.write(outer) };
        seen.restore();
        match code {
            RETURNED => Returned::Well,
            THREW => Returned::Threw(words[0]),
            _ => Returned::Never,
        }
    }
}

/// Throws an exception again that ended a function called from outside the rank.
pub(crate) fn rethrow(exception: usize) {
    cxx::rethrow(exception);
}

/// Gives up the function that [`Lent::call`] runs.
///
/// # Panics
/// If no program is running.
pub(crate) fn give_up() -> ! {
    let rank = Rank::current().expect("a program runs");
    // SAFETY: `call` wrote the place, and the frames in between own nothing.
    unsafe { leave(*rank.escape(), 0) }
}

/// The program has ended in a function that was called from outside: now it does.
pub(crate) fn end_late() {
    if let Some(rank) = Rank::current().filter(|rank| rank.has_ended()) {
        rank.finish_ended();
    }
}
