//! The heap blocks that programs allocate, recorded in runs that compare buffers with them.
//!
//! All ranks share the heap of the process. Only calls of programs are seen: a library of the host may
//! release or move a block that a program has allocated, so that a record holds only while the
//! allocator still has a block of that size at the address.
//!
//! A recorded block that a program frees is kept from the allocator for a while, so that its memory is not in use again
//! when a later call is given its address.
#![allow(unsafe_code, reason = "passes calls on to the allocator")]

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet, VecDeque},
    ffi::{c_int, c_void},
    sync::OnceLock,
};

use rustc_hash::FxHashMap;

use super::rank::Rank;
use crate::{loader::symbol::host_symbol, replacement::Replacement, site, watch};

/// Number of return addresses that are kept of a call that allocates.
const CALLERS: usize = 12;

/// A heap block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeapBlock {
    pub(crate) start: usize,
    /// The size that the program asked for.
    pub(crate) bytes: usize,
    /// Where the call that allocated it returns to, innermost first; 0 behind the last.
    pub(crate) callers: [usize; CALLERS],
    /// The size that the allocator has made of it; `None` if it does not come from the allocator.
    usable: Option<usize>,
}

impl HeapBlock {
    /// Reports whether the allocator still has the block as it was recorded.
    fn is_current(&self) -> bool {
        self.usable.is_none() || usable(self.start) == self.usable
    }
}

/// A block that the program has freed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FreedBlock {
    pub(crate) block: HeapBlock,
    /// Where the call that freed it returns to, as in [`HeapBlock::callers`].
    pub(crate) callers: [usize; CALLERS],
}

/// The blocks that the program has freed and that the allocator does not have yet.
#[derive(Default)]
struct Freed {
    blocks: BTreeMap<usize, FreedBlock>,
    /// Their addresses, in the order in which they were freed; some may be gone from `blocks`.
    order: VecDeque<usize>,
    /// The sum of their sizes.
    bytes: usize,
}

impl Freed {
    /// Most bytes that are kept from the allocator.
    const BYTES_MAX: usize = 64 << 20;
    /// Most blocks that are kept from it.
    const BLOCKS_MAX: usize = 1 << 16;

    fn keep(&mut self, freed: FreedBlock) {
        self.bytes += freed.block.usable.unwrap_or(0);
        self.order.push_back(freed.block.start);
        self.blocks.insert(freed.block.start, freed);
        while self.bytes > Self::BYTES_MAX || self.order.len() > Self::BLOCKS_MAX {
            let Some(oldest) = self.order.pop_front() else { break };
            self.give_back(oldest);
        }
    }

    /// Gives a block back to the allocator, if it is kept.
    fn give_back(&mut self, start: usize) {
        let freed = self.blocks.remove(&start);
        if let Some(usable) = freed.and_then(|freed| freed.block.usable) {
            self.bytes -= usable;
            // SAFETY: the program has freed the block, and the allocator has not been told yet. The operators of C++
            // allocate with `malloc`.
            unsafe { libc::free(start as *mut c_void) };
        }
    }
}

thread_local! {
    static RECORDING: Cell<bool> = const { Cell::new(false) };
    static BLOCKS: RefCell<BTreeMap<usize, HeapBlock>> = const { RefCell::new(BTreeMap::new()) };
    static FREED: RefCell<Freed> = RefCell::default();
    /// Words that the system has read in a look ([`in_one_look`]), by address; `None` outside of one.
    static WORDS: RefCell<Option<FxHashMap<usize, Option<usize>>>> = const { RefCell::new(None) };
    /// Addresses of blocks that the program has to return by a function of ours, in every run.
    static GIVEN: RefCell<BTreeSet<usize>> = const { RefCell::new(BTreeSet::new()) };
}

/// Executes `look`, in which no memory of programs changes: each word is read once.
pub(crate) fn in_one_look<T>(look: impl FnOnce() -> T) -> T {
    WORDS.set(Some(FxHashMap::default()));
    let seen = look();
    WORDS.set(None);
    seen
}

/// Records the blocks that programs allocate from now on.
pub(crate) fn record() {
    RECORDING.set(true);
}

