//! Stacks for up to millions of processes: slots in a few large mappings, each with a guard and a
//! stack.
//!
//! A guard is a marker in the page table (`MADV_GUARD_INSTALL`, Linux 6.13), which needs no mapping
//! of its own. A page protected by `mprotect` splits its mapping in two, and the system allows
//! about 65,000 mappings. On older systems the first 16,384 stacks have protected guards; above
//! that only every 64th has one, and each other stack has a canary word at its bottom, which is
//! checked after each step. A canary is weaker than a guard: an overflow may have damaged the stack
//! below before the run ends.
#![allow(unsafe_code, reason = "maps memory and hands it out as stacks")]

use std::{io, num::NonZeroUsize, ptr, sync::OnceLock};

use corosensei::stack::{Stack, StackPointer};

/// `MADV_GUARD_INSTALL` of Linux 6.13, which the `libc` crate does not name for every target.
const MADV_GUARD_INSTALL: libc::c_int = 102;
/// Maximum number of stacks with a guard made by `mprotect`.
const PROTECTED_MAX: usize = 16_384;
/// Above `PROTECTED_MAX`, one stack in this many has a guard.
const PROTECTED_EVERY: usize = 64;
/// Value of the canary word at the bottom of a stack without a guard.
const CANARY: usize = 0x5afe_57ac_c0de_5eed;
/// Slots in the first mapping, and maximum in any mapping.
const CHUNK: (usize, usize) = (16, 8192);
/// Number of cache-line offsets at which neighbouring stacks start: without them all stack tops
/// would share one page offset and compete for the same cache sets.
const COLOURS: usize = 16;
const COLOUR_BYTES: usize = 64;

/// How stack overflow is detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GuardKind {
    /// Guard markers in the page table (Linux 6.13 and later).
    Marker,
    /// Pages protected by `mprotect`, and canaries above `PROTECTED_MAX` stacks.
    Protected,
}

static ON_EXHAUSTED: OnceLock<fn(usize) -> !> = OnceLock::new();

/// Sets the function that ends the process when the system does not give this many bytes of memory
/// for the stack of a process; only the first one counts. Without it, that is a panic.
pub fn on_exhausted(end: fn(usize) -> !) {
    ON_EXHAUSTED.get_or_init(|| end);
}

#[cold]
fn no_memory(bytes: usize) -> ! {
    match ON_EXHAUSTED.get() {
        Some(end) => end(bytes),
        None => panic!("the system does not give {bytes} bytes of memory for a stack"),
    }
}

/// One slot. It belongs to the arena that created it and must not outlive that arena.
#[derive(Debug)]
pub(crate) struct SlotStack {
    base: NonZeroUsize,
    bottom: NonZeroUsize,
}

// SAFETY: `base` and `bottom` bound a mapped slot of at least `MIN_STACK_SIZE` usable bytes with
// a guard at its bottom, and are aligned to 16. The arena outlives every coroutine that holds
// one (`Processes` drops its slots first). Where guards are scarce the canary of the module's
// documentation stands in.
unsafe impl Stack for SlotStack {
    fn base(&self) -> StackPointer {
        self.base
    }

    fn limit(&self) -> StackPointer {
        self.bottom
    }
}

/// The arena of all stacks of one simulation.
#[derive(Debug)]
pub(crate) struct Arena {
    stack_bytes: usize,
    guard_bytes: usize,
    page: usize,
    kind: GuardKind,
    executable: bool,
    chunks: Vec<(NonZeroUsize, usize)>,
    /// Index of the next unused slot of the last chunk.
    next: usize,
    /// Number of slots handed out for the first time so far.
    made: usize,
    free: Vec<SlotStack>,
}

impl Arena {
    /// Creates an arena that maps nothing yet.
    pub(crate) fn new(stack_bytes: usize, guard_bytes: usize) -> Self {
        Self::with_guard(stack_bytes, guard_bytes, GuardKind::Marker)
    }

    pub(crate) fn with_guard(stack_bytes: usize, guard_bytes: usize, kind: GuardKind) -> Self {
        // SAFETY: asks for a number.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        let colours = COLOURS * COLOUR_BYTES;
        Self {
            stack_bytes: (stack_bytes.max(4 * page) + colours).next_multiple_of(page),
            guard_bytes: guard_bytes.max(page).next_multiple_of(page),
            page,
            kind,
            executable: false,
            chunks: Vec::new(),
            next: 0,
            made: 0,
            free: Vec::new(),
        }
    }

