//! The results of collective operations as MPI chapter 6 defines them.

use crate::{
    plan::{Comm, Id, Kind, Operator, Plan},
    values::{Place, Record, Slot},
};

/// Returns every member's result for every round.
pub(super) fn results(plan: &Plan, id: Id) -> Vec<(Place, Record)> {
    let collective = &plan.collectives[id];
    let comm = &plan.comms[collective.comm];
    let mut results = Vec::new();
    for round in 0..collective.rounds {
        for world in comm.everybody() {
            let give = Give { plan, id, round, comm };
            let bytes = if comm.other.is_some() { give.across(world) } else { give.within(world) };
            let place = (world, Slot::Collective(id), round);
            results.push((place, Record { bytes, status: None }));
        }
    }
    results
}

/// The data that all ranks pass in one round.
struct Give<'a> {
    plan: &'a Plan,
    id: Id,
    round: u32,
    comm: &'a Comm,
}

impl Give<'_> {
    fn of(&self, world: u32) -> Vec<u8> {
        self.plan.contribution(self.id, self.round, world)
    }

    fn all(&self, group: &[u32]) -> Vec<Vec<u8>> {
        group.iter().map(|world| self.of(*world)).collect()
    }

    fn fold(&self, group: &[u32]) -> Vec<u8> {
        let operator = self.plan.collectives[self.id].operator;
        let left_to_right = |left: Vec<u8>, right: Vec<u8>| combine(operator, &left, &right);
        self.all(group).into_iter().reduce(left_to_right).unwrap_or_default()
    }

    /// Returns block `at` of data that are divided by `counts`, in elements.
    fn block(&self, data: &[u8], counts: &[u64], at: usize) -> Vec<u8> {
        let element = self.plan.collectives[self.id].element_bytes();
        let start = counts[..at].iter().sum::<u64>() * element;
        data[start as usize..(start + counts[at] * element) as usize].to_vec()
    }

    fn within(&self, world: u32) -> Vec<u8> {
        let collective = &self.plan.collectives[self.id];
        let (table, group) = (&collective.table, &self.comm.group);
        let me = self.comm.place(world).map_or(0, |(_, rank)| rank as usize);
        let root = group[collective.root as usize];
        let at_root = world == root;
        match collective.kind {
            Kind::Barrier => Vec::new(),
            Kind::Broadcast => self.of(root),
            Kind::Gather if at_root => self.all(group).concat(),
            Kind::Reduce if at_root => self.fold(group),
            Kind::Gather | Kind::Reduce => Vec::new(),
            Kind::Scatter => self.block(&self.of(root), &table[0], me),
            Kind::Allgather => self.all(group).concat(),
            Kind::Alltoall => {
                let from = |source: usize| self.block(&self.of(group[source]), &table[source], me);
                (0..group.len()).flat_map(from).collect()
            }
            Kind::Allreduce => self.fold(group),
            Kind::ReduceScatter => self.block(&self.fold(group), &table[0], me),
            Kind::Scan => self.fold(&group[..=me]),
            Kind::Exscan => self.fold(&group[..me]),
            Kind::NeighborAllgather | Kind::NeighborAlltoall => {
                let sources = 0..collective.neighbors[me].1.len();
                sources.flat_map(|at| self.neighbor_block(me, at)).collect()
            }
        }
    }

    /// Returns the block received from one source; space that no source fills keeps its contents.
    fn neighbor_block(&self, me: usize, at: usize) -> Vec<u8> {
        let collective = &self.plan.collectives[self.id];
        let Some((source, block)) = collective.incoming(me, at) else {
            let bytes = collective.incoming_count(me, at) * collective.element_bytes();
            return vec![0; bytes as usize];
        };
        let data = self.of(self.comm.group[source]);
        match collective.kind {
            Kind::NeighborAllgather => data,
            _ => self.block(&data, &collective.table[source], block),
        }
    }

    /// Returns a rank's result on an intercommunicator, where all data come from the other group.
    fn across(&self, world: u32) -> Vec<u8> {
        let collective = &self.plan.collectives[self.id];
        let table = &collective.table;
        let (side, rank) = self.comm.place(world).expect("a member");
        let others = self.comm.facing(side);
        let me = rank as usize;
        let root_side = side == collective.side;
        let at_root = root_side && rank == collective.root;
        let root = self.comm.side(collective.side)[collective.root as usize];
        let first = if side == 0 { self.comm.group.len() } else { 0 };
        match collective.kind {
            Kind::Broadcast if root_side && !at_root => Vec::new(),
            Kind::Broadcast => self.of(root),
            Kind::Gather if at_root => self.all(others).concat(),
            Kind::Scatter if !root_side => self.block(&self.of(root), &table[0], me),
            Kind::Reduce if at_root => self.fold(others),
            Kind::Allgather => self.all(others).concat(),
            Kind::Alltoall => {
                let from = |at: usize| self.block(&self.of(others[at]), &table[first + at], me);
                (0..others.len()).flat_map(from).collect()
            }
            Kind::Allreduce => self.fold(others),
            Kind::ReduceScatter => self.block(&self.fold(others), &table[side], me),
            _ => Vec::new(),
        }
    }
}

