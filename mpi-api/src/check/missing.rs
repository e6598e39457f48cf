//! What would let ranks go on that wait for ever: the notes and the help of WT0001 and WT0002.

use sim_core::words::counted;

use super::waiting::{Awaits, Entered, Waiting, list};

/// The help where groups of an exposure and an access epoch do not name each other's ranks.
const GROUPS: &str = "let the group of MPI_Win_post name the ranks that access the memory, and that of MPI_Win_start \
                      the ranks whose memory is accessed";
/// The help where partitions are missing.
const READY: &str = "declare every partition ready (MPI_Pready) before waiting for the request";
/// The help where the other end is not started.
const STARTED: &str = "start the request of the other side (MPI_Start) as well";

/// Returns what the standard says about what a rank or thread waits for, where the program may not know.
pub(super) fn note(awaits: Awaits) -> Option<String> {
    Some(match awaits {
        Awaits::Posts | Awaits::PostsToIt => {
            "MPI_Win_start may wait until each rank of its group has called MPI_Win_post with the caller in its group \
             (MPI 5.0, 12.5.2)"
                .into()
        }
        Awaits::Starts | Awaits::StartsForIt | Awaits::Completes => {
            "MPI_Win_wait returns when each rank in the group of MPI_Win_post has called MPI_Win_complete (MPI 5.0, \
             12.5.2)"
                .into()
        }
        Awaits::Partitions(left) => {
            let are = if left == 1 { "is" } else { "are" };
            format!(
                "{} of the send {are} not declared ready; it is complete when all of them are (MPI 5.0, 4.2)",
                counted(left, "partition")
            )
        }
        Awaits::Completion => {
            "only MPI_Grequest_complete completes a generalised request, and the program itself calls it (MPI 5.0, 13.2)"
                .into()
        }
        Awaits::Buffered => {
            "MPI_Buffer_detach returns when the messages that the buffer holds have left it (MPI 5.0, 3.6)".into()
        }
        Awaits::Connection => {
            "MPI_Comm_accept returns when other processes have called MPI_Comm_connect with the name of its port (MPI \
             5.0, 11.9.2)"
                .into()
        }
        Awaits::Message
        | Awaits::Receive
        | Awaits::Collective(_)
        | Awaits::Births
        | Awaits::Unlock
        | Awaits::Start
        | Awaits::Thread
        | Awaits::AnyThread
        | Awaits::Other => return None,
    })
}

/// Returns the help for a rank that waits for `partners` which never do what it waits for, where that is known.
pub(super) fn help(awaits: Awaits, partners: &[u32]) -> Option<String> {
    let who = || list(partners);
    Some(match awaits {
        Awaits::Posts => format!("call MPI_Win_post on {} before MPI_Win_start", who()),
        Awaits::PostsToIt | Awaits::StartsForIt => GROUPS.into(),
        Awaits::Starts => {
            format!("call MPI_Win_start and MPI_Win_complete on {} before MPI_Win_wait", who())
        }
        Awaits::Completes => format!("call MPI_Win_complete on {}", who()),
        Awaits::Unlock => format!("call MPI_Win_unlock on {}", who()),
        Awaits::Partitions(_) => READY.into(),
        Awaits::Start => STARTED.into(),
        Awaits::Completion => {
            "call MPI_Grequest_complete before the wait, or in another thread meanwhile".into()
        }
        Awaits::Buffered => "receive the messages that the buffer holds".into(),
        Awaits::Connection => {
            "call MPI_Comm_connect with the name of the port in other processes, or do not accept"
                .into()
        }
        Awaits::Message
        | Awaits::Receive
        | Awaits::Collective(_)
        | Awaits::Births
        | Awaits::Thread
        | Awaits::AnyThread
        | Awaits::Other => return None,
    })
}

/// What the members of a cycle wait for, all together.
enum Kind {
    /// Messages.
    Messages,
    /// Receives of their messages.
    Receives,
    /// Collective operations.
    Collectives,
    /// Threads of one rank that hold what others wait for, such as locks.
    Held,
    /// Threads of one rank, one of which waits to be woken.
    Woken,
    /// Different things.
    Unlike,
}

impl Kind {
    fn of(members: &[&Waiting]) -> Self {
        let all = |is: fn(Awaits) -> bool| members.iter().all(|w| is(w.awaits));
        if all(|awaits| awaits == Awaits::Message) {
            Self::Messages
        } else if all(|awaits| awaits == Awaits::Receive) {
            Self::Receives
        } else if all(|awaits| matches!(awaits, Awaits::Collective(_))) {
            Self::Collectives
        } else if all(|awaits| awaits == Awaits::Thread) {
            Self::Held
        } else if members.iter().any(|w| w.awaits == Awaits::AnyThread) {
            Self::Woken
        } else {
            Self::Unlike
        }
    }
}

/// Returns the notes on what the members of a cycle wait for, each once.
pub(super) fn notes(members: &[&Waiting]) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for note in members.iter().filter_map(|w| note(w.awaits)) {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    notes
}

