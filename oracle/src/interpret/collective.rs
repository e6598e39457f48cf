//! Collective operations of an interpreted plan.

use std::rc::Rc;

use mpi_api::{
    call::{
        CollectiveCall, CollectiveEntry, CollectiveKind as K, Completing, Counts, Neighbors,
        Payload, ROOT_ELSEWHERE, ROOT_SELF, Reduction, Reply, RequestCall,
    },
    object::{
        op::Op,
        signature::{Primitive, Signature},
    },
};

use super::Rank;
use crate::{
    plan::{Collective, Comm, Id, Kind, Operator, Part, Style},
    reference,
    values::{Record, Slot},
};

/// The counts that a rank passes for sending and receiving, in elements.
pub(crate) struct Sides {
    pub(crate) send: Option<Vec<u64>>,
    pub(crate) receive: Option<Vec<u64>>,
}

impl Sides {
    /// Returns the counts of one rank of a communicator.
    pub(crate) fn of(collective: &Collective, comm: &Comm, (side, rank): (usize, u32)) -> Self {
        if comm.other.is_some() {
            across(collective, side, rank, comm.group.len())
        } else {
            within(collective, rank)
        }
    }
}

impl Rank<'_> {
    pub(super) fn collective(&mut self, id: Id) {
        let plan = self.plan;
        let collective = &plan.collectives[id];
        if plan.comms[collective.comm].place(self.me).is_none() {
            return;
        }
        match collective.style {
            Style::Blocking => {
                let Reply::Data(bytes) =
                    self.call(CollectiveEntry::Blocking(Box::new(self.part(id, 0))))
                else {
                    panic!("data")
                };
                let place = (self.me, Slot::Collective(id), 0);
                self.record(place, Record { bytes, status: None });
            }
            Style::Immediate | Style::Forgotten => {
                let request = self.request(CollectiveEntry::Immediate(Box::new(self.part(id, 0))));
                self.requests.insert(Part::Taken(id), request);
            }
            Style::Persistent => {
                let call = CollectiveCall { input: Vec::new(), ..self.part(id, 0) };
                let request = self.request(CollectiveEntry::Persistent(Box::new(call)));
                for round in 0..collective.rounds {
                    let input = Payload::from(plan.contribution(id, round, self.me));
                    self.call(RequestCall::Start(vec![(request, Some(input))]));
                    let wait = RequestCall::Wait(vec![request], Completing::Some);
                    let Reply::Completions(ends) = self.call(wait) else { panic!("completions") };
                    self.taken(id, round, &ends[0].1);
                }
                self.call(RequestCall::Free(request));
            }
        }
    }

    /// Returns the call that this rank makes.
    fn part(&self, id: Id, round: u32) -> CollectiveCall {
        let plan = self.plan;
        let collective = &plan.collectives[id];
        let comm = &plan.comms[collective.comm];
        let (side, rank) = comm.place(self.me).expect("a member");
        let inter = comm.other.is_some();
        let sides = Sides::of(collective, comm, (side, rank));
        let bytes = |counts: Option<Vec<u64>>| counts_of(collective, counts);
        let one = collective.table.first().and_then(|row| row.first()).copied().unwrap_or(0);
        let neighbors = collective.neighbors.get(rank as usize).map(|(to, from)| {
            let (destinations, sources) = (to.clone(), from.clone());
            Rc::new(Neighbors { sources, destinations, cartesian: collective.grid })
        });
        let root = match (inter && collective.kind.is_rooted(), side == collective.side) {
            (true, true) if rank == collective.root => ROOT_SELF,
            (true, true) => ROOT_ELSEWHERE,
            _ => collective.root,
        };
        CollectiveCall {
            root,
            neighbors,
            reduction: reduction(collective),
            input: plan.contribution(id, round, self.me),
            send: bytes(sides.send),
            receive: bytes(sides.receive),
            signature: Signature::of(Primitive::Byte, one * collective.element_bytes()),
            ..CollectiveCall::new(self.comm(collective.comm), kernel_kind(collective.kind))
        }
    }
}

/// Returns the counts that one rank of an intracommunicator passes.
fn within(collective: &Collective, rank: u32) -> Sides {
    let table = &collective.table;
    let me = rank as usize;
    let root = rank == collective.root;
    let whole = || Some(vec![table[0][0]]);
    let row = || Some(table[0].clone());
    let mine = || Some(vec![table[0][me]]);
    let (send, receive) = match collective.kind {
        Kind::Barrier => (None, None),
        Kind::Broadcast if root => (whole(), None),
        Kind::Broadcast => (None, whole()),
        // All ranks know equal blocks; only the root knows others.
        Kind::Gather => (mine(), if root || !collective.vector { row() } else { None }),
        Kind::Scatter => (if root || !collective.vector { row() } else { None }, mine()),
        Kind::Allgather => (mine(), row()),
        Kind::Alltoall => {
            (Some(table[me].clone()), Some(table.iter().map(|row| row[me]).collect()))
        }
        Kind::Reduce | Kind::Allreduce | Kind::Scan | Kind::Exscan => (whole(), whole()),
        Kind::ReduceScatter => (Some(vec![table[0].iter().sum()]), row()),
        Kind::NeighborAllgather | Kind::NeighborAlltoall => {
            let counts = 0..collective.neighbors[me].1.len();
            let receive = counts.map(|at| collective.incoming_count(me, at)).collect();
            (Some(table[me].clone()), Some(receive))
        }
    };
    Sides { send, receive }
}

