//! C++ support: exceptions, and the state of the C++ runtime library for each rank.
#![allow(unsafe_code, reason = "speaks with the C++ run-time system of the host")]

use std::{
    cell::RefCell,
    ffi::{CStr, c_char, c_int, c_void},
    ptr,
    sync::atomic::{AtomicUsize, Ordering},
};

use super::{changes::note_change, ending::Ending, rank::Rank};
use crate::{
    loader::symbol::host_symbol,
    replacement::Replacement,
    site::{self, position::Site},
};

/// Exceptions that are being handled: the structure that `__cxa_get_globals` returns.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Exceptions {
    caught: *mut c_void,
    uncaught: u32,
}

impl Default for Exceptions {
    fn default() -> Self {
        Self { caught: ptr::null_mut(), uncaught: 0 }
    }
}

/// Address of `__cxa_get_globals`, once the C++ library is loaded.
static GLOBALS: AtomicUsize = AtomicUsize::new(0);

fn globals() -> Option<*mut Exceptions> {
    let address = GLOBALS.load(Ordering::Relaxed);
    if address == 0 {
        return None;
    }
    // SAFETY: the address is that of this function.
    let get: extern "C" fn() -> *mut Exceptions = unsafe { std::mem::transmute(address) };
    Some(get())
}

/// Reports whether a program that uses the C++ library has run.
#[inline]
pub(super) fn is_there() -> bool {
    GLOBALS.load(Ordering::Relaxed) != 0
}

impl Exceptions {
    pub(super) fn take() -> Self {
        // SAFETY: the thread's own structure.
        globals().map_or_else(Self::default, |globals| unsafe { *globals })
    }

    pub(super) fn put(self) {
        if let Some(globals) = globals() {
            // SAFETY: as above.
            unsafe { *globals = self };
        }
    }
}

/// Reports whether a program that needs these libraries may throw exceptions.
pub(crate) fn present(needed: &[String]) -> bool {
    needed
        .iter()
        .any(|name| ["libstdc++", "libc++", "libgcc_s"].iter().any(|l| name.starts_with(l)))
}

/// Prepares the C++ library after it has been loaded into the process.
pub(super) fn loaded() {
    if let Some(address) = host_symbol("__cxa_get_globals") {
        note_change();
        GLOBALS.store(address, Ordering::Relaxed);
    }
    if let Some(address) = host_symbol("_ZNSt8ios_base4InitC1Ev") {
        // The streams must be initialized before images copy them. This adds one to the count of
        // objects that keep them initialized, which is never taken back.
        // SAFETY: the address is that of the constructor of `std::ios_base::Init`, an empty class.
        let prepare: extern "C" fn(*mut c_void) = unsafe { std::mem::transmute(address) };
        let mut object = [0_u64; 2];
        prepare(object.as_mut_ptr().cast());
    }
    if let Some(address) = host_symbol("_ZSt13set_terminatePFvvE") {
        // SAFETY: the address is that of `std::set_terminate`.
        let set: extern "C" fn(extern "C" fn()) -> usize = unsafe { std::mem::transmute(address) };
        set(terminate);
    }
}

/// Throws again an exception of the program that was caught on its way (`Lent::call`).
pub(super) fn rethrow(exception: usize) {
    let mut own = Exceptions::take();
    own.uncaught += 1;
    own.put();
    // SAFETY: the exception is thrown and not caught; the unwinder comes back if nobody catches it.
    unsafe { raise(exception) };
    if let Some(catch) = host_symbol("__cxa_begin_catch") {
        // SAFETY: the address is that of this function.
        let catch: extern "C" fn(usize) -> usize = unsafe { std::mem::transmute(catch) };
        catch(exception);
    }
    terminate();
}

unsafe extern "C-unwind" {
    #[link_name = "_Unwind_RaiseException"]
    fn raise(exception: usize) -> c_int;
    #[link_name = "_Unwind_Backtrace"]
    fn walk(
        step: unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        found: *mut c_void,
    ) -> c_int;
    #[link_name = "_Unwind_GetIP"]
    fn address(context: *mut c_void) -> usize;
}

