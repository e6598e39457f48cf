//! Persistent collectives (MPI section 6.13), with all variants of the blocking ones.
//!
//! The buffers passed to these functions define only the types and the amount of data, which are the
//! same in all rounds. Every start brings the data ([`start_with`](PersistentRequest::start_with)),
//! every wait takes the result ([`wait_into`](PersistentRequest::wait_into)); a rank without input
//! calls the plain start, one without a result the plain wait. All ranks must create persistent
//! collectives in the same order; they may start them in any order.

use super::{Operation, Root, part, rooted, rootless};
use crate::{
    api::{
        Count,
        datatype::{Buffer, BufferMut, PartitionedBuffer, PartitionedBufferMut, Shape},
        request::PersistentRequest,
        topology::Communicator,
    },
    call::{CollectiveKind, Site},
};

/// The persistent collectives without a root.
pub trait PersistentCollectives: Communicator {
    /// Creates the persistent form (`MPI_Barrier_init`).
    #[track_caller]
    fn barrier_init(&self) -> PersistentRequest {
        let comm = self.as_simple();
        part::init(comm, Site::here(), part::empty(comm, CollectiveKind::Barrier, 0))
    }

    /// Creates the persistent form (`MPI_Allgather_init`).
    #[track_caller]
    fn all_gather_init<S, R>(&self, sendbuf: &S, recvbuf: &R) -> PersistentRequest
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
    {
        let comm = self.as_simple();
        part::init(comm, Site::here(), rootless::all_gather(comm, sendbuf, recvbuf))
            .giving(Shape::of(sendbuf))
            .taking(Shape::of(recvbuf))
    }

    /// Creates the persistent form (`MPI_Allgatherv_init`).
    #[track_caller]
    fn all_gather_varcount_init<S, R>(&self, sendbuf: &S, recvbuf: &R) -> PersistentRequest
    where
        S: Buffer + ?Sized,
        R: PartitionedBufferMut + ?Sized,
    {
        let comm = self.as_simple();
        part::init(comm, Site::here(), rootless::all_gather_varcount(comm, sendbuf, recvbuf))
            .giving(Shape::of(sendbuf))
            .taking(Shape::of_parts(recvbuf))
    }

    /// Creates the persistent form (`MPI_Alltoall_init`).
    #[track_caller]
    fn all_to_all_init<S, R>(&self, sendbuf: &S, recvbuf: &R) -> PersistentRequest
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
    {
        let comm = self.as_simple();
        part::init(comm, Site::here(), rootless::all_to_all(comm, sendbuf, recvbuf))
            .giving(Shape::of(sendbuf))
            .taking(Shape::of(recvbuf))
    }

    /// Creates the persistent form (`MPI_Alltoallv_init`).
    #[track_caller]
    fn all_to_all_varcount_init<S, R>(&self, sendbuf: &S, recvbuf: &R) -> PersistentRequest
    where
        S: PartitionedBuffer + ?Sized,
        R: PartitionedBufferMut + ?Sized,
    {
        let comm = self.as_simple();
        part::init(comm, Site::here(), rootless::all_to_all_varcount(comm, sendbuf, recvbuf))
            .giving(Shape::of_parts(sendbuf))
            .taking(Shape::of_parts(recvbuf))
    }

    /// Creates the persistent form (`MPI_Allreduce_init`).
    #[track_caller]
    fn all_reduce_init<S, R, O>(&self, sendbuf: &S, recvbuf: &R, op: O) -> PersistentRequest
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
        O: Operation,
    {
        let comm = self.as_simple();
        part::init(
            comm,
            Site::here(),
            rootless::reduction(comm, CollectiveKind::Allreduce, sendbuf, recvbuf, &op),
        )
        .giving(Shape::of(sendbuf))
        .taking(Shape::of(recvbuf))
    }

