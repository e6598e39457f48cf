//! Validates an ELF object before an image is created from it.

use object::elf;

use super::elf::{Elf, Functions, Tls};

/// Bytes that a relocation writes.
const WORD: u64 = 8;
/// Largest size of thread-local variables, in bytes. A larger value means a damaged file: zeros
/// take no room in it, so the file size does not bound it.
const THREAD_LOCALS_MAX: usize = 1 << 32;

impl Elf {
    /// Checks that every address that will be read or written lies inside the object.
    pub(super) fn check(&self) -> Result<(), &'static str> {
        if self.segments.is_empty() {
            return Err("it has no contents");
        }
        if self.segments.iter().any(|segment| segment.start > segment.end) {
            return Err("a segment ends before it begins");
        }
        if self.tls.as_ref().is_some_and(|tls| !self.holds_thread_locals(tls)) {
            return Err("its thread-local variables lie outside it");
        }
        if !self.holds_functions(&self.init) || !self.holds_functions(&self.fini) {
            return Err("its initialisers lie outside it");
        }
        let mut defined = self.symbols.iter().filter(|symbol| symbol.defined && !symbol.tls);
        if defined.any(|symbol| symbol.value > self.span as u64) {
            return Err("a symbol lies outside it");
        }
        let entries = [Some(self.entry), self.frames];
        if entries.into_iter().flatten().any(|address| address >= self.span as u64) {
            return Err("its entry lies outside it");
        }
        for relocation in &self.relocations {
            if relocation.symbol >= self.symbols.len().max(1) {
                return Err("a relocation names no symbol");
            }
            let copied = relocation.kind == elf::R_X86_64_COPY.0;
            let bytes = if copied { self.symbols[relocation.symbol].size as u64 } else { WORD };
            let none = relocation.kind == elf::R_X86_64_NONE.0;
            if !none && !self.writable(relocation.offset, bytes, !copied) {
                return Err("a relocation lies outside its variables");
            }
        }
        Ok(())
    }

    /// Returns true if a writable segment contains the range; with `filled`, only the part stored
    /// in the file counts.
    fn writable(&self, start: u64, bytes: u64, filled: bool) -> bool {
        let Some(end) = start.checked_add(bytes) else { return false };
        let limit = if filled { self.bytes.len() } else { self.span } as u64;
        end <= limit
            && self.segments.iter().any(|segment| {
                segment.writable && segment.start as u64 <= start && end <= segment.end as u64
            })
    }

    fn holds_thread_locals(&self, tls: &Tls) -> bool {
        let end = tls.start.checked_add(tls.file_bytes);
        tls.align.is_power_of_two()
            && tls.align <= super::elf::PAGE
            && tls.file_bytes <= tls.bytes
            && tls.bytes <= THREAD_LOCALS_MAX
            && end.is_some_and(|end| end <= self.span)
    }

    fn holds_functions(&self, functions: &Functions) -> bool {
        let bytes = (functions.count as u64).checked_mul(WORD);
        let end = bytes.and_then(|bytes| functions.array.checked_add(bytes));
        end.is_some_and(|end| end <= self.span as u64)
            && functions.single.is_none_or(|address| address < self.span as u64)
    }
}
