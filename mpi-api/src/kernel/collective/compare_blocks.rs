//! Checks that the types that ranks send to each other in a collective operation are those that the
//! receivers expect (MPI section 6.1), once all ranks have entered.

use std::collections::{BTreeMap, VecDeque};

use crate::{
    call::{CollectiveCall, CollectiveKind, CommId, Declared, Site},
    check::{count_mismatch::BlockCall, disagreement::of_blocks},
    finding::{CallSite, Finding},
    kernel::{
        MpiKernel, Sched,
        collective::{
            blocks::{Blocks, Sides, block, own_block, whole},
            key::Key,
        },
    },
    object::{group::Group, signature::Signature},
};

impl MpiKernel {
    /// Records that a rank enters. True when it disagrees with itself or another rank; then the run
    /// has ended.
    pub(super) fn enter_types(
        &mut self,
        origin: (u32, Site),
        key: Key,
        call: &CollectiveCall,
        own: &Declared,
        s: &mut Sched,
    ) -> bool {
        let members = self.comms.members(call.comm, origin.0);
        let shared =
            self.collectives.instances.get_mut(&key).expect("an instance that was entered");
        let side = shared.types.enter(origin, call, own);
        let me = members.rank_of(origin.0).unwrap_or(0) as usize;
        if let Some((given, needed)) = own_block(call.kind, side, me)
            && given != needed
        {
            let counts = BlockCall::new(call.kind, call.form, members.size());
            self.report_own_blocks(origin, counts, (given, needed), s);
            return true;
        }
        if shared.entered < members.size() {
            return false;
        }
        let blocks = std::mem::take(&mut shared.types);
        if self.edges_differ(call.comm, &members, &blocks.sides, s) {
            return true;
        }
        self.types_differ((call.kind, call.root), (key, call.comm), &members, &blocks, s)
    }

    /// Reports whether a rank sends other types than another expects and the program does not
    /// receive the error itself; then the run has ended.
    fn types_differ(
        &mut self,
        (kind, root): (CollectiveKind, u32),
        (key, comm): (Key, CommId),
        members: &Group,
        blocks: &Blocks,
        s: &mut Sched,
    ) -> bool {
        // Some ranks may not have described their data.
        if !blocks.mixed || blocks.sides.len() < members.size() as usize {
            return false;
        }
        let mut sides: Vec<&Sides> = blocks.sides.iter().collect();
        sides.sort_by_key(|side| members.rank_of(side.rank));
        let alike = self.matches_representations();
        let unlike = |(from, sent): (usize, usize), (to, taken): (usize, usize)| {
            let sent = whole(block(&sides[from].sent, sent)?)?;
            let taken = whole(block(&sides[to].taken, taken)?)?;
            let agree = sent.matches_wholly(&taken)
                || alike && sent.representation().matches_wholly(&taken.representation());
            (!agree).then_some((from, to, sent, taken))
        };
        let differs = |from: usize, to: usize| unlike((from, to), (to, from));
        let (all, root) = (0..sides.len(), root as usize);
        let found = match kind {
            CollectiveKind::Gather => all.clone().find_map(|from| differs(from, root)),
            CollectiveKind::Scatter => all.clone().find_map(|to| differs(root, to)),
            CollectiveKind::Allgather | CollectiveKind::Alltoall => {
                all.clone().find_map(|from| all.clone().find_map(|to| differs(from, to)))
            }
            CollectiveKind::NeighborAllgather | CollectiveKind::NeighborAlltoall => {
                edges(&sides).into_iter().find_map(|(from, to)| unlike(from, to))
            }
            // All ranks give the same data, or none.
            CollectiveKind::Barrier
            | CollectiveKind::Broadcast
            | CollectiveKind::Reduce
            | CollectiveKind::Allreduce
            | CollectiveKind::ReduceScatter
            | CollectiveKind::Scan
            | CollectiveKind::Exscan
            | CollectiveKind::Management(_) => None,
        };
        let Some((from, to, sent, taken)) = found else { return false };
        if self.returns_unlike_types((sides[to].rank, key, comm), &taken, &sent) {
            return false;
        }
        let call = self.collectives.entered(key).block_call(members.size());
        let finding = mismatch((kind, call), (sides[from], sent), (sides[to], taken));
        self.fail(finding, s);
        true
    }
}

/// Returns, for each message between neighbours, the rank and block number at its sender and at its
/// receiver. Messages of one pair match in the order of the neighbour lists; on a grid, a block
/// sent in one direction of a dimension is received from the opposite direction.
fn edges(sides: &[&Sides]) -> Vec<((usize, usize), (usize, usize))> {
    let mut sent: BTreeMap<(usize, usize), VecDeque<usize>> = BTreeMap::new();
    let all =
        || sides.iter().enumerate().filter_map(|(at, side)| Some((at, side.neighbors.as_ref()?)));
    for (from, neighbors) in all() {
        for (block, to) in neighbors.destinations.iter().enumerate() {
            if let Some(to) = to {
                sent.entry((from, *to as usize)).or_default().push_back(block);
            }
        }
    }
    let mut edges = Vec::new();
    for (to, neighbors) in all() {
        for place in 0..neighbors.sources.len() {
            let block = if neighbors.cartesian { place ^ 1 } else { place };
            let from = neighbors.sources[block].map(|from| from as usize);
            let other = from.and_then(|from| sent.get_mut(&(from, to))?.pop_front());
            edges.extend(from.zip(other).map(|sent| (sent, (to, block))));
        }
    }
    edges
}

fn mismatch(
    (kind, call): (CollectiveKind, BlockCall),
    (from, sent): (&Sides, Signature),
    (to, taken): (&Sides, Signature),
) -> Finding {
    let own = kind.name();
    let name = to.site.call_or(own);
    let place = |side: &Sides, label| CallSite::at(side.rank, side.site, own, label);
    of_blocks(name, call, (from.rank, &sent), (to.rank, &taken), |[expects, sends]| {
        vec![place(to, expects), place(from, sends)]
    })
}
