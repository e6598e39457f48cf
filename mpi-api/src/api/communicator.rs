//! Communicators (MPI chapter 6) and Cartesian ones (chapter 7).

use std::cmp::Ordering;

use super::{
    Context, duration,
    point_to_point::{AnyProcess, Process},
};
use crate::{
    call::{CommInfo, ErrorHandler, Operation, Reply, Site},
    error::{ErrorClass, MpiError},
    object::cart::Cart,
};

/// A communicator as its rank sees it. Dropping one the program made frees it.
pub struct SimpleCommunicator {
    pub(crate) context: Context,
    pub(crate) info: CommInfo,
}

impl SimpleCommunicator {
    pub(crate) fn new(context: Context, info: CommInfo) -> Self {
        Self { context, info }
    }
}

impl Drop for SimpleCommunicator {
    #[track_caller]
    fn drop(&mut self) {
        if self.info.id.0 > 1 {
            self.context.call(Site::here(), Operation::FreeComm(self.info.id));
        }
    }
}

/// A committed datatype; dropping it frees it (`MPI_Type_free`).
pub struct DatatypeHandle {
    context: Context,
    id: u32,
}

impl Drop for DatatypeHandle {
    #[track_caller]
    fn drop(&mut self) {
        self.context.call(Site::here(), Operation::FreeType(self.id));
    }
}

/// What every communicator can do.
pub trait Communicator {
    /// The communicator itself.
    fn as_simple(&self) -> &SimpleCommunicator;

    /// `MPI_Comm_rank`.
    fn rank(&self) -> i32 {
        self.as_simple().info.rank as i32
    }

    /// `MPI_Comm_size`.
    fn size(&self) -> i32 {
        self.as_simple().info.group.size() as i32
    }

    /// One process of it; sends and receives check that it exists.
    fn process_at_rank(&self, rank: i32) -> Process<'_> {
        Process { comm: self.as_simple(), rank: Some(rank as u32) }
    }

    /// The calling process.
    fn this_process(&self) -> Process<'_> {
        self.process_at_rank(self.rank())
    }

    /// `MPI_PROC_NULL`: sends and receives with it do nothing (MPI section 3.11).
    fn null_process(&self) -> Process<'_> {
        Process { comm: self.as_simple(), rank: None }
    }

    /// `MPI_ANY_SOURCE`.
    fn any_process(&self) -> AnyProcess<'_> {
        AnyProcess { comm: self.as_simple() }
    }

    /// `MPI_Wtime`: simulated seconds since the start of the program.
    #[track_caller]
    fn wtime(&self) -> f64 {
        match self.as_simple().context.call(Site::here(), Operation::Now) {
            Some(Reply::Time(time)) => time.as_secs_f64(),
            _ => 0.0,
        }
    }

    /// Spends `seconds` of simulated processor time outside MPI.
    #[track_caller]
    fn compute(&self, seconds: f64) {
        self.as_simple().context.call(Site::here(), Operation::Compute(duration(seconds)));
    }

    /// A derived datatype as the cost model sees it: built and committed now, freed on drop.
    #[track_caller]
    fn create_type(&self) -> DatatypeHandle {
        let comm = self.as_simple();
        let id = match comm.context.call(Site::here(), Operation::CreateType) {
            Some(Reply::Object(id)) => id,
            _ => 0,
        };
        comm.context.call(Site::here(), Operation::CommitType(id));
        DatatypeHandle { context: comm.context.clone(), id }
    }

    /// `MPI_Abort`.
    #[track_caller]
    fn abort(&self, code: i32) {
        self.as_simple().context.call(Site::here(), Operation::Abort(code));
    }

    /// `MPI_Comm_set_errhandler`.
    #[track_caller]
    fn set_error_handler(&self, handler: ErrorHandler) {
        let comm = self.as_simple();
        comm.context.call(Site::here(), Operation::SetErrorHandler(comm.info.id, handler));
    }

    /// The error of the last call that failed, if the handler returns errors.
    fn take_error(&self) -> Option<MpiError> {
        self.as_simple().context.take_error()
    }

    /// `MPI_Comm_dup`.
    #[track_caller]
    fn duplicate(&self) -> SimpleCommunicator {
        let comm = self.as_simple();
        let reply = comm.context.call(Site::here(), Operation::DuplicateComm(comm.info.id));
        made(comm, reply).unwrap_or_else(|| comm.orphan())
    }

    /// `MPI_Comm_split`; no colour gives no communicator.
    #[track_caller]
    fn split_by_color_with_key(&self, color: Option<u32>, key: i32) -> Option<SimpleCommunicator> {
        let comm = self.as_simple();
        let operation = Operation::SplitComm { comm: comm.info.id, color, key, cart: None };
        made(comm, comm.context.call(Site::here(), operation))
    }

    /// `MPI_Cart_create`: `None` for ranks that have no place in the grid.
    #[track_caller]
    fn create_cartesian_communicator(
        &self,
        dims: &[u32],
        periods: &[bool],
        _reorder: bool,
    ) -> Option<CartesianCommunicator> {
        let comm = self.as_simple();
        let cart = Cart { dims: dims.to_vec(), periods: periods.to_vec() };
        if dims.len() != periods.len() || cart.size() > comm.info.group.size() {
            let text = format!("a grid {dims:?} does not fit {} ranks", comm.info.group.size());
            let error = MpiError::new(ErrorClass::Dims, text);
            comm.context.call(Site::here(), Operation::Raise(comm.info.id, error));
            return None;
        }
        let color = (comm.info.rank < cart.size()).then_some(0);
        let key = comm.info.rank as i32;
        let operation = Operation::SplitComm { comm: comm.info.id, color, key, cart: Some(cart) };
        made(comm, comm.context.call(Site::here(), operation)).map(CartesianCommunicator)
    }

    /// `MPI_Comm_compare` of ranks only: which of two ranks comes first.
    fn compare_ranks(&self, other: i32) -> Ordering {
        self.rank().cmp(&other)
    }
}

