//! Code through which a program calls functions that may leave something in the process, so that such a call is known
//! of afterwards.

use std::{
    collections::BTreeMap,
    io,
    sync::atomic::{AtomicU32, Ordering},
};

use memmap2::{Mmap, MmapMut};

/// Bytes reserved for the code of one function.
const CODE: usize = 32;

/// A piece of code for each such function of a program. It notes the call and goes on in the function; nothing changes
/// but the register `r11`, which no call preserves.
pub(super) struct Guards {
    /// The names in alphabetical order, each with the address of its code.
    places: BTreeMap<String, usize>,
    /// Number of the function called last, from 1; the code writes to it.
    last: Box<AtomicU32>,
    /// The code. The program that owns the guards has no images any more when it vanishes.
    _code: Option<Mmap>,
}

impl Guards {
    /// Creates the code for functions, by name with their addresses.
    ///
    /// # Errors
    /// If the system refuses executable memory.
    pub(super) fn new(functions: BTreeMap<String, usize>) -> io::Result<Self> {
        let last = Box::new(AtomicU32::new(0));
        if functions.is_empty() {
            return Ok(Self { places: BTreeMap::new(), last, _code: None });
        }
        let mut memory = MmapMut::map_anon(functions.len() * CODE)?;
        let start = memory.as_ptr() as usize;
        let mut places = BTreeMap::new();
        for (number, (name, target)) in (1..).zip(functions) {
            let at = places.len() * CODE;
            let code = code(last.as_ptr() as usize, number, target);
            memory[at..][..code.len()].copy_from_slice(&code);
            places.insert(name, start + at);
        }
        Ok(Self { places, last, _code: Some(memory.make_exec()?) })
    }

    /// Reports whether the program refers to none of these functions.
    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Returns the address through which the program calls a function, if it is one of these.
    pub(super) fn place(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// Returns the function that was called last in this process, if any was.
    pub(super) fn called(&self) -> Option<&str> {
        let index = (self.last.load(Ordering::Relaxed) as usize).checked_sub(1)?;
        self.places.keys().nth(index).map(String::as_str)
    }
}

/// Assembles `mov r11, last; mov dword [r11], number; mov r11, target; jmp r11`.
fn code(last: usize, number: u32, target: usize) -> Vec<u8> {
    let mut code = vec![0x49, 0xbb];
    code.extend(last.to_le_bytes());
    code.extend([0x41, 0xc7, 0x03]);
    code.extend(number.to_le_bytes());
    code.extend([0x49, 0xbb]);
    code.extend(target.to_le_bytes());
    code.extend([0x41, 0xff, 0xe3]);
    code
}

#[cfg(test)]
#[allow(unsafe_code, reason = "calls the code")]
mod tests {
    use super::*;

    extern "C" fn sum(a: i32, b: i32) -> i32 {
        a + b
    }

    extern "C" fn difference(a: i32, b: i32) -> i32 {
        a - b
    }

    #[test]
    fn a_guarded_call_is_noted_and_does_what_it_would() {
        let functions =
            [("sum", sum as *const () as usize), ("minus", difference as *const () as usize)];
        let functions = functions.map(|(name, target)| (name.to_string(), target));
        let guards = Guards::new(functions.into()).expect("executable memory");
        assert_eq!(guards.called(), None);
        for (name, result) in [("sum", 9), ("minus", 5), ("sum", 9)] {
            let place = guards.place(name).expect("a place");
            // SAFETY: the code goes on in a function of this type.
            let call: extern "C" fn(i32, i32) -> i32 = unsafe { std::mem::transmute(place) };
            assert_eq!(call(7, 2), result);
            assert_eq!(guards.called(), Some(name));
        }
        assert_eq!(guards.place("product"), None);
    }

    #[test]
    fn a_program_without_such_functions_needs_no_memory() {
        let guards = Guards::new(BTreeMap::new()).expect("no memory");
        assert!(guards.is_empty());
        assert_eq!(guards.called(), None);
    }
}
