//! WT0002: an operation waits for a partner that never comes.

use std::collections::BTreeMap;

use super::{
    missing,
    waiting::{Awaits, Stall, Waiting, is_alone, list},
};
use crate::finding::{CallSite, Code, Finding};

/// What a rank does that another one waits for and that will not come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Whereabouts {
    /// It has finalized MPI.
    Finalized,
    /// It has finished without MPI.
    Finished,
    /// It waits in this call.
    Waits(&'static str),
    /// It goes on with something else.
    GoesOn,
}

/// Returns what the ranks do that a rank waits for and that will not come.
fn absent(partners: &[(u32, Whereabouts)]) -> String {
    let mut groups: BTreeMap<Whereabouts, Vec<u32>> = BTreeMap::new();
    for (rank, does) in partners {
        groups.entry(*does).or_default().push(*rank);
    }
    let told = groups.into_iter().map(|(does, ranks)| {
        let (who, many) = (list(&ranks), ranks.len() > 1);
        match does {
            Whereabouts::Finalized if many => format!("{who} have finalized MPI"),
            Whereabouts::Finalized => format!("{who} has finalized MPI"),
            Whereabouts::Finished if many => format!("{who} have finished"),
            Whereabouts::Finished => format!("{who} has finished"),
            Whereabouts::Waits(call) if many => format!("{who} wait in {call}"),
            Whereabouts::Waits(call) => format!("{who} waits in {call}"),
            Whereabouts::GoesOn if many => format!("{who} go on with something else"),
            Whereabouts::GoesOn => format!("{who} goes on with something else"),
        }
    });
    let told: Vec<String> = told.collect();
    match &told[..] {
        [one] => format!("{one} and will not come"),
        several => format!("{}: none of them will come", several.join("; ")),
    }
}

/// Returns the finding about one of the ranks or threads that wait, `lost`, which waits for `partners`.
pub(crate) fn never(stall: &Stall, lost: &Waiting, partners: &[(u32, Whereabouts)]) -> Finding {
    if lost.awaits.is_outside_mpi() {
        return never_woken(stall, lost);
    }
    let whom = match lost.awaits {
        Awaits::Completion => "a request that nothing completes",
        Awaits::Message
        | Awaits::Receive
        | Awaits::Collective(_)
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
        | Awaits::Thread
        | Awaits::AnyThread
        | Awaits::Other => "a partner that never comes",
    };
    let (rank, name) = (lost.rank, &lost.name);
    let call = lost.site.call;
    let finding = Finding::error(
        Code::NeverMatched,
        format!("deadlock: {call} on {name} waits for {whom}"),
        vec![rank],
        [lost.site.clone()].into_iter().chain(lost.shown.clone()).collect(),
    );
    let finding = match partners {
        [] if lost.awaits == Awaits::Completion => finding,
        [] => finding.note("every other rank has finished"),
        partners => finding.note(absent(partners)),
    };
    let finding = missing::note(lost.awaits).into_iter().fold(finding, Finding::note);
    let help = missing::help(lost.awaits, &lost.partners).unwrap_or_else(|| {
        "add the missing call on the other side, or correct rank, tag or communicator".into()
    });
    finding.note(stall.note()).help(help)
}

/// Adds to the finding about a rank that waits for a message that the sender has called a collective in its place, which no
/// other rank has joined.
pub(crate) fn unjoined(finding: Finding, mut place: CallSite) -> Finding {
    let (rank, call) = (place.rank, place.call);
    place.label = format!("rank {rank} calls {call} here, and no other rank joins it");
    let mut finding = finding
        .note(format!("{call} is collective: no receive takes its data (MPI 5.0, 6.1)"))
        .help(format!(
            "let all ranks of the communicator call {call}, those that get the data, too"
        ));
    finding.sites.push(place);
    finding
}

/// Returns the finding about a thread that waits outside MPI for something that no other thread of
/// its rank does.
fn never_woken(stall: &Stall, lost: &Waiting) -> Finding {
    let (rank, name, call) = (lost.rank, &lost.name, lost.site.call);
    let left = if is_alone(&stall.waiting, lost) {
        format!("no other thread of rank {rank} is left")
    } else {
        format!("all threads of rank {rank} that are left are blocked")
    };
    Finding::error(
        Code::NeverMatched,
        format!("deadlock: {call} on {name} waits for what no thread does"),
        vec![rank],
        vec![lost.site.clone()],
    )
    .note(left)
    .note(stall.note())
    .help("have another thread of the rank signal, post, unlock or reach what it waits for")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_that_do_not_come_are_where_they_are() {
        let waits = Whereabouts::Waits("MPI_Barrier");
        let partners = [
            (4, waits),
            (1, Whereabouts::Finalized),
            (2, Whereabouts::Finished),
            (0, Whereabouts::Finished),
        ];
        assert_eq!(
            absent(&partners),
            "rank 1 has finalized MPI; ranks 0 and 2 have finished; rank 4 waits in MPI_Barrier: none of them will come"
        );
        assert_eq!(
            absent(&[(3, Whereabouts::GoesOn)]),
            "rank 3 goes on with something else and will not come"
        );
    }
}
