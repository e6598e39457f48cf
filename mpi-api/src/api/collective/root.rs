//! Collectives with a root: all ranks call them on the root's process.
//!
//! Where the root gives or gets more than the others it calls the function that ends in `_root`.

use super::{Operation, part, rooted};
use crate::{
    api::{
        datatype::{Buffer, BufferMut, PartitionedBuffer, PartitionedBufferMut, fill, fill_parts},
        request::{Request, Scope},
        spawn::{self, Command},
        topology::{AsCommunicator, Communicator, InterCommunicator, Rank, SimpleCommunicator},
    },
    call::{CollectiveKind, Site},
    error::MpiError,
};

/// Something that can be the root of a collective.
pub trait Root: AsCommunicator {
    /// Its rank.
    fn root_rank(&self) -> Rank;

    /// The communicator and the rank.
    #[doc(hidden)]
    fn place(&self) -> (&SimpleCommunicator, Rank) {
        (self.as_communicator().as_simple(), self.root_rank())
    }

    /// `MPI_Comm_spawn`: starts at most `maxprocs` ranks that run the root's command; what the
    /// others give does not count. Returns when the new ranks have initialized.
    ///
    /// # Errors
    /// `MPI_ERR_SPAWN` if there is no room for as many, or no such node, where the communicator
    /// returns errors.
    #[track_caller]
    fn spawn(&self, command: &Command, maxprocs: Rank) -> Result<InterCommunicator, MpiError> {
        self.spawn_multiple(std::slice::from_ref(command), &[maxprocs])
    }

    /// `MPI_Comm_spawn_multiple`: as [`Root::spawn`] of several commands, whose ranks share one
    /// world; [`application_number`](crate::api::environment::application_number) tells them
    /// apart.
    ///
    /// # Errors
    /// As [`Root::spawn`].
    #[track_caller]
    fn spawn_multiple(
        &self,
        commands: &[Command],
        maxprocs: &[Rank],
    ) -> Result<InterCommunicator, MpiError> {
        spawn::spawn(self.place(), Site::here(), commands, maxprocs)
    }

    /// `MPI_Bcast`.
    #[track_caller]
    fn broadcast_into<Buf: BufferMut + ?Sized>(&self, buffer: &mut Buf) {
        let ((comm, root), site) = (self.place(), Site::here());
        let part = rooted::broadcast(comm, root, buffer);
        if let Some(data) = part::take_part(comm, site, part) {
            fill(buffer, &data);
        }
    }

