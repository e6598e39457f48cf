//! Partitioned communication (MPI section 4.2).

use std::{
    ffi::{c_int, c_void},
    rc::Rc,
};

use mpi_api::{
    call::{Partitioned, PartitionedCall, Payload, Reply, Site, Source},
    finding::CallPlace,
};

use super::{
    info,
    point_to_point::{destination, origin, receivable},
    request::{self, Work},
    transfer::Part,
};
use crate::{
    constant::{Handle, class, handle},
    state::{Fault, Mpi, Partitions, State, argument, array, call, creating, put, wanted},
};

/// The arguments of `MPI_Psend_init` and `MPI_Precv_init`.
struct Given {
    buffer: usize,
    partitions: c_int,
    count: i64,
    datatype: Handle,
    peer: c_int,
    tag: c_int,
    comm: Handle,
}

fn init(given: Given, sends: bool, (info, request): (Handle, *mut Handle)) -> c_int {
    let Given { buffer, partitions, count, datatype, peer, tag, comm } = given;
    creating(comm, (request, handle::REQUEST_NULL), |state, site| {
        wanted(request)?;
        info::known(state, info)?;
        argument::at_least(0, class::ARG, "the number of partitions", partitions.into())?;
        argument::count(count)?;
        let all = count.checked_mul(i64::from(partitions));
        let all = all.ok_or_else(|| Fault::new(class::COUNT, "the message is too long"))?;
        let whole = Part::new(state, buffer, all, datatype)?;
        receivable_if(!sends, &whole)?;
        argument::tag(tag)?;
        let known = state.comm(comm)?;
        let peer = if sends { destination(&known, peer)? } else { partner(origin(&known, peer)?)? };
        let bytes = whole.with_count(count).bytes();
        let layout = whole.layout();
        let partitions = partitions as u64;
        let (comm_id, signature) = (known.info.id, whole.signature());
        let asked =
            Partitioned { sends, comm: comm_id, peer, tag, partitions, bytes, signature, layout };
        let name = if sends { "MPI_Psend_init" } else { "MPI_Precv_init" };
        let by = CallPlace { call: name, site };
        // With the null process nothing of the buffer is used (MPI 5.0, 3.10).
        let (whole, count) = match peer {
            Some(_) => (whole, count),
            None => (whole.with_count(0), 0),
        };
        let own = Partitions::new(whole, (partitions, count), sends);
        own.compare(state, by)?;
        let reply = state.kernel(site, PartitionedCall::Init(asked))?;
        request::persistent(state, reply, (comm, by), Work::Partitioned(Rc::new(own)), request)
    })
}

fn receivable_if(receives: bool, part: &Part) -> Mpi {
    if receives { receivable(part) } else { part.check_message() }
}

/// Returns the partner; wildcards are not allowed in partitioned receives.
fn partner(source: Source) -> Mpi<Option<u32>> {
    match source {
        Source::Rank(rank) => Ok(Some(rank)),
        Source::Null => Ok(None),
        Source::Any => Err(Fault::new(class::RANK, "a partitioned receive names its source")),
    }
}

#[allow(clippy::too_many_arguments, reason = "the standard's")]
pub(super) extern "C-unwind" fn psend_init(
    buffer: *const c_void,
    partitions: c_int,
    count: i64,
    datatype: Handle,
    peer: c_int,
    tag: c_int,
    comm: Handle,
    info: Handle,
    request: *mut Handle,
) -> c_int {
    let buffer = buffer as usize;
    init(Given { buffer, partitions, count, datatype, peer, tag, comm }, true, (info, request))
}

#[allow(clippy::too_many_arguments, reason = "the standard's")]
pub(super) extern "C-unwind" fn precv_init(
    buffer: *mut c_void,
    partitions: c_int,
    count: i64,
    datatype: Handle,
    peer: c_int,
    tag: c_int,
    comm: Handle,
    info: Handle,
    request: *mut Handle,
) -> c_int {
    let buffer = buffer as usize;
    init(Given { buffer, partitions, count, datatype, peer, tag, comm }, false, (info, request))
}

/// Returns the partitions of a partitioned request, and whether it is active.
fn of(state: &State, request: Handle, sends: bool) -> Mpi<(Rc<Partitions>, bool)> {
    let requests = state.requests.borrow();
    let found = requests.get(request).and_then(|known| match &known.work {
        Work::Partitioned(own) if own.receives() != sends => Some((Rc::clone(own), known.active)),
        _ => None,
    });
    let kind = if sends { "send" } else { "receive" };
    found.ok_or_else(|| Fault::new(class::REQUEST, format!("no request of a partitioned {kind}")))
}

/// Declares partitions ready, each at most once per round.
fn ready(state: &State, site: Site, request: Handle, list: impl Iterator<Item = c_int>) -> Mpi {
    let (own, active) = of(state, request, true)?;
    if !active {
        return Err(Fault::new(class::REQUEST, "the partitioned send was not started"));
    }
    let mut parts: Vec<(u64, Payload)> = Vec::new();
    for partition in list {
        let index = own.index(partition)?;
        if own.set_done(index) {
            let text = format!("partition {partition} was declared ready before");
            return Err(Fault::new(class::REQUEST, text));
        }
        own.own(state, CallPlace { call: "MPI_Pready", site }, index)?;
        parts.push((index as u64, own.part(index).message(state.carried())));
    }
    let (id, _) = request::known(state, request)?;
    state.kernel(site, PartitionedCall::Ready(id, parts)).map(|_| ())
}

pub(super) extern "C-unwind" fn pready(partition: c_int, request: Handle) -> c_int {
    call(request::comm_of(&[request]), |state, site| {
        ready(state, site, request, std::iter::once(partition))
    })
}

pub(super) extern "C-unwind" fn pready_range(low: c_int, high: c_int, request: Handle) -> c_int {
    call(request::comm_of(&[request]), |state, site| {
        if low > high {
            return Err(Fault::new(
                class::ARG,
                format!(
                    "the first partition is {low}, the last one {high}; allowed is a first one up to the last"
                ),
            ));
        }
        ready(state, site, request, low..=high)
    })
}

pub(super) extern "C-unwind" fn pready_list(
    length: c_int,
    list: *const c_int,
    request: Handle,
) -> c_int {
    call(request::comm_of(&[request]), |state, site| {
        let list = array(list, i64::from(length))?;
        ready(state, site, request, list.iter().copied())
    })
}

pub(super) extern "C-unwind" fn parrived(
    request: Handle,
    partition: c_int,
    flag: *mut c_int,
) -> c_int {
    call(request::comm_of(&[request]), |state, site| {
        let (own, active) = of(state, request, false)?;
        let index = own.index(partition)?;
        if !active || own.is_done(index) {
            return put(flag, 1);
        }
        let (id, _) = request::known(state, request)?;
        let ask = PartitionedCall::Arrived(id, index as u64);
        let Reply::Completed(completion) = state.kernel(site, ask)? else { return put(flag, 0) };
        own.give_back_one(state, site, index)?;
        if let Some(payload) = &completion.payload {
            own.part(index).unpack(payload.as_slice());
        }
        own.set_done(index);
        put(flag, 1)
    })
}
