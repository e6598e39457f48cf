//! Checks that ranks that construct a communicator together give the same arguments (MPI sections
//! 7.4, 7.6 and 8.5).
//!
//! The blueprint of a split is compared with that of the first rank. Groups are compared once all
//! ranks have given theirs: ranks of different groups may give different ones. Where the arguments
//! themselves decide which ranks meet, ranks with different arguments never meet; this shows as a
//! stall.

use std::rc::Rc;

use crate::{
    call::{CommId, Management, Site},
    check::{
        argument_mismatch, collective_mismatch,
        disagreement::Side,
        root_mismatch::{self, leader, remote_leader},
    },
    finding::Finding,
    kernel::{
        MpiKernel, Sched,
        collective::{
            agreement::{ConstructionArguments, Half},
            compare_edges::unlike_neighbors,
            key::Key,
        },
    },
    object::{blueprint::Blueprint, group::Group},
};

fn split_name(parts: Option<&Blueprint>) -> &'static str {
    parts.map_or(Management::CommSplit.name(), Blueprint::call)
}

/// Returns the members of a group as text, only the first ones if there are many.
fn members_text(group: &Group) -> String {
    match group.to_vec().as_slice() {
        [] => "an empty group".into(),
        [one] => format!("the group of rank {one}"),
        many => {
            let shown: Vec<String> = many.iter().take(6).map(u32::to_string).collect();
            let more = many.len().saturating_sub(6);
            let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("the group of ranks {}{rest}", shown.join(", "))
        }
    }
}

/// Returns two groups as text, with the first difference if the texts would otherwise be equal.
fn group_texts(mine: &Group, theirs: &Group) -> [String; 2] {
    let (texts, both) = ([mine, theirs].map(members_text), mine.size().min(theirs.size()));
    if texts[0] != texts[1] {
        return texts;
    }
    let at = (0..both).find(|at| mine.world_rank(*at) != theirs.world_rank(*at));
    let at = at.unwrap_or(both.saturating_sub(1));
    [mine, theirs].map(|group| {
        format!("a group of {} with rank {} at place {at}", group.size(), group.world_rank(at))
    })
}

impl MpiKernel {
    /// Records a rank's construction arguments. True when ranks give different ones; then the run
    /// has ended.
    pub(super) fn enter_agreement(
        &mut self,
        (rank, site): (u32, Site),
        (key, comm): (Key, CommId),
        given: &ConstructionArguments,
        s: &mut Sched,
    ) -> bool {
        let all = self.comms.members(comm, rank).size();
        let shared =
            self.collectives.instances.get_mut(&key).expect("an instance that was entered");
        if let ConstructionArguments::Parts(Some(parts)) = given
            && let Blueprint::DistributedGraph { adjacent: Some(own), .. } = &**parts
        {
            shared.agreement.neighbors.push((rank, site, Rc::clone(own)));
        }
        let neighbors = (shared.entered == all && !shared.agreement.neighbors.is_empty())
            .then(|| std::mem::take(&mut shared.agreement.neighbors));
        let found = match given {
            ConstructionArguments::Nothing => None,
            ConstructionArguments::Parts(parts) if shared.entered == 1 => {
                shared.agreement.parts.clone_from(parts);
                None
            }
            ConstructionArguments::Parts(parts) => {
                let first = (shared.first.rank, shared.first.site);
                parts_differ(
                    (rank, site),
                    parts.as_deref(),
                    first,
                    shared.agreement.parts.as_deref(),
                )
            }
            ConstructionArguments::Group(group) => {
                shared.agreement.groups.push((rank, site, group.clone()));
                let complete = shared.entered == all;
                let groups = complete.then(|| std::mem::take(&mut shared.agreement.groups));
                groups.and_then(|groups| self.groups_differ(comm, groups))
            }
            ConstructionArguments::High(high) => {
                let side = self.comms.group(comm, rank);
                let (me, highs) = ((rank, site, *high), &mut shared.agreement.highs);
                match highs.iter().find(|other| side.rank_of(other.0).is_some()) {
                    Some(first) => (first.2 != *high).then(|| unlike_order(me, *first)),
                    None => {
                        highs.push(me);
                        None
                    }
                }
            }
        };
        let members = || self.comms.members(comm, rank);
        let found = found.or_else(|| unlike_neighbors(&members(), &neighbors?));
        let differ = found.is_some();
        found.into_iter().for_each(|finding| self.fail(finding, s));
        differ
    }

