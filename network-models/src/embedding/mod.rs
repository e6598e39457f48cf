//! Process mapping: assigns the places of a pattern to slots of a network so that communicating
//! places are close (the `reorder` argument of MPI chapter 8).
//!
//! Reading order: [`pattern`] (the places and their communication), [`measure`] (the cost of a
//! mapping), [`product`] (grids on regular networks, with the walks of [`gray`]), [`bisect`] (other
//! grids), [`greedy`] and [`search`] (any pattern).

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

/// The method that found a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Method {
    /// Place r is on slot r: no other mapping is better.
    Identity,
    /// Each dimension of the grid follows dimensions of the network by a Gray code.
    GrayCode,
    /// A periodic dimension is folded into one that is open or shared.
    Folding,
    /// Each node gets a block of the grid, or part of a tree.
    Blocks,
    /// The grid and the network are halved repeatedly.
    Bisection,
    /// Greedy construction, or one of the other methods, followed by improving exchanges.
    Search,
}

impl Method {
    /// Returns the name of the method in reports.
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

/// A mapping of places to slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Embedding {
    /// Slot of each place; every slot occurs once.
    pub slots: Vec<u32>,
    /// Method that found the mapping.
    pub method: Method,
    /// Whether different mappings can differ in cost: they cannot if all slots are equally far
    /// apart.
    pub matters: bool,
    /// Cost with place r on slot r.
    pub before: Cost,
    /// Cost of this mapping; neither its hops nor its load exceeds those of `before`.
    pub after: Cost,
}

/// Maps a pattern to slots, whose nodes are given; there are as many slots as places. Without a
/// topology the slots of one node are close to each other and all others equally far.
///
/// Order: the result depends on the arguments only.
///
/// # Panics
/// Panics if the numbers of slots and places differ.
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

/// Returns mappings improved by exchanges, starting from a greedy one and from the best one so far.
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
    /// Keeps a mapping that is better, unless some link would carry more than with place r on slot
    /// r.
    fn consider(&mut self, slots: Vec<u32>, method: Method, pattern: &Pattern, machine: &Machine) {
        let cost = machine.cost(&pattern.edges, &slots);
        if cost < self.after && cost.load <= self.before.load {
            (self.slots, self.method, self.after) = (slots, method, cost);
        }
    }
}