/// Stops recording, and forgets all blocks. Those that the program has freed are lost to the allocator: to free them could
/// end the process, if the program has damaged its heap.
pub(crate) fn forget_all() {
    RECORDING.set(false);
    BLOCKS.take();
    FREED.take();
}

/// Returns the block of the heap that holds an address, or that ends there.
pub(crate) fn holding(address: usize) -> Option<HeapBlock> {
    let block = BLOCKS.with_borrow(|blocks| {
        let (_, block) = blocks.range(..=address).next_back()?;
        (address <= block.start + block.bytes).then_some(*block)
    })?;
    block.is_current().then_some(block)
}

/// Returns the first block of the heap that begins behind an address, at most this many bytes from it.
pub(crate) fn behind(address: usize, most: usize) -> Option<HeapBlock> {
    let block = BLOCKS.with_borrow(|blocks| {
        let (first, last) = (address.checked_add(1)?, address.checked_add(most)?);
        blocks.range(first..=last).next().map(|(_, block)| *block)
    })?;
    block.is_current().then_some(block)
}

/// Returns the block that holds an address and that the program has freed, while its memory is not in use again.
pub(crate) fn freed(address: usize) -> Option<FreedBlock> {
    FREED.with_borrow(|freed| {
        let (_, freed) = freed.blocks.range(..=address).next_back()?;
        (address < freed.block.start + freed.block.bytes).then_some(*freed)
    })
}

/// Returns the size of the block at an address as the allocator has it now; `None` if there is no
/// memory any more.
fn usable(start: usize) -> Option<usize> {
    word_at(start - size_of::<usize>())?;
    // SAFETY: the word in front of the block, which the allocator looks at, can be read.
    Some(unsafe { libc::malloc_usable_size(start as *mut c_void) })
}

/// Returns the word at an address, if there is memory that can be read.
pub(crate) fn word_at(address: usize) -> Option<usize> {
    let last = address.checked_add(size_of::<usize>() - 1)?;
    if site::is_in_frames(address) && site::is_in_frames(last) && !watch::is_closed() {
        // SAFETY: the frames of the running program are there, and no page is closed to it. To ask the system would take
        // much longer.
        return Some(unsafe { (address as *const usize).read_unaligned() });
    }
    let known = WORDS.with_borrow(|words| words.as_ref()?.get(&address).copied());
    known.unwrap_or_else(|| {
        let word = read_word(address);
        WORDS.with_borrow_mut(|words| words.as_mut().map(|words| words.insert(address, word)));
        word
    })
}

/// Has the system read the word at an address.
fn read_word(address: usize) -> Option<usize> {
    let mut word = [0u8; size_of::<usize>()];
    let here = libc::iovec { iov_base: word.as_mut_ptr().cast(), iov_len: word.len() };
    let there = libc::iovec { iov_base: address as *mut c_void, iov_len: word.len() };
    // SAFETY: the system checks the address that is read; the other one is of a local variable.
    let read = unsafe {
        libc::process_vm_readv(libc::getpid(), &raw const here, 1, &raw const there, 1, 0)
    };
    (read == word.len() as isize).then(|| usize::from_ne_bytes(word))
}

/// Records a block that has been allocated for the calling program, if there is one.
#[inline]
pub(crate) fn keep(start: *mut c_void, bytes: usize) -> *mut c_void {
    if RECORDING.get() && !start.is_null() {
        // SAFETY: the allocator has returned the block just now.
        keep_block(start, bytes, Some(unsafe { libc::malloc_usable_size(start) }));
    }
    start
}

/// Records memory that the running call gives to the program and that does not come from the allocator.
pub(crate) fn lend(start: *mut c_void, bytes: usize) {
    if RECORDING.get() && !start.is_null() {
        keep_block(start, bytes, None);
    }
}

/// Tells that the running call takes back the memory of [`lend`].
pub(crate) fn take_back(start: *mut c_void) {
    release(start);
    withhold(start);
}

/// Returns where the running call of the program returns to, and the functions around it.
fn callers() -> [usize; CALLERS] {
    let mut callers = [0; CALLERS];
    for (place, address) in callers.iter_mut().zip(site::return_addresses(CALLERS)) {
        *place = address;
    }
    callers
}

