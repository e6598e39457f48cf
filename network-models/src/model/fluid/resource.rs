//! [`Resource`]: a link or port that flows share.

use super::sharing::FlowId;

/// A flow's membership of a resource.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) flow: FlowId,
    /// Index of the resource in the flow's list.
    pub(super) place: u32,
}

/// A resource that flows share.
#[derive(Clone, Debug)]
pub(super) struct Resource {
    /// Rate that its flows have together, at most. Units: bytes per picosecond.
    pub(super) capacity: f64,
    pub(super) members: Vec<Member>,
    /// The solution that visited the resource last.
    pub(super) visit: u64,
    /// The solution before which flows were added or removed last.
    pub(super) touch: u64,
    /// The solution before which flows were added last.
    pub(super) addition: u64,
    /// In a solution: the number of flows that change.
    pub(super) joined: u32,
    /// In a solution: the rate that no flow has yet.
    pub(super) left: f64,
    /// In a solution: the weights of the flows that have no rate yet.
    pub(super) weight: f64,
    /// In a solution: the number of flows that have no rate yet.
    pub(super) waiting: u32,
    /// Whether it has limited a flow in the last solution that visited it.
    pub(super) is_full: bool,
    /// If it is full: the level of the flows that it limits, less what counts as equal.
    pub(super) limit: f64,
    /// In a solution: the highest level of a flow that keeps its rate.
    pub(super) kept: f64,
}

impl Resource {
    /// Creates a resource without flows.
    pub(super) fn new(capacity: f64) -> Self {
        Self {
            capacity,
            members: Vec::new(),
            visit: 0,
            touch: 0,
            addition: 0,
            joined: 0,
            left: 0.0,
            weight: 0.0,
            waiting: 0,
            is_full: false,
            limit: 0.0,
            kept: 0.0,
        }
    }

    /// Returns the level from which on its flows change because a solution visits it. If it is
    /// full, those may gain that it limits; if flows were added to it, others may lose.
    pub(super) fn joining(&self, solution: u64, threshold: f64) -> Option<f64> {
        let gaining = self.limit.max(threshold);
        match (self.is_full, self.touch == solution) {
            _ if self.visit != solution => None,
            (true, true) => Some(gaining.min(self.left)),
            (true, false) => Some(gaining),
            (false, true) => Some(self.left),
            (false, false) => None,
        }
    }

    /// Adds the resource to those that a solution visits, unless it is among them.
    pub(super) fn reach(&mut self, number: u32, solution: u64, queue: &mut Vec<u32>) {
        if self.visit != solution {
            self.visit = solution;
            self.joined = 0;
            queue.push(number);
        }
    }

    /// Returns the level at which the resource is used up; rounding must not make it negative.
    pub(super) fn level(&self) -> f64 {
        (self.left / self.weight).max(0.0)
    }
}
