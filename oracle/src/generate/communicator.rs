//! Random communicators: constructed, used and freed.

use super::{Builder, Feature};
use crate::plan::{Comm, Id, Maker, Step};

/// Most communicators besides the world communicator and the self communicators.
const MADE_MAX: usize = 6;

impl Builder {
    pub(super) fn communicator(&mut self) {
        let made: Vec<Id> = self.live.iter().copied().filter(|id| self.is_made(*id)).collect();
        if !made.is_empty() && self.one_in(3) {
            let id = self.pick(&made);
            let pending = self.halves.iter().any(|half| self.plan.messages[half.id].comm == id);
            let spread = self.spread.iter().any(|one| self.plan.bursts[one.id].comm == id);
            if !pending && !spread {
                self.retire(id);
            }
            return;
        }
        if self.plan.comms.len() > self.plan.ranks as usize + MADE_MAX {
            return;
        }
        if self.on(Feature::Intercommunicators) && self.one_in(2) && self.bridge() {
            return;
        }
        let live = self.live.clone();
        let parent = if self.one_in(2) { 0 } else { self.pick(&live) };
        let inter = self.plan.comms[parent].other.is_some();
        let members = self.plan.comms[parent].group.clone();
        match self.below(5) {
            0 => {
                self.made(Maker::Duplicate(parent));
            }
            1 => {
                self.made(Maker::ImmediateDuplicate(parent));
            }
            2 if inter => {
                let high = self.one_in(2);
                self.made(Maker::Merge(parent, [high, !high]));
            }
            3 if !inter => {
                let group = self.subset(&members);
                self.made(Maker::Create(parent, group));
            }
            4 if !inter => {
                let group = self.subset(&members);
                let tag = self.below(5) as i32;
                self.made(Maker::CreateGroup(parent, group, tag));
            }
            _ if !inter => self.split(parent, &members),
            _ => {}
        }
    }

    fn is_made(&self, id: Id) -> bool {
        id > self.plan.ranks as usize
    }

    /// Returns some of the members in any order.
    fn subset(&mut self, members: &[u32]) -> Vec<u32> {
        let mut group = members.to_vec();
        self.shuffle(&mut group);
        let count = self.range(1, group.len() as u64 + 1) as usize;
        group.truncate(count);
        group
    }

    fn split(&mut self, parent: Id, members: &[u32]) {
        let colors = self.range(1, 4);
        let place = |builder: &mut Self| {
            let color = builder.below(colors + 1) as u32;
            let color = if color == 0 && builder.one_in(2) { None } else { Some(color) };
            (color, builder.below(3) as i32 - 1)
        };
        let places: Vec<(Option<u32>, i32)> = members.iter().map(|_| place(self)).collect();
        let mut made = Vec::new();
        for color in 0..=colors as u32 {
            let of_color = |at: &usize| places[*at].0 == Some(color);
            let mut chosen: Vec<usize> = (0..members.len()).filter(of_color).collect();
            chosen.sort_by_key(|at| places[*at].1);
            if !chosen.is_empty() {
                let group = chosen.into_iter().map(|at| members[at]).collect();
                made.push(self.register(Comm { group, other: None }));
            }
        }
        self.push(Step::Make(Maker::Split(parent, places), made));
    }

    /// Adds an intercommunicator between two communicators without common members. Returns false if
    /// there are none.
    fn bridge(&mut self) -> bool {
        let intra: Vec<Id> = self
            .live
            .iter()
            .copied()
            .filter(|id| *id > 0 && self.plan.comms[*id].other.is_none())
            .collect();
        let (one, two) = (self.pick(&intra), self.pick(&intra));
        let (a, b) = (self.plan.comms[one].clone(), self.plan.comms[two].clone());
        if a.group.iter().any(|world| b.group.contains(world)) {
            return false;
        }
        let leaders = [a, b].map(|comm| self.below(comm.group.len() as u64) as u32);
        self.made(Maker::Bridge([one, two], leaders, 0));
        true
    }

    /// Adds the construction of a single communicator.
    pub(super) fn made(&mut self, maker: Maker) -> Id {
        let comms = &self.plan.comms;
        let comm = match &maker {
            Maker::Duplicate(parent)
            | Maker::ImmediateDuplicate(parent)
            | Maker::Topology(parent, _) => comms[*parent].clone(),
            Maker::Create(_, group) | Maker::CreateGroup(_, group, _) => {
                Comm { group: group.clone(), other: None }
            }
            Maker::Bridge(locals, ..) => {
                let [group, other] = locals.map(|id| comms[id].group.clone());
                Comm { group, other: Some(other) }
            }
            Maker::Merge(inter, high) => {
                let low = usize::from(high[0]);
                let group = [comms[*inter].side(low), comms[*inter].side(1 - low)].concat();
                Comm { group, other: None }
            }
            Maker::Split(..) => unreachable!("a split makes several"),
        };
        let id = self.register(comm);
        self.push(Step::Make(maker, vec![id]));
        id
    }

    fn register(&mut self, comm: Comm) -> Id {
        self.plan.comms.push(comm);
        self.live.push(self.plan.comms.len() - 1);
        self.plan.comms.len() - 1
    }

    /// Adds the freeing of a communicator by its members; pending operations on it continue.
    pub(super) fn retire(&mut self, id: Id) {
        self.live.retain(|other| *other != id);
        self.push(Step::Free(id));
    }
}
