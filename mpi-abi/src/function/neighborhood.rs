//! Neighbourhood collectives (MPI section 8.6), each blocking, nonblocking and persistent.

use std::{
    ffi::{c_int, c_void},
    rc::Rc,
};

use mpi_api::call::{CollectiveKind as Kind, Form, Neighbors};

use super::{
    collective::{Plan, collective, each, plan, typed, uniform, vector},
    graph,
    transfer::{Part, Parts},
};
use crate::{
    constant::{Handle, handle},
    purpose::Purpose,
    state::{Mpi, Number, State, call, creating},
};

/// Empties the blocks of null neighbours, which are neither sent nor received.
fn silent(parts: Parts, ranks: &[Option<u32>]) -> Parts {
    let quiet = |(part, rank): (Part, &Option<u32>)| {
        if rank.is_some() { part } else { part.with_count(0) }
    };
    parts.into_iter().zip(ranks).map(quiet).collect()
}

fn finish(
    state: &State,
    comm: Handle,
    (kind, form): (Kind, Form),
    from: Sent,
    into: Parts,
) -> Mpi<Plan> {
    let comm = state.comm(comm)?;
    let neighbors = graph::neighbors(&comm)?;
    let into = silent(into, &neighbors.sources);
    let taken = each(&into);
    let (from, sent) = match from {
        Sent::One(part) => {
            let bytes = uniform(&part);
            (Parts::from([part]), bytes)
        }
        Sent::Each(parts) => {
            let parts = silent(parts, &neighbors.destinations);
            let bytes = each(&parts);
            (parts, bytes)
        }
    };
    let made = plan(&comm, kind).sending(from, sent).receiving(into, taken);
    made.between(Rc::new(neighbors)).declared(form).apart()
}

/// The data that a rank sends.
enum Sent {
    /// The same block to all neighbours.
    One(Part),
    /// A separate block to each neighbour.
    Each(Parts),
}

fn known(state: &State, comm: Handle) -> Mpi<Neighbors> {
    graph::neighbors(&*state.intra(comm)?)
}

/// Returns the block for each of `count` neighbours; without neighbours the buffer is not
/// significant.
fn block(
    state: &State,
    (address, count, datatype): (usize, i64, Handle),
    neighbors: usize,
) -> Mpi<Part> {
    if neighbors == 0 {
        return Ok(Part::anywhere(state, count, datatype)?.with_count(0));
    }
    Part::new(state, address, count, datatype)
}

/// Returns consecutive blocks of equal size.
fn row(block: &Part, count: usize) -> Parts {
    (0..count as i64).map(|at| block.at(at * block.count)).collect()
}

type Block<N> = (usize, N, Handle);
type Blocks<N> = (usize, *const N, *const N, Handle);

fn allgather<N: Number>(
    state: &State,
    (send, count, datatype): Block<N>,
    (receive, r_count, r_type): Block<N>,
    comm: Handle,
) -> Mpi<Plan> {
    let neighbors = known(state, comm)?;
    let own = block(state, (send, count.wide(), datatype), neighbors.destinations.len())?;
    let taken = block(state, (receive, r_count.wide(), r_type), neighbors.sources.len())?;
    let into = row(&taken, neighbors.sources.len());
    finish(state, comm, (Kind::NeighborAllgather, Form::Plain), Sent::One(own), into)
}

fn allgatherv<N: Number>(
    state: &State,
    (send, count, datatype): Block<N>,
    (receive, counts, displacements, r_type): Blocks<N>,
    comm: Handle,
) -> Mpi<Plan> {
    let neighbors = known(state, comm)?;
    let own = block(state, (send, count.wide(), datatype), neighbors.destinations.len())?;
    let degree = neighbors.sources.len() as u32;
    let into = vector(state, receive, counts, displacements, r_type, degree)?;
    let how = (Kind::NeighborAllgather, Form::Vector);
    let made = finish(state, comm, how, Sent::One(own), into)?.unequal();
    Ok(made.holding(degree, &[counts, displacements]))
}

