//! Collective operations (MPI chapter 5).

use std::rc::Rc;

use super::{
    buffer::{Buffer, BufferMut, Equivalence},
    communicator::{Communicator, SimpleCommunicator},
    point_to_point::Process,
};
use crate::{
    call::{CollectiveCall, CollectiveKind, Counts, Operation, Reduction, Reply, Site},
    object::{op::Op, signature::Primitive},
};

/// Makes the predefined operations.
pub struct SystemOperation;

#[allow(missing_docs, reason = "each is the MPI operation of that name")]
impl SystemOperation {
    pub fn sum() -> Op {
        Op::Sum
    }
    pub fn product() -> Op {
        Op::Product
    }
    pub fn max() -> Op {
        Op::Max
    }
    pub fn min() -> Op {
        Op::Min
    }
    pub fn logical_and() -> Op {
        Op::LogicalAnd
    }
    pub fn logical_or() -> Op {
        Op::LogicalOr
    }
    pub fn bitwise_and() -> Op {
        Op::BitAnd
    }
    pub fn bitwise_or() -> Op {
        Op::BitOr
    }
    pub fn bitwise_xor() -> Op {
        Op::BitXor
    }
}

/// Makes operations out of functions (`MPI_Op_create`).
pub struct UserOperation;

impl UserOperation {
    /// An operation whose operands may change places.
    pub fn commutative<T: Equivalence>(combine: impl Fn(T, T) -> T + 'static) -> Op {
        user(true, combine)
    }

    /// An operation that is only associative: rank order is kept.
    pub fn associative<T: Equivalence>(combine: impl Fn(T, T) -> T + 'static) -> Op {
        user(false, combine)
    }
}

fn user<T: Equivalence>(commutative: bool, combine: impl Fn(T, T) -> T + 'static) -> Op {
    let size = T::PRIMITIVE.size();
    let function = Rc::new(move |left: &[u8], right: &mut [u8]| {
        let mut bytes = Vec::with_capacity(size);
        for (a, b) in left.chunks_exact(size).zip(right.chunks_exact_mut(size)) {
            bytes.clear();
            combine(T::read(a), T::read(b)).write(&mut bytes);
            b.copy_from_slice(&bytes);
        }
    });
    Op::User { commutative, function }
}

fn call(comm: &SimpleCommunicator, site: Site, call: CollectiveCall) -> Vec<u8> {
    match comm.context.call(site, Operation::Collective(call)) {
        Some(Reply::Data(data)) => data,
        _ => Vec::new(),
    }
}

fn plain<B: Buffer + ?Sized>(
    comm: &SimpleCommunicator,
    kind: CollectiveKind,
    root: u32,
    buffer: &B,
) -> CollectiveCall {
    CollectiveCall {
        comm: comm.info.id,
        kind,
        root,
        neighbors: None,
        reduction: None,
        input: buffer.bytes(),
        send: Counts::None,
        receive: Counts::None,
        signature: buffer.signature(),
    }
}

fn primitive<B: Buffer + ?Sized>(buffer: &B) -> Primitive {
    match buffer.signature() {
        crate::object::signature::Signature::One(primitive, _) => primitive,
        crate::object::signature::Signature::Many(_) => Primitive::Byte,
    }
}

fn reduction<B: Buffer + ?Sized>(
    comm: &SimpleCommunicator,
    kind: CollectiveKind,
    root: u32,
    buffer: &B,
    op: Op,
) -> CollectiveCall {
    let mut call = plain(comm, kind, root, buffer);
    let bytes = Counts::Uniform(call.input.len() as u64);
    call.send = bytes.clone();
    call.receive = bytes;
    call.reduction = Some(Reduction::new(op, primitive(buffer)));
    call
}

/// Collective operations without a root.
#[allow(missing_docs, reason = "each is the MPI function of that name")]
pub trait CommunicatorCollectives: Communicator {
    /// `MPI_Barrier`.
    #[track_caller]
    fn barrier(&self) {
        let comm = self.as_simple();
        call(comm, Site::here(), plain::<[u8]>(comm, CollectiveKind::Barrier, 0, &[]));
    }

