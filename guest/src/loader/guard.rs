//! Code through which a program calls functions that may leave something in the process, so that such a call is known
//! of afterwards.
#![allow(unsafe_code, reason = "writes machine code into executable pages")]

use std::{
    collections::BTreeMap,
    io, ptr,
    sync::atomic::{AtomicU32, Ordering},
};

const PAGE: usize = 4096;

/// Bytes reserved for the code of one function.
const CODE: usize = 24;

/// A piece of code for each such function of a program. It notes the call and goes on in the function; no register
/// and no word of the stack changes.
pub(super) struct Guards {
    /// The names in alphabetical order, each with the address of its code.
    places: BTreeMap<String, usize>,
    /// The code, and after it a page with the number of the function called last; null if there is none.
    memory: *mut u8,
    code_bytes: usize,
}

// SAFETY: the code is written once in `new` and only executed afterwards; the word after it is atomic.
unsafe impl Send for Guards {}
// SAFETY: as above.
unsafe impl Sync for Guards {}

impl Guards {
    /// Creates the code for functions, by name with their addresses.
    ///
    /// # Errors
    /// If the system refuses executable memory.
    pub(super) fn new(functions: BTreeMap<String, usize>) -> io::Result<Self> {
        let mut guards = Self { places: BTreeMap::new(), memory: ptr::null_mut(), code_bytes: 0 };
        if functions.is_empty() {
            return Ok(guards);
        }
        guards.code_bytes = (functions.len() * CODE).next_multiple_of(PAGE);
        // SAFETY: a new anonymous mapping overlaps no existing memory.
        let memory = unsafe {
            libc::mmap(
                ptr::null_mut(),
                guards.code_bytes + PAGE,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if memory == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        guards.memory = memory.cast();
        for (index, (name, target)) in functions.into_iter().enumerate() {
            let at = index * CODE;
            let code = code(index as u32 + 1, guards.code_bytes - at, target);
            // SAFETY: the mapping holds `CODE` bytes for each function.
            let place = unsafe { guards.memory.add(at) };
            // SAFETY: as above.
            unsafe { ptr::copy_nonoverlapping(code.as_ptr(), place, CODE) };
            guards.places.insert(name, place as usize);
        }
        // SAFETY: the range is part of the mapping made above.
        let protected =
            unsafe { libc::mprotect(memory, guards.code_bytes, libc::PROT_READ | libc::PROT_EXEC) };
        if protected != 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(guards)
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
        if self.memory.is_null() {
            return None;
        }
        // SAFETY: the page after the code is readable and written by the code only.
        let last = unsafe { AtomicU32::from_ptr(self.memory.add(self.code_bytes).cast()) };
        let index = (last.load(Ordering::Relaxed) as usize).checked_sub(1)?;
        self.places.keys().nth(index).map(String::as_str)
    }
}

impl Drop for Guards {
    fn drop(&mut self) {
        if !self.memory.is_null() {
            // SAFETY: the mapping is ours; the program that owns the guards has no images any more.
            unsafe { libc::munmap(self.memory.cast(), self.code_bytes + PAGE) };
        }
    }
}

/// Assembles `mov dword [rip + distance], number; jmp [rip]` and the target; `distance` is counted from the start.
fn code(number: u32, distance: usize, target: usize) -> [u8; CODE] {
    const STORE: usize = 10;
    let mut code = [0; CODE];
    code[..2].copy_from_slice(&[0xc7, 0x05]);
    code[2..6].copy_from_slice(&((distance - STORE) as u32).to_le_bytes());
    code[6..STORE].copy_from_slice(&number.to_le_bytes());
    code[STORE..16].copy_from_slice(&[0xff, 0x25, 0, 0, 0, 0]);
    code[16..].copy_from_slice(&(target as u64).to_le_bytes());
    code
}

#[cfg(test)]
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
