//! Findings: statements about the simulated program, which are part of a result and never an error
//! of the simulator.

mod collect;
mod leak;
mod ranks;

pub use self::{
    collect::Findings,
    leak::{Leak, Object},
    ranks::ranks_text,
};

use crate::{
    call::Site,
    text::{Text, interned},
};
use serde::{Deserialize, Serialize};

/// A call without its rank: its function and its position in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallPlace {
    /// Name of the function.
    pub call: &'static str,
    /// Position of the call in the source.
    pub site: Site,
}

impl CallPlace {
    /// Returns the place of the function that the program calls at `site`; `call` is its name where that is
    /// unknown.
    pub fn at(site: Site, call: &'static str) -> Self {
        Self { call: site.call_or(call), site }
    }
}

/// The one-word verdicts of the safety check, most severe first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the words are defined by Verdict::meaning")]
pub enum Verdict {
    Error,
    Deadlock,
    CallOrdering,
    ParameterMatching,
    InvalidArgument,
    MessageRace,
    Buffering,
    RequestLifecycle,
    EpochLifecycle,
    LocalConcurrency,
    GlobalConcurrency,
    ResourceLeak,
    Ok,
}

impl Verdict {
    /// All verdicts that a finding can lead to, most severe first.
    pub const ALL: [Self; 12] = [
        Self::Error,
        Self::Deadlock,
        Self::CallOrdering,
        Self::ParameterMatching,
        Self::InvalidArgument,
        Self::MessageRace,
        Self::Buffering,
        Self::RequestLifecycle,
        Self::EpochLifecycle,
        Self::LocalConcurrency,
        Self::GlobalConcurrency,
        Self::ResourceLeak,
    ];

    /// Returns the word used in output for scripts.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Deadlock => "deadlock",
            Self::CallOrdering => "call-ordering",
            Self::ParameterMatching => "parameter-matching",
            Self::InvalidArgument => "invalid-argument",
            Self::MessageRace => "message-race",
            Self::Buffering => "buffering",
            Self::RequestLifecycle => "request-lifecycle",
            Self::EpochLifecycle => "epoch-lifecycle",
            Self::LocalConcurrency => "local-concurrency",
            Self::GlobalConcurrency => "global-concurrency",
            Self::ResourceLeak => "resource-leak",
            Self::Ok => "ok",
        }
    }
}

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Severity {
    /// The program violates the standard.
    Error,
    /// The program is correct but fragile.
    Warning,
    /// Additional information about a correct program.
    Note,
}

impl Severity {
    /// Returns the word used in output for scripts.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// A kind of finding; [`Code::number`] never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each is described by Code::title and `windtunnel explain`")]
pub enum Code {
    DeadlockCycle,
    NeverMatched,
    BufferingDependence,
    MessageRace,
    CollectiveMismatch,
    RootMismatch,
    CountMismatch,
    OperatorMismatch,
    TypeMismatch,
    Truncation,
    InvalidArgument,
    RequestLeak,
    RequestMisuse,
    BufferOverflow,
    ReadyWithoutReceive,
    UnreceivedMessage,
    ResourceLeak,
    Panicked,
    Aborted,
    StackOverflow,
    LimitReached,
    PeerFinished,
    NotFinalized,
    BufferConflict,
    Livelock,
    Signal,
    ExitCode,
    ThreadMisuse,
    Unrepresentable,
    ArgumentMismatch,
    NotModelled,
    NetworkDeadlock,
    EpochMisuse,
    WindowRace,
    CommunicatorMismatch,
    FileRace,
    ShortBuffer,
    MemoryType,
    Portability,
}

impl Code {
    /// All codes in order of number.
    pub const ALL: [Self; 39] = [
        Self::DeadlockCycle,
        Self::NeverMatched,
        Self::BufferingDependence,
        Self::MessageRace,
        Self::CollectiveMismatch,
        Self::RootMismatch,
        Self::CountMismatch,
        Self::OperatorMismatch,
        Self::TypeMismatch,
        Self::Truncation,
        Self::InvalidArgument,
        Self::RequestLeak,
        Self::RequestMisuse,
        Self::BufferOverflow,
        Self::ReadyWithoutReceive,
        Self::UnreceivedMessage,
        Self::ResourceLeak,
        Self::Panicked,
        Self::Aborted,
        Self::StackOverflow,
        Self::LimitReached,
        Self::PeerFinished,
        Self::NotFinalized,
        Self::BufferConflict,
        Self::Livelock,
        Self::Signal,
        Self::ExitCode,
        Self::ThreadMisuse,
        Self::Unrepresentable,
        Self::ArgumentMismatch,
        Self::NotModelled,
        Self::NetworkDeadlock,
        Self::EpochMisuse,
        Self::WindowRace,
        Self::CommunicatorMismatch,
        Self::FileRace,
        Self::ShortBuffer,
        Self::MemoryType,
        Self::Portability,
    ];

