//! Construction and freeing of communicators.

use mpi_api::{
    call::{CommCall, CommInfo, Completing, ErrorCall, Reply, RequestCall},
    error::ErrorHandler,
    object::group::Group,
};

use super::Rank;
use crate::{
    plan::{Id, Maker},
    values::{Record, Slot},
};

impl Rank<'_> {
    pub(super) fn make(&mut self, maker: &Maker, made: &[Id]) {
        let plan = self.plan;
        let place = |id: &Id| plan.comms[*id].place(self.me);
        let operation = match maker {
            Maker::Duplicate(parent) | Maker::ImmediateDuplicate(parent) => {
                if place(parent).is_none() {
                    return;
                }
                CommCall::Duplicate(self.comm(*parent))
            }
            Maker::Split(parent, places) => {
                let Some((_, rank)) = place(parent) else { return };
                let (color, key) = places[rank as usize];
                let comm = self.comm(*parent);
                CommCall::Split { comm, color, key, cart: None, blueprint: None }
            }
            Maker::Topology(parent, _) => {
                let Some((_, rank)) = place(parent) else { return };
                let (comm, color, key) = (self.comm(*parent), Some(0), rank as i32);
                CommCall::Split { comm, color, key, cart: None, blueprint: None }
            }
            Maker::Create(parent, group) => {
                if place(parent).is_none() {
                    return;
                }
                CommCall::Create(self.comm(*parent), Group::list(group.clone()))
            }
            Maker::CreateGroup(parent, group, tag) => {
                if !group.contains(&self.me) {
                    return;
                }
                let group = Group::list(group.clone());
                CommCall::CreateFromGroup(self.comm(*parent), group, *tag)
            }
            Maker::Bridge(locals, leaders, peer) => {
                let Some(side) = locals.iter().position(|id| place(id).is_some()) else { return };
                let there = plan.comms[locals[1 - side]].group[leaders[1 - side] as usize];
                let (_, remote) = plan.comms[*peer].place(there).expect("both leaders are in it");
                let is_leader = place(&locals[side]) == Some((0, leaders[side]));
                CommCall::CreateInter {
                    comm: self.comm(locals[side]),
                    local_leader: leaders[side],
                    peer: is_leader.then(|| (self.comm(*peer), remote)),
                    tag: 9,
                }
            }
            Maker::Merge(inter, high) => {
                let Some((side, _)) = place(inter) else { return };
                CommCall::MergeInter(self.comm(*inter), high[side])
            }
        };
        let info = match (maker, operation) {
            (Maker::ImmediateDuplicate(parent), _) => {
                let request = self.request(CommCall::StartDuplicate(self.comm(*parent)));
                let wait = RequestCall::Wait(vec![request], Completing::Any);
                let Reply::Completions(mut ends) = self.call(wait) else { panic!("a completion") };
                let made = ends.swap_remove(0).1.comm;
                // The parent may have another error handler by now, so the program sets it again.
                if let Some(made) = &made {
                    self.call(ErrorCall::SetHandler(made.id, ErrorHandler::Fatal));
                }
                made
            }
            (_, operation) => match self.call(operation) {
                Reply::Comm(info) => info,
                other => panic!("{other:?} instead of a communicator"),
            },
        };
        self.note(made, info.as_deref());
    }

    /// Stores the communicator that this rank is in, and records what MPI reports about it.
    fn note(&mut self, made: &[Id], info: Option<&CommInfo>) {
        let mine = made.iter().find(|id| self.plan.comms[**id].place(self.me).is_some());
        assert_eq!(mine.is_some(), info.is_some(), "a communicator for its members alone");
        let (Some(id), Some(info)) = (mine, info) else { return };
        self.comms.insert(*id, info.id);
        let mut told = vec![info.rank];
        told.extend(info.group.to_vec());
        if let Some(remote) = &info.remote {
            told.push(u32::MAX);
            told.extend(remote.to_vec());
        }
        let bytes = told.into_iter().flat_map(u32::to_le_bytes).collect();
        self.record((self.me, Slot::Comm(*id), 0), Record { bytes, status: None });
    }
}
