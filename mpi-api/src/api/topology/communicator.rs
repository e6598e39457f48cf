//! The operations of every communicator (MPI chapter 7).

use std::rc::Rc;

use sim_core::{SimDuration, with_caller_state};

use super::{
    Adjacency, AnyProcess, AttributeKey, CartesianCommunicator, Color, CommAttribute,
    CommunicatorRelation, DistributedGraphCommunicator, Edge, GraphCommunicator, Group,
    InterCommunicator, Key, Process, Rank, SimpleCommunicator, Topology, UserGroup, attribute,
    duplicate::duplicate,
    graph, relation,
    split::{split, split_shared},
};
use crate::{
    api::{Count, PROC_NULL, Tag, datatype::*, error},
    call::{ClockCall, CommCall, ErrorCall, ProcessCall, Reply, Site},
    error::{ErrorCode, ErrorHandler, MpiError},
    object::info::Info,
};

/// The operations of every communicator (MPI chapter 7).
pub trait Communicator {
    /// Returns the underlying communicator.
    fn as_simple(&self) -> &SimpleCommunicator;

    /// Returns the rank of the calling process (`MPI_Comm_rank`).
    fn rank(&self) -> Rank {
        self.as_simple().info.rank as Rank
    }

    /// Returns the number of processes, of the local group if there are two (`MPI_Comm_size`).
    fn size(&self) -> Rank {
        self.as_simple().info.group.size() as Rank
    }

    /// Returns the number of processes that messages can be sent to: for an intercommunicator, the
    /// remote ones.
    fn target_size(&self) -> Rank {
        let info = &self.as_simple().info;
        info.remote.as_ref().unwrap_or(&info.group).size() as Rank
    }

    /// Returns the kind of its virtual topology (`MPI_Topo_test`).
    fn topology(&self) -> Topology {
        let grid = self.as_simple().info.cart.is_some();
        if grid { Topology::Cartesian } else { Topology::Undefined }
    }

    /// Reports whether it is an intercommunicator (`MPI_Comm_test_inter`).
    fn test_inter(&self) -> bool {
        self.as_simple().info.remote.is_some()
    }

