//! Neighbourhood collectives: exchanges along the edges of a virtual topology (MPI section 8.6).
//!
//! On a grid the neighbours of each dimension are the lower and the upper one, in this order; a
//! block of a null neighbour is neither sent nor written.

mod edges;
mod exchange;
mod persistent;

pub(crate) use edges::exchange_edges;
pub use exchange::Section;
pub use persistent::{NeighborExchange, NeighborRequest};

use self::exchange::Exchange;
use crate::{
    api::{
        datatype::{Buffer, BufferMut, PartitionedBuffer, PartitionedBufferMut, PointerMut, Shape},
        request::{Request, Scope},
        topology::{
            CartesianCommunicator, Communicator, DistributedGraphCommunicator, GraphCommunicator,
        },
    },
    call::{Neighbors, Site},
};

/// A communicator whose virtual topology gives each rank neighbours.
pub trait NeighborhoodCollectives: Communicator {
    /// Returns the sources and destinations of the calling rank.
    #[doc(hidden)]
    fn neighborhood(&self) -> Neighbors;

    /// Sends the same block to all destinations and receives one block from each source
    /// (`MPI_Neighbor_allgather`).
    #[track_caller]
    fn neighbor_all_gather_into<S, R>(&self, sendbuf: &S, recvbuf: &mut R)
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
    {
        Exchange::all_gather(self, sendbuf, recvbuf).run(Site::here(), recvbuf);
    }

