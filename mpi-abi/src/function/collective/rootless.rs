//! Collectives without a root that move data (MPI sections 6.7 and 6.8).

use std::ffi::c_void;

use mpi_api::call::{CollectiveKind as Kind, Form};

use smallvec::smallvec;

use super::plan::{Plan, each, plan, typed, uniform, vector};
use crate::{
    constant::Handle,
    function::transfer::{IN_PLACE, Part, Parts},
    purpose::Purpose,
    state::{Comm, Mpi, Number, State},
};

/// Reports whether the data are in place, which is not possible on an intercommunicator.
fn in_place(send: usize, comm: &Comm) -> bool {
    send == IN_PLACE && comm.info.remote.is_none()
}

pub(super) fn allgather_plan<N: Number>(
    state: &State,
    (send, send_count, send_type): (*const c_void, N, Handle),
    (receive, receive_count, receive_type): (*mut c_void, N, Handle),
    comm: Handle,
) -> Mpi<Plan> {
    let comm = state.comm(comm)?;
    let in_place = in_place(send as usize, &comm);
    let block = Part::new(state, receive as usize, receive_count.wide(), receive_type)?;
    let own = if in_place {
        block.at(i64::from(comm.info.rank) * block.count)
    } else {
        Part::new(state, send as usize, send_count.wide(), send_type)?
    };
    let (sent, taken) = (uniform(&own), uniform(&block));
    let blocks = block.with_count(block.count * i64::from(comm.peers()));
    let made = plan(&comm, Kind::Allgather).sending(smallvec![own], sent);
    made.receiving(smallvec![blocks], taken).declared(Form::Plain).apart_unless(in_place)
}

pub(super) fn allgatherv_plan<N: Number>(
    state: &State,
    (send, send_count, send_type): (*const c_void, N, Handle),
    (receive, counts, displacements, receive_type): (*mut c_void, *const N, *const N, Handle),
    comm: Handle,
) -> Mpi<Plan> {
    let comm = state.comm(comm)?;
    let in_place = in_place(send as usize, &comm);
    let ranks = comm.peers();
    let blocks = vector(state, receive as usize, counts, displacements, receive_type, ranks)?;
    let own = if in_place {
        blocks[comm.info.rank as usize].clone()
    } else {
        Part::new(state, send as usize, send_count.wide(), send_type)?
    };
    let (sent, taken) = (uniform(&own), each(&blocks));
    let made = plan(&comm, Kind::Allgather).sending(smallvec![own], sent).receiving(blocks, taken);
    made.holding(ranks, &[counts, displacements]).declared(Form::Vector).apart_unless(in_place)
}

pub(super) fn alltoall_plan<N: Number>(
    state: &State,
    (send, send_count, send_type): (*const c_void, N, Handle),
    (receive, receive_count, receive_type): (*mut c_void, N, Handle),
    comm: Handle,
) -> Mpi<Plan> {
    let comm = state.comm(comm)?;
    let in_place = in_place(send as usize, &comm);
    let block = Part::new(state, receive as usize, receive_count.wide(), receive_type)?;
    let own = if in_place {
        block.clone()
    } else {
        Part::new(state, send as usize, send_count.wide(), send_type)?
    };
    let (sent, taken) = (uniform(&own), uniform(&block));
    let ranks = i64::from(comm.peers());
    let own = own.with_count(own.count * ranks);
    let blocks = block.with_count(block.count * ranks);
    let made = plan(&comm, Kind::Alltoall).sending(smallvec![own], sent);
    made.receiving(smallvec![blocks], taken).declared(Form::Plain).apart_unless(in_place)
}

/// Plans an exchange of blocks that the arrays of each side describe; those of the data to send have no meaning in place.
fn exchange<N: Number>(
    comm: &Comm,
    (from, sent): (Parts, [*const N; 2]),
    (into, received): (Parts, [*const N; 2]),
    (form, in_place): (Form, bool),
) -> Mpi<Plan> {
    let (sends, taken, ranks) = (each(&from), each(&into), comm.peers());
    let mut made = plan(comm, Kind::Alltoall).sending(from, sends).receiving(into, taken);
    made = made.holding(ranks, &received);
    if !in_place {
        made = made.holding(ranks, &sent);
    }
    made.declared(form).apart_unless(in_place)
}

pub(super) fn alltoallv_plan<N: Number>(
    state: &State,
    (send, counts, displacements, send_type): (*const c_void, *const N, *const N, Handle),
    (receive, r_counts, r_displacements, receive_type): (*mut c_void, *const N, *const N, Handle),
    comm: Handle,
) -> Mpi<Plan> {
    let comm = state.comm(comm)?;
    let in_place = in_place(send as usize, &comm);
    let ranks = comm.peers();
    let into = vector(state, receive as usize, r_counts, r_displacements, receive_type, ranks)?;
    let from = if in_place {
        into.clone()
    } else {
        vector(state, send as usize, counts, displacements, send_type, ranks)?
    };
    let (sent, received) = ([counts, displacements], [r_counts, r_displacements]);
    exchange(&comm, (from, sent), (into, received), (Form::Vector, in_place))
}

type Typed<N> = (usize, *const N, *const N, *const Handle);

pub(super) fn alltoallw_plan<N: Number>(
    state: &State,
    (send, counts, displacements, send_types): Typed<N>,
    (receive, r_counts, r_displacements, receive_types): Typed<N>,
    comm: Handle,
) -> Mpi<Plan> {
    let comm = state.comm(comm)?;
    let in_place = in_place(send, &comm);
    let ranks = comm.peers();
    let into =
        typed(state, receive, r_counts, r_displacements, receive_types, (ranks, Purpose::Write))?;
    let from = if in_place {
        into.clone()
    } else {
        typed(state, send, counts, displacements, send_types, (ranks, Purpose::Read))?
    };
    let (sent, received) = ([counts, displacements], [r_counts, r_displacements]);
    let made = exchange(&comm, (from, sent), (into, received), (Form::General, in_place))?;
    let types = [receive_types, send_types];
    Ok(made.holding_types(ranks, if in_place { &types[..1] } else { &types }))
}
