//! The rank whose program runs on the current thread, as far as the owner of the run may ask.
//!
//! All functions answer for no rank (`None`, 0, false or nothing) outside a program, and while the
//! rank is suspended.

use std::ops::Range;

use crate::libc::Rank;

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

/// Returns the addresses of the static variables of the program and its private libraries.
pub fn static_variables() -> Vec<Range<usize>> {
    let Some(rank) = Rank::current() else { return Vec::new() };
    let place = |range: &Range<usize>| rank.base() + range.start..rank.base() + range.end;
    rank.sites().variables().iter().map(place).collect()
}
