//! The file descriptors of a rank. Descriptors 0 to 2 belong to the rank: each leads to one of its
//! standard streams, to a file, or is closed. All others are those of the process; a rank can close
//! only those that it has opened, or that have no owner.
#![allow(unsafe_code, reason = "calls the system for programs")]

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
    ffi::c_int,
};

use super::{kept, own_input, renew_input};
use crate::libc::{host::Stream, rank::Rank, system::has_other_end};

/// The target of a rank's descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// An initial standard stream of the rank: 0, 1 or 2.
    Standard(c_int),
    /// A descriptor of the process.
    File(c_int),
    /// The descriptor is closed.
    Closed,
}

/// The descriptors of a rank that differ from those of the process.
pub(super) struct Descriptors {
    slots: Cell<[Target; 3]>,
    /// Descriptors of the process that stand for a standard stream of the rank: copies made by
    /// `dup`.
    copies: RefCell<BTreeMap<c_int, c_int>>,
}

impl Default for Descriptors {
    fn default() -> Self {
        let slots = [0, 1, 2].map(Target::Standard);
        Self { slots: Cell::new(slots), copies: RefCell::default() }
    }
}

/// Returns the descriptors of a rank.
pub(super) fn descriptors(rank: &Rank) -> &Descriptors {
    rank.state()
}

/// The owners of open descriptors.
#[derive(Default)]
struct Owners {
    /// Descriptors opened before the ranks started, which belong to the simulator.
    simulator: BTreeSet<c_int>,
    /// The rank that opened each descriptor.
    ranks: BTreeMap<c_int, u32>,
}

thread_local! {
    static OWNERS: RefCell<Owners> = RefCell::default();
}

/// Starts a simulation: the descriptors that are open now belong to the simulator. Nobody asks for them where the programs
/// cannot open or close any (`contained`). The table is made also there: the program may damage the heap, from which
/// the library takes the memory for its destructor.
pub(crate) fn begin(contained: bool) {
    let simulator = if contained { BTreeSet::new() } else { open_now().collect() };
    OWNERS.set(Owners { simulator, ranks: BTreeMap::new() });
}

/// Returns all open descriptors of the process from 3 on.
pub(super) fn open_now() -> impl Iterator<Item = c_int> {
    let entries = std::fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let numbers: Vec<c_int> = numbers.filter(|number| *number > 2).collect();
    // SAFETY: a system call with integer arguments only. The list itself was read through a
    // descriptor that is closed by now.
    numbers.into_iter().filter(|number| unsafe { libc::fcntl(*number, libc::F_GETFD) } >= 0)
}

/// Records that the running rank has opened a descriptor of the process.
pub(super) fn adopt(descriptor: c_int) {
    if let (Some(rank), true) = (Rank::current(), descriptor >= 0) {
        OWNERS.with_borrow_mut(|owners| owners.ranks.insert(descriptor, rank.number()));
    }
}

/// Removes the owner of a descriptor that is about to be closed.
pub(super) fn forget(descriptor: c_int) {
    OWNERS.with_borrow_mut(|owners| owners.ranks.remove(&descriptor));
}

/// Reports whether the running rank may close a descriptor of the process.
pub(super) fn is_own(rank: &Rank, descriptor: c_int) -> bool {
    OWNERS.with_borrow(|owners| match owners.ranks.get(&descriptor) {
        Some(owner) => *owner == rank.number(),
        None => !owners.simulator.contains(&descriptor),
    })
}

/// Records a descriptor that the system has just opened, and returns the number for the program:
/// the lowest one that is free for it.
pub(super) fn opened(descriptor: c_int) -> c_int {
    let Some(rank) = Rank::current().filter(|_| descriptor >= 0) else { return descriptor };
    adopt(descriptor);
    match descriptors(rank).lowest_closed() {
        Some(number) => {
            descriptors(rank).lead_to_file(number, descriptor);
            if number == libc::STDIN_FILENO {
                renew_input(rank);
            }
            number
        }
        None => descriptor,
    }
}