    /// `MPI_Allgather`.
    #[track_caller]
    fn all_gather_into<S: Buffer + ?Sized, R: BufferMut + ?Sized>(&self, send: &S, into: &mut R) {
        let comm = self.as_simple();
        let mut part = plain(comm, CollectiveKind::Allgather, 0, send);
        let bytes = Counts::Uniform(part.input.len() as u64);
        (part.send, part.receive) = (bytes.clone(), bytes);
        BufferMut::fill(into, &call(comm, Site::here(), part));
    }

    /// `MPI_Allgatherv` with contributions of `counts` elements, gathered densely.
    #[track_caller]
    fn all_gather_varcount_into<T: Equivalence>(
        &self,
        send: &[T],
        counts: &[usize],
        into: &mut [T],
    ) {
        let comm = self.as_simple();
        let mut part = plain(comm, CollectiveKind::Allgather, 0, send);
        part.send = Counts::Uniform(part.input.len() as u64);
        part.receive = byte_counts::<T>(counts);
        BufferMut::fill(into, &call(comm, Site::here(), part));
    }

    /// `MPI_Alltoall`.
    #[track_caller]
    fn all_to_all_into<S: Buffer + ?Sized, R: BufferMut + ?Sized>(&self, send: &S, into: &mut R) {
        let comm = self.as_simple();
        let mut part = plain(comm, CollectiveKind::Alltoall, 0, send);
        let bytes = Counts::Uniform(part.input.len() as u64 / u64::from(comm.info.group.size()));
        (part.send, part.receive) = (bytes.clone(), bytes);
        BufferMut::fill(into, &call(comm, Site::here(), part));
    }

    /// `MPI_Alltoallv` with dense buffers.
    #[track_caller]
    fn all_to_all_varcount_into<T: Equivalence>(
        &self,
        send: (&[T], &[usize]),
        into: (&mut [T], &[usize]),
    ) {
        let comm = self.as_simple();
        let mut part = plain(comm, CollectiveKind::Alltoall, 0, send.0);
        part.send = byte_counts::<T>(send.1);
        part.receive = byte_counts::<T>(into.1);
        BufferMut::fill(into.0, &call(comm, Site::here(), part));
    }

    /// `MPI_Allreduce`.
    #[track_caller]
    fn all_reduce_into<S: Buffer + ?Sized, R: BufferMut + ?Sized>(
        &self,
        send: &S,
        into: &mut R,
        op: Op,
    ) {
        let comm = self.as_simple();
        let part = reduction(comm, CollectiveKind::Allreduce, 0, send, op);
        BufferMut::fill(into, &call(comm, Site::here(), part));
    }

    /// `MPI_Reduce_scatter` with results of `counts` elements.
    #[track_caller]
    fn reduce_scatter_into<T: Equivalence>(
        &self,
        send: &[T],
        counts: &[usize],
        into: &mut [T],
        op: Op,
    ) {
        let comm = self.as_simple();
        let mut part = reduction(comm, CollectiveKind::ReduceScatter, 0, send, op);
        part.receive = byte_counts::<T>(counts);
        BufferMut::fill(into, &call(comm, Site::here(), part));
    }

    /// `MPI_Scan`.
    #[track_caller]
    fn scan_into<S: Buffer + ?Sized, R: BufferMut + ?Sized>(&self, send: &S, into: &mut R, op: Op) {
        let comm = self.as_simple();
        let part = reduction(comm, CollectiveKind::Scan, 0, send, op);
        BufferMut::fill(into, &call(comm, Site::here(), part));
    }

    /// `MPI_Exscan`; rank 0's buffer stays as it is.
    #[track_caller]
    fn exclusive_scan_into<S: Buffer + ?Sized, R: BufferMut + ?Sized>(
        &self,
        send: &S,
        into: &mut R,
        op: Op,
    ) {
        let comm = self.as_simple();
        let part = reduction(comm, CollectiveKind::Exscan, 0, send, op);
        BufferMut::fill(into, &call(comm, Site::here(), part));
    }
}