/// Returns the help for a cycle, each of whose members waits for the next one.
pub(super) fn help_for_cycle(members: &[&Waiting]) -> String {
    // What a group lacks is the fault; other members of the cycle only wait for what would follow.
    let (groups, others): (Vec<_>, Vec<_>) = members
        .iter()
        .map(|w| w.awaits)
        .partition(|awaits| matches!(awaits, Awaits::PostsToIt | Awaits::StartsForIt));
    let named = groups.into_iter().chain(others).find_map(in_cycle);
    if let Some(named) = named {
        return named.into();
    }
    if let [_] = members {
        return "start the call that would complete this one first, without blocking".into();
    }
    match Kind::of(members) {
        Kind::Messages => {
            "break the cycle: let one rank of it send what another one waits for, before it receives".into()
        }
        Kind::Receives => {
            "break the cycle: let one rank of it receive before it sends, or send without blocking".into()
        }
        Kind::Collectives => "call the collective operations in the same order on all ranks".into(),
        Kind::Held => "break the cycle: let all threads take what they hold in the same order".into(),
        Kind::Woken => {
            "have a thread of the rank signal, post, unlock or reach what another one waits for, before it waits itself"
                .into()
        }
        Kind::Unlike => before_collective(members).unwrap_or_else(|| {
            "break the cycle: let one rank of it make the other call first".into()
        }),
    }
}

/// Returns what would break a cycle of which one member waits for this, if that is the same for all cycles.
pub(super) fn in_cycle(awaits: Awaits) -> Option<&'static str> {
    Some(match awaits {
        Awaits::Posts => {
            "call MPI_Win_post before MPI_Win_start on the ranks whose memory is accessed"
        }
        Awaits::PostsToIt | Awaits::StartsForIt => GROUPS,
        Awaits::Starts => "call MPI_Win_start and MPI_Win_complete before MPI_Win_wait",
        Awaits::Completes => {
            "call MPI_Win_complete after the accesses, before the rank waits for anything else"
        }
        Awaits::Unlock => {
            "release a lock (MPI_Win_unlock) before taking another one, or take locks in the same order on all ranks"
        }
        Awaits::Partitions(_) => READY,
        Awaits::Start => STARTED,
        Awaits::Buffered => {
            "receive the messages that the attached buffers hold before the buffers are detached"
        }
        Awaits::Message
        | Awaits::Receive
        | Awaits::Collective(_)
        | Awaits::Births
        | Awaits::Connection
        | Awaits::Completion
        | Awaits::Thread
        | Awaits::AnyThread
        | Awaits::Other => return None,
    })
}

/// Returns the help for a cycle in which a message is awaited from a rank that is in a collective operation.
fn before_collective(members: &[&Waiting]) -> Option<String> {
    let next = members.iter().cycle().skip(1);
    members.iter().zip(next).find_map(|(one, other)| {
        let Awaits::Collective(Entered { call, .. }) = other.awaits else { return None };
        let (name, peer) = (&one.name, &other.name);
        let [first, then] = match one.awaits {
            Awaits::Message => [format!("send to {name}"), "receives".into()],
            Awaits::Receive => [format!("receive from {name}"), "sends".to_string()],
            Awaits::Collective(_)
            | Awaits::Buffered
            | Awaits::Births
            | Awaits::Connection
            | Awaits::Posts
            | Awaits::PostsToIt
            | Awaits::Starts
            | Awaits::StartsForIt
            | Awaits::Completes
            | Awaits::Unlock
            | Awaits::Partitions(_)
            | Awaits::Start
            | Awaits::Completion
            | Awaits::Thread
            | Awaits::AnyThread
            | Awaits::Other => return None,
        };
        Some(format!(
            "let {peer} {first} before it calls {call}, or let {name} call {call} before it {then}"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::CallSite;

    fn waiting(rank: u32, awaits: Awaits) -> Waiting {
        Waiting {
            rank,
            process: rank,
            name: format!("rank {rank}"),
            joined: None,
            held: false,
            awaits,
            threaded: false,
            all: true,
            partners: Vec::new(),
            site: CallSite::new(rank, "call", None, String::new()),
            shown: Vec::new(),
        }
    }

    fn help_for(awaits: &[Awaits]) -> String {
        let members: Vec<Waiting> = (0..).zip(awaits).map(|(rank, a)| waiting(rank, *a)).collect();
        help_for_cycle(&members.iter().collect::<Vec<_>>())
    }

    #[test]
    fn the_help_fits_what_the_members_of_a_cycle_wait_for() {
        for (cycle, told) in [
            (&[Awaits::Message; 3][..], "send what another one waits for"),
            (&[Awaits::Receive; 2], "receive before it sends"),
            (&[Awaits::Buffered; 2], "before the buffers are detached"),
            (&[Awaits::Completes; 3], "call MPI_Win_complete after"),
            (&[Awaits::Partitions(1), Awaits::Partitions(1)], "MPI_Pready"),
            (&[Awaits::Thread, Awaits::AnyThread], "have a thread of the rank signal"),
            (&[Awaits::Thread, Awaits::Thread], "in the same order"),
            (&[Awaits::Message], "without blocking"),
            (&[Awaits::Starts], "before MPI_Win_wait"),
            (&[Awaits::Starts, Awaits::StartsForIt], "let the group of MPI_Win_post name"),
            (&[Awaits::Message, Awaits::Receive], "make the other call first"),
        ] {
            let help = help_for(cycle);
            assert!(help.contains(told), "{cycle:?}: {help}");
        }
    }

    #[test]
    fn a_message_awaited_from_a_rank_in_a_collective_is_sent_before_it() {
        let barrier = Awaits::Collective(Entered { call: "MPI_Barrier", persistent: false });
        let told = "let rank 1 send to rank 0 before it calls MPI_Barrier, or let rank 0 call MPI_Barrier before it \
                    receives";
        assert_eq!(help_for(&[Awaits::Message, barrier]), told);
        let told = "let rank 0 receive from rank 1 before it calls MPI_Barrier, or let rank 1 call MPI_Barrier before it \
                    sends";
        assert_eq!(help_for(&[barrier, Awaits::Receive]), told);
    }
}
