//! Builds one rank's part in a collective from its buffers.

use sim_core::words::counted;

use crate::{
    api::{
        PROC_NULL,
        datatype::{
            AsDatatype, Buffer, BufferMut, Kind, Packed, PartitionedBuffer, PartitionedBufferMut,
            UncommittedDatatype, class_of_difference, described, distinct, pack_parts, part_bytes,
            receivable, room,
        },
        point_to_point::accepted,
        request::PersistentRequest,
        topology::{Communicator, ROOT, Rank, SimpleCommunicator},
    },
    call::{
        CollectiveCall, CollectiveEntry, CollectiveKind, Counts, Declared, Payload, ROOT_ELSEWHERE,
        ROOT_SELF, Reduction, Reply, Site, Types,
    },
    error::{ErrorClass, MpiError},
    finding::CallPlace,
    object::{
        op::Op,
        signature::{Primitive, Signature},
    },
    policy::Policies,
};

/// The call of a collective, or what is wrong with its arguments.
pub(super) type Built = Result<CollectiveCall, MpiError>;

/// A rank's part in a collective, which names the function in errors, too.
pub(super) struct Part {
    kind: CollectiveKind,
    call: Built,
}

impl Part {
    /// Builds a part in a collective of this kind.
    pub(super) fn of(kind: CollectiveKind, build: impl FnOnce(CollectiveKind) -> Built) -> Self {
        Self { kind, call: build(kind) }
    }

    /// Returns the call, or raises the error.
    fn accepted(self, comm: &SimpleCommunicator, site: Site) -> Option<CollectiveCall> {
        accepted(comm, CallPlace { call: self.kind.name(), site }, self.call)
    }
}

impl From<CollectiveCall> for Part {
    fn from(call: CollectiveCall) -> Self {
        Self { kind: call.kind, call: Ok(call) }
    }
}

/// Converts a root argument to the kernel's form.
fn named(root: Rank) -> u32 {
    match root {
        ROOT => ROOT_SELF,
        PROC_NULL => ROOT_ELSEWHERE,
        rank => rank as u32,
    }
}

/// Creates a part without data.
pub(super) fn empty(comm: &SimpleCommunicator, kind: CollectiveKind, root: Rank) -> CollectiveCall {
    CollectiveCall { root: named(root), ..CollectiveCall::new(comm.info.id, kind) }
}

/// Returns the types of a buffer's elements.
pub(super) fn elements<B: AsDatatype + ?Sized>(buffer: &B) -> Types {
    Types::One(buffer.as_datatype().kind().element())
}

/// Declares the types of the data, which are compared between ranks.
pub(super) fn declaring(part: CollectiveCall, send: Types, receive: Types) -> CollectiveCall {
    CollectiveCall { declared: Some(Box::new(Declared { send, receive })), ..part }
}

/// Creates a part that sends one block, the same to every receiver. The block of a reduction to one or all ranks
/// is not copied if the run simulates only its size: the kernel decides by the same size.
pub(super) fn sending<B: Buffer + ?Sized>(
    comm: &SimpleCommunicator,
    kind: CollectiveKind,
    root: Rank,
    buffer: &B,
) -> Built {
    let is_whole = matches!(kind, CollectiveKind::Reduce | CollectiveKind::Allreduce);
    let packed = if is_whole { Packed::of_message(buffer)? } else { Packed::of(buffer)? };
    Ok(giving(packed, empty(comm, kind, root)))
}

/// Creates a part that sends equal blocks, one to each rank. They are not copied if the run simulates only their
/// size.
pub(super) fn sending_blocks<B: Buffer + ?Sized>(
    comm: &SimpleCommunicator,
    kind: CollectiveKind,
    buffer: &B,
) -> Built {
    let send = sent_blocks(comm, buffer)?;
    let packed = Packed::of_blocks(buffer, comm.target_size() as usize)?;
    Ok(CollectiveCall { send, ..giving(packed, empty(comm, kind, 0)) })
}

/// Returns a part with the data that a rank gives.
fn giving(packed: Packed, part: CollectiveCall) -> CollectiveCall {
    let absent = matches!(packed.bytes, Payload::Absent(_));
    let send = Counts::Uniform(packed.bytes.bytes());
    let (input, signature) = (packed.bytes.into_vec(), packed.signature);
    CollectiveCall { input, absent, send, signature, ..part }
}

