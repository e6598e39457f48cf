//! Communicators (MPI chapter 7).

use std::rc::Rc;

use super::{
    Adjacency, AnyProcess, AttributeKey, CartesianCommunicator, DistributedGraphCommunicator, Edge,
    GraphCommunicator, Group, GroupRelation, InterCommunicator, Process, Rank, UserGroup,
    attribute, graph,
};
use crate::{
    api::{
        Context, Count, PROC_NULL, Tag, collective::CommunicatorCollectives, datatype::*,
        point_to_point::accepted,
    },
    call::{CommId, CommInfo, ErrorHandler, Operation, Reply, Site},
    error::{ErrorClass, MpiError},
    object::{cart::Cart, graph::Reorder},
    policy::Policy,
};
use sim_core::SimDuration;

/// Orders the ranks of one colour in a split.
pub type Key = i32;

/// Which part of a split a rank goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(Option<i32>);

impl Color {
    /// A part; not negative.
    pub fn with_value(value: i32) -> Self {
        Self(Some(value))
    }

    /// None (`MPI_UNDEFINED`).
    pub fn undefined() -> Self {
        Self(None)
    }
}

/// How two communicators compare (MPI section 7.4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommunicatorRelation {
    /// The same object.
    Identical,
    /// The same processes in the same order.
    Congruent,
    /// The same processes in another order.
    Similar,
    /// Anything else.
    Unequal,
}

/// What virtual topology a communicator has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topology {
    /// A grid.
    Cartesian,
    /// None.
    Undefined,
}

/// Something that belongs to a communicator.
pub trait AsCommunicator {
    /// The communicator's type.
    type Out: Communicator;
    /// The communicator.
    fn as_communicator(&self) -> &Self::Out;
}

/// A communicator as its rank sees it. Dropping one the program made frees it.
pub struct SimpleCommunicator {
    pub(crate) context: Context,
    pub(crate) info: CommInfo,
    owned: bool,
}

/// A communicator of whatever kind.
pub type AnyCommunicator = SimpleCommunicator;

impl SimpleCommunicator {
    pub(crate) fn new(context: Context, info: CommInfo) -> Self {
        let owned = info.id.0 > CommId::SELF.0 && info.id != context.world().id;
        Self { context, info, owned }
    }

    pub(crate) fn lent(context: Context, info: CommInfo) -> Self {
        Self { context, info, owned: false }
    }

    /// `MPI_COMM_WORLD` of the rank that runs.
    ///
    /// # Panics
    /// Before `initialize`.
    pub fn world() -> Self {
        let context = Context::current().expect("the rank has been initialised");
        let info = context.world().clone();
        Self::new(context, info)
    }

    /// `MPI_COMM_SELF` of the rank that runs.
    ///
    /// # Panics
    /// Before `initialize`.
    pub fn self_comm() -> Self {
        let context = Context::current().expect("the rank has been initialised");
        let group = crate::object::group::Group::range(context.number(), 1);
        let info = CommInfo {
            id: CommId::SELF,
            rank: 0,
            group,
            remote: None,
            cart: None,
            neighbors: None,
        };
        Self::new(context, info)
    }

    /// `MPI_Comm_disconnect`: as dropping it, but collective, when all that it was used for is
    /// complete.
    #[track_caller]
    pub fn disconnect(mut self) {
        self.owned = false;
        self.leave(Site::here());
    }

    pub(crate) fn leave(&self, site: Site) {
        super::delete_all(&self.context, self.info.id);
        self.context.call(site, Operation::DisconnectComm(self.info.id));
    }

    /// Which virtual topology it has.
    pub fn topology(&self) -> Topology {
        if self.info.cart.is_some() { Topology::Cartesian } else { Topology::Undefined }
    }

    pub(super) fn make(&self, site: Site, operation: Operation) -> Option<Self> {
        match self.context.call(site, operation) {
            Some(Reply::Comm(Some(info))) => Some(Self::new(self.context.clone(), *info)),
            _ => None,
        }
    }
}

impl Drop for SimpleCommunicator {
    #[track_caller]
    fn drop(&mut self) {
        if self.owned {
            super::delete_all(&self.context, self.info.id);
            self.context.call(Site::here(), Operation::FreeComm(self.info.id));
        }
    }
}

impl AsCommunicator for SimpleCommunicator {
    type Out = Self;
    fn as_communicator(&self) -> &Self {
        self
    }
}

impl Communicator for SimpleCommunicator {
    fn as_simple(&self) -> &SimpleCommunicator {
        self
    }
}

