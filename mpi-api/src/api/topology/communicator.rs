//! What every communicator can do (MPI chapter 7).

use std::rc::Rc;

use sim_core::SimDuration;

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
    call::{Operation, Reply, Site},
    error::{ErrorCode, ErrorHandler, MpiError},
    object::info::Info,
};

/// What every communicator can do.
pub trait Communicator {
    /// The communicator itself.
    fn as_simple(&self) -> &SimpleCommunicator;

    /// `MPI_Comm_rank`.
    fn rank(&self) -> Rank {
        self.as_simple().info.rank as Rank
    }

    /// `MPI_Comm_size`.
    fn size(&self) -> Rank {
        self.as_simple().info.group.size() as Rank
    }

    /// Number of processes messages can be sent to: of an intercommunicator, the remote ones.
    fn target_size(&self) -> Rank {
        let info = &self.as_simple().info;
        info.remote.as_ref().unwrap_or(&info.group).size() as Rank
    }

    /// `MPI_Topo_test`: which virtual topology it has.
    fn topology(&self) -> Topology {
        let grid = self.as_simple().info.cart.is_some();
        if grid { Topology::Cartesian } else { Topology::Undefined }
    }

    /// `MPI_Comm_test_inter`.
    fn test_inter(&self) -> bool {
        self.as_simple().info.remote.is_some()
    }

