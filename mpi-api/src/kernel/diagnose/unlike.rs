//! Collectives under way at a stall that were meant to be one: on different communicators, or called in
//! different manners.

use crate::{
    call::CommId,
    check::{communicator_mismatch::of_collectives, disagreement::Side},
    finding::Finding,
    kernel::{
        MpiKernel,
        collective::{
            instance::{First, Instance, Manner},
            key::Key,
        },
    },
};

/// Most collectives under way that are compared at a stall.
const OPEN_MAX: usize = 1024;

impl MpiKernel {
    /// Returns the collectives under way, in order.
    fn open_collectives(&self) -> Vec<(Key, &Instance)> {
        let open = self.collectives.instances().filter(|(_, shared)| shared.first.is_awaited());
        let mut open: Vec<(Key, &Instance)> = open.collect();
        open.sort_unstable_by_key(|(key, _)| *key);
        open
    }

    /// Returns whether no rank of the first collective has entered both, so that its ranks may have meant
    /// one operation. A rank that has entered both was not wrong in either.
    fn are_apart(&self, (key, one): &(Key, &Instance), other: Key) -> bool {
        let members = self.comms.members(CommId(key.comm), one.first.rank).to_vec();
        !members
            .into_iter()
            .any(|rank| self.has_entered(rank, *key) && self.has_entered(rank, other))
    }

    /// Finds a collective that ranks call on different communicators, so that each of them waits for
    /// the others.
    pub(super) fn unlike_communicators(&self) -> Option<Finding> {
        let open = self.open_collectives();
        if open.len() > OPEN_MAX {
            return None;
        }
        // Whether all ranks that one operation lacks are in another one.
        let lacks = |(key, one): &(Key, &Instance), other: &(Key, &Instance)| {
            let members = self.comms.members(CommId(key.comm), one.first.rank);
            let missing = members.size().saturating_sub(one.entered);
            let is_there =
                |rank: u32| self.has_entered(rank, *key) || self.has_entered(rank, other.0);
            // Who is in an operation of a group is not recorded.
            let counted = !key.is_of_group() && !other.0.is_of_group();
            (1..=other.1.entered).contains(&missing)
                && (!counted || members.to_vec().into_iter().all(is_there))
        };
        let has = |(key, one): &(Key, &Instance), rank: u32| {
            self.comms.members(CommId(key.comm), one.first.rank).rank_of(rank).is_some()
        };
        let side = |(_, one): &(Key, &Instance), has: String| {
            let First { rank, site, .. } = one.first;
            Side { rank, site, call: one.first.call(), has }
        };
        (0..open.len()).find_map(|at| {
            let one = &open[at];
            let meets = |other: &&(Key, &Instance)| {
                one.0.comm != other.0.comm
                    && one.1.first.kind == other.1.first.kind
                    && one.1.first.manner == other.1.first.manner
                    && has(one, other.1.first.rank)
                    && has(other, one.1.first.rank)
                    && (lacks(one, other) || lacks(other, one))
                    && self.are_apart(one, other.0)
            };
            let other = open[at + 1..].iter().find(meets)?;
            let both = [one, other];
            let shared = both.map(|(key, _)| self.shared(CommId(key.comm)));
            let makers = both.into_iter().filter_map(|(key, collective)| {
                self.maker(CommId(key.comm), collective.first.rank)
            });
            let names = both.map(|(key, collective)| (CommId(key.comm), collective.first.rank));
            let [mine, theirs] = self.communicators(names);
            Some(of_collectives((side(one, mine), side(other, theirs)), shared, makers))
        })
    }

    /// Finds a collective that some ranks of a communicator call as a persistent one and all others
    /// do not: the two never match.
    pub(super) fn mixed_manners(&self) -> Option<Finding> {
        let open = self.open_collectives();
        open.iter().find_map(|one| {
            let (key, first) = (one.0, &one.1.first);
            let all = self.comms.members(CommId(key.comm), first.rank).size();
            let meets = |(other, two): &&(Key, &Instance)| {
                other.comm == key.comm
                    && first.kind == two.first.kind
                    && first.manner == Manner::Persistent
                    && two.first.manner != Manner::Persistent
                    && one.1.entered + two.entered == all
                    && self.are_apart(one, *other)
            };
            open.iter().find(meets).map(|(_, two)| self.manners_differ(&two.first, first))
        })
    }
}
