//! Windows whose memory the ranks of a node share (MPI section 12.2.3). All ranks live in one address
//! space, so that one block of memory serves all of them.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    ffi::{c_int, c_void},
};

use mpi_api::call::{
    CollectiveCall, CollectiveEntry, CollectiveKind, CommId, Flavor, Reply, WindowCall, WindowPart,
};

use super::{
    super::info,
    create::{Wanted, complete, own_communicator},
    on_window,
};
use crate::{
    constant::{Handle, class, handle, number},
    memory::{allocate_pages, release_pages},
    state::{Fault, Mpi, Number, State, Window, argument, creating, put, wanted},
};
use mpi_api::call::Site;

/// The memory of one shared window.
#[derive(Default)]
struct Segment {
    /// Size and node by rank.
    parts: BTreeMap<u32, (i64, u32)>,
    /// The address of the block, once it is allocated.
    base: Option<usize>,
    /// Number of ranks that use it.
    users: usize,
}

impl Segment {
    /// Returns the parts in a block at an address: the rank, address and end.
    fn placed(&self, base: usize) -> impl Iterator<Item = (u32, usize, usize)> {
        self.parts.iter().scan(base, |next, (rank, (size, _))| {
            let start = *next;
            *next += *size as usize;
            Some((*rank, start, *next))
        })
    }
}

thread_local! {
    /// The memory of shared windows, by the communicators of the windows.
    static SEGMENTS: RefCell<BTreeMap<CommId, Segment>> = const { RefCell::new(BTreeMap::new()) };
}

/// Announces the part of a rank.
fn announce(window: CommId, rank: u32, part: (i64, u32)) {
    SEGMENTS.with_borrow_mut(|all| {
        let segment = all.entry(window).or_default();
        // A run that was ended early may have left a segment behind.
        if segment.base.is_some() || segment.parts.contains_key(&rank) {
            *segment = Segment::default();
        }
        segment.parts.insert(rank, part);
    });
}

/// Returns the address of the part of a rank, after all have announced theirs. `across` says whether they may
/// be on several nodes.
fn enter(window: CommId, rank: u32, across: bool) -> Mpi<usize> {
    SEGMENTS.with_borrow_mut(|all| {
        let segment = all.entry(window).or_default();
        let mut nodes = segment.parts.values().map(|(_, node)| *node);
        let first = nodes.next();
        if !across && nodes.any(|node| Some(node) != first) {
            let text = "the ranks of the communicator are not all on one node \
                        (--ranks-per-node says how many are)";
            return Err(Fault::new(class::RMA_SHARED, text));
        }
        let base = *segment.base.get_or_insert_with(|| {
            let total: i64 = segment.parts.values().map(|(size, _)| *size).sum();
            allocate_pages(total as usize) as usize
        });
        if base == 0 {
            return Err(Fault::new(class::NO_MEM, "there is no memory for the window"));
        }
        segment.users += 1;
        let own = segment.placed(base).find(|(owner, ..)| *owner == rank);
        Ok(own.map_or(base, |(_, start, _)| start))
    })
}

/// Returns the parts of a window: the rank, address and end.
pub(crate) fn parts(window: CommId) -> Vec<(u32, usize, usize)> {
    SEGMENTS.with_borrow(|all| {
        let placed = all.get(&window).and_then(|segment| Some(segment.placed(segment.base?)));
        placed.into_iter().flatten().collect()
    })
}

/// Releases the memory of a window when its last rank has left, which frees the window at this place.
pub(super) fn leave(window: CommId, freed_by: (u32, Site)) {
    SEGMENTS.with_borrow_mut(|all| {
        let Some(segment) = all.get_mut(&window) else { return };
        segment.users -= 1;
        if segment.users == 0 {
            release_pages(segment.base.unwrap_or_default() as *mut c_void, freed_by);
            all.remove(&window);
        }
    });
}

pub(in super::super) extern "C-unwind" fn allocate_shared<N: Number>(
    size: i64,
    unit: N,
    hints: Handle,
    comm: Handle,
    base: *mut c_void,
    place: *mut Handle,
) -> c_int {
    creating(comm, (place, handle::WIN_NULL), |state, site| {
        wanted(place)?;
        wanted(base)?;
        let given = Wanted { flavor: Flavor::Shared, base: 0, size, unit: unit.wide() };
        given.check()?;
        info::known(state, hints)?;
        let made = own_communicator(state, site, comm)?;
        announce(made.id, made.rank, (size, state.node()));
        let barrier = CollectiveCall::new(made.id, CollectiveKind::Barrier);
        state.kernel(site, CollectiveEntry::Blocking(Box::new(barrier)))?;
        let memory = enter(made.id, made.rank, state.environment().shares_across_nodes)?;
        let given = Wanted { base: memory, ..given };
        complete(state, site, (made, hints), &given, place)?;
        put(base.cast::<*mut c_void>(), memory as *mut c_void)
    })
}

/// Returns the part of a rank.
fn part_of(state: &State, site: Site, window: &Window, rank: u32) -> Mpi<WindowPart> {
    match state.kernel(site, WindowCall::Query(window.id(), rank))? {
        Reply::WindowPart(part) => Ok(*part),
        _ => Err(Fault::new(class::INTERN, "no part of the window")),
    }
}

/// Returns the part that a rank may use directly; none of another rank whose memory is not shared.
fn usable(state: &State, site: Site, window: &Window, rank: c_int) -> Mpi<Option<WindowPart>> {
    let size = window.size();
    if rank == number::PROC_NULL {
        // The first rank with memory (MPI 12.2.3).
        for rank in 0..size {
            let part = part_of(state, site, window, rank)?;
            let shared = window.flavor == Flavor::Shared || rank == window.info.rank;
            if part.bytes > 0 && shared {
                return Ok(Some(part));
            }
        }
        return Ok(None);
    }
    let rank = argument::rank("rank", rank, size)?;
    let shared = window.flavor == Flavor::Shared || rank == window.info.rank;
    if shared { part_of(state, site, window, rank).map(Some) } else { Ok(None) }
}

pub(in super::super) extern "C-unwind" fn shared_query<N: Number>(
    window: Handle,
    rank: c_int,
    size: *mut i64,
    unit: *mut N,
    base: *mut c_void,
) -> c_int {
    on_window(window, |state, site, window| {
        if window.flavor == Flavor::Dynamic {
            return Err(Fault::new(class::RMA_FLAVOR, "a dynamic window has no memory of its own"));
        }
        let part = usable(state, site, window, rank)?;
        let (bytes, each, at) =
            part.map_or((0, 1, 0), |part| (part.bytes as i64, part.unit, part.base));
        put(size, bytes)?;
        let each = N::narrow(each);
        put(unit, each.ok_or_else(|| Fault::new(class::DISP, "the unit does not fit"))?)?;
        put(base.cast::<*mut c_void>(), at as usize as *mut c_void)
    })
}