impl<C: Communicator + ?Sized> Communicator for &C {
    fn as_simple(&self) -> &SimpleCommunicator {
        (**self).as_simple()
    }
}

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

    /// `MPI_Comm_set_errhandler`.
    #[track_caller]
    fn set_error_handler(&self, handler: ErrorHandler) {
        let comm = self.as_simple();
        comm.context.call(Site::here(), Operation::SetErrorHandler(comm.info.id, handler));
        comm.context.note_handler(comm.info.id, handler);
    }

    /// `MPI_Comm_get_errhandler`: the handler of this object's communicator as it was set last.
    fn error_handler(&self) -> ErrorHandler {
        let comm = self.as_simple();
        comm.context.handler(comm.info.id)
    }

    /// The error of the last call that failed, if the handler returns errors.
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
        let (mine, theirs) = (&self.as_simple().info, &other.as_simple().info);
        if mine.id == theirs.id {
            return CommunicatorRelation::Identical;
        }
        let remote = match (&mine.remote, &theirs.remote) {
            (None, None) => GroupRelation::Identical,
            (Some(mine), Some(theirs)) => {
                UserGroup::new(mine.clone(), 0).compare(&UserGroup::new(theirs.clone(), 0))
            }
            _ => GroupRelation::Unequal,
        };
        match self.group().compare(&other.group()).max(remote) {
            GroupRelation::Identical => CommunicatorRelation::Congruent,
            GroupRelation::Similar => CommunicatorRelation::Similar,
            GroupRelation::Unequal => CommunicatorRelation::Unequal,
        }
    }

    /// `MPI_Comm_group`.
    fn group(&self) -> UserGroup {
        let comm = self.as_simple();
        UserGroup::new(comm.info.group.clone(), comm.context.number())
    }

    /// `MPI_Comm_dup`.
    #[track_caller]
    fn duplicate(&self) -> SimpleCommunicator {
        let comm = self.as_simple();
        let made = comm.make(Site::here(), Operation::DuplicateComm(comm.info.id));
        if let Some(made) = &made {
            attribute::copy_all(&comm.context, comm.info.id, made.info.id);
        }
        made.unwrap_or_else(|| comm.alias())
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
        let (comm, site) = (self.as_simple(), Site::here());
        let negative =
            |color| MpiError::new(ErrorClass::Arg, format!("colour {color} is negative"));
        let checked = color.0.map(|color| u32::try_from(color).map_err(|_| negative(color)));
        let color = accepted(comm, site, checked.transpose())?;
        comm.make(site, Operation::SplitComm { comm: comm.info.id, color, key, cart: None })
    }

    /// `MPI_Comm_split_type` with `MPI_COMM_TYPE_SHARED`: the ranks of one node.
    #[track_caller]
    fn split_shared(&self, key: Key) -> SimpleCommunicator {
        let node = self.as_simple().context.node() as i32;
        let shared = self.split_by_color_with_key(Color::with_value(node), key);
        shared.unwrap_or_else(|| self.as_simple().alias())
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
        let (comm, site) = (self.as_simple(), Site::here());
        let grid = if dims.is_empty()
            && comm.context.environment().policies.differs(Policy::ZeroDimensionalGrids)
        {
            Err(MpiError::new(ErrorClass::Dims, "the policy has no grids of no dimensions"))
        } else {
            grid(dims, periods, comm.info.group.size())
        };
        let cart = accepted(comm, site, grid)?;
        let (id, me) = (comm.info.id, comm.info.rank);
        let operation = if reorder {
            let reorder = Box::new(Reorder::Grid(cart.clone()));
            Operation::ReorderComm { comm: id, cart: Some(cart), reorder }
        } else {
            let color = (me < cart.size()).then_some(0);
            Operation::SplitComm { comm: id, color, key: me as i32, cart: Some(cart) }
        };
        comm.make(site, operation).map(CartesianCommunicator::new)
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
        let comm = self.as_simple();
        if comm.context.environment().policies.differs(Policy::MapFunctions) {
            comm.barrier();
        }
        let site = Site::here();
        let cart = accepted(comm, site, grid(dims, periods, comm.info.group.size()))?;
        graph::place_in(comm, site, Reorder::Grid(cart))
    }

    /// `MPI_Graph_map`: the same of a graph as `create_graph_communicator` takes it.
    #[track_caller]
    fn graph_map(&self, index: &[Count], edges: &[Rank]) -> Option<Rank> {
        let comm = self.as_simple();
        if comm.context.environment().policies.differs(Policy::MapFunctions) {
            comm.barrier();
        }
        graph::map(comm, index, edges, Site::here())
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

fn grid(dims: &[Count], periods: &[bool], ranks: u32) -> Result<Cart, MpiError> {
    let bad = || {
        let text =
            format!("a grid {dims:?} with {} periods does not fit {ranks} ranks", periods.len());
        MpiError::new(ErrorClass::Dims, text)
    };
    let sizes: Result<Vec<u32>, _> = dims.iter().map(|size| u32::try_from(*size)).collect();
    let sizes = sizes.map_err(|_| bad())?;
    let places = sizes.iter().try_fold(1u32, |n, size| n.checked_mul(*size)).ok_or_else(bad)?;
    if dims.len() != periods.len() || places == 0 || places > ranks {
        return Err(bad());
    }
    Ok(Cart { dims: sizes, periods: periods.to_vec() })
}