    /// One process of it; sends and receives check that it exists.
    fn process_at_rank(&self, rank: Rank) -> Process<'_> {
        Process::new(self.as_simple(), rank)
    }

    /// The calling process.
    fn this_process(&self) -> Process<'_> {
        self.process_at_rank(self.rank())
    }

    /// `MPI_PROC_NULL`: sends and receives with it do nothing (MPI section 3.11).
    fn null_process(&self) -> Process<'_> {
        self.process_at_rank(PROC_NULL)
    }

    /// `MPI_ANY_SOURCE`.
    fn any_process(&self) -> AnyProcess<'_> {
        AnyProcess::new(self.as_simple())
    }

    /// `MPI_Wtime`: simulated seconds since the start of the program.
    #[track_caller]
    fn wtime(&self) -> f64 {
        match self.as_simple().context.call(Site::here(), Operation::Now) {
            Some(Reply::Time(time)) => time.as_secs_f64(),
            _ => 0.0,
        }
    }

    /// Spends `seconds` of simulated processor time outside MPI; negative times are none.
    #[track_caller]
    fn compute(&self, seconds: f64) {
        let length = SimDuration::from_ps((seconds.max(0.0) * 1e12) as u64);
        self.as_simple().context.call(Site::here(), Operation::Compute(length));
    }

    /// `MPI_Abort`.
    #[track_caller]
    fn abort(&self, errorcode: i32) -> ! {
        let comm = self.as_simple();
        comm.context.call(Site::here(), Operation::Abort(comm.info.id, errorcode));
        panic!("an aborted program does not go on")
    }

    /// `MPI_Comm_set_errhandler`: what becomes of errors of this rank on this communicator, and on
    /// those that it makes of it from now on. `ErrorHandler::new(|error| …)` is a function.
    #[track_caller]
    fn set_error_handler(&self, handler: ErrorHandler) {
        let comm = self.as_simple();
        comm.context.call(Site::here(), Operation::SetErrorHandler(comm.info.id, handler));
    }

    /// `MPI_Comm_get_errhandler`.
    #[track_caller]
    fn error_handler(&self) -> ErrorHandler {
        error::handler_of(self.as_simple(), Site::here())
    }

    /// `MPI_Comm_call_errhandler`: the handler hears of an error that the program has found; a code
    /// that there is not is itself an error. Success is none.
    #[track_caller]
    fn call_error_handler(&self, code: ErrorCode) {
        error::call_handler(self.as_simple(), Site::here(), code);
    }

    /// The error of the last call that failed, unless errors are fatal.
    fn take_error(&self) -> Option<MpiError> {
        self.as_simple().context.take_error()
    }

    /// `MPI_Comm_set_name`.
    fn set_name(&self, name: &str) {
        let comm = self.as_simple();
        comm.context.set_name(comm.info.id, name);
    }

    /// `MPI_Comm_get_name`.
    fn get_name(&self) -> String {
        let comm = self.as_simple();
        comm.context.name(comm.info.id)
    }

    /// `MPI_Comm_compare`.
    fn compare(&self, other: &dyn Communicator) -> CommunicatorRelation {
        relation::compare(self.as_simple(), other.as_simple())
    }

    /// `MPI_Comm_group`.
    fn group(&self) -> UserGroup {
        let comm = self.as_simple();
        UserGroup::new(comm.info.group.clone(), comm.context.number())
    }

    /// `MPI_Comm_dup`; `duplicate_with_topology` of a grid or a graph gives another one.
    #[track_caller]
    fn duplicate(&self) -> SimpleCommunicator {
        let comm = self.as_simple();
        duplicate(comm, None, Site::here()).unwrap_or_else(|| comm.alias())
    }

    /// `MPI_Comm_dup_with_info`: the duplicate has these hints, as keys and values.
    #[track_caller]
    fn duplicate_with_info(&self, info: &[(&str, &str)]) -> SimpleCommunicator {
        let comm = self.as_simple();
        duplicate(comm, Some(info.into()), Site::here()).unwrap_or_else(|| comm.alias())
    }

    /// `MPI_Comm_set_info`: adds to the hints; a key that there is gets another value. No hint
    /// changes anything here.
    fn set_info(&self, info: &[(&str, &str)]) {
        let comm = self.as_simple();
        comm.context.hints().borrow_mut().entry(comm.info.id).or_default().update(info.into());
    }

    /// `MPI_Comm_get_info`: keys and values in the order set, of the hints that the standard defines.
    fn info(&self) -> Vec<(String, String)> {
        let comm = self.as_simple();
        let hints = comm.context.hints().borrow();
        hints.get(&comm.info.id).map(Info::recognised).unwrap_or_default().0
    }

    /// `MPI_Comm_set_attr`: keeps a value with the communicator, in place of the one of this key.
    fn set_attribute<T>(&self, key: &AttributeKey<T>, value: T)
    where
        Self: Sized,
    {
        let comm = self.as_simple();
        attribute::set(&comm.context, comm.info.id, key, value);
    }

    /// `MPI_Comm_get_attr`.
    fn attribute<T>(&self, key: &AttributeKey<T>) -> Option<Rc<T>>
    where
        Self: Sized,
    {
        let comm = self.as_simple();
        attribute::get(&comm.context, comm.info.id, key)
    }

    /// `MPI_Comm_set_attr` under the type of the value, as rsmpi has it.
    fn set_attr<A: CommAttribute>(&mut self, value: A)
    where
        Self: Sized,
    {
        let comm = self.as_simple();
        attribute::set_by_type(&comm.context, comm.info.id, value);
    }

    /// `MPI_Comm_get_attr` under a type, as rsmpi has it.
    fn get_attr<A: CommAttribute>(&self) -> Option<&A>
    where
        Self: Sized,
    {
        let comm = self.as_simple();
        attribute::get_by_type(&comm.context, comm.info.id)
    }

    /// `MPI_Comm_delete_attr`; whether there was one.
    fn delete_attribute<T>(&self, key: &AttributeKey<T>) -> bool
    where
        Self: Sized,
    {
        let comm = self.as_simple();
        attribute::delete(&comm.context, comm.info.id, key)
    }

    /// `MPI_Intercomm_create`: connects the group of this communicator with another one. All of
    /// both groups call it; each group's leader gives the communicator in which it finds the
    /// other leader, and that one's rank there.
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

    /// `MPI_Comm_get_parent`: the communicator with those who have started the calling rank.
    /// `None` for a rank that the run began with, and after
    /// [`Universe::disconnect_parent`](crate::api::environment::Universe::disconnect_parent).
    fn parent(&self) -> Option<InterCommunicator> {
        let context = &self.as_simple().context;
        let info = context.parent()?;
        Some(InterCommunicator::of(SimpleCommunicator::lent(context.clone(), info)))
    }

    /// `MPI_Comm_split` with key 0.
    #[track_caller]
    fn split_by_color(&self, color: Color) -> Option<SimpleCommunicator> {
        self.split_by_color_with_key(color, Key::default())
    }

    /// `MPI_Comm_split`; no colour gives no communicator.
    #[track_caller]
    fn split_by_color_with_key(&self, color: Color, key: Key) -> Option<SimpleCommunicator> {
        split(self.as_simple(), color, key, Site::here())
    }

    /// `MPI_Comm_split_type` with `MPI_COMM_TYPE_SHARED`: the ranks of one node.
    #[track_caller]
    fn split_shared(&self, key: Key) -> SimpleCommunicator {
        split_shared(self.as_simple(), key, Site::here())
    }

    /// `MPI_Comm_create`: all ranks call it; those of the group get a communicator.
    #[track_caller]
    fn split_by_subgroup_collective(&self, group: &dyn Group) -> Option<SimpleCommunicator> {
        let comm = self.as_simple();
        comm.make(Site::here(), Operation::CreateComm(comm.info.id, group.members().clone()))
    }

    /// `MPI_Comm_create_group` with tag 0: only ranks of the group call it.
    #[track_caller]
    fn split_by_subgroup(&self, group: &dyn Group) -> Option<SimpleCommunicator> {
        self.split_by_subgroup_with_tag(group, Tag::default())
    }

    /// `MPI_Comm_create_group`: only ranks of the group need to call it; others get `None`.
    #[track_caller]
    fn split_by_subgroup_with_tag(
        &self,
        group: &dyn Group,
        tag: Tag,
    ) -> Option<SimpleCommunicator> {
        let (comm, members) = (self.as_simple(), group.members().clone());
        group.rank()?;
        comm.make(Site::here(), Operation::CreateGroupComm(comm.info.id, members, tag))
    }

    /// `MPI_Cart_create`: `None` for ranks that have no place in the grid. With `reorder` ranks
    /// are numbered so that neighbours are close on the simulated network, here and below.
    #[track_caller]
    fn create_cartesian_communicator(
        &self,
        dims: &[Count],
        periods: &[bool],
        reorder: bool,
    ) -> Option<CartesianCommunicator> {
        CartesianCommunicator::create(self.as_simple(), dims, periods, reorder, Site::here())
    }

    /// `MPI_Graph_create`: `index` says where the edges of each place end in `edges`. `None` for
    /// ranks that have no place in the graph.
    #[track_caller]
    fn create_graph_communicator(
        &self,
        index: &[Count],
        edges: &[Rank],
        reorder: bool,
    ) -> Option<GraphCommunicator> {
        GraphCommunicator::create(self.as_simple(), index, edges, reorder, Site::here())
    }

    /// `MPI_Dist_graph_create_adjacent`: every rank gives its own neighbours.
    #[track_caller]
    fn create_adjacent_graph_communicator(
        &self,
        neighbors: Adjacency,
        reorder: bool,
    ) -> Option<DistributedGraphCommunicator> {
        let (comm, site) = (self.as_simple(), Site::here());
        DistributedGraphCommunicator::create_adjacent(comm, neighbors, reorder, site)
    }

    /// `MPI_Dist_graph_create`: any rank gives any edges; without weights they all weigh nothing.
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

    /// `MPI_Cart_map`: the rank the calling process would have in the grid if ranks were numbered
    /// anew; `None` if it had no place. It keeps its own. By policy it is collective.
    #[track_caller]
    fn cartesian_map(&self, dims: &[Count], periods: &[bool]) -> Option<Rank> {
        CartesianCommunicator::map(self.as_simple(), dims, periods, Site::here())
    }

    /// `MPI_Graph_map`: the same of a graph as `create_graph_communicator` takes it.
    #[track_caller]
    fn graph_map(&self, index: &[Count], edges: &[Rank]) -> Option<Rank> {
        graph::map(self.as_simple(), index, edges, Site::here())
    }

    /// `MPI_Pack_size`: bytes that so many elements take when they are packed.
    #[track_caller]
    fn pack_size<Dt: Datatype>(&self, incount: Count, datatype: &Dt) -> Count
    where
        Self: Sized,
    {
        super::packing::size(self.as_simple(), Site::here(), incount, datatype)
    }

    /// `MPI_Pack` into a new vector.
    #[track_caller]
    fn pack<Buf: Buffer + ?Sized>(&self, inbuf: &Buf) -> Vec<u8>
    where
        Self: Sized,
    {
        super::packing::pack(self.as_simple(), Site::here(), inbuf)
    }

    /// `MPI_Pack` from `position` on; the result is the position after it.
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

    /// `MPI_Unpack` from `position` on; the result is the position after it.
    ///
    /// # Safety
    /// The bytes there were packed from data of the same types.
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
