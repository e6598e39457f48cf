//! The functions exported to programs, each behind a stub that records its caller.

use std::{collections::BTreeMap, io};

use memmap2::{Mmap, MmapMut};

use crate::{interface, openmp::names, replacement::Replacements, site, watch};

/// Bytes reserved for one stub.
const STUB: usize = 64;

/// A table of functions that programs may call, by name.
pub struct Exports {
    entries: BTreeMap<String, usize>,
    /// Stubs of C library functions that may suspend, which therefore need the place of the call.
    waiting: BTreeMap<&'static str, usize>,
    /// Our functions of other libraries that do not need it.
    others: BTreeMap<&'static str, usize>,
    /// Says of which exported functions a call may leave something in the process.
    reaches_out: fn(&str) -> bool,
    /// The stubs. The owner of the table outlives the programs that use them.
    _code: Mmap,
}

impl Exports {
    /// Creates the table from names and addresses of `extern "C"` functions, and from those of ours that take the
    /// place of functions of other libraries ([`crate::replacements`]). The former are also exported under their
    /// profiling names, such as `PMPI_Send`. `reaches_out` says of which of these names a call may leave something in the
    /// process that another execution could notice.
    ///
    /// # Errors
    /// If the system refuses executable memory.
    pub fn new(
        functions: &[(&str, usize)],
        replacements: Replacements,
        reaches_out: fn(&str) -> bool,
    ) -> io::Result<Self> {
        let Replacements { waiting, others } = replacements;
        let stubs = functions.len() + waiting.len();
        let mut code = MmapMut::map_anon((stubs * STUB).max(1))?;
        let start = code.as_ptr() as usize;
        let mut place_stub = |index: usize, name: &str, target: usize| {
            let stub = stub(target, site::path::register(name));
            code[index * STUB..][..stub.len()].copy_from_slice(&stub);
            start + index * STUB
        };
        let waiting = waiting.into_iter().enumerate().map(|(index, (name, target))| {
            (name, place_stub(functions.len() + index, names::shown(name), target))
        });
        let waiting = waiting.collect();
        let mut entries = BTreeMap::new();
        for (index, (name, target)) in functions.iter().enumerate() {
            let place = place_stub(index, name, *target);
            entries.insert((*name).to_string(), place);
            if let Some(profiling) = interface::profiling_name(name) {
                entries.insert(profiling, place);
            }
        }
        watch::entries(&(start..start + functions.len() * STUB));
        Ok(Self { entries, waiting, others, reaches_out, _code: code.make_exec()? })
    }

    /// Returns the address through which a program calls the function `name`.
    pub(crate) fn get(&self, name: &str) -> Option<usize> {
        self.entries.get(name).copied()
    }

    /// Reports whether a function of this name is exported that leaves nothing in the process.
    pub(super) fn has_contained(&self, name: &str) -> bool {
        self.entries.contains_key(name) && !(self.reaches_out)(name)
    }

    /// Returns the address through which a program calls a C library function that may suspend.
    pub(crate) fn waiting(&self, name: &str) -> Option<usize> {
        self.waiting.get(name).copied()
    }

    /// Returns the address of our function of another library that does not need the place of its caller.
    pub(crate) fn replacement(&self, name: &str) -> Option<usize> {
        self.others.get(name).copied()
    }

    /// Returns the address of what the simulator offers under a name: its own function, or one in the place of another
    /// library's.
    pub(super) fn offered(&self, name: &str) -> Option<usize> {
        let own = || self.waiting(name).or_else(|| self.replacement(name));
        self.get(name).or_else(own)
    }

    /// Returns all names, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }
}

/// Assembles `mov r11, [rsp]; mov fs:[address], r11; mov fs:[stack], rsp; mov fs:[frame], rbp; mov
/// dword fs:[function], number; mov r11, target; jmp r11`.
fn stub(target: usize, number: u32) -> Vec<u8> {
    let [address, stack, frame, function] = site::slots();
    let mut code = Vec::with_capacity(STUB);
    code.extend([0x4c, 0x8b, 0x1c, 0x24, 0x64, 0x4c, 0x89, 0x1c, 0x25]);
    code.extend(address.to_le_bytes());
    code.extend([0x64, 0x48, 0x89, 0x24, 0x25]);
    code.extend(stack.to_le_bytes());
    code.extend([0x64, 0x48, 0x89, 0x2c, 0x25]);
    code.extend(frame.to_le_bytes());
    code.extend([0x64, 0xc7, 0x04, 0x25]);
    code.extend(function.to_le_bytes());
    code.extend(number.to_le_bytes());
    code.extend([0x49, 0xbb]);
    code.extend(target.to_le_bytes());
    code.extend([0x41, 0xff, 0xe3]);
    code
}