/// Creates a part that sends a separate block to each rank.
pub(super) fn dealing<B: PartitionedBuffer + ?Sized>(
    comm: &SimpleCommunicator,
    kind: CollectiveKind,
    root: Rank,
    buffer: &B,
) -> Built {
    let (input, send, signature) = pack_parts(buffer)?;
    one_for_each(comm.target_size(), &send)?;
    Ok(CollectiveCall { input, send, signature, ..empty(comm, kind, root) })
}

/// A buffer of a collective.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Send,
    Receive,
}

impl Side {
    fn word(self) -> &'static str {
        match self {
            Self::Send => "send",
            Self::Receive => "receive",
        }
    }
}

/// Divides a buffer of `count` elements into equal blocks, one for each of `among` ranks or neighbours, `whom`. Returns the
/// number of elements of a block, and their type. A buffer that is a single array is divided between the elements of the
/// array.
///
/// # Errors
/// `MPI_ERR_COUNT` if a block would end inside an element.
pub(super) fn divided(
    side: Side,
    (kind, count): (&Kind, u64),
    (among, whom): (u64, &str),
) -> Result<(u64, Kind), MpiError> {
    let (elements, kind) = if count == 1 { kind.array() } else { (count, kind.clone()) };
    if elements.is_multiple_of(among) || among == 0 {
        return Ok((elements.checked_div(among).unwrap_or(0), kind));
    }
    let (side, elements, whom) = (side.word(), counted(elements, "element"), counted(among, whom));
    let text = format!("the {side} buffer has {elements}, which are no equal blocks for {whom}");
    Err(MpiError::new(ErrorClass::Count, text))
}

/// Returns the bytes of each block of a buffer with one block for each rank of the target group.
fn blocks(comm: &SimpleCommunicator, side: Side, buffer: (&Kind, u64)) -> Result<Counts, MpiError> {
    let (elements, kind) = divided(side, buffer, (comm.target_size() as u64, "rank"))?;
    Ok(Counts::Uniform(elements * kind.size()))
}

/// Returns the bytes of each block of a send buffer with one block for each rank.
pub(super) fn sent_blocks<B: Buffer + ?Sized>(
    comm: &SimpleCommunicator,
    buffer: &B,
) -> Result<Counts, MpiError> {
    let (kind, count) = described(buffer)?;
    blocks(comm, Side::Send, (&kind, count as u64))
}

/// Returns the room of a buffer with one block for each rank.
pub(super) fn room_of_blocks<B: BufferMut + ?Sized>(
    comm: &SimpleCommunicator,
    buffer: &B,
) -> Result<Counts, MpiError> {
    let (kind, count) = receivable(buffer)?;
    blocks(comm, Side::Receive, (&kind, count))
}

pub(super) fn one_for_each(ranks: Rank, counts: &Counts) -> Result<(), MpiError> {
    match counts {
        Counts::Each(list) if list.len() != ranks as usize => {
            let text = format!("{} counts for {ranks} ranks", list.len());
            Err(MpiError::new(ErrorClass::Count, text))
        }
        _ => Ok(()),
    }
}

/// Returns the bytes of each part of a receive buffer, which has one part for each rank; parts must
/// not overlap.
pub(super) fn room_of_parts<B: PartitionedBufferMut + ?Sized>(
    comm: &SimpleCommunicator,
    into: &B,
) -> Result<Counts, MpiError> {
    let receive = part_bytes(into);
    one_for_each(comm.target_size(), &receive)?;
    distinct(into)?;
    Ok(receive)
}

/// Checks that a rank receives from itself as much as it sends to itself. Over an intercommunicator
/// a rank sends itself nothing.
pub(super) fn agreeing(comm: &SimpleCommunicator, part: CollectiveCall) -> Built {
    if comm.test_inter() {
        return Ok(part);
    }
    let me = comm.info.rank as usize;
    let of = |counts: &Counts| match counts {
        Counts::None => 0,
        Counts::Uniform(bytes) => *bytes,
        Counts::Each(list) => list[me],
    };
    let (sent, taken) = (of(&part.send), of(&part.receive));
    if sent != taken {
        let declared = part.declared.as_deref();
        let [given, room] = [
            data(declared.map(|declared| &declared.send), sent),
            data(declared.map(|declared| &declared.receive), taken),
        ];
        let text = format!("the rank sends itself {given} and has room for {room}");
        let class = if sent > taken { ErrorClass::Truncate } else { ErrorClass::Count };
        return Err(MpiError::new(class, text));
    }
    Ok(part)
}

