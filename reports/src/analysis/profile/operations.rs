//! [`Operations`]: when the members of collective operations entered them.

use std::collections::BTreeMap;

use mpi_api::{
    call::CollectiveKind,
    observation::{Needs, OperationId},
};
use sim_core::SimTime;

use super::WaitState;

/// The part of one rank in a collective operation.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) operation: OperationId,
    pub(super) kind: CollectiveKind,
    member: u32,
    needs: Needs,
}

/// One collective operation.
#[derive(Default)]
struct Entries {
    size: u32,
    entered: u32,
    left: u32,
    latest: SimTime,
    /// Times of single members, where some rank needs only some of them.
    members: BTreeMap<u32, SimTime>,
}

/// The collective operations under way.
#[derive(Default)]
pub(super) struct Operations {
    entries: BTreeMap<OperationId, Entries>,
}

impl Operations {
    /// Adds a member that enters, and returns its part.
    pub(super) fn enter(
        &mut self,
        operation: OperationId,
        kind: CollectiveKind,
        (member, size): (u32, u32),
        needs: Needs,
        time: SimTime,
    ) -> Part {
        let entries = self.entries.entry(operation).or_default();
        entries.size = size;
        entries.entered += 1;
        entries.latest = entries.latest.max(time);
        let is_root = matches!(kind, CollectiveKind::Broadcast | CollectiveKind::Scatter)
            && needs == Needs::Nothing;
        if is_root || matches!(needs, Needs::Lower | Needs::These(_)) {
            entries.members.insert(member, time);
        }
        Part { operation, kind, member, needs }
    }

    /// Returns the state of a rank that waits for other members to enter, and the time at which the last
    /// of those that have entered did so; `None` if it needs no other member.
    pub(super) fn lateness(&self, part: &Part) -> Option<(WaitState, SimTime)> {
        let entries = self.entries.get(&part.operation)?;
        let latest_of = |members: &mut dyn Iterator<Item = u32>| {
            members.filter_map(|member| entries.members.get(&member)).max().copied()
        };
        match &part.needs {
            Needs::Nothing => None,
            Needs::All => Some((state_of_all(part.kind), entries.latest)),
            Needs::Root(root) => {
                Some((WaitState::LateBroadcast, entries.members.get(root).copied()?))
            }
            Needs::Lower => Some((WaitState::EarlyScan, latest_of(&mut (0..part.member))?)),
            Needs::These(sources) => {
                Some((WaitState::WaitAtNeighbors, latest_of(&mut sources.iter().copied())?))
            }
        }
    }

    /// Forgets an operation when all its members have left it.
    pub(super) fn leave(&mut self, operation: OperationId) {
        if let Some(entries) = self.entries.get_mut(&operation) {
            entries.left += 1;
            if entries.left == entries.entered && entries.entered >= entries.size {
                self.entries.remove(&operation);
            }
        }
    }
}

/// Returns the state of a rank that needs all members.
fn state_of_all(kind: CollectiveKind) -> WaitState {
    match kind {
        CollectiveKind::Barrier => WaitState::WaitAtBarrier,
        CollectiveKind::Gather | CollectiveKind::Reduce => WaitState::EarlyReduce,
        CollectiveKind::Broadcast
        | CollectiveKind::Scatter
        | CollectiveKind::Allgather
        | CollectiveKind::Alltoall
        | CollectiveKind::Allreduce
        | CollectiveKind::ReduceScatter
        | CollectiveKind::Scan
        | CollectiveKind::Exscan
        | CollectiveKind::NeighborAllgather
        | CollectiveKind::NeighborAlltoall
        | CollectiveKind::Management(_) => WaitState::WaitAtNxN,
    }
}
