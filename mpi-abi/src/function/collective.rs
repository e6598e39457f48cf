//! Collective operations (MPI chapter 6), each blocking, nonblocking and persistent.

use std::{
    ffi::{c_int, c_void},
    rc::Rc,
};

use mpi_api::{
    call::{
        CollectiveCall, CollectiveKind as Kind, Counts, Neighbors, Operation, ROOT_ELSEWHERE,
        ROOT_SELF, Reduction, Reply,
    },
    object::signature::Signature,
};

use super::{
    guard, operation,
    request::{self, Work},
    transfer::{Part, pack_all, unpack_all},
};
use crate::{
    constant::{Handle, class, number},
    state::{Comm, Fault, Mpi, Number, State, array, call},
};

/// `MPI_IN_PLACE`.
const IN_PLACE: usize = 1;

/// One rank's part, and where its data come from and go to.
pub(super) struct Plan {
    call: CollectiveCall,
    from: Vec<Part>,
    into: Vec<Part>,
}

/// A part without data.
pub(super) fn empty(comm: &Comm, kind: Kind) -> CollectiveCall {
    CollectiveCall {
        comm: comm.info.id,
        kind,
        root: 0,
        neighbors: None,
        reduction: None,
        input: Vec::new(),
        send: Counts::None,
        receive: Counts::None,
        signature: Signature::EMPTY,
    }
}

pub(super) fn plan(comm: &Comm, kind: Kind) -> Plan {
    Plan { call: empty(comm, kind), from: Vec::new(), into: Vec::new() }
}

impl Plan {
    /// Ranks may give different types and amounts.
    pub(super) fn unequal(mut self) -> Self {
        self.call.signature = Signature::EMPTY;
        self
    }

    /// Sends these parts.
    pub(super) fn sending(mut self, from: Vec<Part>, send: Counts) -> Self {
        if let Some(first) = from.first() {
            self.call.signature = first.signature();
        }
        self.from = from;
        self.call.send = send;
        self
    }

    /// Receives into these parts.
    pub(super) fn receiving(mut self, into: Vec<Part>, receive: Counts) -> Self {
        if self.call.signature.is_empty()
            && let Some(first) = into.first()
        {
            self.call.signature = first.signature();
        }
        self.into = into;
        self.call.receive = receive;
        self
    }

    /// Among neighbours.
    pub(super) fn between(mut self, neighbors: Rc<Neighbors>) -> Self {
        self.call.neighbors = Some(neighbors);
        self
    }

    pub(super) fn run(mut self, state: &State, site: mpi_api::call::Site) -> Mpi {
        self.call.input = pack_all(&self.from);
        if let Reply::Data(data) = state.kernel(site, Operation::Collective(self.call))? {
            unpack_all(&self.into, &data);
        }
        Ok(())
    }

    pub(super) fn start(
        mut self,
        state: &State,
        site: mpi_api::call::Site,
        comm: Handle,
        place: *mut Handle,
    ) -> Mpi {
        self.call.input = pack_all(&self.from);
        let reply = state.kernel(site, Operation::StartCollective(self.call))?;
        let at = (comm, (site, "a nonblocking collective"));
        request::started(state, reply, at, Work::filling(self.into), place)
    }

    pub(super) fn init(
        self,
        state: &State,
        site: mpi_api::call::Site,
        comm: Handle,
        place: *mut Handle,
    ) -> Mpi {
        let reply = state.kernel(site, Operation::InitCollective(self.call))?;
        let work = Work::Fill { into: self.into, from: self.from };
        let at = (comm, (site, "a persistent collective"));
        request::persistent(state, reply, at, work, place)
    }
}

pub(super) fn uniform(part: &Part) -> Counts {
    Counts::Uniform(part.bytes())
}

pub(super) fn each(parts: &[Part]) -> Counts {
    Counts::Each(parts.iter().map(Part::bytes).collect())
}

