//! The memory of windows, as one-sided operations access it (MPI chapter 12).
//!
//! An access takes effect when simulated time says, without its target being resumed; so the memory
//! is accessed while the rank that owns it is suspended. The kernel knows memory by number only. Who
//! registers it says how it is read and written, and for how long: it is accessed until it is
//! withdrawn, and never while a rank of its thread runs.

use std::{cell::RefCell, rc::Rc};

use crate::call::MemoryId;

/// Memory that can be accessed while its rank is suspended. Places are those that the windows on
/// this memory use.
pub trait WindowMemory {
    /// Reports whether there is memory from `first` up to `end`. A program may have created a window
    /// where it has none; the default takes the program's word for it.
    fn is_there(&self, first: i64, end: i64) -> bool {
        let _ = (first, end);
        true
    }

    /// Copies the bytes from `at` on into `into`.
    fn read(&self, at: i64, into: &mut [u8]);

    /// Writes bytes from `at` on.
    fn write(&self, at: i64, bytes: &[u8]);
}

thread_local! {
    static REGISTERED: RefCell<Vec<Option<Rc<dyn WindowMemory>>>> = const { RefCell::new(Vec::new()) };
}

/// Registers memory for access by one-sided operations and returns its number.
pub fn register(memory: Rc<dyn WindowMemory>) -> MemoryId {
    REGISTERED.with_borrow_mut(|all| {
        all.push(Some(memory));
        MemoryId(all.len() as u32 - 1)
    })
}

/// Withdraws memory: accesses to it have no effect from now on.
pub fn withdraw(memory: MemoryId) {
    let withdrawn = REGISTERED.with_borrow_mut(|all| all.get_mut(memory.0 as usize)?.take());
    drop(withdrawn);
}

/// Calls `access` with the memory of this number. Returns `None` if it was withdrawn, or belongs to another process.
/// Nothing is registered or withdrawn meanwhile.
pub(crate) fn with<T>(memory: MemoryId, access: impl FnOnce(&dyn WindowMemory) -> T) -> Option<T> {
    REGISTERED.with_borrow(|all| Some(access(&**all.get(memory.0 as usize)?.as_ref()?)))
}

/// Withdraws all memory; called when a run ends.
pub(crate) fn clear() {
    drop(REGISTERED.take());
}
