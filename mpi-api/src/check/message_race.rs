//! WT0004: the outcome depends on which message comes first.

use super::waiting::{Stall, Waiting};
use crate::{
    finding::{CallSite, Code, Finding, Verdict},
    outcome::Among,
};

/// Returns the label of a call that had this choice.
pub fn choice(among: Among) -> &'static str {
    match among {
        Among::Messages | Among::Groups => "this takes whichever comes first",
        Among::Requests => "this reports whichever completes first",
        Among::Threads => "this is called by whichever thread comes first",
        Among::Cancellation => "this cancels the operation unless its message is matched before",
        Among::Accesses => "this takes effect before or after those of other ranks",
    }
}

/// Converts a fault to a race: it occurs only if a test or probe is unsuccessful at first.
pub fn of_polls(fault: Finding) -> Finding {
    let message = if fault.code.verdict() == Verdict::Deadlock {
        "a test or probe that finds nothing leads to a deadlock".into()
    } else {
        "the program goes wrong when a test or probe ends otherwise".into()
    };
    let first = fault.message.clone();
    converted(fault, message, first)
        .note(
            "whether MPI_Test, MPI_Iprobe and similar calls find something is a matter of time \
             (MPI 5.0, 3.7.3, 3.8.1)",
        )
        .help("wait for what is needed, or make both outcomes right")
}

/// Converts a fault to a race: it occurs only in some orders, `among` what calls choose among.
/// `order` describes the order of the failing run, `choice` is a call that had a choice of matches.
pub fn of_orders(
    fault: Finding,
    among: Among,
    order: Vec<String>,
    choice: Option<CallSite>,
) -> Finding {
    let [what, how, why, help] = match among {
        Among::Messages => OF_MESSAGES,
        Among::Requests => OF_REQUESTS,
        Among::Groups => AT_PORTS,
        Among::Threads => OF_THREADS,
        Among::Cancellation => OF_CANCELLATION,
        Among::Accesses => OF_ACCESSES,
    };
    let (first, message) = if fault.code.verdict() == Verdict::Deadlock {
        (fault.message.clone(), format!("one order of {what} leads to a deadlock"))
    } else {
        let first = format!("in one order of {what}: {}", fault.message);
        (first, format!("the program goes wrong when {how} in another order"))
    };
    let mut finding = converted(fault, message, first).note(why).help(help);
    finding.notes.extend(order);
    finding.sites.extend(choice);
    finding
}

/// Returns the finding about a thread that waits for a message for ever because another thread of its rank has received
/// it; `sites` are those of the probe that has found it and of that receive.
pub(crate) fn of_probes(stall: &Stall, waiting: &Waiting, sites: [CallSite; 2]) -> Finding {
    let (rank, name) = (waiting.rank, &waiting.name);
    let message =
        format!("{name} waits for a message that its probe has found and another thread received");
    let sites = [waiting.site.clone()].into_iter().chain(sites).collect();
    let finding = Finding::error(Code::MessageRace, message, vec![rank], sites)
        .note(
            "between a probe and the receive that follows it another thread may receive the message \
             (MPI 5.0, 3.8.1)",
        )
        .note(stall.note())
        .help(
            "take the message with MPI_Mprobe and receive it with MPI_Mrecv, or hold a lock from the \
             probe to the receive",
        );
    Finding { outcome: Some(Code::NeverMatched), ..finding }
}

/// Adds a note to a finding that occurs only if polls are unsuccessful at first.
pub fn with_late_polls(finding: Finding) -> Finding {
    finding.note(
        "MPI_Test, MPI_Iprobe and similar calls may find nothing yet, however late they are asked \
         (MPI 5.0, 3.7.3, 3.8.1)",
    )
}

fn converted(fault: Finding, message: String, first: String) -> Finding {
    let outcome = Some(fault.code);
    let mut finding = Finding { code: Code::MessageRace, message, outcome, ..fault };
    finding.notes.insert(0, first);
    finding
}

/// Texts for matching in another order: what varies, how, why, and what to do about it.
const OF_MESSAGES: [&str; 4] = [
    "messages",
    "messages are received",
    "a receive from any source takes whichever message is there first (MPI 5.0, 3.5)",
    "receive from named sources, or make every order right",
];

/// The same texts for requests of which any or some are reported: what completes them is messages.
const OF_REQUESTS: [&str; 4] = [
    "messages",
    "messages are received",
    "MPI_Waitany, MPI_Waitsome and similar calls report any of the requests that are complete (MPI 5.0, 3.7.5)",
    "wait for a certain request, or make every order right",
];

/// The same texts for groups that meet at a port.
const AT_PORTS: [&str; 4] = [
    "meetings",
    "groups meet at a port",
    "a port connects whichever groups are there (MPI 5.0, 11.9.2)",
    "give each group a port of its own, or make every order right",
];

/// The same texts for threads of a rank.
const OF_THREADS: [&str; 4] = [
    "threads",
    "threads run",
    "threads and tasks of a rank run, and call MPI, in any order, unless the program orders them (MPI 5.0, 11.6)",
    "order the calls (tasks by `depend`), give each thread a tag or a communicator of its own, or notify the condition after \
     each change that a thread waits for",
];

/// The same texts for an operation that is cancelled: whether its message is matched before is a matter of time.
const OF_CANCELLATION: [&str; 4] = [
    "messages",
    "messages arrive",
    "whether MPI_Cancel cancels an operation or comes too late is a matter of time (MPI 5.0, 3.8.4)",
    "ask MPI_Test_cancelled for the status of the completed operation, and make both outcomes right",
];

/// The same texts for accesses to windows: which of those of several ranks comes first is a matter of time.
const OF_ACCESSES: [&str; 4] = [
    "locks and atomic accesses",
    "locks and atomic accesses take effect",
    "locks are granted, and atomic accesses take effect, in any order, unless the program orders them (MPI 5.0, 12.5.3)",
    "take locks in the same order on all ranks, and let a rank look at what it relies on by an atomic access",
];
