//! The memory that a program passes by address: the one place where arguments of calls are read and
//! written, apart from buffers of messages (`function/transfer.rs`) and the hot path
//! (`function/short.rs`).
//!
//! # Contract
//!
//! The functions here are safe to call only with addresses that are arguments of the running call,
//! and with the types that the standard gives these arguments: then the program vouches for them, as
//! it does to any MPI library. That is why they are private to the crate. A null address is an error
//! of the program and is reported as such.
#![allow(unsafe_code, reason = "the one door to memory that programs pass by address")]

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    ffi::{CStr, c_char, c_void},
    ops::Range,
    ptr, slice,
};

use mpi_api::{call::Site, window_memory::WindowMemory};

use crate::{
    constant::{Handle, class},
    purpose::Purpose,
    state::fault::{Fault, Mpi},
};

/// An argument of a call that is read or written, other than a buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Looked {
    pub(crate) address: usize,
    /// Number of elements; 1 unless it is an array.
    pub(crate) count: usize,
    /// Size of an element in bytes.
    pub(crate) size: usize,
    /// What the call uses it for.
    pub(crate) purpose: Purpose,
    /// What it has to have room for, if it is for a text.
    pub(crate) room: Option<Room>,
}

/// The room of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// The constant of the standard that says how long the array has to be.
    pub(crate) constant: &'static str,
    /// Number of bytes that the call writes this time.
    pub(crate) written: usize,
}

/// What looks at arguments before they are read or written.
pub(crate) type Look = fn(Looked);

thread_local! {
    static LOOK: Cell<Option<Look>> = const { Cell::new(None) };
}

/// Sets what looks at arguments from now on.
pub(crate) fn look_with(look: Option<Look>) {
    LOOK.set(look);
}

/// Has an array argument looked at, in runs that compare arguments with the program's objects. What follows does that
/// itself; it is called for arrays whose elements are read or written one by one.
#[inline(always)]
pub(crate) fn look<T>(place: *const T, count: usize, purpose: Purpose) {
    if let Some(look) = LOOK.get() {
        let (address, size) = (place as usize, size_of::<T>());
        look(Looked { address, count, size, purpose, room: None });
    }
}

