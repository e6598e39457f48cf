//! Graph and distributed graph topologies (MPI sections 8.5.3 and 8.5.4).

use std::{collections::BTreeMap, ffi::c_int, rc::Rc};

use mpi_api::{
    call::{
        CollectiveCall, CollectiveEntry, CollectiveKind as Kind, Counts, Neighbors, Reply, Site,
    },
    object::{
        blueprint::Blueprint,
        graph::{Adjacency, EDGE_BYTES, Edge, Graph, Reorder, bytes_of_edges, edges_of_bytes},
    },
    policy::Policy,
};

use super::{communicator, info, topology};
use crate::{
    constant::{Handle, class, handle},
    state::{Comm, Fault, Mpi, State, Topology, argument, array, call, creating, put},
};

/// The address `MPI_UNWEIGHTED`.
const UNWEIGHTED: usize = 10;
/// The address `MPI_WEIGHTS_EMPTY`.
const WEIGHTS_EMPTY: usize = 11;

pub(super) fn ranks_checked(ranks: &[c_int], size: u32) -> Mpi {
    ranks
        .iter()
        .try_for_each(|rank| argument::below(size, class::ARG, "neighbour", *rank).map(drop))
}

/// Checks that every edge occurs in both directions, equally often.
fn symmetric(index: &[c_int], edges: &[c_int]) -> Mpi {
    let starts = [0].into_iter().chain(index.iter().copied());
    let mut ways = BTreeMap::new();
    for (node, (start, end)) in (0..).zip(starts.zip(index)) {
        for other in &edges[start as usize..*end as usize] {
            *ways.entry((node, *other)).or_insert(0) += 1;
        }
    }
    let lonely = ways.iter().find(|((from, to), count)| ways.get(&(*to, *from)) != Some(*count));
    match lonely {
        Some(((from, to), _)) => {
            let text = format!("the edge from {from} to {to} is not there the other way as often");
            Err(Fault::new(class::TOPOLOGY, text))
        }
        None => Ok(()),
    }
}

/// Reads and checks a graph argument; it must fit `parent`.
fn given(
    state: &State,
    parent: &Comm,
    nodes: c_int,
    index: *const c_int,
    edges: *const c_int,
) -> Mpi<Graph> {
    let count = u32::try_from(nodes).ok().filter(|count| *count <= parent.size());
    let count = count.ok_or_else(|| {
        let most = parent.size();
        let text = format!(
            "the number of nodes is {nodes}; allowed are 0 to {most}, the ranks of the communicator"
        );
        Fault::new(class::ARG, text)
    })?;
    let index = array(index, i64::from(count))?.to_vec();
    let rising = index.windows(2).all(|pair| pair[0] <= pair[1]);
    if !rising || index.first().is_some_and(|first| *first < 0) {
        return Err(Fault::new(class::ARG, "the index array does not rise"));
    }
    let edges = array(edges, i64::from(index.last().copied().unwrap_or(0)))?.to_vec();
    ranks_checked(&edges, count)?;
    if state.policies().differs(Policy::GraphSymmetry) {
        symmetric(&index, &edges)?;
    }
    Ok(Graph { index, edges })
}

pub(super) extern "C-unwind" fn graph_create(
    comm: Handle,
    nodes: c_int,
    index: *const c_int,
    edges: *const c_int,
    reorder: c_int,
    place: *mut Handle,
) -> c_int {
    creating(comm, (place, handle::COMM_NULL), |state, site| {
        let parent = state.intra(comm)?;
        let graph = given(state, &parent, nodes, index, edges)?;
        let places = graph.index.len() as u32;
        let blueprint = Blueprint::Graph { graph: graph.clone(), reorder: reorder != 0 };
        let reorder = (reorder != 0).then(|| Reorder::graph(&graph, parent.info.rank == 0));
        let wanted = (places, reorder, blueprint);
        let new = communicator::split_places(state, site, &parent, wanted, place)?;
        if new != handle::COMM_NULL {
            state.comm(new)?.topology.replace(Some(Topology::Graph(graph)));
        }
        Ok(())
    })
}

fn graph(state: &State, comm: Handle) -> Mpi<Graph> {
    match &*state.comm(comm)?.topology.borrow() {
        Some(Topology::Graph(graph)) => Ok(graph.clone()),
        _ => Err(Fault::new(class::TOPOLOGY, "the communicator has no graph")),
    }
}

fn write(place: *mut c_int, room: c_int, values: &[c_int]) -> Mpi {
    topology::numbers(place, values.iter().take(room.max(0) as usize).copied())
}

pub(super) extern "C-unwind" fn graphdims_get(
    comm: Handle,
    nodes: *mut c_int,
    edges: *mut c_int,
) -> c_int {
    call(comm, |state, _| {
        let graph = graph(state, comm)?;
        put(nodes, graph.index.len() as c_int)?;
        put(edges, graph.edges.len() as c_int)
    })
}

