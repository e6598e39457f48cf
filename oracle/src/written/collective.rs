//! Collective operations as statements.

use super::{
    routine::Writer,
    statement::{Arg, Array, Kind as ListKind},
};
use crate::{
    interpret::collective::Sides,
    plan::{Id, Kind, Operator, Part, Style},
    values::Slot,
};

/// The memory of one side of a collective: blocks of elements with gaps between them.
#[derive(Clone)]
struct Blocks {
    buffer: Arg,
    /// Number of elements in each block.
    counts: Vec<u64>,
    /// Offset of each block, in elements.
    places: Vec<u64>,
    /// Total size in bytes.
    bytes: usize,
}

/// The buffers of one rank's call.
#[derive(Clone)]
pub(super) struct Memory {
    from: Option<Blocks>,
    into: Option<Blocks>,
    /// Index of the block of `into` that holds the rank's own data, with `MPI_IN_PLACE`.
    in_place: Option<usize>,
}

impl Operator {
    /// Returns the distance between elements in memory, in bytes.
    fn extent(self) -> u64 {
        match self {
            Self::Product | Self::Modular => 1,
            Self::Max | Self::Compose => 2,
            Self::Sum | Self::And => 4,
            Self::Min | Self::FloatSum | Self::Xor => 8,
            Self::MaxLoc | Self::MinLoc => 16,
        }
    }

    /// Returns the number by which the generated program selects this operation when it makes data.
    fn code(self) -> i64 {
        match self {
            Self::Min | Self::FloatSum => 1,
            Self::MaxLoc | Self::MinLoc => 2,
            Self::And => 3,
            Self::Modular => 4,
            Self::Sum | Self::Product | Self::Max | Self::Xor | Self::Compose => 0,
        }
    }

    fn datatype(self) -> Arg {
        match self {
            Self::Sum | Self::And => Arg::Word("MPI_INT32_T"),
            Self::Product => Arg::Word("MPI_UINT8_T"),
            Self::Max => Arg::Word("MPI_INT16_T"),
            Self::Min | Self::FloatSum => Arg::Word("MPI_DOUBLE"),
            Self::Xor => Arg::Word("MPI_UINT64_T"),
            Self::MaxLoc | Self::MinLoc => Arg::Word("MPI_DOUBLE_INT"),
            Self::Modular => Arg::Word("MPI_BYTE"),
            // The setup constructs this type first.
            Self::Compose => Arg::Entry(Array::Types, 0),
        }
    }

    fn operation(self) -> Arg {
        match self {
            Self::Sum | Self::FloatSum => Arg::Word("MPI_SUM"),
            Self::Product => Arg::Word("MPI_PROD"),
            Self::Max => Arg::Word("MPI_MAX"),
            Self::Min => Arg::Word("MPI_MIN"),
            Self::Xor => Arg::Word("MPI_BXOR"),
            Self::And => Arg::Word("MPI_LAND"),
            Self::MaxLoc => Arg::Word("MPI_MAXLOC"),
            Self::MinLoc => Arg::Word("MPI_MINLOC"),
            Self::Modular => Arg::Entry(Array::Ops, 0),
            Self::Compose => Arg::Entry(Array::Ops, 1),
        }
    }
}

