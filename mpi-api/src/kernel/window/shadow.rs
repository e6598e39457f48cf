//! [`Shadow`]: finds stores of a rank to bytes of its window that others access in the same epoch (MPI
//! section 12.7).
//!
//! A store of the program is no call, so nobody tells of it. But memory of a window changes in an
//! epoch only by accesses, which the kernel carries out; what else has changed was stored. So a copy
//! is made when the epoch begins, accesses are carried out on both, and bytes that are accessed have to
//! be equal before the access and at the end of the epoch.

use crate::{
    call::{Action, Flavor, Runs, WindowPart},
    finding::CallPlace,
    window_memory::{self, WindowMemory},
};

/// Largest memory that is copied, bytes.
const MOST: u64 = 16 << 20;

/// The memory of a rank as it would be without stores of its own.
pub(crate) struct Shadow {
    first: i64,
    bytes: Vec<u8>,
    accesses: Vec<Seen>,
    /// Accesses through other windows that have written to it.
    foreign: Vec<Seen>,
}

/// An access to the memory.
#[derive(Clone)]
pub(crate) struct Seen {
    pub(super) origin: u32,
    pub(super) by: CallPlace,
    pub(super) action: Action,
    base: i64,
    runs: Runs,
}

impl Seen {
    pub(super) fn new(
        (origin, by): (u32, CallPlace),
        action: Action,
        (base, runs): (i64, &Runs),
    ) -> Self {
        Self { origin, by, action, base, runs: runs.clone() }
    }

    /// Reports whether both use some byte.
    fn meets(&self, other: &Self) -> bool {
        let places = |seen: &Self| -> Vec<(i64, i64)> {
            let ends = |(at, length): (i64, u64)| (seen.base + at, seen.base + at + length as i64);
            seen.runs.iter().map(ends).collect()
        };
        let theirs = places(other);
        let meets = |mine: &(i64, i64)| theirs.iter().any(|run| mine.0 < run.1 && run.0 < mine.1);
        places(self).iter().any(meets)
    }
}

impl Shadow {
    /// Copies the memory of a rank; `None` if it is too large, shared with others or dynamic.
    pub(super) fn of(part: &WindowPart) -> Option<Self> {
        let is_own = matches!(part.flavor, Flavor::Create | Flavor::Allocate);
        if !is_own || part.bytes == 0 || part.bytes > MOST {
            return None;
        }
        let mut bytes = vec![0; part.bytes as usize];
        window_memory::with(part.memory, |memory| memory.read(part.base, &mut bytes))?;
        Some(Self { first: part.base, bytes, accesses: Vec::new(), foreign: Vec::new() })
    }

    /// Reports whether the memory differs from the copy where an access is about to take effect.
    pub(super) fn differs(&self, memory: &dyn WindowMemory, seen: &Seen) -> bool {
        seen.runs.iter().any(|(at, length)| {
            let mut present = vec![0; length as usize];
            memory.read(seen.base + at, &mut present);
            self.part(seen.base + at, length).is_some_and(|kept| *kept != present[..])
        })
    }

    /// Notes an access that has taken effect.
    pub(super) fn follow(&mut self, memory: &dyn WindowMemory, seen: Seen) {
        for (at, length) in seen.runs.iter() {
            let place = seen.base + at;
            if let Some(from) = self.place(place, length) {
                memory.read(place, &mut self.bytes[from..from + length as usize]);
            }
        }
        self.accesses.push(seen);
    }

    /// Notes an access through another window, of a rank of the run, that has written to this memory. Windows of memory
    /// that is not at an address begin at 0; they share none.
    pub(super) fn note_foreign(&mut self, seen: &Seen) {
        if self.first != 0 && seen.runs.iter().any(|(at, length)| self.has(seen.base + at, length))
        {
            self.foreign.push(seen.clone());
        }
    }

    /// Returns an access through another window that has written bytes which this one uses.
    pub(super) fn written_with(&self, seen: &Seen) -> Option<Seen> {
        self.foreign.iter().find(|other| other.meets(seen)).cloned()
    }

    /// Returns the first access whose bytes have changed since.
    pub(super) fn changed(&self, memory: &dyn WindowMemory) -> Option<&Seen> {
        self.accesses.iter().find(|seen| self.differs(memory, seen))
    }

    /// Reports whether some of these bytes are in it.
    fn has(&self, at: i64, length: u64) -> bool {
        at < self.first + self.bytes.len() as i64 && self.first < at + length as i64
    }

    fn place(&self, at: i64, length: u64) -> Option<usize> {
        let from = usize::try_from(at.checked_sub(self.first)?).ok()?;
        let end = from.checked_add(usize::try_from(length).ok()?)?;
        (end <= self.bytes.len()).then_some(from)
    }

    fn part(&self, at: i64, length: u64) -> Option<&[u8]> {
        self.place(at, length).map(|from| &self.bytes[from..from + length as usize])
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::RefCell, rc::Rc};

    use super::*;
    use crate::call::{SameParts, Site};

    struct Bytes(RefCell<Vec<u8>>);

    impl WindowMemory for Bytes {
        fn read(&self, at: i64, into: &mut [u8]) {
            into.copy_from_slice(&self.0.borrow()[at as usize..][..into.len()]);
        }

        fn write(&self, at: i64, bytes: &[u8]) {
            self.0.borrow_mut()[at as usize..][..bytes.len()].copy_from_slice(bytes);
        }
    }

    #[test]
    fn stores_before_and_after_an_access_are_found_and_others_are_not() {
        let memory = Rc::new(Bytes(RefCell::new(vec![0; 16])));
        let number = window_memory::register(Rc::clone(&memory) as _);
        let (flavor, same) = (Flavor::Create, SameParts::default());
        let part = WindowPart { flavor, memory: number, base: 4, bytes: 8, unit: 1, same };
        let seen = |at, length| {
            let by = CallPlace { call: "MPI_Put", site: Site::NOWHERE };
            Seen::new((1, by), Action::Put, (4, &Runs::One(at, length)))
        };
        let mut shadow = Shadow::of(&part).expect("it is small");
        // A store elsewhere, and outside of the window.
        memory.write(11, &[1]);
        memory.write(0, &[1]);
        assert!(!shadow.differs(&*memory, &seen(0, 2)));
        memory.write(4, &[7, 7]);
        shadow.follow(&*memory, seen(0, 2));
        assert!(shadow.changed(&*memory).is_none());
        memory.write(5, &[8]);
        assert!(shadow.changed(&*memory).is_some(), "a store after the access");
        assert!(shadow.differs(&*memory, &seen(7, 1)), "a store before the access");
        window_memory::withdraw(number);
    }
}