    /// Returns the number after `WT`.
    pub fn number(self) -> u32 {
        1 + Self::ALL.iter().position(|code| *code == self).expect("every code is listed") as u32
    }

    /// Returns the name used in output for scripts, such as `WT0001`.
    pub fn name(self) -> String {
        format!("WT{:04}", self.number())
    }

    /// Parses the name of a code: `WT0003`, `wt3` and `3` are the same.
    pub fn parse(name: &str) -> Option<Self> {
        let number: u32 = name.trim_start_matches(['W', 'T', 'w', 't']).parse().ok()?;
        Self::ALL.into_iter().find(|code| code.number() == number)
    }

    /// Returns a one-line description.
    pub fn title(self) -> &'static str {
        match self {
            Self::DeadlockCycle => "ranks wait for each other in a cycle",
            Self::NeverMatched => "an operation waits for a partner that never comes",
            Self::BufferingDependence => "the program finishes only if the system buffers messages",
            Self::MessageRace => "the outcome depends on which message comes first",
            Self::CollectiveMismatch => "ranks disagree on the collective operation",
            Self::RootMismatch => "ranks disagree on the root",
            Self::CountMismatch => "ranks disagree on the amount of data",
            Self::OperatorMismatch => "ranks disagree on the reduction operation",
            Self::TypeMismatch => "the types of a send and its receive differ",
            Self::Truncation => "a message is longer than its receive buffer",
            Self::InvalidArgument => "an argument is invalid by itself",
            Self::RequestLeak => "a request is never completed",
            Self::RequestMisuse => "a request is used against its life cycle",
            Self::BufferOverflow => {
                "a buffer is too small for buffered sends, overlaps another one or is null"
            }
            Self::ReadyWithoutReceive => "a ready send found no posted receive",
            Self::UnreceivedMessage => "a message is never received",
            Self::ResourceLeak => "an object is never freed",
            Self::Panicked => "a rank panicked",
            Self::Aborted => "a rank called MPI_Abort",
            Self::StackOverflow => "a rank's stack overflowed",
            Self::LimitReached => "a limit ended the run",
            Self::PeerFinished => "a collective waits for a rank that has already finished",
            Self::NotFinalized => "MPI is used outside of init and finalize, or never finalized",
            Self::BufferConflict => "a buffer is touched while an operation owns it",
            Self::Livelock => "ranks poll for ever for something that cannot come",
            Self::Signal => "a rank was struck by a signal",
            Self::ExitCode => "a rank ended with an error of its own",
            Self::Unrepresentable => "a value cannot be represented where it is received",
            Self::ArgumentMismatch => "ranks disagree on an argument of a collective operation",
            Self::NotModelled => "a function of MPI is called that is not modelled yet",
            Self::NetworkDeadlock => "messages wait for each other inside the network",
            Self::EpochMisuse => "a window is used against the order of its epochs",
            Self::WindowRace => "accesses to a window are not ordered",
            Self::CommunicatorMismatch => "ranks use different communicators, windows or files",
            Self::FileRace => "accesses to a file are not ordered",
            Self::ShortBuffer => "a call uses memory outside of a variable or heap block",
            Self::MemoryType => "the type of the memory differs from the datatype",
            Self::Portability => "the program relies on what not every library provides",
            Self::ThreadMisuse => "threads of a rank use MPI in a way that is not allowed",
        }
    }

