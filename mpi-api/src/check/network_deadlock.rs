//! WT0032: messages wait for each other inside the network.

use network_models::{NetworkDeadlock, Standstill};
use sim_core::words::in_number;

use super::waiting::Stall;
use crate::finding::{Code, Finding};

/// Returns the finding about a run whose messages never arrive, with the ranks that wait.
pub(crate) fn inside_the_network(stall: &Stall, deadlock: &NetworkDeadlock) -> Finding {
    let transfers = deadlock.transfers.len();
    let count = format!("{transfers} {}", in_number(transfers as u64, "message"));
    let ranks = stall.waiting.iter().map(|waiting| waiting.rank).collect();
    let sites = stall.waiting.iter().map(|waiting| waiting.site.clone()).collect();
    let (what, help) = match &deadlock.reason {
        Standstill::Cycle(_) => (
            "deadlocks",
            "the program is not the reason: give the routing its virtual channels, or choose another one",
        ),
        Standstill::NoPath { .. } => (
            "is cut",
            "the program is not the reason: leave the nodes a path, or cut the link later",
        ),
    };
    let text = format!("the network {what}: {count} cannot arrive");
    Finding::error(Code::NetworkDeadlock, text, ranks, sites)
        .note(deadlock.to_string())
        .note(stall.note())
        .help(help)
}