/// Where the data of a rooted operation are, as one rank sees it.
enum Role {
    /// This rank is the root.
    Root,
    /// Another rank is.
    Leaf,
    /// The root is in this rank's group of an intercommunicator.
    Idle,
}

fn root(comm: &Comm, root: c_int) -> Mpi<(u32, Role)> {
    let wrong = || Fault::new(class::ROOT, format!("root {root} is not a rank"));
    if comm.info.remote.is_some() {
        return match root {
            number::ROOT => Ok((ROOT_SELF, Role::Root)),
            number::PROC_NULL => Ok((ROOT_ELSEWHERE, Role::Idle)),
            rank if rank >= 0 && (rank as u32) < comm.peers() => Ok((rank as u32, Role::Leaf)),
            _ => Err(wrong()),
        };
    }
    match u32::try_from(root) {
        Ok(rank) if rank == comm.info.rank => Ok((rank, Role::Root)),
        Ok(rank) if rank < comm.size() => Ok((rank, Role::Leaf)),
        _ => Err(wrong()),
    }
}

/// Parts of a vector collective.
pub(super) fn vector<N: Number>(
    state: &State,
    buffer: usize,
    counts: *const N,
    displacements: *const N,
    datatype: Handle,
    ranks: u32,
) -> Mpi<Vec<Part>> {
    let counts = array(counts, i64::from(ranks))?;
    let displacements = array(displacements, i64::from(ranks))?;
    let whole = Part::new(state, 0, 0, datatype)?;
    let whole = Part { address: buffer, ..whole };
    counts
        .iter()
        .zip(displacements)
        .map(|(count, displacement)| {
            if count.wide() < 0 {
                return Err(Fault::new(class::COUNT, format!("the count is {}", count.wide())));
            }
            Ok(whole.at(displacement.wide()).with_count(count.wide()))
        })
        .collect()
}

/// Parts of a collective with a type for each rank; displacements are in bytes.
pub(super) fn typed<N: Number, D: Number>(
    state: &State,
    buffer: usize,
    counts: *const N,
    displacements: *const D,
    datatypes: *const Handle,
    ranks: u32,
) -> Mpi<Vec<Part>> {
    let counts = array(counts, i64::from(ranks))?;
    let displacements = array(displacements, i64::from(ranks))?;
    let datatypes = array(datatypes, i64::from(ranks))?;
    (0..ranks as usize)
        .map(|rank| {
            let part = Part::new(state, 1, counts[rank].wide(), datatypes[rank])?;
            let by = displacements[rank].wide() as isize;
            Ok(Part { address: buffer.wrapping_add_signed(by), ..part })
        })
        .collect()
}

fn barrier_plan(state: &State, comm: Handle) -> Mpi<Plan> {
    Ok(plan(&*state.comm(comm)?, Kind::Barrier))
}

fn bcast_plan<N: Number>(
    state: &State,
    (buffer, count, datatype): (*mut c_void, N, Handle),
    root_rank: c_int,
    comm: Handle,
) -> Mpi<Plan> {
    let comm = state.comm(comm)?;
    let (root, role) = root(&comm, root_rank)?;
    let part = Part::new(state, buffer as usize, count.wide(), datatype)?;
    let bytes = uniform(&part);
    let mut made = plan(&comm, Kind::Broadcast);
    made.call.root = root;
    made.call.signature = part.signature();
    (made.call.send, made.call.receive) = (bytes.clone(), bytes);
    // Every rank hands its buffer in: the schedules of the leaves overwrite it.
    made.from = vec![part.clone()];
    if matches!(role, Role::Leaf) {
        made.into = vec![part];
    }
    Ok(made)
}

