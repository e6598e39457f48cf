//! Schedules in GOAL (Hoefler, Siebert and Lumsdaine, "Group operation assembly language", ICPP
//! 2009), the language of LogGOPSim and ATLAHS: operations of each rank and what each of them
//! depends on.
//!
//! ```text
//! num_ranks 2
//! rank 0 {
//! l1: calc 500
//! l2: send 8b to 1 tag 3
//! l2 requires l1
//! }
//! rank 1 {
//! l1: recv 8b from 0 tag 3
//! }
//! ```
//!
//! Operations on which none depends need no label. `requires` starts an operation when another one has ended, `irequires` when it has started.
//! Everything that may start is started, in the order of the file. Sends and receives are
//! nonblocking. Each rank has one processor, so that its `calc` operations (in nanoseconds) come
//! one after the other; `cpu` and `nic` are read and have no effect.

mod labels;
mod lines;
mod parse;
mod pieces;
mod script;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use mpi_api::run::{Body, RankScript};

pub use self::parse::Problem;
use self::{
    lines::{Line, Lines},
    script::RankSchedule,
};

/// A schedule in GOAL as a program, for a run of as many ranks as it has.
#[derive(Debug)]
pub struct Schedule {
    ranks: Vec<Graph>,
}

/// The operations of one rank. A copy shares them.
///
/// Ranks take turns, so that what one of them needs has mostly left the processor's caches: an operation, its
/// edges and what they count are to be in as few places as possible.
#[derive(Clone, Debug, Default)]
struct Graph {
    operations: Arc<[Operation]>,
    edges: Arc<[Edge]>,
    /// Name of the file, for findings.
    file: &'static str,
}

#[derive(Clone, Copy, Debug)]
struct Operation {
    action: Action,
    line: u32,
    /// Number of edges that end here.
    before: u32,
    edges: Edges,
}

/// Where the edges that begin at an operation are among those of its rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Edges {
    first: u32,
    end: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    /// Nanoseconds of processor time.
    Calculate(u64),
    Send {
        to: u32,
        tag: i32,
        bytes: u64,
    },
    Receive {
        from: Option<u32>,
        tag: Option<i32>,
        bytes: u64,
    },
}

/// An operation that depends on another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Edge {
    to: u32,
    /// Whether it depends on the start only.
    on_start: bool,
    /// Whether the operation that depends is a calculation.
    calculates: bool,
    /// Whether the operation that depends has no other edge.
    sole: bool,
}

impl Schedule {
    /// Returns whether a text begins as a schedule does.
    pub fn is_one(text: &[u8]) -> bool {
        let start = String::from_utf8_lossy(&text[..text.len().min(4096)]);
        let mut lines = Lines::new(&start, 1);
        while let Some(Line { text, words, .. }) = lines.next() {
            if !text.is_empty() {
                return words.first() == Some(&b"num_ranks".as_slice());
            }
        }
        false
    }

    /// Reads a schedule; `name` is the name of its file.
    ///
    /// # Errors
    /// Returns the first mistake with its line.
    pub fn parse(name: &str, text: &str) -> Result<Self, Problem> {
        parse::schedule(name, text)
    }

    /// Returns the number of ranks.
    pub fn ranks(&self) -> u32 {
        self.ranks.len() as u32
    }

    /// Returns the number of operations of all ranks.
    pub fn operations(&self) -> u64 {
        self.ranks.iter().map(|graph| graph.operations.len() as u64).sum()
    }
}

impl Body for Schedule {
    fn rank(&self) {}

    fn script(&self, rank: u32) -> Option<RankScript> {
        Some(Box::new(RankSchedule::new(self.ranks[rank as usize].clone())))
    }
}
