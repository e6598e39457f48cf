//! Libraries opened by a running program, and symbol lookup in them: `dlopen` and related
//! functions.
#![allow(unsafe_code, reason = "is called by programs and calls functions of their libraries")]

use std::{
    cell::{OnceCell, RefCell},
    ffi::{CStr, CString, c_char, c_int, c_void},
    path::PathBuf,
    ptr,
    rc::Rc,
    sync::Arc,
};

use super::{process, rank::Rank};
use crate::{
    loader::{
        plugin::{Opener, Plugin, file_of},
        program::Program,
    },
    replacement::Replacement,
    site,
};

/// The libraries that a rank has opened, and its `dlerror` state.
#[derive(Default)]
struct Dynamic {
    /// The program that the rank runs.
    program: OnceCell<Arc<Program>>,
    opened: RefCell<Vec<Rc<Plugin>>>,
    /// The last error that `dlerror` has not returned yet.
    error: RefCell<Option<CString>>,
    /// The error that `dlerror` returned last, which the program may still read.
    told: RefCell<Option<CString>>,
    /// Names of files returned to the program, which must stay valid.
    names: RefCell<Vec<CString>>,
}

impl Dynamic {
    /// Returns the library that contains an address.
    fn at(&self, address: usize) -> Option<Rc<Plugin>> {
        self.opened.borrow().iter().find(|plugin| plugin.holds(address)).cloned()
    }

    fn keep(&self, text: String) -> *const c_char {
        let text = CString::new(text).unwrap_or_default();
        let address = text.as_ptr();
        self.names.borrow_mut().push(text);
        address
    }
}

/// The address of this variable is the handle of the program itself.
static PROGRAM: u8 = 0;

fn program_handle() -> usize {
    &raw const PROGRAM as usize
}

fn dynamic(rank: &Rank) -> &Dynamic {
    rank.state()
}

/// Sets the program that a rank runs.
pub(crate) fn begin_rank(rank: &Rank, program: &Arc<Program>) {
    dynamic(rank).program.get_or_init(|| Arc::clone(program));
}

/// Returns the program that a rank runs.
///
/// # Panics
/// Panics if its image has not been created yet.
fn program(rank: &Rank) -> &Program {
    dynamic(rank).program.get().expect("a rank that runs has its program")
}

fn fails(what: String) -> usize {
    dynamic(Rank::running()).error.replace(Some(CString::new(what).unwrap_or_default()));
    0
}

/// Returns the host library's description of its last error.
fn host_error() -> String {
    // SAFETY: it returns a C string or null.
    unsafe {
        let text = libc::dlerror();
        if text.is_null() {
            String::new()
        } else {
            CStr::from_ptr(text).to_string_lossy().into_owned()
        }
    }
}

