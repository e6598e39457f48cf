//! Checks that ranks agree on the edges of a graph (MPI section 8.5.4), once all of them have entered the first collective
//! operation along these.

use std::collections::BTreeMap;

use crate::{
    call::{CommId, Site},
    check::{argument_mismatch, disagreement::Side},
    finding::CallSite,
    kernel::{MpiKernel, Sched, collective::blocks::Sides},
    object::group::Group,
};

/// An edge that its ranks give differently: from, to, how often it leaves and how often it arrives.
type Unlike = (u32, u32, [u32; 2]);

impl MpiKernel {
    /// Reports whether two ranks disagree on the edges between them; then the run has ended. The edges of a communicator
    /// are compared once.
    pub(super) fn edges_differ(
        &mut self,
        comm: CommId,
        members: &Group,
        sides: &[Sides],
        s: &mut Sched,
    ) -> bool {
        let by_list = |side: &Sides| side.neighbors.as_ref().is_some_and(|own| !own.cartesian);
        // Some ranks may not have described their data, and with them their neighbours.
        let is_known = sides.len() == members.size() as usize && sides.iter().all(by_list);
        if !is_known || !self.collectives.compared.insert(comm.0) {
            return false;
        }
        let Some((from, to, [leaves, arrives])) = unlike(members, sides) else { return false };
        let [from, to] = [from, to].map(|place| members.world_rank(place));
        let side = |rank: u32, has: String| {
            let made = self.ranks[rank as usize].rest.comms.get(&comm.0).copied();
            let own = sides.iter().find(|side| side.rank == rank).map(|side| side.site);
            let site = made.or(own).unwrap_or(Site::NOWHERE);
            Side { rank, site, call: site.call_or("create"), has }
        };
        let me = side(from, argument_mismatch::edges(leaves, "to", to));
        let other = side(to, argument_mismatch::edges(arrives, "from", from));
        let used = sides.iter().find(|side| side.rank == to).map(|side| {
            CallSite::at(to, side.site, "neighbourhood collective", argument_mismatch::ALONG.into())
        });
        self.fail(argument_mismatch::of_edges(me, other, used), s);
        true
    }
}

/// Returns the first edge that its ranks give differently.
fn unlike(members: &Group, sides: &[Sides]) -> Option<Unlike> {
    let mut edges: BTreeMap<(u32, u32), [u32; 2]> = BTreeMap::new();
    for side in sides {
        let (Some(me), Some(own)) = (members.rank_of(side.rank), side.neighbors.as_ref()) else {
            continue;
        };
        for to in own.destinations.iter().flatten() {
            edges.entry((me, *to)).or_default()[0] += 1;
        }
        for from in own.sources.iter().flatten() {
            edges.entry((*from, me)).or_default()[1] += 1;
        }
    }
    let found = edges.into_iter().find(|(_, [leaves, arrives])| leaves != arrives);
    found.map(|((from, to), counts)| (from, to, counts))
}
