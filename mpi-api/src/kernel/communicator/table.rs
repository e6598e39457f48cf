//! The table of communicators: one record for all members, found by number (MPI chapter 7).

use super::mapping::Mappings;
use crate::{
    call::{CommId, CommInfo},
    object::{cart::Cart, group::Group},
};

/// All communicators of a run.
pub(crate) struct Communicators {
    /// Number of ranks of the initial world.
    initial: u32,
    records: Vec<Record>,
    pub(in crate::kernel) mappings: Mappings,
    /// Number of derived datatypes made so far.
    pub(super) types_made: u32,
}

/// A communicator.
struct Record {
    /// The group of an intracommunicator; one of the groups of an intercommunicator.
    group: Group,
    /// The other group of an intercommunicator, and the union of both.
    other: Option<(Group, Group)>,
    cart: Option<Cart>,
}

/// The two ends of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ends {
    /// World rank of the receiver.
    pub(crate) target: u32,
    /// The sender's rank in the communicator.
    pub(crate) source_rank: u32,
}

impl Communicators {
    /// Returns the ends of a message that a member sends to `dest`, if there is such a rank.
    #[inline(always)]
    pub(crate) fn ends(&self, comm: CommId, dest: u32, caller: u32) -> Option<Ends> {
        if comm == CommId::WORLD {
            return (dest < self.initial).then_some(Ends { target: dest, source_rank: caller });
        }
        if dest >= self.peers(comm, caller) {
            return None;
        }
        let target = self.world_rank(comm, dest, caller);
        Some(Ends { target, source_rank: self.rank_in(comm, caller) })
    }

    pub(crate) fn new(size: u32) -> Self {
        // Number 1 stands for MPI_COMM_SELF, whose group depends on the rank that asks.
        let plain = |group| Record { group, other: None, cart: None };
        Self {
            initial: size,
            mappings: Mappings::default(),
            types_made: 0,
            records: vec![plain(Group::range(0, size)), plain(Group::range(0, 1))],
        }
    }

    fn record(&self, comm: CommId) -> &Record {
        &self.records[comm.0 as usize]
    }

    /// Returns the group of the communicator that a rank belongs to.
    pub(crate) fn group(&self, comm: CommId, rank: u32) -> Group {
        let record = self.record(comm);
        match &record.other {
            _ if comm == CommId::SELF => Group::range(rank, 1),
            Some((other, _)) if record.group.rank_of(rank).is_none() => other.clone(),
            _ => record.group.clone(),
        }
    }

    /// Returns the remote group of an intercommunicator, as a rank sees it.
    pub(crate) fn remote(&self, comm: CommId, rank: u32) -> Option<Group> {
        let record = self.record(comm);
        let (other, _) = record.other.as_ref()?;
        let first = record.group.rank_of(rank).is_some();
        Some(if first { other.clone() } else { record.group.clone() })
    }

    /// Returns all ranks that take part in collective operations.
    pub(crate) fn members(&self, comm: CommId, rank: u32) -> Group {
        match &self.record(comm).other {
            Some((_, both)) => both.clone(),
            None => self.group(comm, rank),
        }
    }

    pub(crate) fn is_inter(&self, comm: CommId) -> bool {
        self.record(comm).other.is_some()
    }

    /// Reports whether a member can send to, or receive from, this rank of a communicator.
    #[inline(always)]
    pub(crate) fn has_peer(&self, comm: CommId, peer: u32, caller: u32) -> bool {
        peer < if comm == CommId::WORLD { self.initial } else { self.peers(comm, caller) }
    }

    /// Returns the number of ranks that a member can send to.
    #[inline(never)]
    pub(crate) fn peers(&self, comm: CommId, caller: u32) -> u32 {
        if comm == CommId::WORLD {
            return self.initial;
        }
        let record = self.record(comm);
        match &record.other {
            Some((other, _)) if record.group.rank_of(caller).is_some() => other.size(),
            _ => record.group.size(),
        }
    }

    /// Returns the world rank of the peer that a member calls `rank`.
    #[inline]
    pub(crate) fn world_rank(&self, comm: CommId, rank: u32, caller: u32) -> u32 {
        match comm {
            CommId::WORLD => rank,
            CommId::SELF => caller,
            _ => {
                let record = self.record(comm);
                match &record.other {
                    Some((other, _)) if record.group.rank_of(caller).is_some() => {
                        other.world_rank(rank)
                    }
                    _ => record.group.world_rank(rank),
                }
            }
        }
    }

    /// Returns a member's own rank.
    #[inline]
    pub(crate) fn rank_in(&self, comm: CommId, world: u32) -> u32 {
        match comm {
            CommId::WORLD => world,
            CommId::SELF => 0,
            _ => {
                let record = self.record(comm);
                let local = record.group.rank_of(world);
                let other = record.other.as_ref();
                local
                    .or_else(|| other.and_then(|(other, _)| other.rank_of(world)))
                    .expect("a member of its communicator")
            }
        }
    }

    pub(crate) fn cart(&self, comm: CommId) -> Option<Cart> {
        self.record(comm).cart.clone()
    }

    pub(crate) fn add(&mut self, group: Group, cart: Option<Cart>) -> CommId {
        self.push(Record { group, other: None, cart })
    }

    pub(crate) fn add_inter(&mut self, group: Group, other: Group) -> CommId {
        let both = [&group, &other].map(Group::to_vec).concat();
        self.push(Record { group, other: Some((other, Group::list(both))), cart: None })
    }

    fn push(&mut self, record: Record) -> CommId {
        self.records.push(record);
        CommId(self.records.len() as u32 - 1)
    }

    pub(crate) fn info(&self, id: CommId, world: u32) -> CommInfo {
        CommInfo {
            id,
            rank: self.rank_in(id, world),
            group: self.group(id, world),
            remote: self.remote(id, world),
            cart: self.cart(id),
            neighbors: None,
        }
    }
}

pub(super) fn half(duration: sim_core::SimDuration) -> sim_core::SimDuration {
    sim_core::SimDuration::from_ps(duration.as_ps() / 2)
}
