//! Reductions of tasks (OpenMP 5.2, section 5.5): each thread has private copies of the variables, in
//! memory of ours that compiled code combines.
//!
//! Compiled code describes reductions by an array of words: the number of variables, the bytes of one
//! thread's copies, their alignment (where we write the address of the memory), three words of no
//! meaning here, the end of the memory (which we write), and for each variable its address, its offset in
//! the copies and one more word.
#![allow(unsafe_code, reason = "reads and writes the descriptions that compiled code passes")]

use std::{cell::RefCell, collections::BTreeMap, ffi::c_void};

use super::{
    block::Block,
    parallel,
    present::{Present, present},
    share::Share,
    task::Group,
    work::barrier,
};
use crate::libc::thread::{self, Why};

/// What some constructs ask for besides their work.
#[derive(Clone, Copy)]
pub(super) struct Extras {
    /// The description of reductions, or null.
    pub(super) reductions: *mut usize,
    /// A variable with a number of bytes, which becomes the address of memory that the threads share,
    /// or null.
    pub(super) memory: *mut usize,
}

impl Extras {
    pub(super) const NONE: Self =
        Self { reductions: std::ptr::null_mut(), memory: std::ptr::null_mut() };
}

/// The memory of the copies of a rank, by address.
#[derive(Default)]
struct Copies(RefCell<BTreeMap<usize, Block>>);

const BYTES: usize = 1;
/// The alignment, later the address of the memory.
const MEMORY: usize = 2;
const END: usize = 6;
/// The first word of the first variable, and the words of each.
const VARIABLES: usize = 7;
const EACH: usize = 3;

/// Reads a word of a description.
fn word(description: usize, index: usize) -> usize {
    // SAFETY: compiled code passes descriptions of that length.
    unsafe { (description as *const usize).add(index).read() }
}

fn set_word(description: usize, index: usize, value: usize) {
    // SAFETY: as in `word`.
    unsafe { (description as *mut usize).add(index).write(value) };
}

/// Allocates the copies of `threads` threads. Returns where they begin and end.
fn allocate(description: usize, threads: u32) -> (usize, usize) {
    let bytes = word(description, BYTES) * threads as usize;
    let block = Block::new(bytes, word(description, MEMORY));
    let start = block.start();
    thread::caller().0.state::<Copies>().0.borrow_mut().insert(start, block);
    place(description, (start, start + bytes));
    (start, start + bytes)
}

fn place(description: usize, (start, end): (usize, usize)) {
    set_word(description, MEMORY, start);
    set_word(description, END, end);
}

fn release(description: usize) {
    let start = word(description, MEMORY);
    thread::caller().0.state::<Copies>().0.borrow_mut().remove(&start);
}

/// Prepares what a worksharing construct asks for besides its work.
pub(super) fn begin_share(here: &Present, (share, first): (&Share, bool), extras: Extras) {
    if !extras.memory.is_null() {
        // SAFETY: compiled code passes a variable with the number of bytes.
        let bytes = unsafe { extras.memory.read() };
        let mut memory = share.memory.borrow_mut();
        let block = memory.get_or_insert_with(|| Block::new(bytes, 64));
        // SAFETY: as above.
        unsafe { extras.memory.write(block.start()) };
    }
    let description = extras.reductions as usize;
    if description == 0 {
        return;
    }
    if first {
        share.copies.set(allocate(description, here.member.team.size));
    } else {
        place(description, share.copies.get());
    }
    here.task.enter_group(Some(description));
}

/// Ends the reductions of a worksharing construct, after one thread has combined the copies.
extern "C-unwind" fn end_share(cancelled: bool) {
    let why = Why::here("the end of a reduction");
    let here = present();
    if cancelled {
        // Other threads may still use the copies, which are kept until the program ends.
        here.task.leave_group();
        return;
    }
    barrier(&here, &why);
    let description = here.task.inner.borrow().as_ref().and_then(|group| {
        let reductions = group.reductions.borrow();
        reductions.first().copied()
    });
    if let (0, Some(description)) = (here.member.number, description) {
        release(description);
    }
    here.task.leave_group();
}

