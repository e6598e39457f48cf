//! Where a call stands in the source of the simulated program.

use std::{
    cmp::Ordering,
    collections::BTreeMap,
    fmt,
    hash::{Hash, Hasher},
    panic::Location,
    sync::{Mutex, OnceLock, PoisonError},
};

use serde::{Deserialize, Serialize};

use crate::text::{Text, intern};

/// The source position of one MPI call in the simulated program.
///
/// Two sites are equal if they are the same source line and column, whatever functions led there.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Site {
    /// Source file as the compiler names it.
    pub file: Text,
    /// Line, from 1; 0 if it is not known.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// What is known of a call in a compiled program.
    place: Option<&'static Place>,
}

/// A call in a compiled program: what is known besides its line.
#[derive(Debug)]
pub struct Place {
    /// The function that is called, in the spelling of the program's language.
    pub call: &'static str,
    /// The function around the call; empty if it is not known.
    pub function: &'static str,
    /// The call and those that led there, innermost first.
    pub path: Box<[Address]>,
    /// The functions around it, once somebody has looked them up.
    callers: OnceLock<Box<[Frame]>>,
}

/// An address in the code of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    /// The program, or a library of it.
    pub file: &'static str,
    /// As the file counts addresses.
    pub address: u64,
}

/// A call on the way from `main` to a call of MPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Source file as the compiler names it.
    pub file: &'static str,
    /// Line of the call, from 1; 0 if it is not known.
    pub line: u32,
    /// The function around the call; empty if it is not known.
    pub function: &'static str,
}

impl Site {
    /// No place in a program.
    pub const NOWHERE: Self = Self { file: "", line: 0, column: 0, place: None };

    /// The position of the caller (follows `#[track_caller]`).
    #[track_caller]
    pub fn here() -> Self {
        let place = Location::caller();
        Self::at(place.file(), place.line(), place.column())
    }

    /// A position.
    pub const fn at(file: &'static str, line: u32, column: u32) -> Self {
        Self { file, line, column, place: None }
    }

    /// The position of a call in a compiled program.
    pub const fn of(self, place: &'static Place) -> Self {
        Self { place: Some(place), ..self }
    }

    /// The position, unless nothing is known of it.
    pub fn known(self) -> Option<Self> {
        (self.line > 0 || self.place.is_some()).then_some(self)
    }

    /// The function of MPI that is called there, in a compiled program.
    pub fn call(self) -> Option<&'static str> {
        self.place.map(|place| place.call)
    }

    /// What is called there: in a compiled program the function of MPI, else `own`.
    pub fn call_or(self, own: &'static str) -> &'static str {
        self.call().unwrap_or(own)
    }

    /// What is known of the call in a compiled program.
    pub fn place(self) -> Option<&'static Place> {
        self.place
    }

    /// The function around the call; empty if it is not known.
    pub fn function(self) -> &'static str {
        self.place.map_or("", |place| place.function)
    }

    /// What tells sites apart. Without lines it is the address of the call.
    fn key(&self) -> (&'static str, u32, u32, Option<Address>) {
        let address = match self.place {
            Some(place) if self.line == 0 => place.path.first().copied(),
            _ => None,
        };
        (self.file, self.line, self.column, address)
    }
}

impl Place {
    /// The one copy of a call of `call` in `function`, at the first of these addresses: however often
    /// a program is run, its calls are the same.
    pub fn kept(call: Text, function: Text, path: Box<[Address]>) -> &'static Self {
        type Key = (Text, Text, Box<[Address]>);
        static PLACES: Mutex<BTreeMap<Key, &'static Place>> = Mutex::new(BTreeMap::new());
        let mut places = PLACES.lock().unwrap_or_else(PoisonError::into_inner);
        places.entry((call, function, path.clone())).or_insert_with(|| {
            Box::leak(Box::new(Self { call, function, path, callers: OnceLock::new() }))
        })
    }

    /// The calls that led there, innermost first; `find` is asked for them once.
    pub fn callers(&self, find: impl FnOnce() -> Vec<Frame>) -> &[Frame] {
        self.callers.get_or_init(|| find().into_boxed_slice())
    }
}

/// A site on its way from one process to another.
#[derive(Serialize, Deserialize)]
struct Written {
    file: String,
    line: u32,
    column: u32,
    /// Call, function and path; a file is left out where it is the one before.
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
