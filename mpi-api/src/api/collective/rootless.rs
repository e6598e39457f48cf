//! Builds a rank's part in collectives without a root.

use super::{
    Operation,
    part::{self, Part},
};
use crate::{
    api::{
        Count,
        datatype::{
            Buffer, BufferMut, PartitionedBuffer, PartitionedBufferMut, Room, UncommittedDatatype,
            room,
        },
        topology::{Communicator, SimpleCommunicator},
    },
    call::{CollectiveCall, CollectiveKind, Counts, Form},
    error::{ErrorClass, MpiError},
    object::signature::Signature,
};

pub(super) fn all_gather<S: Buffer + ?Sized, R: BufferMut + ?Sized>(
    comm: &SimpleCommunicator,
    send: &S,
    into: &R,
) -> Part {
    Part::of(CollectiveKind::Allgather, |kind| {
        let receive = part::room_of_blocks(comm, into)?;
        let part = part::sending(comm, kind, 0, send)?;
        let part = part::declaring(part, part::elements(send), part::elements(into));
        part::agreeing(comm, CollectiveCall { receive, ..part })
    })
}

pub(super) fn all_gather_varcount<S: Buffer + ?Sized, R: PartitionedBufferMut + ?Sized>(
    comm: &SimpleCommunicator,
    send: &S,
    into: &R,
) -> Part {
    Part::of(CollectiveKind::Allgather, |kind| {
        let receive = part::room_of_parts(comm, into)?;
        let part = part::sending(comm, kind, 0, send)?;
        let part = part::declaring(part, part::elements(send), part::elements(into));
        part::agreeing(comm, CollectiveCall { form: Form::Vector, receive, ..part })
    })
}

pub(super) fn all_to_all<S: Buffer + ?Sized, R: BufferMut + ?Sized>(
    comm: &SimpleCommunicator,
    send: &S,
    into: &R,
) -> Part {
    Part::of(CollectiveKind::Alltoall, |kind| {
        let receive = part::room_of_blocks(comm, into)?;
        let part = part::sending_blocks(comm, kind, send)?;
        let part = part::declaring(part, part::elements(send), part::elements(into));
        part::agreeing(comm, CollectiveCall { receive, ..part })
    })
}

pub(super) fn all_to_all_varcount<
    S: PartitionedBuffer + ?Sized,
    R: PartitionedBufferMut + ?Sized,
>(
    comm: &SimpleCommunicator,
    send: &S,
    into: &R,
) -> Part {
    Part::of(CollectiveKind::Alltoall, |kind| {
        let receive = part::room_of_parts(comm, into)?;
        let part = part::dealing(comm, kind, 0, send)?;
        let part = part::declaring(part, part::elements(send), part::elements(into));
        part::agreeing(comm, CollectiveCall { form: Form::Vector, receive, ..part })
    })
}

pub(super) fn reduction<S: Buffer + ?Sized, R: BufferMut + ?Sized>(
    comm: &SimpleCommunicator,
    kind: CollectiveKind,
    send: &S,
    into: &R,
    op: &impl Operation,
) -> Part {
    Part::of(kind, |kind| part::same_room(comm, part::reducing(comm, kind, 0, send, op)?, into))
}

pub(super) fn reduce_scatter_block<S: Buffer + ?Sized, R: BufferMut + ?Sized>(
    comm: &SimpleCommunicator,
    send: &S,
    into: &R,
    op: &impl Operation,
) -> Part {
    Part::of(CollectiveKind::ReduceScatter, |kind| {
        let mut part = part::reducing(comm, kind, 0, send, op)?;
        part.form = Form::Block;
        let (each, ranks) = (room(into)?, comm.size() as usize);
        let all = each.signature.repeat(ranks as u64);
        part::reduced_alike(comm, &part.signature, &all, "and room on all ranks for")?;
        part.receive = Counts::Each(vec![each.bytes; ranks].into());
        Ok(part)
    })
}

pub(super) fn reduce_scatter<S: Buffer + ?Sized, R: BufferMut + ?Sized>(
    comm: &SimpleCommunicator,
    send: &S,
    counts: &[Count],
    into: &R,
    op: &impl Operation,
) -> Part {
    Part::of(CollectiveKind::ReduceScatter, |kind| {
        let mut part = part::reducing(comm, kind, 0, send, op)?;
        let size = part.reduction.as_ref().map_or(1, |reduction| reduction.element_bytes);
        let elements = || counts.iter().map(|count| (*count).max(0) as u64);
        part.receive = Counts::Each(elements().map(|count| count * size).collect());
        part::one_for_each(comm.size(), &part.receive)?;
        let element = send.as_datatype().kind();
        let all = element.signature(elements().sum());
        part::reduced_alike(comm, &part.signature, &all, "counts for")?;
        let mine = counts[comm.rank() as usize].max(0) as u64;
        holds_share(comm, &element.signature(mine), &room(into)?)?;
        Ok(part)
    })
}

/// Checks that a receive buffer takes a rank's share of a reduce-scatter; it may be longer.
///
/// # Errors
/// `MPI_ERR_TYPE` if its elements have other types, `MPI_ERR_TRUNCATE` if it is too short.
fn holds_share(comm: &SimpleCommunicator, share: &Signature, room: &Room) -> Result<(), MpiError> {
    let representations = comm.context.environment().matches_representations();
    let is_typed = room.signature.takes(share)
        || representations && room.signature.representation().takes(&share.representation());
    let class = match is_typed {
        true if share.bytes() <= room.bytes => return Ok(()),
        true => ErrorClass::Truncate,
        false => ErrorClass::Type,
    };
    let text = format!(
        "this rank's share of the result is {share}, and it has room for {}",
        room.signature
    );
    Err(MpiError::new(class, text))
}
