//! WT0030: ranks disagree on an argument of a collective operation.

use super::disagreement::{Side, between};
use crate::{
    call::GroupTag,
    finding::{CallSite, Code, Finding},
};

/// Returns the finding that two ranks create a topology, or split by a resource, with different arguments.
pub fn of_topology(me: Side, other: Side) -> Finding {
    between(me, other, Code::ArgumentMismatch)
        .note("this argument is the same on all ranks (MPI 5.0, 7.4.2, 8.5)")
        .help("give all ranks the same arguments")
}

/// The label of the operation along the edges of a graph on which ranks disagree.
pub const ALONG: &str = "data go along the edges here";

/// Returns the text for how often a rank gives an edge `to` or `from` another one.
pub fn edges(count: u32, direction: &str, other: u32) -> String {
    match count {
        0 => format!("no edge {direction} rank {other}"),
        1 => format!("an edge {direction} rank {other}"),
        many => format!("{many} edges {direction} rank {other}"),
    }
}

/// Returns the texts for the weights that two ranks give the edges from one of them to the other.
pub fn weighted_edges((from, leaves): (u32, &[u32]), (to, arrives): (u32, &[u32])) -> [String; 2] {
    let text = |weights: &[u32], direction: &str, other: u32| {
        let list: Vec<String> = weights.iter().map(u32::to_string).collect();
        let [edge, weight] = match weights {
            [_] => ["an edge", "weight"],
            _ => ["edges", "weights"],
        };
        format!("{edge} {direction} rank {other} of {weight} {}", list.join(", "))
    };
    [text(leaves, "to", to), text(arrives, "from", from)]
}

/// Returns the finding that two ranks disagree on the edges between them, and where one of them `used` these.
pub fn of_edges(me: Side, other: Side, used: Option<CallSite>) -> Finding {
    let mut finding = between(me, other, Code::ArgumentMismatch)
        .note(
            "both ranks of an edge give it, with the same weight: one among its destinations, the other among its sources \
             (MPI 5.0, 8.5.4)",
        )
        .help("let the lists of neighbours agree: each destination has this rank among its sources, and the reverse");
    finding.sites.extend(used);
    finding
}

/// Returns the text for what a rank gives as its send buffer.
pub(crate) fn send_buffer(in_place: bool) -> String {
    if in_place { "MPI_IN_PLACE" } else { "a send buffer" }.into()
}

/// Returns the finding that one rank gives `MPI_IN_PLACE` and the other does not.
pub(crate) fn of_send_buffers(me: Side, other: Side) -> Finding {
    between(me, other, Code::ArgumentMismatch)
        .note("in this operation either all ranks give MPI_IN_PLACE as the send buffer or none (MPI 5.0, 6.7 to 6.10)")
        .help("give MPI_IN_PLACE on all ranks, with each rank's data in its receive buffer, or on none")
}

/// Returns the finding that two ranks give different arguments of a collective call about a file.
pub fn of_file(me: Side, other: Side) -> Finding {
    between(me, other, Code::ArgumentMismatch)
        .note("this argument is the same on all ranks that have the file open (MPI 5.0, 14.2)")
        .help("give all ranks the same arguments")
}

/// Returns the finding that a call uses the shared pointer of a file of which its rank and another one have different views.
pub fn of_views(place: CallSite, other: u32) -> Finding {
    let (rank, call) = (place.rank, place.call);
    let message = format!(
        "{call} on rank {rank} uses the shared file pointer, but ranks {} and {} have different views of the file",
        rank.min(other),
        rank.max(other),
    );
    Finding::error(Code::ArgumentMismatch, message, vec![rank, other], vec![place])
        .note("where a shared file pointer is used, all ranks have the same view (MPI 5.0, 14.4.4)")
        .help("set the same view on all ranks, or use individual file pointers or explicit offsets")
}

/// Returns the finding that two members give different groups.
pub fn of_groups(me: Side, other: Side) -> Finding {
    between(me, other, Code::ArgumentMismatch)
        .note(
            "all members of a group give that group, in the same order; between two groups of \
             ranks, all ranks of one side give the same (MPI 5.0, 7.4.2)",
        )
        .help("give the same group on all of its members")
}

/// Returns the finding that two ranks of one side of an intercommunicator give different values of `high`.
pub fn of_order(me: Side, other: Side) -> Finding {
    between(me, other, Code::ArgumentMismatch)
        .note("all ranks of one side give the same value of high (MPI 5.0, 7.6.2)")
        .help("give the same value on all ranks of a side, and another one on the other side")
}

/// Returns the finding that members of a group give different groups or tags, so that their calls
/// never meet.
pub fn of_members(me: Side, other: Side) -> Finding {
    between(me, other, Code::ArgumentMismatch)
        .note("all members of the group give the same group and the same tag or string (MPI 5.0, 7.4.2)")
        .help("call it on all members with the same group and the same tag or string")
}

/// Returns the finding that the leaders of two groups give different tags or peer communicators.
pub fn of_leaders(me: Side, other: Side) -> Finding {
    about_meeting(between(me, other, Code::ArgumentMismatch))
}

/// Returns the texts for two peer communicators that differ.
pub fn peer_communicators() -> [String; 2] {
    ["one peer communicator".into(), "another peer communicator".into()]
}

/// Returns the text for a tag.
pub fn tag(tag: i32) -> String {
    format!("tag {tag}")
}

/// Returns the text for what the members of a group give beside the group.
pub(crate) fn group_tag(given: &GroupTag) -> String {
    match given {
        GroupTag::Number(number) => tag(*number),
        GroupTag::Text(text) => format!("the string {text:?}"),
    }
}

/// Adds when two groups meet.
pub(super) fn about_meeting(finding: Finding) -> Finding {
    finding
        .note(
            "two groups meet if their leaders name each other, in the same peer communicator \
             and with the same tag (MPI 5.0, 7.6.2)",
        )
        .help(
            "give both leaders the same peer communicator and tag, and each the rank of the \
             other",
        )
}
