//! Closes and opens the memory that operations own, in runs that are watched.
#![allow(unsafe_code, reason = "has pages closed when a call returns")]

use mpi_api::{
    call::{ClockCall, Flavor, Reply, RequestCall, RequestId, Runs, Site, Use, WindowCall},
    object::datatype::joined,
};
use sim_core::{Place, with_caller_state};

use super::{
    fault::Mpi,
    object::FreedRequest,
    rank::{Stage, State},
    thread::NOWHERE,
    window::Window,
};
use crate::function::{guard, window::shared};
use guest::{running, site, watch};

impl State {
    /// Returns the memory of the program that operations own, without memory that is read-only
    /// anyway.
    pub(super) fn pieces(&self) -> Vec<watch::Piece> {
        // What was never completed is reported as that; its buffers are gone once the program returns.
        if self.stage.get() == Stage::Finalized {
            return Vec::new();
        }
        if self.watches_windows {
            return self.windows.borrow().iter().flat_map(|window| pieces_of(window)).collect();
        }
        let claims = self.claims.read();
        if claims.is_empty() {
            return Vec::new();
        }
        let is_constant = |address| running::is_constant(address);
        claims.pieces().filter(|piece| !is_constant(piece.start)).collect()
    }

    /// Reports an access of the program to memory that an operation owns.
    // Apart, because an access is large: a rank would wait with half a kilobyte more of its stack.
    #[cold]
    #[inline(never)]
    pub(super) fn tell_touched(&self, site: Site) {
        if self.watches_windows {
            self.tell_listed();
            return;
        }
        if let Some(access) = watch::seen() {
            // The operation may have completed before the access, if its request was freed.
            let is_owned = !self.release_freed(site)
                || self.claims.read().pieces().any(|piece| piece == access.piece);
            if is_owned {
                // The finding has been reported; the code returned is of no use here.
                let _ = guard::touched(self, site, &access);
            }
        }
    }

    /// Keeps the memory of an operation whose request has been freed until it is complete, in runs that are watched. The
    /// buffer of a receive stays owned: nothing tells the program when it may read it (MPI 5.0, 3.7.3).
    pub(crate) fn keep_freed(&self, site: Site, mut freed: FreedRequest) {
        if !self.watched {
            return self.release(freed);
        }
        // One that was cancelled, or that is complete, leaves its buffer alone.
        freed.receives = freed.receives && self.is_active(site, freed.id);
        self.freed.borrow_mut().push(freed);
    }

    fn is_active(&self, site: Site, id: RequestId) -> bool {
        matches!(self.kernel(site, RequestCall::IsActive(id)), Ok(Reply::Done))
    }

    fn release(&self, freed: FreedRequest) {
        freed.owned.release(self, freed.work.memory());
    }

    /// Releases the memory of operations that are complete and whose requests have been freed. Reports whether there were
    /// any.
    fn release_freed(&self, site: Site) -> bool {
        let mut released = false;
        for freed in self.freed.take() {
            if freed.receives || self.is_active(site, freed.id) {
                self.freed.borrow_mut().push(freed);
            } else {
                self.release(freed);
                released = true;
            }
        }
        released
    }