fn text(text: *const c_char) -> String {
    // SAFETY: the program passes C strings.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

unsafe extern "C-unwind" fn dlopen(name: *const c_char, flags: c_int) -> usize {
    if name.is_null() {
        return program_handle();
    }
    let (rank, name) = (Rank::running(), text(name));
    let Some(path) = file_of(program(rank), &name) else { return open_on_host(&name, flags) };
    let path = path.canonicalize().unwrap_or(path);
    if let Some(handle) = program(rank).handle_of(&path) {
        return handle;
    }
    let known = dynamic(rank).opened.borrow().iter().find(|plugin| plugin.is_in(&path)).cloned();
    let plugin = match known {
        Some(plugin) => plugin,
        None if flags & libc::RTLD_NOLOAD != 0 => return 0,
        None => match load(rank, path) {
            Ok(plugin) => plugin,
            Err(why) => return fails(why),
        },
    };
    plugin.opened.set(plugin.opened.get() + 1);
    plugin.global.set(plugin.global.get() || flags & libc::RTLD_GLOBAL != 0);
    Rc::as_ptr(&plugin) as usize
}

fn open_on_host(name: &str, flags: c_int) -> usize {
    let Ok(name) = CString::new(name) else { return fails("a name holds a zero".to_string()) };
    // SAFETY: the name is a C string; constructors of system libraries are trusted code of the
    // host.
    let handle = unsafe { libc::dlopen(name.as_ptr(), flags) } as usize;
    if handle == 0 { fails(host_error()) } else { handle }
}

/// Opens a library and its dependencies, and runs their initialisers.
fn load(rank: &Rank, path: PathBuf) -> Result<Rc<Plugin>, String> {
    let made = {
        let opened = dynamic(rank).opened.borrow();
        let opener = Opener { program: program(rank), base: rank.base(), opened: &opened };
        Plugin::open(&opener, &path)?
    };
    dynamic(rank).opened.borrow_mut().extend(made.iter().cloned());
    made.iter().for_each(|plugin| plugin.show_sites(&rank.opened));
    type Initialiser = unsafe extern "C-unwind" fn(c_int, *const usize, *const usize);
    let nothing = [0_usize; 2];
    for plugin in &made {
        for address in plugin.initialisers() {
            // SAFETY: the library's dynamic section lists it.
            let function: Initialiser = unsafe { std::mem::transmute(address) };
            // SAFETY: initialisers take the arguments of `main`; here there are none.
            unsafe { function(0, nothing.as_ptr(), nothing.as_ptr()) };
        }
        process::add_finalisers(rank, plugin.finalisers());
    }
    made.last().cloned().ok_or_else(|| "there is no library".to_string())
}

fn plugin_of(rank: &Rank, handle: usize) -> Option<Rc<Plugin>> {
    let opened = dynamic(rank).opened.borrow();
    opened.iter().find(|plugin| Rc::as_ptr(plugin) as usize == handle).cloned()
}

/// Looks up a symbol in the global scope, from object `first` of the program on.
fn visible(rank: &Rank, name: &str, first: usize) -> Option<usize> {
    let program = program(rank);
    let opened = dynamic(rank).opened.borrow().clone();
    let globals = opened.iter().filter(|plugin| plugin.global.get());
    (program.address_of(rank.base(), name, first))
        .or_else(|| globals.into_iter().find_map(|plugin| plugin.symbol(name)))
        .or_else(|| program.offered(name))
}

/// Looks up a symbol in the objects after the caller's (`RTLD_NEXT`).
fn next(rank: &Rank, name: &str) -> Option<usize> {
    let program = program(rank);
    let place = site::return_address().wrapping_sub(rank.base());
    match program.object_at(place) {
        Some((object, ..)) => visible(rank, name, object + 1),
        None => program.offered(name),
    }
}

unsafe extern "C" fn dlsym(handle: usize, name: *const c_char) -> usize {
    let (rank, text) = (Rank::running(), text(name));
    let found = match handle {
        _ if handle == libc::RTLD_DEFAULT as usize || handle == program_handle() => {
            visible(rank, &text, 0)
        }
        _ if handle == libc::RTLD_NEXT as usize => next(rank, &text),
        _ => match (plugin_of(rank, handle), program(rank).object_of(handle)) {
            (Some(plugin), _) => plugin.symbol(&text),
            // The libraries that an object needs come after it.
            (None, Some(object)) => program(rank).address_of(rank.base(), &text, object),
            // SAFETY: the handle is one of the host's, and the name a C string.
            (None, None) => match unsafe { libc::dlsym(handle as *mut c_void, name) } as usize {
                0 => None,
                address => program(rank).replacement(&text).or(Some(address)),
            },
        },
    };
    found.unwrap_or_else(|| fails(format!("undefined symbol: {text}")))
}

/// Implements `dlvsym`: the version is ignored, and the default one is returned.
unsafe extern "C" fn dlvsym(handle: usize, name: *const c_char, _version: *const c_char) -> usize {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { dlsym(handle, name) }
}

/// Implements `dlclose`: libraries stay in memory until the program ends, when their finalisers
/// run.
extern "C" fn dlclose(handle: usize) -> c_int {
    let rank = Rank::running();
    if handle == program_handle() || program(rank).object_of(handle).is_some() {
        return 0;
    }
    let Some(plugin) = plugin_of(rank, handle) else {
        // SAFETY: the handle is one of the host's.
        return unsafe { libc::dlclose(handle as *mut c_void) };
    };
    match plugin.opened.get().checked_sub(1) {
        Some(left) => {
            plugin.opened.set(left);
            0
        }
        None => {
            fails("the library is not open".to_string());
            -1
        }
    }
}

extern "C" fn dlerror() -> *const c_char {
    let dynamic = dynamic(Rank::running());
    let error = dynamic.error.borrow_mut().take();
    dynamic.told.replace(error);
    dynamic.told.borrow().as_ref().map_or(ptr::null(), |text| text.as_ptr())
}

/// The result of `dladdr` for an address of a program.
pub(super) struct About {
    /// File of the object.
    pub(super) path: PathBuf,
    /// Start of the object in memory.
    pub(super) start: usize,
    /// The symbol that contains the address, and its start.
    pub(super) name: Option<(String, usize)>,
}

/// Describes an address, if it is in the rank's program or in a library that it has opened.
pub(super) fn about(rank: &Rank, address: usize) -> Option<About> {
    let (program, base) = (program(rank), rank.base());
    if let Some((object, path, start)) = program.object_at(address.wrapping_sub(base)) {
        let named = program.name_at(object, address - base - start);
        let name = named.map(|(name, at)| (name.to_string(), base + start + at));
        return Some(About { path: path.to_path_buf(), start: base + start, name });
    }
    let plugin = dynamic(rank).at(address)?;
    let (path, start, named) = plugin.about(address);
    let name = named.map(|(name, at)| (name.to_string(), at));
    Some(About { path: path.to_path_buf(), start, name })
}

unsafe extern "C" fn dladdr(address: usize, place: *mut libc::Dl_info) -> c_int {
    let rank = Rank::running();
    let Some(About { path, start, name }) = about(rank, address) else {
        // SAFETY: the arguments are passed on unchanged.
        return unsafe { libc::dladdr(address as *const c_void, place) };
    };
    let (name, at) = name.map_or((ptr::null(), 0), |(name, at)| (dynamic(rank).keep(name), at));
    let info = libc::Dl_info {
        dli_fname: dynamic(rank).keep(path.display().to_string()),
        dli_fbase: start as *mut c_void,
        dli_sname: name,
        dli_saddr: at as *mut c_void,
    };
    // SAFETY: the program passes a structure.
    unsafe { place.write(info) };
    1
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("dlvsym", dlvsym as *const () as usize),
        ("dlclose", dlclose as *const () as usize),
        ("dlerror", dlerror as *const () as usize),
        ("dladdr", dladdr as *const () as usize),
    ]
}

/// Returns the functions that need the place of their caller, for `RTLD_NEXT`.
pub(super) fn waiting() -> Vec<Replacement> {
    vec![("dlopen", dlopen as *const () as usize), ("dlsym", dlsym as *const () as usize)]
}