    /// Creates the persistent form (`MPI_Scan_init`).
    #[track_caller]
    fn scan_init<S, R, O>(&self, sendbuf: &S, recvbuf: &R, op: O) -> PersistentRequest
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
        O: Operation,
    {
        let comm = self.as_simple();
        part::init(
            comm,
            Site::here(),
            rootless::reduction(comm, CollectiveKind::Scan, sendbuf, recvbuf, &op),
        )
        .giving(Shape::of(sendbuf))
        .taking(Shape::of(recvbuf))
    }

    /// Creates the persistent form (`MPI_Exscan_init`). The result of rank 0 is left unchanged.
    #[track_caller]
    fn exclusive_scan_init<S, R, O>(&self, sendbuf: &S, recvbuf: &R, op: O) -> PersistentRequest
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
        O: Operation,
    {
        let comm = self.as_simple();
        part::init(
            comm,
            Site::here(),
            rootless::reduction(comm, CollectiveKind::Exscan, sendbuf, recvbuf, &op),
        )
        .giving(Shape::of(sendbuf))
        .taking(Shape::of(recvbuf))
    }

    /// Creates the persistent form (`MPI_Reduce_scatter_block_init`).
    #[track_caller]
    fn reduce_scatter_block_init<S, R, O>(
        &self,
        sendbuf: &S,
        recvbuf: &R,
        op: O,
    ) -> PersistentRequest
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
        O: Operation,
    {
        let comm = self.as_simple();
        part::init(comm, Site::here(), rootless::reduce_scatter_block(comm, sendbuf, recvbuf, &op))
            .giving(Shape::of(sendbuf))
            .taking(Shape::of(recvbuf))
    }

    /// Creates the persistent form (`MPI_Reduce_scatter_init`).
    #[track_caller]
    fn reduce_scatter_init<S, R, O>(
        &self,
        sendbuf: &S,
        counts: &[Count],
        recvbuf: &R,
        op: O,
    ) -> PersistentRequest
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
        O: Operation,
    {
        let comm = self.as_simple();
        part::init(
            comm,
            Site::here(),
            rootless::reduce_scatter(comm, sendbuf, counts, recvbuf, &op),
        )
        .giving(Shape::of(sendbuf))
        .taking(Shape::of(recvbuf))
    }
}

impl<C: Communicator + ?Sized> PersistentCollectives for C {}

/// The persistent collectives with a root; every rank creates them on the root's process.
pub trait PersistentRoot: Root {
    /// Creates the persistent form (`MPI_Bcast_init`). The root starts it with data, the others
    /// wait for them.
    #[track_caller]
    fn broadcast_init<B>(&self, buffer: &mut B) -> PersistentRequest
    where
        B: BufferMut + ?Sized,
    {
        let (comm, root) = self.place();
        let part = rooted::broadcast(comm, root, buffer);
        let request = part::init(comm, Site::here(), part).taking(Shape::of(buffer));
        request.giving(rooted::is_root(comm, root).then(|| Shape::of(buffer)))
    }

    /// Creates the persistent form (`MPI_Gather_init`) on a rank other than the root.
    #[track_caller]
    fn gather_init<S>(&self, sendbuf: &S) -> PersistentRequest
    where
        S: Buffer + ?Sized,
    {
        let (comm, root) = self.place();
        part::init(
            comm,
            Site::here(),
            rooted::contribution(comm, CollectiveKind::Gather, root, sendbuf),
        )
        .giving(rooted::contributed(comm, root, sendbuf))
    }

    /// Creates the persistent form (`MPI_Gather_init`) on the root.
    #[track_caller]
    fn gather_root_init<S, R>(&self, sendbuf: &S, recvbuf: &R) -> PersistentRequest
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
    {
        let (comm, root) = self.place();
        part::init(comm, Site::here(), rooted::gather(comm, root, sendbuf, recvbuf))
            .giving(rooted::contributed(comm, root, sendbuf))
            .taking(Shape::of(recvbuf))
    }

