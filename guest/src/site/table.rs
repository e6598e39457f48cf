//! Maps addresses to source lines, from the debug information of a program's objects.

use std::{
    borrow::Cow,
    cell::{Cell, RefCell},
    collections::BTreeMap,
    fs,
    ops::Range,
    path::{Path as FilePath, PathBuf},
    rc::Rc,
};

use addr2line::Loader;
use rustc_hash::FxHashMap;
use sim_core::{Address, Frame, Place, Site as CallSite, intern};

use super::{
    path::{Function, Path, PathHash, called, struck},
    position::Site,
    variable::{self, Data},
};
use crate::{libc::errno, own_source::is_users_own, statement};

/// Number of places of the cache of calls whose sites are found without a search.
const RECENT: usize = 64;
/// Number of calls that share a place: two calls of one loop often do.
const WAYS: usize = 2;
/// Maximum number of frames of one address: functions that are inlined into each other.
const INLINED_MAX: usize = 16;

/// The source positions and symbols of a rank's program, by address.
pub(crate) struct Sites {
    objects: Vec<Object>,
    /// End of the last object in the image.
    size: usize,
    variables: Vec<Range<usize>>,
    /// Sites of calls by the hash of their path.
    calls: RefCell<FxHashMap<u64, CallSite>>,
    /// Recently requested sites with that hash: most programs make their calls from few places.
    recent: [[Recent; WAYS]; RECENT],
}

/// A recently requested site.
struct Recent {
    hash: Cell<u64>,
    site: Cell<CallSite>,
}

impl Recent {
    const fn new() -> Self {
        Self { hash: Cell::new(0), site: Cell::new(CallSite::NOWHERE) }
    }
}

struct Object {
    path: PathBuf,
    start: usize,
    end: usize,
    loader: RefCell<Option<Option<Loader>>>,
    known: RefCell<FxHashMap<usize, Vec<Site>>>,
}

impl Sites {
    /// Creates the table of objects given by file, offset in the image and size, the program first,
    /// and the locations of their static variables in the image.
    pub(crate) fn new(
        objects: impl Iterator<Item = (PathBuf, usize, usize)>,
        variables: Vec<Range<usize>>,
    ) -> Self {
        let object = |(path, start, bytes): (PathBuf, usize, usize)| {
            // The path is made absolute: programs may change their working directory.
            let path = fs::canonicalize(&path).unwrap_or(path);
            Object::new(path, start, start + bytes)
        };
        let recent = [const { [const { Recent::new() }; WAYS] }; RECENT];
        let objects: Vec<Object> = objects.map(object).collect();
        let size = objects.iter().map(|object| object.end).max().unwrap_or(0);
        Self { objects, size, variables, calls: RefCell::default(), recent }
    }

    /// Returns the path of the program's file.
    pub(crate) fn program(&self) -> Option<&FilePath> {
        self.objects.first().map(|object| object.path.as_path())
    }

    /// Returns the end of the last object in the image: a place from there on is outside the program.
    #[inline]
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Returns the locations of static variables in the image.
    pub(crate) fn variables(&self) -> &[Range<usize>] {
        &self.variables
    }

    fn object_of(&self, place: usize) -> Option<&Object> {
        self.objects.iter().find(|object| (object.start..object.end).contains(&place))
    }

    /// Returns a place of the image as an address in the file of its object.
    pub(super) fn address_in_file(&self, place: usize) -> Option<Address> {
        let object = self.object_of(place)?;
        let file = intern(&object.path.to_string_lossy());
        Some(Address { file, address: (place - object.start) as u64 })
    }

    /// Returns the file of the object that holds an address, and where in memory its addresses count
    /// from.
    pub(super) fn object_at(&self, base: usize, address: usize) -> Option<(PathBuf, usize)> {
        let object = self.object_of(address.wrapping_sub(base))?;
        Some((object.path.clone(), base + object.start))
    }

    pub(super) fn holds(&self, base: usize, address: usize) -> bool {
        self.object_of(address.wrapping_sub(base)).is_some()
    }

    /// Reports whether a call was made by the program's own code.
    pub(super) fn has(&self, path: &Path) -> bool {
        path.places().first().is_some_and(|place| self.object_of(*place).is_some())
    }

    /// Returns the source positions of the call that returns to `address`, in the functions that are inlined into each
    /// other there, innermost first.
    pub(super) fn find_all(&self, base: usize, address: usize) -> Vec<Site> {
        self.frames(address.wrapping_sub(base).wrapping_sub(1))
    }

    /// Returns the source position of the call that returns to `address`.
    pub(crate) fn find(&self, base: usize, address: usize) -> Site {
        let frames = self.find_all(base, address);
        let own = frames.iter().find(|frame| is_users_own(frame.file));
        own.or(frames.first()).copied().unwrap_or(Site::UNKNOWN)
    }