/// Returns the counts that one rank of an intercommunicator passes.
fn across(collective: &Collective, side: usize, rank: u32, first: usize) -> Sides {
    let table = &collective.table;
    let me = usize::from(side == 1) * first + rank as usize;
    let others = if side == 0 { first..table.len() } else { 0..first };
    let root_side = side == collective.side;
    let root = root_side && rank == collective.root;
    let whole = || Some(vec![table[0][0]]);
    let (send, receive) = match collective.kind {
        Kind::Broadcast if root_side && !root => (None, None),
        Kind::Broadcast if root => (whole(), None),
        Kind::Broadcast => (None, whole()),
        Kind::Gather if root => (None, Some(table[0].clone())),
        Kind::Scatter if root => (Some(table[0].clone()), None),
        Kind::Gather if !root_side => (Some(vec![table[0][rank as usize]]), None),
        Kind::Scatter if !root_side => (None, Some(vec![table[0][rank as usize]])),
        Kind::Allgather => {
            (Some(vec![table[me][0]]), Some(others.map(|other| table[other][0]).collect()))
        }
        Kind::Alltoall => {
            let column = others.map(|other| table[other][rank as usize]).collect();
            (Some(table[me].clone()), Some(column))
        }
        Kind::Reduce if root_side && !root => (None, None),
        Kind::Reduce | Kind::Allreduce => (whole(), whole()),
        Kind::ReduceScatter => (Some(vec![table[side].iter().sum()]), Some(table[side].clone())),
        _ => (None, None),
    };
    Sides { send, receive }
}

/// Returns a single number if that is enough, otherwise a list.
fn counts_of(collective: &Collective, counts: Option<Vec<u64>>) -> Counts {
    let Some(counts) = counts else { return Counts::None };
    let bytes: Vec<u64> =
        counts.iter().map(|elements| elements * collective.element_bytes()).collect();
    match bytes[..] {
        [] => Counts::Uniform(0),
        [one] => Counts::Uniform(one),
        [first, ..] if !collective.vector => Counts::Uniform(first),
        _ => Counts::Each(bytes.into()),
    }
}

fn kernel_kind(kind: Kind) -> K {
    match kind {
        Kind::Barrier => K::Barrier,
        Kind::Broadcast => K::Broadcast,
        Kind::Gather => K::Gather,
        Kind::Scatter => K::Scatter,
        Kind::Allgather => K::Allgather,
        Kind::Alltoall => K::Alltoall,
        Kind::Reduce => K::Reduce,
        Kind::Allreduce => K::Allreduce,
        Kind::ReduceScatter => K::ReduceScatter,
        Kind::Scan => K::Scan,
        Kind::Exscan => K::Exscan,
        Kind::NeighborAllgather => K::NeighborAllgather,
        Kind::NeighborAlltoall => K::NeighborAlltoall,
    }
}

fn reduction(collective: &Collective) -> Option<Reduction> {
    let user = |commutative, operator: Operator| {
        let function = Rc::new(move |left: &[u8], right: &mut [u8]| {
            let result = reference::combine(operator, left, right);
            right.copy_from_slice(&result);
        });
        let primitive = Primitive::Byte;
        let element_bytes = collective.element_bytes();
        Reduction { op: Op::user(commutative, function), primitive, element_bytes }
    };
    let made = match collective.operator {
        Operator::Sum => Reduction::new(Op::Sum, Primitive::Int32),
        Operator::Product => Reduction::new(Op::Product, Primitive::UInt8),
        Operator::Max => Reduction::new(Op::Max, Primitive::Int16),
        Operator::Min => Reduction::new(Op::Min, Primitive::Float64),
        Operator::FloatSum => Reduction::new(Op::Sum, Primitive::Float64),
        Operator::Xor => Reduction::new(Op::BitXor, Primitive::UInt64),
        Operator::And => Reduction::new(Op::LogicalAnd, Primitive::Int32),
        Operator::MaxLoc => Reduction::new(Op::MaxLoc, Primitive::DoubleInt),
        Operator::MinLoc => Reduction::new(Op::MinLoc, Primitive::DoubleInt),
        Operator::Modular => user(true, Operator::Modular),
        Operator::Compose => user(false, Operator::Compose),
    };
    collective.kind.reduces().then_some(made)
}