impl Writer<'_> {
    pub(super) fn collective(&mut self, id: Id) {
        let plan = self.plan;
        let collective = &plan.collectives[id];
        let Some(place) = plan.comms[collective.comm].place(self.me) else { return };
        let memory = self.memory(id, place);
        self.results.insert(id, memory.clone());
        self.set(id, 0, &memory);
        let (name, mut args) = self.arguments(id, place, &memory);
        args.push(Arg::Entry(Array::Comms, collective.comm));
        let wide = self.is_wide(id);
        match collective.style {
            Style::Blocking => {
                self.collective_call(name, args, wide);
                self.taken(id, 0);
            }
            Style::Immediate | Style::Forgotten => {
                let at = self.entry(Part::Taken(id));
                args.push(Arg::Place(Array::Requests, at));
                let lower = name[..1].to_lowercase() + &name[1..];
                self.collective_call(format!("I{lower}"), args, wide);
            }
            Style::Persistent => {
                let at = self.new_requests(1);
                let request = Arg::Place(Array::Requests, at);
                args.extend([Arg::Word("MPI_INFO_NULL"), request.clone()]);
                self.collective_call(format!("{name}_init"), args, wide);
                for round in 0..collective.rounds {
                    if round > 0 {
                        self.set(id, round, &memory);
                    }
                    self.call("Start", vec![request.clone()]);
                    let ignored = Arg::Word("MPI_STATUS_IGNORE");
                    self.call("Wait", vec![request.clone(), ignored]);
                    self.taken(id, round);
                }
                self.call("Request_free", vec![request]);
            }
        }
    }

    fn collective_call(&mut self, name: String, args: Vec<Arg>, wide: bool) {
        self.call(&if wide { name + "_c" } else { name }, args);
    }

    fn is_wide(&self, id: Id) -> bool {
        self.plan.collectives[id].kind != Kind::Barrier && self.wide(&[40, id as u64])
    }

    /// Fills the buffers for one round.
    fn set(&mut self, id: Id, round: u32, memory: &Memory) {
        let plan = self.plan;
        if let Some(into) = &memory.into {
            self.fill(&into.buffer, into.bytes, room(plan.seed, id, round, self.me));
        }
        let collective = &plan.collectives[id];
        let length = plan.contributed(collective, self.me);
        let target = match (&memory.from, &memory.into, memory.in_place) {
            (Some(from), ..) => from.buffer.clone(),
            (None, Some(into), Some(block)) => into.at(block, collective.operator),
            _ => return,
        };
        let code = if collective.kind.reduces() { collective.operator.code() } else { 0 };
        let operator = collective.operator;
        let sizes = [code, collective.element_bytes() as i64, operator.extent() as i64];
        let mut args = vec![target, Arg::Int(length as i64)];
        args.extend(sizes.map(Arg::Int));
        let me = u64::from(self.me) << 8 | 4;
        let key = [plan.seed, id as u64, u64::from(round), me];
        args.extend(key.map(|part| Arg::Int(part as i64)));
        self.helper("give", args);
    }

    /// Compares the result of one round.
    pub(super) fn taken(&mut self, id: Id, round: u32) {
        let plan = self.plan;
        let collective = &plan.collectives[id];
        let Some(place) = plan.comms[collective.comm].place(self.me) else { return };
        let Some(Memory { into: Some(into), in_place, .. }) = self.results.get(&id).cloned() else {
            return;
        };
        let record = self.expected.record((self.me, Slot::Collective(id), round));
        let Some(result) = record.map(|record| record.bytes.clone()) else { return };
        let [a, b, c, d] = room(plan.seed, id, round, self.me);
        let mut memory = crate::layout::fill(&[a, b, c, d], into.bytes);
        let size = collective.element_bytes() as usize;
        let extent = collective.operator.extent() as usize;
        let mut put = |data: &[u8], first: u64| {
            for (at, element) in data.chunks(size).enumerate() {
                let start = (first as usize + at) * extent;
                memory[start..start + element.len()].copy_from_slice(element);
            }
        };
        if let Some(block) = in_place {
            put(&plan.contribution(id, round, self.me), into.places[block]);
        }
        let mut rest = &result[..];
        let rank = place.1 as usize;
        for (at, (count, first)) in into.counts.iter().zip(&into.places).enumerate() {
            let (now, later) = rest.split_at((*count as usize * size).min(rest.len()));
            rest = later;
            let nobody =
                !collective.neighbors.is_empty() && collective.incoming(rank, at).is_none();
            if !nobody {
                put(now, *first);
            }
        }
        self.check(&into.buffer, &memory);
    }

    /// Returns the buffers of one rank's call.
    fn memory(&mut self, id: Id, (side, rank): (usize, u32)) -> Memory {
        let plan = self.plan;
        let collective = &plan.collectives[id];
        let comm = &plan.comms[collective.comm];
        let sides = Sides::of(collective, comm, (side, rank));
        let inter = comm.other.is_some();
        let at_root = side == collective.side && rank == collective.root;
        let leaf = collective.kind.is_rooted() && !at_root;
        let mut send = sides.send;
        let mut receive = sides.receive;
        match collective.kind {
            Kind::Gather | Kind::Reduce if leaf => receive = None,
            Kind::Gather | Kind::Reduce if inter => send = None,
            Kind::Scatter if leaf => send = None,
            Kind::ReduceScatter => receive = receive.map(|counts| vec![counts[rank as usize]]),
            // The root's buffer is compared as well.
            Kind::Broadcast if at_root => receive = send.take(),
            _ => {}
        }
        let in_place = self.in_place(id, inter, at_root).filter(|_| receive.is_some());
        let in_place = in_place.map(|own| if own { rank as usize } else { 0 });
        let broadcast = collective.kind == Kind::Broadcast;
        let from = match in_place {
            Some(_) => None,
            None => send.map(|counts| self.blocks(id, "out", counts, 0)),
        };
        let gap = u64::from(collective.vector && self.taste(&[41, id as u64], 2) == 0);
        let into = receive.map(|counts| self.blocks(id, "in", counts, gap));
        let in_place = if broadcast { at_root.then_some(0) } else { in_place };
        Memory { from, into, in_place }
    }

    /// Returns whether the rank's data are in the result's place: in its own block (`true`), or in
    /// the first one; `None` without `MPI_IN_PLACE`.
    fn in_place(&self, id: Id, inter: bool, at_root: bool) -> Option<bool> {
        let kind = self.plan.collectives[id].kind;
        if inter || self.plan.lot(&[77, id as u64], 4) > 0 {
            return None;
        }
        match kind {
            Kind::Gather if at_root => Some(true),
            Kind::Allgather => Some(true),
            Kind::Reduce if at_root => Some(false),
            Kind::Allreduce | Kind::Scan => Some(false),
            _ => None,
        }
    }

    fn blocks(&mut self, id: Id, what: &str, counts: Vec<u64>, gap: u64) -> Blocks {
        let operator = self.plan.collectives[id].operator;
        let places: Vec<u64> = counts
            .iter()
            .scan(0, |next, count| {
                let place = *next;
                *next += count + gap;
                Some(place)
            })
            .collect();
        let elements = places.last().zip(counts.last()).map_or(0, |(place, count)| place + count);
        let bytes = (elements * operator.extent()) as usize;
        let buffer = self.buffer(&format!("{what}{id}"), bytes.max(1));
        Blocks { buffer, counts, places, bytes }
    }

    /// Returns the blocking function, and its arguments before the communicator.
    #[allow(clippy::too_many_lines, reason = "one arm for each kind of argument list")]
    fn arguments(
        &mut self,
        id: Id,
        (side, rank): (usize, u32),
        Memory { from, into, in_place }: &Memory,
    ) -> (String, Vec<Arg>) {
        let collective = &self.plan.collectives[id];
        let inter = self.plan.comms[collective.comm].other.is_some();
        let root = match (inter, side == collective.side) {
            (true, true) if rank == collective.root => Arg::Word("MPI_ROOT"),
            (true, true) => Arg::Word("MPI_PROC_NULL"),
            _ => Arg::Int(collective.root.into()),
        };
        let (kind, wide) = (collective.kind, self.is_wide(id));
        let datatype = collective.operator.datatype();
        let operation = collective.operator.operation();
        let own = match from {
            Some(blocks) => blocks.buffer.clone(),
            None if in_place.is_some() => Arg::Word("MPI_IN_PLACE"),
            None => Arg::Nothing,
        };
        let result = into.as_ref().map_or(Arg::Nothing, |blocks| blocks.buffer.clone());
        let sum = |blocks: &Option<Blocks>| {
            let total = blocks.as_ref().map_or(0, |blocks| blocks.counts.iter().sum::<u64>());
            Arg::Int(total as i64)
        };
        let first = |blocks: &Option<Blocks>| {
            let count = blocks.as_ref().and_then(|blocks| blocks.counts.first());
            Arg::Int(count.map_or(0, |count| *count as i64))
        };
        let vector = collective.vector;
        let mut args = Vec::new();
        let mut name = kind_name(kind).to_string();
        match kind {
            Kind::Barrier => {}
            Kind::Broadcast => {
                args.extend([result, sum(into), datatype, root]);
            }
            Kind::Reduce => {
                let count = if from.is_some() { sum(from) } else { sum(into) };
                args.extend([own, result, count, datatype, operation, root]);
            }
            Kind::Allreduce | Kind::Scan | Kind::Exscan => {
                args.extend([own, result, sum(into), datatype, operation]);
            }
            Kind::ReduceScatter => {
                let block = !vector && self.plan.lot(&[42, id as u64], 2) == 0;
                let counts = self.scattered(id);
                let counts = if block {
                    name += "_block";
                    first(into)
                } else {
                    self.list(count_kind(wide), counts)
                };
                args.extend([own, result, counts, datatype, operation]);
            }
            Kind::Gather
            | Kind::Scatter
            | Kind::Allgather
            | Kind::Alltoall
            | Kind::NeighborAllgather
            | Kind::NeighborAlltoall => {
                // Decides which of the sides passes lists of counts.
                let (out_lists, in_lists) = match kind {
                    Kind::Alltoall | Kind::NeighborAlltoall => (vector, vector),
                    Kind::Scatter => (vector, false),
                    _ => (false, vector),
                };
                name += if vector { "v" } else { "" };
                args.push(own);
                self.counts(&mut args, from, out_lists, wide);
                args.extend([datatype.clone(), result]);
                self.counts(&mut args, into, in_lists, wide);
                args.push(datatype);
                if kind.is_rooted() {
                    args.push(root);
                }
            }
        }
        (name, args)
    }

    /// Appends a count, or the lists of counts and displacements.
    fn counts(&mut self, args: &mut Vec<Arg>, blocks: &Option<Blocks>, lists: bool, wide: bool) {
        let counts = blocks.as_ref().map_or(&[][..], |blocks| &blocks.counts);
        if !lists {
            args.push(Arg::Int(counts.first().map_or(0, |count| *count as i64)));
            return;
        }
        let places = blocks.as_ref().map_or(&[][..], |blocks| &blocks.places);
        let kind = count_kind(wide);
        args.push(self.list(kind, counts.iter().map(|count| *count as i64)));
        let kind = if wide { ListKind::Address } else { ListKind::Int };
        args.push(self.list(kind, places.iter().map(|place| *place as i64)));
    }

    /// Returns the number of elements that each rank of this rank's group gets of a reduction.
    fn scattered(&self, id: Id) -> Vec<i64> {
        let collective = &self.plan.collectives[id];
        let comm = &self.plan.comms[collective.comm];
        let side = comm.place(self.me).map_or(0, |(side, _)| side);
        let row = if comm.other.is_some() { side } else { 0 };
        collective.table[row].iter().map(|count| *count as i64).collect()
    }
}

