//! One call of `getopt`: finds the next option among the arguments.
#![allow(unsafe_code, reason = "reads the arguments of programs and writes their variables")]

use std::{
    ffi::{CStr, c_char, c_int},
    ptr,
};

use super::long::Longs;
use crate::libc::{host::Stream, stdio};

/// The return value at the end of the options; below, those for an error and for an argument in
/// order.
pub(super) const END: c_int = -1;
pub(super) const FAULT: c_int = b'?' as c_int;
const MISSING: c_int = b':' as c_int;
const IN_ORDER: c_int = 1;

/// The treatment of arguments that are not options.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// They are moved after the options.
    Permute,
    /// The first of them ends the options.
    Stop,
    /// Each is returned as the argument of an option with code 1.
    Return,
}

/// The scan position of a rank among its arguments.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(super) begun: bool,
    pub(super) order: Order,
    /// Rest of the argument that is being read; null between arguments.
    pub(super) rest: *const c_char,
    /// Skipped arguments that are not options: index of the first, and past the last.
    pub(super) skipped: (usize, usize),
}

impl Default for Place {
    fn default() -> Self {
        Self { begun: false, order: Order::Permute, rest: ptr::null(), skipped: (0, 0) }
    }
}

/// Addresses of the program's variables.
pub(super) struct Variables {
    pub(super) argument: *mut *mut c_char,
    pub(super) index: *mut c_int,
    pub(super) messages: *const c_int,
    pub(super) option: *mut c_int,
}

/// The state of one call.
pub(super) struct Scan<'a> {
    pub(super) variables: Variables,
    pub(super) place: Place,
    pub(super) arguments: &'a mut [*mut c_char],
    /// The option letters, without prefixes that select modes.
    pub(super) letters: &'a [u8],
    pub(super) longs: Option<Longs<'a>>,
}

/// Returns the bytes of a C string.
///
/// # Safety
/// The address must be that of a C string that lives as long as needed.
pub(super) unsafe fn bytes<'a>(text: *const c_char) -> &'a [u8] {
    // SAFETY: guaranteed by the caller.
    unsafe { CStr::from_ptr(text) }.to_bytes()
}