    /// Starts the nonblocking form (`MPI_Ineighbor_allgather`).
    #[track_caller]
    fn immediate_neighbor_all_gather_into<'a, S, R, Sc>(
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
        Exchange::all_gather(self, sendbuf, recvbuf).begin(Site::here(), recvbuf)
    }

    /// Creates the persistent form (`MPI_Neighbor_allgather_init`), for buffers of the same shape.
    #[track_caller]
    fn neighbor_all_gather_init<S, R>(&self, sendbuf: &S, recvbuf: &R) -> NeighborRequest
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
    {
        Exchange::all_gather(self, sendbuf, recvbuf)
            .init(Site::here(), Some([Shape::of(sendbuf), Shape::of(recvbuf)]))
    }

    /// Sends the same block to all destinations and receives a block of individual length from each
    /// source (`MPI_Neighbor_allgatherv`).
    #[track_caller]
    fn neighbor_all_gather_varcount_into<S, R>(&self, sendbuf: &S, recvbuf: &mut R)
    where
        S: Buffer + ?Sized,
        R: PartitionedBufferMut + ?Sized,
    {
        Exchange::all_gather_varcount(self, sendbuf, recvbuf).run(Site::here(), recvbuf);
    }

    /// Starts the nonblocking form (`MPI_Ineighbor_allgatherv`).
    #[track_caller]
    fn immediate_neighbor_all_gather_varcount_into<'a, S, R, Sc>(
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
        Exchange::all_gather_varcount(self, sendbuf, recvbuf).begin(Site::here(), recvbuf)
    }

    /// Creates the persistent form (`MPI_Neighbor_allgatherv_init`), for buffers of the same shape.
    #[track_caller]
    fn neighbor_all_gather_varcount_init<S, R>(&self, sendbuf: &S, recvbuf: &R) -> NeighborRequest
    where
        S: Buffer + ?Sized,
        R: PartitionedBufferMut + ?Sized,
    {
        Exchange::all_gather_varcount(self, sendbuf, recvbuf)
            .init(Site::here(), Some([Shape::of(sendbuf), Shape::of_parts(recvbuf)]))
    }

    /// Sends one block to each destination and receives one block from each source
    /// (`MPI_Neighbor_alltoall`).
    #[track_caller]
    fn neighbor_all_to_all_into<S, R>(&self, sendbuf: &S, recvbuf: &mut R)
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
    {
        Exchange::all_to_all(self, sendbuf, recvbuf).run(Site::here(), recvbuf);
    }

    /// Starts the nonblocking form (`MPI_Ineighbor_alltoall`).
    #[track_caller]
    fn immediate_neighbor_all_to_all_into<'a, S, R, Sc>(
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
        Exchange::all_to_all(self, sendbuf, recvbuf).begin(Site::here(), recvbuf)
    }

    /// Creates the persistent form (`MPI_Neighbor_alltoall_init`), for buffers of the same shape.
    #[track_caller]
    fn neighbor_all_to_all_init<S, R>(&self, sendbuf: &S, recvbuf: &R) -> NeighborRequest
    where
        S: Buffer + ?Sized,
        R: BufferMut + ?Sized,
    {
        Exchange::all_to_all(self, sendbuf, recvbuf)
            .init(Site::here(), Some([Shape::of(sendbuf), Shape::of(recvbuf)]))
    }

    /// Sends a part to each destination and receives a part from each source, each of individual
    /// length (`MPI_Neighbor_alltoallv`).
    #[track_caller]
    fn neighbor_all_to_all_varcount_into<S, R>(&self, sendbuf: &S, recvbuf: &mut R)
    where
        S: PartitionedBuffer + ?Sized,
        R: PartitionedBufferMut + ?Sized,
    {
        Exchange::all_to_all_varcount(self, sendbuf, recvbuf).run(Site::here(), recvbuf);
    }

    /// Starts the nonblocking form (`MPI_Ineighbor_alltoallv`).
    #[track_caller]
    fn immediate_neighbor_all_to_all_varcount_into<'a, S, R, Sc>(
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
        Exchange::all_to_all_varcount(self, sendbuf, recvbuf).begin(Site::here(), recvbuf)
    }

    /// Creates the persistent form (`MPI_Neighbor_alltoallv_init`), for buffers of the same shape.
    #[track_caller]
    fn neighbor_all_to_all_varcount_init<S, R>(&self, sendbuf: &S, recvbuf: &R) -> NeighborRequest
    where
        S: PartitionedBuffer + ?Sized,
        R: PartitionedBufferMut + ?Sized,
    {
        Exchange::all_to_all_varcount(self, sendbuf, recvbuf)
            .init(Site::here(), Some([Shape::of_parts(sendbuf), Shape::of_parts(recvbuf)]))
    }

    /// Exchanges sections of one memory, each with its own datatype (`MPI_Neighbor_alltoallw`).
    /// Sections that are sent and received must not overlap.
    ///
    /// # Safety
    /// Every section is memory of `memory` that may be read and written with any bytes.
    #[track_caller]
    #[allow(unsafe_code, reason = "sections are known by address")]
    unsafe fn neighbor_all_to_all_sections<M: PointerMut + ?Sized>(
        &self,
        memory: &mut M,
        sends: &[Section<'_>],
        receives: &[Section<'_>],
    ) {
        let base = memory.pointer_mut().cast::<u8>();
        Exchange::sections(self, base, sends, receives).run(Site::here(), memory);
    }

    /// Starts the nonblocking form (`MPI_Ineighbor_alltoallw`) within one memory.
    ///
    /// # Safety
    /// Every section is memory of `memory` that may be read and written with any bytes.
    #[track_caller]
    #[allow(unsafe_code, reason = "sections are known by address")]
    unsafe fn immediate_neighbor_all_to_all_sections<'a, M, Sc>(
        &self,
        _scope: Sc,
        memory: &'a mut M,
        sends: &[Section<'_>],
        receives: &[Section<'_>],
    ) -> Request<'a, M, Sc>
    where
        M: 'a + PointerMut + ?Sized,
        Sc: Scope<'a>,
    {
        let base = memory.pointer_mut().cast::<u8>();
        Exchange::sections(self, base, sends, receives).begin(Site::here(), memory)
    }

    /// Creates the persistent form (`MPI_Neighbor_alltoallw_init`) within one memory, with fixed
    /// sections.
    #[track_caller]
    fn neighbor_all_to_all_sections_init<'d>(
        &self,
        sends: &[Section<'d>],
        receives: &[Section<'d>],
    ) -> NeighborExchange<'d> {
        Exchange::planned(self, sends, receives).init(Site::here(), None).of_sections(sends)
    }
}

impl NeighborhoodCollectives for CartesianCommunicator {
    fn neighborhood(&self) -> Neighbors {
        Neighbors::on_grid(self.cart(), self.as_simple().info.rank)
    }
}

impl NeighborhoodCollectives for GraphCommunicator {
    fn neighborhood(&self) -> Neighbors {
        Neighbors::on_graph(self.graph(), self.as_simple().info.rank)
    }
}

impl NeighborhoodCollectives for DistributedGraphCommunicator {
    fn neighborhood(&self) -> Neighbors {
        Neighbors::on_distributed_graph(self.neighbors())
    }
}