    /// Finds a rank whose group differs from that of a rank it has to agree with: any member of its
    /// group, or, for an intercommunicator, every rank of its own side.
    fn groups_differ(&self, comm: CommId, mut given: Vec<(u32, Site, Group)>) -> Option<Finding> {
        given.sort_unstable_by_key(|(rank, ..)| *rank);
        let of = |rank: u32| {
            let at = given.binary_search_by_key(&rank, |(rank, ..)| *rank);
            &given[at.expect("a member of the communicator has entered")]
        };
        let between = self.comms.is_inter(comm);
        let differs = |one: &(u32, Site, Group), rank: u32| {
            let other = of(rank);
            (one.2 != other.2).then(|| unlike_groups(other, one))
        };
        let leader = |(rank, _, group): &(u32, Site, Group)| match group.size() {
            _ if between => Some(self.comms.group(comm, *rank).world_rank(0)),
            0 => None,
            _ => Some(group.world_rank(0)),
        };
        let with_leader = |one| leader(one).and_then(|leader| differs(one, leader));
        let with_members = |one: &(u32, Site, Group)| {
            let leads = !between && leader(one) == Some(one.0);
            leads.then(|| one.2.to_vec().into_iter().find_map(|rank| differs(one, rank)))?
        };
        given.iter().find_map(with_leader).or_else(|| given.iter().find_map(with_members))
    }

    /// At a stall, finds ranks that wait for each other in the construction of a communicator but
    /// whose arguments keep them from meeting.
    pub(crate) fn unlike_makings(&self) -> Option<Finding> {
        self.unlike_group_makings().or_else(|| self.unlike_halves())
    }

    /// Finds members that construct a communicator of a group with different tags or different
    /// groups.
    fn unlike_group_makings(&self) -> Option<Finding> {
        let making = |kind| kind == Management::CommCreateGroup.into();
        let mut open: Vec<(u32, Key)> = self
            .collectives
            .executions
            .iter()
            .filter(|(_, e)| making(e.kind) && e.gated)
            .map(|(_, e)| (e.rank, e.instance))
            .collect();
        open.sort_unstable();
        // Several threads of a rank may be in such a construction.
        let of = |rank: u32| {
            let from = open.partition_point(|(other, _)| *other < rank);
            open[from..].iter().take_while(move |(other, _)| *other == rank).map(|(_, key)| *key)
        };
        let lonely = |(rank, key): &(u32, Key)| {
            let (tag, group) = self.group_of_key(*key)?;
            let met = group.to_vec().into_iter().find_map(|other| {
                let its = of(other).find(|its| its.comm == key.comm && its != key)?;
                self.group_of_key(its)?.1.rank_of(*rank).map(|_| (other, its))
            });
            let (other, its) = met?;
            let (its_tag, its_group) = self.group_of_key(its)?;
            let [mine, theirs] = if group == its_group {
                [tag, its_tag].map(argument_mismatch::group_tag)
            } else {
                group_texts(group, its_group)
            };
            let side = |rank: u32, has| self.present_side(rank, has);
            Some(argument_mismatch::of_members(side(other, theirs), side(*rank, mine)))
        };
        open.iter().find_map(lonely)
    }