fn alltoall<N: Number>(
    state: &State,
    (send, count, datatype): Block<N>,
    (receive, r_count, r_type): Block<N>,
    comm: Handle,
) -> Mpi<Plan> {
    let neighbors = known(state, comm)?;
    let own = block(state, (send, count.wide(), datatype), neighbors.destinations.len())?;
    let taken = block(state, (receive, r_count.wide(), r_type), neighbors.sources.len())?;
    let from = row(&own, neighbors.destinations.len());
    let into = row(&taken, neighbors.sources.len());
    finish(state, comm, (Kind::NeighborAlltoall, Form::Plain), Sent::Each(from), into)
}

fn alltoallv<N: Number>(
    state: &State,
    (send, counts, displacements, datatype): Blocks<N>,
    (receive, r_counts, r_displacements, r_type): Blocks<N>,
    comm: Handle,
) -> Mpi<Plan> {
    let neighbors = known(state, comm)?;
    let (out, incoming) = (neighbors.destinations.len() as u32, neighbors.sources.len() as u32);
    let from = vector(state, send, counts, displacements, datatype, out)?;
    let into = vector(state, receive, r_counts, r_displacements, r_type, incoming)?;
    let how = (Kind::NeighborAlltoall, Form::Vector);
    let made = finish(state, comm, how, Sent::Each(from), into)?.unequal();
    let made = made.holding(out, &[counts, displacements]);
    Ok(made.holding(incoming, &[r_counts, r_displacements]))
}

type Typed<N> = (usize, *const N, *const i64, *const Handle);

fn alltoallw<N: Number>(
    state: &State,
    (send, counts, displacements, datatypes): Typed<N>,
    (receive, r_counts, r_displacements, r_types): Typed<N>,
    comm: Handle,
) -> Mpi<Plan> {
    let neighbors = known(state, comm)?;
    let (out, incoming) = (neighbors.destinations.len() as u32, neighbors.sources.len() as u32);
    let from = typed(state, send, counts, displacements, datatypes, (out, Purpose::Read))?;
    let into =
        typed(state, receive, r_counts, r_displacements, r_types, (incoming, Purpose::Write))?;
    let how = (Kind::NeighborAlltoall, Form::General);
    let made = finish(state, comm, how, Sent::Each(from), into)?.unequal();
    let made = made.holding(out, &[counts]).holding(incoming, &[r_counts]);
    let made = made.holding(out, &[displacements]).holding(incoming, &[r_displacements]);
    Ok(made.holding_types(out, &[datatypes]).holding_types(incoming, &[r_types]))
}

collective! { neighbor_allgather ineighbor_allgather neighbor_allgather_init
(s: *const c_void, sc: N, st: Handle, r: *mut c_void, rc: N, rt: Handle)
|state, comm| allgather(state, (s as usize, sc, st), (r as usize, rc, rt), comm) }
collective! { neighbor_allgatherv ineighbor_allgatherv neighbor_allgatherv_init
(s: *const c_void, sc: N, st: Handle, r: *mut c_void, rc: *const N, rd: *const N, rt: Handle)
|state, comm| allgatherv(state, (s as usize, sc, st), (r as usize, rc, rd, rt), comm) }
collective! { neighbor_alltoall ineighbor_alltoall neighbor_alltoall_init
(s: *const c_void, sc: N, st: Handle, r: *mut c_void, rc: N, rt: Handle)
|state, comm| alltoall(state, (s as usize, sc, st), (r as usize, rc, rt), comm) }
collective! { neighbor_alltoallv ineighbor_alltoallv neighbor_alltoallv_init
(s: *const c_void, sc: *const N, sd: *const N, st: Handle,
 r: *mut c_void, rc: *const N, rd: *const N, rt: Handle)
|state, comm| alltoallv(state, (s as usize, sc, sd, st), (r as usize, rc, rd, rt), comm) }
collective! { neighbor_alltoallw ineighbor_alltoallw neighbor_alltoallw_init
(s: *const c_void, sc: *const N, sd: *const i64, st: *const Handle,
 r: *mut c_void, rc: *const N, rd: *const i64, rt: *const Handle)
|state, comm| alltoallw(state, (s as usize, sc, sd, st), (r as usize, rc, rd, rt), comm) }
