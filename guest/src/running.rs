//! The rank whose program runs on the current thread, as far as the owner of the run may ask.
//!
//! All functions answer for no rank (`None`, 0, false or nothing) outside a program, and while the
//! rank is suspended.
#![allow(unsafe_code, reason = "reads the static variables of a program")]

use std::ops::Range;

use crate::libc::rank::Rank;

/// Returns the number of the rank.
pub fn number() -> Option<u32> {
    Rank::current().map(Rank::number)
}

/// Returns the number of threads of the rank other than the running one that have not ended.
pub fn other_threads() -> u32 {
    Rank::current().map_or(0, |rank| rank.threads.others())
}

/// Returns the address of the common block whose variables are special addresses of Fortran
/// programs; 0 if the program has none.
#[inline]
pub fn fortran_block() -> usize {
    Rank::current().map_or(0, Rank::fortran_block)
}

/// Reports whether an address lies in read-only memory of the rank's image.
pub fn is_constant(address: usize) -> bool {
    Rank::current().is_some_and(|rank| rank.is_constant(address))
}

/// Returns the size of the static variables of the program and its private libraries, in bytes.
pub fn static_bytes() -> usize {
    Rank::current().map_or(0, |rank| rank.sites().variables().iter().map(Range::len).sum())
}

/// Passes every aligned word of the static variables to `see`. No page of them may be closed
/// ([`crate::watch`]).
pub fn each_static_word(mut see: impl FnMut(usize)) {
    const WORD: usize = size_of::<usize>();
    let Some(rank) = Rank::current() else { return };
    for place in rank.sites().variables() {
        let start = (rank.base() + place.start).next_multiple_of(WORD);
        let words = (rank.base() + place.end).saturating_sub(start) / WORD;
        for index in 0..words {
            // SAFETY: a word of a writable segment of the rank's image, whose pages are open.
            see(unsafe { ((start + index * WORD) as *const usize).read() });
        }
    }
}
