//! Prefetching of memory that is needed soon. Changes the time a run takes, never its results.
#![allow(unsafe_code, reason = "prefetching is an intrinsic of the processor")]

/// Bytes fetched at once: one cache line.
const LINE: usize = 64;

/// Starts fetching a value into the cache. Useful for a value that is needed some hundred
/// nanoseconds from now and has probably left the cache. A hint; does nothing on processors other
/// than x86-64.
#[inline]
pub fn prefetch<T>(value: &T) {
    let address = std::ptr::from_ref(value) as usize;
    for offset in (0..size_of::<T>()).step_by(LINE) {
        line(address + offset);
    }
}

/// Like [`prefetch`], for `LINES` cache lines from an address, which need not be valid.
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
