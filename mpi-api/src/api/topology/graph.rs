//! Graph and distributed graph topologies (MPI sections 8.5.3 and 8.5.4).

use std::rc::Rc;

use sim_core::words::out_of_range;

use super::{Communicator, Rank, SimpleCommunicator, Topology, duplicate::duplicate};
pub use crate::object::graph::{Adjacency, Edge};
use crate::{
    api::{
        Count,
        collective::{exchange_edges, synchronise},
        point_to_point::accepted,
    },
    call::{CommCall, Reply, Site},
    error::{ErrorClass, MpiError},
    finding::CallPlace,
    object::{
        blueprint::Blueprint,
        cart::Cart,
        graph::{Graph, Reorder},
    },
    policy::Policy,
};

/// A communicator with a graph that every rank knows completely.
pub struct GraphCommunicator {
    comm: SimpleCommunicator,
    graph: Graph,
}

/// A communicator with a graph of which each rank knows its own neighbours.
pub struct DistributedGraphCommunicator {
    comm: SimpleCommunicator,
    neighbors: Adjacency,
}

impl Communicator for GraphCommunicator {
    fn as_simple(&self) -> &SimpleCommunicator {
        &self.comm
    }

    fn topology(&self) -> Topology {
        Topology::Graph
    }
}

impl Communicator for DistributedGraphCommunicator {
    fn as_simple(&self) -> &SimpleCommunicator {
        &self.comm
    }

    fn topology(&self) -> Topology {
        Topology::DistributedGraph
    }
}

fn inside(ranks: &[Rank], size: u32) -> Result<(), MpiError> {
    let outside = ranks.iter().find(|rank| u32::try_from(**rank).map_or(true, |r| r >= size));
    outside.map_or(Ok(()), |rank| {
        Err(MpiError::new(ErrorClass::Arg, out_of_range(format_args!("neighbour {rank}"), size)))
    })
}

/// Creates a communicator of the ranks that have a place in the graph; they keep their order unless
/// `reorder` describes the communication.
fn copy(
    comm: &SimpleCommunicator,
    site: Site,
    places: (u32, Option<Reorder>),
    blueprint: Blueprint,
) -> Option<SimpleCommunicator> {
    copy_with(comm, site, places, (None, blueprint))
}

/// Like `copy`, for a grid, which the kernel keeps.
pub(super) fn copy_with(
    comm: &SimpleCommunicator,
    site: Site,
    (places, reorder): (u32, Option<Reorder>),
    (cart, blueprint): (Option<Cart>, Blueprint),
) -> Option<SimpleCommunicator> {
    let (id, me) = (comm.info.id, comm.info.rank);
    let blueprint = Some(Box::new(blueprint));
    let operation = if let Some(reorder) = reorder {
        CommCall::Reorder { comm: id, cart, reorder: Box::new(reorder), blueprint }
    } else {
        let color = (me < places).then_some(0);
        CommCall::Split { comm: id, color, key: me as i32, cart, blueprint }
    };
    comm.make(site, operation)
}

/// Checks and converts the arguments of `MPI_Graph_create`.
fn layout(index: &[Count], edges: &[Rank], size: u32) -> Result<Graph, MpiError> {
    let places = index.len() as u32;
    let rising = index.first().is_none_or(|first| *first >= 0)
        && index.windows(2).all(|pair| pair[0] <= pair[1]);
    let right = match () {
        () if places > size => Err(format!("{places} places for {size} ranks")),
        () if !rising => Err("the index does not rise".into()),
        () if index.last().is_some_and(|last| *last as usize != edges.len()) => {
            Err(format!("{} edges, and the index ends at {:?}", edges.len(), index.last()))
        }
        () => Ok(()),
    };
    right.map_err(|text| MpiError::new(ErrorClass::Arg, text))?;
    inside(edges, places)?;
    Ok(Graph { index: index.to_vec(), edges: edges.to_vec() })
}

/// Returns the rank of the calling process in a graph (`MPI_Graph_map`).
pub(super) fn map(
    comm: &SimpleCommunicator,
    index: &[Count],
    edges: &[Rank],
    site: Site,
) -> Option<Rank> {
    comm.context.as_one((site, "MPI_Graph_map", comm.info.id), || {
        let graph = accepted(
            comm,
            CallPlace { call: "map", site },
            layout(index, edges, comm.info.group.size()),
        )?;
        place_in(comm, site, Reorder::graph(&graph, true))
    })
}

/// Returns the rank that the calling process would have after reordering. By policy all ranks have
/// to call it.
pub(super) fn place_in(comm: &SimpleCommunicator, site: Site, reorder: Reorder) -> Option<Rank> {
    if comm.context.environment().policies.differs(Policy::MapFunctions) {
        synchronise(comm, site);
    }
    match comm.context.call(site, CommCall::MapRank(comm.info.id, Box::new(reorder))) {
        Some(Reply::Place(place)) => place.map(|place| place as Rank),
        _ => None,
    }
}

impl GraphCommunicator {
    pub(super) fn create(
        comm: &SimpleCommunicator,
        index: &[Count],
        edges: &[Rank],
        reorder: bool,
        site: Site,
    ) -> Option<Self> {
        comm.context.as_one((site, "MPI_Graph_create", comm.info.id), || {
            let graph = accepted(
                comm,
                CallPlace { call: "create_graph_communicator", site },
                layout(index, edges, comm.info.group.size()),
            )?;
            let blueprint = Blueprint::Graph { graph: graph.clone(), reorder };
            let reorder = reorder.then(|| Reorder::graph(&graph, comm.info.rank == 0));
            let comm = copy(comm, site, (index.len() as u32, reorder), blueprint)?;
            Some(Self { comm, graph })
        })
    }