    /// Returns the process at a rank; sends and receives check that it exists.
    fn process_at_rank(&self, rank: Rank) -> Process<'_> {
        Process::new(self.as_simple(), rank)
    }

    /// Returns the calling process.
    fn this_process(&self) -> Process<'_> {
        self.process_at_rank(self.rank())
    }

    /// Returns `MPI_PROC_NULL`: sends and receives with it have no effect (MPI section 3.11).
    fn null_process(&self) -> Process<'_> {
        self.process_at_rank(PROC_NULL)
    }

    /// Returns `MPI_ANY_SOURCE`, as the source of a receive.
    fn any_process(&self) -> AnyProcess<'_> {
        AnyProcess::new(self.as_simple())
    }

    /// Returns simulated seconds since the start of the program (`MPI_Wtime`).
    #[track_caller]
    fn wtime(&self) -> f64 {
        let (context, site) = (&self.as_simple().context, Site::here());
        match with_caller_state(0, |state| context.call(site, ClockCall::Now(state))) {
            Some(Reply::Time(time)) => time.as_secs_f64(),
            _ => 0.0,
        }
    }

    /// Spends `seconds` of simulated processor time outside MPI; negative values count as 0.
    #[track_caller]
    fn compute(&self, seconds: f64) {
        let length = SimDuration::from_ps((seconds.max(0.0) * 1e12) as u64);
        self.as_simple().context.call(Site::here(), ClockCall::Compute(length));
    }

    /// Ends the run with an error code (`MPI_Abort`).
    #[track_caller]
    fn abort(&self, errorcode: i32) -> ! {
        let comm = self.as_simple();
        comm.context.call(Site::here(), ProcessCall::Abort(comm.info.id, errorcode));
        panic!("an aborted program does not go on")
    }

    /// Sets the error handler of this rank for this communicator, and for those created from it
    /// later (`MPI_Comm_set_errhandler`). `ErrorHandler::new(|error| …)` is a function.
    #[track_caller]
    fn set_error_handler(&self, handler: ErrorHandler) {
        let comm = self.as_simple();
        comm.context.call(Site::here(), ErrorCall::SetHandler(comm.info.id, handler));
    }

    /// Returns the error handler (`MPI_Comm_get_errhandler`).
    #[track_caller]
    fn error_handler(&self) -> ErrorHandler {
        error::handler_of(self.as_simple(), Site::here())
    }

    /// Calls the error handler with an error that the program has found
    /// (`MPI_Comm_call_errhandler`). An unknown code is itself an error; success has no effect.
    #[track_caller]
    fn call_error_handler(&self, code: ErrorCode) {
        error::call_handler(self.as_simple(), Site::here(), code);
    }

    /// Takes the error of the last call that failed, unless errors are fatal.
    fn take_error(&self) -> Option<MpiError> {
        self.as_simple().context.take_error()
    }

    /// Sets the name (`MPI_Comm_set_name`).
    fn set_name(&self, name: &str) {
        let comm = self.as_simple();
        comm.context.set_name(comm.info.id, name);
    }

    /// Returns the name (`MPI_Comm_get_name`).
    fn get_name(&self) -> String {
        let comm = self.as_simple();
        comm.context.name(comm.info.id)
    }

    /// Compares two communicators (`MPI_Comm_compare`).
    fn compare(&self, other: &dyn Communicator) -> CommunicatorRelation {
        relation::compare(self.as_simple(), other.as_simple())
    }

    /// Returns the group (`MPI_Comm_group`).
    fn group(&self) -> UserGroup {
        let comm = self.as_simple();
        UserGroup::new(comm.info.group.clone(), comm.context.number())
    }

    /// Duplicates the communicator without its topology (`MPI_Comm_dup`); see
    /// `duplicate_with_topology` of grids and graphs.
    #[track_caller]
    fn duplicate(&self) -> SimpleCommunicator {
        let comm = self.as_simple();
        duplicate(comm, None, Site::here()).unwrap_or_else(|| comm.alias())
    }

    /// Duplicates the communicator with these hints, as keys and values (`MPI_Comm_dup_with_info`).
    #[track_caller]
    fn duplicate_with_info(&self, info: &[(&str, &str)]) -> SimpleCommunicator {
        let comm = self.as_simple();
        duplicate(comm, Some(info.into()), Site::here()).unwrap_or_else(|| comm.alias())
    }

    /// Adds to the hints; an existing key gets the new value (`MPI_Comm_set_info`). Hints have no
    /// effect on the simulation, but all ranks make the call.
    #[track_caller]
    fn set_info(&self, info: &[(&str, &str)]) {
        let comm = self.as_simple();
        comm.context.call(Site::here(), CommCall::SetInfo(comm.info.id));
        comm.context.hints().borrow_mut().entry(comm.info.id).or_default().update(info.into());
    }

    /// Returns the hints that the standard defines, in the order in which they were set
    /// (`MPI_Comm_get_info`).
    fn info(&self) -> Vec<(String, String)> {
        let comm = self.as_simple();
        let hints = comm.context.hints().borrow();
        hints.get(&comm.info.id).map(Info::recognised).unwrap_or_default().0
    }

    /// Attaches a value to the communicator, replacing the one of this key (`MPI_Comm_set_attr`).
    fn set_attribute<T>(&self, key: &AttributeKey<T>, value: T)
    where
        Self: Sized,
    {
        let comm = self.as_simple();
        attribute::set(&comm.context, comm.info.id, key, value);
    }

    /// Returns the value of a key (`MPI_Comm_get_attr`).
    fn attribute<T>(&self, key: &AttributeKey<T>) -> Option<Rc<T>>
    where
        Self: Sized,
    {
        let comm = self.as_simple();
        attribute::get(&comm.context, comm.info.id, key)
    }

    /// Attaches a value under its type, as in rsmpi (`MPI_Comm_set_attr`).
    fn set_attr<A: CommAttribute>(&mut self, value: A)
    where
        Self: Sized,
    {
        let comm = self.as_simple();
        attribute::set_by_type(&comm.context, comm.info.id, value);
    }

    /// Borrows the value of a type, as in rsmpi (`MPI_Comm_get_attr`).
    fn get_attr<A: CommAttribute>(&self) -> Option<&A>
    where
        Self: Sized,
    {
        let comm = self.as_simple();
        attribute::get_by_type(&comm.context, comm.info.id)
    }

    /// Deletes the value of a key and reports whether there was one (`MPI_Comm_delete_attr`).
    fn delete_attribute<T>(&self, key: &AttributeKey<T>) -> bool
    where
        Self: Sized,
    {
        let comm = self.as_simple();
        attribute::delete(&comm.context, comm.info.id, key)
    }

    /// Connects the group of this communicator with another group (`MPI_Intercomm_create`). All
    /// ranks of both groups call it; each group's leader passes the communicator that contains both
    /// leaders, and the rank of the other leader in it.
    #[track_caller]
    fn create_intercommunicator(
        &self,
        local_leader: Rank,
        peer: Option<(&dyn Communicator, Rank)>,
        tag: Tag,
    ) -> Option<InterCommunicator> {
        let peer = peer.map(|(comm, rank)| (comm.as_simple(), rank));
        InterCommunicator::create(self.as_simple(), local_leader, peer, tag, Site::here())
    }

    /// Returns the intercommunicator with the ranks that spawned the calling one
    /// (`MPI_Comm_get_parent`). `None` for an initial rank of the run, and after
    /// [`Universe::disconnect_parent`](crate::api::environment::Universe::disconnect_parent).
    fn parent(&self) -> Option<InterCommunicator> {
        let context = &self.as_simple().context;
        let info = context.parent()?;
        Some(InterCommunicator::of(SimpleCommunicator::lent(context.clone(), info)))
    }

    /// Splits the communicator by colour, with key 0 (`MPI_Comm_split`).
    #[track_caller]
    fn split_by_color(&self, color: Color) -> Option<SimpleCommunicator> {
        self.split_by_color_with_key(color, Key::default())
    }

    /// Splits the communicator by colour and key (`MPI_Comm_split`); `None` without a colour.
    #[track_caller]
    fn split_by_color_with_key(&self, color: Color, key: Key) -> Option<SimpleCommunicator> {
        split(self.as_simple(), color, key, Site::here())
    }

    /// Creates a communicator of the ranks on one node (`MPI_Comm_split_type` with
    /// `MPI_COMM_TYPE_SHARED`).
    #[track_caller]
    fn split_shared(&self, key: Key) -> SimpleCommunicator {
        split_shared(self.as_simple(), key, Site::here())
    }

    /// Creates a communicator for the ranks of a group; all ranks call it (`MPI_Comm_create`).
    #[track_caller]
    fn split_by_subgroup_collective(&self, group: &dyn Group) -> Option<SimpleCommunicator> {
        let comm = self.as_simple();
        comm.make(Site::here(), CommCall::Create(comm.info.id, group.members().clone()))
    }

    /// Creates a communicator for a group with tag 0; only ranks of the group call it
    /// (`MPI_Comm_create_group`).
    #[track_caller]
    fn split_by_subgroup(&self, group: &dyn Group) -> Option<SimpleCommunicator> {
        self.split_by_subgroup_with_tag(group, Tag::default())
    }

    /// Creates a communicator for a group (`MPI_Comm_create_group`); other ranks need not call it
    /// and get `None`.
    #[track_caller]
    fn split_by_subgroup_with_tag(
        &self,
        group: &dyn Group,
        tag: Tag,
    ) -> Option<SimpleCommunicator> {
        let (comm, members) = (self.as_simple(), group.members().clone());
        group.rank()?;
        comm.make(Site::here(), CommCall::CreateFromGroup(comm.info.id, members, tag))
    }

    /// Creates a communicator with a Cartesian topology (`MPI_Cart_create`); `None` for ranks
    /// without a place in the grid. With `reorder`, ranks are numbered so that neighbours are close
    /// on the simulated network; this also holds for the functions below.
    #[track_caller]
    fn create_cartesian_communicator(
        &self,
        dims: &[Count],
        periods: &[bool],
        reorder: bool,
    ) -> Option<CartesianCommunicator> {
        CartesianCommunicator::create(self.as_simple(), dims, periods, reorder, Site::here())
    }

    /// Creates a communicator with a graph topology (`MPI_Graph_create`); `index` contains the end
    /// of each node's edges in `edges`. `None` for ranks without a place in the graph.
    #[track_caller]
    fn create_graph_communicator(
        &self,
        index: &[Count],
        edges: &[Rank],
        reorder: bool,
    ) -> Option<GraphCommunicator> {
        GraphCommunicator::create(self.as_simple(), index, edges, reorder, Site::here())
    }

    /// Creates a distributed graph; every rank gives its own neighbours
    /// (`MPI_Dist_graph_create_adjacent`).
    #[track_caller]
    fn create_adjacent_graph_communicator(
        &self,
        neighbors: Adjacency,
        reorder: bool,
    ) -> Option<DistributedGraphCommunicator> {
        let (comm, site) = (self.as_simple(), Site::here());
        DistributedGraphCommunicator::create_adjacent(comm, neighbors, reorder, site)
    }

    /// Creates a distributed graph; any rank gives any edges (`MPI_Dist_graph_create`). Without
    /// `weighted` the weights are ignored.
    #[track_caller]
    fn create_distributed_graph_communicator(
        &self,
        edges: &[Edge],
        weighted: bool,
        reorder: bool,
    ) -> Option<DistributedGraphCommunicator> {
        let (comm, site) = (self.as_simple(), Site::here());
        DistributedGraphCommunicator::create(comm, edges, weighted, reorder, site)
    }

    /// Returns the rank that the calling process would have in a reordered grid (`MPI_Cart_map`);
    /// `None` without a place. Its actual rank does not change. By policy the call is collective.
    #[track_caller]
    fn cartesian_map(&self, dims: &[Count], periods: &[bool]) -> Option<Rank> {
        CartesianCommunicator::map(self.as_simple(), dims, periods, Site::here())
    }

    /// Returns the rank that the calling process would have in a graph of
    /// `create_graph_communicator` (`MPI_Graph_map`).
    #[track_caller]
    fn graph_map(&self, index: &[Count], edges: &[Rank]) -> Option<Rank> {
        graph::map(self.as_simple(), index, edges, Site::here())
    }

    /// Returns the bytes that `incount` packed elements take (`MPI_Pack_size`).
    #[track_caller]
    fn pack_size<Dt: Datatype>(&self, incount: Count, datatype: &Dt) -> Count
    where
        Self: Sized,
    {
        super::packing::size(self.as_simple(), Site::here(), incount, datatype)
    }

    /// Packs a buffer into a new vector (`MPI_Pack`).
    #[track_caller]
    fn pack<Buf: Buffer + ?Sized>(&self, inbuf: &Buf) -> Vec<u8>
    where
        Self: Sized,
    {
        super::packing::pack(self.as_simple(), Site::here(), inbuf)
    }

    /// Packs a buffer to `position` and returns the position after it (`MPI_Pack`).
    #[track_caller]
    fn pack_into<Buf: Buffer + ?Sized>(
        &self,
        inbuf: &Buf,
        outbuf: &mut [u8],
        position: Count,
    ) -> Count
    where
        Self: Sized,
    {
        super::packing::pack_into(self.as_simple(), Site::here(), inbuf, outbuf, position)
    }

    /// Unpacks from `position` and returns the position after it (`MPI_Unpack`).
    ///
    /// # Safety
    /// The bytes at `position` were packed from data of the same types.
    #[track_caller]
    #[allow(unsafe_code, reason = "the signature is rsmpi's")]
    unsafe fn unpack_into<Buf: BufferMut + ?Sized>(
        &self,
        inbuf: &[u8],
        outbuf: &mut Buf,
        position: Count,
    ) -> Count
    where
        Self: Sized,
    {
        super::packing::unpack_into(self.as_simple(), Site::here(), inbuf, outbuf, position)
    }
}
