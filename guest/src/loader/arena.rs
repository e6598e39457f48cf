//! Memory of the images of all ranks: one mapping, divided into slots of equal size.
#![allow(unsafe_code, reason = "maps and fills the memory of images")]

use std::{
    io, iter,
    os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd},
    ptr,
};

use super::{
    elf::Elf,
    layout::{Layout, Run},
};

/// How the read-only pages of a program are placed in an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// All pages are mapped from one file for all images: least memory, but at least two mappings
    /// per rank.
    Shared,
    /// Large runs of pages as in `Shared`, small ones as in `Copied`: two mappings per rank for a
    /// program with one large library.
    LargeShared,
    /// All pages are copied into memory that is writable and executable: no mapping per rank.
    Copied,
}

impl Text {
    /// Runs of at least this many bytes count as large.
    const LARGE: usize = 256 << 10;

    fn shares(self, run: &Run) -> bool {
        match self {
            Self::Shared => true,
            Self::LargeShared => run.bytes >= Self::LARGE,
            Self::Copied => false,
        }
    }

    /// Returns the variant that takes least memory without exceeding the system's limit of
    /// mappings.
    fn fitting(layout: &Layout, slots: usize) -> Self {
        let fits = |text: &Self| {
            let runs = layout.shared.iter().filter(|run| text.shares(run)).count();
            slots.saturating_mul(2 * runs) <= mappings_max() / MAPPINGS_SHARE
        };
        [Self::Shared, Self::LargeShared].into_iter().find(fits).unwrap_or(Self::Copied)
    }
}

/// Divisor for the part of the system's mappings per process that images may use; stacks need some
/// as well.
const MAPPINGS_SHARE: usize = 2;

/// Images up to this many bytes are cleared by writing zeros, larger ones by returning their pages.
const SMALL: usize = 128 << 10;

/// The slots for the images of one simulation.
pub(crate) struct Arena {
    start: *mut u8,
    slot: usize,
    slots: usize,
    text: Text,
    /// Whether the shared pages of each slot are mapped.
    ready: Vec<bool>,
    /// Whether an image has written to each slot.
    dirty: Vec<bool>,
    free: Vec<usize>,
}

/// The pages that are the same in all images: in a file in memory, or in that of an object.
pub(crate) struct Shared(OwnedFd);

impl Shared {
    /// Writes the objects one after another, in the layout of an image; those with files of their own are left out.
    pub(crate) fn new(objects: &[Elf], layout: &Layout) -> io::Result<Self> {
        // SAFETY: the name is a C string.
        let fd = unsafe { libc::memfd_create(c"program".as_ptr(), libc::MFD_CLOEXEC) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the descriptor was created above and has no other owner.
        let file = std::fs::File::from(unsafe { OwnedFd::from_raw_fd(fd) });
        file.set_len(layout.bytes as u64)?;
        let changed =
            objects.iter().zip(&layout.objects).filter(|(object, _)| object.file.is_none());
        for (object, start) in changed {
            std::os::unix::fs::FileExt::write_all_at(&file, &object.bytes, *start as u64)?;
        }
        Ok(Self(file.into()))
    }
}

impl Arena {
    /// Reserves address space for `slots` images; pages take memory only once used. Without `text`,
    /// the placement of read-only pages follows from the number of mappings that the system allows.
    /// With `low`, addresses fit a Fortran `INTEGER`, as the procedures of MPI-1 require, unless
    /// the images need more room than there is below that limit.
    pub(crate) fn new(
        layout: &Layout,
        slots: usize,
        text: Option<Text>,
        low: bool,
    ) -> io::Result<Self> {
        let text = text.unwrap_or_else(|| Text::fitting(layout, slots));
        let protection = match text {
            Text::Shared => libc::PROT_READ | libc::PROT_WRITE,
            _ => libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC,
        };
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let bytes = layout.bytes.saturating_mul(slots);
        let reserve = |flags| {
            // SAFETY: a new anonymous mapping overlaps no existing memory.
            let start = unsafe { libc::mmap(ptr::null_mut(), bytes, protection, flags, -1, 0) };
            if start == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(start) }
        };
        let start = match low {
            true => reserve(flags | libc::MAP_32BIT).or_else(|_| reserve(flags))?,
            false => reserve(flags)?,
        };
        Ok(Self {
            start: start.cast(),
            slot: layout.bytes,
            slots,
            text,
            ready: vec![false; slots],
            dirty: vec![false; slots],
            free: (0..slots).rev().collect(),
        })
    }

    /// Returns whether it has as many slots as this and its shared pages as the system's limits ask for, so that it can
    /// serve another simulation.
    pub(crate) fn fits(&self, layout: &Layout, slots: usize) -> bool {
        self.slots == slots && self.text == Text::fitting(layout, slots)
    }

