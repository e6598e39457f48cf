//! [`Mappings`]: the numberings of the ranks of new communicators.

use std::rc::Rc;

use network_models::{Embedding, NodeId, Pattern};

use crate::{
    object::{
        cart::Cart,
        graph::{Reorder, WeightedEdge},
    },
    outcome::Reordering,
};

/// Number of mappings kept: the map functions and the constructors called after them ask for the
/// same mapping repeatedly.
pub(super) const REMEMBERED: usize = 4;

/// The mappings of a run.
#[derive(Default)]
pub(crate) struct Mappings {
    pub(super) known: Vec<(Vec<NodeId>, Plan, Rc<Embedding>)>,
    pub(super) reorderings: Vec<Reordering>,
}

/// A communication pattern in compact form, by which mappings are found again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    Grid(Cart),
    /// The edges of a graph, in order.
    Graph(Vec<WeightedEdge>),
}

impl Mappings {
    /// Returns the reorderings of the run's communicators.
    pub(crate) fn into_reorderings(self) -> Vec<Reordering> {
        self.reorderings
    }
}

/// Keeps a rank's pattern of a communicator construction; one copy of a grid is enough.
pub(crate) fn note(all: &mut Vec<(u32, Reorder)>, rank: u32, reorder: &Reorder) {
    let known = matches!(reorder, Reorder::Grid(_)) && !all.is_empty();
    if !known {
        let at = all.partition_point(|(other, _)| *other < rank);
        all.insert(at, (rank, reorder.clone()));
    }
}

impl Plan {
    pub(super) fn pattern(&self, places: u32) -> Pattern {
        match self {
            Self::Grid(cart) => Pattern::grid(&cart.dims, &cart.periods),
            Self::Graph(edges) => Pattern::graph(places, edges.iter().copied()),
        }
    }

    pub(super) fn describe(&self, kind: &str, places: u32) -> String {
        match self {
            Self::Grid(cart) => {
                let sizes: Vec<String> = cart.dims.iter().map(u32::to_string).collect();
                let sizes = sizes.join("x");
                let closed = cart.periods.iter().filter(|closed| **closed).count();
                match closed {
                    0 => format!("mesh {sizes}"),
                    _ if closed == cart.dims.len() => format!("torus {sizes}"),
                    _ => format!("partly closed {kind} {sizes}"),
                }
            }
            Self::Graph(edges) => format!("{kind} of {places} with {} edges", edges.len()),
        }
    }
}
