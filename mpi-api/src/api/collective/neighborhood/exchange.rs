//! One rank's part in a neighbourhood collective: packing what it sends, placing what it receives.

use std::rc::Rc;

use super::{
    super::part::{self, Side},
    NeighborRequest, NeighborhoodCollectives,
};
use crate::{
    api::{
        Address, Count,
        datatype::{
            AsDatatype, Buffer, BufferMut, Collection, DatatypeRef, Kind, Packed,
            PartitionedBuffer, PartitionedBufferMut, PointerMut, Shape, UncommittedDatatype,
            distinct, pack_parts,
        },
        request::{Request, Scope},
        topology::SimpleCommunicator,
    },
    call::{CollectiveCall, CollectiveKind, Counts, Form, Neighbors, Site, Types},
    error::{ErrorClass, MpiError},
    object::signature::Signature,
};

/// Elements of a datatype at a place, in bytes, of some memory.
#[derive(Clone, Copy)]
pub struct Section<'d> {
    /// Displacement from the start of the memory, in bytes.
    pub displacement: Address,
    /// Number of elements.
    pub count: Count,
    /// Datatype of the elements.
    pub datatype: DatatypeRef<'d>,
}

/// The packed data that a rank sends.
pub(super) struct Sent {
    pub(super) bytes: Vec<u8>,
    counts: Counts,
    /// Signature of a block if all ranks must have equal ones, else empty.
    signature: Signature,
    /// Types of the elements of each block.
    types: Types,
}

/// The destination of one received block.
pub(super) struct Block {
    /// Offset from the start of the buffer, in bytes.
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

    fn element(&self) -> Signature {
        self.kind.element()
    }
}

/// The call of one rank, and the destinations of the received blocks.
type Part = Result<(CollectiveCall, Vec<Block>), MpiError>;

/// A rank's exchange with its neighbours, checked and packed.
pub(super) struct Exchange<'a> {
    comm: &'a SimpleCommunicator,
    kind: CollectiveKind,
    neighbors: Rc<Neighbors>,
    part: Part,
}

impl<'a> Exchange<'a> {
    fn new<C: NeighborhoodCollectives + ?Sized>(
        comm: &'a C,
        (kind, form): (CollectiveKind, Form),
        part: impl FnOnce(&Neighbors) -> Result<(Sent, Vec<Block>), MpiError>,
    ) -> Self {
        let (comm, neighbors) = (comm.as_simple(), Rc::new(comm.neighborhood()));
        let part = part(&neighbors).and_then(|(sent, blocks)| {
            one_for_each(blocks.len(), neighbors.sources.len())?;
            let taken = Types::of(blocks.iter().map(Block::element).collect());
            let blocks = written(blocks, &neighbors);
            let (input, send, signature) = (sent.bytes, sent.counts, sent.signature);
            let receive = room(&blocks, &neighbors);
            let neighbors = Some(Rc::clone(&neighbors));
            let empty = part::empty(comm, kind, 0);
            let call = CollectiveCall { form, neighbors, input, send, receive, signature, ..empty };
            Ok((part::declaring(call, sent.types, taken), blocks))
        });
        Self { comm, kind, neighbors, part }
    }

