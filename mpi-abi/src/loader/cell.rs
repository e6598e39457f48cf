//! Variables of the host's libraries that every rank must have for itself.

use super::{
    elf::Elf,
    library,
    plan::{Copy, Plan, Source},
};

/// Variables of `getopt`, with the value they begin with.
const GETOPT: [(&str, usize, u64); 4] =
    [("optarg", 8, 0), ("optind", 4, 1), ("opterr", 4, 1), ("optopt", 4, b'?' as u64)];

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

/// Bytes of a cell: enough for a variable of `getopt`, enough for a stream.
const VARIABLE: usize = 16;
const STREAM: usize = 320;

/// The bytes that all cells take in an image.
pub(crate) fn bytes(objects: &[Elf]) -> usize {
    let streams = if has_streams(objects) { STREAMS.len() } else { 0 };
    GETOPT.len() * VARIABLE + streams * STREAM
}

fn has_streams(objects: &[Elf]) -> bool {
    let needed = objects.iter().flat_map(|object| &object.needed);
    needed.into_iter().any(|name| name.starts_with("libstdc++"))
}

/// Where the private variables lie in an image.
pub(crate) struct Cells {
    getopt: [usize; GETOPT.len()],
    /// Cells of the C++ streams, if the program has any.
    stream_cells: Option<usize>,
    /// (place, bytes) of the C++ streams in use.
    pub(crate) streams: Vec<(usize, usize)>,
}

impl Cells {
    /// Cells from `start` on.
    pub(crate) fn new(start: usize, objects: &[Elf]) -> Self {
        let getopt = std::array::from_fn(|index| start + index * VARIABLE);
        let stream_cells = has_streams(objects).then_some(start + GETOPT.len() * VARIABLE);
        Self { getopt, stream_cells, streams: Vec::new() }
    }

    /// The place of a variable, if it is one of these; a stream is copied there once.
    pub(crate) fn place(&mut self, name: &str, plan: &mut Plan, own: bool) -> Option<usize> {
        if let Some(index) = GETOPT.iter().position(|(variable, ..)| *variable == name) {
            return Some(self.getopt[index]);
        }
        let index = STREAMS.iter().position(|(stream, _)| own && *stream == name)?;
        let address = library::host_symbol(name)?;
        let place = self.stream_cells? + index * STREAM;
        let bytes = STREAMS[index].1;
        if !self.streams.contains(&(place, bytes)) {
            self.streams.push((place, bytes));
            plan.copies.push(Copy { place, source: Source::Host(address), bytes });
        }
        Some(place)
    }

    /// The program itself holds a `getopt` variable, at `place`. False if `name` is none.
    pub(crate) fn moved(&mut self, name: &str, place: usize) -> bool {
        let Some(index) = GETOPT.iter().position(|(variable, ..)| *variable == name) else {
            if let Some((_, bytes)) = STREAMS.iter().find(|(stream, _)| *stream == name) {
                self.streams.push((place, *bytes));
            }
            return false;
        };
        self.getopt[index] = place;
        true
    }

    /// (place, bytes, first value) of each `getopt` variable: argument, index, messages, option.
    pub(crate) fn getopt(&self) -> [(usize, usize, u64); GETOPT.len()] {
        std::array::from_fn(|index| (self.getopt[index], GETOPT[index].1, GETOPT[index].2))
    }
}
