//! Arguments that must be equal on all ranks that create a communicator by a split (MPI sections
//! 7.4 and 8.5).

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::{
    cart::Cart,
    graph::{Adjacency, Graph},
};

/// The function that splits a communicator, with the arguments that must be equal on all ranks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Blueprint {
    /// A call of `MPI_Cart_create`.
    Grid {
        /// Sizes and periods of the grid.
        grid: Cart,
        /// Whether ranks may be reordered.
        reorder: bool,
    },
    /// A call of `MPI_Cart_sub`, with the dimensions that are kept.
    Subgrid(Vec<bool>),
    /// A call of `MPI_Graph_create`.
    Graph {
        /// The whole graph.
        graph: Graph,
        /// Whether ranks may be reordered.
        reorder: bool,
    },
    /// A call of `MPI_Dist_graph_create` or `MPI_Dist_graph_create_adjacent`; each rank has its own
    /// edges.
    DistributedGraph {
        /// The neighbours of the rank, if each gives its own (`MPI_Dist_graph_create_adjacent`).
        adjacent: Option<Rc<Adjacency>>,
        /// Whether edges have weights.
        weighted: bool,
        /// Whether ranks may be reordered.
        reorder: bool,
    },
    /// A call of `MPI_Comm_split_type`; `None` for `MPI_UNDEFINED`, which goes with every type.
    Resource(Option<ResourceType>),
}

/// What ranks share by which `MPI_Comm_split_type` splits (MPI section 7.4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ResourceType {
    /// Memory: `MPI_COMM_TYPE_SHARED`.
    Memory,
    /// Hardware that an info object names: `MPI_COMM_TYPE_HW_GUIDED`.
    Guided,
    /// Hardware, or a process set, that an info object names: `MPI_COMM_TYPE_RESOURCE_GUIDED`.
    GuidedOrSet,
    /// Hardware that MPI chooses: `MPI_COMM_TYPE_HW_UNGUIDED`.
    Unguided,
}

impl ResourceType {
    /// Returns the name of its constant.
    pub fn name(self) -> &'static str {
        match self {
            Self::Memory => "MPI_COMM_TYPE_SHARED",
            Self::Guided => "MPI_COMM_TYPE_HW_GUIDED",
            Self::GuidedOrSet => "MPI_COMM_TYPE_RESOURCE_GUIDED",
            Self::Unguided => "MPI_COMM_TYPE_HW_UNGUIDED",
        }
    }
}

/// The values of an argument on two ranks.
type Difference = (String, String);

impl Blueprint {
    /// Returns the name of the function in this interface.
    pub fn call(&self) -> &'static str {
        match self {
            Self::Grid { .. } => "create_cartesian_communicator",
            Self::Subgrid(_) => "subgroup",
            Self::Graph { .. } => "create_graph_communicator",
            Self::DistributedGraph { adjacent: Some(_), .. } => {
                "create_adjacent_graph_communicator"
            }
            Self::DistributedGraph { .. } => "create_distributed_graph_communicator",
            Self::Resource(_) => "split_shared",
        }
    }

    /// Reports whether ranks may give both.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Resource(mine), Self::Resource(theirs)) => {
                mine.is_none() || theirs.is_none() || mine == theirs
            }
            (
                Self::DistributedGraph { adjacent: mine, weighted, reorder },
                Self::DistributedGraph { adjacent: theirs, weighted: other, reorder: also },
            ) => {
                let lists =
                    |adjacent: &Option<Rc<Adjacency>>| adjacent.as_deref().map(weighted_lists);
                lists(mine) == lists(theirs) && (weighted, reorder) == (other, also)
            }
            _ => self == other,
        }
    }

    /// Returns the values of the first argument in which two calls of the same function differ.
    pub(crate) fn difference(&self, other: &Self) -> Option<Difference> {
        match (self, other) {
            (
                Self::Grid { grid: mine, reorder: my_reorder },
                Self::Grid { grid: theirs, reorder: their_reorder },
            ) => differing(&sizes(mine), &sizes(theirs))
                .or_else(|| flags("periods", &mine.periods, &theirs.periods))
                .or_else(|| flag("reorder", *my_reorder, *their_reorder)),
            (Self::Subgrid(mine), Self::Subgrid(theirs)) => flags("remain_dims", mine, theirs),
            (
                Self::Graph { graph: mine, reorder: my_reorder },
                Self::Graph { graph: theirs, reorder: their_reorder },
            ) => entries("index", &mine.index, &theirs.index)
                .or_else(|| entries("edges", &mine.edges, &theirs.edges))
                .or_else(|| flag("reorder", *my_reorder, *their_reorder)),
            (
                Self::DistributedGraph { adjacent, weighted: mine, reorder: my_reorder },
                Self::DistributedGraph {
                    adjacent: other,
                    weighted: theirs,
                    reorder: their_reorder,
                },
            ) => {
                let weights = |weighted| if weighted { "weights" } else { "MPI_UNWEIGHTED" };
                let both = adjacent.as_deref().zip(other.as_deref());
                let in_list = |place: usize, of: &str| {
                    let (mine, theirs) = both?;
                    let text = |own: &Adjacency| {
                        format!("{} for its {of}", weights(weighted_lists(own)[place]))
                    };
                    differing(&text(mine), &text(theirs))
                };
                differing(weights(*mine), weights(*theirs))
                    .or_else(|| in_list(0, "sources"))
                    .or_else(|| in_list(1, "destinations"))
                    .or_else(|| flag("reorder", *my_reorder, *their_reorder))
            }
            (Self::Resource(Some(mine)), Self::Resource(Some(theirs))) => {
                differing(mine.name(), theirs.name())
            }
            _ => None,
        }
    }
}