/// Ends the rank after an uncaught exception, once the program's own handler has run.
extern "C" fn terminate() {
    let Some(rank) = Rank::current() else { std::process::abort() };
    let ending = || Ending::Uncaught { what: exception(), site: thrown_at() };
    let handler = rank.terminate.replace(0);
    if handler != 0 {
        rank.uncaught.replace(Some(Box::new(ending())));
        // SAFETY: the program has set this function as its handler.
        let handler: extern "C" fn() = unsafe { std::mem::transmute(handler) };
        handler();
    }
    let known = rank.uncaught.borrow_mut().take();
    rank.finish(known.map_or_else(ending, |ending| *ending));
}

/// Implements `std::set_terminate` for a rank.
extern "C" fn set_terminate(handler: usize) -> usize {
    let before = get_terminate();
    if let Some(rank) = Rank::current() {
        rank.terminate.set(handler);
    }
    before
}

extern "C" fn get_terminate() -> usize {
    let own = Rank::current().map_or(0, |rank| rank.terminate.get());
    if own == 0 { terminate as *const () as usize } else { own }
}

unsafe extern "C" fn step(context: *mut c_void, found: *mut c_void) -> c_int {
    // SAFETY: the unwinder passes a frame, and the list that `thrown_at` gave it.
    unsafe { (*found.cast::<Vec<usize>>()).push(address(context)) };
    0
}

/// Returns the innermost source line of the program that is being unwound: where the exception was
/// thrown.
fn thrown_at() -> Site {
    let mut addresses = Vec::new();
    // SAFETY: the frames of this stack are those of the program and of libraries.
    unsafe { walk(step, (&raw mut addresses).cast()) };
    site::innermost_of_program(&addresses)
}

/// Describes the present exception: its type, and its message.
fn exception() -> String {
    let type_of = host_symbol("__cxa_current_exception_type");
    let demangle = host_symbol("__cxa_demangle");
    let (Some(type_of), Some(demangle)) = (type_of, demangle) else { return String::new() };
    // SAFETY: the addresses are those of functions of these types.
    unsafe {
        let type_of: extern "C" fn() -> *const Type = std::mem::transmute(type_of);
        let demangle: extern "C" fn(*const c_char, usize, usize, *mut c_int) -> *mut c_char =
            std::mem::transmute(demangle);
        let thrown = type_of();
        let Some(Type { name: mangled, .. }) = thrown.as_ref() else {
            return "std::terminate was called without one".to_string();
        };
        let mut status = 0;
        let name = demangle(*mangled, 0, 0, &raw mut status);
        let shown = if name.is_null() { *mangled } else { name };
        let text = CStr::from_ptr(shown).to_string_lossy().into_owned();
        libc::free(name.cast());
        match says(thrown) {
            Some(says) => format!("{text}: {says}"),
            None => text,
        }
    }
}

/// The layout of `std::type_info` (Itanium C++ ABI 2.9).
#[repr(C)]
struct Type {
    table: *const TypeTable,
    name: *const c_char,
}

/// The virtual functions of `std::type_info` in libstdc++.
#[repr(C)]
struct TypeTable {
    destructors: [usize; 2],
    kinds: [usize; 2],
    /// Reports whether a handler for this type catches an exception of another type; adjusts the
    /// address of the object to its part of this type.
    catches: unsafe extern "C" fn(*const Type, *const Type, *mut *const Says, u32) -> bool,
}

/// An object derived from `std::exception`.
#[repr(C)]
struct Says {
    table: *const SaysTable,
}

#[repr(C)]
struct SaysTable {
    destructors: [usize; 2],
    what: unsafe extern "C" fn(*const Says) -> *const c_char,
}

