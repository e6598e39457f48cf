//! Looks for stores of ranks to memory that others access: in executions whose accesses are late, where
//! they show most often.

use super::{
    recorded::what,
    shadow::{Seen, Shadow},
};
use crate::{
    call::{Reply, WindowId},
    check::window_race,
    finding::CallSite,
    kernel::{MpiKernel, Sched, transport::receive::FREE},
    settings::OneSided,
    window_memory::{self, WindowMemory},
};

impl MpiKernel {
    /// Copies the memory of a rank: an epoch begins in which others may access it.
    pub(super) fn begin_shadow(&mut self, (id, me): (WindowId, u32)) {
        if self.settings.one_sided != OneSided::Late {
            return;
        }
        if let Some(window) = self.windows.get_mut(id) {
            let shadow = window.part(me).and_then(Shadow::of);
            window.member(me).shadow = shadow;
        }
    }

    /// Ends the epoch of a rank: bytes that were accessed have to be as the accesses left them.
    pub(super) fn end_shadow(&mut self, (id, me): (WindowId, u32), exposure: bool) {
        let Some(window) = self.windows.get_mut(id) else { return };
        let Some(shadow) = window.member(me).shadow.take() else { return };
        let Some(part) = window.part(me) else { return };
        let changed = |memory: &dyn WindowMemory| shadow.changed(memory).cloned();
        if let Some(seen) = window_memory::with(part.memory, changed).flatten() {
            let other = shadow.written_with(&seen);
            let (target, seen) = (window.number(me), (window.number(seen.origin), seen));
            self.report_store(target, seen, other, exposure);
        }
    }

    /// Notes that the accesses of one more rank are complete in a fence. With the last rank, the epoch
    /// before the fence ends for all.
    pub(super) fn end_fenced(&mut self, id: WindowId) {
        let Some(window) = self.windows.get_mut(id) else { return };
        window.fenced += 1;
        let size = window.group.size();
        if window.fenced == size {
            window.fenced = 0;
            (0..size).for_each(|rank| self.end_shadow((id, rank), false));
        }
    }

    /// Begins the epoch after a fence: the rank has stored the results of its accesses.
    pub(super) fn settled(&mut self, rank: u32, at: (WindowId, u32), s: &mut Sched) {
        self.begin_shadow(at);
        let now = s.now();
        self.answer(rank, now, FREE, Reply::Done, s);
    }

    /// Reports that bytes of the window of a rank have changed that an access of another rank uses: by `other`, an access
    /// through another window on the same memory, or else by a store of the rank.
    pub(super) fn report_store(
        &mut self,
        target: u32,
        (origin, seen): (u32, Seen),
        other: Option<Seen>,
        exposure: bool,
    ) {
        let place = |origin: u32, Seen { by, action, .. }: Seen| {
            let label = window_race::label(origin, target, what(&action));
            CallSite::of(origin, by, label)
        };
        let site = place(origin, seen);
        let order = if exposure { window_race::Order::Exposure } else { window_race::Order::Fence };
        self.journal.findings.add(match other {
            Some(other) => window_race::through_windows([place(other.origin, other), site], target),
            None => window_race::of_store(site, target, order),
        });
    }
}