    /// Returns the verdict that this code leads to.
    pub fn verdict(self) -> Verdict {
        match self {
            Self::DeadlockCycle | Self::NeverMatched | Self::Livelock => Verdict::Deadlock,
            Self::BufferingDependence => Verdict::Buffering,
            Self::MessageRace => Verdict::MessageRace,
            Self::CollectiveMismatch
            | Self::UnreceivedMessage
            | Self::PeerFinished
            | Self::NotFinalized => Verdict::CallOrdering,
            Self::BufferConflict | Self::ThreadMisuse => Verdict::LocalConcurrency,
            Self::RootMismatch
            | Self::CountMismatch
            | Self::OperatorMismatch
            | Self::TypeMismatch
            | Self::Unrepresentable
            | Self::ArgumentMismatch
            | Self::CommunicatorMismatch
            | Self::MemoryType
            | Self::Truncation => Verdict::ParameterMatching,
            Self::InvalidArgument | Self::BufferOverflow | Self::ShortBuffer => {
                Verdict::InvalidArgument
            }
            Self::RequestLeak | Self::RequestMisuse | Self::ReadyWithoutReceive => {
                Verdict::RequestLifecycle
            }
            Self::EpochMisuse => Verdict::EpochLifecycle,
            Self::WindowRace | Self::FileRace => Verdict::GlobalConcurrency,
            Self::ResourceLeak => Verdict::ResourceLeak,
            Self::Portability => Verdict::Ok,
            Self::Panicked
            | Self::Aborted
            | Self::StackOverflow
            | Self::LimitReached
            | Self::Signal
            | Self::ExitCode
            | Self::NotModelled
            | Self::NetworkDeadlock => Verdict::Error,
        }
    }

    /// Reports whether a program ended itself, or was ended by a signal.
    pub fn is_end_of_program(self) -> bool {
        matches!(self, Self::Panicked | Self::Aborted | Self::Signal | Self::ExitCode)
    }

    /// Reports whether a program went on without an end.
    pub fn is_without_end(self) -> bool {
        matches!(self, Self::LimitReached | Self::Livelock)
    }

    /// Reports whether such a fault may leave wrong data, and so be the cause of a program's own end and of what is found besides.
    pub fn spoils_data(self) -> bool {
        match self {
            Self::ArgumentMismatch
            | Self::BufferConflict
            | Self::CountMismatch
            | Self::EpochMisuse
            | Self::FileRace
            | Self::MemoryType
            | Self::OperatorMismatch
            | Self::RequestMisuse
            | Self::RootMismatch
            | Self::ShortBuffer
            | Self::ThreadMisuse
            | Self::TypeMismatch
            | Self::WindowRace => true,
            Self::Aborted
            | Self::BufferingDependence
            | Self::BufferOverflow
            | Self::CollectiveMismatch
            | Self::CommunicatorMismatch
            | Self::DeadlockCycle
            | Self::ExitCode
            | Self::InvalidArgument
            | Self::LimitReached
            | Self::Livelock
            | Self::MessageRace
            | Self::NetworkDeadlock
            | Self::NeverMatched
            | Self::NotFinalized
            | Self::NotModelled
            | Self::Panicked
            | Self::PeerFinished
            | Self::Portability
            | Self::ReadyWithoutReceive
            | Self::RequestLeak
            | Self::ResourceLeak
            | Self::Signal
            | Self::StackOverflow
            | Self::Truncation
            | Self::Unrepresentable
            | Self::UnreceivedMessage => false,
        }
    }

    /// Reports whether such a finding may follow from a rank that ended with an error in the middle
    /// of its program: a real launcher would have ended the other ranks with it.
    pub fn follows_from_an_early_end(self) -> bool {
        matches!(
            self,
            Self::DeadlockCycle
                | Self::NeverMatched
                | Self::PeerFinished
                | Self::UnreceivedMessage
                | Self::Livelock
                | Self::CommunicatorMismatch
        )
    }
}