fn gather_plan<N: Number>(
    state: &State,
    (send, send_count, send_type): (*const c_void, N, Handle),
    (receive, receive_count, receive_type): (*mut c_void, N, Handle),
    root_rank: c_int,
    comm: Handle,
) -> Mpi<Plan> {
    let comm = state.comm(comm)?;
    let (root, role) = root(&comm, root_rank)?;
    let mut made = plan(&comm, Kind::Gather);
    made.call.root = root;
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
    let bytes = own.as_ref().or(block.as_ref()).map_or(Counts::None, uniform);
    if let Some(own) = own {
        made = made.sending(vec![own], bytes.clone());
    }
    let blocks = block.map(|block| block.with_count(block.count * i64::from(comm.peers())));
    Ok(made.receiving(blocks.into_iter().collect(), bytes))
}

fn gatherv_plan<N: Number>(
    state: &State,
    (send, send_count, send_type): (*const c_void, N, Handle),
    (receive, counts, displacements, receive_type): (*mut c_void, *const N, *const N, Handle),
    root_rank: c_int,
    comm: Handle,
) -> Mpi<Plan> {
    let comm = state.comm(comm)?;
    let (root, role) = root(&comm, root_rank)?;
    let mut made = plan(&comm, Kind::Gather);
    made.call.root = root;
    let blocks = match role {
        Role::Root => {
            let ranks = comm.peers();
            vector(state, receive as usize, counts, displacements, receive_type, ranks)?
        }
        _ => Vec::new(),
    };
    let own = match role {
        Role::Idle => return Ok(made),
        Role::Root if comm.info.remote.is_some() => None,
        Role::Root if send as usize == IN_PLACE => Some(blocks[comm.info.rank as usize].clone()),
        _ => Some(Part::new(state, send as usize, send_count.wide(), send_type)?),
    };
    if let Some(own) = own {
        let bytes = uniform(&own);
        made = made.sending(vec![own], bytes);
    }
    if matches!(role, Role::Root) {
        let bytes = each(&blocks);
        made = made.receiving(blocks, bytes);
    }
    Ok(made)
}

fn scatter_plan<N: Number>(
    state: &State,
    (send, send_count, send_type): (*const c_void, N, Handle),
    (receive, receive_count, receive_type): (*mut c_void, N, Handle),
    root_rank: c_int,
    comm: Handle,
) -> Mpi<Plan> {
    let comm = state.comm(comm)?;
    let (root, role) = root(&comm, root_rank)?;
    let mut made = plan(&comm, Kind::Scatter);
    made.call.root = root;
    let block = match role {
        Role::Root => Some(Part::new(state, send as usize, send_count.wide(), send_type)?),
        _ => None,
    };
    let own = match role {
        Role::Idle => return Ok(made),
        Role::Root if comm.info.remote.is_some() || receive as usize == IN_PLACE => None,
        _ => Some(Part::new(state, receive as usize, receive_count.wide(), receive_type)?),
    };
    let bytes = own.as_ref().or(block.as_ref()).map_or(Counts::None, uniform);
    let blocks: Vec<Part> =
        block.map(|b| b.with_count(b.count * i64::from(comm.peers()))).into_iter().collect();
    made = made.sending(blocks, bytes.clone());
    Ok(made.receiving(own.into_iter().collect(), bytes))
}

fn scatterv_plan<N: Number>(
    state: &State,
    (send, counts, displacements, send_type): (*const c_void, *const N, *const N, Handle),
    (receive, receive_count, receive_type): (*mut c_void, N, Handle),
    root_rank: c_int,
    comm: Handle,
) -> Mpi<Plan> {
    let comm = state.comm(comm)?;
    let (root, role) = root(&comm, root_rank)?;
    let mut made = plan(&comm, Kind::Scatter);
    made.call.root = root;
    if matches!(role, Role::Root) {
        let ranks = comm.peers();
        let blocks = vector(state, send as usize, counts, displacements, send_type, ranks)?;
        let bytes = each(&blocks);
        if receive as usize == IN_PLACE {
            made.call.receive = Counts::Uniform(blocks[comm.info.rank as usize].bytes());
        }
        made = made.sending(blocks, bytes);
    }
    let own = match role {
        Role::Idle => return Ok(made),
        Role::Root if comm.info.remote.is_some() || receive as usize == IN_PLACE => None,
        _ => Some(Part::new(state, receive as usize, receive_count.wide(), receive_type)?),
    };
    if let Some(own) = own {
        let bytes = uniform(&own);
        made = made.receiving(vec![own], bytes);
    }
    Ok(made)
}