    /// Prepares for another simulation, once all slots are released: they are taken in order again.
    pub(crate) fn rewind(&mut self) {
        debug_assert_eq!(self.free.len(), self.slots);
        self.free.sort_unstable_by(|one, other| other.cmp(one));
    }

    /// Returns the address space of all slots, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.slot * self.slots
    }

    /// Returns the address of a slot.
    pub(crate) fn base(&self, slot: usize) -> *mut u8 {
        debug_assert!(slot < self.slots);
        self.start.wrapping_add(slot * self.slot)
    }

    /// Returns the slot that contains an address, and the address of that slot.
    pub(crate) fn slot_of(&self, address: usize) -> Option<(usize, usize)> {
        let slot = address.checked_sub(self.start as usize)? / self.slot;
        (slot < self.slots).then(|| (slot, self.base(slot) as usize))
    }

    /// Fills a free slot and returns its number and address; `None` if all are taken.
    pub(crate) fn take(
        &mut self,
        objects: &[Elf],
        layout: &Layout,
        shared: &Shared,
    ) -> io::Result<Option<(usize, *mut u8)>> {
        let Some(slot) = self.free.pop() else { return Ok(None) };
        let base = self.base(slot);
        if self.dirty[slot] {
            self.clean(slot, layout);
        }
        if !self.ready[slot] {
            for run in &layout.shared {
                if self.text.shares(run) {
                    let place = layout.objects[run.object] + run.start;
                    let (file, at) = match &objects[run.object].file {
                        Some(file) => (file.as_fd(), run.start),
                        None => (shared.0.as_fd(), place),
                    };
                    map(base.wrapping_add(place), run.bytes, file, at)?;
                } else {
                    copy(base, objects, layout, run);
                }
            }
            self.ready[slot] = true;
        }
        for run in &layout.filled {
            copy(base, objects, layout, run);
        }
        Ok(Some((slot, base)))
    }

    /// Releases a slot. The contents of a small slot are cleared when it is taken again; those of a
    /// large one at once, so that it takes no memory.
    pub(crate) fn release(&mut self, slot: usize, layout: &Layout) {
        if self.slot > SMALL {
            self.for_each_private(slot, layout, |start, bytes| {
                // SAFETY: the range is inside the slot, which no image uses any longer.
                unsafe { libc::madvise(start.cast(), bytes, libc::MADV_DONTNEED) };
            });
        } else {
            self.dirty[slot] = true;
        }
        self.free.push(slot);
    }

    /// Restores a slot to its state before first use.
    fn clean(&mut self, slot: usize, layout: &Layout) {
        self.for_each_private(slot, layout, |start, bytes| {
            // SAFETY: the range is inside the slot, which no image uses any longer.
            unsafe { start.write_bytes(0, bytes) };
        });
        self.dirty[slot] = false;
    }

    /// Calls `act` with each range of a slot that an image may have written to: the gaps between
    /// the shared runs.
    fn for_each_private(&self, slot: usize, layout: &Layout, act: impl Fn(*mut u8, usize)) {
        let base = self.base(slot);
        let mut begin = 0;
        for shared in layout.constants().chain(iter::once(layout.bytes..layout.bytes)) {
            if shared.start > begin {
                act(base.wrapping_add(begin), shared.start - begin);
            }
            begin = shared.end;
        }
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and images keep the arena alive.
        unsafe { libc::munmap(self.start.cast(), self.slot * self.slots) };
    }
}

/// Maps bytes of a file, from `at` on, to a place in a slot.
fn map(place: *mut u8, bytes: usize, file: BorrowedFd<'_>, at: usize) -> io::Result<()> {
    // SAFETY: the range is inside the slot; its previous mapping is replaced.
    let mapped = unsafe {
        libc::mmap(
            place.cast(),
            bytes,
            libc::PROT_READ | libc::PROT_EXEC,
            libc::MAP_PRIVATE | libc::MAP_FIXED,
            file.as_raw_fd(),
            at as libc::off_t,
        )
    };
    if mapped == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(()) }
}

fn copy(base: *mut u8, objects: &[Elf], layout: &Layout, run: &Run) {
    let bytes = &objects[run.object].bytes;
    let end = (run.start + run.bytes).min(bytes.len());
    let Some(source) = bytes.get(run.start..end) else { return };
    // SAFETY: the run lies inside the object's part of the slot, which is as large as its span.
    unsafe {
        let target = base.add(layout.objects[run.object] + run.start);
        ptr::copy_nonoverlapping(source.as_ptr(), target, source.len());
    }
}

/// Returns the system's limit of mappings per process.
fn mappings_max() -> usize {
    std::fs::read_to_string("/proc/sys/vm/max_map_count")
        .ok()
        .and_then(|text| text.trim().parse().ok())
        .unwrap_or(65_530)
}
