//! Many-to-one communication: bursts, and a server with its clients.

use super::{Builder, Feature, Spread};
use crate::plan::{Burst, Id, Maker, Service, Step, Style};

impl Builder {
    /// Returns an intracommunicator with several members.
    fn crowd(&mut self) -> Option<Id> {
        let several = |id: &Id| {
            let comm = &self.plan.comms[*id];
            comm.other.is_none() && comm.group.len() > 1
        };
        let crowds: Vec<Id> = self.live.iter().copied().filter(several).collect();
        if crowds.is_empty() { None } else { Some(self.pick(&crowds)) }
    }

    /// Returns some ranks other than `to`; each may occur several times.
    fn others(&mut self, comm: Id, to: u32) -> Vec<u32> {
        let size = self.plan.comms[comm].group.len() as u64;
        let count = self.range(1, 4);
        let other = |builder: &mut Self| (u64::from(to) + builder.range(1, size)) % size;
        (0..count).map(|_| other(self) as u32).collect()
    }

    /// Adds a many-to-one burst with `MPI_ANY_SOURCE`: in one step, or spread over several.
    pub(super) fn burst(&mut self) {
        let any_tag = self.on(Feature::Wildcards) && self.one_in(2);
        let Some(parent) = self.crowd() else { return };
        // With `MPI_ANY_TAG` no other message may be pending, so the burst gets a communicator of
        // its own.
        let comm = if any_tag { self.made(Maker::Duplicate(parent)) } else { parent };
        let to = self.below(self.plan.comms[comm].group.len() as u64) as u32;
        let from = self.others(comm, to);
        let tag = 1000 + self.plan.steps.len() as i32;
        let tags = from.iter().map(|_| if any_tag { self.below(3) as i32 } else { tag }).collect();
        let immediate = |on: bool| if on { Style::Immediate } else { Style::Blocking };
        let (send, receive) = (immediate(self.one_in(2)), immediate(self.one_in(2)));
        let (bytes, look) = (self.below(40), self.look());
        let burst = Burst { comm, to, from, tags, any_tag, bytes, send, receive, look };
        self.plan.bursts.push(burst);
        let id = self.plan.bursts.len() - 1;
        if !self.one_in(2) {
            self.push(Step::Burst(id));
            if any_tag {
                self.retire(comm);
            }
            return;
        }
        self.live.retain(|other| !any_tag || *other != comm);
        self.push(Step::Post(id));
        self.spread.push(Spread { id, sent: false });
    }

    /// Adds the next step of a burst that has started.
    pub(super) fn go_on(&mut self, at: usize) {
        let Spread { id, sent } = self.spread[at];
        if sent {
            self.spread.swap_remove(at);
            let how = self.how();
            self.push(Step::Drain(id, how));
            return;
        }
        self.spread[at].sent = true;
        self.push(Step::Flood(id));
        let Burst { comm, any_tag, .. } = self.plan.bursts[id];
        if any_tag {
            self.retire(comm);
        }
    }

    pub(super) fn service(&mut self) {
        let Some(comm) = self.crowd() else { return };
        let server = self.below(self.plan.comms[comm].group.len() as u64) as u32;
        let clients = self.others(comm, server);
        let tag = 2000 + 2 * self.plan.steps.len() as i32;
        let (bytes, look) = (self.range(1, 40), self.look());
        self.push(Step::Serve(Service { comm, server, clients, bytes, tag, look }));
    }
}
