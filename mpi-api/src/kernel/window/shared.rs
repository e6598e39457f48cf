//! Compares what ranks do directly with memory that they share, in executions that watch it.

use super::{
    direct::{How, Pair, Used},
    racing::own_period,
    recorded::Period,
    table::Window,
    touches::Touched,
};
use crate::{
    call::{Flavor, Operation, ThreadCall, Use, WindowCall, WindowId},
    check::window_race,
    kernel::MpiKernel,
};

/// Returns what a use of memory is for those with whom it is shared; `None` if they do not see it.
fn how(used: Use) -> Option<How> {
    match used {
        Use::Load { .. } => Some(How::Load),
        Use::Read | Use::LoadNumber { .. } => Some(How::Data),
        Use::Write | Use::Store => Some(How::Store),
        Use::Update => Some(How::Atomic),
        Use::Fill | Use::Attach | Use::Detach | Use::Unseen => None,
    }
}

/// Reports whether the ranks of a window share its memory.
pub(super) fn is_shared(window: &Window, owner: u32) -> bool {
    window.part(owner).is_some_and(|part| match part.flavor {
        Flavor::Shared => true,
        Flavor::Create | Flavor::Allocate | Flavor::Dynamic => false,
    })
}

impl MpiKernel {
    /// Notes a use of memory that others may share, to be compared before the rank goes on.
    pub(super) fn note_direct(&mut self, rank: u32, touched: &Touched) {
        let Some(how) = how(touched.used) else { return };
        let Some(window) = self.windows.get(touched.window) else { return };
        let Some(me) = window.rank_of(rank).filter(|_| is_shared(window, touched.owner)) else {
            return;
        };
        let touches = self.windows.touches.get(&rank);
        let used = Used {
            rank: me,
            by: touched.by,
            owner: touched.owner,
            how,
            vectors: touched.used.loads_vectors(),
            place: touched.place.clone(),
            locks: window.members[me as usize].epochs.locks().collect(),
            is_compared: own_period(window, me) == Period::Lock,
            round: touches.map_or(0, |touches| touches.round),
        };
        self.windows.touches.entry(rank).or_default().note_direct(touched.window, used);
    }

    /// Compares the direct uses of shared memory by a rank before its present call. The loads come first: what
    /// they find may order the stores.
    pub(super) fn settle_direct(&mut self, rank: u32, operation: &Operation) {
        if let Operation::Window(WindowCall::Touch { .. }) = operation {
            return;
        }
        let touches = self.windows.touches.entry(rank).or_default();
        let uses = std::mem::take(&mut touches.direct);
        if !uses.is_empty() {
            self.compare_shared(rank, uses);
        }
        // The loop goes on unobserved.
        if let Operation::Thread(ThreadCall::Spin { .. }) = operation {
            self.lose_sight(rank);
        }
    }

    fn compare_shared(&mut self, rank: u32, uses: Vec<(WindowId, Used)>) {
        let Some(history) = &mut self.history else { return };
        let before = history.clock(rank).clone();
        let stores: Vec<&Used> =
            uses.iter().map(|(_, used)| used).filter(|used| used.how == How::Store).collect();
        for (id, used) in &uses {
            if let Some(window) = self.windows.windows.get_mut(*id) {
                let told = window.direct.load(used, &before);
                // Who increments a word does not wait for it.
                if !stores.iter().any(|store| used.is_increment_with(store)) {
                    history.learn(rank, &told);
                }
            }
        }
        let point = history.present(rank);
        let now = history.release(rank);
        for (id, used) in &uses {
            if let Some(window) = self.windows.windows.get_mut(*id) {
                window.direct.compare(used, (&now, point));
            }
        }
        let mut found = Vec::new();
        for (id, used) in uses {
            let Some(window) = self.windows.windows.get_mut(id) else { continue };
            found.extend(window.direct.found().into_iter().map(|pair| (id, pair)));
            window.direct.keep(used, (now.clone(), point));
            if window.direct.is_crowded() {
                let known = window.known_to_all(history);
                window.direct.forget(&known);
            }
        }
        found.into_iter().for_each(|(id, pair)| self.report_pair(id, pair));
    }

    /// Notes that some of what a rank does with the memory of windows is not seen: it may order what others do.
    pub(super) fn lose_sight(&mut self, rank: u32) {
        for window in self.windows.windows.iter_mut() {
            window.direct.is_blind |= window.rank_of(rank).is_some();
        }
    }

    /// Reports the races between direct uses of a window that are certain once all ranks have freed it.
    pub(super) fn end_direct(&mut self, id: WindowId) {
        let found = self.windows.get_mut(id).map(|window| window.direct.end());
        found.into_iter().flatten().for_each(|pair| self.report_pair(id, pair));
    }

    fn report_pair(&mut self, id: WindowId, [one, other]: Pair) {
        let Some(window) = self.windows.get(id) else { return };
        let side = |used: &Used| (window.number(used.rank), used.by, used.how.does());
        let (sides, owner) = ((side(&one), side(&other)), window.number(one.owner));
        self.report_accesses(sides.0, sides.1, owner, window_race::Order::Memory);
    }
}
