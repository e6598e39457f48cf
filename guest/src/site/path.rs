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
    static STRUCK: Cell<[usize; DEPTH]> = const { Cell::new([0; DEPTH]) };
    /// An instruction of a library that has raised a signal, and the address to which the program's call returns.
    static STRUCK_CALL: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
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

/// Keeps the functions around an instruction that has raised a signal.
pub(super) fn keep_struck(places: [usize; DEPTH]) {
    STRUCK.set(places);
}

/// Keeps the program's call in which an instruction of a library has raised a signal.
pub(super) fn keep_struck_call(address: usize, call: usize) {
    STRUCK_CALL.set((address, call));
}

/// Returns an address in the call that [`keep_struck_call`] has kept for the instruction at `address`.
pub(super) fn struck_call(address: usize) -> Option<usize> {
    let (place, call) = STRUCK_CALL.get();
    (place == address && call > 0).then(|| call - 1)
}

/// Returns the addresses that [`keep_struck`] has kept for the instruction at `address`, relative to
/// `base`, or that address alone.
pub(super) fn struck(base: usize, address: usize) -> Vec<usize> {
    let kept = STRUCK.get();
    let known = if kept[0] == address + 1 { DEPTH } else { 0 };
    let kept = kept[..known].iter().take_while(|place| **place != 0);
    let mut places: Vec<usize> = kept.map(|place| place.wrapping_sub(base)).collect();
    if places.is_empty() {
        places.push((address + 1).wrapping_sub(base));
    }
    places
}