unsafe extern "C-unwind" fn parallel_reductions(
    function: usize,
    data: usize,
    wanted: u32,
    _flags: u32,
) -> u32 {
    // SAFETY: the first word of the data is the address of the description.
    let description = unsafe { (data as *const usize).read() };
    parallel::run((function, data), wanted, |member| {
        if member.number == 0 {
            allocate(description, member.team.size);
            member.team.reductions.set(description);
        }
    })
}

/// Adds reductions to the innermost group of the present task.
pub(super) fn register(here: &Present, description: usize) {
    allocate(description, here.member.team.size);
    if let Some(group) = here.task.inner.borrow().as_ref() {
        group.reductions.borrow_mut().push(description);
    }
}

extern "C-unwind" fn register_in_group(description: usize) {
    register(&present(), description);
}

extern "C-unwind" fn unregister(description: usize) {
    release(description);
}

/// Returns the calling thread's copy of a variable, given the variable or another thread's copy of it,
/// and the variable.
fn own_copy(description: usize, number: u32, address: usize) -> Option<(usize, usize)> {
    let (bytes, start, end) =
        (word(description, BYTES), word(description, MEMORY), word(description, END));
    let variables = (0..word(description, 0)).map(|index| {
        let at = VARIABLES + EACH * index;
        (word(description, at), word(description, at + 1))
    });
    let inside = (start..end).contains(&address);
    let found = if inside {
        let offset = (address - start) % bytes;
        let mut fits = variables.filter(|(_, place)| *place <= offset);
        let nearest = fits.next().map(|first| {
            fits.fold(first, |best, other| if other.1 > best.1 { other } else { best })
        });
        nearest.map(|(variable, place)| (variable + (offset - place), offset))
    } else {
        variables.into_iter().find(|(variable, _)| *variable == address)
    };
    found.map(|(variable, offset)| (start + number as usize * bytes + offset, variable))
}

/// Replaces addresses of variables by those of the calling thread's copies; the first `kept` variables
/// are written behind the copies.
unsafe extern "C-unwind" fn remap(count: usize, kept: usize, addresses: *mut usize) {
    let here = present();
    let groups = here.task.inner.borrow().clone();
    for index in 0..count {
        // SAFETY: compiled code passes as many addresses.
        let address = unsafe { addresses.add(index).read() };
        let found = Group::chain(groups.as_ref()).find_map(|group| {
            let reductions = group.reductions.borrow();
            let all = reductions.iter().rev();
            all.into_iter().find_map(|each| own_copy(*each, here.member.number, address))
        });
        let Some((copy, variable)) = found else { continue };
        // SAFETY: as above.
        unsafe { addresses.add(index).write(copy) };
        if index < kept {
            // SAFETY: as above; behind the copies there is room for `kept` addresses.
            unsafe { addresses.add(count + index).write(variable) };
        }
    }
}

/// Begins a `scope` with reductions.
unsafe extern "C-unwind" fn scope(reductions: *mut c_void) {
    let here = present();
    let (share, first) = here.member.enter(|| super::share::Work::Scope);
    let extras = Extras { reductions: reductions.cast(), ..Extras::NONE };
    begin_share(&here, (&share, first), extras);
}

pub(super) fn waiting() -> Vec<(&'static str, usize)> {
    vec![
        ("GOMP_parallel_reductions", parallel_reductions as *const () as usize),
        ("GOMP_workshare_task_reduction_unregister", end_share as *const () as usize),
    ]
}

pub(super) fn replacements() -> Vec<(&'static str, usize)> {
    vec![
        ("GOMP_taskgroup_reduction_register", register_in_group as *const () as usize),
        ("GOMP_taskgroup_reduction_unregister", unregister as *const () as usize),
        ("GOMP_task_reduction_remap", remap as *const () as usize),
        ("GOMP_scope_start", scope as *const () as usize),
    ]
}