impl<C: Communicator> CommunicatorCollectives for C {}

fn byte_counts<T: Equivalence>(counts: &[usize]) -> Counts {
    let size = T::PRIMITIVE.size();
    Counts::Each(counts.iter().map(|count| (count * size) as u64).collect())
}

/// Collective operations with a root: called on the root's process by all.
pub trait Root {
    /// The root.
    fn root(&self) -> (&SimpleCommunicator, u32);

    /// `MPI_Bcast`.
    #[track_caller]
    fn broadcast_into<B: Buffer + BufferMut + ?Sized>(&self, buffer: &mut B) {
        let (comm, root) = self.root();
        let mut part = plain(comm, CollectiveKind::Broadcast, root, buffer);
        let bytes = Counts::Uniform(part.input.len() as u64);
        (part.send, part.receive) = (bytes.clone(), bytes);
        BufferMut::fill(buffer, &call(comm, Site::here(), part));
    }

    /// `MPI_Gather`; only the root gives a place for the result.
    #[track_caller]
    fn gather_into<T: Equivalence>(&self, send: &[T], into: Option<&mut [T]>) {
        let (comm, root) = self.root();
        let mut part = plain(comm, CollectiveKind::Gather, root, send);
        let bytes = Counts::Uniform(part.input.len() as u64);
        (part.send, part.receive) = (bytes.clone(), bytes);
        let data = call(comm, Site::here(), part);
        if let Some(into) = into {
            BufferMut::fill(into, &data);
        }
    }

    /// `MPI_Gatherv`; only the root gives counts and a dense place for the result.
    #[track_caller]
    fn gather_varcount_into<T: Equivalence>(&self, send: &[T], into: Option<(&mut [T], &[usize])>) {
        let (comm, root) = self.root();
        let mut part = plain(comm, CollectiveKind::Gather, root, send);
        part.send = Counts::Uniform(part.input.len() as u64);
        part.receive = into.as_ref().map_or(Counts::None, |(_, counts)| byte_counts::<T>(counts));
        let data = call(comm, Site::here(), part);
        if let Some((into, _)) = into {
            BufferMut::fill(into, &data);
        }
    }

    /// `MPI_Scatter`; only the root gives data.
    #[track_caller]
    fn scatter_into<T: Equivalence>(&self, send: Option<&[T]>, into: &mut [T]) {
        let (comm, root) = self.root();
        let mut part = plain(comm, CollectiveKind::Scatter, root, send.unwrap_or(&[]));
        let bytes = Counts::Uniform(into.capacity());
        (part.send, part.receive) = (bytes.clone(), bytes);
        BufferMut::fill(into, &call(comm, Site::here(), part));
    }

    /// `MPI_Scatterv` with dense data; only the root gives data and counts.
    #[track_caller]
    fn scatter_varcount_into<T: Equivalence>(
        &self,
        send: Option<(&[T], &[usize])>,
        into: &mut [T],
    ) {
        let (comm, root) = self.root();
        let data = send.map_or(&[][..], |(data, _)| data);
        let mut part = plain(comm, CollectiveKind::Scatter, root, data);
        part.send = send.map_or(Counts::None, |(_, counts)| byte_counts::<T>(counts));
        part.receive = Counts::Uniform(into.capacity());
        BufferMut::fill(into, &call(comm, Site::here(), part));
    }

    /// `MPI_Reduce`; only the root gives a place for the result.
    #[track_caller]
    fn reduce_into<T: Equivalence>(&self, send: &[T], into: Option<&mut [T]>, op: Op) {
        let (comm, root) = self.root();
        let part = reduction(comm, CollectiveKind::Reduce, root, send, op);
        let data = call(comm, Site::here(), part);
        if let Some(into) = into {
            BufferMut::fill(into, &data);
        }
    }
}

impl Root for Process<'_> {
    fn root(&self) -> (&SimpleCommunicator, u32) {
        (self.comm, self.rank.unwrap_or(0))
    }
}
