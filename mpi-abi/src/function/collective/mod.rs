//! Collective operations (MPI chapter 6), each blocking, nonblocking and persistent.

mod plan;
mod reduction;
mod rooted;
mod rootless;
mod short;

use std::ffi::{c_int, c_void};

use mpi_api::call::{CollectiveKind as Kind, Form};

use self::{
    plan::barrier_plan,
    reduction::{counts_of, reduce_plan, reduce_scatter_plan, same_for_all},
    rooted::{bcast_plan, gather_plan, gatherv_plan, scatter_plan, scatterv_plan},
    rootless::{allgather_plan, allgatherv_plan, alltoall_plan, alltoallv_plan, alltoallw_plan},
};
use crate::{
    constant::{Handle, handle},
    state::{Number, call, creating},
};

pub(super) use plan::{Plan, each, plan, typed, uniform, vector};

/// Defines the three forms of one operation; the blocking one first tries the short path, if there is
/// one.
macro_rules! collective {
    ($blocking:ident $immediate:ident $init:ident ($($name:ident: $kind:ty),*)
     $(or $short:expr;)? |$state:ident, $comm:ident| $plan:expr) => {
        #[allow(clippy::too_many_arguments, reason = "the standard's")]
        pub(super) extern "C-unwind" fn $blocking<N: Number>($($name: $kind,)* $comm: Handle) -> c_int {
            $(if let Some(code) = $short {
                return code;
            })?
            call($comm, |$state, site| $plan?.run($state, site, $crate::function::collective::named!($blocking)))
        }

        #[allow(clippy::too_many_arguments, reason = "the standard's")]
        pub(super) extern "C-unwind" fn $immediate<N: Number>(
            $($name: $kind,)*
            $comm: Handle,
            request: *mut Handle,
        ) -> c_int {
            let at = ($comm, $crate::function::collective::named!($immediate));
            creating($comm, (request, handle::REQUEST_NULL), |$state, site| {
                $plan?.start($state, site, at, request)
            })
        }

        #[allow(clippy::too_many_arguments, reason = "the standard's")]
        pub(super) extern "C-unwind" fn $init<N: Number>(
            $($name: $kind,)*
            $comm: Handle,
            info: Handle,
            request: *mut Handle,
        ) -> c_int {
            let at = ($comm, $crate::function::collective::named!($init));
            creating($comm, (request, handle::REQUEST_NULL), |$state, site| {
                $crate::function::info::known($state, info)?;
                $plan?.init($state, site, at, request)
            })
        }
    };
}

pub(super) use collective;

/// Expands to the standard's name of one of these functions.
macro_rules! named {
    ($function:ident) => {
        const {
            const NAME: [u8; 4 + stringify!($function).len()] =
                $crate::function::collective::titled(stringify!($function));
            match std::str::from_utf8(&NAME) {
                Ok(name) => name,
                Err(_) => stringify!($function),
            }
        }
    };
}

pub(super) use named;

/// Returns `MPI_` followed by the name with its first letter in upper case.
pub(super) const fn titled<const LENGTH: usize>(name: &str) -> [u8; LENGTH] {
    let (prefix, name) = (b"MPI_", name.as_bytes());
    let mut made = [0; LENGTH];
    let mut at = 0;
    while at < LENGTH {
        made[at] = match at {
            0..4 => prefix[at],
            4 => name[0].to_ascii_uppercase(),
            _ => name[at - 4],
        };
        at += 1;
    }
    made
}

