//! Neighbourhood collectives: exchanges along the edges of a virtual topology (MPI section 8.6).
//!
//! On a grid the neighbours of each dimension are the lower and the upper one, in this order; a
//! block of a null neighbour is neither sent nor written.

use std::rc::Rc;

use super::part;
use crate::{
    api::{
        Address, Count,
        datatype::{
            Buffer, BufferMut, DatatypeRef, Kind, Packed, PartitionedBuffer, PartitionedBufferMut,
            PointerMut, UncommittedDatatype, distinct, pack_parts, part_bytes,
        },
        point_to_point::accepted,
        request::PersistentRequest,
        topology::{
            CartesianCommunicator, Communicator, DistributedGraphCommunicator, Edge,
            GraphCommunicator, Rank, SimpleCommunicator,
        },
    },
    call::{CollectiveCall, CollectiveKind, Counts, Neighbors, Operation, Payload, Site},
    error::{ErrorClass, MpiError},
    object::signature::Signature,
};

/// Elements of a datatype at a place, in bytes, of some memory.
#[derive(Clone, Copy)]
pub struct Section<'d> {
    /// Distance from the beginning of the memory.
    pub displacement: Address,
    /// How many elements.
    pub count: Count,
    /// Of which type.
    pub datatype: DatatypeRef<'d>,
}

/// A communicator whose virtual topology gives each rank neighbours.
pub trait NeighborhoodCollectives: Communicator {
    /// Whom the rank exchanges with.
    #[doc(hidden)]
    fn neighborhood(&self) -> Neighbors;

    /// `MPI_Neighbor_allgather`: the same block to all destinations, one block from each source.
    #[track_caller]
    fn neighbor_all_gather_into<S, R>(&self, sendbuf: &S, recvbuf: &mut R)
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
    {
        let (exchange, site) =
            (Exchange::of(self, CollectiveKind::NeighborAllgather), Site::here());
        let blocks = exchange.equal_blocks(recvbuf);
        exchange.run(site, one_block(sendbuf), recvbuf, blocks);
    }

    /// `MPI_Neighbor_allgatherv`.
    #[track_caller]
    fn neighbor_all_gather_varcount_into<S, R>(&self, sendbuf: &S, recvbuf: &mut R)
    where
        S: Buffer + ?Sized,
        R: PartitionedBufferMut + ?Sized,
    {
        let (exchange, site) =
            (Exchange::of(self, CollectiveKind::NeighborAllgather), Site::here());
        let blocks = parts_of(recvbuf);
        let sent = one_block(sendbuf).map(|sent| Sent { signature: Signature::EMPTY, ..sent });
        exchange.run(site, sent, recvbuf, blocks);
    }

    /// `MPI_Neighbor_alltoall`: a block to each destination, one from each source.
    #[track_caller]
    fn neighbor_all_to_all_into<S, R>(&self, sendbuf: &S, recvbuf: &mut R)
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
    {
        let (exchange, site) = (Exchange::of(self, CollectiveKind::NeighborAlltoall), Site::here());
        let blocks = exchange.equal_blocks(recvbuf);
        exchange.run(site, exchange.cut(sendbuf), recvbuf, blocks);
    }

    /// `MPI_Neighbor_alltoallv`.
    #[track_caller]
    fn neighbor_all_to_all_varcount_into<S, R>(&self, sendbuf: &S, recvbuf: &mut R)
    where
        S: PartitionedBuffer + ?Sized,
        R: PartitionedBufferMut + ?Sized,
    {
        let (exchange, site) = (Exchange::of(self, CollectiveKind::NeighborAlltoall), Site::here());
        let blocks = parts_of(recvbuf);
        exchange.run(site, exchange.parts(sendbuf), recvbuf, blocks);
    }