pub(super) extern "C-unwind" fn graph_get(
    comm: Handle,
    max_index: c_int,
    max_edges: c_int,
    index: *mut c_int,
    edges: *mut c_int,
) -> c_int {
    call(comm, |state, _| {
        let graph = graph(state, comm)?;
        write(index, max_index, &graph.index)?;
        write(edges, max_edges, &graph.edges)
    })
}

fn known_rank(graph: &Graph, rank: c_int) -> Mpi<usize> {
    let found = usize::try_from(rank).ok().filter(|rank| *rank < graph.index.len());
    found.ok_or_else(|| Fault::new(class::RANK, format!("rank {rank} is not in the graph")))
}

pub(super) extern "C-unwind" fn graph_neighbors_count(
    comm: Handle,
    rank: c_int,
    count: *mut c_int,
) -> c_int {
    call(comm, |state, _| {
        let graph = graph(state, comm)?;
        put(count, graph.neighbors(known_rank(&graph, rank)?).len() as c_int)
    })
}

pub(super) extern "C-unwind" fn graph_neighbors(
    comm: Handle,
    rank: c_int,
    room: c_int,
    neighbors: *mut c_int,
) -> c_int {
    call(comm, |state, _| {
        let graph = graph(state, comm)?;
        write(neighbors, room, graph.neighbors(known_rank(&graph, rank)?))
    })
}

pub(super) extern "C-unwind" fn graph_map(
    comm: Handle,
    nodes: c_int,
    index: *const c_int,
    edges: *const c_int,
    rank: *mut c_int,
) -> c_int {
    call(comm, |state, site| {
        let parent = state.intra(comm)?;
        super::topology::meet(state, site, &parent)?;
        let graph = given(state, &parent, nodes, index, edges)?;
        put(rank, communicator::map(state, site, &parent, Reorder::graph(&graph, true))?)
    })
}

/// Reads a weights argument; `None` for an unweighted graph.
fn weights(place: *const c_int, count: usize) -> Mpi<Option<Vec<c_int>>> {
    let list = match place as usize {
        UNWEIGHTED => return Ok(None),
        _ if count == 0 => &[],
        WEIGHTS_EMPTY => {
            let text = format!("MPI_WEIGHTS_EMPTY for {count} edges");
            return Err(Fault::new(class::ARG, text));
        }
        _ => array(place, count as i64)?,
    };
    match list.iter().find(|weight| **weight < 0) {
        Some(weight) => Err(Fault::new(class::ARG, format!("the weight {weight} is negative"))),
        None => Ok(Some(list.to_vec())),
    }
}

#[allow(clippy::too_many_arguments, reason = "the standard's")]
pub(super) extern "C-unwind" fn dist_graph_create_adjacent(
    comm: Handle,
    in_degree: c_int,
    sources: *const c_int,
    source_weights: *const c_int,
    out_degree: c_int,
    destinations: *const c_int,
    destination_weights: *const c_int,
    info: Handle,
    reorder: c_int,
    place: *mut Handle,
) -> c_int {
    creating(comm, (place, handle::COMM_NULL), |state, site| {
        let parent = state.intra(comm)?;
        info::known(state, info)?;
        let sources = array(sources, i64::from(in_degree))?.to_vec();
        let destinations = array(destinations, i64::from(out_degree))?.to_vec();
        ranks_checked(&sources, parent.size())?;
        ranks_checked(&destinations, parent.size())?;
        let source_weights = weights(source_weights, sources.len())?;
        let destination_weights = weights(destination_weights, destinations.len())?;
        let own = Rc::new(Adjacency { sources, source_weights, destinations, destination_weights });
        let weighted = own.source_weights.is_some() || own.destination_weights.is_some();
        let reorder = reorder != 0;
        let adjacent = Some(Rc::clone(&own));
        let blueprint = Blueprint::DistributedGraph { adjacent, weighted, reorder };
        let wanted = reorder.then(|| Reorder::Adjacent(Rc::clone(&own)));
        let wanted = (parent.size(), wanted, blueprint);
        let new = communicator::split_places(state, site, &parent, wanted, place)?;
        let new = state.comm(new)?;
        // After reordering, the rank holds the place whose neighbours another rank has given.
        let adjacency = new.info.neighbors.clone().unwrap_or(own);
        new.topology.replace(Some(Topology::Distributed(adjacency)));
        Ok(())
    })
}

/// Returns all edges that all ranks specify, in rank order.
fn share(state: &State, site: Site, comm: &Comm, mine: &[Edge]) -> Mpi<Vec<Edge>> {
    let mut counts = CollectiveCall::new(comm.info.id, Kind::Allgather);
    counts.essential = true;
    counts.input = (mine.len() as u64 * EDGE_BYTES).to_ne_bytes().to_vec();
    (counts.send, counts.receive) = (Counts::Uniform(8), Counts::Uniform(8));
    let Reply::Data(data) = state.kernel(site, CollectiveEntry::Blocking(Box::new(counts)))? else {
        return Ok(Vec::new());
    };
    let word = |chunk: &[u8]| u64::from_ne_bytes(chunk.try_into().expect("chunks of 8"));
    let sizes: Vec<u64> = data.chunks_exact(8).map(word).collect();
    let mut edges = CollectiveCall::new(comm.info.id, Kind::Allgather);
    edges.essential = true;
    edges.input = bytes_of_edges(mine);
    edges.send = Counts::Uniform(edges.input.len() as u64);
    edges.receive = Counts::Each(sizes.into());
    let Reply::Data(data) = state.kernel(site, CollectiveEntry::Blocking(Box::new(edges)))? else {
        return Ok(Vec::new());
    };
    Ok(edges_of_bytes(&data))
}