#[cold]
fn keep_block(start: *mut c_void, bytes: usize, usable: Option<usize>) {
    let callers = callers();
    let block = HeapBlock { start: start as usize, bytes, callers, usable };
    BLOCKS.with_borrow_mut(|blocks| blocks.insert(block.start, block));
}

/// Starts a simulation: no program has a block of [`give`].
pub(super) fn begin_simulation() {
    GIVEN.with_borrow_mut(BTreeSet::clear);
}

/// Notes that the running call gives the program a block that it returns by [`take_given`].
pub(crate) fn give(start: *mut c_void) {
    if !start.is_null() {
        GIVEN.with_borrow_mut(|given| given.insert(start as usize));
    }
}

/// Notes that the program returns a block of [`give`] as it should.
pub(crate) fn take_given(start: *mut c_void) {
    GIVEN.with_borrow_mut(|given| given.remove(&(start as usize)));
}

/// Tells that the program releases a block, which it may not while an operation owns it, nor if it has to return it
/// otherwise.
#[inline]
fn release(start: *mut c_void) {
    if watch::is_closed() {
        watch::release_block(start);
    }
    if GIVEN.with_borrow(|given| given.contains(&(start as usize))) {
        tell_given(start);
    }
}

#[cold]
fn tell_given(start: *mut c_void) {
    take_given(start);
    if let Some(rank) = Rank::current() {
        rank.host().frees_given(rank.number(), site::caller(), start as usize);
    }
}

/// Forgets a block, if it was recorded.
#[inline]
fn forget(start: *mut c_void) {
    if RECORDING.get() {
        BLOCKS.with_borrow_mut(|blocks| blocks.remove(&(start as usize)));
    }
}

/// Keeps a block that the program frees from the allocator, if it was recorded, and reports whether it did.
#[inline]
fn withhold(start: *mut c_void) -> bool {
    RECORDING.get() && withhold_block(start as usize)
}

#[cold]
fn withhold_block(start: usize) -> bool {
    let block = BLOCKS.with_borrow_mut(|blocks| blocks.remove(&start));
    let Some(block) = block.filter(HeapBlock::is_current) else {
        give_back(start);
        return false;
    };
    let callers = callers();
    FREED.with_borrow_mut(|freed| freed.keep(FreedBlock { block, callers }));
    true
}

/// Lets the allocator have a block that the program has freed and now passes to it a second time: the allocator ends the
/// program then, as it does outside of the simulation.
fn give_back(start: usize) {
    FREED.with_borrow_mut(|freed| freed.give_back(start));
}

unsafe extern "C" fn malloc(bytes: usize) -> *mut c_void {
    // SAFETY: has no requirements.
    keep(unsafe { libc::malloc(bytes) }, bytes)
}

unsafe extern "C" fn calloc(count: usize, bytes: usize) -> *mut c_void {
    // SAFETY: has no requirements.
    keep(unsafe { libc::calloc(count, bytes) }, count.saturating_mul(bytes))
}

unsafe extern "C" fn realloc(before: *mut c_void, bytes: usize) -> *mut c_void {
    release(before);
    give_back(before as usize);
    // SAFETY: the program passes a block, or none.
    let moved = unsafe { libc::realloc(before, bytes) };
    // If there is no memory, the block stays.
    if !moved.is_null() || bytes == 0 {
        forget(before);
    }
    keep(moved, bytes)
}

unsafe extern "C" fn reallocarray(before: *mut c_void, count: usize, bytes: usize) -> *mut c_void {
    release(before);
    give_back(before as usize);
    // SAFETY: as in `realloc`.
    let moved = unsafe { libc::reallocarray(before, count, bytes) };
    if !moved.is_null() || count.saturating_mul(bytes) == 0 {
        forget(before);
    }
    keep(moved, count.saturating_mul(bytes))
}

pub(super) unsafe extern "C" fn free(block: *mut c_void) {
    release(block);
    // SAFETY: the program passes a block, or none.
    unsafe { free_block(block) };
}

/// Frees a block of the program, or withholds it from the allocator.
///
/// # Safety
/// As for [`libc::free`].
pub(crate) unsafe fn free_block(block: *mut c_void) {
    if !withhold(block) {
        // SAFETY: as above.
        unsafe { libc::free(block) }
    }
}