    /// Tells the kernel which bytes of its own windows the program has read or written.
    fn tell_listed(&self) {
        // In the order in which their instructions were first executed. Compilers make several of one place: what others
        // load is compared with all that it stores.
        let mut groups: Vec<((Of, watch::How, bool), Vec<watch::Listed>)> = Vec::new();
        for access in watch::listed() {
            let of = access.place.map_or(Of::Instruction(access.instruction), Of::Place);
            let of = (of, access.how, access.vector);
            match groups.iter_mut().find(|(known, _)| *known == of) {
                Some((_, group)) => group.push(access),
                None => groups.push((of, vec![access])),
            }
        }
        let loses = !self.unseen.get() && !self.sees_all();
        self.unseen.set(self.unseen.get() || loses);
        if groups.is_empty() && !loses {
            return;
        }
        let windows: Vec<_> = self.windows.borrow().iter().cloned().collect();
        let parts = windows
            .iter()
            .flat_map(|window| parts_of(window).into_iter().map(move |part| (window, part)));
        let parts: Vec<_> = parts.collect();
        for ((_, how, vectors), accesses) in groups {
            let (used, what) = match how {
                watch::How::Load => (Use::Load { vectors }, "load"),
                watch::How::LoadNumber => (Use::LoadNumber { vectors }, "load"),
                watch::How::Store => (Use::Store, "store"),
                watch::How::Atomic => (Use::Update, "atomic update"),
            };
            // Where calls have their names, this says what the program does.
            let place = accesses[0].place.unwrap_or(NOWHERE);
            let site = place.of(Place::kept(what, "", Box::default()));
            for (window, (owner, start, end)) in &parts {
                let runs = runs_in(&accesses, *start, *end);
                if runs.is_empty() {
                    continue;
                }
                let (window, owner, base) = (window.id(), *owner, *start as i64);
                let call =
                    WindowCall::Touch { window, owner, base, runs: Runs::Many(runs.into()), used };
                // It has no errors.
                let _ = self.kernel(site, call);
            }
        }
        if let Some(window) = windows.first().filter(|_| loses) {
            let (window, owner, base) = (window.id(), window.info.rank, 0);
            let (runs, used) = (Runs::One(0, 0), Use::Unseen);
            let _ = self.kernel(NOWHERE, WindowCall::Touch { window, owner, base, runs, used });
        }
    }

    /// Reports whether the watch has seen all that the program has done with memory of its windows, and with that which other
    /// ranks share.
    fn sees_all(&self) -> bool {
        let is_followed = |window: &Window| match window.flavor {
            Flavor::Shared => are_followed(&shared::parts(window.info.id)),
            Flavor::Create | Flavor::Allocate | Flavor::Dynamic => true,
        };
        watch::is_in_full() && self.windows.borrow().iter().all(|window| is_followed(window))
    }

    /// Executes `body` with the memory open that operations own, and reports an access that the
    /// program made before.
    #[inline]
    pub(super) fn with_memory_open<T>(&self, site: Site, body: impl FnOnce() -> T) -> T {
        let depth = self.watched.then(|| {
            if watch::open() {
                self.tell_touched(site);
            }
            // Other threads run meanwhile, outside MPI or in calls of their own.
            self.depth.replace(0)
        });
        let value = body();
        if let Some(depth) = depth {
            self.depth.set(depth);
            match depth {
                0 => self.close_memory(),
                // A call of MPI goes on, which uses the memory.
                _ => _ = watch::open(),
            }
        }
        value
    }

    /// Closes the memory that operations own, where the program continues.
    fn close_memory(&self) {
        watch::close(self.pieces().into_iter());
    }

    /// Runs the program in a thread that begins, with the memory closed. What it does is told before the thread ends.
    pub(super) fn with_memory_closed(&self, body: impl FnOnce()) {
        if self.watched {
            self.close_memory();
        }
        body();
        watch::open();
    }

    /// Reads the clock for a program that has called from `site`, with the frame pointer `frame`.
    ///
    /// The state of the program is looked at while its memory is open: variables that operations
    /// own may lie on its stack.
    pub(crate) fn read_clock(&self, site: Site, frame: usize) -> Mpi<Reply> {
        let read = |program| self.kernel(site, ClockCall::Now(program));
        self.with_memory_open(site, || with_caller_state(frame, read))
    }

    /// Stops watching when the program of this rank has ended, or a thread of it.
    pub(crate) fn stop_watching(&self) {
        if self.watched {
            watch::open();
            self.tell_touched(NOWHERE);
        }
    }

