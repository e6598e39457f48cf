//! Collectives without a root.

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

/// Collective operations without a root.
pub trait CommunicatorCollectives: Communicator {
    /// `MPI_Barrier`.
    #[track_caller]
    fn barrier(&self) {
        synchronise(self.as_simple(), Site::here());
    }

    /// `MPI_Ibarrier`.
    #[track_caller]
    fn immediate_barrier(&self) -> Request<'static, (), StaticScope> {
        let comm = self.as_simple();
        let barrier = Ok(part::empty(comm, CollectiveKind::Barrier, 0));
        let reply = part::begin(comm, Site::here(), barrier);
        Request::sending(comm.context.clone(), reply, &())
    }

    /// `MPI_Allgather`.
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

    /// `MPI_Iallgather`.
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

    /// `MPI_Allgatherv`.
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

    /// `MPI_Iallgatherv`.
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

    /// `MPI_Alltoall`.
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

    /// `MPI_Ialltoall`.
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

    /// `MPI_Alltoallv`.
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

    /// `MPI_Ialltoallv`.
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

    /// `MPI_Allreduce`.
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

    /// `MPI_Iallreduce`.
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

    /// `MPI_Reduce_scatter_block`.
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

    /// `MPI_Ireduce_scatter_block`.
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

    /// `MPI_Scan`.
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

    /// `MPI_Iscan`.
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

    /// `MPI_Exscan`; what rank 0 receives is left as it was.
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

    /// `MPI_Iexscan`; what rank 0 receives is left as it was.
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

    /// `MPI_Reduce_scatter`: rank `i` receives the `counts[i]` elements of its part.
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

    /// `MPI_Ireduce_scatter`.
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

/// `MPI_Barrier`, also inside another function.
pub(crate) fn synchronise(comm: &SimpleCommunicator, site: Site) {
    part::take_part(comm, site, Ok(part::empty(comm, CollectiveKind::Barrier, 0)));
}