unsafe extern "C" fn posix_memalign(
    place: *mut *mut c_void,
    alignment: usize,
    bytes: usize,
) -> c_int {
    // SAFETY: the program passes a place for a pointer.
    let failed = unsafe { libc::posix_memalign(place, alignment, bytes) };
    if failed == 0 {
        // SAFETY: as above; it has been written.
        keep(unsafe { *place }, bytes);
    }
    failed
}

unsafe extern "C" fn aligned_alloc(alignment: usize, bytes: usize) -> *mut c_void {
    // SAFETY: has no requirements.
    keep(unsafe { libc::aligned_alloc(alignment, bytes) }, bytes)
}

unsafe extern "C" fn memalign(alignment: usize, bytes: usize) -> *mut c_void {
    // SAFETY: has no requirements.
    keep(unsafe { libc::memalign(alignment, bytes) }, bytes)
}

/// Defines the operators of C++ that allocate and release memory. An operator without memory throws an
/// exception, which passes through ours.
macro_rules! operators {
    (new { $($new:ident($($more:ident),*);)* } delete { $($delete:ident($($rest:ident),*);)* }) => {
        $(
            #[allow(non_snake_case, reason = "the name in libstdc++")]
            unsafe extern "C-unwind" fn $new(bytes: usize $(, $more: usize)*) -> *mut c_void {
                type New = unsafe extern "C-unwind" fn(usize $(, operators!(@ usize $more))*) -> *mut c_void;
                static HOST: OnceLock<usize> = OnceLock::new();
                let host = *HOST.get_or_init(|| host_symbol(stringify!($new)).unwrap_or(0));
                // SAFETY: a program that calls the operator has had its library loaded, and this is the
                // type of the operator of that name.
                let host = unsafe { std::mem::transmute::<usize, New>(host) };
                // SAFETY: the arguments are passed on unchanged.
                keep(unsafe { host(bytes $(, $more)*) }, bytes)
            }
        )*
        $(
            #[allow(non_snake_case, reason = "the name in libstdc++")]
            unsafe extern "C-unwind" fn $delete(block: *mut c_void $(, $rest: usize)*) {
                type Delete = unsafe extern "C-unwind" fn(*mut c_void $(, operators!(@ usize $rest))*);
                static HOST: OnceLock<usize> = OnceLock::new();
                let host = *HOST.get_or_init(|| host_symbol(stringify!($delete)).unwrap_or(0));
                release(block);
                if withhold(block) {
                    return;
                }
                // SAFETY: as for the operators that allocate.
                let host = unsafe { std::mem::transmute::<usize, Delete>(host) };
                // SAFETY: the arguments are passed on unchanged.
                unsafe { host(block $(, $rest)*) }
            }
        )*

        fn operators() -> Vec<Replacement> {
            vec![
                $((stringify!($new), $new as *const () as usize),)*
                $((stringify!($delete), $delete as *const () as usize),)*
            ]
        }
    };
    (@ $kind:ident $name:ident) => { $kind };
}

operators! {
    new {
        _Znwm();
        _Znam();
        _ZnwmRKSt9nothrow_t(nothrow);
        _ZnamRKSt9nothrow_t(nothrow);
        _ZnwmSt11align_val_t(alignment);
        _ZnamSt11align_val_t(alignment);
    }
    delete {
        _ZdlPv();
        _ZdaPv();
        _ZdlPvm(bytes);
        _ZdaPvm(bytes);
        _ZdlPvSt11align_val_t(alignment);
        _ZdaPvSt11align_val_t(alignment);
        _ZdlPvmSt11align_val_t(bytes, alignment);
        _ZdaPvmSt11align_val_t(bytes, alignment);
    }
}

pub(super) fn waiting() -> Vec<Replacement> {
    let mut all = vec![
        ("malloc", malloc as *const () as usize),
        ("calloc", calloc as *const () as usize),
        ("realloc", realloc as *const () as usize),
        ("reallocarray", reallocarray as *const () as usize),
        ("posix_memalign", posix_memalign as *const () as usize),
        ("aligned_alloc", aligned_alloc as *const () as usize),
        ("memalign", memalign as *const () as usize),
        ("free", free as *const () as usize),
    ];
    all.extend(operators());
    all
}
