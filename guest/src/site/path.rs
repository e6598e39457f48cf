//! Paths to calls: the return addresses of the functions around them.

use std::{cell::Cell, sync::Mutex};

use sim_core::intern;

use crate::interface;

/// Maximum number of functions recorded around a call, including the one that contains the call.
pub(super) const DEPTH: usize = 8;
/// The number of an exported function; 0 is none.
pub(super) type Function = u32;

/// Names of the exported functions of all tables, numbered from 1.
static FUNCTIONS: Mutex<Vec<String>> = Mutex::new(Vec::new());

thread_local! {
    /// The instruction that has raised a signal, and the addresses in the program that follow it and the calls that led to
    /// it, innermost first.
    static STRUCK: Cell<(usize, [usize; DEPTH])> = const { Cell::new((0, [0; DEPTH])) };
}

/// Registers an exported function and returns its number.
pub(crate) fn register(name: &str) -> Function {
    let mut known = FUNCTIONS.lock().expect("nobody panics with the lock");
    known.push(name.to_string());
    known.len() as Function
}

/// Returns the standard's name of a function; a Fortran function has another symbol name.
pub(super) fn called(function: Function) -> Option<&'static str> {
    let known = FUNCTIONS.lock().expect("nobody panics with the lock");
    let symbol = known.get((function as usize).checked_sub(1)?)?;
    Some(intern(&interface::spelled(symbol)))
}

/// Return addresses, relative to the start of the image: that of the call and those of the
/// functions around it, innermost first.
#[derive(Default)]
pub(super) struct Path {
    places: [usize; DEPTH],
    count: usize,
}

impl Path {
    /// Adds a place. Returns false if it is the last one that there is room for.
    pub(super) fn add(&mut self, place: usize) -> bool {
        self.places[self.count] = place;
        self.count += 1;
        self.count < DEPTH
    }

    pub(super) fn places(&self) -> &[usize] {
        &self.places[..self.count]
    }
}

/// A hash that distinguishes paths: of the called function and of the return addresses.
#[derive(Clone, Copy)]
pub(super) struct PathHash(pub(super) u64);

impl PathHash {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

    #[inline]
    pub(super) fn of(function: Function) -> Self {
        Self(u64::from(function).wrapping_mul(Self::FACTOR))
    }

    #[inline]
    pub(super) fn take(&mut self, place: usize) {
        let mixed = (self.0.rotate_left(23) ^ place as u64).wrapping_mul(Self::FACTOR);
        self.0 = mixed ^ mixed >> 32;
    }
}

/// Keeps the functions around the instruction at an address, which has raised a signal.
pub(super) fn keep_struck(address: usize, places: [usize; DEPTH]) {
    STRUCK.set((address, places));
}

/// Returns an address in the program's innermost call, if the instruction at `address` is the one that [`keep_struck`] was
/// told of; it is that instruction itself if it is the program's.
pub(super) fn struck_call(address: usize) -> Option<usize> {
    let (kept, places) = STRUCK.get();
    (kept == address).then_some(places[0])?.checked_sub(1)
}

/// Returns the addresses that [`keep_struck`] has kept for the instruction at `address`, relative to
/// `base`, or that address alone.
pub(super) fn struck(base: usize, address: usize) -> Vec<usize> {
    let (_, kept) = STRUCK.get();
    let known = if kept[0] == address + 1 { DEPTH } else { 0 };
    let kept = kept[..known].iter().take_while(|place| **place != 0);
    let mut places: Vec<usize> = kept.map(|place| place.wrapping_sub(base)).collect();
    if places.is_empty() {
        places.push((address + 1).wrapping_sub(base));
    }
    places
}
