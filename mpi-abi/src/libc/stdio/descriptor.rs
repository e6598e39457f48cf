//! The descriptors of a rank. Descriptors 0 to 2 are its own: each leads to a standard stream of the
//! rank, to a file, or nowhere. All others are those of the process; a rank closes those that it has
//! opened, or nobody has.
#![allow(unsafe_code, reason = "calls the system for programs")]

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
    ffi::c_int,
};

use super::{kept, own_input, renew_input};
use crate::libc::{Rank, rank::Stream};

/// Where a descriptor of a rank leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// To a standard stream that the rank began with: 0, 1 or 2.
    Standard(c_int),
    /// To a descriptor of the process.
    File(c_int),
    /// Nowhere.
    Closed,
}

/// The descriptors of a rank that are not simply those of the process.
pub(crate) struct Descriptors {
    slots: Cell<[Target; 3]>,
    /// Descriptors of the process that stand for a standard stream of the rank: copies by `dup`.
    copies: RefCell<BTreeMap<c_int, c_int>>,
}

impl Default for Descriptors {
    fn default() -> Self {
        let slots = [0, 1, 2].map(Target::Standard);
        Self { slots: Cell::new(slots), copies: RefCell::default() }
    }
}

/// Who has opened what.
#[derive(Default)]
struct Owners {
    /// Open before the ranks began: the simulator's.
    simulator: BTreeSet<c_int>,
    /// The rank that opened a descriptor.
    ranks: BTreeMap<c_int, u32>,
}

thread_local! {
    static OWNERS: RefCell<Owners> = RefCell::default();
}

/// A simulation begins: what is open now is the simulator's.
pub(crate) fn begin() {
    let simulator = open_now().collect();
    OWNERS.set(Owners { simulator, ranks: BTreeMap::new() });
}

/// All descriptors of the process from 3 on.
pub(super) fn open_now() -> impl Iterator<Item = c_int> {
    let entries = std::fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let numbers: Vec<c_int> = numbers.filter(|number| *number > 2).collect();
    // SAFETY: a call of the system with numbers only. The list itself was read through one that is
    // closed by now.
    numbers.into_iter().filter(|number| unsafe { libc::fcntl(*number, libc::F_GETFD) } >= 0)
}

/// Sets `errno` and answers what a failed call does.
pub(super) fn fail(error: c_int) -> c_int {
    // SAFETY: the thread's own variable.
    unsafe { *libc::__errno_location() = error };
    -1
}

/// Notes that the present rank has opened a descriptor of the process.
pub(super) fn adopt(descriptor: c_int) {
    if let (Some(rank), true) = (Rank::current(), descriptor >= 0) {
        OWNERS.with_borrow_mut(|owners| owners.ranks.insert(descriptor, rank.number()));
    }
}

/// A descriptor of the process is about to be closed.
pub(super) fn forget(descriptor: c_int) {
    OWNERS.with_borrow_mut(|owners| owners.ranks.remove(&descriptor));
}

/// Whether the present rank may close a descriptor of the process.
pub(super) fn is_own(rank: &Rank, descriptor: c_int) -> bool {
    OWNERS.with_borrow(|owners| match owners.ranks.get(&descriptor) {
        Some(owner) => *owner == rank.number(),
        None => !owners.simulator.contains(&descriptor),
    })
}

/// Notes a descriptor that the system has just opened, and gives it the number that the program is
/// told: the lowest one that it has free.
pub(super) fn opened(descriptor: c_int) -> c_int {
    let Some(rank) = Rank::current().filter(|_| descriptor >= 0) else { return descriptor };
    adopt(descriptor);
    match rank.descriptors.lowest_closed() {
        Some(number) => {
            rank.descriptors.lead_to_file(number, descriptor);
            if number == libc::STDIN_FILENO {
                renew_input(rank);
            }
            number
        }
        None => descriptor,
    }
}

/// The number by which the program knows a descriptor of the process.
pub(super) fn shown(descriptor: c_int) -> c_int {
    let slots = Rank::current().map(|rank| rank.descriptors.slots.get());
    let slot = slots.and_then(|slots| slots.iter().position(|to| *to == Target::File(descriptor)));
    slot.map_or(descriptor, |slot| slot as c_int)
}

/// A rank has ended: what it had open is closed, but for what streams of the library use.
pub(super) fn end_rank(rank: &Rank) {
    for target in rank.descriptors.slots.get() {
        if let Target::File(descriptor) = target {
            forget(descriptor);
            // SAFETY: the descriptor was the rank's.
            unsafe { libc::close(descriptor) };
        }
    }
    for copy in rank.descriptors.copies.take().into_keys() {
        forget(copy);
        // SAFETY: as above.
        unsafe { libc::close(copy) };
    }
}

impl Descriptors {
    /// Where a descriptor leads.
    pub(super) fn target(&self, descriptor: c_int) -> Target {
        match self.slots.get().get(descriptor as usize) {
            Some(target) => *target,
            None => match self.copies.borrow().get(&descriptor) {
                Some(stream) => Target::Standard(*stream),
                None => Target::File(descriptor),
            },
        }
    }

    /// Whether the program and the system mean the same by a number.
    pub(super) fn is_the_systems(&self, descriptor: c_int) -> bool {
        self.target(descriptor) == Target::File(descriptor)
    }

    /// Whether it leads nowhere, as far as is known here.
    pub(super) fn is_closed(&self, descriptor: c_int) -> bool {
        self.target(descriptor) == Target::Closed
    }

    pub(super) fn lowest_closed(&self) -> Option<c_int> {
        let slots = self.slots.get();
        slots.iter().position(|target| *target == Target::Closed).map(|slot| slot as c_int)
    }

    /// Sets where one of 0 to 2 leads.
    pub(super) fn lead(&self, number: c_int, target: Target) {
        let mut slots = self.slots.get();
        slots[number as usize] = target;
        self.slots.set(slots);
    }

    /// Has one of the rank's descriptors lead to a file that was just opened.
    pub(super) fn lead_to_file(&self, number: c_int, file: c_int) {
        adopt(file);
        if number < 3 {
            self.lead(number, Target::File(file));
        }
    }

    /// Notes a copy of a standard stream.
    pub(super) fn add_copy(&self, descriptor: c_int, stream: c_int) {
        self.copies.borrow_mut().insert(descriptor, stream);
    }

    /// Forgets a copy of a standard stream.
    pub(super) fn remove_copy(&self, descriptor: c_int) {
        self.copies.borrow_mut().remove(&descriptor);
    }
}

/// The descriptor of the process that answers questions about a rank's one, such as its size.
pub(super) fn of_process(rank: &Rank, descriptor: c_int) -> c_int {
    match rank.descriptors.target(descriptor) {
        Target::File(file) => file,
        Target::Closed => -1,
        Target::Standard(libc::STDIN_FILENO) if rank.number() == 0 => super::input_descriptor(),
        Target::Standard(libc::STDIN_FILENO) => super::nothing_descriptor(),
        Target::Standard(number) => kept::descriptor(number),
    }
}

/// The stream that a rank's descriptor prints to, if it does.
pub(super) fn printed(number: c_int) -> Option<Stream> {
    match number {
        libc::STDOUT_FILENO => Some(Stream::Output),
        libc::STDERR_FILENO => Some(Stream::Error),
        _ => None,
    }
}

/// One of 0 to 2 leads elsewhere now.
pub(super) fn moved(rank: &Rank, number: c_int) {
    if number == libc::STDIN_FILENO {
        own_input(rank);
    }
}
