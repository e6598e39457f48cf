//! Variables of the host's libraries of which every rank needs a private copy.

use super::{
    elf::Elf,
    plan::{Copy, Plan, Source},
    symbol::host_symbol,
};
use crate::libc::variables::CVariables;

/// Variables of the C library, each with all its names: those of `getopt`, the environment, the
/// standard streams, the time zone, the name of the program, what functions leave behind, and whether there is one thread
/// only.
const VARIABLES: [&[&str]; 16] = [
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
    &["program_invocation_name", "__progname_full"],
    &["program_invocation_short_name", "__progname"],
    &["signgam", "__signgam"],
    &["error_message_count"],
    &["__libc_single_threaded"],
];

/// Standard stream objects of C++, by mangled name and size in bytes; formats and states are per
/// rank.
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

/// Bytes of a cell that holds a variable of the C library.
const VARIABLE: usize = 16;
const STREAM: usize = 320;

/// Returns the bytes that all cells take in an image.
pub(crate) fn bytes(objects: &[Elf]) -> usize {
    let streams = if has_streams(objects) { STREAMS.len() } else { 0 };
    VARIABLES.len() * VARIABLE + streams * STREAM
}

fn has_streams(objects: &[Elf]) -> bool {
    let needed = objects.iter().flat_map(|object| &object.needed);
    needed.into_iter().any(|name| name.starts_with("libstdc++"))
}

/// The places of the private variables in an image.
pub(crate) struct Cells {
    variables: [usize; VARIABLES.len()],
    /// Place of the cells for C++ streams, if the program uses any.
    stream_cells: Option<usize>,
    /// (place, bytes) of the C++ streams that the program uses.
    pub(crate) streams: Vec<(usize, usize)>,
    /// Place of `std::cin`, if the program uses it.
    input: Option<usize>,
}

impl Cells {
    /// Creates the cells from place `start` on.
    pub(crate) fn new(start: usize, objects: &[Elf]) -> Self {
        let variables = std::array::from_fn(|index| start + index * VARIABLE);
        let stream_cells = has_streams(objects).then_some(start + VARIABLES.len() * VARIABLE);
        Self { variables, stream_cells, streams: Vec::new(), input: None }
    }

    /// Returns the place of a variable if it is private; reserves the copy of a C++ stream the
    /// first time.
    pub(crate) fn place(&mut self, name: &str, plan: &mut Plan, own: bool) -> Option<usize> {
        if let Some(index) = variable(name) {
            return Some(self.variables[index]);
        }
        let index = STREAMS.iter().position(|(stream, _)| own && *stream == name)?;
        let address = host_symbol(name)?;
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

    /// Records that the program itself holds a variable of the C library, at `place` (a copy
    /// relocation). Returns false if `name` is not such a variable.
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

    /// Returns the addresses of the C library variables in the image at `base`.
    pub(crate) fn variables(&self, base: usize) -> CVariables {
        let [
            argument,
            index,
            messages,
            option,
            environment,
            input,
            output,
            error,
            zone_names,
            zone_offset,
            zone_changes,
            whole_name,
            short_name,
            sign_of_gamma,
            errors,
            single_threaded,
        ] = self.variables.map(|place| base + place);
        let getopt = [argument, index, messages, option];
        let streams = [input, output, error];
        let cin = self.input.map_or(0, |place| base + place);
        CVariables {
            getopt,
            environment,
            streams,
            zone: [zone_names, zone_offset, zone_changes],
            program_name: [whole_name, short_name],
            sign_of_gamma,
            errors,
            single_threaded,
            cin,
        }
    }
}

/// Returns the position of a variable in [`VARIABLES`].
fn variable(name: &str) -> Option<usize> {
    VARIABLES.iter().position(|names| names.contains(&name))
}
