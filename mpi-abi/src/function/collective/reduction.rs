//! Reductions (MPI sections 6.9 to 6.11).

use std::ffi::{c_int, c_void};

use mpi_api::call::{CollectiveKind as Kind, Counts, Form, Reduction};

use smallvec::smallvec;

use super::plan::{Plan, Role, plan, rooted, uniform};
use crate::{
    constant::Handle,
    function::{
        operation,
        sectioned::spread,
        transfer::{IN_PLACE, Part},
    },
    state::{Mpi, Number, State, argument, array},
};

/// Plans a reduction of `own` with the result in `into`.
fn reduction(
    state: &State,
    mut made: Plan,
    (own, op, in_place): (Part, Handle, bool),
    into: Option<Part>,
) -> Mpi<Plan> {
    let (op, primitive) = operation::of(state, op, &own.datatype)?;
    let element_bytes = own.datatype.size().max(1);
    made.call.reduction = Some(Reduction { op, primitive, element_bytes });
    let bytes = uniform(&own);
    let (own, into) = (spread(own)?, into.map(spread).transpose()?);
    let made =
        made.sending(smallvec![own], bytes.clone()).receiving(into.into_iter().collect(), bytes);
    made.apart_unless(in_place)
}

/// Buffers, count, type and operation of a reduction.
pub(super) type Reduced<N> = (*const c_void, *mut c_void, N, Handle, Handle);

pub(super) fn reduce_plan<N: Number>(
    state: &State,
    (send, receive, count, datatype, op): Reduced<N>,
    root_rank: c_int,
    comm: Handle,
) -> Mpi<Plan> {
    let (comm, role, made) = rooted(state, comm, Kind::Reduce, root_rank)?;
    if matches!(role, Role::Idle) {
        return Ok(made);
    }
    let at_root = matches!(role, Role::Root);
    let in_place = at_root && (send as usize == IN_PLACE || comm.info.remote.is_some());
    let target = || Part::new(state, receive as usize, count.wide(), datatype);
    let own =
        if in_place { target()? } else { Part::new(state, send as usize, count.wide(), datatype)? };
    let into = if at_root { Some(target()?) } else { None };
    reduction(state, made, (own, op, in_place), into)
}

pub(super) fn same_for_all<N: Number>(
    state: &State,
    kind: Kind,
    (send, receive, count, datatype, op): Reduced<N>,
    comm: Handle,
) -> Mpi<Plan> {
    let is_scan = matches!(kind, Kind::Scan | Kind::Exscan);
    let comm = if is_scan { state.intra(comm)? } else { state.comm(comm)? };
    let in_place = send as usize == IN_PLACE && comm.info.remote.is_none();
    let source = if in_place { receive as usize } else { send as usize };
    let own = Part::new(state, source, count.wide(), datatype)?;
    // The receive buffer of rank 0 is not significant in an exclusive scan (MPI 6.11.2).
    let first = kind == Kind::Exscan && comm.info.rank == 0;
    let target = || Part::new(state, receive as usize, count.wide(), datatype);
    let into = if first { None } else { Some(target()?) };
    reduction(state, plan(&comm, kind), (own, op, in_place), into)
}

pub(super) fn reduce_scatter_plan(
    state: &State,
    (send, receive, counts, datatype, op): (*const c_void, *mut c_void, Vec<i64>, Handle, Handle),
    (comm, form): (Handle, Form),
) -> Mpi<Plan> {
    let comm = state.comm(comm)?;
    counts.iter().try_for_each(|count| argument::count(*count).map(drop))?;
    let total: i64 = counts.iter().sum();
    let in_place = send as usize == IN_PLACE && comm.info.remote.is_none();
    let source = if in_place { receive as usize } else { send as usize };
    let own = Part::new(state, source, total, datatype)?;
    let into = Part::new(state, receive as usize, counts[comm.info.rank as usize], datatype)?;
    let size = own.datatype.size();
    let blocks = counts.iter().map(|count| *count as u64 * size).collect();
    let made = plan(&comm, Kind::ReduceScatter);
    let mut made = reduction(state, made, (own, op, in_place), Some(into))?;
    made.call.receive = Counts::Each(blocks);
    Ok(made.declared(form))
}

pub(super) fn counts_of<N: Number>(state: &State, counts: *const N, comm: Handle) -> Mpi<Vec<i64>> {
    let size = state.comm(comm)?.size();
    Ok(array(counts, i64::from(size))?.iter().map(|count| count.wide()).collect())
}