    /// Returns the functions inlined into each other at a place of the image, innermost first.
    fn frames(&self, place: usize) -> Vec<Site> {
        self.object_of(place).map_or_else(Vec::new, |object| object.frames(place - object.start))
    }

    #[inline]
    fn recent_of(&self, hash: u64) -> &[Recent; WAYS] {
        &self.recent[(hash >> 32) as usize % RECENT]
    }

    /// Returns the site of an MPI call by its return addresses, if it was requested recently.
    #[inline]
    pub(super) fn recent(&self, PathHash(hash): PathHash) -> Option<CallSite> {
        let found = self.recent_of(hash).iter().find(|recent| recent.hash.get() == hash);
        found.map(|recent| recent.site.get())
    }

    /// Returns the site of an MPI call by its return addresses; `other` if no function on the path is
    /// in the user's own source.
    pub(super) fn call(
        &self,
        path: &Path,
        function: Function,
        PathHash(hash): PathHash,
        other: impl FnOnce() -> Site,
    ) -> CallSite {
        let known = self.calls.borrow().get(&hash).copied();
        let site = known.unwrap_or_else(|| {
            let call = called(function).unwrap_or("a call");
            let site = self.site_of(path.places(), Some(call), other);
            self.calls.borrow_mut().insert(hash, site);
            site
        });
        let [first, second] = self.recent_of(hash);
        second.hash.set(first.hash.replace(hash));
        second.site.set(first.site.replace(site));
        site
    }

    /// Returns the site of an instruction that has raised a signal in the program that runs at
    /// `base`, with the calls that led to it.
    pub(crate) fn struck(&self, base: usize, address: usize) -> CallSite {
        self.site_of(&struck(base, address), None, || self.find(base, address + 1))
    }

    /// Returns the static data at or before a place of the image; `constant` says whether no program
    /// may write there.
    pub(crate) fn data(&self, place: usize, constant: bool) -> Option<Data> {
        let before = self.objects.iter().filter(|object| object.start <= place);
        let object = before.max_by_key(|object| object.start)?;
        variable::near(&object.path, (place - object.start) as u64, constant)
    }

    /// Returns the site of a path of addresses to return to, innermost first; `other` if no function
    /// on it is in the user's own source. Without a `call` it is the function itself.
    fn site_of(
        &self,
        path: &[usize],
        call: Option<&'static str>,
        other: impl FnOnce() -> Site,
    ) -> CallSite {
        // The first address that is not code of the program ends the list of frames.
        let places = path.iter().map(|place| place.wrapping_sub(1));
        let own: Vec<usize> = places.take_while(|place| self.object_of(*place).is_some()).collect();
        let frames = || own.iter().flat_map(|place| self.frames(*place));
        let users = |frame: &Site| frame.line > 0 && is_users_own(frame.file);
        let frame = frames().find(users).unwrap_or_else(other);
        let path = own.iter().filter_map(|place| self.address_in_file(*place)).collect();
        let place = Place::kept(call.unwrap_or(frame.function), frame.function, path);
        CallSite::at(frame.file, frame.line, frame.column.max(1)).of(place)
    }
}

/// The source positions of the libraries that a rank has opened.
#[derive(Default)]
pub(crate) struct OpenedSites {
    all: RefCell<Vec<(usize, Rc<Sites>)>>,
    any: Cell<bool>,
}

impl OpenedSites {
    /// Adds those of a library that starts at address `base`.
    pub(crate) fn add(&self, base: usize, sites: &Rc<Sites>) {
        self.all.borrow_mut().push((base, Rc::clone(sites)));
        self.any.set(true);
    }

    /// Reports whether the rank has opened any library.
    #[inline]
    pub(super) fn any(&self) -> bool {
        self.any.get()
    }

    /// Like [`Sites::object_at`], of the libraries.
    pub(super) fn object_at(&self, address: usize) -> Option<(PathBuf, usize)> {
        let opened = self.all.borrow();
        opened.iter().find_map(|(base, sites)| sites.object_at(*base, address))
    }

    /// Returns the position of the code just before an address, if it is in one of the libraries.
    pub(super) fn find(&self, address: usize) -> Option<Site> {
        let opened = self.all.borrow();
        let (base, sites) = opened.iter().find(|(base, sites)| sites.holds(*base, address))?;
        Some(sites.find(*base, address))
    }
}