#[allow(clippy::too_many_arguments, reason = "the standard's")]
pub(super) extern "C-unwind" fn dist_graph_create(
    comm: Handle,
    count: c_int,
    sources: *const c_int,
    degrees: *const c_int,
    destinations: *const c_int,
    edge_weights: *const c_int,
    info: Handle,
    reorder: c_int,
    place: *mut Handle,
) -> c_int {
    creating(comm, (place, handle::COMM_NULL), |state, site| {
        let parent = state.intra(comm)?;
        info::known(state, info)?;
        let sources = array(sources, i64::from(count))?;
        let degrees = array(degrees, i64::from(count))?;
        if degrees.iter().any(|degree| *degree < 0) {
            return Err(Fault::new(class::ARG, "a degree is negative"));
        }
        let total: i64 = degrees.iter().map(|degree| i64::from(*degree)).sum();
        let destinations = array(destinations, total)?;
        ranks_checked(sources, parent.size())?;
        ranks_checked(destinations, parent.size())?;
        let given = weights(edge_weights, total as usize)?;
        let mut mine = Vec::with_capacity(total as usize);
        let mut next = 0;
        for (source, degree) in sources.iter().zip(degrees) {
            for _ in 0..*degree {
                let weight = given.as_ref().map_or(1, |weights| weights[next]);
                mine.push((*source, destinations[next], weight));
                next += 1;
            }
        }
        let all = share(state, site, &parent, &mine)?;
        let (weighted, reorder) = (given.is_some(), reorder != 0);
        let blueprint = Blueprint::DistributedGraph { adjacent: None, weighted, reorder };
        let wanted = reorder.then(|| Reorder::distributed(&mine, weighted));
        let wanted = (parent.size(), wanted, blueprint);
        let new = communicator::split_places(state, site, &parent, wanted, place)?;
        let new = state.comm(new)?;
        let adjacency = Rc::new(Adjacency::of(new.info.rank as c_int, &all, weighted));
        new.topology.replace(Some(Topology::Distributed(adjacency)));
        Ok(())
    })
}

fn adjacency(state: &State, comm: Handle) -> Mpi<Rc<Adjacency>> {
    match &*state.comm(comm)?.topology.borrow() {
        Some(Topology::Distributed(adjacency)) => Ok(Rc::clone(adjacency)),
        _ => Err(Fault::new(class::TOPOLOGY, "the communicator has no distributed graph")),
    }
}

pub(super) extern "C-unwind" fn dist_graph_neighbors_count(
    comm: Handle,
    in_degree: *mut c_int,
    out_degree: *mut c_int,
    weighted: *mut c_int,
) -> c_int {
    call(comm, |state, _| {
        let known = adjacency(state, comm)?;
        put(in_degree, known.sources.len() as c_int)?;
        put(out_degree, known.destinations.len() as c_int)?;
        let both = known.source_weights.is_some() && known.destination_weights.is_some();
        put(weighted, c_int::from(both))
    })
}

pub(super) extern "C-unwind" fn dist_graph_neighbors(
    comm: Handle,
    max_in: c_int,
    sources: *mut c_int,
    source_weights: *mut c_int,
    max_out: c_int,
    destinations: *mut c_int,
    destination_weights: *mut c_int,
) -> c_int {
    call(comm, |state, _| {
        let known = adjacency(state, comm)?;
        write(sources, max_in, &known.sources)?;
        write(destinations, max_out, &known.destinations)?;
        if let (Some(into), Some(out)) = (&known.source_weights, &known.destination_weights) {
            let wanted = |place: *mut c_int| !matches!(place as usize, UNWEIGHTED | WEIGHTS_EMPTY);
            if wanted(source_weights) {
                write(source_weights, max_in, into)?;
            }
            if wanted(destination_weights) {
                write(destination_weights, max_out, out)?;
            }
        }
        Ok(())
    })
}

/// Returns the neighbours of a neighbourhood collective on a communicator.
pub(super) fn neighbors(comm: &Comm) -> Mpi<Neighbors> {
    match &*comm.topology.borrow() {
        None => Err(Fault::new(class::TOPOLOGY, "the communicator has no topology")),
        Some(Topology::Cartesian(cart)) => Ok(Neighbors::on_grid(cart, comm.info.rank)),
        Some(Topology::Graph(graph)) => Ok(Neighbors::on_graph(graph, comm.info.rank)),
        Some(Topology::Distributed(known)) => Ok(Neighbors::on_distributed_graph(known)),
    }
}