    /// `MPI_Ibcast`.
    #[track_caller]
    fn immediate_broadcast_into<'a, Buf, Sc>(
        &self,
        _scope: Sc,
        buf: &'a mut Buf,
    ) -> Request<'a, Buf, Sc>
    where
        Buf: 'a + BufferMut + ?Sized,
        Sc: Scope<'a>,
    {
        let ((comm, root), site) = (self.place(), Site::here());
        let part = rooted::broadcast(comm, root, buf);
        let reply = part::begin(comm, site, part);
        Request::receiving(comm.context.clone(), reply, buf)
    }

    /// `MPI_Gather`, elsewhere than on the root.
    #[track_caller]
    fn gather_into<S>(&self, sendbuf: &S)
    where
        S: Buffer + ?Sized,
    {
        let ((comm, root), site) = (self.place(), Site::here());
        let part = rooted::contribution(comm, CollectiveKind::Gather, root, sendbuf);
        part::take_part(comm, site, part);
    }

    /// `MPI_Igather`, elsewhere than on the root.
    #[track_caller]
    fn immediate_gather_into<'a, S, Sc>(&self, _scope: Sc, sendbuf: &'a S) -> Request<'a, S, Sc>
    where
        S: 'a + Buffer + ?Sized,
        Sc: Scope<'a>,
    {
        let ((comm, root), site) = (self.place(), Site::here());
        let part = rooted::contribution(comm, CollectiveKind::Gather, root, sendbuf);
        let reply = part::begin(comm, site, part);
        Request::sending(comm.context.clone(), reply, sendbuf)
    }

    /// `MPI_Gather`, on the root.
    #[track_caller]
    fn gather_into_root<S, R>(&self, sendbuf: &S, recvbuf: &mut R)
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
    {
        let ((comm, root), site) = (self.place(), Site::here());
        let part = rooted::gather(comm, root, sendbuf, recvbuf);
        if let Some(data) = part::take_part(comm, site, part) {
            fill(recvbuf, &data);
        }
    }

    /// `MPI_Igather`, on the root.
    #[track_caller]
    fn immediate_gather_into_root<'a, S, R, Sc>(
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
        let ((comm, root), site) = (self.place(), Site::here());
        let part = rooted::gather(comm, root, sendbuf, recvbuf);
        let reply = part::begin(comm, site, part);
        Request::filling(comm.context.clone(), reply, recvbuf, fill::<R>)
    }

    /// `MPI_Gatherv`, elsewhere than on the root.
    #[track_caller]
    fn gather_varcount_into<S>(&self, sendbuf: &S)
    where
        S: Buffer + ?Sized,
    {
        let ((comm, root), site) = (self.place(), Site::here());
        let part = rooted::part_to_many(comm, root, sendbuf);
        part::take_part(comm, site, part);
    }

    /// `MPI_Igatherv`, elsewhere than on the root.
    #[track_caller]
    fn immediate_gather_varcount_into<'a, S, Sc>(
        &self,
        _scope: Sc,
        sendbuf: &'a S,
    ) -> Request<'a, S, Sc>
    where
        S: 'a + Buffer + ?Sized,
        Sc: Scope<'a>,
    {
        let ((comm, root), site) = (self.place(), Site::here());
        let part = rooted::part_to_many(comm, root, sendbuf);
        let reply = part::begin(comm, site, part);
        Request::sending(comm.context.clone(), reply, sendbuf)
    }

    /// `MPI_Gatherv`, on the root.
    #[track_caller]
    fn gather_varcount_into_root<S, R>(&self, sendbuf: &S, recvbuf: &mut R)
    where
        S: Buffer + ?Sized,
        R: PartitionedBufferMut + ?Sized,
    {
        let ((comm, root), site) = (self.place(), Site::here());
        let part = rooted::gather_varcount(comm, root, sendbuf, recvbuf);
        if let Some(data) = part::take_part(comm, site, part) {
            fill_parts(recvbuf, &data);
        }
    }

    /// `MPI_Igatherv`, on the root.
    #[track_caller]
    fn immediate_gather_varcount_into_root<'a, S, R, Sc>(
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
        let ((comm, root), site) = (self.place(), Site::here());
        let part = rooted::gather_varcount(comm, root, sendbuf, recvbuf);
        let reply = part::begin(comm, site, part);
        Request::filling(comm.context.clone(), reply, recvbuf, fill_parts::<R>)
    }

    /// `MPI_Scatter`, elsewhere than on the root.
    #[track_caller]
    fn scatter_into<R>(&self, recvbuf: &mut R)
    where
        R: BufferMut + ?Sized,
    {
        let ((comm, root), site) = (self.place(), Site::here());
        let part = rooted::share(comm, root, recvbuf);
        if let Some(data) = part::take_part(comm, site, part) {
            fill(recvbuf, &data);
        }
    }

    /// `MPI_Iscatter`, elsewhere than on the root.
    #[track_caller]
    fn immediate_scatter_into<'a, R, Sc>(
        &self,
        _scope: Sc,
        recvbuf: &'a mut R,
    ) -> Request<'a, R, Sc>
    where
        R: 'a + BufferMut + ?Sized,
        Sc: Scope<'a>,
    {
        let ((comm, root), site) = (self.place(), Site::here());
        let part = rooted::share(comm, root, recvbuf);
        let reply = part::begin(comm, site, part);
        Request::filling(comm.context.clone(), reply, recvbuf, fill::<R>)
    }

    /// `MPI_Scatter`, on the root.
    #[track_caller]
    fn scatter_into_root<S, R>(&self, sendbuf: &S, recvbuf: &mut R)
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
    {
        let ((comm, root), site) = (self.place(), Site::here());
        let part = rooted::scatter(comm, root, sendbuf, recvbuf);
        if let Some(data) = part::take_part(comm, site, part) {
            fill(recvbuf, &data);
        }
    }

    /// `MPI_Iscatter`, on the root.
    #[track_caller]
    fn immediate_scatter_into_root<'a, S, R, Sc>(
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
        let ((comm, root), site) = (self.place(), Site::here());
        let part = rooted::scatter(comm, root, sendbuf, recvbuf);
        let reply = part::begin(comm, site, part);
        Request::filling(comm.context.clone(), reply, recvbuf, fill::<R>)
    }

    /// `MPI_Scatterv`, elsewhere than on the root.
    #[track_caller]
    fn scatter_varcount_into<R>(&self, recvbuf: &mut R)
    where
        R: BufferMut + ?Sized,
    {
        let ((comm, root), site) = (self.place(), Site::here());
        let part = rooted::part_of_many(comm, root, recvbuf);
        if let Some(data) = part::take_part(comm, site, part) {
            fill(recvbuf, &data);
        }
    }

    /// `MPI_Iscatterv`, elsewhere than on the root.
    #[track_caller]
    fn immediate_scatter_varcount_into<'a, R, Sc>(
        &self,
        _scope: Sc,
        recvbuf: &'a mut R,
    ) -> Request<'a, R, Sc>
    where
        R: 'a + BufferMut + ?Sized,
        Sc: Scope<'a>,
    {
        let ((comm, root), site) = (self.place(), Site::here());
        let part = rooted::part_of_many(comm, root, recvbuf);
        let reply = part::begin(comm, site, part);
        Request::filling(comm.context.clone(), reply, recvbuf, fill::<R>)
    }

    /// `MPI_Scatterv`, on the root.
    #[track_caller]
    fn scatter_varcount_into_root<S, R>(&self, sendbuf: &S, recvbuf: &mut R)
    where
        S: PartitionedBuffer + ?Sized,
        R: BufferMut + ?Sized,
    {
        let ((comm, root), site) = (self.place(), Site::here());
        let part = rooted::scatter_varcount(comm, root, sendbuf, recvbuf);
        if let Some(data) = part::take_part(comm, site, part) {
            fill(recvbuf, &data);
        }
    }

    /// `MPI_Iscatterv`, on the root.
    #[track_caller]
    fn immediate_scatter_varcount_into_root<'a, S, R, Sc>(
        &self,
        _scope: Sc,
        sendbuf: &'a S,
        recvbuf: &'a mut R,
    ) -> Request<'a, R, Sc>
    where
        S: 'a + PartitionedBuffer + ?Sized,
        R: 'a + BufferMut + ?Sized,
        Sc: Scope<'a>,
    {
        let ((comm, root), site) = (self.place(), Site::here());
        let part = rooted::scatter_varcount(comm, root, sendbuf, recvbuf);
        let reply = part::begin(comm, site, part);
        Request::filling(comm.context.clone(), reply, recvbuf, fill::<R>)
    }

    /// `MPI_Reduce`, elsewhere than on the root.
    #[track_caller]
    fn reduce_into<S, O>(&self, sendbuf: &S, op: O)
    where
        S: Buffer + ?Sized,
        O: Operation,
    {
        let ((comm, root), site) = (self.place(), Site::here());
        let part = part::reducing(comm, CollectiveKind::Reduce, root, sendbuf, &op);
        part::take_part(comm, site, part);
    }

    /// `MPI_Ireduce`, elsewhere than on the root.
    #[track_caller]
    fn immediate_reduce_into<'a, S, O, Sc>(
        &self,
        _scope: Sc,
        sendbuf: &'a S,
        op: O,
    ) -> Request<'a, S, Sc>
    where
        S: 'a + Buffer + ?Sized,
        O: Operation,
        Sc: Scope<'a>,
    {
        let ((comm, root), site) = (self.place(), Site::here());
        let part = part::reducing(comm, CollectiveKind::Reduce, root, sendbuf, &op);
        let reply = part::begin(comm, site, part);
        Request::sending(comm.context.clone(), reply, sendbuf)
    }

    /// `MPI_Reduce`, on the root.
    #[track_caller]
    fn reduce_into_root<S, R, O>(&self, sendbuf: &S, recvbuf: &mut R, op: O)
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
        O: Operation,
    {
        let ((comm, root), site) = (self.place(), Site::here());
        let part = part::reducing(comm, CollectiveKind::Reduce, root, sendbuf, &op)
            .and_then(|part| part::same_room(part, recvbuf));
        if let Some(data) = part::take_part(comm, site, part) {
            fill(recvbuf, &data);
        }
    }

    /// `MPI_Ireduce`, on the root.
    #[track_caller]
    fn immediate_reduce_into_root<'a, S, R, O, Sc>(
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
        let ((comm, root), site) = (self.place(), Site::here());
        let part = part::reducing(comm, CollectiveKind::Reduce, root, sendbuf, &op)
            .and_then(|part| part::same_room(part, recvbuf));
        let reply = part::begin(comm, site, part);
        Request::filling(comm.context.clone(), reply, recvbuf, fill::<R>)
    }
}
