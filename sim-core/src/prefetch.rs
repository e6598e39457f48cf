//! Asking the processor to fetch memory that is needed soon. Changes time, never results.
#![allow(unsafe_code, reason = "prefetching is an intrinsic of the processor")]

/// Bytes fetched at once.
const LINE: usize = 64;

/// Begins to fetch a value into the cache: worth it for one that is used some hundred
/// nanoseconds from now and has probably left the cache. A hint; does nothing on processors
/// other than x86-64.
#[inline]
pub fn prefetch<T>(value: &T) {
    let address = std::ptr::from_ref(value) as usize;
    for offset in (0..size_of::<T>()).step_by(LINE) {
        line(address + offset);
    }
}

/// As [`prefetch`], for `LINES` lines from an address; none of them need be valid.
#[inline]
pub(crate) fn lines<const LINES: usize>(address: usize) {
    for number in 0..LINES {
        line(address.wrapping_add(number * LINE));
    }
}

#[inline]
fn line(address: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch never faults, whatever the address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address as *const i8);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}
