//! Multibyte conversions: functions that are called without a state object use a static one, of
//! which each rank has its own.
#![allow(unsafe_code, reason = "calls the reentrant functions of libc")]

use std::{
    cell::UnsafeCell,
    ffi::{c_char, c_int},
    ptr,
};

use super::rank::Rank;
use crate::replacement::Replacement;

/// `mbstate_t` of glibc.
type State = u64;
/// `wchar_t` of glibc.
type Wide = c_int;

/// The functions that have a static state.
#[derive(Clone, Copy)]
enum By {
    ToWide,
    RestartedToWide,
    Length,
    TextToWide,
    BytesToWide,
}

/// The static states of a rank, by function.
#[derive(Default)]
pub(crate) struct States(UnsafeCell<[State; 5]>);

unsafe extern "C" {
    fn mbrtowc(wide: *mut Wide, text: *const c_char, bytes: usize, state: *mut State) -> usize;
    fn mbrlen(text: *const c_char, bytes: usize, state: *mut State) -> usize;
    fn mbsrtowcs(
        wide: *mut Wide,
        text: *mut *const c_char,
        most: usize,
        state: *mut State,
    ) -> usize;
    fn mbsnrtowcs(
        wide: *mut Wide,
        text: *mut *const c_char,
        bytes: usize,
        most: usize,
        state: *mut State,
    ) -> usize;
}

/// Returns the state that the program passes, or else the rank's static state of the function.
fn state(given: *mut State, by: By) -> *mut State {
    if !given.is_null() {
        return given;
    }
    let rank = Rank::running();
    rank.state::<States>().0.get().cast::<State>().wrapping_add(by as usize)
}

/// Implements `mbtowc`; the encodings of the C library have no shift states.
unsafe extern "C" fn to_wide(wide: *mut Wide, text: *const c_char, bytes: usize) -> c_int {
    let state = state(ptr::null_mut(), By::ToWide);
    // SAFETY: the program passes that many bytes or null, and a place or null.
    unsafe {
        if text.is_null() {
            *state = 0;
            return 0;
        }
        // As in glibc, the end of a text is recognised in any state and does not change the state.
        if *text == 0 {
            if let Some(wide) = wide.as_mut() {
                *wide = 0;
            }
            return 0;
        }
        c_int::try_from(mbrtowc(wide, text, bytes, state).cast_signed()).unwrap_or(-1).max(-1)
    }
}

unsafe extern "C" fn restarted_to_wide(
    wide: *mut Wide,
    text: *const c_char,
    bytes: usize,
    given: *mut State,
) -> usize {
    // SAFETY: the arguments are passed on unchanged, with a state.
    unsafe { mbrtowc(wide, text, bytes, state(given, By::RestartedToWide)) }
}

unsafe extern "C" fn length(text: *const c_char, bytes: usize, given: *mut State) -> usize {
    // SAFETY: as in `restarted_to_wide`.
    unsafe { mbrlen(text, bytes, state(given, By::Length)) }
}

unsafe extern "C" fn text_to_wide(
    wide: *mut Wide,
    text: *mut *const c_char,
    most: usize,
    given: *mut State,
) -> usize {
    // SAFETY: as in `restarted_to_wide`.
    unsafe { mbsrtowcs(wide, text, most, state(given, By::TextToWide)) }
}

unsafe extern "C" fn bytes_to_wide(
    wide: *mut Wide,
    text: *mut *const c_char,
    bytes: usize,
    most: usize,
    given: *mut State,
) -> usize {
    // SAFETY: as in `restarted_to_wide`.
    unsafe { mbsnrtowcs(wide, text, bytes, most, state(given, By::BytesToWide)) }
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("mbtowc", to_wide as *const () as usize),
        ("mbrtowc", restarted_to_wide as *const () as usize),
        ("__mbrtowc", restarted_to_wide as *const () as usize),
        ("mbrlen", length as *const () as usize),
        ("__mbrlen", length as *const () as usize),
        ("mbsrtowcs", text_to_wide as *const () as usize),
        ("mbsnrtowcs", bytes_to_wide as *const () as usize),
    ]
}