fn allgather_plan<N: Number>(
    state: &State,
    (send, send_count, send_type): (*const c_void, N, Handle),
    (receive, receive_count, receive_type): (*mut c_void, N, Handle),
    comm: Handle,
) -> Mpi<Plan> {
    let comm = state.comm(comm)?;
    let block = Part::new(state, receive as usize, receive_count.wide(), receive_type)?;
    let own = if send as usize == IN_PLACE && comm.info.remote.is_none() {
        block.at(i64::from(comm.info.rank) * block.count)
    } else {
        Part::new(state, send as usize, send_count.wide(), send_type)?
    };
    let (sent, taken) = (uniform(&own), uniform(&block));
    let blocks = block.with_count(block.count * i64::from(comm.peers()));
    Ok(plan(&comm, Kind::Allgather).sending(vec![own], sent).receiving(vec![blocks], taken))
}

fn allgatherv_plan<N: Number>(
    state: &State,
    (send, send_count, send_type): (*const c_void, N, Handle),
    (receive, counts, displacements, receive_type): (*mut c_void, *const N, *const N, Handle),
    comm: Handle,
) -> Mpi<Plan> {
    let comm = state.comm(comm)?;
    let ranks = comm.peers();
    let blocks = vector(state, receive as usize, counts, displacements, receive_type, ranks)?;
    let own = if send as usize == IN_PLACE && comm.info.remote.is_none() {
        blocks[comm.info.rank as usize].clone()
    } else {
        Part::new(state, send as usize, send_count.wide(), send_type)?
    };
    let (sent, taken) = (uniform(&own), each(&blocks));
    Ok(plan(&comm, Kind::Allgather).sending(vec![own], sent).receiving(blocks, taken))
}

fn alltoall_plan<N: Number>(
    state: &State,
    (send, send_count, send_type): (*const c_void, N, Handle),
    (receive, receive_count, receive_type): (*mut c_void, N, Handle),
    comm: Handle,
) -> Mpi<Plan> {
    let comm = state.comm(comm)?;
    let block = Part::new(state, receive as usize, receive_count.wide(), receive_type)?;
    let own = if send as usize == IN_PLACE && comm.info.remote.is_none() {
        block.clone()
    } else {
        Part::new(state, send as usize, send_count.wide(), send_type)?
    };
    let (sent, taken) = (uniform(&own), uniform(&block));
    let ranks = i64::from(comm.peers());
    let own = own.with_count(own.count * ranks);
    let blocks = block.with_count(block.count * ranks);
    Ok(plan(&comm, Kind::Alltoall).sending(vec![own], sent).receiving(vec![blocks], taken))
}

fn exchange(comm: &Comm, from: Vec<Part>, into: Vec<Part>) -> Plan {
    let (sent, taken) = (each(&from), each(&into));
    plan(comm, Kind::Alltoall).sending(from, sent).receiving(into, taken)
}

fn alltoallv_plan<N: Number>(
    state: &State,
    (send, counts, displacements, send_type): (*const c_void, *const N, *const N, Handle),
    (receive, r_counts, r_displacements, receive_type): (*mut c_void, *const N, *const N, Handle),
    comm: Handle,
) -> Mpi<Plan> {
    let comm = state.comm(comm)?;
    let ranks = comm.peers();
    let into = vector(state, receive as usize, r_counts, r_displacements, receive_type, ranks)?;
    let from = if send as usize == IN_PLACE && comm.info.remote.is_none() {
        into.clone()
    } else {
        vector(state, send as usize, counts, displacements, send_type, ranks)?
    };
    Ok(exchange(&comm, from, into))
}