/// Reports whether the sources and the destinations of a rank have weights.
fn weighted_lists(own: &Adjacency) -> [bool; 2] {
    [own.source_weights.is_some(), own.destination_weights.is_some()]
}

fn differing(mine: &str, theirs: &str) -> Option<Difference> {
    (mine != theirs).then(|| (mine.into(), theirs.into()))
}

fn flag(name: &str, mine: bool, theirs: bool) -> Option<Difference> {
    differing(&format!("{name} {mine}"), &format!("{name} {theirs}"))
}

fn flags(name: &str, mine: &[bool], theirs: &[bool]) -> Option<Difference> {
    let text = |flags: &[bool]| {
        let words: Vec<String> = flags.iter().map(bool::to_string).collect();
        format!("{name} {}", words.join(", "))
    };
    differing(&text(mine), &text(theirs))
}

fn sizes(grid: &Cart) -> String {
    let sizes: Vec<String> = grid.dims.iter().map(u32::to_string).collect();
    match sizes.len() {
        0 => "dims of a single place".into(),
        _ => format!("dims {}", sizes.join(" x ")),
    }
}

/// Describes a difference of two lists by one entry or by their lengths, because lists can be long.
fn entries(name: &str, mine: &[i32], theirs: &[i32]) -> Option<Difference> {
    if mine.len() != theirs.len() {
        let text = |list: &[i32]| format!("{} entries of {name}", list.len());
        return Some((text(mine), text(theirs)));
    }
    let at = mine.iter().zip(theirs).position(|(mine, theirs)| mine != theirs)?;
    let text = |list: &[i32]| format!("{name}[{at}] = {}", list[at]);
    Some((text(mine), text(theirs)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(mine: &Blueprint, theirs: &Blueprint) -> Option<(String, String)> {
        mine.difference(theirs)
    }

    #[test]
    fn the_first_argument_that_differs_is_told() {
        let grid = |dims: &[u32], period, reorder| Blueprint::Grid {
            grid: Cart { dims: dims.to_vec(), periods: vec![period; dims.len()] },
            reorder,
        };
        let told = |mine: &str, theirs: &str| Some((mine.to_string(), theirs.to_string()));
        let one = grid(&[2, 2], false, false);
        assert_eq!(difference(&one, &one), None);
        let other = grid(&[4, 1], true, true);
        assert_eq!(difference(&one, &other), told("dims 2 x 2", "dims 4 x 1"));
        let other = grid(&[2, 2], true, true);
        assert_eq!(difference(&one, &other), told("periods false, false", "periods true, true"));
        let other = grid(&[2, 2], false, true);
        assert_eq!(difference(&one, &other), told("reorder false", "reorder true"));
    }

    #[test]
    fn graphs_differ_in_one_entry_or_in_length() {
        let graph = |edges: &[i32]| Blueprint::Graph {
            graph: Graph { index: vec![1, edges.len() as i32], edges: edges.to_vec() },
            reorder: false,
        };
        let told = |mine: &str, theirs: &str| Some((mine.to_string(), theirs.to_string()));
        let found = difference(&graph(&[1, 0]), &graph(&[1, 1]));
        assert_eq!(found, told("edges[1] = 0", "edges[1] = 1"));
        let found = difference(&graph(&[1, 0]), &graph(&[1, 0, 0]));
        assert_eq!(found, told("index[1] = 2", "index[1] = 3"));
    }
}