    /// Begins an MPI call, which lasts until the value is dropped; reports an access that the
    /// program made before it.
    pub(super) fn begin_call(&self, site: Site) -> Inside<'_> {
        if self.watched {
            let place = site::return_place();
            if self.depth.get() > 0 && self.has_one_thread() && place.follows(self.returns.get()) {
                // A function that MPI had called has left it by a jump.
                self.depth.set(0);
            }
            self.depth.set(self.depth.get() + 1);
            if self.depth.get() == 1 {
                self.returns.set(place);
            }
            self.tell_touched(site);
            self.release_freed(site);
        }
        if let Some(compared) = &self.compared {
            compared.enter(self.doors.borrow().is_empty());
        }
        Inside { state: self, returns: false }
    }
}

/// What accesses of the program belong together.
#[derive(PartialEq)]
enum Of {
    /// Those of one place in the source.
    Place(Site),
    /// Those of one instruction, whose place is not known.
    Instruction(usize),
}

/// Most memory of a shared window that is watched as a whole: to close and open it takes time for each page. Of a larger
/// one each rank's own part is watched.
const SHARED_MAX: usize = 16 << 20;

/// Returns the memory of a window whose direct uses are followed: the rank to whose part it belongs, address and end.
fn parts_of(window: &Window) -> Vec<(u32, usize, usize)> {
    let mut parts = match window.flavor {
        Flavor::Shared => shared::parts(window.info.id),
        Flavor::Create | Flavor::Allocate | Flavor::Dynamic => {
            let own = window.memory().into_iter();
            own.map(|(start, end)| (window.info.rank, start, end)).collect()
        }
    };
    let all = are_followed(&parts);
    let is_followed = |owner| all || owner == window.info.rank;
    parts.retain(|(owner, start, end)| start < end && is_followed(*owner));
    parts
}

/// Reports whether the parts of all ranks of a shared window are watched.
fn are_followed(parts: &[(u32, usize, usize)]) -> bool {
    parts.iter().map(|(_, start, end)| end - start).sum::<usize>() <= SHARED_MAX
}

/// Returns the memory of a window that is watched: parts of several ranks one after the other are one piece.
fn pieces_of(window: &Window) -> Vec<watch::Piece> {
    let mut pieces: Vec<watch::Piece> = Vec::new();
    for (_, start, end) in parts_of(window) {
        match pieces.last_mut() {
            Some(last) if last.end == start => last.end = end,
            _ => {
                let (claimed, call, site, listed) = (watch::Claimed::Exclusive, "", NOWHERE, true);
                pieces.push(watch::Piece { start, end, claimed, call, site, listed });
            }
        }
    }
    pieces
}

/// Returns the bytes of accesses from `start` to `end`, relative to `start`, in order and without
/// neighbours.
fn runs_in(accesses: &[watch::Listed], start: usize, end: usize) -> Vec<(i64, u64)> {
    let ranges = accesses.iter().filter_map(|access| {
        let from = access.address.max(start);
        let to = (access.address + access.bytes).min(end);
        (from < to).then(|| ((from - start) as i64, (to - start) as i64))
    });
    let joined = joined(ranges.collect());
    joined.iter().map(|(at, end)| (*at, (end - at) as u64)).collect()
}

/// An MPI call of the program, also when an exception of a callback ends it.
pub(super) struct Inside<'a> {
    state: &'a State,
    returns: bool,
}

impl Inside<'_> {
    /// Records that the call returns to the program.
    #[inline]
    pub(super) fn end(mut self) {
        self.returns = true;
    }
}

impl Drop for Inside<'_> {
    /// Closes the memory again as the program continues, unless the call was made by a callback
    /// inside MPI. After an exception all memory stays open until the next call ends: the unwinder
    /// must be able to read the return address.
    #[inline]
    fn drop(&mut self) {
        let state = self.state;
        if !state.watched {
            return;
        }
        state.depth.set(state.depth.get() - 1);
        if state.depth.get() == 0 && self.returns {
            // SAFETY: the place is that of the call which ends here, of a function of ours.
            unsafe { watch::close_on_return(state.pieces().into_iter(), state.returns.get()) };
        }
    }
}
