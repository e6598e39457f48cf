//! The threads of a team keep pace in simulated time.

use std::time::Duration;

use super::team::Member;
use crate::libc::thread;

/// Lets the other threads of the team that are behind in simulated time come first, and accounts for what
/// the calling one has computed.
pub(super) fn keep_pace(member: &Member) {
    if member.team.size > 1 {
        pass_no_time();
    }
}

/// Accounts for what the calling thread has computed, if that is measured: from here on it is where the
/// simulated time says. Called before a thread changes what others wait for.
pub(super) fn catch_up() {
    let (rank, _) = thread::caller();
    if rank.host().measures(rank.number()) {
        pass_no_time();
    }
}

fn pass_no_time() {
    let (rank, _) = thread::caller();
    if !rank.is_lent() {
        rank.host().sleep(rank.number(), Duration::ZERO);
    }
}