    /// `MPI_Neighbor_alltoallw` within one memory: sections with types of their own, of which what
    /// is sent and what is received may not overlap.
    ///
    /// # Safety
    /// Every section is memory of `memory` that may be read and written with any bytes.
    #[track_caller]
    #[allow(unsafe_code, reason = "sections are known by address")]
    unsafe fn neighbor_all_to_all_sections<M: PointerMut + ?Sized>(
        &self,
        memory: &mut M,
        sends: &[Section<'_>],
        receives: &[Section<'_>],
    ) {
        let (exchange, site) = (Exchange::of(self, CollectiveKind::NeighborAlltoall), Site::here());
        let blocks = receives.iter().map(Block::of).collect();
        let base = memory.pointer_mut().cast::<u8>();
        let sent = exchange.sections(base, sends);
        exchange.run_at(site, Ok(sent), base, Ok(blocks));
    }

    /// `MPI_Neighbor_alltoallw_init` within one memory, whose sections stay the same.
    #[track_caller]
    fn neighbor_all_to_all_sections_init<'d>(
        &self,
        sends: &[Section<'d>],
        receives: &[Section<'d>],
    ) -> NeighborExchange<'d> {
        let exchange = Exchange::of(self, CollectiveKind::NeighborAlltoall);
        let blocks: Vec<Block> = receives.iter().map(Block::of).collect();
        let sent = Sent {
            bytes: Vec::new(),
            counts: exchange.counts_of(sends),
            signature: Signature::EMPTY,
        };
        let operation = exchange.call(sent, &blocks).map(Operation::InitCollective);
        let comm = self.as_simple();
        let reply = accepted(comm, Site::here(), operation)
            .and_then(|operation| comm.context.call(Site::here(), operation));
        NeighborExchange {
            request: PersistentRequest::new(comm.context.clone(), reply),
            sends: sends.to_vec(),
            blocks: exchange.written(blocks),
            destinations: exchange.neighbors.destinations.clone(),
        }
    }
}

/// A persistent exchange of sections with all neighbours.
#[must_use = "a request has to be freed"]
pub struct NeighborExchange<'d> {
    request: PersistentRequest,
    sends: Vec<Section<'d>>,
    blocks: Vec<Block>,
    destinations: Vec<Option<u32>>,
}

impl NeighborExchange<'_> {
    /// `MPI_Start`: what the sections hold now is sent.
    ///
    /// # Safety
    /// Every section is memory of `memory` that may be read.
    #[track_caller]
    #[allow(unsafe_code, reason = "sections are known by address")]
    pub unsafe fn start<M: PointerMut + ?Sized>(&mut self, memory: &mut M) {
        let base = memory.pointer_mut().cast::<u8>();
        let bytes = pack_sections(base, &self.sends, &self.destinations);
        self.request.begin(Site::here(), Some(Payload::from(bytes)));
    }

    /// `MPI_Wait`: what has come is put into its sections.
    ///
    /// # Safety
    /// Every section is memory of `memory` that may be written with any bytes.
    #[track_caller]
    #[allow(unsafe_code, reason = "sections are known by address")]
    pub unsafe fn wait<M: PointerMut + ?Sized>(&mut self, memory: &mut M) {
        let (_, payload) = self.request.outcome(Site::here());
        if let Some(payload) = payload {
            place(memory.pointer_mut().cast(), &self.blocks, payload.as_slice());
        }
    }

    /// `MPI_Request_free`.
    #[track_caller]
    pub fn free(self) {
        self.request.free();
    }
}

/// What a rank sends, packed.
struct Sent {
    bytes: Vec<u8>,
    counts: Counts,
    /// Types of a block where all have to be equal, else empty.
    signature: Signature,
}

/// Where one received block goes.
#[derive(Clone)]
struct Block {
    /// In bytes from the beginning of the buffer.
    offset: i64,
    count: usize,
    kind: Kind,
}

impl Block {
    fn of(section: &Section<'_>) -> Self {
        let offset = section.displacement as i64;
        Self { offset, count: section.count.max(0) as usize, kind: section.datatype.kind() }
    }

    fn bytes(&self) -> u64 {
        self.kind.size() * self.count as u64
    }
}

struct Exchange<'a> {
    comm: &'a SimpleCommunicator,
    kind: CollectiveKind,
    neighbors: Rc<Neighbors>,
}

impl<'a> Exchange<'a> {
    fn of<C: NeighborhoodCollectives + ?Sized>(comm: &'a C, kind: CollectiveKind) -> Self {
        Self { comm: comm.as_simple(), kind, neighbors: Rc::new(comm.neighborhood()) }
    }

    /// One block of a buffer for each source.
    fn equal_blocks<R: BufferMut + ?Sized>(&self, buffer: &R) -> Result<Vec<Block>, MpiError> {
        let (kind, count) = (buffer.as_datatype().kind(), buffer.count().max(0) as usize);
        let sources = self.neighbors.sources.len();
        let each = per_neighbor(count, sources)?;
        let offset = |at: usize| (at * each) as i64 * kind.extent();
        let block = |at| Block { offset: offset(at), count: each, kind: kind.clone() };
        Ok((0..sources).map(block).collect())
    }

    /// One block of a buffer for each destination; those of null neighbours stay.
    fn cut<S: Buffer + ?Sized>(&self, buffer: &S) -> Result<Sent, MpiError> {
        let destinations = &self.neighbors.destinations;
        let count = buffer.count().max(0) as usize;
        per_neighbor(count, destinations.len())?;
        let packed = Packed::of(buffer)?;
        let all = packed.bytes.as_slice();
        let each = all.len().checked_div(destinations.len()).unwrap_or(0);
        let elements = count.checked_div(destinations.len()).unwrap_or(0);
        let signature = buffer.as_datatype().kind().signature(elements as u64);
        let (mut bytes, mut counts) = (Vec::new(), Vec::new());
        for (block, to) in destinations.iter().enumerate() {
            let size = if to.is_some() { each } else { 0 };
            bytes.extend_from_slice(&all[block * each..block * each + size]);
            counts.push(size as u64);
        }
        Ok(Sent { bytes, counts: Counts::Each(counts.into()), signature })
    }

