//! Long options: by name, by abbreviation, with `=`.
#![allow(unsafe_code, reason = "reads the options of programs and writes their variables")]

use std::{
    ffi::{c_char, c_int},
    ptr, slice,
};

use super::scan::{END, Scan, bytes};

/// `struct option` of `<getopt.h>`.
#[repr(C)]
pub(crate) struct LongOption {
    name: *const c_char,
    has_argument: c_int,
    flag: *mut c_int,
    value: c_int,
}

/// The long options of a call.
#[derive(Clone, Copy)]
pub(super) struct Longs<'a> {
    pub(super) options: &'a [LongOption],
    /// The variable for the index of the option found; may be null.
    pub(super) position: *mut c_int,
    /// Whether a single dash also begins a long option (`getopt_long_only`).
    pub(super) single_dash: bool,
}

impl Scan<'_> {
    /// Reads a long option; returns `END` if the argument may be a group of short ones.
    pub(super) fn long(&mut self, longs: Longs<'_>, dashes: &[u8], strict: bool) -> c_int {
        let text = self.rest().to_vec();
        let length = text.iter().position(|byte| *byte == b'=').unwrap_or(text.len());
        let found = match find(longs.options, &text[..length], strict) {
            Ok(found) => found,
            Err(candidates) => {
                let one = |name: &&[u8]| [b" '", dashes, name, b"'"].concat();
                let names: Vec<u8> = candidates.iter().flat_map(one).collect();
                let parts: [&[u8]; 5] =
                    [b"option '", dashes, &text, b"' is ambiguous; possibilities:", &names];
                self.complain(&parts);
                return self.long_fault();
            }
        };
        let Some(at) = found else {
            let doubled = self.argument(self.index()).get(1) == Some(&b'-');
            let letter = text.first().is_some_and(|first| self.letters.contains(first));
            if strict && !doubled && letter {
                return END;
            }
            self.complain(&[b"unrecognized option '", dashes, &text, b"'"]);
            return self.long_fault();
        };
        let option = &longs.options[at];
        // SAFETY: the program passes C strings.
        let name = unsafe { bytes(option.name) };
        let index = self.index() + 1;
        self.set_index(index);
        let value = self.place.rest;
        self.place.rest = ptr::null();
        if length < text.len() {
            if option.has_argument == 0 {
                self.complain(&[b"option '", dashes, name, b"' doesn't allow an argument"]);
                return self.fault(option.value);
            }
            // SAFETY: the `=` is inside the argument.
            self.set_argument(unsafe { value.add(length + 1) });
        } else if option.has_argument == 1 {
            if index >= self.arguments.len() {
                self.complain(&[b"option '", dashes, name, b"' requires an argument"]);
                return self.missing(option.value);
            }
            self.set_argument(self.arguments[index]);
            self.set_index(index + 1);
        }
        if !longs.position.is_null() {
            // SAFETY: the program passes a variable.
            unsafe { *longs.position = at as c_int };
        }
        // SAFETY: the option contains the address of a variable or null.
        match unsafe { option.flag.as_mut() } {
            Some(flag) => {
                *flag = option.value;
                0
            }
            None => option.value,
        }
    }

    fn long_fault(&mut self) -> c_int {
        self.place.rest = ptr::null();
        self.set_index(self.index() + 1);
        self.fault(0)
    }
}

/// Returns the index of the option with this name or unambiguous abbreviation, or the names of all
/// candidates if they differ.
fn find<'a>(
    options: &'a [LongOption],
    name: &[u8],
    strict: bool,
) -> Result<Option<usize>, Vec<&'a [u8]>> {
    // SAFETY: the program passes C strings.
    let text = |option: &'a LongOption| unsafe { bytes(option.name) };
    if let Some(at) = options.iter().position(|option| text(option) == name) {
        return Ok(Some(at));
    }
    let candidates: Vec<usize> =
        (0..options.len()).filter(|at| text(&options[*at]).starts_with(name)).collect();
    let Some(first) = candidates.first().map(|at| &options[*at]) else { return Ok(None) };
    let same = |at: &usize| {
        let other = &options[*at];
        (other.has_argument, other.flag, other.value)
            == (first.has_argument, first.flag, first.value)
    };
    if candidates.len() > 1 && (strict || !candidates.iter().all(same)) {
        return Err(candidates.iter().map(|at| text(&options[*at])).collect());
    }
    Ok(candidates.first().copied())
}

/// Returns the options at an address; empty if it is null.
pub(super) fn long_options<'a>(longs: *const LongOption) -> &'a [LongOption] {
    if longs.is_null() {
        return &[];
    }
    // SAFETY: the program passes an array of options whose last entry has no name.
    unsafe {
        let count = (0..).take_while(|at| !(*longs.add(*at)).name.is_null()).count();
        slice::from_raw_parts(longs, count)
    }
}