    /// Sets whether the stacks are mapped executable.
    pub(crate) fn executable(mut self, executable: bool) -> Self {
        self.executable = executable;
        self
    }

    /// Returns the size of the guard of each stack, bytes.
    pub(crate) fn guard_bytes(&self) -> usize {
        self.guard_bytes
    }

    fn slot_bytes(&self) -> usize {
        self.stack_bytes + self.guard_bytes
    }

    /// Returns a stack, reusing a released one if there is any.
    ///
    /// # Errors
    /// Returns the system's error if it gives no more memory.
    pub(crate) fn acquire(&mut self) -> io::Result<SlotStack> {
        if let Some(stack) = self.free.pop() {
            return Ok(stack);
        }
        if self.chunks.last().is_none_or(|(_, slots)| self.next == *slots) {
            self.map_chunk()?;
        }
        let (start, _) = self.chunks[self.chunks.len() - 1];
        let bottom = start.get() + self.next * self.slot_bytes();
        self.open(bottom)?;
        self.guard(bottom)?;
        self.next += 1;
        let colour = self.made % COLOURS * COLOUR_BYTES;
        self.made += 1;
        let base = bottom + self.slot_bytes() - colour;
        let not_null = |address| NonZeroUsize::new(address).expect("a mapping is never at 0");
        Ok(SlotStack { base: not_null(base), bottom: not_null(bottom) })
    }

    /// Like [`Arena::acquire`], but ends the process if the system gives no memory: processes begin
    /// in the middle of a run, which cannot go on without them.
    pub(crate) fn acquire_or_end(&mut self) -> SlotStack {
        self.acquire().unwrap_or_else(|_| no_memory(self.slot_bytes()))
    }

    /// Maps slots: twice as many as the last time, or fewer if they do not fit.
    fn map_chunk(&mut self) -> io::Result<()> {
        let wanted = self.chunks.last().map_or(CHUNK.0, |(_, slots)| (slots * 2).min(CHUNK.1));
        let mut slots = wanted;
        loop {
            match self.map_slots(slots) {
                Err(_) if slots > 1 => slots /= 2,
                mapped => return mapped,
            }
        }
    }