/// Returns what a block of this many bytes holds, in the types of its elements where they are known.
fn data(types: Option<&Types>, bytes: u64) -> String {
    match types {
        Some(Types::One(element)) if element.bytes() > 0 => {
            element.repeat(bytes / element.bytes()).to_string()
        }
        None | Some(Types::None | Types::One(_) | Types::Each(_)) => counted(bytes, "byte"),
    }
}

/// Returns the reduction of elements of one datatype.
pub(super) fn reduction_of(
    op: Op,
    kind: &Kind,
    policies: &Policies,
) -> Result<Reduction, MpiError> {
    if matches!(op, Op::User { .. }) {
        let primitive = kind.primitive().unwrap_or(Primitive::Byte);
        return Ok(Reduction { op, primitive, element_bytes: kind.size().max(1) });
    }
    let primitive = op.defined_for(kind.primitive(), policies)?;
    Ok(Reduction::new(op, primitive))
}

/// Creates the part of a reduction whose result is as long as its input.
pub(super) fn reducing<B: Buffer + ?Sized>(
    comm: &SimpleCommunicator,
    kind: CollectiveKind,
    root: Rank,
    buffer: &B,
    op: &impl super::Operation,
) -> Built {
    let elements = buffer.as_datatype().kind();
    let mut part = sending(comm, kind, root, buffer)?;
    let policies = &comm.context.environment().policies;
    part.reduction = Some(reduction_of(op.op(&elements), &elements, policies)?);
    part.receive = part.send.clone();
    Ok(part)
}

/// Checks that the result has as many elements as the input, of the same types (MPI section 6.9.1: both buffers have one
/// count and one datatype).
pub(super) fn same_room<B: BufferMut + ?Sized>(
    comm: &SimpleCommunicator,
    part: CollectiveCall,
    buffer: &B,
) -> Built {
    let room = room(buffer)?.signature;
    reduced_alike(comm, &part.signature, &room, "room for")?;
    Ok(part)
}

/// Checks that the data which a rank gives to a reduction have the types and the number of those which receive the result;
/// `receiving` begins what is said of the latter.
///
/// # Errors
/// `MPI_ERR_TYPE` if the types differ, `MPI_ERR_COUNT` if only the numbers do.
pub(super) fn reduced_alike(
    comm: &SimpleCommunicator,
    given: &Signature,
    result: &Signature,
    receiving: &str,
) -> Result<(), MpiError> {
    let representations = comm.context.environment().matches_representations();
    if given.describes_the_same(result, representations) {
        return Ok(());
    }
    let text = format!("{given} to reduce, {receiving} {result}");
    Err(MpiError::new(class_of_difference(given, result), text))
}

/// Performs the collective and returns its result, packed.
pub(super) fn take_part(
    comm: &SimpleCommunicator,
    site: Site,
    part: impl Into<Part>,
) -> Option<Vec<u8>> {
    let call = part.into().accepted(comm, site)?;
    match comm.context.call(site, CollectiveEntry::Blocking(Box::new(call))) {
        Some(Reply::Data(data)) => Some(data),
        _ => None,
    }
}

/// Starts the nonblocking form.
pub(super) fn begin(comm: &SimpleCommunicator, site: Site, part: impl Into<Part>) -> Option<Reply> {
    let call = part.into().accepted(comm, site)?;
    comm.context.call(site, CollectiveEntry::Immediate(Box::new(call)))
}

/// Creates the persistent form; each start brings its own data.
pub(super) fn init(
    comm: &SimpleCommunicator,
    site: Site,
    part: impl Into<Part>,
) -> PersistentRequest {
    let reply = part.into().accepted(comm, site).and_then(|call| {
        let call = CollectiveCall { input: Vec::new(), ..call };
        comm.context.call(site, CollectiveEntry::Persistent(Box::new(call)))
    });
    PersistentRequest::new(comm, reply)
}