/// Has the place of a text looked at, which is to be as long as a constant of the standard says.
/// So many bytes are `written`.
pub(crate) fn look_at_room(
    place: *const c_char,
    (constant, count): (&'static str, usize),
    written: usize,
) {
    if let Some(look) = LOOK.get() {
        let (address, room) = (place as usize, Some(Room { constant, written }));
        look(Looked { address, count, size: 1, purpose: Purpose::Write, room });
    }
}

/// Checks that a call that starts an operation has a pointer for its handle; called before the
/// operation starts.
///
/// # Errors
/// Returns an error if the pointer is null.
pub(crate) fn wanted<T>(place: *mut T) -> Mpi {
    if place.is_null() {
        return Err(Fault::new(class::ARG, "a result pointer is null"));
    }
    Ok(())
}

/// Writes a result through a pointer of the program.
///
/// # Errors
/// Returns an error if the pointer is null.
pub(crate) fn put<T>(place: *mut T, value: T) -> Mpi {
    wanted(place)?;
    look(place, 1, Purpose::Write);
    // SAFETY: the standard has the program pass the address of a variable of this type.
    unsafe { place.write(value) };
    Ok(())
}

/// Writes one element of an array.
///
/// # Errors
/// Returns an error if the pointer is null.
pub(crate) fn put_in<T>(array: *mut T, index: usize, value: T) -> Mpi {
    wanted(array)?;
    put_at(array, index, value);
    Ok(())
}

/// Writes one element of an array that the program may leave out by passing null.
pub(crate) fn put_at<T>(array: *mut T, index: usize, value: T) {
    if !array.is_null() {
        look(array, index + 1, Purpose::Write);
        // SAFETY: the program passes an array with an element of that index.
        unsafe { array.add(index).write(value) };
    }
}

/// Replaces a variable that the program may leave out by passing null.
pub(crate) fn change<T: Copy>(place: *mut T, change: impl FnOnce(T) -> T) {
    if !place.is_null() {
        look(place, 1, Purpose::Write);
        // SAFETY: the standard has the program pass the address of a variable of this type.
        unsafe { place.write(change(place.read())) };
    }
}

/// Reads a variable of the program; `what` names it in the error.
///
/// # Errors
/// Returns an error if the pointer is null.
pub(crate) fn get<T: Copy>(place: *const T, what: &str) -> Mpi<T> {
    if place.is_null() {
        return Err(Fault::new(class::ARG, format!("{what} is null")));
    }
    look(place, 1, Purpose::Read);
    // SAFETY: the standard has the program pass the address of a variable of this type.
    Ok(unsafe { place.read() })
}

/// Reads a variable or constant of Fortran, which need not be aligned.
pub(crate) fn read<T: Copy>(place: *const T) -> T {
    look(place, 1, Purpose::Read);
    read_made(place)
}

/// Reads what the compiler has made for the call, such as a descriptor of Fortran. It is as long as it has to be, and may
/// lie where a variable of a block lies at other times.
pub(crate) fn read_made<T: Copy>(place: *const T) -> T {
    // SAFETY: Fortran passes the address of a value of the declared type.
    unsafe { place.read_unaligned() }
}

/// Writes a variable of Fortran, which need not be aligned.
pub(crate) fn write<T>(place: *mut T, value: T) {
    look(place, 1, Purpose::Write);
    // SAFETY: as in `read`, and the procedure defines this argument.
    unsafe { place.write_unaligned(value) };
}

/// Returns an array argument as a slice.
///
/// # Errors
/// Returns an error if the pointer is null though the length is not 0, or the length is negative.
pub(crate) fn array<'a, T>(place: *const T, length: i64) -> Mpi<&'a [T]> {
    if length == 0 {
        return Ok(&[]);
    }
    if length < 0 {
        return Err(Fault::new(class::ARG, format!("an array of {length} elements")));
    }
    if place.is_null() {
        return Err(Fault::new(class::ARG, "an array argument is null"));
    }
    look(place, length as usize, Purpose::Read);
    // SAFETY: the standard has the program pass an array of that length.
    Ok(unsafe { slice::from_raw_parts(place, length as usize) })
}

/// Returns bytes of a buffer, whose length the caller has checked.
pub(crate) fn bytes<'a>(buffer: *const c_void, at: &Range<usize>) -> &'a [u8] {
    if at.is_empty() {
        return &[];
    }
    // SAFETY: the program says that its buffer is that long.
    unsafe { slice::from_raw_parts(buffer.cast::<u8>().wrapping_add(at.start), at.len()) }
}

/// Writes bytes into a buffer from byte `at` on; the caller has checked that it is that long.
pub(crate) fn fill(buffer: *mut c_void, at: usize, bytes: &[u8]) {
    let target = buffer.cast::<u8>().wrapping_add(at);
    // SAFETY: as in `bytes`. The bytes may be those of the same buffer.
    unsafe { ptr::copy(bytes.as_ptr(), target, bytes.len()) };
}

/// Reads a string argument.
///
/// # Errors
/// Returns an error if the pointer is null.
pub(crate) fn text(place: *const c_char) -> Mpi<String> {
    if place.is_null() {
        return Err(Fault::new(class::ARG, "a string argument is null"));
    }
    // SAFETY: the program passes a NUL-terminated string.
    Ok(unsafe { CStr::from_ptr(place) }.to_string_lossy().into_owned())
}

/// Reads strings up to a null pointer; none if the array itself is null.
///
/// # Errors
/// Does not fail in practice: no string before the end is null.
pub(crate) fn texts(mut next: *const *const c_char) -> Mpi<Vec<String>> {
    let mut list = Vec::new();
    // SAFETY: the program passes null, or an array that ends in a null pointer.
    while let Some(found) = unsafe { next.as_ref() }.filter(|found| !found.is_null()) {
        list.push(text(*found)?);
        next = next.wrapping_add(1);
    }
    Ok(list)
}

/// The memory of programs, by address: the memory of windows. The ranks of a run share one address
/// space.
#[derive(Default)]
pub(crate) struct AddressSpace {
    /// First byte and end of pages that the system had when it was last asked.
    known: Cell<(i64, i64)>,
}

/// The size of a page.
const PAGE: i64 = 4096;

/// Most pages that the system is asked about at a time.
const PAGES_MAX: i64 = 1 << 16;

/// Reports whether the system has these pages: the first byte is that of a page.
fn are_mapped(mut first: i64, end: i64) -> bool {
    while first < end {
        let length = (end - first).min(PAGES_MAX * PAGE);
        let mut states = vec![0; (length / PAGE + 1) as usize];
        // SAFETY: the call writes a byte for each page of the range, and accesses none of the pages.
        let code = unsafe {
            libc::mincore(first as usize as *mut c_void, length as usize, states.as_mut_ptr())
        };
        if code != 0 {
            return false;
        }
        first += length;
    }
    true
}

impl WindowMemory for AddressSpace {
    fn is_there(&self, first: i64, end: i64) -> bool {
        let (low, high) = self.known.get();
        if low <= first && end <= high {
            return true;
        }
        let low = first / PAGE * PAGE;
        let mapped = low >= PAGE && are_mapped(low, end);
        if mapped {
            self.known.set((low, end));
        }
        mapped
    }

    fn read(&self, at: i64, into: &mut [u8]) {
        // SAFETY: the kernel accesses only bytes that are there, inside windows that the program has
        // created and not freed, and no rank runs meanwhile.
        unsafe { ptr::copy(at as usize as *const u8, into.as_mut_ptr(), into.len()) };
    }

    fn write(&self, at: i64, bytes: &[u8]) {
        // SAFETY: as in `read`.
        unsafe { ptr::copy(bytes.as_ptr(), at as usize as *mut u8, bytes.len()) };
    }
}

/// Returns memory of the C library, which programs return by [`release`]; null if there is none. The alignment is
/// a power of two of at least the size of a pointer.
pub(crate) fn allocate(bytes: usize, alignment: usize) -> *mut c_void {
    // SAFETY: `memalign` accepts any size and such an alignment.
    let start = unsafe { libc::memalign(alignment, bytes.max(1)) };
    guest::memory::allocated(start, bytes);
    guest::memory::give(start);
    start
}

/// Frees memory that [`allocate`] has returned; null is ignored.
pub(crate) fn release(memory: *mut c_void) {
    guest::memory::take_given(memory);
    // SAFETY: the memory comes from `allocate`, or the pointer is null.
    unsafe { guest::memory::free(memory) };
}

/// The memory of windows, in pages of its own, so that the system strikes an access after the window has been freed.
#[derive(Default)]
struct Pages {
    /// Lengths, by address, of what windows use.
    used: BTreeMap<usize, usize>,
    /// What windows have used, by address, with the length and the rank and place that freed it.
    freed: BTreeMap<usize, (usize, u32, Site)>,
}

impl Pages {
    /// Most pieces of freed memory that are kept from further use.
    const FREED_MAX: usize = 1 << 14;
}

impl Drop for Pages {
    fn drop(&mut self) {
        let freed = self.freed.iter().map(|(start, (length, ..))| (*start, *length));
        for (start, length) in
            self.used.iter().map(|(start, length)| (*start, *length)).chain(freed)
        {
            // SAFETY: it was mapped here, and the run that used it is over.
            unsafe { libc::munmap(start as *mut c_void, length) };
        }
    }
}

thread_local! {
    static PAGES: RefCell<Pages> = RefCell::default();
}

/// Returns memory for a window, aligned to a page; null if there is none.
pub(crate) fn allocate_pages(bytes: usize) -> *mut c_void {
    let length = bytes.max(1).next_multiple_of(PAGE as usize);
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a new mapping at an address of the system's choice.
    let start = unsafe { libc::mmap(ptr::null_mut(), length, access, flags, -1, 0) };
    if start == libc::MAP_FAILED {
        return ptr::null_mut();
    }
    PAGES.with_borrow_mut(|pages| pages.used.insert(start as usize, length));
    guest::memory::lent(start, bytes);
    start
}

/// Frees memory that [`allocate_pages`] has returned, with a window that a rank frees at this place.
pub(crate) fn release_pages(memory: *mut c_void, (rank, site): (u32, Site)) {
    PAGES.with_borrow_mut(|pages| {
        let start = memory as usize;
        let Some(length) = pages.used.remove(&start) else { return };
        guest::memory::taken_back(memory);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED;
        // SAFETY: it was mapped here, and is replaced by pages without memory that nobody may access.
        unsafe { libc::mmap(memory, length, libc::PROT_NONE, flags, -1, 0) };
        pages.freed.insert(start, (length, rank, site));
        if pages.freed.len() > Pages::FREED_MAX
            && let Some((given_up, (length, ..))) = pages.freed.pop_first()
        {
            // SAFETY: as above.
            unsafe { libc::munmap(given_up as *mut c_void, length) };
        }
    });
}

/// Returns the rank and the place that freed the window to which an address belonged.
pub(crate) fn freed_window(address: usize) -> Option<(u32, Site)> {
    PAGES.with_borrow(|pages| {
        let (start, (length, rank, site)) = pages.freed.range(..=address).next_back()?;
        (address - start < *length).then_some((*rank, *site))
    })
}

/// Unmaps the memory of all windows, at the end of a run.
pub(crate) fn forget_pages() {
    PAGES.take();
}

/// Reads a handle variable of the program.
pub(crate) fn peek(place: *const Handle) -> Mpi<Handle> {
    get(place, "the address of a handle")
}
