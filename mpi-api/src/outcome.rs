//! What a finished simulation is worth.

use network_models::{Cost, LinkUsage, Method};
use serde::{Deserialize, Serialize};
use sim_core::{SimDuration, SimTime};

use crate::{
    call::Site,
    finding::Finding,
    text::{Text, interned},
};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// Every rank came to its end.
    Completed,
    /// Nothing could happen any more and some rank was blocked.
    Stalled,
    /// An error, a panic, an abort or a limit ended it.
    Failed,
}

impl Ending {
    /// The word scripts see.
    pub fn word(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Stalled => "stalled",
            Self::Failed => "failed",
        }
    }
}

/// Where one rank's time went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankTotals {
    /// Outside MPI.
    pub compute: SimDuration,
    /// Processor time inside MPI.
    pub overhead: SimDuration,
    /// Blocked in MPI.
    pub waiting: SimDuration,
    /// When it ended, or the run stopped.
    pub finish: SimTime,
    /// Messages it sent.
    pub messages: u64,
    /// Bytes of data it sent.
    pub bytes: u64,
    /// Most bytes of its standard sends that the system held for it at once.
    pub peak_buffered: u64,
}

/// One free choice the run made (a wildcard's match, a wait for any, which wildcard goes first).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// What was taken, from 0.
    pub taken: u32,
    /// How many there were; 1 where the order of two wildcards made no difference.
    pub alternatives: u32,
    /// The call that chose; none where wildcards of several ranks could go first.
    pub by: Option<Chosen>,
    /// The message that was taken, if it was a message that was chosen.
    pub took: Option<Took>,
}

/// A message that was taken where there were several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Took {
    /// World rank of its sender.
    pub source: u32,
    /// Its tag.
    pub tag: i32,
    /// Where it was sent.
    pub site: Site,
}

/// A call that had a free choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chosen {
    /// World rank.
    pub rank: u32,
    /// The call, such as `receive`.
    #[serde(deserialize_with = "interned")]
    pub call: Text,
    /// Where it stands.
    pub site: Site,
    /// It chose among groups that wait at a port, not among messages.
    pub at_port: bool,
}

/// A communicator whose ranks were to be numbered so that those who talk are close (`reorder`,
/// MPI section 8.5), on a network where this makes a difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reordering {
    /// Where the program asked for it.
    pub site: Site,
    /// Kind and size of the topology, as `torus 8x8`.
    pub topology: String,
    /// Ranks of the communicator.
    pub ranks: u32,
    /// How the numbering was found.
    pub method: Method,
    /// One message along each edge, weighted, if ranks kept their order.
    pub before: Cost,
    /// The same as they are numbered.
    pub after: Cost,
}

/// Ranks that the program started during the run (MPI section 11.8).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    /// The first of them, as the run numbers ranks.
    pub first: u32,
    /// How many; their numbers are consecutive.
    pub ranks: u32,
    /// The root of the spawn.
    pub by: u32,
    /// Where it called.
    pub site: Site,
    /// When they began.
    pub time: SimTime,
}

impl Started {
    /// Who they are and where they come from, in words.
    pub fn describe(&self) -> String {
        let (first, by) = (self.first, self.by);
        let place = self.site.known().map(|site| format!(", {}:{}", site.file, site.line));
        let place = place.unwrap_or_default();
        match self.ranks {
            1 => format!("rank {first} was started by rank {by}{place}"),
            many => {
                let last = first + many - 1;
                format!("ranks {first} to {last} were started by rank {by}{place}")
            }
        }
    }
}

/// The result of one simulation. The same inputs give the same value, bit for bit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunResult {
    /// How it ended.
    pub ending: Ending,
    /// When the last rank ended, or the run stopped.
    pub makespan: SimTime,
    /// Identity of the run.
    pub digest: u64,
    /// Events the engine handled.
    pub events: u64,
    /// Messages sent, those inside collectives included.
    pub messages: u64,
    /// Bytes of data in them.
    pub bytes: u64,
    /// One entry a rank, those included that were started during the run.
    pub ranks: Vec<RankTotals>,
    /// Usage of each directed link; empty for networks without links.
    pub links: Vec<LinkUsage>,
    /// What was found, most severe first.
    pub findings: Vec<Finding>,
    /// The free choices in order.
    pub choices: Vec<Choice>,
    /// Communicators whose ranks were to be numbered anew, in order of their making.
    pub reorderings: Vec<Reordering>,
    /// Ranks that were started during the run, in order.
    pub started: Vec<Started>,
    /// What a program that may legally end in several ways said of this end; usually nothing.
    pub declared: Vec<String>,
    /// Exit code that a rank chose: of the first one that aborted, else of the lowest rank that
    /// ended with an error of its own, as a shell would tell it.
    pub exit_code: Option<i32>,
    /// Whether the program tests or probes without waiting.
    pub polled: bool,
    /// Whether operations own memory of the program, which can be watched.
    pub owns: bool,
    /// Whether it frees requests of operations that may be under way.
    pub freed: bool,
    /// Whether it was stopped from outside before its end.
    pub interrupted: bool,
}

impl RunResult {
    /// The result of a run of which nothing is known but why it ended.
    pub fn of_failure(ranks: u32, finding: Finding) -> Self {
        Self {
            ending: Ending::Failed,
            makespan: SimTime::ZERO,
            digest: 0,
            events: 0,
            messages: 0,
            bytes: 0,
            ranks: vec![RankTotals::default(); ranks as usize],
            links: Vec::new(),
            findings: vec![finding],
            choices: Vec::new(),
            reorderings: Vec::new(),
            started: Vec::new(),
            declared: Vec::new(),
            exit_code: None,
            polled: false,
            owns: false,
            freed: false,
            interrupted: false,
        }
    }
}
