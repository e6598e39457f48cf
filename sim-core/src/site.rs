//! Source positions of calls in the simulated program.

use std::{
    cmp::Ordering,
    collections::BTreeMap,
    fmt,
    hash::{Hash, Hasher},
    panic::Location,
    sync::{Mutex, OnceLock, PoisonError},
};

use serde::{Deserialize, Serialize};

use crate::text::{Text, intern, interned};

/// The source position of one MPI call in the simulated program.
///
/// Two sites are equal if they are the same source line and column, whatever functions led there.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Site {
    /// Source file as the compiler names it.
    pub file: Text,
    /// Line, from 1; 0 if unknown.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// Further information about a call in a compiled program.
    place: Option<&'static Place>,
}

/// Information about a call in a compiled program beyond its source line.
#[derive(Debug)]
pub struct Place {
    /// The called function, in the spelling of the program's language.
    pub call: &'static str,
    /// The function that contains the call; empty if unknown.
    pub function: &'static str,
    /// Addresses of the call and of the calls that led to it, innermost first.
    pub path: Box<[Address]>,
    /// The calling functions, filled in at the first query.
    callers: OnceLock<Box<[Frame]>>,
}

/// An address in the code of an executable or library file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Address {
    /// Path of the program or of one of its libraries.
    #[serde(deserialize_with = "interned")]
    pub file: Text,
    /// The address as the file counts addresses.
    pub address: u64,
}

/// A call on the call chain from `main` to an MPI call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Source file as the compiler names it.
    pub file: &'static str,
    /// Line of the call, from 1; 0 if unknown.
    pub line: u32,
    /// The function that contains the call; empty if unknown.
    pub function: &'static str,
}

impl Site {
    /// The site of a call that is not in a program.
    pub const NOWHERE: Self = Self { file: "", line: 0, column: 0, place: None };

    /// Returns the position of the caller (follows `#[track_caller]`).
    #[track_caller]
    pub fn here() -> Self {
        let place = Location::caller();
        Self::at(place.file(), place.line(), place.column())
    }

    /// Creates a site from a source position.
    pub const fn at(file: &'static str, line: u32, column: u32) -> Self {
        Self { file, line, column, place: None }
    }

    /// Adds the information about a call in a compiled program.
    pub const fn of(self, place: &'static Place) -> Self {
        Self { place: Some(place), ..self }
    }

    /// Returns the site, or `None` if nothing is known of it.
    pub fn known(self) -> Option<Self> {
        (self.line > 0 || self.place.is_some()).then_some(self)
    }

    /// Returns this place if its line is known.
    pub fn with_line(self) -> Option<Self> {
        (self.line > 0).then_some(self)
    }

    /// Returns the called MPI function, for a call in a compiled program.
    pub fn call(self) -> Option<&'static str> {
        self.place.map(|place| place.call)
    }

    /// Returns the called MPI function for a call in a compiled program, else `own`.
    pub fn call_or(self, own: &'static str) -> &'static str {
        self.call().unwrap_or(own)
    }

    /// Returns the information about the call, for a call in a compiled program.
    pub fn place(self) -> Option<&'static Place> {
        self.place
    }

    /// Returns the function that contains the call; empty if unknown.
    pub fn function(self) -> &'static str {
        self.place.map_or("", |place| place.function)
    }

    /// Returns whether both are the same record. Cheaper than a comparison of what they say: two records
    /// of one call may differ only if they were made apart.
    #[inline]
    pub fn is(self, other: Self) -> bool {
        let place = |site: Self| site.place.map(std::ptr::from_ref);
        self.line == other.line
            && self.column == other.column
            && std::ptr::eq(self.file, other.file)
            && place(self) == place(other)
    }

    /// Returns the key by which sites are compared: file, line and column, or without lines the
    /// address of the call.
    fn key(&self) -> (&'static str, u32, u32, Option<Address>) {
        let address = match self.place {
            Some(place) if self.line == 0 => place.path.first().copied(),
            _ => None,
        };
        (self.file, self.line, self.column, address)
    }
}

impl Place {
    /// Returns the interned record of a call of `call` in `function` with these addresses: calls
    /// are equal however often a program is run.
    pub fn kept(call: Text, function: Text, path: Box<[Address]>) -> &'static Self {
        type Key = (Text, Text, Box<[Address]>);
        static PLACES: Mutex<BTreeMap<Key, &'static Place>> = Mutex::new(BTreeMap::new());
        let mut places = PLACES.lock().unwrap_or_else(PoisonError::into_inner);
        places.entry((call, function, path.clone())).or_insert_with(|| {
            Box::leak(Box::new(Self { call, function, path, callers: OnceLock::new() }))
        })
    }

    /// Returns the calls that led to this one, innermost first; `find` is called once to look them
    /// up.
    pub fn callers(&self, find: impl FnOnce() -> Vec<Frame>) -> &[Frame] {
        self.callers.get_or_init(|| find().into_boxed_slice())
    }
}

/// A site in the form in which it is passed between processes.
#[derive(Serialize, Deserialize)]
struct Written {
    file: String,
    line: u32,
    column: u32,
    /// Called function, containing function and path; the file of an address is `None` if it is
    /// that of the address before.
    place: Option<(String, String, Vec<(Option<String>, u64)>)>,
}

impl From<Site> for Written {
    fn from(site: Site) -> Self {
        let Site { file, line, column, place } = site;
        let place = place.map(|place| {
            let mut last = "";
            let path = place.path.iter().map(|at| {
                let file = (at.file != last).then(|| at.file.to_string());
                last = at.file;
                (file, at.address)
            });
            (place.call.to_string(), place.function.to_string(), path.collect())
        });
        Self { file: file.to_string(), line, column, place }
    }
}

impl From<Written> for Site {
    fn from(written: Written) -> Self {
        let Written { file, line, column, place } = written;
        let place = place.map(|(call, function, path)| {
            let mut last = "";
            let path = path.into_iter().map(|(file, address)| {
                last = file.map_or(last, |file| intern(&file));
                Address { file: last, address }
            });
            Place::kept(intern(&call), intern(&function), path.collect())
        });
        Self { file: intern(&file), line, column, place }
    }
}

impl PartialEq for Site {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Site {}

impl PartialOrd for Site {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Site {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Hash for Site {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_crosses_to_another_process() {
        let at = |file, address| Address { file, address };
        let path = Box::new([at("a", 1), at("a", 2), at("b", 3), at("a", 4)]);
        let site = Site::at("a.c", 3, 1).of(Place::kept("MPI_Send", "main", path));
        let arrived = Site::from(Written::from(site));
        assert_eq!(arrived, site);
        let [one, other] = [arrived, site].map(|site| site.place().expect("it has one"));
        assert!(std::ptr::eq(one, other), "equal places are one");
        assert!(Site::from(Written::from(Site::here())).place().is_none());
    }

    #[test]
    fn lines_tell_sites_apart_and_addresses_where_there_are_none() {
        let place =
            |address| Place::kept("MPI_Send", "put", Box::new([Address { file: "a", address }]));
        let (one, two) = (place(0x10), place(0x20));
        let line = Site::at("a.c", 3, 1);
        assert_eq!(line.of(one), line.of(two));
        assert_ne!(Site::NOWHERE.of(one), Site::NOWHERE.of(two));
        assert_ne!(Site::at("a.c", 4, 1), line);
        assert_eq!(Site::NOWHERE.known(), None);
        assert_eq!(Site::NOWHERE.of(one).known().and_then(Site::call), Some("MPI_Send"));
    }
}