fn words<const N: usize>(
    left: &[u8],
    right: &[u8],
    one: impl Fn([u8; N], [u8; N]) -> [u8; N],
) -> Vec<u8> {
    let word = |bytes: &[u8]| <[u8; N]>::try_from(bytes).expect("whole elements");
    let pairs = left.chunks(N).zip(right.chunks(N));
    pairs.flat_map(|(left, right)| one(word(left), word(right))).collect()
}

/// Returns `left op right`, element by element.
pub(crate) fn combine(operator: Operator, left: &[u8], right: &[u8]) -> Vec<u8> {
    let double = f64::from_ne_bytes;
    match operator {
        Operator::Sum => words(left, right, |l, r| {
            i32::from_ne_bytes(l).wrapping_add(i32::from_ne_bytes(r)).to_ne_bytes()
        }),
        Operator::Product => words(left, right, |[l], [r]| [l.wrapping_mul(r)]),
        Operator::Max => words(left, right, |l, r| {
            i16::from_ne_bytes(l).max(i16::from_ne_bytes(r)).to_ne_bytes()
        }),
        Operator::Min => words(left, right, |l, r| double(l).min(double(r)).to_ne_bytes()),
        Operator::FloatSum => words(left, right, |l, r| (double(l) + double(r)).to_ne_bytes()),
        Operator::Xor => words(left, right, |l: [u8; 8], r: [u8; 8]| {
            (u64::from_ne_bytes(l) ^ u64::from_ne_bytes(r)).to_ne_bytes()
        }),
        Operator::And => words(left, right, |l: [u8; 4], r: [u8; 4]| {
            i32::from(l != [0; 4] && r != [0; 4]).to_ne_bytes()
        }),
        Operator::MaxLoc | Operator::MinLoc => words(left, right, |l: [u8; 12], r: [u8; 12]| {
            let parts = |pair: [u8; 12]| {
                let value = double(pair[..8].try_into().expect("eight bytes"));
                (value, i32::from_ne_bytes(pair[8..].try_into().expect("four bytes")))
            };
            let ((a, i), (b, j)) = (parts(l), parts(r));
            let left_wins = if operator == Operator::MaxLoc { a > b } else { a < b };
            if left_wins || (a == b && i < j) { l } else { r }
        }),
        Operator::Modular => {
            words(left, right, |[l], [r]| [((u16::from(l) + u16::from(r)) % 251) as u8])
        }
        // Composition left(right(x)) of the maps x -> a x + b.
        Operator::Compose => words(left, right, |[a, b], [c, d]| {
            [a.wrapping_mul(c), a.wrapping_mul(d).wrapping_add(b)]
        }),
    }
}
