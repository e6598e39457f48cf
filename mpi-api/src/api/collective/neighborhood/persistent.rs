//! Persistent neighbourhood collectives (MPI section 8.8).
//!
//! They hold no buffer: data are passed to each start, and results are taken by each wait.

use std::rc::Rc;

use super::exchange::{
    Block, Section, Sent, cut, equal_blocks, one_block, pack_sections, parts, parts_of, place,
    written,
};
use crate::{
    api::{
        datatype::{Buffer, BufferMut, PartitionedBuffer, PartitionedBufferMut, PointerMut, Shape},
        request::PersistentRequest,
    },
    call::{CollectiveKind, Neighbors, Site},
    error::MpiError,
    finding::CallPlace,
};

/// A persistent exchange of buffers with all neighbours.
#[must_use = "a request has to be freed"]
pub struct NeighborRequest {
    pub(super) request: PersistentRequest,
    pub(super) kind: CollectiveKind,
    pub(super) neighbors: Rc<Neighbors>,
    /// Blocks of the buffer that the request was created for.
    pub(super) blocks: Vec<Block>,
}

impl NeighborRequest {
    /// Starts the exchange with the current data of a buffer of the original shape (`MPI_Start`, MPI section 8.8).
    ///
    /// # Errors
    /// Raises `MPI_ERR_TYPE` or `MPI_ERR_COUNT` if the data differ in type or number of elements from those that the
    /// request was created with.
    #[track_caller]
    pub fn start_with<S: Buffer + ?Sized>(&mut self, sendbuf: &S) {
        let sent = match self.kind {
            CollectiveKind::NeighborAllgather => one_block(sendbuf),
            _ => cut(&self.neighbors, sendbuf),
        };
        self.begin(Site::here(), sent, Shape::of(sendbuf));
    }

    /// Like [`start_with`](Self::start_with), for a buffer in parts, whose sizes are compared as well.
    #[track_caller]
    pub fn start_with_parts<S: PartitionedBuffer + ?Sized>(&mut self, sendbuf: &S) {
        self.begin(Site::here(), parts(&self.neighbors, sendbuf), Shape::of_parts(sendbuf));
    }

    fn begin(&mut self, site: Site, sent: Result<Sent, MpiError>, shape: Shape) {
        self.request.begin_as_created(site, sent.map(|sent| Some((sent.bytes.into(), shape))));
    }

    /// Waits, and writes the received data to a buffer of the original shape (`MPI_Wait`, MPI section 8.8).
    ///
    /// # Errors
    /// The same as for [`start_with`](Self::start_with); the buffer keeps its contents then.
    #[track_caller]
    pub fn wait_into<R: BufferMut + ?Sized>(&mut self, recvbuf: &mut R) {
        let (blocks, shape) = (equal_blocks(&self.neighbors, recvbuf), Shape::of(recvbuf));
        self.settle(Site::here(), (blocks, shape), recvbuf);
    }

    /// Like [`wait_into`](Self::wait_into), for a buffer in parts, whose sizes are compared as well.
    #[track_caller]
    pub fn wait_into_parts<R: PartitionedBufferMut + ?Sized>(&mut self, recvbuf: &mut R) {
        let (blocks, shape) = (parts_of(recvbuf), Shape::of_parts(recvbuf));
        self.settle(Site::here(), (blocks, shape), recvbuf);
    }

    fn settle<M: PointerMut + ?Sized>(
        &mut self,
        site: Site,
        (blocks, shape): (Result<Vec<Block>, MpiError>, Shape),
        memory: &mut M,
    ) {
        let (_, payload) = self.request.outcome(site);
        let by = CallPlace { call: "wait", site };
        let Some(data) = self.request.fitting(by, shape, payload) else { return };
        if let Some(blocks) = self.request.accepted(by, blocks) {
            let blocks = written(blocks, &self.neighbors);
            place(memory.pointer_mut().cast(), &blocks, data.as_slice());
        }
    }

    /// Frees the request (`MPI_Request_free`).
    #[track_caller]
    pub fn free(self) {
        self.request.free();
    }

    pub(super) fn of_sections<'d>(self, sends: &[Section<'d>]) -> NeighborExchange<'d> {
        NeighborExchange { request: self, sends: sends.to_vec() }
    }
}

/// A persistent exchange of sections with all neighbours.
#[must_use = "a request has to be freed"]
pub struct NeighborExchange<'d> {
    request: NeighborRequest,
    sends: Vec<Section<'d>>,
}

impl NeighborExchange<'_> {
    /// Starts the exchange with the current contents of the sections (`MPI_Start`).
    ///
    /// # Safety
    /// Every section is memory of `memory` that may be read.
    #[track_caller]
    #[allow(unsafe_code, reason = "sections are known by address")]
    pub unsafe fn start<M: PointerMut + ?Sized>(&mut self, memory: &mut M) {
        let base = memory.pointer_mut().cast::<u8>();
        let bytes = pack_sections(base, &self.sends, &self.request.neighbors);
        self.request.request.begin(Site::here(), Some(bytes.into()));
    }

    /// Waits, and writes the received data to their sections (`MPI_Wait`).
    ///
    /// # Safety
    /// Every section is memory of `memory` that may be written with any bytes.
    #[track_caller]
    #[allow(unsafe_code, reason = "sections are known by address")]
    pub unsafe fn wait<M: PointerMut + ?Sized>(&mut self, memory: &mut M) {
        if let (_, Some(payload)) = self.request.request.outcome(Site::here()) {
            place(memory.pointer_mut().cast(), &self.request.blocks, payload.as_slice());
        }
    }

    /// Frees the request (`MPI_Request_free`).
    #[track_caller]
    pub fn free(self) {
        self.request.free();
    }
}
