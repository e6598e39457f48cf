//! Memory of the images of all ranks: one mapping, cut into slots.
#![allow(unsafe_code, reason = "maps and fills the memory of images")]

use std::{
    io, iter,
    os::fd::{AsRawFd, FromRawFd, OwnedFd},
    ptr,
};

use super::{
    elf::Elf,
    layout::{Layout, Run},
};

/// How the pages that do not change come into an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// Mapped from one file for all images: least memory, at least two mappings per rank.
    Shared,
    /// Large runs of pages as `Shared`, small ones as `Copied`: two mappings per rank for a program
    /// with one large library.
    LargeShared,
    /// Copied into memory that is writable and executable: no mapping per rank.
    Copied,
}

impl Text {
    /// Runs of pages from this size on are large.
    const LARGE: usize = 256 << 10;

    fn shares(self, run: &Run) -> bool {
        match self {
            Self::Shared => true,
            Self::LargeShared => run.bytes >= Self::LARGE,
            Self::Copied => false,
        }
    }

    /// The one that takes least memory with so many slots and mappings.
    fn fitting(layout: &Layout, slots: usize) -> Self {
        let fits = |text: &Self| {
            let runs = layout.shared.iter().filter(|run| text.shares(run)).count();
            slots.saturating_mul(2 * runs) <= mappings_max() / MAPPINGS_SHARE
        };
        [Self::Shared, Self::LargeShared].into_iter().find(fits).unwrap_or(Self::Copied)
    }
}

/// Share of the system's mappings per process that images may take; stacks take some as well.
const MAPPINGS_SHARE: usize = 2;

/// Images up to this size are cleaned by writing zeros, larger ones by giving pages back.
const SMALL: usize = 128 << 10;

/// The slots.
pub(crate) struct Arena {
    start: *mut u8,
    slot: usize,
    slots: usize,
    text: Text,
    /// Slots whose shared pages are in place.
    ready: Vec<bool>,
    /// Slots that an image wrote to.
    dirty: Vec<bool>,
    free: Vec<usize>,
}

/// The pages that do not change, as a file in memory.
pub(crate) struct Shared(OwnedFd);

impl Shared {
    /// Writes the objects one after another, as they lie in an image.
    pub(crate) fn new(objects: &[Elf], layout: &Layout) -> io::Result<Self> {
        // SAFETY: the name is a C string.
        let fd = unsafe { libc::memfd_create(c"program".as_ptr(), libc::MFD_CLOEXEC) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the descriptor was made just now and belongs to nobody else.
        let file = std::fs::File::from(unsafe { OwnedFd::from_raw_fd(fd) });
        file.set_len(layout.bytes as u64)?;
        for (object, start) in objects.iter().zip(&layout.objects) {
            std::os::unix::fs::FileExt::write_all_at(&file, &object.bytes, *start as u64)?;
        }
        Ok(Self(file.into()))
    }
}

impl Arena {
    /// Memory for `slots` images; nothing of it is used yet. Chooses by the number of mappings
    /// that the system allows, unless `text` says how. If `low`, addresses fit an integer of Fortran,
    /// as procedures of MPI-1 want it, unless the images need more room than there is.
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
            // SAFETY: a fresh anonymous mapping touches no memory of ours.
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

    /// Where a slot begins.
    pub(crate) fn base(&self, slot: usize) -> *mut u8 {
        debug_assert!(slot < self.slots);
        self.start.wrapping_add(slot * self.slot)
    }

    /// The slot that an address lies in, and where that slot begins.
    pub(crate) fn slot_of(&self, address: usize) -> Option<(usize, usize)> {
        let slot = address.checked_sub(self.start as usize)? / self.slot;
        (slot < self.slots).then(|| (slot, self.base(slot) as usize))
    }

    /// Fills a free slot; its number and address. `None` if all are taken.
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
                    map(base, layout.objects[run.object] + run.start, run, shared)?;
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

    /// Gives a slot back. What was written to a small one is forgotten when it is taken again,
    /// to a large one at once, so that it takes no memory.
    pub(crate) fn release(&mut self, slot: usize, layout: &Layout) {
        if self.slot > SMALL {
            self.for_each_private(slot, layout, |start, bytes| {
                // SAFETY: the range is inside the slot, which no image uses any more.
                unsafe { libc::madvise(start.cast(), bytes, libc::MADV_DONTNEED) };
            });
        } else {
            self.dirty[slot] = true;
        }
        self.free.push(slot);
    }

    /// Makes a slot as it was before its first use.
    fn clean(&mut self, slot: usize, layout: &Layout) {
        self.for_each_private(slot, layout, |start, bytes| {
            // SAFETY: the range is inside the slot, which no image uses any more.
            unsafe { start.write_bytes(0, bytes) };
        });
        self.dirty[slot] = false;
    }

    /// The ranges of a slot that an image may have written to: what lies between the runs that
    /// are shared.
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

fn map(base: *mut u8, place: usize, run: &Run, shared: &Shared) -> io::Result<()> {
    // SAFETY: the range is inside the slot; what was there is replaced.
    let mapped = unsafe {
        libc::mmap(
            base.add(place).cast(),
            run.bytes,
            libc::PROT_READ | libc::PROT_EXEC,
            libc::MAP_PRIVATE | libc::MAP_FIXED,
            shared.0.as_raw_fd(),
            place as libc::off_t,
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

/// The system's limit of mappings per process.
fn mappings_max() -> usize {
    std::fs::read_to_string("/proc/sys/vm/max_map_count")
        .ok()
        .and_then(|text| text.trim().parse().ok())
        .unwrap_or(65_530)
}