/// Returns the program's number for a descriptor of the process.
pub(super) fn shown(descriptor: c_int) -> c_int {
    let slots = Rank::current().map(|rank| descriptors(rank).slots.get());
    let slot = slots.and_then(|slots| slots.iter().position(|to| *to == Target::File(descriptor)));
    slot.map_or(descriptor, |slot| slot as c_int)
}

/// Closes the descriptors of a rank that has ended: those that are its own only, and those for whose end other ranks may
/// wait, except where streams of the library use them.
pub(super) fn end_rank(rank: &Rank, kept: &BTreeSet<c_int>) {
    for target in descriptors(rank).slots.get() {
        if let Target::File(descriptor) = target {
            forget(descriptor);
            // SAFETY: the descriptor was the rank's.
            unsafe { libc::close(descriptor) };
        }
    }
    for copy in descriptors(rank).copies.take().into_keys() {
        forget(copy);
        // SAFETY: as above.
        unsafe { libc::close(copy) };
    }
    let is_left = |file: &c_int, owner: &mut u32| *owner == rank.number() && !kept.contains(file);
    let left = OWNERS.with_borrow_mut(|owners| {
        let ranks = &mut owners.ranks;
        ranks.extract_if(.., is_left).map(|(file, _)| file).collect::<Vec<_>>()
    });
    for file in left.into_iter().filter(|file| has_other_end(*file)) {
        // SAFETY: as above.
        unsafe { libc::close(file) };
    }
}

impl Descriptors {
    /// Returns the target of a descriptor.
    pub(super) fn target(&self, descriptor: c_int) -> Target {
        match self.slots.get().get(descriptor as usize) {
            Some(target) => *target,
            None => match self.copies.borrow().get(&descriptor) {
                Some(stream) => Target::Standard(*stream),
                None => Target::File(descriptor),
            },
        }
    }

    /// Reports whether a number means the same for the program and the system.
    pub(super) fn is_the_systems(&self, descriptor: c_int) -> bool {
        self.target(descriptor) == Target::File(descriptor)
    }

    /// Reports whether a descriptor is known to be closed.
    pub(super) fn is_closed(&self, descriptor: c_int) -> bool {
        self.target(descriptor) == Target::Closed
    }

    pub(super) fn lowest_closed(&self) -> Option<c_int> {
        let slots = self.slots.get();
        slots.iter().position(|target| *target == Target::Closed).map(|slot| slot as c_int)
    }

    /// Sets the target of descriptor 0, 1 or 2.
    pub(super) fn lead(&self, number: c_int, target: Target) {
        let mut slots = self.slots.get();
        slots[number as usize] = target;
        self.slots.set(slots);
    }

    /// Makes one of the rank's descriptors lead to a file that was just opened.
    pub(super) fn lead_to_file(&self, number: c_int, file: c_int) {
        adopt(file);
        if number < 3 {
            self.lead(number, Target::File(file));
        }
    }

    /// Records a copy of a standard stream.
    pub(super) fn add_copy(&self, descriptor: c_int, stream: c_int) {
        self.copies.borrow_mut().insert(descriptor, stream);
    }

    /// Removes a copy of a standard stream.
    pub(super) fn remove_copy(&self, descriptor: c_int) {
        self.copies.borrow_mut().remove(&descriptor);
    }
}

/// Returns the descriptor of the process for queries about a rank's descriptor, such as its size.
pub(super) fn of_process(rank: &Rank, descriptor: c_int) -> c_int {
    match descriptors(rank).target(descriptor) {
        Target::File(file) => file,
        Target::Closed => -1,
        Target::Standard(libc::STDIN_FILENO) if rank.number() == 0 => super::input_descriptor(),
        Target::Standard(libc::STDIN_FILENO) => super::nothing_descriptor(),
        Target::Standard(number) => kept::descriptor(number),
    }
}

/// Returns the output stream that a rank's descriptor prints to, if any.
pub(super) fn printed(number: c_int) -> Option<Stream> {
    match number {
        libc::STDOUT_FILENO => Some(Stream::Output),
        libc::STDERR_FILENO => Some(Stream::Error),
        _ => None,
    }
}

/// Updates the streams after the target of descriptor 0, 1 or 2 has changed.
pub(super) fn moved(rank: &Rank, number: c_int) {
    if number == libc::STDIN_FILENO {
        own_input(rank);
    }
}