impl Scan<'_> {
    pub(super) fn index(&self) -> usize {
        // SAFETY: the cell of the rank.
        let index = unsafe { *self.variables.index }.max(0) as usize;
        index.min(self.arguments.len())
    }

    pub(super) fn set_index(&self, index: usize) {
        // SAFETY: as above.
        unsafe { *self.variables.index = index as c_int };
    }

    pub(super) fn set_argument(&self, argument: *const c_char) {
        // SAFETY: as above.
        unsafe { *self.variables.argument = argument.cast_mut() };
    }

    pub(super) fn argument(&self, index: usize) -> &[u8] {
        // SAFETY: the program passes C strings.
        unsafe { bytes(self.arguments[index]) }
    }

    fn is_option(&self, index: usize) -> bool {
        let text = self.argument(index);
        text.len() > 1 && text[0] == b'-'
    }

    pub(super) fn rest(&self) -> &[u8] {
        // SAFETY: a place inside an argument, or null.
        if self.place.rest.is_null() { &[] } else { unsafe { bytes(self.place.rest) } }
    }

    /// Prints an error message, unless the program has disabled messages.
    pub(super) fn complain(&self, what: &[&[u8]]) {
        // SAFETY: the cell of the rank.
        let wanted = unsafe { *self.variables.messages } != 0;
        if wanted && self.letters.first() != Some(&b':') {
            let program = if self.arguments.is_empty() { &[][..] } else { self.argument(0) };
            stdio::put(Stream::Error, &[program, b": ", &what.concat(), b"\n"].concat());
        }
    }

    pub(super) fn fault(&self, option: c_int) -> c_int {
        // SAFETY: the cell of the rank.
        unsafe { *self.variables.option = option };
        FAULT
    }

    /// Like `fault`, for a missing argument.
    pub(super) fn missing(&self, option: c_int) -> c_int {
        let fault = self.fault(option);
        if self.letters.first() == Some(&b':') { MISSING } else { fault }
    }

    /// Moves the skipped arguments after the options that were read since.
    fn exchange(&mut self) {
        let (first, last) = self.place.skipped;
        let index = self.index();
        self.arguments[first..index].rotate_left(last - first);
        self.place.skipped = (first + index - last, index);
    }

    pub(super) fn next(&mut self) -> c_int {
        self.set_argument(ptr::null());
        if self.rest().is_empty()
            && let Some(answer) = self.advance()
        {
            return answer;
        }
        self.short()
    }

    /// Advances to the next argument with short options; returns a result for any other argument.
    fn advance(&mut self) -> Option<c_int> {
        let count = self.arguments.len();
        let index = self.index();
        let (first, last) = self.place.skipped;
        self.place.skipped = (first.min(index), last.min(index));
        if self.place.order == Order::Permute {
            self.skip();
        }
        let index = self.index();
        if index < count && self.argument(index) == b"--" {
            self.set_index(index + 1);
            let (first, last) = self.place.skipped;
            if first == last {
                self.place.skipped.0 = index + 1;
            } else {
                self.exchange();
            }
            self.place.skipped.1 = count;
            self.set_index(count);
        }
        let index = self.index();
        if index >= count {
            let (first, last) = self.place.skipped;
            if first != last {
                self.set_index(first);
            }
            return Some(END);
        }
        if !self.is_option(index) {
            if self.place.order == Order::Stop {
                return Some(END);
            }
            self.set_argument(self.arguments[index]);
            self.set_index(index + 1);
            return Some(IN_ORDER);
        }
        let text = self.argument(index);
        if let Some(longs) = self.longs {
            let double = text[1] == b'-';
            let single = longs.single_dash && (text.len() > 2 || !self.letters.contains(&text[1]));
            if double || single {
                let dashes: &[u8] = if double { b"--" } else { b"-" };
                // SAFETY: the argument is longer than its dashes, or ends there.
                self.place.rest = unsafe { self.arguments[index].add(dashes.len()) };
                let answer = self.long(longs, dashes, longs.single_dash);
                if double || answer != END {
                    return Some(answer);
                }
            }
        }
        // SAFETY: the argument has more than its dash.
        self.place.rest = unsafe { self.arguments[index].add(1) };
        None
    }

    /// Skips an argument that is not an option.
    fn skip(&mut self) {
        let index = self.index();
        let (first, last) = self.place.skipped;
        if last != index {
            if first == last {
                self.place.skipped.0 = index;
            } else {
                self.exchange();
            }
        }
        let plain = (index..self.arguments.len()).take_while(|at| !self.is_option(*at)).count();
        self.set_index(index + plain);
        self.place.skipped.1 = index + plain;
    }

    fn short(&mut self) -> c_int {
        let letter = self.rest()[0];
        // SAFETY: the rest is not empty.
        self.place.rest = unsafe { self.place.rest.add(1) };
        let index = self.index();
        if self.rest().is_empty() {
            self.set_index(index + 1);
        }
        let code = c_int::from(letter);
        let known = self.letters.iter().position(|known| *known == letter);
        let Some(at) = known.filter(|_| letter != b':' && letter != b';') else {
            self.complain(&[b"invalid option -- '", &[letter], b"'"]);
            return self.fault(code);
        };
        let letters = self.letters;
        match (letters.get(at + 1), letters.get(at + 2), self.longs) {
            (Some(b';'), _, Some(longs)) if letter == b'W' => {
                if !self.take_argument(letter) {
                    return self.missing(code);
                }
                // SAFETY: the cell of the rank holds the argument that was just taken.
                self.place.rest = unsafe { *self.variables.argument };
                self.set_argument(ptr::null());
                self.set_index(self.index() - 1);
                self.long(longs, b"-W ", false)
            }
            (Some(b':'), Some(b':'), _) => {
                if !self.rest().is_empty() {
                    self.set_argument(self.place.rest);
                    self.set_index(index + 1);
                }
                self.place.rest = ptr::null();
                code
            }
            (Some(b':'), ..) => {
                let taken = self.take_argument(letter);
                self.place.rest = ptr::null();
                if taken { code } else { self.missing(code) }
            }
            _ => code,
        }
    }

    /// Takes the argument of a letter: the rest of the same word, or the next word. Returns false
    /// if there is none.
    fn take_argument(&mut self, letter: u8) -> bool {
        let index = self.index();
        if !self.rest().is_empty() {
            self.set_argument(self.place.rest);
        } else if index < self.arguments.len() {
            self.set_argument(self.arguments[index]);
        } else {
            self.complain(&[b"option requires an argument -- '", &[letter], b"'"]);
            return false;
        }
        self.set_index(index + 1);
        true
    }
}
