//! The exchange of edges during the creation of a distributed graph.

use super::super::part;
use crate::{
    api::{
        point_to_point::accepted,
        topology::{Edge, SimpleCommunicator},
    },
    call::{CollectiveCall, CollectiveKind, Counts},
    error::{ErrorClass, MpiError},
    finding::CallPlace,
    object::graph::{EDGE_BYTES, bytes_of_edges, edges_of_bytes},
};

/// Returns all edges that all ranks give, in rank order: the communication inside
/// `MPI_Dist_graph_create`. Either all ranks or none must give weights; errors are those of the
/// function that is called.
pub(crate) fn exchange_edges(
    comm: &SimpleCommunicator,
    by: CallPlace,
    mine: &[Edge],
    weighted: bool,
) -> Option<Vec<Edge>> {
    let share = |input: Vec<u8>, receive: Counts| {
        let send = Counts::Uniform(input.len() as u64);
        let empty = part::empty(comm, CollectiveKind::Allgather, 0);
        part::take_part(
            comm,
            by.site,
            CollectiveCall { input, essential: true, send, receive, ..empty },
        )
    };
    let own = (mine.len() as u64) << 1 | u64::from(weighted);
    let told = share(own.to_le_bytes().to_vec(), Counts::Uniform(8))?;
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("8 bytes"));
    let told: Vec<u64> = told.chunks_exact(8).map(word).collect();
    let agree = told.iter().all(|word| word & 1 == own & 1);
    let mixed = || MpiError::new(ErrorClass::Arg, "some ranks give weights and some do not");
    accepted(comm, by, agree.then_some(()).ok_or_else(mixed))?;
    let sizes: Vec<u64> = told.iter().map(|word| (word >> 1) * EDGE_BYTES).collect();
    let all = share(bytes_of_edges(mine), Counts::Each(sizes.into()))?;
    Some(edges_of_bytes(&all))
}
