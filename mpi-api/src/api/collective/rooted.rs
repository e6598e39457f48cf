//! Builds a rank's part in collectives with a root.

use super::part::{self, Built, Part};
use crate::{
    api::{
        PROC_NULL,
        datatype::{
            Buffer, BufferMut, PartitionedBuffer, PartitionedBufferMut, Shape, contents, room,
        },
        topology::{Communicator, ROOT, Rank, SimpleCommunicator},
    },
    call::{CollectiveCall, CollectiveKind, Counts, Form, Types},
    error::{ErrorClass, MpiError},
};

/// Reports whether this rank is the root.
pub(super) fn is_root(comm: &SimpleCommunicator, root: Rank) -> bool {
    root == if comm.test_inter() { ROOT } else { comm.rank() }
}

/// Broadcast: the root's data are sent; the other ranks declare the size of their buffers.
pub(super) fn broadcast<B: BufferMut + ?Sized>(
    comm: &SimpleCommunicator,
    root: Rank,
    buffer: &mut B,
) -> Part {
    Part::of(CollectiveKind::Broadcast, |kind| {
        let room = room(buffer)?;
        let bytes = Counts::Uniform(room.bytes);
        let input =
            if is_root(comm, root) { contents(buffer) } else { vec![0; room.bytes as usize] };
        Ok(CollectiveCall {
            input,
            send: bytes.clone(),
            receive: bytes,
            signature: room.signature,
            ..part::empty(comm, kind, root)
        })
    })
}

/// Returns the shape of the data that this rank gives to the root. Of an intercommunicator, only the ranks of the group
/// without the root give any.
pub(super) fn contributed<S: Buffer + ?Sized>(
    comm: &SimpleCommunicator,
    root: Rank,
    send: &S,
) -> Option<Shape> {
    let is_in_group_of_root = comm.test_inter() && (root == ROOT || root == PROC_NULL);
    (!is_in_group_of_root).then(|| Shape::of(send))
}

/// Checks that this rank is not the root, which calls another form.
fn elsewhere(comm: &SimpleCommunicator, root: Rank) -> Result<(), MpiError> {
    if is_root(comm, root) {
        let text = "the root calls the form of the other ranks; its own has both buffers (`_root`)";
        return Err(MpiError::new(ErrorClass::Root, text));
    }
    Ok(())
}

/// Reduction on a rank other than the root.
pub(super) fn summand<S: Buffer + ?Sized>(
    comm: &SimpleCommunicator,
    root: Rank,
    send: &S,
    op: &impl super::Operation,
) -> Part {
    Part::of(CollectiveKind::Reduce, |kind| {
        elsewhere(comm, root)?;
        part::reducing(comm, kind, root, send, op)
    })
}

/// Reduction on the root.
pub(super) fn reduction<S: Buffer + ?Sized, R: BufferMut + ?Sized>(
    comm: &SimpleCommunicator,
    root: Rank,
    send: &S,
    into: &R,
    op: &impl super::Operation,
) -> Part {
    Part::of(CollectiveKind::Reduce, |kind| {
        part::same_room(comm, part::reducing(comm, kind, root, send, op)?, into)
    })
}

/// Gather on a rank other than the root: it knows that all blocks are as long as its own.
pub(super) fn contribution<S: Buffer + ?Sized>(
    comm: &SimpleCommunicator,
    kind: CollectiveKind,
    root: Rank,
    send: &S,
) -> Part {
    Part::of(kind, |kind| {
        elsewhere(comm, root)?;
        let part = part::sending(comm, kind, root, send)?;
        let part = CollectiveCall { receive: part.send.clone(), ..part };
        Ok(part::declaring(part, part::elements(send), Types::None))
    })
}

pub(super) fn gather<S: Buffer + ?Sized, R: BufferMut + ?Sized>(
    comm: &SimpleCommunicator,
    root: Rank,
    send: &S,
    into: &R,
) -> Part {
    Part::of(CollectiveKind::Gather, |kind| {
        let receive = part::room_of_blocks(comm, into)?;
        let part = part::sending(comm, kind, root, send)?;
        let part = part::declaring(part, part::elements(send), part::elements(into));
        part::agreeing(comm, CollectiveCall { receive, ..part })
    })
}