/// Returns the calls that led to an MPI call, innermost first. Functions in headers are omitted
/// unless there are no others.
pub fn callers(site: CallSite) -> &'static [Frame] {
    let Some(place) = site.place() else { return &[] };
    place.callers(|| {
        let mut objects: BTreeMap<&str, Object> = BTreeMap::new();
        let mut frames = Vec::new();
        for Address { file, address } in &place.path {
            let object = objects.entry(file).or_insert_with(|| Object::new(file.into(), 0, 0));
            frames.extend(object.frames(*address as usize));
        }
        let own = frames.into_iter().filter(|frame| is_users_own(frame.file));
        let around = own.skip_while(|frame| (frame.file, frame.line) != (site.file, site.line));
        let named = around.skip(1).filter(|frame| frame.line > 0 || !frame.function.is_empty());
        named.map(|Site { file, line, function, .. }| Frame { file, line, function }).collect()
    })
}

impl Object {
    fn new(path: PathBuf, start: usize, end: usize) -> Self {
        Self { path, start, end, loader: RefCell::default(), known: RefCell::default() }
    }

    fn frames(&self, address: usize) -> Vec<Site> {
        if let Some(known) = self.known.borrow().get(&address) {
            return known.clone();
        }
        let frames = errno::keeping(|| self.read(address));
        self.known.borrow_mut().insert(address, frames.clone());
        frames
    }

    fn read(&self, address: usize) -> Vec<Site> {
        let mut loader = self.loader.borrow_mut();
        let loader = loader.get_or_insert_with(|| Loader::new(&self.path).ok());
        let Some(loader) = loader else { return Vec::new() };
        let (mut frames, of_fortran) = with_lines(loader, address).unwrap_or_default();
        let symbol = || loader.find_symbol(address as u64).unwrap_or_default();
        if of_fortran && symbol() == "main" {
            // The compiler has made this function to start the main program, which may be inlined there.
            frames.pop();
            return frames;
        }
        if frames.is_empty() {
            return vec![Site { function: intern(symbol()), ..Site::UNKNOWN }];
        }
        frames
    }
}

/// Reports whether a language of debug information is one that a Fortran compiler names.
pub(crate) fn is_fortran(language: gimli::DwLang) -> bool {
    matches!(
        language,
        gimli::DW_LANG_Fortran77
            | gimli::DW_LANG_Fortran90
            | gimli::DW_LANG_Fortran95
            | gimli::DW_LANG_Fortran03
            | gimli::DW_LANG_Fortran08
            | gimli::DW_LANG_Fortran18
    )
}

/// Returns the name of a function as its source has it, from that in its object. gfortran appends an underscore to the
/// names of external procedures, and flang has marks for the parts of all names.
fn as_written(name: &str, is_of_fortran: bool) -> Cow<'_, str> {
    if !is_of_fortran {
        return name.into();
    }
    // A main program that is called `main` or has no name.
    if name == "MAIN__" {
        return "main".into();
    }
    let of_gfortran = name.strip_prefix("__").and_then(|name| name.split_once("_MOD_"));
    let of_flang = || name.strip_prefix("_QM").and_then(|name| name.split_once('P'));
    match of_gfortran.or_else(of_flang) {
        Some((module, procedure)) => format!("{module}::{procedure}").into(),
        None => {
            let name = name.strip_prefix("_QP").unwrap_or(name);
            name.strip_suffix('_').unwrap_or(name).into()
        }
    }
}

/// Returns the functions at an address, innermost first, and whether the outermost is one of Fortran, if there is debug
/// information.
fn with_lines(loader: &Loader, address: usize) -> Option<(Vec<Site>, bool)> {
    let mut frames = loader.find_frames(address as u64).ok()?;
    let (mut sites, mut of_fortran) = (Vec::new(), false);
    while let Ok(Some(frame)) = frames.next() {
        let language = frame.function.as_ref().and_then(|name| name.language);
        of_fortran = language.is_some_and(is_fortran);
        let function = frame.function.as_ref().and_then(|name| name.demangle().ok());
        let place = frame.location.as_ref();
        let file = intern(place.and_then(|place| place.file).unwrap_or_default());
        let line = place.and_then(|place| place.line).unwrap_or(0);
        let column = place.and_then(|place| place.column).unwrap_or(0);
        let (line, column) = statement::start(file, line).unwrap_or((line, column));
        let function = function.map_or("", |name| intern(&as_written(&name, of_fortran)));
        sites.push(Site { file, line, column, function });
        if sites.len() == INLINED_MAX {
            break;
        }
    }
    Some((sites, of_fortran))
}

#[cfg(test)]
mod tests {
    use super::as_written;

    #[test]
    fn procedures_of_fortran_have_the_names_of_their_sources() {
        for (name, written) in [
            ("MAIN__", "main"),
            ("__work_MOD_outer", "work::outer"),
            ("external_one_", "external_one"),
            ("inner", "inner"),
            ("_QMworkPouter", "work::outer"),
            ("_QPexternal_one", "external_one"),
        ] {
            assert_eq!(as_written(name, true), written);
            assert_eq!(as_written(name, false), name);
        }
    }
}
