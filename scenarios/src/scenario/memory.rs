//! Estimate of the memory that a run needs.

use mpi_api::settings::Settings;

use super::Scenario;
use crate::program::Volume;

/// Bytes of the kernel's and the engine's tables for one rank that runs code, as measured with many ranks.
const TABLES: u64 = 6 << 10;
/// Bytes of stack that such a rank touches at least.
const TOUCHED: u64 = 4 << 10;
/// Bytes of the tables for one rank whose program is a list of calls and needs no stack, as measured with ranks that do
/// nothing.
const SCRIPTED: u64 = 2 << 10;
/// Bytes of a network model's state for one directed link, as measured under `link`; other models take up to
/// 700.
const OF_LINK: u64 = 16;
/// Bytes of the packed records of one message that a report shows, at least, as measured with its rendering: 86 inside of
/// collectives under `loggp`, 420 where each message has calls of its own and passes links.
const REPORTED: u64 = 85;
/// Bytes of the packed records of one message in a trace, as measured.
const TRACED: u64 = 100;

/// Memory of one rank, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// Address space of one rank, most of which is never touched.
    pub address_space: u64,
    /// Memory that one rank touches at least.
    pub touched: u64,
}

/// What is kept of the events of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Watching {
    /// Whether a report shows them.
    pub report: bool,
    /// Whether a trace of all of them is written.
    pub trace: bool,
}

/// A part of the memory of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Stacks and tables of the ranks.
    Ranks,
    /// State of the links of the topology.
    Links,
    /// Arrays of the program that hold data of messages.
    Data,
    /// Other arrays of the program.
    Arrays,
    /// Records of events for a report.
    Report,
    /// Records of events for a trace.
    Trace,
}

/// An estimate of the memory that a run adds to that of its process, in bytes.
///
/// Built-in programs and replayed ones state how much they send; of others only ranks and links are
/// estimated, so that the estimate is a lower bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// The parts that are not empty, in the order of [`Part`].
    pub parts: Vec<(Part, u64)>,
}

impl Estimate {
    /// Returns the sum of all parts.
    pub fn total(&self) -> u64 {
        self.parts.iter().fold(0, |sum: u64, (_, bytes)| sum.saturating_add(*bytes))
    }
}

impl Scenario {
    /// Returns the memory that each rank needs.
    pub fn need_per_rank(&self) -> Need {
        let Settings { limits, .. } = self.settings();
        let limits = self.program.limits(limits);
        let stack = (limits.stack_bytes + limits.guard_bytes) as u64;
        let image = self.program.image_bytes();
        match self.program.script(0) {
            Some(_) => Need { address_space: SCRIPTED, touched: SCRIPTED },
            None => Need { address_space: stack + image + TABLES, touched: TABLES + TOUCHED },
        }
    }

    /// Estimates the memory of a run of which this is kept.
    pub fn memory(&self, watching: Watching) -> Estimate {
        let Volume { arrays, carried, messages, .. } = self.volume;
        let Need { touched, .. } = self.need_per_rank();
        let records = |kept: bool, each: u64| match kept {
            true => messages.saturating_mul(each),
            false => 0,
        };
        let parts = [
            (Part::Ranks, u64::from(self.request.ranks) * touched),
            (Part::Links, u64::from(self.topology.link_count()) * OF_LINK),
            (Part::Data, if self.request.data.limit().is_none() { carried } else { 0 }),
            (Part::Arrays, arrays),
            (Part::Report, records(watching.report, REPORTED)),
            (Part::Trace, records(watching.trace, TRACED)),
        ];
        Estimate { parts: parts.into_iter().filter(|(_, bytes)| *bytes > 0).collect() }
    }

    /// Returns this scenario with the number of messages that its program is known to send.
    #[must_use]
    pub fn with_messages(mut self, messages: u64) -> Self {
        self.volume.messages = messages;
        self
    }
}