pub(super) fn gather_varcount<S: Buffer + ?Sized, R: PartitionedBufferMut + ?Sized>(
    comm: &SimpleCommunicator,
    root: Rank,
    send: &S,
    into: &R,
) -> Part {
    Part::of(CollectiveKind::Gather, |kind| {
        let receive = part::room_of_parts(comm, into)?;
        let part = to_many(comm, (kind, root), send)?;
        let part = part::declaring(part, part::elements(send), part::elements(into));
        part::agreeing(comm, CollectiveCall { receive, ..part })
    })
}

/// Gather of blocks of any length, on a rank other than the root.
pub(super) fn part_to_many<S: Buffer + ?Sized>(
    comm: &SimpleCommunicator,
    root: Rank,
    send: &S,
) -> Part {
    Part::of(CollectiveKind::Gather, |kind| {
        elsewhere(comm, root)?;
        to_many(comm, (kind, root), send)
    })
}

fn to_many<S: Buffer + ?Sized>(
    comm: &SimpleCommunicator,
    (kind, root): (CollectiveKind, Rank),
    send: &S,
) -> Built {
    let part = part::sending(comm, kind, root, send)?;
    let part = CollectiveCall { form: Form::Vector, ..part };
    Ok(part::declaring(part, part::elements(send), Types::None))
}

/// Scatter of blocks of any length, on a rank other than the root.
pub(super) fn part_of_many<R: BufferMut + ?Sized>(
    comm: &SimpleCommunicator,
    root: Rank,
    into: &R,
) -> Part {
    Part::of(CollectiveKind::Scatter, |kind| {
        let share = own_share(comm, (kind, root), into)?;
        Ok(CollectiveCall { form: Form::Vector, send: Counts::None, ..share })
    })
}

/// Scatter of equal blocks, on a rank other than the root.
pub(super) fn share<R: BufferMut + ?Sized>(
    comm: &SimpleCommunicator,
    root: Rank,
    into: &R,
) -> Part {
    Part::of(CollectiveKind::Scatter, |kind| own_share(comm, (kind, root), into))
}

fn own_share<R: BufferMut + ?Sized>(
    comm: &SimpleCommunicator,
    (kind, root): (CollectiveKind, Rank),
    into: &R,
) -> Built {
    elsewhere(comm, root)?;
    let room = room(into)?;
    let part = CollectiveCall {
        send: Counts::Uniform(room.bytes),
        receive: Counts::Uniform(room.bytes),
        signature: room.signature,
        ..part::empty(comm, kind, root)
    };
    Ok(part::declaring(part, Types::None, part::elements(into)))
}

pub(super) fn scatter<S: Buffer + ?Sized, R: BufferMut + ?Sized>(
    comm: &SimpleCommunicator,
    root: Rank,
    send: &S,
    into: &R,
) -> Part {
    Part::of(CollectiveKind::Scatter, |kind| {
        let blocks = part::sent_blocks(comm, send)?;
        let mut part = part::sending(comm, kind, root, send)?;
        part.send = blocks;
        part.receive = Counts::Uniform(room(into)?.bytes);
        let part = part::declaring(part, part::elements(send), part::elements(into));
        part::agreeing(comm, part)
    })
}

pub(super) fn scatter_varcount<S: PartitionedBuffer + ?Sized, R: BufferMut + ?Sized>(
    comm: &SimpleCommunicator,
    root: Rank,
    send: &S,
    into: &R,
) -> Part {
    Part::of(CollectiveKind::Scatter, |kind| {
        let mut part = part::dealing(comm, kind, root, send)?;
        part.form = Form::Vector;
        part.receive = Counts::Uniform(room(into)?.bytes);
        let part = part::declaring(part, part::elements(send), part::elements(into));
        part::agreeing(comm, part)
    })
}