type Typed<N> = (usize, *const N, *const N, *const Handle);

fn alltoallw_plan<N: Number>(
    state: &State,
    (send, counts, displacements, send_types): Typed<N>,
    (receive, r_counts, r_displacements, receive_types): Typed<N>,
    comm: Handle,
) -> Mpi<Plan> {
    let comm = state.comm(comm)?;
    let ranks = comm.peers();
    let into = typed(state, receive, r_counts, r_displacements, receive_types, ranks)?;
    let from = if send == IN_PLACE && comm.info.remote.is_none() {
        into.clone()
    } else {
        typed(state, send, counts, displacements, send_types, ranks)?
    };
    Ok(exchange(&comm, from, into))
}

/// A reduction of `part`, whose result goes into `into`.
fn reduction(
    state: &State,
    comm: &Comm,
    kind: Kind,
    (own, op, in_place): (Part, Handle, bool),
    into: Option<Part>,
) -> Mpi<Plan> {
    let op = operation::of(state, op, &own.datatype)?;
    let element_bytes = own.datatype.size().max(1);
    let primitive = own.datatype.primitive().or_else(|| own.datatype.signature().uniform());
    let mut made = plan(comm, kind);
    made.call.reduction = Some(Reduction {
        op,
        primitive: primitive.unwrap_or(mpi_api::object::signature::Primitive::Byte),
        element_bytes,
    });
    if !in_place && into.as_ref().is_some_and(|into| guard::aliased(&own, into)) {
        return Err(Fault::new(class::BUFFER, "the buffers overlap; MPI_IN_PLACE says so"));
    }
    let bytes = uniform(&own);
    Ok(made.sending(vec![own], bytes.clone()).receiving(into.into_iter().collect(), bytes))
}

type Reduced<N> = (*const c_void, *mut c_void, N, Handle, Handle);

fn reduce_plan<N: Number>(
    state: &State,
    (send, receive, count, datatype, op): Reduced<N>,
    root_rank: c_int,
    comm: Handle,
) -> Mpi<Plan> {
    let comm = state.comm(comm)?;
    let (root, role) = root(&comm, root_rank)?;
    if matches!(role, Role::Idle) {
        let mut made = plan(&comm, Kind::Reduce);
        made.call.root = root;
        return Ok(made);
    }
    let at_root = matches!(role, Role::Root);
    let target = || Part::new(state, receive as usize, count.wide(), datatype);
    let own = if at_root && (send as usize == IN_PLACE || comm.info.remote.is_some()) {
        target()?
    } else {
        Part::new(state, send as usize, count.wide(), datatype)?
    };
    let into = if at_root { Some(target()?) } else { None };
    let in_place = at_root && (send as usize == IN_PLACE || comm.info.remote.is_some());
    let mut made = reduction(state, &comm, Kind::Reduce, (own, op, in_place), into)?;
    made.call.root = root;
    Ok(made)
}

fn same_for_all<N: Number>(
    state: &State,
    kind: Kind,
    (send, receive, count, datatype, op): Reduced<N>,
    comm: Handle,
) -> Mpi<Plan> {
    let comm = match kind {
        Kind::Scan | Kind::Exscan => state.intra(comm)?,
        _ => state.comm(comm)?,
    };
    let into = Part::new(state, receive as usize, count.wide(), datatype)?;
    let own = if send as usize == IN_PLACE {
        into.clone()
    } else {
        Part::new(state, send as usize, count.wide(), datatype)?
    };
    let first = kind == Kind::Exscan && comm.info.rank == 0;
    let in_place = send as usize == IN_PLACE;
    reduction(state, &comm, kind, (own, op, in_place), (!first).then_some(into))
}