impl Blocks {
    /// Returns the address of a block.
    fn at(&self, block: usize, operator: Operator) -> Arg {
        let Arg::Buffer(name, _) = &self.buffer else { return self.buffer.clone() };
        Arg::Buffer(name.clone(), (self.places[block] * operator.extent()) as usize)
    }
}

fn count_kind(wide: bool) -> ListKind {
    if wide { ListKind::Count } else { ListKind::Int }
}

/// Returns the key of a buffer's contents before the result arrives.
fn room(seed: u64, id: Id, round: u32, me: u32) -> [u64; 4] {
    [seed, id as u64, u64::from(round), u64::from(me) << 8 | 6]
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Barrier => "Barrier",
        Kind::Broadcast => "Bcast",
        Kind::Gather => "Gather",
        Kind::Scatter => "Scatter",
        Kind::Allgather => "Allgather",
        Kind::Alltoall => "Alltoall",
        Kind::Reduce => "Reduce",
        Kind::Allreduce => "Allreduce",
        Kind::ReduceScatter => "Reduce_scatter",
        Kind::Scan => "Scan",
        Kind::Exscan => "Exscan",
        Kind::NeighborAllgather => "Neighbor_allgather",
        Kind::NeighborAlltoall => "Neighbor_alltoall",
    }
}
