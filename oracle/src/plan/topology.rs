//! Virtual topologies of a plan.

/// Ranks of neighbours; `None` is `MPI_PROC_NULL`.
pub(crate) type Neighbors = Vec<Option<u32>>;

/// The neighbours of each rank.
#[derive(Clone, Debug)]
pub(crate) enum Topology {
    /// Numbers of rows and columns, and which of the two dimensions are periodic.
    Grid([usize; 2], [bool; 2]),
    /// Lists of targets and of sources of each rank.
    Graph(Vec<(Neighbors, Neighbors)>),
}

impl Topology {
    /// Returns the lists of targets and of sources of each rank.
    pub(crate) fn neighbors(&self) -> Vec<(Neighbors, Neighbors)> {
        match self {
            Self::Grid(sizes, closed) => grid(*sizes, *closed),
            Self::Graph(lists) => lists.clone(),
        }
    }
}

/// Returns the neighbours in a grid: low and high side along both dimensions, rows first.
fn grid([rows, columns]: [usize; 2], closed: [bool; 2]) -> Vec<(Neighbors, Neighbors)> {
    let step = |at: usize, length: usize, up: bool, closed: bool| match (at, up) {
        (0, false) => closed.then_some(length - 1),
        (_, false) => Some(at - 1),
        (_, true) if at + 1 == length => closed.then_some(0),
        (_, true) => Some(at + 1),
    };
    let sides = |rank: usize| -> Neighbors {
        let (row, column) = (rank / columns, rank % columns);
        let along = |up| step(row, rows, up, closed[0]).map(|row| (row * columns + column) as u32);
        let across =
            |up| step(column, columns, up, closed[1]).map(|column| (row * columns + column) as u32);
        vec![along(false), along(true), across(false), across(true)]
    };
    (0..rows * columns).map(|rank| (sides(rank), sides(rank))).collect()
}
