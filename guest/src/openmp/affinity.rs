//! Texts about the place of a thread (OpenMP 5.2, section 18.3): threads of a rank have no places of
//! their own, but the other fields of a format are filled in.
#![allow(unsafe_code, reason = "reads formats and fills buffers of programs")]

use std::{
    cell::RefCell,
    ffi::{CStr, c_char, c_int},
    ptr, slice,
};

use super::present::present;
use crate::libc::{host::Stream, thread};

/// The format that a program has set.
struct Format(RefCell<String>);

impl Default for Format {
    fn default() -> Self {
        Self(RefCell::new("level %L thread %n of %N affinity %A".to_string()))
    }
}

fn format<'a>() -> &'a RefCell<String> {
    &thread::caller().0.state::<Format>().0
}

/// The fields of a format, by letter and by name.
const FIELDS: [(char, &str); 10] = [
    ('t', "team_num"),
    ('T', "num_teams"),
    ('L', "nesting_level"),
    ('n', "thread_num"),
    ('N', "num_threads"),
    ('a', "ancestor_tnum"),
    ('H', "host"),
    ('P', "process_id"),
    ('i', "native_thread_id"),
    ('A', "thread_affinity"),
];

/// Fills in a format: `%`, then `0` for leading zeros, `.` to put the text to the right, a width, and a
/// field. `value` returns the text of a field; unknown ones are shown as `undefined`.
fn filled(format: &str, value: impl Fn(char) -> String) -> String {
    let mut text = String::new();
    let mut rest = format;
    while let Some((before, after)) = rest.split_once('%') {
        text.push_str(before);
        if let Some(after) = after.strip_prefix('%') {
            text.push('%');
            rest = after;
            continue;
        }
        let field =
            after.trim_start_matches(|letter: char| letter == '.' || letter.is_ascii_digit());
        let form = &after[..after.len() - field.len()];
        let (letter, more) = match field.strip_prefix('{').and_then(|name| name.split_once('}')) {
            Some((name, more)) => {
                (FIELDS.iter().find(|known| known.1 == name).map(|known| known.0), more)
            }
            None => {
                let letter = field.chars().next();
                let more = &field[letter.map_or(0, char::len_utf8)..];
                (letter.filter(|one| FIELDS.iter().any(|known| known.0 == *one)), more)
            }
        };
        let one = letter.map_or_else(|| "undefined".to_string(), &value);
        let (zeros, right) = (form.starts_with('0'), form.contains('.'));
        let width = form.trim_start_matches(['0', '.']).parse::<usize>().unwrap_or(0).min(1000);
        match (right, zeros && letter != Some('H')) {
            (true, true) => text.push_str(&format!("{one:0>width$}")),
            (true, false) => text.push_str(&format!("{one:>width$}")),
            (false, _) => text.push_str(&format!("{one:<width$}")),
        }
        rest = more;
    }
    text + rest
}

/// Fills in a format for the calling thread; an empty one stands for that which is set.
fn described(wanted: &str) -> String {
    let set = format().borrow().clone();
    let here = present();
    let team = &here.member.team;
    filled(if wanted.is_empty() { &set } else { wanted }, |field| match field {
        't' => team.league.1.to_string(),
        'T' => team.league.0.to_string(),
        'L' => team.level.to_string(),
        'n' => here.member.number.to_string(),
        'N' => team.size.to_string(),
        'a' => team.above.as_ref().map_or(-1, |above| i64::from(above.number)).to_string(),
        'H' => format!("node{}", thread::caller().0.host().node(thread::caller().0.number())),
        'P' => thread::caller().0.number().to_string(),
        'i' => thread::present().to_string(),
        _ => "none".to_string(),
    })
}

/// Reads a C string; null is an empty one.
unsafe fn c_text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the program passes a C string.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// Reads a character variable of Fortran, without the blanks at its end.
unsafe fn fortran_text(text: *const u8, length: usize) -> String {
    if length == 0 {
        return String::new();
    }
    // SAFETY: a Fortran program passes a variable of that length.
    let text = String::from_utf8_lossy(unsafe { slice::from_raw_parts(text, length) });
    text.trim_end_matches(' ').to_string()
}