    /// Finds leaders of two groups that would meet if they gave the same tag and named each other.
    fn unlike_halves(&self) -> Option<Finding> {
        let mut open: Vec<Half> = self
            .collectives
            .instances
            .iter()
            .filter(|(_, shared)| shared.made.is_empty())
            .filter_map(|(key, shared)| {
                let (leader, peer, remote, tag) = shared.bridge?;
                let remote = self.comms.world_rank(peer, remote, leader);
                Some(Half { key: *key, leader, peer, remote, tag })
            })
            .collect();
        open.sort_unstable_by_key(|half| half.key);
        let names = |one: &Half, other: &Half| {
            let group = self.comms.group(CommId(other.key.comm), other.leader);
            group.rank_of(one.remote).is_some()
        };
        open.iter().find_map(|one| {
            let meant = |two: &&Half| two.key > one.key && names(one, two) && names(two, one);
            open.iter().find(meant).map(|two| self.halves_differ(one, two))
        })
    }

    /// Explains why two halves do not meet that are meant for each other.
    fn halves_differ(&self, one: &Half, two: &Half) -> Finding {
        let side = |rank: u32, has| self.present_side(rank, has);
        if one.remote != two.leader {
            let (mine, theirs) = (remote_leader(one.remote), leader(two.leader));
            return root_mismatch::of_leaders(side(two.leader, theirs), side(one.leader, mine));
        }
        if two.remote != one.leader {
            let (mine, theirs) = (leader(one.leader), remote_leader(two.remote));
            return root_mismatch::of_leaders(side(two.leader, theirs), side(one.leader, mine));
        }
        let [mine, theirs] = if one.peer == two.peer {
            [one, two].map(|half| argument_mismatch::tag(half.tag))
        } else {
            argument_mismatch::peer_communicators()
        };
        argument_mismatch::of_leaders(side(two.leader, theirs), side(one.leader, mine))
    }

    fn present_side(&self, rank: u32, has: String) -> Side {
        let state = &self.ranks[rank as usize];
        Side { rank, site: state.site, call: state.call, has }
    }
}

fn unlike_groups(me: &(u32, Site, Group), other: &(u32, Site, Group)) -> Finding {
    let [mine, theirs] = group_texts(&me.2, &other.2);
    let call = |site: Site| site.call_or(Management::CommCreate.name());
    let side = |one: &(u32, Site, Group), has| {
        let (rank, site, _) = *one;
        Side { rank, site, call: call(site), has }
    };
    argument_mismatch::of_groups(side(me, mine), side(other, theirs))
}

/// Returns the finding that two ranks of one side of an intercommunicator want it in another order.
fn unlike_order(me: (u32, Site, bool), other: (u32, Site, bool)) -> Finding {
    let side = |(rank, site, high): (u32, Site, bool)| {
        let has = if high { "high = true" } else { "high = false" };
        Side { rank, site, call: site.call_or(Management::IntercommMerge.name()), has: has.into() }
    };
    argument_mismatch::of_order(side(me), side(other))
}

/// Returns the finding that two ranks split a communicator by different functions or with different
/// arguments, if they do.
fn parts_differ(
    me: (u32, Site),
    mine: Option<&Blueprint>,
    first: (u32, Site),
    theirs: Option<&Blueprint>,
) -> Option<Finding> {
    let agree = match (mine, theirs) {
        (Some(mine), Some(theirs)) => mine.agrees(theirs),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    };
    if agree {
        return None;
    }
    let calls =
        [(me.1, mine), (first.1, theirs)].map(|(site, parts)| site.call_or(split_name(parts)));
    let side = |(rank, site), call, has| Side { rank, site, call, has };
    let difference = mine.zip(theirs).and_then(|(mine, theirs)| mine.difference(theirs));
    let Some((mine, theirs)) = difference else {
        let [me, first] = [(me, calls[0]), (first, calls[1])]
            .map(|(whom, call)| side(whom, call, call.to_string()));
        return Some(collective_mismatch::functions(me, first));
    };
    let (me, first) = (side(me, calls[0], mine), side(first, calls[1], theirs));
    Some(argument_mismatch::of_topology(me, first))
}
