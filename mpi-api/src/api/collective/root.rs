//! Collectives with a root; every rank calls them on the root's process.
//!
//! Where the arguments of the root differ from those of other ranks, the root calls the function
//! whose name ends in `_root`.

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

/// A process that can be the root of a collective (MPI chapter 6). Buffers are divided and compared as by
/// [`CommunicatorCollectives`](super::CommunicatorCollectives), with the same errors.
pub trait Root: AsCommunicator {
    /// Returns the rank of the root.
    fn root_rank(&self) -> Rank;

    /// Returns the communicator and the root's rank.
    #[doc(hidden)]
    fn place(&self) -> (&SimpleCommunicator, Rank) {
        (self.as_communicator().as_simple(), self.root_rank())
    }

    /// Starts at most `maxprocs` new ranks that run the root's command; the arguments of other
    /// ranks are not significant (`MPI_Comm_spawn`). Returns when the new ranks have initialized.
    ///
    /// # Errors
    /// `MPI_ERR_SPAWN` if there is no room for as many, or no such node, where the communicator
    /// returns errors.
    #[track_caller]
    fn spawn(&self, command: &Command, maxprocs: Rank) -> Result<InterCommunicator, MpiError> {
        self.spawn_multiple(std::slice::from_ref(command), &[maxprocs])
    }

    /// Like [`Root::spawn`], for several commands whose ranks share one world
    /// (`MPI_Comm_spawn_multiple`);
    /// [`application_number`](crate::api::environment::application_number) distinguishes them.
    ///
    /// # Errors
    /// The same as for [`Root::spawn`].
    #[track_caller]
    fn spawn_multiple(
        &self,
        commands: &[Command],
        maxprocs: &[Rank],
    ) -> Result<InterCommunicator, MpiError> {
        spawn::spawn(self.place(), Site::here(), commands, maxprocs)
    }

    /// Copies the root's data to all ranks (`MPI_Bcast`).
    #[track_caller]
    fn broadcast_into<Buf: BufferMut + ?Sized>(&self, buffer: &mut Buf) {
        let ((comm, root), site) = (self.place(), Site::here());
        let part = rooted::broadcast(comm, root, buffer);
        if let Some(data) = part::take_part(comm, site, part) {
            fill(buffer, &data);
        }
    }

    /// Starts the nonblocking form (`MPI_Ibcast`).
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

    /// Gathers one block from every rank on the root (`MPI_Gather`); called on the others.
    #[track_caller]
    fn gather_into<S>(&self, sendbuf: &S)
    where
        S: Buffer + ?Sized,
    {
        let ((comm, root), site) = (self.place(), Site::here());
        let part = rooted::contribution(comm, CollectiveKind::Gather, root, sendbuf);
        part::take_part(comm, site, part);
    }

    /// Starts the nonblocking form (`MPI_Igather`) on a rank other than the root.
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

    /// Gathers one block from every rank on the root (`MPI_Gather`); called on the root.
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

    /// Starts the nonblocking form (`MPI_Igather`) on the root.
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

    /// Gathers a block of any length from every rank on the root (`MPI_Gatherv`); called on the
    /// others.
    #[track_caller]
    fn gather_varcount_into<S>(&self, sendbuf: &S)
    where
        S: Buffer + ?Sized,
    {
        let ((comm, root), site) = (self.place(), Site::here());
        let part = rooted::part_to_many(comm, root, sendbuf);
        part::take_part(comm, site, part);
    }

    /// Starts the nonblocking form (`MPI_Igatherv`) on a rank other than the root.
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

    /// Gathers a block of any length from every rank on the root (`MPI_Gatherv`); called on the
    /// root.
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

    /// Starts the nonblocking form (`MPI_Igatherv`) on the root.
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

    /// Distributes equal blocks of the root's data to the ranks (`MPI_Scatter`); called on the
    /// others.
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

    /// Starts the nonblocking form (`MPI_Iscatter`) on a rank other than the root.
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

    /// Distributes equal blocks of the root's data to the ranks (`MPI_Scatter`); called on the
    /// root.
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

    /// Starts the nonblocking form (`MPI_Iscatter`) on the root.
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

    /// Distributes parts of the root's data to all ranks (`MPI_Scatterv`); called on the others.
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

    /// Starts the nonblocking form (`MPI_Iscatterv`) on a rank other than the root.
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

    /// Distributes parts of the root's data to all ranks (`MPI_Scatterv`); called on the root.
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

    /// Starts the nonblocking form (`MPI_Iscatterv`) on the root.
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

    /// Combines the data of all ranks on the root (`MPI_Reduce`); called on the others.
    #[track_caller]
    fn reduce_into<S, O>(&self, sendbuf: &S, op: O)
    where
        S: Buffer + ?Sized,
        O: Operation,
    {
        let ((comm, root), site) = (self.place(), Site::here());
        let part = rooted::summand(comm, root, sendbuf, &op);
        part::take_part(comm, site, part);
    }

    /// Starts the nonblocking form (`MPI_Ireduce`) on a rank other than the root.
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
        let part = rooted::summand(comm, root, sendbuf, &op);
        let reply = part::begin(comm, site, part);
        Request::sending(comm.context.clone(), reply, sendbuf)
    }

    /// Combines the data of all ranks on the root (`MPI_Reduce`); called on the root.
    #[track_caller]
    fn reduce_into_root<S, R, O>(&self, sendbuf: &S, recvbuf: &mut R, op: O)
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
        O: Operation,
    {
        let ((comm, root), site) = (self.place(), Site::here());
        let part = rooted::reduction(comm, root, sendbuf, recvbuf, &op);
        if let Some(data) = part::take_part(comm, site, part) {
            fill(recvbuf, &data);
        }
    }

    /// Starts the nonblocking form (`MPI_Ireduce`) on the root.
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
        let part = rooted::reduction(comm, root, sendbuf, recvbuf, &op);
        let reply = part::begin(comm, site, part);
        Request::filling(comm.context.clone(), reply, recvbuf, fill::<R>)
    }
}