collective! { barrier ibarrier barrier_init ()
or short::barrier(comm);
|state, comm| barrier_plan(state, comm) }
collective! { bcast ibcast bcast_init
(buffer: *mut c_void, count: N, datatype: Handle, root: c_int)
or short::bcast((buffer, count, datatype), root, comm);
|state, comm| bcast_plan(state, (buffer, count, datatype), root, comm) }
collective! { gather igather gather_init
(s: *const c_void, sc: N, st: Handle, r: *mut c_void, rc: N, rt: Handle, root: c_int)
|state, comm| gather_plan(state, (s, sc, st), (r, rc, rt), root, comm) }
collective! { gatherv igatherv gatherv_init
(s: *const c_void, sc: N, st: Handle, r: *mut c_void, rc: *const N, rd: *const N, rt: Handle,
 root: c_int)
|state, comm| gatherv_plan(state, (s, sc, st), (r, rc, rd, rt), root, comm) }
collective! { scatter iscatter scatter_init
(s: *const c_void, sc: N, st: Handle, r: *mut c_void, rc: N, rt: Handle, root: c_int)
|state, comm| scatter_plan(state, (s, sc, st), (r, rc, rt), root, comm) }
collective! { scatterv iscatterv scatterv_init
(s: *const c_void, sc: *const N, sd: *const N, st: Handle, r: *mut c_void, rc: N, rt: Handle,
 root: c_int)
|state, comm| scatterv_plan(state, (s, sc, sd, st), (r, rc, rt), root, comm) }
collective! { allgather iallgather allgather_init
(s: *const c_void, sc: N, st: Handle, r: *mut c_void, rc: N, rt: Handle)
|state, comm| allgather_plan(state, (s, sc, st), (r, rc, rt), comm) }
collective! { allgatherv iallgatherv allgatherv_init
(s: *const c_void, sc: N, st: Handle, r: *mut c_void, rc: *const N, rd: *const N, rt: Handle)
|state, comm| allgatherv_plan(state, (s, sc, st), (r, rc, rd, rt), comm) }
collective! { alltoall ialltoall alltoall_init
(s: *const c_void, sc: N, st: Handle, r: *mut c_void, rc: N, rt: Handle)
|state, comm| alltoall_plan(state, (s, sc, st), (r, rc, rt), comm) }
collective! { alltoallv ialltoallv alltoallv_init
(s: *const c_void, sc: *const N, sd: *const N, st: Handle,
 r: *mut c_void, rc: *const N, rd: *const N, rt: Handle)
|state, comm| alltoallv_plan(state, (s, sc, sd, st), (r, rc, rd, rt), comm) }
collective! { alltoallw ialltoallw alltoallw_init
(s: *const c_void, sc: *const N, sd: *const N, st: *const Handle,
 r: *mut c_void, rc: *const N, rd: *const N, rt: *const Handle)
|state, comm| alltoallw_plan(state, (s as usize, sc, sd, st), (r as usize, rc, rd, rt), comm) }
collective! { reduce ireduce reduce_init
(s: *const c_void, r: *mut c_void, count: N, datatype: Handle, op: Handle, root: c_int)
or short::reduce((s, r, count, datatype, op), Some(root), comm);
|state, comm| reduce_plan(state, (s, r, count, datatype, op), root, comm) }
collective! { allreduce iallreduce allreduce_init
(s: *const c_void, r: *mut c_void, count: N, datatype: Handle, op: Handle)
or short::reduce((s, r, count, datatype, op), None, comm);
|state, comm| same_for_all(state, Kind::Allreduce, (s, r, count, datatype, op), comm) }
collective! { scan iscan scan_init
(s: *const c_void, r: *mut c_void, count: N, datatype: Handle, op: Handle)
|state, comm| same_for_all(state, Kind::Scan, (s, r, count, datatype, op), comm) }
collective! { exscan iexscan exscan_init
(s: *const c_void, r: *mut c_void, count: N, datatype: Handle, op: Handle)
|state, comm| same_for_all(state, Kind::Exscan, (s, r, count, datatype, op), comm) }
collective! { reduce_scatter ireduce_scatter reduce_scatter_init
(s: *const c_void, r: *mut c_void, counts: *const N, datatype: Handle, op: Handle)
|state, comm| counts_of(state, counts, comm).and_then(|known| {
    let ranks = known.len() as u32;
    let made = reduce_scatter_plan(state, (s, r, known, datatype, op), (comm, Form::Plain))?;
    Ok(made.holding(ranks, &[counts]))
}) }
collective! { reduce_scatter_block ireduce_scatter_block reduce_scatter_block_init
(s: *const c_void, r: *mut c_void, count: N, datatype: Handle, op: Handle)
|state, comm| state.comm(comm).and_then(|found| reduce_scatter_plan(
    state, (s, r, vec![count.wide(); found.size() as usize], datatype, op), (comm, Form::Block))) }
