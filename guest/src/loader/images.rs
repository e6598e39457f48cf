//! The images of one program in one simulation, and the memory that holds them.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    io,
    ops::Range,
    rc::Rc,
    sync::{Arc, Weak},
};

use super::{
    arena::{Arena, Text},
    error::LoadError,
    image::Image,
    program::Program,
};
use crate::{
    libc::{cxx, host::Host, life, rank::Rank, surroundings, suspend::forget_current},
    site::{position::Site, table::Sites, variable::Data},
};

/// The images of one program for the ranks of one simulation, on one thread.
pub struct Images {
    pub(super) program: Arc<Program>,
    /// The memory; `None` after `close`.
    pub(super) arena: RefCell<Option<Arena>>,
    /// Rank of each slot in use.
    pub(super) live: RefCell<BTreeMap<usize, Rc<Rank>>>,
    pub(super) sites: Rc<Sites>,
    /// Ranges that no image ever writes to, as offsets from its start.
    pub(super) constants: Rc<[Range<usize>]>,
}

impl Images {
    /// Reserves memory for `ranks` images. Without `text`, the placement of read-only pages follows
    /// from the limits of the system.
    ///
    /// # Errors
    /// If the system refuses that much address space.
    pub fn new(
        program: &Arc<Program>,
        ranks: u32,
        text: Option<Text>,
    ) -> Result<Rc<Self>, LoadError> {
        surroundings::remember_own();
        let layout = &program.layout;
        let fortran = program.plan.fortran_block.is_some();
        let slots = ranks as usize;
        let kept = kept_arena(program).filter(|arena| text.is_none() && arena.fits(layout, slots));
        let arena = kept.map_or_else(|| Arena::new(layout, slots, text, fortran), Ok);
        let arena =
            arena.map_err(|source| LoadError::Memory { ranks, bytes: layout.bytes, source })?;
        let objects = program.objects.iter().zip(&layout.objects);
        let variables = objects
            .clone()
            .flat_map(|(elf, start)| elf.segments.iter().map(move |segment| (segment, *start)))
            .filter(|(segment, _)| segment.writable)
            .map(|(segment, start)| start + segment.start..start + segment.end)
            .collect();
        let files = objects.map(|(elf, start)| (elf.path.clone(), *start, elf.span));
        let sites = shared_sites(program, || Sites::new(files, variables));
        Ok(Rc::new(Self {
            program: Arc::clone(program),
            arena: RefCell::new(Some(arena)),
            live: RefCell::default(),
            sites,
            constants: layout.constants().collect(),
        }))
    }

    /// Returns the program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Creates an image for one rank, with the arguments of the program (the first is its name).
    ///
    /// # Errors
    /// If the system refuses memory, or as many images exist as `ranks` said.
    pub fn create(
        self: &Rc<Self>,
        rank: u32,
        arguments: &[String],
        host: Rc<dyn Host>,
    ) -> Result<Image, LoadError> {
        Image::new(self, rank, arguments, host)
    }

    /// Returns the rank whose code contains an address, such as that of an instruction that raised
    /// a signal, and the source line.
    pub fn locate(&self, address: usize) -> Option<(u32, Site)> {
        let (slot, base) = self.arena.borrow().as_ref()?.slot_of(address)?;
        let rank = self.live.borrow().get(&slot)?.number();
        Some((rank, self.sites.find(base, address + 1)))
    }

    /// Returns the rank whose code raised a signal at an address, and the call site with the calls
    /// that led to it.
    pub fn struck(&self, address: usize) -> Option<(u32, sim_core::Site)> {
        let (slot, base) = self.arena.borrow().as_ref()?.slot_of(address)?;
        let rank = self.live.borrow().get(&slot)?.number();
        Some((rank, self.sites.struck(base, address)))
    }

    /// Returns the static data of a rank at an address, or the last variable before it.
    pub fn data(&self, rank: u32, address: usize) -> Option<Data> {
        let live = self.live.borrow();
        let slot = live.iter().find(|(_, one)| one.number() == rank)?.0;
        let base = self.arena.borrow().as_ref()?.base(*slot) as usize;
        let place = address.checked_sub(base)?;
        let constant = self.constants.iter().any(|range| range.contains(&place));
        self.sites.data(place, constant)
    }

    /// Writes unfinished output lines and releases all memory after a simulation. Images that were
    /// abandoned midway, on coroutines that will never be resumed, must be released this way; they
    /// must not run again.
    pub fn close(&self) {
        forget_current();
        let live = self.live.take();
        for (slot, rank) in &live {
            life::close(rank);
            self.release(*slot);
        }
        // A program that is not contained may have changed its mappings.
        let is_kept = |arena: &Arena| self.program.is_contained() && arena.bytes() <= KEPT_MAX;
        if let Some(mut arena) = self.arena.take().filter(is_kept) {
            arena.rewind();
            ARENA.set(Some((Arc::downgrade(&self.program), arena)));
        }
    }

    /// Takes a slot for one rank and fills it.
    pub(super) fn take(&self) -> io::Result<(usize, *mut u8)> {
        let mut arena = self.arena.borrow_mut();
        let program = &self.program;
        let taken = match arena.as_mut() {
            Some(arena) => arena.take(&program.objects, &program.layout, &program.shared)?,
            None => None,
        };
        taken.ok_or_else(|| io::Error::other("every slot is taken"))
    }

    /// Releases the slot of an image.
    pub(super) fn release(&self, slot: usize) {
        self.live.borrow_mut().remove(&slot);
        let mut arena = self.arena.borrow_mut();
        let Some(arena) = arena.as_mut() else { return };
        for frames in self.program.frame_tables(arena.base(slot)) {
            cxx::forget_frames(frames);
        }
        arena.release(slot, &self.program.layout);
    }
}

/// Most address space of an arena that is kept for the next simulation.
const KEPT_MAX: usize = 256 << 20;

thread_local! {
    /// The memory of the program that this thread has simulated last: to map it takes longer than many a simulation.
    static ARENA: RefCell<Option<(Weak<Program>, Arena)>> = const { RefCell::new(None) };
    /// The source positions of the programs that this thread has simulated: to read them takes longer than many a
    /// simulation.
    static SITES: RefCell<Vec<(Weak<Program>, Rc<Sites>)>> = const { RefCell::new(Vec::new()) };
}

/// Takes the memory that the last simulation on this thread has left, if it was one of this program.
fn kept_arena(program: &Arc<Program>) -> Option<Arena> {
    let (other, arena) = ARENA.take()?;
    (other.as_ptr() == Arc::as_ptr(program)).then_some(arena)
}

/// Returns the source positions of a program, which all its simulations on this thread share.
fn shared_sites(program: &Arc<Program>, make: impl FnOnce() -> Sites) -> Rc<Sites> {
    SITES.with_borrow_mut(|all| {
        all.retain(|(other, _)| other.strong_count() > 0);
        let known = all.iter().find(|(other, _)| other.as_ptr() == Arc::as_ptr(program));
        if let Some((_, sites)) = known {
            return Rc::clone(sites);
        }
        let sites = Rc::new(make());
        all.push((Arc::downgrade(program), Rc::clone(&sites)));
        sites
    })
}
