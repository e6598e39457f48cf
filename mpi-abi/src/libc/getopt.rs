//! `getopt`, `getopt_long` and `getopt_long_only` with their state per rank: the C library keeps its
//! place inside an argument in a variable that nobody else can reach.
#![allow(unsafe_code, reason = "reads the arguments of programs and writes their variables")]

use std::{
    cell::Cell,
    ffi::{CStr, c_char, c_int},
    ptr, slice,
};

use super::{
    Replacement,
    rank::{Rank, Stream},
    stdio,
};

/// What the functions answer at the end of the options, for a fault, and for an argument in order.
const END: c_int = -1;
const FAULT: c_int = b'?' as c_int;
const MISSING: c_int = b':' as c_int;
const IN_ORDER: c_int = 1;

/// How arguments that are no options are treated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// They are moved behind the options.
    Permute,
    /// The first of them ends the options.
    Stop,
    /// Each is answered as if it belonged to an option with code 1.
    InOrder,
}

/// Where a rank is among its arguments.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    begun: bool,
    order: Order,
    /// Rest of the argument that is being read; null between arguments.
    rest: *const c_char,
    /// Arguments skipped so far that are no options: the first and the one after the last.
    skipped: (usize, usize),
}

impl Default for Place {
    fn default() -> Self {
        Self { begun: false, order: Order::Permute, rest: ptr::null(), skipped: (0, 0) }
    }
}

/// `struct option`.
#[repr(C)]
pub(crate) struct LongOption {
    name: *const c_char,
    has_argument: c_int,
    flag: *mut c_int,
    value: c_int,
}

/// The variables of the program.
struct Variables {
    argument: *mut *mut c_char,
    index: *mut c_int,
    messages: *const c_int,
    option: *mut c_int,
}

/// The long options of a call.
#[derive(Clone, Copy)]
struct Longs<'a> {
    options: &'a [LongOption],
    /// Where the position of the option that was found goes; may be null.
    position: *mut c_int,
    /// A single dash begins a long option, too.
    single_dash: bool,
}

/// One call.
struct Scan<'a> {
    variables: Variables,
    place: Place,
    arguments: &'a mut [*mut c_char],
    /// The letters, without what says how to go about other arguments.
    letters: &'a [u8],
    longs: Option<Longs<'a>>,
}

/// The text at an address.
///
/// # Safety
/// The address must be that of a C string that lives as long as needed.
unsafe fn bytes<'a>(text: *const c_char) -> &'a [u8] {
    // SAFETY: the caller's.
    unsafe { CStr::from_ptr(text) }.to_bytes()
}

