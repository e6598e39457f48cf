//! Communicators: one record for all members, found by number (MPI chapter 6).

use crate::{
    call::{CollectiveCall, CollectiveKind, CommId, CommInfo, Counts, ErrorHandler, Reply, Site},
    object::{
        cart::Cart,
        group::Group,
        signature::{Primitive, Signature},
    },
};

use super::{MpiKernel, Sched, receive::FREE};

/// All communicators of a run.
pub(crate) struct Communicators {
    groups: Vec<Group>,
    carts: Vec<Option<Cart>>,
}

/// What the ranks of one collective operation share.
pub(crate) struct Instance {
    /// The first rank to enter, with its call: what the others are compared with.
    pub(crate) first: (u32, Site, CollectiveKind, u32, Option<String>, Signature),
    pub(crate) entered: u32,
    pub(crate) left: u32,
    /// Executions held at the gate until everybody has entered.
    pub(crate) gate: Vec<u32>,
    /// Colour and key of each rank that entered a split, by rank.
    pub(crate) splits: Vec<(u32, Option<u32>, i32)>,
    /// Topology of the result.
    pub(crate) cart: Option<Cart>,
    /// Communicator of each colour, once made.
    pub(crate) made: Vec<(Option<u32>, CommId)>,
}

impl Communicators {
    pub(crate) fn new(size: u32) -> Self {
        // Number 1 stands for MPI_COMM_SELF, whose group depends on who asks.
        let world = Group::range(0, size);
        Self { groups: vec![world, Group::range(0, 1)], carts: vec![None, None] }
    }

    pub(crate) fn group(&self, comm: CommId, rank: u32) -> Group {
        if comm == CommId::SELF {
            Group::range(rank, 1)
        } else {
            self.groups[comm.0 as usize].clone()
        }
    }

    pub(crate) fn size(&self, comm: CommId) -> u32 {
        self.groups[comm.0 as usize].size()
    }

    pub(crate) fn world_rank(&self, comm: CommId, rank: u32, caller: u32) -> u32 {
        match comm {
            CommId::WORLD => rank,
            CommId::SELF => caller,
            _ => self.groups[comm.0 as usize].world_rank(rank),
        }
    }

    pub(crate) fn rank_in(&self, comm: CommId, world: u32) -> u32 {
        match comm {
            CommId::WORLD => world,
            CommId::SELF => 0,
            _ => self.groups[comm.0 as usize].rank_of(world).expect("a member of its communicator"),
        }
    }

    fn add(&mut self, group: Group, cart: Option<Cart>) -> CommId {
        self.groups.push(group);
        self.carts.push(cart);
        CommId(self.groups.len() as u32 - 1)
    }

    fn info(&self, id: CommId, world: u32) -> CommInfo {
        let group = self.group(id, world);
        CommInfo {
            id,
            rank: self.rank_in(id, world),
            group,
            cart: self.carts[id.0 as usize].clone(),
        }
    }
}

impl MpiKernel {
    /// The world as one rank sees it.
    pub fn world(&self, rank: u32) -> CommInfo {
        self.comms.info(CommId::WORLD, rank)
    }

    pub(crate) fn duplicate(&mut self, rank: u32, comm: CommId, s: &mut Sched) {
        let call = synchronising(comm, CollectiveKind::CommDup);
        self.enter_collective(rank, call, Some((Some(0), 0, None)), s);
    }

    pub(crate) fn split(
        &mut self,
        rank: u32,
        comm: CommId,
        (color, key): (Option<u32>, i32),
        cart: Option<Cart>,
        s: &mut Sched,
    ) {
        let call = synchronising(comm, CollectiveKind::CommSplit);
        self.enter_collective(rank, call, Some((color, key, cart)), s);
    }

    /// The communicator a rank gets out of a dup or split that has run.
    pub(crate) fn made_comm(
        &mut self,
        comm: CommId,
        instance: (u32, u32),
        rank: u32,
        color: Option<u32>,
    ) -> Option<CommInfo> {
        color?;
        let shared = self.instances.get_mut(&instance).expect("the instance lives until all left");
        let known = shared.made.iter().find(|(c, _)| *c == color).map(|(_, id)| *id);
        let id = match known {
            Some(id) => id,
            None => {
                let duplicate = shared.first.2 == CollectiveKind::CommDup;
                let (group, cart) = if duplicate {
                    let parent = comm.0 as usize;
                    (self.comms.group(comm, rank), self.comms.carts[parent].clone())
                } else {
                    let mut members: Vec<(i32, u32)> = shared
                        .splits
                        .iter()
                        .filter(|(_, c, _)| *c == color)
                        .map(|(member, _, key)| (*key, *member))
                        .collect();
                    members.sort_unstable();
                    let world: Vec<u32> = members
                        .iter()
                        .map(|(_, member)| self.comms.world_rank(comm, *member, rank))
                        .collect();
                    (Group::list(world), shared.cart.clone())
                };
                let id = self.comms.add(group, cart);
                self.instances
                    .get_mut(&instance)
                    .expect("the instance lives until all left")
                    .made
                    .push((color, id));
                id
            }
        };
        let site = self.ranks[rank as usize].site;
        self.ranks[rank as usize].comms.push((id.0, site));
        Some(self.comms.info(id, rank))
    }

    /// Local: marks the communicator as freed by this rank. Pending operations go on.
    pub(crate) fn free_comm(&mut self, rank: u32, comm: CommId, s: &mut Sched) {
        self.ranks[rank as usize].comms.retain(|(id, _)| *id != comm.0);
        let now = s.now();
        self.answer(rank, now, FREE, Reply::Done, s);
    }

    pub(crate) fn set_handler(
        &mut self,
        rank: u32,
        comm: CommId,
        handler: ErrorHandler,
        s: &mut Sched,
    ) {
        let handlers = &mut self.ranks[rank as usize].handlers;
        handlers.retain(|(id, _)| *id != comm.0);
        handlers.push((comm.0, handler));
        let now = s.now();
        self.answer(rank, now, FREE, Reply::Done, s);
    }

    pub(crate) fn create_type(&mut self, rank: u32, s: &mut Sched) {
        let id = self.types_made;
        self.types_made += 1;
        let state = &mut self.ranks[rank as usize];
        state.types.push((id, state.site));
        let cost = half(self.settings.costs.datatype);
        let now = s.now();
        self.answer(rank, now, cost, Reply::Object(id), s);
    }

    pub(crate) fn commit_type(&mut self, rank: u32, s: &mut Sched) {
        let cost = half(self.settings.costs.datatype);
        let now = s.now();
        self.answer(rank, now, cost, Reply::Done, s);
    }

    pub(crate) fn free_type(&mut self, rank: u32, id: u32, s: &mut Sched) {
        self.ranks[rank as usize].types.retain(|(known, _)| *known != id);
        let now = s.now();
        self.answer(rank, now, FREE, Reply::Done, s);
    }
}

fn half(duration: sim_core::SimDuration) -> sim_core::SimDuration {
    sim_core::SimDuration::from_ps(duration.as_ps() / 2)
}

fn synchronising(comm: CommId, kind: CollectiveKind) -> CollectiveCall {
    CollectiveCall {
        comm,
        kind,
        root: 0,
        reduction: None,
        input: Vec::new(),
        send: Counts::None,
        receive: Counts::None,
        signature: Signature::of(Primitive::Byte, 0),
    }
}
