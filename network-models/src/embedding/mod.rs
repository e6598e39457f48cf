//! Puts the places of a pattern on slots of a network so that those that talk to each other are
//! close (the `reorder` of MPI chapter 8).
//!
//! Reading order: [`pattern`] (what is put), [`measure`] (what it costs), [`product`] (grids on
//! regular networks, by the walks of [`gray`]), [`bisect`] (other grids), [`greedy`] and [`search`] (anything else).

mod bisect;
mod frame;
mod gray;
mod greedy;
mod measure;
mod near;
mod pattern;
mod product;
mod search;
#[cfg(test)]
mod tests;

use self::measure::Machine;
pub use self::{measure::Cost, pattern::Pattern};
use crate::{network::NodeId, topology::Topology};
use serde::{Deserialize, Serialize};

/// How a mapping was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Method {
    /// Place r on slot r: nothing else is better.
    Identity,
    /// Each dimension of a grid walks over dimensions of the network by a Gray code.
    GrayCode,
    /// A dimension is folded into one that is open or shared.
    Folding,
    /// A block of a grid for each node, or part of a tree.
    Blocks,
    /// A grid and the network halved again and again.
    Bisection,
    /// Built place by place, or one of the above, and made better by exchanges.
    Search,
}

impl Method {
    /// As reports call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::GrayCode => "gray code",
            Self::Folding => "folding",
            Self::Blocks => "blocks",
            Self::Bisection => "bisection",
            Self::Search => "greedy and search",
        }
    }
}

/// Which place is where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Embedding {
    /// Slot of each place: every one once.
    pub slots: Vec<u32>,
    /// How it was found.
    pub method: Method,
    /// Whether mappings differ in cost at all: they do not where all slots are equally far apart.
    pub matters: bool,
    /// Cost with place r on slot r.
    pub before: Cost,
    /// Cost of this mapping; neither its hops nor its load are more than before.
    pub after: Cost,
}

/// Maps a pattern to as many slots, given by their nodes. Without a topology the slots of a node
/// are close and all others equally far.
///
/// Order: depends on nothing but its arguments.
///
/// # Panics
/// If there are not as many slots as places.
pub fn embed(
    pattern: &Pattern,
    nodes: &[NodeId],
    topology: Option<&Topology>,
    seed: u64,
) -> Embedding {
    assert_eq!(pattern.places() as usize, nodes.len(), "a slot for each place");
    let machine = Machine::new(nodes, topology);
    let identity: Vec<u32> = (0..pattern.places()).collect();
    let before = machine.cost(&pattern.edges, &identity);
    let matters = !machine.is_even();
    let mut best =
        Embedding { slots: identity, method: Method::Identity, matters, before, after: before };
    let floor = machine.floor(pattern);
    if !matters || before.hops == floor {
        return best;
    }
    for (slots, method) in product::best(pattern, &machine) {
        best.consider(slots, method, pattern, &machine);
    }
    if best.after.hops > floor {
        if let Some(slots) = bisect::map(pattern, &machine) {
            best.consider(slots, Method::Bisection, pattern, &machine);
        }
        let start = best.slots.clone();
        for slots in searched(pattern, &machine, start, seed) {
            best.consider(slots, Method::Search, pattern, &machine);
        }
    }
    best
}

/// What exchanges make of a mapping that is built greedily, and of the best one so far.
fn searched(pattern: &Pattern, machine: &Machine, best: Vec<u32>, seed: u64) -> Vec<Vec<u32>> {
    let edges = pattern.edges.exchanged();
    let built = greedy::construct(&edges, machine);
    let mut found = vec![built.clone()];
    for (number, (start, heat)) in [(built, 4), (best, 1)].into_iter().enumerate() {
        let mut random = sim_core::stream(seed, "embedding", number as u64);
        found.push(search::improve(&edges, machine, start, heat, &mut random));
    }
    found
}

impl Embedding {
    /// Takes a mapping that is better, unless a link would have to carry more than it does with
    /// place r on slot r.
    fn consider(&mut self, slots: Vec<u32>, method: Method, pattern: &Pattern, machine: &Machine) {
        let cost = machine.cost(&pattern.edges, &slots);
        if cost < self.after && cost.load <= self.before.load {
            (self.slots, self.method, self.after) = (slots, method, cost);
        }
    }
}
