//! Builds a rank's part in collectives without a root.

use super::{
    Operation,
    part::{self, Built, Part},
};
use crate::{
    api::{
        Count,
        datatype::{Buffer, BufferMut, PartitionedBuffer, PartitionedBufferMut, room},
        topology::{Communicator, SimpleCommunicator},
    },
    call::{CollectiveCall, CollectiveKind, Counts, Form},
    error::{ErrorClass, MpiError},
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
    Part::of(kind, |kind| part::same_room(part::reducing(comm, kind, 0, send, op)?, into))
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
        let each = room(into)?.bytes;
        part.receive = Counts::Each(vec![each; comm.size() as usize].into());
        whole(part)
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
        let element = part.reduction.as_ref().map_or(1, |reduction| reduction.element_bytes);
        let bytes: Vec<u64> = counts.iter().map(|count| (*count).max(0) as u64 * element).collect();
        part.receive = Counts::Each(bytes.into());
        part::one_for_each(comm.size(), &part.receive)?;
        let mine = counts[comm.rank() as usize].max(0) as u64 * element;
        if mine > room(into)?.bytes {
            let text = format!("{mine} bytes of result");
            return Err(MpiError::new(ErrorClass::Truncate, text));
        }
        whole(part)
    })
}

/// Checks that the parts of a reduce-scatter add up to its input.
fn whole(part: CollectiveCall) -> Built {
    let total: u64 = match &part.receive {
        Counts::Each(list) => list.iter().sum(),
        _ => 0,
    };
    if total != part.input.len() as u64 {
        let text = format!("{} bytes to reduce, {total} to scatter", part.input.len());
        return Err(MpiError::new(ErrorClass::Count, text));
    }
    Ok(part)
}
