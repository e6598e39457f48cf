//! Collective operations without a root.

use super::{Operation, part, rootless};
use crate::{
    api::{
        Count,
        datatype::{Buffer, BufferMut, PartitionedBuffer, PartitionedBufferMut, fill, fill_parts},
        request::{Request, Scope, StaticScope},
        topology::{Communicator, SimpleCommunicator},
    },
    call::{CollectiveKind, Site},
};

/// The collective operations without a root (MPI chapter 6).
///
/// A buffer with a block for each rank is divided into equal blocks of whole elements. An array that is passed as one value
/// is divided between its elements. The two buffers of a reduction have elements of the same type, in the same number.
///
/// # Errors
/// Raised by all functions whose buffers are wrong: `MPI_ERR_COUNT` if the elements of a buffer do not divide among the
/// ranks, or a reduction gives and takes different numbers of elements; `MPI_ERR_TYPE` if it gives and takes different
/// types; `MPI_ERR_TRUNCATE` or `MPI_ERR_COUNT` if a rank has less or more room than it sends to itself.
pub trait CommunicatorCollectives: Communicator {
    /// Waits until all ranks of the communicator have entered (`MPI_Barrier`).
    #[track_caller]
    fn barrier(&self) {
        synchronise(self.as_simple(), Site::here());
    }

