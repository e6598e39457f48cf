//! Character arguments: padded with blanks in Fortran, NUL-terminated in C.

use std::{
    ffi::{c_char, c_void},
    ptr,
};

use super::{Argument, Call, Shape, write};
use crate::memory;

/// Returns the characters of a character argument.
fn characters<'a>(given: usize, length: usize) -> &'a [u8] {
    // gfortran passes the length of the text that lies there.
    memory::bytes(given as *const c_void, &(0..length))
}

/// A string that is read: trailing blanks are not significant (MPI 2.6.2).
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

/// NUL-terminated strings and the null-terminated array of their addresses that C takes.
struct Strings {
    _texts: Vec<Vec<u8>>,
    addresses: Vec<*const c_char>,
}

impl Strings {
    fn new(texts: impl Iterator<Item = Vec<u8>>) -> Self {
        let ended = texts.map(|mut text| {
            text.push(0);
            text
        });
        let texts: Vec<_> = ended.collect();
        let mut addresses: Vec<_> = texts.iter().map(|text| text.as_ptr().cast()).collect();
        addresses.push(ptr::null());
        Self { _texts: texts, addresses }
    }

    /// Reads strings from `first` on, `step` strings apart, up to a blank one.
    fn until_blank(first: usize, length: usize, step: usize) -> Self {
        let text = |at: usize| characters(first + at * step * length, length).trim_ascii_end();
        let texts = (0..).map(text).take_while(|text| !text.is_empty());
        Self::new(texts.map(<[u8]>::to_vec))
    }
}

/// Strings up to a blank one, or none at all (MPI 11.8.2); read only at the root, which is argument
/// `ROOT`.
pub(in super::super) struct Texts<const ROOT: usize>(Option<Strings>);

impl<const ROOT: usize> Argument for Texts<ROOT> {
    type Taken = *mut *mut c_char;
    const SHAPE: Shape = Shape::Plain("character(*), dimension(*)");
    fn take(given: usize, call: &mut Call<'_>) -> Self {
        let length = call.length();
        let there = call.address(given) != 0 && call.is_root(ROOT);
        Self(there.then(|| Strings::until_blank(given, length, 1)))
    }
    fn pass(&mut self) -> *mut *mut c_char {
        let strings = self.0.as_ref();
        strings.map_or(ptr::null_mut(), |strings| strings.addresses.as_ptr().cast_mut().cast())
    }
}

/// As many strings as argument `COUNT` says, read only at the root.
pub(in super::super) struct CountedTexts<const COUNT: usize, const ROOT: usize>(Strings);

impl<const COUNT: usize, const ROOT: usize> Argument for CountedTexts<COUNT, ROOT> {
    type Taken = *mut *mut c_char;
    const SHAPE: Shape = Shape::Plain("character(*), dimension(*)");
    fn take(given: usize, call: &mut Call<'_>) -> Self {
        let length = call.length();
        let text = |at| characters(given + at * length, length).trim_ascii_end().to_vec();
        Self(Strings::new((0..call.count_at_root(COUNT, ROOT)).map(text)))
    }
    fn pass(&mut self) -> *mut *mut c_char {
        self.0.addresses.as_ptr().cast_mut().cast()
    }
}

/// Rows of strings, as many as argument `COUNT` says, each up to a blank string; or none. Read only
/// at the root. The strings of one row lie `COUNT` strings apart.
pub(in super::super) struct RowsOfTexts<const COUNT: usize, const ROOT: usize> {
    rows: Vec<Strings>,
    addresses: Vec<*const *const c_char>,
}

impl<const COUNT: usize, const ROOT: usize> Argument for RowsOfTexts<COUNT, ROOT> {
    type Taken = *mut *mut *mut c_char;
    const SHAPE: Shape = Shape::Plain("character(*), dimension(*)");
    fn take(given: usize, call: &mut Call<'_>) -> Self {
        let length = call.length();
        let there = call.address(given) != 0;
        let count = if there { call.count_at_root(COUNT, ROOT) } else { 0 };
        let row = |at| Strings::until_blank(given + at * length, length, count);
        let rows: Vec<_> = (0..count).map(row).collect();
        let addresses = rows.iter().map(|row| row.addresses.as_ptr()).collect();
        Self { rows, addresses }
    }
    fn pass(&mut self) -> *mut *mut *mut c_char {
        let rows = if self.rows.is_empty() { ptr::null() } else { self.addresses.as_ptr() };
        rows.cast_mut().cast()
    }
}

/// A key or value of an info object: leading and trailing blanks are not significant (MPI chapter
/// 10).
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

/// A string that is written, of at most `MOST` characters in C; the rest is padded with blanks.
pub(in super::super) struct TextOut<const MOST: usize> {
    text: Vec<u8>,
    place: usize,
    length: usize,
}

/// The fill byte that marks a string which C has not written.
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
