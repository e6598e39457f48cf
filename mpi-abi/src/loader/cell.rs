//! Variables of the host's libraries that every rank must have for itself.

use super::{
    elf::Elf,
    library,
    plan::{Copy, Plan, Source},
};

/// Variables of the C library, by all their names: those of `getopt`, the environment, the standard
/// streams, the time zone.
const VARIABLES: [&[&str]; 11] = [
    &["optarg"],
    &["optind"],
    &["opterr"],
    &["optopt"],
    &["environ", "__environ", "_environ"],
    &["stdin"],
    &["stdout"],
    &["stderr"],
    &["tzname", "__tzname"],
    &["timezone", "__timezone"],
    &["daylight", "__daylight"],
];

/// Stream objects of C++: their formats and states belong to a rank. Names as mangled.
const STREAMS: [(&str, usize); 8] = [
    ("_ZSt3cin", 280),
    ("_ZSt4cout", 272),
    ("_ZSt4cerr", 272),
    ("_ZSt4clog", 272),
    ("_ZSt4wcin", 280),
    ("_ZSt5wcout", 272),
    ("_ZSt5wcerr", 272),
    ("_ZSt5wclog", 272),
];

/// Position of `std::cin` in the table.
const INPUT: usize = 0;

/// Bytes of a cell: enough for a variable of the C library, enough for a stream.
const VARIABLE: usize = 16;
const STREAM: usize = 320;

/// The bytes that all cells take in an image.
pub(crate) fn bytes(objects: &[Elf]) -> usize {
    let streams = if has_streams(objects) { STREAMS.len() } else { 0 };
    VARIABLES.len() * VARIABLE + streams * STREAM
}

fn has_streams(objects: &[Elf]) -> bool {
    let needed = objects.iter().flat_map(|object| &object.needed);
    needed.into_iter().any(|name| name.starts_with("libstdc++"))
}

/// Where the private variables lie in an image.
pub(crate) struct Cells {
    variables: [usize; VARIABLES.len()],
    /// Cells of the C++ streams, if the program has any.
    stream_cells: Option<usize>,
    /// (place, bytes) of the C++ streams in use.
    pub(crate) streams: Vec<(usize, usize)>,
    /// Where `std::cin` lies, if it is in use.
    input: Option<usize>,
}

impl Cells {
    /// Cells from `start` on.
    pub(crate) fn new(start: usize, objects: &[Elf]) -> Self {
        let variables = std::array::from_fn(|index| start + index * VARIABLE);
        let stream_cells = has_streams(objects).then_some(start + VARIABLES.len() * VARIABLE);
        Self { variables, stream_cells, streams: Vec::new(), input: None }
    }

    /// The place of a variable, if it is one of these; a stream is copied there once.
    pub(crate) fn place(&mut self, name: &str, plan: &mut Plan, own: bool) -> Option<usize> {
        if let Some(index) = variable(name) {
            return Some(self.variables[index]);
        }
        let index = STREAMS.iter().position(|(stream, _)| own && *stream == name)?;
        let address = library::host_symbol(name)?;
        let place = self.stream_cells? + index * STREAM;
        let bytes = STREAMS[index].1;
        if !self.streams.contains(&(place, bytes)) {
            self.add_stream(index, place);
            plan.copies.push(Copy { place, source: Source::Host(address), bytes });
        }
        Some(place)
    }

    fn add_stream(&mut self, index: usize, place: usize) {
        self.streams.push((place, STREAMS[index].1));
        if index == INPUT {
            self.input = Some(place);
        }
    }

    /// The program itself holds a variable of the C library, at `place`. False if `name` is none.
    pub(crate) fn moved(&mut self, name: &str, place: usize) -> bool {
        let Some(index) = variable(name) else {
            if let Some(index) = STREAMS.iter().position(|(stream, _)| *stream == name) {
                self.add_stream(index, place);
            }
            return false;
        };
        self.variables[index] = place;
        true
    }

    /// Where the variables of the C library lie in the image at `base`.
    pub(crate) fn variables(&self, base: usize) -> CVariables {
        let [argument, index, messages, option, environment, input, output, error, zone @ ..] =
            self.variables.map(|place| base + place);
        let getopt = [argument, index, messages, option];
        let cin = self.input.map_or(0, |place| base + place);
        CVariables { getopt, environment, streams: [input, output, error], zone, cin }
    }
}

/// Addresses of the variables of the C library that a rank has for itself.
#[derive(Clone, Copy, Default)]
pub(crate) struct CVariables {
    /// `optarg`, `optind`, `opterr` and `optopt`.
    pub(crate) getopt: [usize; 4],
    /// `environ`.
    pub(crate) environment: usize,
    /// `stdin`, `stdout` and `stderr`.
    pub(crate) streams: [usize; 3],
    /// `tzname`, `timezone` and `daylight`.
    pub(crate) zone: [usize; 3],
    /// `std::cin`; 0 if the program does not use it.
    pub(crate) cin: usize,
}

/// Position of a variable in the table.
fn variable(name: &str) -> Option<usize> {
    VARIABLES.iter().position(|names| names.contains(&name))
}