    /// Starts the nonblocking form (`MPI_Ibarrier`).
    #[track_caller]
    fn immediate_barrier(&self) -> Request<'static, (), StaticScope> {
        let comm = self.as_simple();
        let barrier = part::empty(comm, CollectiveKind::Barrier, 0);
        let reply = part::begin(comm, Site::here(), barrier);
        Request::sending(comm.context.clone(), reply, &())
    }

    /// Gathers one block from every rank on every rank, in rank order (`MPI_Allgather`).
    #[track_caller]
    fn all_gather_into<S, R>(&self, sendbuf: &S, recvbuf: &mut R)
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
    {
        let (comm, site) = (self.as_simple(), Site::here());
        let part = rootless::all_gather(comm, sendbuf, recvbuf);
        if let Some(data) = part::take_part(comm, site, part) {
            fill(recvbuf, &data);
        }
    }

    /// Starts the nonblocking form (`MPI_Iallgather`).
    #[track_caller]
    fn immediate_all_gather_into<'a, S, R, Sc>(
        &self,
        _scope: Sc,
        sendbuf: &'a S,
        recvbuf: &'a mut R,
    ) -> Request<'a, R, Sc>
    where
        S: 'a + Buffer + ?Sized,
        R: 'a + BufferMut + ?Sized,
        Sc: Scope<'a>,
    {
        let (comm, site) = (self.as_simple(), Site::here());
        let part = rootless::all_gather(comm, sendbuf, recvbuf);
        let reply = part::begin(comm, site, part);
        Request::filling(comm.context.clone(), reply, recvbuf, fill::<R>)
    }

    /// Gathers a block of individual length from every rank on every rank (`MPI_Allgatherv`).
    #[track_caller]
    fn all_gather_varcount_into<S, R>(&self, sendbuf: &S, recvbuf: &mut R)
    where
        S: Buffer + ?Sized,
        R: PartitionedBufferMut + ?Sized,
    {
        let (comm, site) = (self.as_simple(), Site::here());
        let part = rootless::all_gather_varcount(comm, sendbuf, recvbuf);
        if let Some(data) = part::take_part(comm, site, part) {
            fill_parts(recvbuf, &data);
        }
    }

    /// Starts the nonblocking form (`MPI_Iallgatherv`).
    #[track_caller]
    fn immediate_all_gather_varcount_into<'a, S, R, Sc>(
        &self,
        _scope: Sc,
        sendbuf: &'a S,
        recvbuf: &'a mut R,
    ) -> Request<'a, R, Sc>
    where
        S: 'a + Buffer + ?Sized,
        R: 'a + PartitionedBufferMut + ?Sized,
        Sc: Scope<'a>,
    {
        let (comm, site) = (self.as_simple(), Site::here());
        let part = rootless::all_gather_varcount(comm, sendbuf, recvbuf);
        let reply = part::begin(comm, site, part);
        Request::filling(comm.context.clone(), reply, recvbuf, fill_parts::<R>)
    }

    /// Sends one block to and receives one block from every rank (`MPI_Alltoall`).
    #[track_caller]
    fn all_to_all_into<S, R>(&self, sendbuf: &S, recvbuf: &mut R)
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
    {
        let (comm, site) = (self.as_simple(), Site::here());
        let part = rootless::all_to_all(comm, sendbuf, recvbuf);
        if let Some(data) = part::take_part(comm, site, part) {
            fill(recvbuf, &data);
        }
    }

    /// Starts the nonblocking form (`MPI_Ialltoall`).
    #[track_caller]
    fn immediate_all_to_all_into<'a, S, R, Sc>(
        &self,
        _scope: Sc,
        sendbuf: &'a S,
        recvbuf: &'a mut R,
    ) -> Request<'a, R, Sc>
    where
        S: 'a + Buffer + ?Sized,
        R: 'a + BufferMut + ?Sized,
        Sc: Scope<'a>,
    {
        let (comm, site) = (self.as_simple(), Site::here());
        let part = rootless::all_to_all(comm, sendbuf, recvbuf);
        let reply = part::begin(comm, site, part);
        Request::filling(comm.context.clone(), reply, recvbuf, fill::<R>)
    }

    /// Sends a part to and receives a part from every rank, each of individual length
    /// (`MPI_Alltoallv`).
    #[track_caller]
    fn all_to_all_varcount_into<S, R>(&self, sendbuf: &S, recvbuf: &mut R)
    where
        S: PartitionedBuffer + ?Sized,
        R: PartitionedBufferMut + ?Sized,
    {
        let (comm, site) = (self.as_simple(), Site::here());
        let part = rootless::all_to_all_varcount(comm, sendbuf, recvbuf);
        if let Some(data) = part::take_part(comm, site, part) {
            fill_parts(recvbuf, &data);
        }
    }

    /// Starts the nonblocking form (`MPI_Ialltoallv`).
    #[track_caller]
    fn immediate_all_to_all_varcount_into<'a, S, R, Sc>(
        &self,
        _scope: Sc,
        sendbuf: &'a S,
        recvbuf: &'a mut R,
    ) -> Request<'a, R, Sc>
    where
        S: 'a + PartitionedBuffer + ?Sized,
        R: 'a + PartitionedBufferMut + ?Sized,
        Sc: Scope<'a>,
    {
        let (comm, site) = (self.as_simple(), Site::here());
        let part = rootless::all_to_all_varcount(comm, sendbuf, recvbuf);
        let reply = part::begin(comm, site, part);
        Request::filling(comm.context.clone(), reply, recvbuf, fill_parts::<R>)
    }

    /// Combines the data of all ranks and returns the result on every rank (`MPI_Allreduce`).
    #[track_caller]
    fn all_reduce_into<S, R, O>(&self, sendbuf: &S, recvbuf: &mut R, op: O)
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
        O: Operation,
    {
        let (comm, site) = (self.as_simple(), Site::here());
        let part = rootless::reduction(comm, CollectiveKind::Allreduce, sendbuf, recvbuf, &op);
        if let Some(data) = part::take_part(comm, site, part) {
            fill(recvbuf, &data);
        }
    }

    /// Starts the nonblocking form (`MPI_Iallreduce`).
    #[track_caller]
    fn immediate_all_reduce_into<'a, S, R, O, Sc>(
        &self,
        _scope: Sc,
        sendbuf: &'a S,
        recvbuf: &'a mut R,
        op: O,
    ) -> Request<'a, R, Sc>
    where
        S: 'a + Buffer + ?Sized,
        R: 'a + BufferMut + ?Sized,
        O: Operation,
        Sc: Scope<'a>,
    {
        let (comm, site) = (self.as_simple(), Site::here());
        let part = rootless::reduction(comm, CollectiveKind::Allreduce, sendbuf, recvbuf, &op);
        let reply = part::begin(comm, site, part);
        Request::filling(comm.context.clone(), reply, recvbuf, fill::<R>)
    }

    /// Combines the data of all ranks and leaves one block of equal length of the result on each
    /// rank (`MPI_Reduce_scatter_block`).
    #[track_caller]
    fn reduce_scatter_block_into<S, R, O>(&self, sendbuf: &S, recvbuf: &mut R, op: O)
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
        O: Operation,
    {
        let (comm, site) = (self.as_simple(), Site::here());
        let part = rootless::reduce_scatter_block(comm, sendbuf, recvbuf, &op);
        if let Some(data) = part::take_part(comm, site, part) {
            fill(recvbuf, &data);
        }
    }

    /// Starts the nonblocking form (`MPI_Ireduce_scatter_block`).
    #[track_caller]
    fn immediate_reduce_scatter_block_into<'a, S, R, O, Sc>(
        &self,
        _scope: Sc,
        sendbuf: &'a S,
        recvbuf: &'a mut R,
        op: O,
    ) -> Request<'a, R, Sc>
    where
        S: 'a + Buffer + ?Sized,
        R: 'a + BufferMut + ?Sized,
        O: Operation,
        Sc: Scope<'a>,
    {
        let (comm, site) = (self.as_simple(), Site::here());
        let part = rootless::reduce_scatter_block(comm, sendbuf, recvbuf, &op);
        let reply = part::begin(comm, site, part);
        Request::filling(comm.context.clone(), reply, recvbuf, fill::<R>)
    }

    /// Combines the data of ranks 0 to the calling one, inclusively (`MPI_Scan`).
    #[track_caller]
    fn scan_into<S, R, O>(&self, sendbuf: &S, recvbuf: &mut R, op: O)
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
        O: Operation,
    {
        let (comm, site) = (self.as_simple(), Site::here());
        let part = rootless::reduction(comm, CollectiveKind::Scan, sendbuf, recvbuf, &op);
        if let Some(data) = part::take_part(comm, site, part) {
            fill(recvbuf, &data);
        }
    }

    /// Starts the nonblocking form (`MPI_Iscan`).
    #[track_caller]
    fn immediate_scan_into<'a, S, R, O, Sc>(
        &self,
        _scope: Sc,
        sendbuf: &'a S,
        recvbuf: &'a mut R,
        op: O,
    ) -> Request<'a, R, Sc>
    where
        S: 'a + Buffer + ?Sized,
        R: 'a + BufferMut + ?Sized,
        O: Operation,
        Sc: Scope<'a>,
    {
        let (comm, site) = (self.as_simple(), Site::here());
        let part = rootless::reduction(comm, CollectiveKind::Scan, sendbuf, recvbuf, &op);
        let reply = part::begin(comm, site, part);
        Request::filling(comm.context.clone(), reply, recvbuf, fill::<R>)
    }

    /// Combines the data of the ranks before the calling one, nothing on rank 0 (`MPI_Exscan`).
    #[track_caller]
    fn exclusive_scan_into<S, R, O>(&self, sendbuf: &S, recvbuf: &mut R, op: O)
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
        O: Operation,
    {
        let (comm, site) = (self.as_simple(), Site::here());
        let part = rootless::reduction(comm, CollectiveKind::Exscan, sendbuf, recvbuf, &op);
        if let Some(data) = part::take_part(comm, site, part) {
            fill(recvbuf, &data);
        }
    }

    /// Starts the nonblocking form (`MPI_Iexscan`).
    #[track_caller]
    fn immediate_exclusive_scan_into<'a, S, R, O, Sc>(
        &self,
        _scope: Sc,
        sendbuf: &'a S,
        recvbuf: &'a mut R,
        op: O,
    ) -> Request<'a, R, Sc>
    where
        S: 'a + Buffer + ?Sized,
        R: 'a + BufferMut + ?Sized,
        O: Operation,
        Sc: Scope<'a>,
    {
        let (comm, site) = (self.as_simple(), Site::here());
        let part = rootless::reduction(comm, CollectiveKind::Exscan, sendbuf, recvbuf, &op);
        let reply = part::begin(comm, site, part);
        Request::filling(comm.context.clone(), reply, recvbuf, fill::<R>)
    }

    /// Combines the data of all ranks and leaves `counts[i]` elements of the result on rank `i`
    /// (`MPI_Reduce_scatter`).
    #[track_caller]
    fn reduce_scatter_into<S, R, O>(&self, sendbuf: &S, counts: &[Count], recvbuf: &mut R, op: O)
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
        O: Operation,
    {
        let (comm, site) = (self.as_simple(), Site::here());
        let part = rootless::reduce_scatter(comm, sendbuf, counts, recvbuf, &op);
        if let Some(data) = part::take_part(comm, site, part) {
            fill(recvbuf, &data);
        }
    }

    /// Starts the nonblocking form (`MPI_Ireduce_scatter`).
    #[track_caller]
    fn immediate_reduce_scatter_into<'a, S, R, O, Sc>(
        &self,
        _scope: Sc,
        sendbuf: &'a S,
        counts: &[Count],
        recvbuf: &'a mut R,
        op: O,
    ) -> Request<'a, R, Sc>
    where
        S: 'a + Buffer + ?Sized,
        R: 'a + BufferMut + ?Sized,
        O: Operation,
        Sc: Scope<'a>,
    {
        let (comm, site) = (self.as_simple(), Site::here());
        let part = rootless::reduce_scatter(comm, sendbuf, counts, recvbuf, &op);
        let reply = part::begin(comm, site, part);
        Request::filling(comm.context.clone(), reply, recvbuf, fill::<R>)
    }
}

impl<C: Communicator + ?Sized> CommunicatorCollectives for C {}

/// Performs a barrier, also as part of another MPI function.
pub(crate) fn synchronise(comm: &SimpleCommunicator, site: Site) {
    part::take_part(comm, site, part::empty(comm, CollectiveKind::Barrier, 0));
}