    fn map_slots(&mut self, slots: usize) -> io::Result<()> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a new anonymous mapping at an address of the system's choice.
        let start = unsafe {
            libc::mmap(ptr::null_mut(), slots * self.slot_bytes(), libc::PROT_NONE, flags, -1, 0)
        };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let start = NonZeroUsize::new(start as usize).expect("a mapping is never at 0");
        self.chunks.push((start, slots));
        self.next = 0;
        Ok(())
    }

    /// Makes a new slot accessible. The slots after it are not: what a program writes far beyond a local array is
    /// struck there.
    fn open(&mut self, bottom: usize) -> io::Result<()> {
        let code = if self.executable { libc::PROT_EXEC } else { libc::PROT_NONE };
        let access = libc::PROT_READ | libc::PROT_WRITE | code;
        // SAFETY: the pages belong to the new slot, which nobody uses yet.
        match unsafe { libc::mprotect(bottom as *mut _, self.slot_bytes(), access) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Makes the lowest pages of a new slot fault on access, or writes its canary.
    fn guard(&mut self, bottom: usize) -> io::Result<()> {
        let (address, length) = (bottom as *mut libc::c_void, self.guard_bytes);
        if self.kind == GuardKind::Marker {
            // SAFETY: the pages belong to the new slot, which nobody uses yet.
            if unsafe { libc::madvise(address, length, MADV_GUARD_INSTALL) } == 0 {
                return Ok(());
            }
            self.kind = GuardKind::Protected;
        }
        if self.made < PROTECTED_MAX || self.made.is_multiple_of(PROTECTED_EVERY) {
            // SAFETY: as above.
            if unsafe { libc::mprotect(address, length, libc::PROT_NONE) } != 0 {
                return Err(io::Error::last_os_error());
            }
        }
        if self.made >= PROTECTED_MAX {
            // SAFETY: the lowest usable word of the new slot.
            unsafe { ((bottom + length) as *mut usize).write(CANARY) };
        }
        Ok(())
    }

    /// Reports whether stacks have canaries that must be checked after each step.
    pub(crate) fn has_canaries(&self) -> bool {
        self.kind == GuardKind::Protected && self.made > PROTECTED_MAX
    }

    /// Reports whether the canary of the stack with this bottom is intact. Stacks with a guard are
    /// always reported intact.
    pub(crate) fn intact(&self, bottom: usize) -> bool {
        let Some(first) = self.first_canary() else { return true };
        let position = self.position(bottom);
        // SAFETY: the lowest usable word of a slot of this arena.
        position < first
            || unsafe { ((bottom + self.guard_bytes) as *const usize).read() } == CANARY
    }

    /// Returns the position of the first slot with a canary, in order of mapping.
    fn first_canary(&self) -> Option<usize> {
        self.has_canaries().then_some(PROTECTED_MAX)
    }

    fn position(&self, bottom: usize) -> usize {
        let mut before = 0;
        for (start, slots) in &self.chunks {
            let offset = bottom.wrapping_sub(start.get());
            if offset < slots * self.slot_bytes() {
                return before + offset / self.slot_bytes();
            }
            before += slots;
        }
        before
    }

    /// Takes a stack back for reuse by another process.
    pub(crate) fn release(&mut self, stack: SlotStack) {
        self.free.push(stack);
    }

    /// Takes stacks back and returns their memory to the system; their guards stay in place.
    pub(crate) fn discard(&mut self, stacks: &mut Vec<SlotStack>) {
        let canaries = self.has_canaries();
        for stack in stacks.drain(..) {
            let start = stack.bottom.get() + self.guard_bytes;
            let length = self.slot_bytes() - self.guard_bytes;
            debug_assert!(start.is_multiple_of(self.page));
            // SAFETY: the coroutine of this slot has ended, and nothing points into its stack.
            unsafe { libc::madvise(start as *mut libc::c_void, length, libc::MADV_DONTNEED) };
            if !canaries {
                self.free.push(stack);
            }
        }
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        let slot_bytes = self.slot_bytes();
        for (start, slots) in self.chunks.drain(..) {
            // SAFETY: a mapping of ours; every coroutine on it is gone.
            unsafe { libc::munmap(start.get() as *mut libc::c_void, slots * slot_bytes) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_are_apart_coloured_and_reused() {
        let mut arena = Arena::new(64 << 10, 1);
        let stacks: Vec<SlotStack> =
            (0..100).map(|_| arena.acquire().expect("there is memory")).collect();
        let mut offsets = std::collections::BTreeSet::new();
        for (number, stack) in stacks.iter().enumerate() {
            assert!(stack.base.get() - stack.bottom.get() >= (64 << 10) + arena.guard_bytes());
            assert!(stack.base.get().is_multiple_of(16));
            offsets.insert(stack.base.get() % 4096);
            for other in &stacks[..number] {
                assert!(stack.base <= other.bottom || other.base <= stack.bottom);
            }
        }
        assert_eq!(offsets.len(), COLOURS);
        let bottoms: Vec<usize> = stacks.iter().map(|stack| stack.bottom.get()).collect();
        stacks.into_iter().for_each(|stack| arena.release(stack));
        let again = arena.acquire().expect("there is one");
        assert!(bottoms.contains(&again.bottom.get()));
    }

    #[test]
    fn discarded_stacks_are_empty_again() {
        let mut arena = Arena::new(64 << 10, 4096);
        let stack = arena.acquire().expect("there is memory");
        let word = (stack.base.get() - 64) as *mut usize;
        // SAFETY: inside the stack, which nobody uses.
        unsafe { word.write(7) };
        arena.discard(&mut vec![stack]);
        // SAFETY: as above; the arena still maps it.
        assert_eq!(unsafe { word.read() }, 0);
    }

    #[test]
    fn canaries_stand_in_where_guards_are_scarce() {
        let mut arena = Arena::with_guard(16 << 10, 4096, GuardKind::Protected);
        let stacks: Vec<SlotStack> =
            (0..PROTECTED_MAX + 2).map(|_| arena.acquire().expect("there is memory")).collect();
        assert!(arena.has_canaries());
        let last = stacks[stacks.len() - 1].bottom.get();
        assert!(stacks.iter().all(|stack| arena.intact(stack.bottom.get())));
        // SAFETY: the lowest usable word of a stack that nobody uses.
        unsafe { ((last + arena.guard_bytes()) as *mut usize).write(0) };
        assert!(!arena.intact(last));
    }
}
