//! [`Errand`]: what a rank asks of the servers on behalf of an access, and where it is.

use std::collections::VecDeque;

use super::{plan::Step, servers::Striping};
use crate::call::{Direction, FileId};

/// Through what a program uses a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Door {
    /// An open file of MPI.
    Mpi(FileId),
    /// Its language; the number of the file's name.
    Plain(u32),
}

/// Requests of one rank to the servers, one after the other.
pub(super) struct Errand {
    pub(super) door: Door,
    /// The number of the file's name.
    pub(super) name: u32,
    pub(super) striping: Striping,
    /// The rank of the run on whose node the data are.
    pub(super) rank: u32,
    pub(super) steps: VecDeque<Step>,
    /// Servers that have not answered the present request.
    pub(super) open: u32,
    pub(super) then: Then,
}

/// What happens when an errand is done.
#[derive(Clone, Copy, Debug)]
pub(super) enum Then {
    /// This access takes effect.
    Access(u32),
    /// The rank goes on that waits for this.
    Plain(u32),
    /// This aggregator of this exchange goes on.
    Round(u32, u32),
    /// This many bytes of a node's cache have reached the servers.
    Drained(u64),
}

/// Something under way for files.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    /// The present request of this errand is done.
    Done(u32),
    /// A request, with the data of a write, travels to this server.
    ToServer(u32, Part),
    /// The server works on it.
    AtServer(u32, Part),
    /// The answer travels back.
    Back(u32),
    /// Data travel between a rank and this aggregator of this exchange.
    Piece(u32, u32),
}

/// The part of a request that one server does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) server: u32,
    pub(super) bytes: u64,
    pub(super) direction: Direction,
}
