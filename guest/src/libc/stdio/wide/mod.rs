//! Wide characters of streams of ours: the library reads and writes them with streams of its own only.

mod reading;
mod writing;

use std::ffi::{c_int, c_uint};

pub(super) use self::{
    reading::{get, unget},
    writing::put,
};
use super::File;
use crate::replacement::Replacement;

/// What functions for one character return at the end of a stream, and where they fail.
const END: c_uint = c_uint::MAX;

/// Implements `fwide`. Streams of ours take bytes and wide characters alike, so that they never refuse an orientation.
extern "C" fn orient(file: File, mode: c_int) -> c_int {
    match super::descriptor_of(file) {
        Some(_) => mode.signum(),
        None => writing::oriented(file, mode),
    }
}

/// Returns the functions, which may wait for other ranks.
pub(super) fn waiting() -> Vec<Replacement> {
    let mut all = reading::functions();
    all.extend(writing::functions());
    all.push(("fwide", orient as *const () as usize));
    all
}