fn reduce_scatter_plan(
    state: &State,
    (send, receive, counts, datatype, op): (*const c_void, *mut c_void, Vec<i64>, Handle, Handle),
    comm: Handle,
) -> Mpi<Plan> {
    let comm = state.comm(comm)?;
    if let Some(count) = counts.iter().find(|count| **count < 0) {
        return Err(Fault::new(class::COUNT, format!("the count is {count}")));
    }
    let total: i64 = counts.iter().sum();
    let source = if send as usize == IN_PLACE { receive as usize } else { send as usize };
    let own = Part::new(state, source, total, datatype)?;
    let into =
        Part { address: receive as usize, ..own.with_count(counts[comm.info.rank as usize]) };
    let size = own.datatype.size();
    let blocks = counts.iter().map(|count| *count as u64 * size).collect();
    let in_place = send as usize == IN_PLACE;
    let mut made = reduction(state, &comm, Kind::ReduceScatter, (own, op, in_place), Some(into))?;
    made.call.receive = Counts::Each(blocks);
    Ok(made)
}

fn counts_of<N: Number>(state: &State, counts: *const N, comm: Handle) -> Mpi<Vec<i64>> {
    let size = state.comm(comm)?.size();
    Ok(array(counts, i64::from(size))?.iter().map(|count| count.wide()).collect())
}

/// The three forms of one operation.
macro_rules! collective {
    ($blocking:ident $immediate:ident $init:ident ($($name:ident: $kind:ty),*) |$state:ident, $comm:ident| $plan:expr) => {
        #[allow(clippy::too_many_arguments, reason = "the standard's")]
        pub(super) extern "C" fn $blocking<N: Number>($($name: $kind,)* $comm: Handle) -> c_int {
            call($comm, |$state, site| $plan?.run($state, site))
        }

        #[allow(clippy::too_many_arguments, reason = "the standard's")]
        pub(super) extern "C" fn $immediate<N: Number>(
            $($name: $kind,)*
            $comm: Handle,
            request: *mut Handle,
        ) -> c_int {
            call($comm, |$state, site| $plan?.start($state, site, $comm, request))
        }

        #[allow(clippy::too_many_arguments, reason = "the standard's")]
        pub(super) extern "C" fn $init<N: Number>(
            $($name: $kind,)*
            $comm: Handle,
            _info: Handle,
            request: *mut Handle,
        ) -> c_int {
            call($comm, |$state, site| $plan?.init($state, site, $comm, request))
        }
    };
}

pub(super) use collective;

collective! { barrier ibarrier barrier_init () |state, comm| barrier_plan(state, comm) }
collective! { bcast ibcast bcast_init
(buffer: *mut c_void, count: N, datatype: Handle, root: c_int)
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
|state, comm| reduce_plan(state, (s, r, count, datatype, op), root, comm) }
collective! { allreduce iallreduce allreduce_init
(s: *const c_void, r: *mut c_void, count: N, datatype: Handle, op: Handle)
|state, comm| same_for_all(state, Kind::Allreduce, (s, r, count, datatype, op), comm) }
collective! { scan iscan scan_init
(s: *const c_void, r: *mut c_void, count: N, datatype: Handle, op: Handle)
|state, comm| same_for_all(state, Kind::Scan, (s, r, count, datatype, op), comm) }
collective! { exscan iexscan exscan_init
(s: *const c_void, r: *mut c_void, count: N, datatype: Handle, op: Handle)
|state, comm| same_for_all(state, Kind::Exscan, (s, r, count, datatype, op), comm) }
collective! { reduce_scatter ireduce_scatter reduce_scatter_init
(s: *const c_void, r: *mut c_void, counts: *const N, datatype: Handle, op: Handle)
|state, comm| counts_of(state, counts, comm).and_then(|counts| reduce_scatter_plan(
    state, (s, r, counts, datatype, op), comm)) }
collective! { reduce_scatter_block ireduce_scatter_block reduce_scatter_block_init
(s: *const c_void, r: *mut c_void, count: N, datatype: Handle, op: Handle)
|state, comm| state.comm(comm).and_then(|found| reduce_scatter_plan(
    state, (s, r, vec![count.wide(); found.size() as usize], datatype, op), comm)) }