fn made(comm: &SimpleCommunicator, reply: Option<Reply>) -> Option<SimpleCommunicator> {
    match reply {
        Some(Reply::Comm(Some(info))) => Some(SimpleCommunicator::new(comm.context.clone(), *info)),
        _ => None,
    }
}

impl SimpleCommunicator {
    /// Stands for a communicator while the rank is unwound.
    fn orphan(&self) -> Self {
        let info = CommInfo { id: crate::call::CommId::WORLD, ..self.info.clone() };
        Self::new(self.context.clone(), info)
    }
}

impl Communicator for SimpleCommunicator {
    fn as_simple(&self) -> &SimpleCommunicator {
        self
    }
}

/// A communicator with a Cartesian topology.
pub struct CartesianCommunicator(SimpleCommunicator);

impl Communicator for CartesianCommunicator {
    fn as_simple(&self) -> &SimpleCommunicator {
        &self.0
    }
}

impl CartesianCommunicator {
    fn cart(&self) -> &Cart {
        self.0.info.cart.as_ref().expect("a Cartesian communicator has its grid")
    }

    /// `MPI_Cart_get`: sizes and periods.
    pub fn layout(&self) -> (Vec<u32>, Vec<bool>) {
        (self.cart().dims.clone(), self.cart().periods.clone())
    }

    /// `MPI_Cart_coords`.
    pub fn rank_to_coordinates(&self, rank: i32) -> Vec<u32> {
        self.cart().coords_of(rank as u32)
    }

    /// `MPI_Cart_rank`; raises `MPI_ERR_ARG` and gives 0 if out of range.
    #[track_caller]
    pub fn coordinates_to_rank(&self, coordinates: &[i64]) -> i32 {
        match self.cart().rank_of(coordinates) {
            Ok(rank) => rank as i32,
            Err(text) => {
                let error = MpiError::new(ErrorClass::Arg, text);
                self.0.context.call(Site::here(), Operation::Raise(self.0.info.id, error));
                0
            }
        }
    }

    /// `MPI_Cart_shift`: source and destination; processes off the edge are null.
    pub fn shift(&self, dimension: usize, displacement: i64) -> (Process<'_>, Process<'_>) {
        let (source, dest) = self.cart().shift(self.0.info.rank, dimension, displacement);
        (Process { comm: &self.0, rank: source }, Process { comm: &self.0, rank: dest })
    }

    /// `MPI_Cart_sub`: the grid of the kept dimensions.
    #[track_caller]
    pub fn subgroup(&self, keep: &[bool]) -> Option<Self> {
        let (grid, color, key) = self.cart().sub(self.0.info.rank, keep);
        let operation = Operation::SplitComm {
            comm: self.0.info.id,
            color: Some(color),
            key,
            cart: Some(grid),
        };
        made(&self.0, self.0.context.call(Site::here(), operation)).map(Self)
    }
}