/// Returns the message of the present exception: of an object derived from `std::exception`, or a
/// string.
///
/// # Safety
/// `thrown` must be the type of the present exception.
unsafe fn says(thrown: *const Type) -> Option<String> {
    let current = host_symbol("_ZSt17current_exceptionv")?;
    // SAFETY: the address is that of a function that returns an object, which holds the address of the
    // exception, in the place it is given. The object is never destroyed: the program ends here.
    let object = unsafe {
        let current: extern "C" fn(*mut *const Says) -> usize = std::mem::transmute(current);
        let mut object = ptr::null();
        current(&raw mut object);
        object
    };
    if object.is_null() {
        return None;
    }
    // SAFETY: guaranteed by the caller.
    if unsafe { CStr::from_ptr((*thrown).name) } == c"PKc" {
        // SAFETY: the object is a pointer to a text, as its type says.
        let text = unsafe { CStr::from_ptr(*object.cast::<*const c_char>()) };
        return Some(text.to_string_lossy().into_owned());
    }
    let base = host_symbol("_ZTISt9exception")? as *const Type;
    let mut part = object;
    // SAFETY: both are types of the run-time library, and the object is of the second one. If the
    // first catches it, it is an object with the function `what`.
    unsafe {
        if !((*(*base).table).catches)(base, thrown, &raw mut part, 1) {
            return None;
        }
        let text = ((*(*part).table).what)(part);
        Some(CStr::from_ptr(text).to_string_lossy().into_owned())
    }
}

/// Size in words of `stdio_sync_filebuf`, the buffer through which `std::cin` reads a C stream.
const BUFFER_WORDS: usize = 10;
/// Index of the word that holds the stream.
const BUFFER_STREAM: usize = 8;
/// Offset of the address of its buffer in `std::cin`, bytes.
const BUFFER_PLACE: usize = 248;
/// Maximum distance between the library's own variables, bytes.
const LIBRARY_DATA: usize = 1 << 20;

/// A rank's own copy of the buffer of `std::cin`.
pub(crate) type InputBuffer = RefCell<Option<Box<[usize; BUFFER_WORDS]>>>;

/// Makes `std::cin` of a rank read from a stream of its own. The library has one buffer, which
/// reads the input of the process.
pub(super) fn read_from(rank: &Rank, file: usize) {
    // Programs in C have no such object. Looking symbols up would cost each rank a page of its stack.
    if rank.c_variables.cin == 0 {
        return;
    }
    let (Some(host), Some(process)) = (host_symbol("_ZSt3cin"), host_symbol("_IO_2_1_stdin_"))
    else {
        return;
    };
    // SAFETY: the library's object is larger than that; what it points to is looked at if it lies
    // beside it, in the library's variables.
    let buffer = unsafe {
        let address = *((host + BUFFER_PLACE) as *const usize);
        if address.abs_diff(host) > LIBRARY_DATA || !address.is_multiple_of(8) {
            return;
        }
        *(address as *const [usize; BUFFER_WORDS])
    };
    if buffer[BUFFER_STREAM] != process {
        return;
    }
    let mut own = rank.state::<InputBuffer>().borrow_mut();
    let own = own.get_or_insert_with(|| Box::new(buffer));
    own[BUFFER_STREAM] = file;
    // SAFETY: the rank's copy of the object, which is as large.
    unsafe { *((rank.c_variables.cin + BUFFER_PLACE) as *mut usize) = own.as_ptr() as usize };
}

/// Registers the unwind information of functions in an image.
pub(crate) fn register_frames(table: usize) {
    frames("__register_frame", table);
}

/// Reverts `register_frames`.
pub(crate) fn forget_frames(table: usize) {
    frames("__deregister_frame", table);
}

fn frames(function: &str, table: usize) {
    if let Some(address) = host_symbol(function) {
        // SAFETY: both functions take the address of a table that ends in a zero word.
        let function: extern "C" fn(usize) = unsafe { std::mem::transmute(address) };
        function(table);
    }
}

/// Implements `std::ios_base::sync_with_stdio`: the streams of all ranks stay synchronised with
/// those of C, of which the library has one set. Returns true: they were synchronised before.
extern "C" fn sync_with_stdio(_sync: bool) -> bool {
    true
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("_ZSt9terminatev", terminate as *const () as usize),
        ("_ZSt13set_terminatePFvvE", set_terminate as *const () as usize),
        ("_ZSt13get_terminatev", get_terminate as *const () as usize),
        ("_ZNSt8ios_base15sync_with_stdioEb", sync_with_stdio as *const () as usize),
    ]
}
