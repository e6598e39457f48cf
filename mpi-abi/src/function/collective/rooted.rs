//! Collectives with a root that move data (MPI sections 6.4 to 6.6).

use std::ffi::{c_int, c_void};

use mpi_api::call::{CollectiveKind as Kind, Counts, Form};

use smallvec::smallvec;

use super::plan::{Plan, Role, each, rooted, uniform, vector};
use crate::{
    constant::Handle,
    function::transfer::{IN_PLACE, Part, Parts},
    state::{Mpi, Number, State},
};

pub(super) fn bcast_plan<N: Number>(
    state: &State,
    (buffer, count, datatype): (*mut c_void, N, Handle),
    root_rank: c_int,
    comm: Handle,
) -> Mpi<Plan> {
    let (_, role, mut made) = rooted(state, comm, Kind::Broadcast, root_rank)?;
    if matches!(role, Role::Idle) {
        return Ok(made);
    }
    let part = Part::new(state, buffer as usize, count.wide(), datatype)?;
    let bytes = uniform(&part);
    made.call.signature = part.signature();
    (made.call.send, made.call.receive) = (bytes.clone(), bytes);
    // Every rank passes its buffer: the schedules of the leaves overwrite it.
    made.from = smallvec![part.clone()];
    if matches!(role, Role::Leaf) {
        made.into = smallvec![part];
        made.in_place = true;
    }
    made.written_once()
}

pub(super) fn gather_plan<N: Number>(
    state: &State,
    (send, send_count, send_type): (*const c_void, N, Handle),
    (receive, receive_count, receive_type): (*mut c_void, N, Handle),
    root_rank: c_int,
    comm: Handle,
) -> Mpi<Plan> {
    let (comm, role, mut made) = rooted(state, comm, Kind::Gather, root_rank)?;
    let block = match role {
        Role::Root => Some(Part::new(state, receive as usize, receive_count.wide(), receive_type)?),
        _ => None,
    };
    let own = match (&role, &block) {
        (Role::Idle, _) => return Ok(made),
        (Role::Root, _) if comm.info.remote.is_some() => None,
        (Role::Root, Some(block)) if send as usize == IN_PLACE => {
            Some(block.at(i64::from(comm.info.rank) * block.count))
        }
        _ => Some(Part::new(state, send as usize, send_count.wide(), send_type)?),
    };
    let taken = block.as_ref().or(own.as_ref()).map_or(Counts::None, uniform);
    if let Some(own) = own {
        let sent = uniform(&own);
        made = made.sending(smallvec![own], sent);
    }
    let blocks = block.map(|block| block.with_count(block.count * i64::from(comm.peers())));
    let made = made.receiving(blocks.into_iter().collect(), taken).declared(Form::Plain);
    made.apart_unless(send as usize == IN_PLACE)
}

pub(super) fn gatherv_plan<N: Number>(
    state: &State,
    (send, send_count, send_type): (*const c_void, N, Handle),
    (receive, counts, displacements, receive_type): (*mut c_void, *const N, *const N, Handle),
    root_rank: c_int,
    comm: Handle,
) -> Mpi<Plan> {
    let (comm, role, mut made) = rooted(state, comm, Kind::Gather, root_rank)?;
    let blocks = match role {
        Role::Root => {
            let ranks = comm.peers();
            vector(state, receive as usize, counts, displacements, receive_type, ranks)?
        }
        _ => Parts::new(),
    };
    let own = match role {
        Role::Idle => return Ok(made),
        Role::Root if comm.info.remote.is_some() => None,
        Role::Root if send as usize == IN_PLACE => Some(blocks[comm.info.rank as usize].clone()),
        _ => Some(Part::new(state, send as usize, send_count.wide(), send_type)?),
    };
    if let Some(own) = own {
        let bytes = uniform(&own);
        made = made.sending(smallvec![own], bytes);
    }
    if matches!(role, Role::Root) {
        let bytes = each(&blocks);
        made = made.receiving(blocks, bytes);
        made = made.holding(comm.peers(), &[counts, displacements]);
    }
    made.declared(Form::Vector).apart_unless(send as usize == IN_PLACE)
}

pub(super) fn scatter_plan<N: Number>(
    state: &State,
    (send, send_count, send_type): (*const c_void, N, Handle),
    (receive, receive_count, receive_type): (*mut c_void, N, Handle),
    root_rank: c_int,
    comm: Handle,
) -> Mpi<Plan> {
    let (comm, role, mut made) = rooted(state, comm, Kind::Scatter, root_rank)?;
    let block = match role {
        Role::Root => Some(Part::new(state, send as usize, send_count.wide(), send_type)?),
        _ => None,
    };
    let own = match role {
        Role::Idle => return Ok(made),
        Role::Root if comm.info.remote.is_some() || receive as usize == IN_PLACE => None,
        _ => Some(Part::new(state, receive as usize, receive_count.wide(), receive_type)?),
    };
    let sent = block.as_ref().or(own.as_ref()).map_or(Counts::None, uniform);
    let taken = own.as_ref().or(block.as_ref()).map_or(Counts::None, uniform);
    let blocks: Parts =
        block.map(|b| b.with_count(b.count * i64::from(comm.peers()))).into_iter().collect();
    made = made.sending(blocks, sent);
    made.receiving(own.into_iter().collect(), taken).declared(Form::Plain).apart()
}

pub(super) fn scatterv_plan<N: Number>(
    state: &State,
    (send, counts, displacements, send_type): (*const c_void, *const N, *const N, Handle),
    (receive, receive_count, receive_type): (*mut c_void, N, Handle),
    root_rank: c_int,
    comm: Handle,
) -> Mpi<Plan> {
    let (comm, role, mut made) = rooted(state, comm, Kind::Scatter, root_rank)?;
    if matches!(role, Role::Root) {
        let ranks = comm.peers();
        let blocks = vector(state, send as usize, counts, displacements, send_type, ranks)?;
        let bytes = each(&blocks);
        if receive as usize == IN_PLACE {
            made.call.receive = Counts::Uniform(blocks[comm.info.rank as usize].bytes());
        }
        made = made.sending(blocks, bytes).holding(ranks, &[counts, displacements]).read_once();
    }
    let own = match role {
        Role::Idle => return Ok(made),
        Role::Root if comm.info.remote.is_some() || receive as usize == IN_PLACE => None,
        _ => Some(Part::new(state, receive as usize, receive_count.wide(), receive_type)?),
    };
    if let Some(own) = own {
        let bytes = uniform(&own);
        made = made.receiving(smallvec![own], bytes);
    }
    made.declared(Form::Vector).apart()
}