    /// A part of a buffer for each destination; those of null neighbours stay.
    fn parts<S: PartitionedBuffer + ?Sized>(&self, buffer: &S) -> Result<Sent, MpiError> {
        let (all, counts, _) = pack_parts(buffer)?;
        let Counts::Each(list) = counts else { unreachable!("parts have a count each") };
        let destinations = &self.neighbors.destinations;
        if list.len() != destinations.len() {
            let text = format!("{} parts for {} neighbours", list.len(), destinations.len());
            return Err(MpiError::new(ErrorClass::Count, text));
        }
        let (mut bytes, mut kept, mut at) = (Vec::new(), Vec::new(), 0);
        for (size, to) in list.iter().zip(destinations) {
            let part = &all[at..at + *size as usize];
            at += *size as usize;
            kept.push(if to.is_some() { *size } else { 0 });
            if to.is_some() {
                bytes.extend_from_slice(part);
            }
        }
        Ok(Sent { bytes, counts: Counts::Each(kept.into()), signature: Signature::EMPTY })
    }

    fn counts_of(&self, sends: &[Section<'_>]) -> Counts {
        let sizes = sends.iter().zip(&self.neighbors.destinations);
        let size = |(section, to): (&Section<'_>, &Option<u32>)| {
            if to.is_some() { Block::of(section).bytes() } else { 0 }
        };
        Counts::Each(sizes.map(size).collect())
    }

    fn sections(&self, base: *mut u8, sends: &[Section<'_>]) -> Sent {
        let bytes = pack_sections(base, sends, &self.neighbors.destinations);
        Sent { bytes, counts: self.counts_of(sends), signature: Signature::EMPTY }
    }

    /// The call, of which null neighbours have no part.
    fn call(&self, sent: Sent, blocks: &[Block]) -> Result<CollectiveCall, MpiError> {
        let sources = &self.neighbors.sources;
        if blocks.len() != sources.len() {
            let text = format!("{} blocks for {} sources", blocks.len(), sources.len());
            return Err(MpiError::new(ErrorClass::Count, text));
        }
        let size = |(block, from): (&Block, &Option<u32>)| {
            if from.is_some() { block.bytes() } else { 0 }
        };
        let receive = Counts::Each(blocks.iter().zip(sources).map(size).collect());
        let Sent { bytes: input, counts: send, signature } = sent;
        let neighbors = Some(Rc::clone(&self.neighbors));
        let empty = part::empty(self.comm, self.kind, 0);
        Ok(CollectiveCall { neighbors, input, send, receive, signature, ..empty })
    }

    /// The blocks that something comes for.
    fn written(&self, blocks: Vec<Block>) -> Vec<Block> {
        let known = blocks.into_iter().zip(&self.neighbors.sources);
        known.filter(|(_, from)| from.is_some()).map(|(block, _)| block).collect()
    }

    fn run<R: PointerMut + ?Sized>(
        &self,
        site: Site,
        sent: Result<Sent, MpiError>,
        buffer: &mut R,
        blocks: Result<Vec<Block>, MpiError>,
    ) {
        self.run_at(site, sent, buffer.pointer_mut().cast(), blocks);
    }

    fn run_at(
        &self,
        site: Site,
        sent: Result<Sent, MpiError>,
        base: *mut u8,
        blocks: Result<Vec<Block>, MpiError>,
    ) {
        let Some(blocks) = accepted(self.comm, site, blocks) else { return };
        let call = sent.and_then(|sent| self.call(sent, &blocks));
        if let Some(data) = part::take_part(self.comm, site, call) {
            place(base, &self.written(blocks), &data);
        }
    }
}

fn per_neighbor(count: usize, neighbors: usize) -> Result<usize, MpiError> {
    if neighbors == 0 || count.is_multiple_of(neighbors) {
        return Ok(count.checked_div(neighbors).unwrap_or(0));
    }
    let text = format!("{count} elements are no equal blocks for {neighbors} neighbours");
    Err(MpiError::new(ErrorClass::Count, text))
}

fn one_block<S: Buffer + ?Sized>(buffer: &S) -> Result<Sent, MpiError> {
    let packed = Packed::of(buffer)?;
    let bytes = packed.bytes.as_slice().to_vec();
    let counts = Counts::Uniform(bytes.len() as u64);
    Ok(Sent { bytes, counts, signature: packed.signature })
}

fn parts_of<R: PartitionedBufferMut + ?Sized>(buffer: &R) -> Result<Vec<Block>, MpiError> {
    distinct(buffer)?;
    let kind = buffer.as_datatype().kind();
    debug_assert!(matches!(part_bytes(buffer), Counts::Each(_)));
    let parts = buffer.counts().iter().zip(buffer.displs());
    let block = |(count, at): (&Count, &Count)| Block {
        offset: i64::from(*at) * kind.extent(),
        count: (*count).max(0) as usize,
        kind: kind.clone(),
    };
    Ok(parts.map(block).collect())
}

/// What the sections for real neighbours hold.
#[allow(unsafe_code, reason = "sections are known by address")]
fn pack_sections(base: *mut u8, sends: &[Section<'_>], to: &[Option<u32>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (section, _) in sends.iter().zip(to).filter(|(_, to)| to.is_some()) {
        let block = Block::of(section);
        let at = base.wrapping_offset(block.offset as isize);
        // SAFETY: whoever gave the sections vouched for them.
        let payload = unsafe { block.kind.payload(at.cast_const(), block.count) };
        bytes.extend_from_slice(payload.as_slice());
    }
    bytes
}

#[allow(unsafe_code, reason = "buffers are known by address, as in rsmpi")]
fn place(base: *mut u8, blocks: &[Block], mut data: &[u8]) {
    for block in blocks {
        let (mine, rest) = data.split_at((block.bytes() as usize).min(data.len()));
        let at = base.wrapping_offset(block.offset as isize);
        // SAFETY: a buffer, or whoever gave the sections, vouched for the places.
        unsafe { block.kind.place(mine, at, block.count) };
        data = rest;
    }
}

impl NeighborhoodCollectives for CartesianCommunicator {
    fn neighborhood(&self) -> Neighbors {
        let sides: Vec<Option<u32>> = (0..self.num_dimensions())
            .flat_map(|dimension| {
                let (low, high) = self.shift(dimension, 1);
                [low, high]
            })
            .map(|rank| rank.map(|rank| rank as u32))
            .collect();
        Neighbors { sources: sides.clone(), destinations: sides, cartesian: true }
    }
}

fn known(ranks: &[Rank]) -> Vec<Option<u32>> {
    ranks.iter().map(|rank| Some(*rank as u32)).collect()
}

impl NeighborhoodCollectives for GraphCommunicator {
    fn neighborhood(&self) -> Neighbors {
        let neighbors = known(self.neighbors(self.rank()));
        Neighbors { sources: neighbors.clone(), destinations: neighbors, cartesian: false }
    }
}

impl NeighborhoodCollectives for DistributedGraphCommunicator {
    fn neighborhood(&self) -> Neighbors {
        let adjacency = self.neighbors();
        Neighbors {
            sources: known(&adjacency.sources),
            destinations: known(&adjacency.destinations),
            cartesian: false,
        }
    }
}

/// All edges that all ranks give, in rank order: the communication inside
/// `MPI_Dist_graph_create`. All ranks have to give weights, or none.
pub(crate) fn exchange_edges(
    comm: &SimpleCommunicator,
    site: Site,
    mine: &[Edge],
    weighted: bool,
) -> Option<Vec<Edge>> {
    let share = |input: Vec<u8>, receive: Counts| {
        let send = Counts::Uniform(input.len() as u64);
        let empty = part::empty(comm, CollectiveKind::Allgather, 0);
        part::take_part(comm, site, Ok(CollectiveCall { input, send, receive, ..empty }))
    };
    const EDGE: u64 = 12;
    let own = (mine.len() as u64) << 1 | u64::from(weighted);
    let told = share(own.to_le_bytes().to_vec(), Counts::Uniform(8))?;
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("8 bytes"));
    let told: Vec<u64> = told.chunks_exact(8).map(word).collect();
    let agree = told.iter().all(|word| word & 1 == own & 1);
    let mixed = || MpiError::new(ErrorClass::Arg, "some ranks give weights and some do not");
    accepted(comm, site, agree.then_some(()).ok_or_else(mixed))?;
    let numbers = mine.iter().flat_map(|edge| [edge.0, edge.1, edge.2]);
    let bytes = numbers.flat_map(i32::to_le_bytes).collect();
    let sizes: Vec<u64> = told.iter().map(|word| (word >> 1) * EDGE).collect();
    let all = share(bytes, Counts::Each(sizes.into()))?;
    let number = |bytes: &[u8]| i32::from_le_bytes(bytes.try_into().expect("4 bytes"));
    let numbers: Vec<i32> = all.chunks_exact(4).map(number).collect();
    Some(numbers.chunks_exact(3).map(|edge| (edge[0], edge[1], edge[2])).collect())
}
