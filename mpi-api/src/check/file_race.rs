//! WT0036: accesses to a file are not ordered.

use crate::finding::{CallSite, Code, Finding};

/// Returns the label of an access, which reads or writes.
pub fn label(rank: u32, does: &str) -> String {
    format!("rank {rank} {does} these bytes here")
}

/// Returns the finding that a rank accesses bytes of a file, from byte `at` on, while an access of its own to
/// them is in progress; the place of that is the second one.
pub fn of_own(sites: [CallSite; 2], name: &str, at: i64) -> Finding {
    let [now, before] = &sites;
    let rank = now.rank;
    let file = last_part(name);
    let message = format!(
        "rank {rank} accesses bytes of the file {file} while its own access to them is in progress ({}, {}; byte \
         {at})",
        before.call, now.call
    );
    Finding::error(Code::FileRace, message, vec![rank], sites.to_vec())
        .note(
            "a nonblocking or split access is in progress until the call that completes it; without atomic mode, \
             accesses to the same bytes that are in progress together may take effect in any order (MPI 5.0, 14.6.1)",
        )
        .help(
            "complete the access before the next one to these bytes begins, or use MPI_File_set_atomicity",
        )
}

/// Returns the finding that two accesses of different ranks to a file overlap, from byte `at` on, and
/// nothing orders them.
pub fn of_accesses(sites: [CallSite; 2], name: &str, at: i64) -> Finding {
    let [one, other] = &sites;
    let mut ranks = vec![one.rank, other.rank];
    ranks.sort_unstable();
    let file = last_part(name);
    let message = format!(
        "accesses of ranks {} and {} to the same bytes of the file {file} are not ordered ({}, {}; \
         byte {at})",
        ranks[0], ranks[1], other.call, one.call
    );
    Finding::error(Code::FileRace, message, ranks, sites.to_vec())
        .note(
            "without atomic mode, what one rank writes is there for another one only after both have \
             called MPI_File_sync, or closed the file (MPI 5.0, 14.6.1)",
        )
        .help(
            "call MPI_File_sync, MPI_Barrier, MPI_File_sync between the accesses, use \
             MPI_File_set_atomicity, or let the ranks use other bytes",
        )
}

/// Returns the finding that two accesses through different handles overlap, from byte `at` on, and nothing orders
/// them.
pub fn through_handles(sites: [CallSite; 2], name: &str, at: i64) -> Finding {
    let [one, other] = &sites;
    let mut ranks = vec![one.rank, other.rank];
    ranks.sort_unstable();
    ranks.dedup();
    let file = last_part(name);
    let of = match ranks[..] {
        [first, second] => format!("of ranks {first} and {second}"),
        _ => format!("of rank {}", one.rank),
    };
    let message = format!(
        "accesses {of} to the same bytes of the file {file} through different handles are not ordered ({}, {}; byte \
         {at})",
        other.call, one.call
    );
    Finding::error(Code::FileRace, message, ranks, sites.to_vec())
        .note(
            "what is written through one handle is there for another one only after the first has been synchronised or \
             closed, and then the second synchronised or opened; atomic mode does not order them (MPI 5.0, 14.6.1)",
        )
        .help(
            "close the first handle or call MPI_File_sync on it, let the ranks pass an MPI_Barrier, and then open the \
             second handle or call MPI_File_sync on it",
        )
}

/// Returns the labels of a call that opens a file for itself alone, and of one that opens it meanwhile.
pub fn unique_labels() -> [String; 2] {
    [
        "MPI_MODE_UNIQUE_OPEN says that nobody else has the file open".to_owned(),
        "the file is opened here, too".to_owned(),
    ]
}

/// Returns the finding that a file is open twice, one of the times with `MPI_MODE_UNIQUE_OPEN` (the first of the sites).
pub fn of_unique(sites: [CallSite; 2], name: &str) -> Finding {
    let mut ranks = vec![sites[0].rank, sites[1].rank];
    ranks.sort_unstable();
    ranks.dedup();
    let file = last_part(name);
    let message = format!("the file {file} is open twice, once with MPI_MODE_UNIQUE_OPEN");
    Finding::error(Code::FileRace, message, ranks, sites.into())
        .note(
            "a file that is opened with MPI_MODE_UNIQUE_OPEN is not opened elsewhere until it is closed (MPI 5.0, 14.2.1)",
        )
        .help("leave MPI_MODE_UNIQUE_OPEN out, or close the file before it is opened again")
}

/// Returns the name of a file without its folders.
fn last_part(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}
