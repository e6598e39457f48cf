//! Checks that ranks agree on the edges of a graph (MPI sections 8.5.4 and 8.6): of a distributed graph when it is created,
//! of others once all ranks have entered the first collective operation along the edges.

use std::rc::Rc;

use crate::{
    call::{CommId, Site},
    check::{argument_mismatch, disagreement::Side},
    finding::{CallSite, Finding},
    kernel::{MpiKernel, Sched, collective::blocks::Sides},
    object::{
        graph::{Adjacency, WeightedEdge},
        group::Group,
    },
};

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
        let Some(Difference { edge, leaves, arrives }) = unlike(members, sides) else {
            return false;
        };
        let [from, to] = <[u32; 2]>::from(edge).map(|place| members.world_rank(place));
        let [leaves, arrives] = [leaves, arrives].map(|weights| weights.len() as u32);
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

/// Returns the first edge that its ranks give differently, in a collective operation.
fn unlike(members: &Group, sides: &[Sides]) -> Option<Difference> {
    let mut edges = Edges::default();
    for side in sides {
        let (Some(me), Some(own)) = (members.rank_of(side.rank), side.neighbors.as_ref()) else {
            continue;
        };
        edges.leaves.extend(own.destinations.iter().flatten().map(|to| (me, *to, 0)));
        edges.arrives.extend(own.sources.iter().flatten().map(|from| (*from, me, 0)));
    }
    edges.difference()
}

/// The edges of a graph with their weights, as the ranks that they leave and those at which they arrive give them.
#[derive(Default)]
struct Edges {
    leaves: Vec<WeightedEdge>,
    arrives: Vec<WeightedEdge>,
}

/// The first edge that its ranks give differently: its ends, and the weights that either rank gives, once for each time.
struct Difference {
    edge: (u32, u32),
    leaves: Vec<u32>,
    arrives: Vec<u32>,
}

impl Edges {
    fn difference(mut self) -> Option<Difference> {
        self.leaves.sort_unstable();
        self.arrives.sort_unstable();
        if self.leaves == self.arrives {
            return None;
        }
        let both = self.leaves.iter().zip(&self.arrives);
        let at = both.take_while(|(one, other)| one == other).count();
        let ends = |(from, to, _): &WeightedEdge| (*from, *to);
        let first = [&self.leaves, &self.arrives].map(|list| list.get(at).map(ends));
        let edge = first.into_iter().flatten().min()?;
        let weights = |list: Vec<WeightedEdge>| {
            let own = list.into_iter().filter(|known| ends(known) == edge);
            own.map(|(.., weight)| weight).collect()
        };
        Some(Difference { edge, leaves: weights(self.leaves), arrives: weights(self.arrives) })
    }
}

/// Returns the finding that two ranks describe the edges between them differently when they create a distributed graph:
/// another number of edges, or other weights.
pub(super) fn unlike_neighbors(
    members: &Group,
    given: &[(u32, Site, Rc<Adjacency>)],
) -> Option<Finding> {
    let is_weighted = |(.., own): &(u32, Site, Rc<Adjacency>)| {
        let has = |weights: &Option<Vec<i32>>, list: &[i32]| weights.is_some() || list.is_empty();
        has(&own.source_weights, &own.sources) && has(&own.destination_weights, &own.destinations)
    };
    let weighted = given.iter().all(is_weighted);
    let mut edges = Edges::default();
    for (rank, _, own) in given {
        let me = members.rank_of(*rank)?;
        let weight = |weights: &Option<Vec<i32>>, at: usize| {
            let known = weights.as_ref().filter(|_| weighted).and_then(|list| list.get(at));
            known.map_or(0, |weight| weight.cast_unsigned())
        };
        let leaves = own.destinations.iter().enumerate();
        edges.leaves.extend(
            leaves.map(|(at, to)| (me, to.cast_unsigned(), weight(&own.destination_weights, at))),
        );
        let arrives = own.sources.iter().enumerate();
        edges.arrives.extend(
            arrives.map(|(at, from)| (from.cast_unsigned(), me, weight(&own.source_weights, at))),
        );
    }
    let Difference { edge: (from, to), leaves, arrives } = edges.difference()?;
    let [from, to] = [from, to].map(|place| members.world_rank(place));
    let texts = match leaves.len() == arrives.len() {
        true => argument_mismatch::weighted_edges((from, &leaves), (to, &arrives)),
        false => [
            argument_mismatch::edges(leaves.len() as u32, "to", to),
            argument_mismatch::edges(arrives.len() as u32, "from", from),
        ],
    };
    let [me, other] = [from, to].map(|rank| {
        let site = given.iter().find(|(known, ..)| *known == rank).map(|(_, site, _)| *site);
        (rank, site.unwrap_or(Site::NOWHERE))
    });
    let side =
        |(rank, site): (u32, Site), has| Side { rank, site, call: site.call_or("create"), has };
    let [mine, theirs] = texts;
    Some(argument_mismatch::of_edges(side(me, mine), side(other, theirs), None))
}