/// Writes as much of a text as a C string of `size` bytes holds; returns the length of the text.
unsafe fn give(text: &str, place: *mut u8, size: usize) -> usize {
    if size > 0 {
        let length = text.len().min(size - 1);
        // SAFETY: the program passes a buffer of that size.
        unsafe {
            ptr::copy_nonoverlapping(text.as_ptr(), place, length);
            place.add(length).write(0);
        }
    }
    text.len()
}

/// Writes a text into a character variable of Fortran; returns the length of the text.
unsafe fn give_fortran(text: &str, place: *mut u8, size: usize) -> c_int {
    let length = text.len().min(size);
    // SAFETY: the program passes a variable of that length.
    unsafe {
        ptr::copy_nonoverlapping(text.as_ptr(), place, length);
        ptr::write_bytes(place.add(length), b' ', size - length);
    }
    text.len() as c_int
}

fn show(text: &str) {
    thread::caller().0.write(Stream::Error, format!("{text}\n").as_bytes());
}

unsafe extern "C" fn set_format(text: *const c_char) {
    // SAFETY: the argument is passed on.
    format().replace(unsafe { c_text(text) });
}

unsafe extern "C" fn set_format_fortran(text: *const u8, length: usize) {
    // SAFETY: the arguments are passed on.
    format().replace(unsafe { fortran_text(text, length) });
}

unsafe extern "C" fn get_format(place: *mut u8, size: usize) -> usize {
    // SAFETY: the arguments are passed on.
    unsafe { give(&format().borrow(), place, size) }
}

unsafe extern "C" fn get_format_fortran(place: *mut u8, size: usize) -> c_int {
    // SAFETY: the arguments are passed on.
    unsafe { give_fortran(&format().borrow(), place, size) }
}

unsafe extern "C" fn display(text: *const c_char) {
    // SAFETY: the argument is passed on.
    show(&described(&unsafe { c_text(text) }));
}

unsafe extern "C" fn display_fortran(text: *const u8, length: usize) {
    // SAFETY: the arguments are passed on.
    show(&described(&unsafe { fortran_text(text, length) }));
}

unsafe extern "C" fn capture(place: *mut u8, size: usize, text: *const c_char) -> usize {
    // SAFETY: the arguments are passed on.
    unsafe { give(&described(&c_text(text)), place, size) }
}

unsafe extern "C" fn capture_fortran(
    place: *mut u8,
    text: *const u8,
    size: usize,
    length: usize,
) -> c_int {
    // SAFETY: the arguments are passed on.
    unsafe { give_fortran(&described(&fortran_text(text, length)), place, size) }
}

pub(super) fn replacements() -> Vec<(&'static str, usize)> {
    vec![
        ("omp_set_affinity_format", set_format as *const () as usize),
        ("omp_set_affinity_format_", set_format_fortran as *const () as usize),
        ("omp_get_affinity_format", get_format as *const () as usize),
        ("omp_get_affinity_format_", get_format_fortran as *const () as usize),
        ("omp_display_affinity", display as *const () as usize),
        ("omp_display_affinity_", display_fortran as *const () as usize),
        ("omp_capture_affinity", capture as *const () as usize),
        ("omp_capture_affinity_", capture_fortran as *const () as usize),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_filled_in() {
        let value = |field: char| match field {
            'n' => "3".to_string(),
            'H' => "node1".to_string(),
            other => format!("<{other}>"),
        };
        for (format, text) in [
            ("thread %n", "thread 3"),
            ("%{thread_num} 100%%", "3 100%"),
            ("%4n|%.4n|%0.4n|", "3   |   3|0003|"),
            ("%0.8H", "   node1"),
            ("%x %{nobody} %", "undefined undefined undefined"),
            ("", ""),
        ] {
            assert_eq!(filled(format, value), text, "{format}");
        }
    }
}
