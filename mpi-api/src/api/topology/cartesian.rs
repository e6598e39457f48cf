//! Cartesian virtual topologies (MPI section 8.5).

use sim_core::words::out_of_range;

use super::{
    AsCommunicator, Communicator, Rank, SimpleCommunicator,
    duplicate::duplicate,
    graph::{copy_with, place_in},
};
use crate::{
    api::{Count, point_to_point::accepted},
    call::{CommCall, Site},
    error::{ErrorClass, MpiError},
    finding::CallPlace,
    object::{
        blueprint::Blueprint,
        cart::{Cart, DimsOrder, dims_create},
        graph::Reorder,
    },
    policy::Policy,
};

/// A communicator with a Cartesian topology.
pub struct CartesianCommunicator(SimpleCommunicator);

/// Sizes and periods of a grid, and the calling rank's coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CartesianLayout {
    /// Size of each dimension.
    pub dims: Vec<Count>,
    /// Whether each dimension is periodic.
    pub periods: Vec<bool>,
    /// Coordinates of the calling rank.
    pub coords: Vec<Count>,
}

impl Communicator for CartesianCommunicator {
    fn as_simple(&self) -> &SimpleCommunicator {
        &self.0
    }
}

impl AsCommunicator for CartesianCommunicator {
    type Out = Self;
    fn as_communicator(&self) -> &Self {
        self
    }
}

fn counts(values: &[u32]) -> Vec<Count> {
    values.iter().map(|value| *value as Count).collect()
}

impl CartesianCommunicator {
    pub(super) fn create(
        comm: &SimpleCommunicator,
        dims: &[Count],
        periods: &[bool],
        reorder: bool,
        site: Site,
    ) -> Option<Self> {
        comm.context.as_one((site, "MPI_Cart_create", comm.info.id), || {
            let cart = accepted(
                comm,
                CallPlace { call: "create_cartesian_communicator", site },
                allowed_grid(comm, dims, periods),
            )?;
            let grid = Blueprint::Grid { grid: cart.clone(), reorder };
            let reorder = reorder.then(|| Reorder::Grid(cart.clone()));
            let places = cart.size();
            copy_with(comm, site, (places, reorder), (Some(cart), grid)).map(Self)
        })
    }

    /// Returns the rank of the calling process in a grid (`MPI_Cart_map`).
    pub(super) fn map(
        comm: &SimpleCommunicator,
        dims: &[Count],
        periods: &[bool],
        site: Site,
    ) -> Option<Rank> {
        comm.context.as_one((site, "MPI_Cart_map", comm.info.id), || {
            let cart = accepted(
                comm,
                CallPlace { call: "map", site },
                grid(dims, periods, comm.info.group.size()),
            )?;
            place_in(comm, site, Reorder::Grid(cart))
        })
    }

    /// Fills the zeros of `dims`, in the order of the policy (`MPI_Dims_create`); raises
    /// `MPI_ERR_DIMS` if that is impossible.
    #[track_caller]
    pub fn balance<C: Communicator>(comm: &C, dims: &mut [Count]) {
        let comm = comm.as_simple();
        let order = DimsOrder::of(&comm.context.environment().policies);
        let sizes: Result<Vec<u32>, _> = dims.iter().map(|size| u32::try_from(*size)).collect();
        let wrong = |text: String| MpiError::new(ErrorClass::Dims, text);
        let balanced = sizes.map_err(|_| wrong(format!("{dims:?} has a negative size"))).and_then(
            |mut sizes| {
                dims_create(comm.info.group.size(), &mut sizes, order).map_err(wrong)?;
                Ok(sizes)
            },
        );
        if let Some(sizes) =
            accepted(comm, CallPlace { call: "balance", site: Site::here() }, balanced)
        {
            dims.copy_from_slice(&counts(&sizes));
        }
    }

    /// Duplicates the communicator with its grid (`MPI_Comm_dup`).
    #[track_caller]
    pub fn duplicate_with_topology(&self) -> Option<Self> {
        duplicate(&self.0, None, Site::here()).map(Self)
    }

    pub(crate) fn cart(&self) -> &Cart {
        self.0.info.cart.as_ref().expect("a Cartesian communicator has its grid")
    }

    /// Returns the number of dimensions (`MPI_Cartdim_get`).
    pub fn num_dimensions(&self) -> Count {
        self.cart().dims.len() as Count
    }

    /// Returns the grid and the calling rank's coordinates (`MPI_Cart_get`).
    pub fn get_layout(&self) -> CartesianLayout {
        CartesianLayout {
            dims: counts(&self.cart().dims),
            periods: self.cart().periods.clone(),
            coords: self.rank_to_coordinates(self.rank()),
        }
    }

