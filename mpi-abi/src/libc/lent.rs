//! Functions of a program that are called while its rank is suspended: those of its reductions.
#![allow(unsafe_code, reason = "calls functions of programs and gives up their frames")]

use super::rank::{Rank, Seen};
use crate::loader::enter::{RETURNED, call, leave};

/// The program of a rank, to be called from outside it.
#[derive(Clone, Copy)]
pub(crate) struct Lent(*const Rank);

impl Lent {
    /// The program that runs.
    pub(crate) fn current() -> Option<Self> {
        Rank::current().map(|rank| Self(rank))
    }

    /// Calls one of its functions with up to four words. `None` if the function has not returned:
    /// the program has ended there, or [`give_up`] was called.
    ///
    /// # Safety
    /// The rank must be alive, and the function one of its program.
    pub(crate) unsafe fn call(self, function: usize, words: [usize; 4]) -> Option<()> {
        // SAFETY: the caller's.
        let rank = unsafe { &*self.0 };
        let seen = Seen::save();
        Seen::of(rank).restore();
        let own = rank.escape();
        // SAFETY: the cell is the rank's own.
        let outer = unsafe { own.read() };
        // SAFETY: the caller's.
        let code = unsafe { call(function, &raw const words, own) };
        // SAFETY: as above.
        unsafe { own.write(outer) };
        seen.restore();
        (code == RETURNED).then_some(())
    }
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
