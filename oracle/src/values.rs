//! The data that a plan moves, computed alike by the program and by the reference.

use std::collections::BTreeMap;

use super::{
    layout::{Layout, fill},
    plan::{Collective, Id, Kind, Message, Operator, Part, Plan, Service, Style},
};

/// The origin of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Slot {
    /// The receive of a message.
    Message(Id),
    /// A receive of a burst.
    Burst(Id),
    /// A question received by the server of this step.
    Question(usize),
    /// An answer received by a client of this step.
    Answer(usize),
    /// The result of a collective.
    Collective(Id),
    /// The construction of a communicator.
    Comm(Id),
    /// A call with `MPI_PROC_NULL` in this step.
    Null(usize),
    /// The result of an access to the window of this step.
    Fetched(usize),
    /// What a rank reads of its part of the window of this step.
    Loaded(usize),
}

/// The place of a record: world rank, origin, and index among several of one origin.
pub(crate) type Place = (u32, Slot, u32);

/// The final contents of a buffer or a status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// All bytes of the buffer, including gaps and margins.
    pub(crate) bytes: Vec<u8>,
    /// Source, tag and size of the received message.
    pub(crate) status: Option<(Option<u32>, Option<i32>, u64)>,
}

/// All records of all ranks at the end.
pub(crate) type Records = BTreeMap<Place, Record>;

impl Plan {
    /// Returns the world ranks of a message's sender and receiver.
    pub(crate) fn ends(&self, message: &Message) -> (u32, u32) {
        let comm = &self.comms[message.comm];
        let from = comm.side(message.side)[message.from as usize];
        (from, comm.facing(message.side)[message.to as usize])
    }

    /// Returns the contents of the send buffer.
    pub(crate) fn sent_memory(&self, id: Id, round: u32) -> Vec<u8> {
        let layout = &self.messages[id].sent_from;
        fill(&[self.seed, id as u64, u64::from(round), 1], layout.memory().1)
    }

    /// Returns the contents of the receive buffer before the receive.
    pub(crate) fn fresh_memory(&self, id: Id, round: u32, layout: &Layout) -> Vec<u8> {
        fill(&[self.seed, id as u64, u64::from(round), 2], layout.memory().1)
    }

    /// Returns the data of one message of a burst.
    pub(crate) fn burst_data(&self, id: Id, at: usize) -> Vec<u8> {
        fill(&[self.seed, id as u64, at as u64, 3], self.bursts[id].bytes as usize)
    }

    /// Returns a client's question, given the number of its earlier ones.
    pub(crate) fn question(&self, service: &Service, client: u32, before: usize) -> Vec<u8> {
        let key = [self.seed, service.tag as u64, u64::from(client), before as u64, 5];
        fill(&key, service.bytes as usize)
    }

    /// Returns the answer to a question.
    pub(crate) fn answer(question: &[u8]) -> Vec<u8> {
        question.iter().rev().map(|byte| byte.wrapping_mul(3).wrapping_add(1)).collect()
    }

    /// Returns whether a reduction of the plan needs a datatype of its own.
    pub(crate) fn composes(&self) -> bool {
        self.collectives.iter().any(|one| one.operator == Operator::Compose)
    }

    /// Returns a number below `bound` that depends on `what` only, so that it does not change when
    /// steps are removed.
    pub(crate) fn lot(&self, what: &[u64], bound: u64) -> u64 {
        let key = [&[self.seed, 98], what].concat();
        fill(&key, 8).iter().fold(0, |sum, byte| sum * 31 + u64::from(*byte)) % bound
    }

    /// Returns whether the datatype of a part is freed directly after the call that uses it.
    pub(crate) fn forgets_type(&self, part: Part, style: Style) -> bool {
        let (key, id) = match part {
            Part::Sent(id) => (4, id),
            Part::Received(id) => (5, id),
            Part::Taken(_) => return false,
        };
        let last = self.messages[id].rounds == 1 || style == Style::Persistent;
        last && self.lot(&[key, id as u64], 2) == 0
    }

    /// Returns the data that a rank passes to a collective.
    pub(crate) fn contribution(&self, id: Id, round: u32, world: u32) -> Vec<u8> {
        let collective = &self.collectives[id];
        let length = self.contributed(collective, world) as usize;
        let key = [self.seed, id as u64, u64::from(round), u64::from(world) << 8 | 4];
        let noise = fill(&key, length);
        if !collective.kind.reduces() {
            return noise;
        }
        let small = |byte: &u8| f64::from(*byte).to_ne_bytes();
        match collective.operator {
            Operator::Min | Operator::FloatSum => {
                noise[..length / 8].iter().flat_map(small).collect()
            }
            Operator::MaxLoc | Operator::MinLoc => {
                let value = |byte: &u8| [&small(&(byte % 4))[..], &[byte % 7, 0, 0, 0]].concat();
                noise[..length / 12].iter().flat_map(value).collect()
            }
            Operator::And => {
                noise[..length / 4].iter().flat_map(|byte| [byte % 3, 0, 0, 0]).collect()
            }
            Operator::Modular => noise.iter().map(|byte| byte % 251).collect(),
            _ => noise,
        }
    }

    /// Returns the number of bytes that a rank passes to a collective.
    pub(crate) fn contributed(&self, collective: &Collective, world: u32) -> u64 {
        let comm = &self.comms[collective.comm];
        let Some((side, rank)) = comm.place(world) else { return 0 };
        let table = &collective.table;
        let at_root = side == collective.side && rank == collective.root;
        let first = usize::from(side == 1) * comm.group.len();
        let inter = comm.other.is_some();
        let counts: u64 = match collective.kind {
            Kind::Barrier => 0,
            Kind::Broadcast => table[0][0],
            Kind::Gather if inter && side == collective.side => 0,
            Kind::Gather => table[0][rank as usize],
            Kind::Scatter if at_root => table[0].iter().sum(),
            Kind::Scatter => 0,
            Kind::Allgather if inter => table[first + rank as usize][0],
            Kind::Allgather => table[0][rank as usize],
            Kind::Alltoall => table[first + rank as usize].iter().sum(),
            Kind::Reduce if inter && side == collective.side => 0,
            Kind::Reduce | Kind::Allreduce | Kind::Scan | Kind::Exscan => table[0][0],
            Kind::ReduceScatter => table[side].iter().sum(),
            Kind::NeighborAllgather => table[rank as usize][0],
            Kind::NeighborAlltoall => table[rank as usize].iter().sum(),
        };
        counts * collective.element_bytes()
    }
}

impl Collective {
    /// Returns the size of one element in bytes.
    pub(crate) fn element_bytes(&self) -> u64 {
        match self.operator {
            Operator::Product | Operator::Modular => 1,
            Operator::Max | Operator::Compose => 2,
            Operator::Sum | Operator::And => 4,
            Operator::Min | Operator::FloatSum | Operator::Xor => 8,
            Operator::MaxLoc | Operator::MinLoc => 12,
        }
    }
}