    pub(super) fn all_gather<C, S, R>(comm: &'a C, send: &S, into: &R) -> Self
    where
        C: NeighborhoodCollectives + ?Sized,
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
    {
        Self::new(comm, (CollectiveKind::NeighborAllgather, Form::Plain), |neighbors| {
            Ok((one_block(send)?, equal_blocks(neighbors, into)?))
        })
    }

    pub(super) fn all_gather_varcount<C, S, R>(comm: &'a C, send: &S, into: &R) -> Self
    where
        C: NeighborhoodCollectives + ?Sized,
        S: Buffer + ?Sized,
        R: PartitionedBufferMut + ?Sized,
    {
        Self::new(comm, (CollectiveKind::NeighborAllgather, Form::Vector), |_| {
            let sent = Sent { signature: Signature::EMPTY, ..one_block(send)? };
            Ok((sent, parts_of(into)?))
        })
    }

    pub(super) fn all_to_all<C, S, R>(comm: &'a C, send: &S, into: &R) -> Self
    where
        C: NeighborhoodCollectives + ?Sized,
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
    {
        Self::new(comm, (CollectiveKind::NeighborAlltoall, Form::Plain), |neighbors| {
            Ok((cut(neighbors, send)?, equal_blocks(neighbors, into)?))
        })
    }

    pub(super) fn all_to_all_varcount<C, S, R>(comm: &'a C, send: &S, into: &R) -> Self
    where
        C: NeighborhoodCollectives + ?Sized,
        S: PartitionedBuffer + ?Sized,
        R: PartitionedBufferMut + ?Sized,
    {
        Self::new(comm, (CollectiveKind::NeighborAlltoall, Form::Vector), |neighbors| {
            Ok((parts(neighbors, send)?, parts_of(into)?))
        })
    }

    /// Plans an exchange of sections of the memory at `base`, which the caller guarantees to be
    /// valid.
    pub(super) fn sections<C: NeighborhoodCollectives + ?Sized>(
        comm: &'a C,
        base: *mut u8,
        sends: &[Section<'_>],
        receives: &[Section<'_>],
    ) -> Self {
        let mut exchange = Self::planned(comm, sends, receives);
        if let Ok((call, _)) = &mut exchange.part {
            call.input = pack_sections(base, sends, &exchange.neighbors);
        }
        exchange
    }

    /// Plans a persistent exchange of sections, whose memory is given at each start.
    pub(super) fn planned<C: NeighborhoodCollectives + ?Sized>(
        comm: &'a C,
        sends: &[Section<'_>],
        receives: &[Section<'_>],
    ) -> Self {
        Self::new(comm, (CollectiveKind::NeighborAlltoall, Form::General), |neighbors| {
            one_for_each(sends.len(), neighbors.destinations.len())?;
            let sizes = sends.iter().zip(&neighbors.destinations);
            let size = |(section, to): (&Section<'_>, &Option<u32>)| {
                if to.is_some() { Block::of(section).bytes() } else { 0 }
            };
            let counts = Counts::Each(sizes.map(size).collect());
            let types = sends.iter().map(|section| Block::of(section).element());
            let types = Types::of(types.collect());
            let sent = Sent { bytes: Vec::new(), counts, signature: Signature::EMPTY, types };
            Ok((sent, receives.iter().map(Block::of).collect()))
        })
    }

    /// Performs the exchange and writes the received data to `memory`.
    pub(super) fn run<M: PointerMut + ?Sized>(self, site: Site, memory: &mut M) {
        let (call, blocks) = split(self.kind, self.part);
        if let Some(data) = part::take_part(self.comm, site, call) {
            place(memory.pointer_mut().cast(), &blocks, &data);
        }
    }

    /// Starts the exchange without waiting.
    pub(super) fn begin<'b, M, Sc>(self, site: Site, memory: &'b mut M) -> Request<'b, M, Sc>
    where
        M: PointerMut + ?Sized,
        Sc: Scope<'b>,
    {
        let (call, blocks) = split(self.kind, self.part);
        let reply = part::begin(self.comm, site, call);
        let put = move |memory: &mut M, data: &[u8]| {
            place(memory.pointer_mut().cast(), &blocks, data);
        };
        Request::placing(self.comm.context.clone(), reply, memory, Box::new(put))
    }

    /// Creates a persistent exchange of buffers of these shapes; sections are the same in all rounds, and have none.
    pub(super) fn init(self, site: Site, shapes: Option<[Shape; 2]>) -> NeighborRequest {
        let (call, blocks) = split(self.kind, self.part);
        let mut request = part::init(self.comm, site, call);
        if let Some([sent, received]) = shapes {
            request = request.giving(sent).taking(received);
        }
        NeighborRequest { request, kind: self.kind, neighbors: self.neighbors, blocks }
    }
}

fn split(kind: CollectiveKind, part: Part) -> (part::Part, Vec<Block>) {
    let (call, blocks) = match part {
        Ok((call, blocks)) => (Ok(call), blocks),
        Err(error) => (Err(error), Vec::new()),
    };
    (part::Part::of(kind, |_| call), blocks)
}

fn one_for_each(given: usize, neighbors: usize) -> Result<(), MpiError> {
    if given == neighbors {
        return Ok(());
    }
    let text = format!("{given} blocks for {neighbors} neighbours");
    Err(MpiError::new(ErrorClass::Count, text))
}

/// Returns the blocks that receive data, without those of null neighbours.
pub(super) fn written(blocks: Vec<Block>, neighbors: &Neighbors) -> Vec<Block> {
    let known = blocks.into_iter().zip(&neighbors.sources);
    known.filter(|(_, from)| from.is_some()).map(|(block, _)| block).collect()
}

/// Returns the bytes expected from each source; null sources are left out.
pub(super) fn room(written: &[Block], neighbors: &Neighbors) -> Counts {
    let mut written = written.iter();
    let size = |from: &Option<u32>| from.and_then(|_| written.next()).map_or(0, Block::bytes);
    Counts::Each(neighbors.sources.iter().map(size).collect())
}

/// Returns the number and the type of the elements of a buffer for each of `neighbors` neighbours.
fn per_neighbor<B: Collection + AsDatatype + ?Sized>(
    side: Side,
    buffer: &B,
    neighbors: usize,
) -> Result<(usize, Kind), MpiError> {
    let (kind, count) = (buffer.as_datatype().kind(), buffer.count().max(0) as u64);
    let (each, kind) = part::divided(side, (&kind, count), (neighbors as u64, "neighbour"))?;
    Ok((each as usize, kind))
}

/// Divides a buffer into equal blocks, one for each source.
pub(super) fn equal_blocks<R: BufferMut + ?Sized>(
    neighbors: &Neighbors,
    buffer: &R,
) -> Result<Vec<Block>, MpiError> {
    let sources = neighbors.sources.len();
    let (each, kind) = per_neighbor(Side::Receive, buffer, sources)?;
    let offset = |at: usize| (at * each) as i64 * kind.extent();
    let block = |at| Block { offset: offset(at), count: each, kind: kind.clone() };
    Ok((0..sources).map(block).collect())
}

/// Returns the blocks of a buffer in parts.
pub(super) fn parts_of<R: PartitionedBufferMut + ?Sized>(
    buffer: &R,
) -> Result<Vec<Block>, MpiError> {
    distinct(buffer)?;
    let kind = buffer.as_datatype().kind();
    let parts = buffer.counts().iter().zip(buffer.displs());
    let block = |(count, at): (&Count, &Count)| Block {
        offset: i64::from(*at) * kind.extent(),
        count: (*count).max(0) as usize,
        kind: kind.clone(),
    };
    Ok(parts.map(block).collect())
}

/// Packs one block for all destinations.
pub(super) fn one_block<S: Buffer + ?Sized>(buffer: &S) -> Result<Sent, MpiError> {
    let packed = Packed::of(buffer)?;
    let bytes = packed.bytes.as_slice().to_vec();
    let counts = Counts::Uniform(bytes.len() as u64);
    Ok(Sent { bytes, counts, signature: packed.signature, types: part::elements(buffer) })
}

/// Packs equal blocks of a buffer, one for each destination; null destinations get none.
pub(super) fn cut<S: Buffer + ?Sized>(neighbors: &Neighbors, buffer: &S) -> Result<Sent, MpiError> {
    let destinations = neighbors.destinations.len();
    let (elements, kind) = per_neighbor(Side::Send, buffer, destinations)?;
    let packed = Packed::of(buffer)?;
    let sizes = vec![kind.size() * elements as u64; destinations];
    let (bytes, counts) = for_real_ones(neighbors, packed.bytes.as_slice(), &sizes);
    let signature = kind.signature(elements as u64);
    Ok(Sent { bytes, counts, signature, types: part::elements(buffer) })
}

/// Packs the parts of a buffer, one for each destination; null destinations get none.
pub(super) fn parts<S: PartitionedBuffer + ?Sized>(
    neighbors: &Neighbors,
    buffer: &S,
) -> Result<Sent, MpiError> {
    let (all, counts, _) = pack_parts(buffer)?;
    let Counts::Each(sizes) = counts else { unreachable!("parts have a count each") };
    one_for_each(sizes.len(), neighbors.destinations.len())?;
    let (bytes, counts) = for_real_ones(neighbors, &all, &sizes);
    let (signature, types) = (Signature::EMPTY, part::elements(buffer));
    Ok(Sent { bytes, counts, signature, types })
}

/// Selects from consecutive blocks those whose destinations are not null.
fn for_real_ones(neighbors: &Neighbors, all: &[u8], sizes: &[u64]) -> (Vec<u8>, Counts) {
    let (mut bytes, mut kept, mut rest) = (Vec::new(), Vec::new(), all);
    for (size, to) in sizes.iter().zip(&neighbors.destinations) {
        let (block, after) = rest.split_at(*size as usize);
        rest = after;
        if to.is_some() {
            bytes.extend_from_slice(block);
        }
        kept.push(if to.is_some() { *size } else { 0 });
    }
    (bytes, Counts::Each(kept.into()))
}

/// Packs the sections whose destinations are not null.
#[allow(unsafe_code, reason = "sections are known by address")]
pub(super) fn pack_sections(
    base: *mut u8,
    sends: &[Section<'_>],
    neighbors: &Neighbors,
) -> Vec<u8> {
    let mut bytes = Vec::new();
    let sections = sends.iter().zip(&neighbors.destinations);
    for (section, _) in sections.filter(|(_, to)| to.is_some()) {
        let block = Block::of(section);
        let at = base.wrapping_offset(block.offset as isize);
        // SAFETY: the creator of the sections guarantees that they may be read.
        let payload = unsafe { block.kind.payload(at.cast_const(), block.count) };
        bytes.extend_from_slice(payload.as_slice());
    }
    bytes
}

#[allow(unsafe_code, reason = "buffers are known by address, as in rsmpi")]
pub(super) fn place(base: *mut u8, blocks: &[Block], mut data: &[u8]) {
    for block in blocks {
        let (mine, rest) = data.split_at((block.bytes() as usize).min(data.len()));
        let at = base.wrapping_offset(block.offset as isize);
        // SAFETY: the buffer, or the creator of the sections, guarantees that the places may be
        // written.
        unsafe { block.kind.place(mine, at, block.count) };
        data = rest;
    }
}