impl Scan<'_> {
    fn index(&self) -> usize {
        // SAFETY: the cell of the rank.
        let index = unsafe { *self.variables.index }.max(0) as usize;
        index.min(self.arguments.len())
    }

    fn set_index(&self, index: usize) {
        // SAFETY: as above.
        unsafe { *self.variables.index = index as c_int };
    }

    fn set_argument(&self, argument: *const c_char) {
        // SAFETY: as above.
        unsafe { *self.variables.argument = argument.cast_mut() };
    }

    fn argument(&self, index: usize) -> &[u8] {
        // SAFETY: the program passes C strings.
        unsafe { bytes(self.arguments[index]) }
    }

    fn is_option(&self, index: usize) -> bool {
        let text = self.argument(index);
        text.len() > 1 && text[0] == b'-'
    }

    fn rest(&self) -> &[u8] {
        // SAFETY: a place inside an argument, or null.
        if self.place.rest.is_null() { &[] } else { unsafe { bytes(self.place.rest) } }
    }

    /// Says what is wrong, unless the program does so itself.
    fn complain(&self, what: &[&[u8]]) {
        // SAFETY: the cell of the rank.
        let wanted = unsafe { *self.variables.messages } != 0;
        if wanted && self.letters.first() != Some(&b':') {
            let program = if self.arguments.is_empty() { &[][..] } else { self.argument(0) };
            stdio::put(Stream::Error, &[program, b": ", &what.concat(), b"\n"].concat());
        }
    }

    fn fault(&self, option: c_int) -> c_int {
        // SAFETY: the cell of the rank.
        unsafe { *self.variables.option = option };
        FAULT
    }

    /// As `fault`, where an argument is missing.
    fn missing(&self, option: c_int) -> c_int {
        let fault = self.fault(option);
        if self.letters.first() == Some(&b':') { MISSING } else { fault }
    }

    /// Moves the arguments skipped behind the options read since.
    fn exchange(&mut self) {
        let (first, last) = self.place.skipped;
        let index = self.index();
        self.arguments[first..index].rotate_left(last - first);
        self.place.skipped = (first + index - last, index);
    }

    fn next(&mut self) -> c_int {
        self.set_argument(ptr::null());
        if self.rest().is_empty()
            && let Some(answer) = self.advance()
        {
            return answer;
        }
        self.short()
    }

    /// Goes to the next argument with short options; an answer if there is something else.
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

    /// Skips what is no option.
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

    /// Takes the argument of a letter: the rest of its own, or the next one. False if there is none.
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

    /// A long option; `END` if it may be a group of short ones.
    fn long(&mut self, longs: Longs<'_>, dashes: &[u8], strict: bool) -> c_int {
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
        // SAFETY: the program names a variable or none.
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

/// Position of the option with this name or abbreviation; names of all that it may stand for if
/// there are several that differ.
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

fn scan(
    (argc, argv): (c_int, *const *mut c_char),
    letters: *const c_char,
    longs: Option<Longs<'_>>,
) -> c_int {
    let rank = Rank::current().unwrap_or_else(|| std::process::abort());
    if argc < 1 {
        return END;
    }
    let [argument, index, messages, option] = rank.c_variables.getopt;
    let variables = Variables {
        argument: argument as *mut *mut c_char,
        index: index as *mut c_int,
        messages: messages as *const c_int,
        option: option as *mut c_int,
    };
    // SAFETY: the program passes that many arguments, which it lets be reordered, and a C string.
    let (arguments, letters) =
        unsafe { (slice::from_raw_parts_mut(argv.cast_mut(), argc as usize), bytes(letters)) };
    let place = &rank.options;
    let mut scan = Scan { variables, place: place.get(), arguments, letters, longs };
    begin(&mut scan);
    if matches!(letters.first(), Some(b'-' | b'+')) {
        scan.letters = &letters[1..];
    }
    let answer = scan.next();
    place.set(scan.place);
    answer
}

/// The first call, or the program wants to begin again.
fn begin(scan: &mut Scan<'_>) {
    if scan.place.begun && scan.index() != 0 {
        return;
    }
    let index = scan.index().max(1);
    scan.set_index(index);
    let order = match scan.letters.first() {
        Some(b'-') => Order::InOrder,
        Some(b'+') => Order::Stop,
        // SAFETY: the name is a C string.
        _ if !unsafe { libc::getenv(c"POSIXLY_CORRECT".as_ptr()) }.is_null() => Order::Stop,
        _ => Order::Permute,
    };
    scan.place = Place { begun: true, order, rest: ptr::null(), skipped: (index, index) };
}

fn long_options<'a>(longs: *const LongOption) -> &'a [LongOption] {
    if longs.is_null() {
        return &[];
    }
    // SAFETY: the program passes options, the last one without a name.
    unsafe {
        let count = (0..).take_while(|at| !(*longs.add(*at)).name.is_null()).count();
        slice::from_raw_parts(longs, count)
    }
}

extern "C" fn short(argc: c_int, argv: *const *mut c_char, letters: *const c_char) -> c_int {
    scan((argc, argv), letters, None)
}

extern "C" fn long(
    argc: c_int,
    argv: *const *mut c_char,
    letters: *const c_char,
    longs: *const LongOption,
    position: *mut c_int,
) -> c_int {
    let options = long_options(longs);
    scan((argc, argv), letters, Some(Longs { options, position, single_dash: false }))
}

extern "C" fn long_only(
    argc: c_int,
    argv: *const *mut c_char,
    letters: *const c_char,
    longs: *const LongOption,
    position: *mut c_int,
) -> c_int {
    let options = long_options(longs);
    scan((argc, argv), letters, Some(Longs { options, position, single_dash: true }))
}

/// Gives the variables of a program the values they begin with.
pub(super) fn begin_rank(rank: &Rank) {
    let [argument, index, messages, option] = rank.c_variables.getopt;
    // SAFETY: the cells of the rank.
    unsafe {
        *(argument as *mut *mut c_char) = ptr::null_mut();
        *(index as *mut c_int) = 1;
        *(messages as *mut c_int) = 1;
        *(option as *mut c_int) = FAULT;
    }
}

/// What the functions keep, per rank.
pub(crate) type Options = Cell<Place>;

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("getopt", short as *const () as usize),
        ("__posix_getopt", short as *const () as usize),
        ("getopt_long", long as *const () as usize),
        ("getopt_long_only", long_only as *const () as usize),
    ]
}