    /// Creates the persistent form (`MPI_Gatherv_init`) on a rank other than the root.
    #[track_caller]
    fn gather_varcount_init<S>(&self, sendbuf: &S) -> PersistentRequest
    where
        S: Buffer + ?Sized,
    {
        let (comm, root) = self.place();
        part::init(comm, Site::here(), rooted::part_to_many(comm, root, sendbuf))
            .giving(rooted::contributed(comm, root, sendbuf))
    }

    /// Creates the persistent form (`MPI_Gatherv_init`) on the root.
    #[track_caller]
    fn gather_varcount_root_init<S, R>(&self, sendbuf: &S, recvbuf: &R) -> PersistentRequest
    where
        S: Buffer + ?Sized,
        R: PartitionedBufferMut + ?Sized,
    {
        let (comm, root) = self.place();
        part::init(comm, Site::here(), rooted::gather_varcount(comm, root, sendbuf, recvbuf))
            .giving(rooted::contributed(comm, root, sendbuf))
            .taking(Shape::of_parts(recvbuf))
    }

    /// Creates the persistent form (`MPI_Scatter_init`) on a rank other than the root.
    #[track_caller]
    fn scatter_init<R>(&self, recvbuf: &R) -> PersistentRequest
    where
        R: BufferMut + ?Sized,
    {
        let (comm, root) = self.place();
        part::init(comm, Site::here(), rooted::share(comm, root, recvbuf))
            .taking(Shape::of(recvbuf))
    }

    /// Creates the persistent form (`MPI_Scatter_init`) on the root.
    #[track_caller]
    fn scatter_root_init<S, R>(&self, sendbuf: &S, recvbuf: &R) -> PersistentRequest
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
    {
        let (comm, root) = self.place();
        part::init(comm, Site::here(), rooted::scatter(comm, root, sendbuf, recvbuf))
            .giving(Shape::of(sendbuf))
            .taking(Shape::of(recvbuf))
    }

    /// Creates the persistent form (`MPI_Scatterv_init`) on a rank other than the root.
    #[track_caller]
    fn scatter_varcount_init<R>(&self, recvbuf: &R) -> PersistentRequest
    where
        R: BufferMut + ?Sized,
    {
        let (comm, root) = self.place();
        part::init(comm, Site::here(), rooted::part_of_many(comm, root, recvbuf))
            .taking(Shape::of(recvbuf))
    }

    /// Creates the persistent form (`MPI_Scatterv_init`) on the root.
    #[track_caller]
    fn scatter_varcount_root_init<S, R>(&self, sendbuf: &S, recvbuf: &R) -> PersistentRequest
    where
        S: PartitionedBuffer + ?Sized,
        R: BufferMut + ?Sized,
    {
        let (comm, root) = self.place();
        part::init(comm, Site::here(), rooted::scatter_varcount(comm, root, sendbuf, recvbuf))
            .giving(Shape::of_parts(sendbuf))
            .taking(Shape::of(recvbuf))
    }

    /// Creates the persistent form (`MPI_Reduce_init`) on a rank other than the root.
    #[track_caller]
    fn reduce_init<S, O>(&self, sendbuf: &S, op: O) -> PersistentRequest
    where
        S: Buffer + ?Sized,
        O: Operation,
    {
        let (comm, root) = self.place();
        part::init(comm, Site::here(), rooted::summand(comm, root, sendbuf, &op))
            .giving(rooted::contributed(comm, root, sendbuf))
    }

    /// Creates the persistent form (`MPI_Reduce_init`) on the root.
    #[track_caller]
    fn reduce_root_init<S, R, O>(&self, sendbuf: &S, recvbuf: &R, op: O) -> PersistentRequest
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
        O: Operation,
    {
        let (comm, root) = self.place();
        let part = rooted::reduction(comm, root, sendbuf, recvbuf, &op);
        part::init(comm, Site::here(), part)
            .giving(rooted::contributed(comm, root, sendbuf))
            .taking(Shape::of(recvbuf))
    }
}

impl<R: Root + ?Sized> PersistentRoot for R {}