    /// Writes the grid and the calling rank's coordinates to slices (`MPI_Cart_get`).
    ///
    /// # Panics
    /// If a slice has not one entry for each dimension.
    #[track_caller]
    pub fn get_layout_into(&self, dims: &mut [Count], periods: &mut [bool], coords: &mut [Count]) {
        let layout = self.get_layout();
        dims.copy_from_slice(&layout.dims);
        periods.copy_from_slice(&layout.periods);
        coords.copy_from_slice(&layout.coords);
    }

    /// Returns the coordinates of a rank (`MPI_Cart_coords`); raises `MPI_ERR_RANK` and returns the
    /// origin if there is no such rank.
    #[track_caller]
    pub fn rank_to_coordinates(&self, rank: Rank) -> Vec<Count> {
        let size = self.cart().size();
        let known = u32::try_from(rank).ok().filter(|rank| *rank < size).ok_or_else(|| {
            MpiError::new(ErrorClass::Rank, out_of_range(format_args!("rank {rank}"), size))
        });
        let known =
            accepted(&self.0, CallPlace { call: "rank_to_coordinates", site: Site::here() }, known)
                .unwrap_or(0);
        counts(&self.cart().coords_of(known))
    }

    /// Writes the coordinates of a rank to a slice (`MPI_Cart_coords`).
    ///
    /// # Panics
    /// If the slice has not one entry for each dimension.
    #[track_caller]
    pub fn rank_to_coordinates_into(&self, rank: Rank, coords: &mut [Count]) {
        coords.copy_from_slice(&self.rank_to_coordinates(rank));
    }

    /// Returns the rank at coordinates (`MPI_Cart_rank`); raises `MPI_ERR_ARG` and returns 0 if
    /// they are outside the grid.
    #[track_caller]
    pub fn coordinates_to_rank(&self, coordinates: &[Count]) -> Rank {
        let wide: Vec<i64> = coordinates.iter().map(|at| i64::from(*at)).collect();
        let dimensions = self.cart().dims.len();
        let found = if wide.len() == dimensions {
            self.cart().rank_of(&wide)
        } else {
            Err(format!("{} coordinates in {dimensions} dimensions", wide.len()))
        };
        let found = found.map_err(|text| MpiError::new(ErrorClass::Arg, text));
        accepted(&self.0, CallPlace { call: "coordinates_to_rank", site: Site::here() }, found)
            .map_or(0, |rank| rank as Rank)
    }

    /// Returns source and destination of a shift (`MPI_Cart_shift`); `None` is the null process
    /// beyond an edge.
    #[track_caller]
    pub fn shift(&self, dimension: Count, displacement: Count) -> (Option<Rank>, Option<Rank>) {
        let dimensions = self.cart().dims.len();
        let known =
            usize::try_from(dimension).ok().filter(|at| *at < dimensions).ok_or_else(|| {
                let text = out_of_range(format_args!("dimension {dimension}"), dimensions as u64);
                MpiError::new(ErrorClass::Dims, text)
            });
        let Some(known) = accepted(&self.0, CallPlace { call: "shift", site: Site::here() }, known)
        else {
            return (None, None);
        };
        let (source, dest) = self.cart().shift(self.0.info.rank, known, displacement.into());
        (source.map(|rank| rank as Rank), dest.map(|rank| rank as Rank))
    }

    /// Creates the communicators of the subgrids in the kept dimensions and returns the caller's
    /// (`MPI_Cart_sub`).
    ///
    /// # Panics
    /// If `retain` has not one entry for each dimension.
    #[track_caller]
    pub fn subgroup(&self, retain: &[bool]) -> Self {
        assert_eq!(retain.len(), self.cart().dims.len(), "one entry for each dimension");
        let (grid, color, key) = self.cart().sub(self.0.info.rank, retain);
        let operation = CommCall::Split {
            comm: self.0.info.id,
            color: Some(color),
            key,
            cart: Some(grid),
            blueprint: Some(Box::new(Blueprint::Subgrid(retain.to_vec()))),
        };
        let (context, site) = (&self.0.context, Site::here());
        let made =
            context.as_one((site, "MPI_Cart_sub", self.0.info.id), || self.0.make(site, operation));
        Self(made.unwrap_or_else(|| self.0.alias()))
    }
}

/// Returns a grid for the ranks of `comm`, if the policy allows its number of dimensions.
fn allowed_grid(
    comm: &SimpleCommunicator,
    dims: &[Count],
    periods: &[bool],
) -> Result<Cart, MpiError> {
    let policies = &comm.context.environment().policies;
    if dims.is_empty() && policies.differs(Policy::ZeroDimensionalGrids) {
        return Err(MpiError::new(ErrorClass::Dims, "the policy has no grids of no dimensions"));
    }
    grid(dims, periods, comm.info.group.size())
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