/// Reports whether no finding leads to a verdict; notes are allowed.
pub fn are_clean(findings: &[Finding]) -> bool {
    findings.iter().all(|finding| finding.verdict() == Verdict::Ok)
}

/// A call that is part of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallSite {
    /// World rank of the caller.
    pub rank: u32,
    /// Name of the call in this interface, such as `send`.
    #[serde(deserialize_with = "interned")]
    pub call: Text,
    /// Source location, if known.
    pub site: Option<Site>,
    /// World rank of the peer, if there is one.
    pub peer: Option<u32>,
    /// Tag, if the call has one.
    pub tag: Option<i32>,
    /// Size in bytes, if the call has one.
    pub bytes: Option<u64>,
    /// For a send, its index among the messages that the rank's program sends, from 0.
    pub message: Option<u32>,
    /// Label under the source line, which says what this call contributes.
    pub label: String,
}

impl CallSite {
    /// Creates a call site without a peer.
    pub fn new(rank: u32, call: &'static str, site: Option<Site>, label: String) -> Self {
        Self { rank, call, site, peer: None, tag: None, bytes: None, message: None, label }
    }

    /// Like [`new`](Self::new), with the place of the call.
    pub fn of(rank: u32, CallPlace { call, site }: CallPlace, label: String) -> Self {
        Self::new(rank, call, site.known(), label)
    }

    /// Like [`of`](Self::of), with the function that the program calls at `site`; `call` where that is
    /// unknown.
    pub(crate) fn at(rank: u32, site: Site, call: &'static str, label: String) -> Self {
        Self::of(rank, CallPlace::at(site, call), label)
    }
}

/// A statement about a program, with its severity and location.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Kind of the finding.
    pub code: Code,
    /// Severity of the finding.
    pub severity: Severity,
    /// Description of the problem in one line.
    pub message: String,
    /// World ranks concerned; in a result each once and in ascending order.
    pub ranks: Vec<u32>,
    /// Number of occurrences at this line; for leaks, the number of objects.
    pub count: u32,
    /// The calls concerned, the first being the primary one.
    pub sites: Vec<CallSite>,
    /// Ranks of a wait cycle in order, without repeating the first; empty if there is no cycle.
    pub cycle: Vec<u32>,
    /// Explanations of the cause.
    pub notes: Vec<String>,
    /// Suggestion how to fix the program.
    pub help: Option<String>,
    /// How the program goes wrong, if that depends on a free choice ([`Code::MessageRace`]).
    pub outcome: Option<Code>,
    /// What its execution varied, as `--schedule` takes it, if that is more than a buffering.
    pub schedule: Option<String>,
}

impl Finding {
    /// Creates an error of these ranks at these call sites, without notes or help.
    pub fn error(
        code: Code,
        message: impl Into<String>,
        ranks: Vec<u32>,
        sites: Vec<CallSite>,
    ) -> Self {
        let (severity, message) = (Severity::Error, message.into());
        let (cycle, notes) = (Vec::new(), Vec::new());
        Self {
            code,
            severity,
            message,
            ranks,
            count: 1,
            sites,
            cycle,
            notes,
            help: None,
            outcome: None,
            schedule: None,
        }
    }

    /// Lowers the severity to a warning: the program is not wrong, but fragile.
    pub fn warning(self) -> Self {
        Self { severity: Severity::Warning, ..self }
    }

    /// Limits the severity to at most this.
    pub fn at_most(self, severity: Severity) -> Self {
        Self { severity: self.severity.max(severity), ..self }
    }

    /// Adds a cycle of ranks that wait for each other.
    pub fn cycle(self, cycle: Vec<u32>) -> Self {
        Self { cycle, ..self }
    }

    /// Adds an explanation.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Sets the suggestion how to fix the program.
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Returns the verdict that this finding leads to; a note leads to none.
    pub fn verdict(&self) -> Verdict {
        match self.severity {
            Severity::Error | Severity::Warning => self.code.verdict(),
            Severity::Note => Verdict::Ok,
        }
    }
}
