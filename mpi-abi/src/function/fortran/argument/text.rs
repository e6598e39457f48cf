//! Texts: blanks fill them in Fortran, a zero ends them in C.

use std::ffi::{c_char, c_void};

use super::{Argument, Call, Shape, write};

/// The characters of a text argument.
fn characters<'a>(given: usize, length: usize) -> &'a [u8] {
    // SAFETY: gfortran passes the length of the text that lies there.
    unsafe { std::slice::from_raw_parts(given as *const u8, length) }
}

/// A text that is read: blanks at its end do not count (MPI 2.6.2).
pub(in super::super) struct Text(Vec<u8>);

impl Argument for Text {
    type Taken = *const c_char;
    const SHAPE: Shape = Shape::Plain("character(*)");
    fn take(given: usize, call: &mut Call<'_>) -> Self {
        let mut text = characters(given, call.length()).trim_ascii_end().to_vec();
        text.push(0);
        Self(text)
    }
    fn pass(&mut self) -> *const c_char {
        self.0.as_ptr().cast()
    }
}

/// An array of texts that nobody reads.
pub(in super::super) struct Unread;

impl Argument for Unread {
    type Taken = *mut c_void;
    const SHAPE: Shape = Shape::Plain("character(*), dimension(*)");
    fn take(_: usize, _: &mut Call<'_>) -> Self {
        Self
    }
    fn pass(&mut self) -> *mut c_void {
        std::ptr::null_mut()
    }
}

/// A key or value of an info object: blanks at both ends do not count (MPI chapter 10).
pub(in super::super) struct Word(Vec<u8>);

impl Argument for Word {
    type Taken = *const c_char;
    const SHAPE: Shape = Shape::Plain("character(*)");
    fn take(given: usize, call: &mut Call<'_>) -> Self {
        let mut text = characters(given, call.length()).trim_ascii().to_vec();
        text.push(0);
        Self(text)
    }
    fn pass(&mut self) -> *const c_char {
        self.0.as_ptr().cast()
    }
}

/// A text that is written, of at most `MOST` characters in C; blanks fill the rest.
pub(in super::super) struct TextOut<const MOST: usize> {
    text: Vec<u8>,
    place: usize,
    length: usize,
}

/// The mark of a text that C has not written.
const UNWRITTEN: u8 = 0xff;

impl<const MOST: usize> Argument for TextOut<MOST> {
    type Taken = *mut c_char;
    const SHAPE: Shape = Shape::Plain("character(*)");
    fn take(given: usize, call: &mut Call<'_>) -> Self {
        let mut text = vec![0; MOST + 1];
        text[0] = UNWRITTEN;
        Self { text, place: given, length: call.length() }
    }
    fn pass(&mut self) -> *mut c_char {
        self.text.as_mut_ptr().cast()
    }
    fn give_back(self, call: &Call<'_>) {
        if call.code != 0 || self.text[0] == UNWRITTEN {
            return;
        }
        let end = self.text.iter().position(|byte| *byte == 0).unwrap_or(MOST);
        for at in 0..self.length {
            write(self.place + at, if at < end { self.text[at] } else { b' ' });
        }
    }
}
