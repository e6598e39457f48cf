//! The nearest miss of a stall: a send and a receive that would have met but for one argument. It
//! explains WT0001 and WT0002, or is WT0013, WT0016 or WT0035 itself.

use super::{communicator_mismatch, unreceived_message};
use crate::finding::{CallSite, Code, Finding};

/// A send and a receive that nearly match.
pub(crate) struct NearMiss {
    pub(crate) send: CallSite,
    pub(crate) receive: CallSite,
    pub(crate) differs: Differs,
}

/// What keeps a send and a receive from meeting.
pub(crate) enum Differs {
    /// The communicators, as texts: that of the send and that of the receive.
    Communicator([String; 2]),
    /// The communicators, but nothing else says that the receive is meant for this message.
    PerhapsCommunicator([String; 2]),
    Tag {
        sent: i32,
        wanted: i32,
        /// Whether the sender waits until this message is received, and may send the other one then.
        waits: bool,
    },
    /// The message goes to another rank.
    Target,
    /// The send has the tag as destination and the destination as tag.
    Exchanged {
        /// The destination that was given, which is the tag.
        destination: i32,
        /// The tag that was given, which is the destination.
        tag: i32,
    },
    /// The receive wants the message of another rank.
    Source {
        wanted: u32,
        /// Whether that rank has finalized MPI.
        has_ended: bool,
    },
    /// The send is persistent and was never started.
    SendNotStarted,
    /// The receive is persistent and was never started.
    ReceiveNotStarted,
    /// The send was cancelled.
    Cancelled,
    /// The receive is a matched probe that took the message, and nothing receives that then.
    Taken,
}

impl NearMiss {
    /// Adds the nearest miss to the finding about a stall, which changes its code if the miss is the
    /// fault.
    pub(crate) fn explain(self, stall: Finding) -> Finding {
        let Self { send, receive, differs } = self;
        let (from, to) = (send.rank, receive.rank);
        match differs {
            Differs::Communicator(names) => {
                communicator_mismatch::of_messages(stall, (send, receive), names)
            }
            Differs::PerhapsCommunicator([sent, received]) => near(
                stall,
                [
                    (send, format!("rank {from} sends to rank {to} in {sent}")),
                    (receive, format!("rank {to} receives in {received}")),
                ],
                "use the same communicator on both sides if the receive is meant for this message; else send what it waits for",
            ),
            Differs::SendNotStarted => unstarted(stall, (send, "sends"), receive),
            Differs::ReceiveNotStarted => unstarted(stall, (receive, "receives"), send),
            Differs::Taken => {
                let Finding { message, sites, notes, help, .. } =
                    unreceived_message::of_taken(send, receive);
                let notes = notes.into_iter().chain(stall.notes).collect();
                Finding { code: Code::UnreceivedMessage, message, sites, notes, help, ..stall }
            }
            Differs::Cancelled => beside(
                stall,
                format!(
                    "rank {from} has cancelled the send of the message that rank {to} waits for"
                ),
                [
                    (send, "this send was cancelled, so that nothing is sent".into()),
                    (receive, format!("rank {to} waits for this message")),
                ],
                "do not cancel the send of a message that is received, or send the message again",
            ),
            Differs::Tag { sent, wanted, waits } => near(
                stall,
                [
                    (send, format!("rank {from} sends tag {sent}")),
                    (receive, format!("rank {to} receives tag {wanted}")),
                ],
                &help_for_tags((from, to), waits),
            ),
            Differs::Target => {
                let gone = send.peer.unwrap_or(to);
                near(
                    stall,
                    [
                        (send, format!("rank {from} sends to rank {gone}")),
                        (receive, format!("rank {to} receives from rank {from}")),
                    ],
                    "correct the destination of the send or the rank that receives",
                )
            }
            Differs::Exchanged { destination, tag } => {
                exchanged(stall, (send, receive), (destination, tag))
            }
            Differs::Source { wanted, has_ended } => near(
                stall,
                [
                    (send, format!("rank {from} sends to rank {to}")),
                    (receive, format!("rank {to} receives from rank {wanted}")),
                ],
                &help_for_source(wanted, has_ended),
            ),
        }
    }
}

/// Returns the help for tags that differ; `waits` says whether the sender waits until its message is received.
fn help_for_tags((from, to): (u32, u32), waits: bool) -> String {
    match waits {
        true => format!(
            "give both the same tag, or let rank {to} receive in the order in which rank {from} sends"
        ),
        false => "give both the same tag".to_owned(),
    }
}

/// Returns the help for a receive that wants the message of another rank.
fn help_for_source(wanted: u32, has_ended: bool) -> String {
    match has_ended {
        true => format!(
            "correct the source of the receive, or let rank {wanted} send this message before it finalizes"
        ),
        false => "correct the source of the receive or the rank that sends".to_owned(),
    }
}

/// Adds that a send has the tag as destination and the destination as tag; the numbers are those that it has.
fn exchanged(
    stall: Finding,
    (send, receive): (CallSite, CallSite),
    (destination, tag): (i32, i32),
) -> Finding {
    let (from, to) = (send.rank, receive.rank);
    near(
        stall,
        [
            (send, format!("rank {from} sends to rank {destination} with tag {tag}")),
            (receive, format!("rank {to} receives from rank {from} with tag {destination}")),
        ],
        "exchange the destination and the tag of the send: the destination comes first",
    )
}

/// Adds a note that names both calls, and the calls if they are not named yet.
fn near(stall: Finding, sides: [(CallSite, String); 2], help: &str) -> Finding {
    let [sends, receives] = [&sides[0].1, &sides[1].1];
    let note = format!("nearest miss: {sends}, {receives}");
    beside(stall, note, sides, help)
}

/// Adds a note and the calls that are not named yet.
fn beside(stall: Finding, note: String, sides: [(CallSite, String); 2], help: &str) -> Finding {
    let mut finding = stall.note(note).help(help);
    for (mut site, label) in sides {
        let known = |other: &CallSite| other.rank == site.rank && other.site == site.site;
        if !finding.sites.iter().any(known) {
            site.label = label;
            finding.sites.push(site);
        }
    }
    finding
}

/// Converts a stall to the finding that a persistent request was never started. `partner` is the call
/// that waits for it.
fn unstarted(stall: Finding, (mut made, does): (CallSite, &str), mut partner: CallSite) -> Finding {
    let (rank, other) = (made.rank, partner.rank);
    made.label = "this request is never started".into();
    partner.label = format!("rank {other} waits in {} for rank {rank}", partner.call);
    let message = format!("rank {rank}: a persistent request that {does} is never started");
    let sites = vec![made, partner];
    explained(Finding { code: Code::RequestMisuse, message, sites, ..stall })
}

/// Returns the finding that a message is not received because the receive was never started.
pub(crate) fn unreceived(mut made: CallSite, mut send: CallSite) -> Finding {
    let (rank, other) = (made.rank, send.rank);
    made.label = "this request is never started".into();
    send.label = format!("rank {rank} never receives this");
    let message = format!("rank {rank}: a persistent request that receives is never started");
    explained(Finding::error(Code::RequestMisuse, message, vec![rank, other], vec![made, send]))
}

/// Adds to a finding about a request that was never started what that leads to.
fn explained(finding: Finding) -> Finding {
    finding
        .note("a wait for a request that was not started returns at once (MPI 5.0, 3.9)")
        .help("start the request with MPI_Start before waiting for it")
}