    /// Duplicates the communicator with its graph (`MPI_Comm_dup`).
    #[track_caller]
    pub fn duplicate_with_topology(&self) -> Option<Self> {
        let comm = duplicate(&self.comm, None, Site::here())?;
        Some(Self { comm, graph: self.graph.clone() })
    }

    pub(crate) fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns the numbers of nodes and edges (`MPI_Graphdims_get`).
    pub fn num_places_and_edges(&self) -> (Count, Count) {
        (self.graph.index.len() as Count, self.graph.edges.len() as Count)
    }

    /// Returns the end of each node's edges, and the edges (`MPI_Graph_get`).
    pub fn get_layout(&self) -> (&[Count], &[Rank]) {
        (&self.graph.index, &self.graph.edges)
    }

    /// Returns the ranks that a rank has edges to, once for each edge (`MPI_Graph_neighbors`).
    ///
    /// # Panics
    /// If there is no such rank.
    #[track_caller]
    pub fn neighbors(&self, rank: Rank) -> &[Rank] {
        self.graph.neighbors(usize::try_from(rank).expect("a rank is not negative"))
    }
}

/// Checks the weights of edges.
fn not_negative(mut weights: impl Iterator<Item = Count>) -> Result<(), MpiError> {
    match weights.find(|weight| *weight < 0) {
        None => Ok(()),
        Some(weight) => {
            Err(MpiError::new(ErrorClass::Arg, format!("the weight {weight} is negative")))
        }
    }
}

impl DistributedGraphCommunicator {
    pub(super) fn create_adjacent(
        comm: &SimpleCommunicator,
        neighbors: Adjacency,
        reorder: bool,
        site: Site,
    ) -> Option<Self> {
        let function = (site, "MPI_Dist_graph_create_adjacent", comm.info.id);
        comm.context.as_one(function, || Self::of_neighbors(comm, neighbors, reorder, site))
    }

    fn of_neighbors(
        comm: &SimpleCommunicator,
        neighbors: Adjacency,
        reorder: bool,
        site: Site,
    ) -> Option<Self> {
        let size = comm.info.group.size();
        let weighted = |weights: &Option<Vec<Count>>, ranks: &[Rank]| match weights {
            Some(weights) if weights.len() != ranks.len() => {
                let text = format!("{} weights for {} edges", weights.len(), ranks.len());
                Err(MpiError::new(ErrorClass::Arg, text))
            }
            Some(weights) => not_negative(weights.iter().copied()),
            None => Ok(()),
        };
        let checked = inside(&neighbors.sources, size)
            .and_then(|()| inside(&neighbors.destinations, size))
            .and_then(|()| weighted(&neighbors.source_weights, &neighbors.sources))
            .and_then(|()| weighted(&neighbors.destination_weights, &neighbors.destinations));
        accepted(comm, CallPlace { call: "create_adjacent_graph_communicator", site }, checked)?;
        let weighted =
            neighbors.source_weights.is_some() || neighbors.destination_weights.is_some();
        let own = Rc::new(neighbors);
        let adjacent = Some(Rc::clone(&own));
        let blueprint = Blueprint::DistributedGraph { adjacent, weighted, reorder };
        let reorder = reorder.then(|| Reorder::Adjacent(Rc::clone(&own)));
        let mut comm = copy(comm, site, (size, reorder), blueprint)?;
        let neighbors = comm.info.neighbors.take().unwrap_or(own);
        Some(Self { comm, neighbors: Rc::unwrap_or_clone(neighbors) })
    }

    /// Creates the graph of all edges that all ranks give.
    pub(super) fn create(
        comm: &SimpleCommunicator,
        edges: &[Edge],
        weighted: bool,
        reorder: bool,
        site: Site,
    ) -> Option<Self> {
        let function = (site, "MPI_Dist_graph_create", comm.info.id);
        comm.context.as_one(function, || Self::of_edges(comm, edges, weighted, reorder, site))
    }

    fn of_edges(
        comm: &SimpleCommunicator,
        edges: &[Edge],
        weighted: bool,
        reorder: bool,
        site: Site,
    ) -> Option<Self> {
        let size = comm.info.group.size();
        let place = CallPlace { call: "create_distributed_graph_communicator", site };
        let ends: Vec<Rank> = edges.iter().flat_map(|edge| [edge.0, edge.1]).collect();
        let weights = edges.iter().filter(|_| weighted).map(|edge| edge.2);
        accepted(comm, place, inside(&ends, size).and_then(|()| not_negative(weights)))?;
        let all = exchange_edges(comm, place, edges, weighted)?;
        let blueprint = Blueprint::DistributedGraph { adjacent: None, weighted, reorder };
        let reorder = reorder.then(|| Reorder::distributed(edges, weighted));
        let comm = copy(comm, site, (size, reorder), blueprint)?;
        let neighbors = Adjacency::of(comm.info.rank as Rank, &all, weighted);
        Some(Self { comm, neighbors })
    }

    /// Duplicates the communicator with its neighbours (`MPI_Comm_dup`).
    #[track_caller]
    pub fn duplicate_with_topology(&self) -> Option<Self> {
        let comm = duplicate(&self.comm, None, Site::here())?;
        Some(Self { comm, neighbors: self.neighbors.clone() })
    }

    /// Returns the neighbours of the calling rank (`MPI_Dist_graph_neighbors`,
    /// `MPI_Dist_graph_neighbors_count`).
    pub fn neighbors(&self) -> &Adjacency {
        &self.neighbors
    }
}
