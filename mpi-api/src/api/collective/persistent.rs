//! Persistent collectives (MPI section 6.13), in every form of the ordinary ones.
//!
//! The buffers given to these functions say only how much is exchanged. Every start brings the data
//! ([`start_with`](PersistentRequest::start_with)), every wait takes the result
//! ([`wait_into`](PersistentRequest::wait_into)); a rank that gives nothing just starts, one that
//! gets nothing just waits. All ranks make them in the same order; they may start them in any.

use super::{Operation, Root, part, rooted, rootless};
use crate::{
    api::{
        Count,
        datatype::{Buffer, BufferMut, PartitionedBuffer, PartitionedBufferMut},
        request::PersistentRequest,
        topology::Communicator,
    },
    call::{CollectiveKind, Site},
};

/// Persistent collectives without a root.
pub trait PersistentCollectives: Communicator {
    /// `MPI_Barrier_init`.
    #[track_caller]
    fn barrier_init(&self) -> PersistentRequest {
        let comm = self.as_simple();
        part::init(comm, Site::here(), Ok(part::empty(comm, CollectiveKind::Barrier, 0)))
    }

    /// `MPI_Allgather_init`.
    #[track_caller]
    fn all_gather_init<S, R>(&self, sendbuf: &S, recvbuf: &R) -> PersistentRequest
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
    {
        let comm = self.as_simple();
        part::init(comm, Site::here(), rootless::all_gather(comm, sendbuf, recvbuf))
    }

    /// `MPI_Allgatherv_init`.
    #[track_caller]
    fn all_gather_varcount_init<S, R>(&self, sendbuf: &S, recvbuf: &R) -> PersistentRequest
    where
        S: Buffer + ?Sized,
        R: PartitionedBufferMut + ?Sized,
    {
        let comm = self.as_simple();
        part::init(comm, Site::here(), rootless::all_gather_varcount(comm, sendbuf, recvbuf))
    }

    /// `MPI_Alltoall_init`.
    #[track_caller]
    fn all_to_all_init<S, R>(&self, sendbuf: &S, recvbuf: &R) -> PersistentRequest
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
    {
        let comm = self.as_simple();
        part::init(comm, Site::here(), rootless::all_to_all(comm, sendbuf, recvbuf))
    }

    /// `MPI_Alltoallv_init`.
    #[track_caller]
    fn all_to_all_varcount_init<S, R>(&self, sendbuf: &S, recvbuf: &R) -> PersistentRequest
    where
        S: PartitionedBuffer + ?Sized,
        R: PartitionedBufferMut + ?Sized,
    {
        let comm = self.as_simple();
        part::init(comm, Site::here(), rootless::all_to_all_varcount(comm, sendbuf, recvbuf))
    }

    /// `MPI_Allreduce_init`.
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
    }

    /// `MPI_Scan_init`.
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
    }

    /// `MPI_Exscan_init`; what rank 0 waits into is left as it was.
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
    }

    /// `MPI_Reduce_scatter_block_init`.
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
    }

    /// `MPI_Reduce_scatter_init`.
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
    }
}

impl<C: Communicator + ?Sized> PersistentCollectives for C {}

/// Persistent collectives with a root: all ranks make them on the root's process.
pub trait PersistentRoot: Root {
    /// `MPI_Bcast_init`: the root starts with data, the others wait for them.
    #[track_caller]
    fn broadcast_init<B>(&self, buffer: &mut B) -> PersistentRequest
    where
        B: BufferMut + ?Sized,
    {
        let (comm, root) = self.place();
        part::init(comm, Site::here(), rooted::broadcast(comm, root, buffer))
    }

    /// `MPI_Gather_init`, elsewhere than on the root.
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
    }

    /// `MPI_Gather_init`, on the root.
    #[track_caller]
    fn gather_root_init<S, R>(&self, sendbuf: &S, recvbuf: &R) -> PersistentRequest
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
    {
        let (comm, root) = self.place();
        part::init(comm, Site::here(), rooted::gather(comm, root, sendbuf, recvbuf))
    }

    /// `MPI_Gatherv_init`, elsewhere than on the root.
    #[track_caller]
    fn gather_varcount_init<S>(&self, sendbuf: &S) -> PersistentRequest
    where
        S: Buffer + ?Sized,
    {
        let (comm, root) = self.place();
        part::init(comm, Site::here(), rooted::part_to_many(comm, root, sendbuf))
    }

    /// `MPI_Gatherv_init`, on the root.
    #[track_caller]
    fn gather_varcount_root_init<S, R>(&self, sendbuf: &S, recvbuf: &R) -> PersistentRequest
    where
        S: Buffer + ?Sized,
        R: PartitionedBufferMut + ?Sized,
    {
        let (comm, root) = self.place();
        part::init(comm, Site::here(), rooted::gather_varcount(comm, root, sendbuf, recvbuf))
    }

    /// `MPI_Scatter_init`, elsewhere than on the root.
    #[track_caller]
    fn scatter_init<R>(&self, recvbuf: &R) -> PersistentRequest
    where
        R: BufferMut + ?Sized,
    {
        let (comm, root) = self.place();
        part::init(comm, Site::here(), rooted::share(comm, root, recvbuf))
    }

    /// `MPI_Scatter_init`, on the root.
    #[track_caller]
    fn scatter_root_init<S, R>(&self, sendbuf: &S, recvbuf: &R) -> PersistentRequest
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
    {
        let (comm, root) = self.place();
        part::init(comm, Site::here(), rooted::scatter(comm, root, sendbuf, recvbuf))
    }

    /// `MPI_Scatterv_init`, elsewhere than on the root.
    #[track_caller]
    fn scatter_varcount_init<R>(&self, recvbuf: &R) -> PersistentRequest
    where
        R: BufferMut + ?Sized,
    {
        let (comm, root) = self.place();
        part::init(comm, Site::here(), rooted::part_of_many(comm, root, recvbuf))
    }

    /// `MPI_Scatterv_init`, on the root.
    #[track_caller]
    fn scatter_varcount_root_init<S, R>(&self, sendbuf: &S, recvbuf: &R) -> PersistentRequest
    where
        S: PartitionedBuffer + ?Sized,
        R: BufferMut + ?Sized,
    {
        let (comm, root) = self.place();
        part::init(comm, Site::here(), rooted::scatter_varcount(comm, root, sendbuf, recvbuf))
    }

    /// `MPI_Reduce_init`, elsewhere than on the root.
    #[track_caller]
    fn reduce_init<S, O>(&self, sendbuf: &S, op: O) -> PersistentRequest
    where
        S: Buffer + ?Sized,
        O: Operation,
    {
        let (comm, root) = self.place();
        part::init(
            comm,
            Site::here(),
            part::reducing(comm, CollectiveKind::Reduce, root, sendbuf, &op),
        )
    }

    /// `MPI_Reduce_init`, on the root.
    #[track_caller]
    fn reduce_root_init<S, R, O>(&self, sendbuf: &S, recvbuf: &R, op: O) -> PersistentRequest
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
        O: Operation,
    {
        let (comm, root) = self.place();
        let part = part::reducing(comm, CollectiveKind::Reduce, root, sendbuf, &op)
            .and_then(|part| part::same_room(part, recvbuf));
        part::init(comm, Site::here(), part)
    }
}

impl<R: Root + ?Sized> PersistentRoot for R {}
