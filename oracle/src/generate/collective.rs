//! Random collective operations.

use super::{Builder, Feature};
use crate::plan::{
    Collective, Comm, Id, Kind, Maker, Neighbors, Operator, Part, Step, Style, Topology,
};

const KINDS: [Kind; 11] = [
    Kind::Barrier,
    Kind::Broadcast,
    Kind::Gather,
    Kind::Scatter,
    Kind::Allgather,
    Kind::Alltoall,
    Kind::Reduce,
    Kind::Allreduce,
    Kind::ReduceScatter,
    // The following kinds do not exist for intercommunicators.
    Kind::Scan,
    Kind::Exscan,
];

impl Builder {
    pub(super) fn collective(&mut self) {
        let live = self.live.clone();
        let comm = if self.one_in(2) { 0 } else { self.pick(&live) };
        let inter = self.plan.comms[comm].other.is_some();
        let kind = if !inter && self.on(Feature::Neighborhoods) && self.one_in(5) {
            self.pick(&[Kind::NeighborAllgather, Kind::NeighborAlltoall])
        } else {
            self.pick(&KINDS[..if inter { 9 } else { 11 }])
        };
        let style = if self.on(Feature::ImmediateCollectives) {
            self.pick(&[Style::Blocking, Style::Immediate, Style::Persistent])
        } else {
            Style::Blocking
        };
        let id = self.plain_collective(comm, kind, style);
        if style == Style::Immediate && self.one_in(3) {
            self.crossing(id);
            return;
        }
        self.push(Step::Collective(id));
        self.open_collective(id);
    }

    /// Adds two nonblocking collectives on two communicators, which ranks start in any order.
    fn crossing(&mut self, one: Id) {
        let comm = self.made(Maker::Duplicate(self.plan.collectives[one].comm));
        let kind = self.pick(&KINDS[..9]);
        let two = self.plain_collective(comm, kind, Style::Immediate);
        let rank = self.rank();
        self.push(Step::Crossed(one, two, rank));
        self.open_collective(one);
        self.open_collective(two);
    }

    fn open_collective(&mut self, id: Id) {
        let Collective { comm, style, .. } = self.plan.collectives[id];
        if style == Style::Immediate {
            let everybody = self.plan.comms[comm].everybody();
            self.open.extend(everybody.into_iter().map(|world| (world, Part::Taken(id))));
        }
    }

    /// Adds a collective with random root, counts and operation.
    pub(super) fn plain_collective(&mut self, mut comm: Id, kind: Kind, style: Style) -> Id {
        let members = self.plan.comms[comm].clone();
        let side = if members.other.is_some() { self.below(2) as usize } else { 0 };
        let root = self.below(members.side(side).len() as u64) as u32;
        let vectors = matches!(
            kind,
            Kind::Gather
                | Kind::Scatter
                | Kind::Allgather
                | Kind::Alltoall
                | Kind::ReduceScatter
                | Kind::NeighborAllgather
                | Kind::NeighborAlltoall
        );
        let vector = vectors && self.on(Feature::Vectors) && self.one_in(2);
        let operator = self.operator();
        let (neighbors, grid) = match kind {
            Kind::NeighborAllgather | Kind::NeighborAlltoall => {
                let grid = self.one_in(2);
                let size = members.group.len();
                let topology = if grid { self.grid(size) } else { self.graph(size) };
                let neighbors = topology.neighbors();
                comm = self.made(Maker::Topology(comm, topology));
                (neighbors, grid)
            }
            _ => (Vec::new(), false),
        };
        let table = self.table(&members, kind, side, vector, &neighbors);
        let rounds = if style == Style::Persistent { self.range(1, 4) as u32 } else { 1 };
        self.plan.collectives.push(Collective {
            comm,
            kind,
            side,
            root,
            table,
            vector,
            operator,
            style,
            rounds,
            neighbors,
            grid,
        });
        self.plan.collectives.len() - 1
    }

    fn operator(&mut self) -> Operator {
        if self.on(Feature::UserOperations) && self.one_in(2) {
            return self.pick(&[Operator::Modular, Operator::Compose]);
        }
        self.pick(&[
            Operator::Sum,
            Operator::Product,
            Operator::Max,
            Operator::Min,
            Operator::FloatSum,
            Operator::Xor,
            Operator::And,
            Operator::MaxLoc,
            Operator::MinLoc,
        ])
    }

    /// Returns a directed graph without multiple edges: targets and sources of each rank, in any
    /// order.
    fn graph(&mut self, size: usize) -> Topology {
        let mut neighbors = vec![(Vec::new(), Vec::new()); size];
        for from in 0..size {
            for to in 0..size {
                if self.one_in(2) {
                    neighbors[from].0.push(Some(to as u32));
                    neighbors[to].1.push(Some(from as u32));
                }
            }
        }
        for (to, from) in &mut neighbors {
            self.shuffle(to);
            self.shuffle(from);
        }
        Topology::Graph(neighbors)
    }

    /// Returns a grid of one or two dimensions, open or periodic in each.
    fn grid(&mut self, size: usize) -> Topology {
        let divisors: Vec<usize> = (1..=size).filter(|n| size.is_multiple_of(*n)).collect();
        let rows = self.pick(&divisors);
        Topology::Grid([rows, size / rows], [self.one_in(2), self.one_in(2)])
    }

    /// Returns random element counts; see [`Collective::table`].
    fn table(
        &mut self,
        comm: &Comm,
        kind: Kind,
        side: usize,
        vector: bool,
        neighbors: &[(Neighbors, Neighbors)],
    ) -> Vec<Vec<u64>> {
        let size = comm.group.len();
        let same = match self.below(12) {
            0 => 0,
            1 => self.range(30, 300),
            _ => self.range(1, 9),
        };
        let mut row = |length: usize| -> Vec<u64> {
            (0..length).map(|_| if vector { self.below(7) } else { same }).collect()
        };
        let inter = comm.other.is_some();
        let sizes = [comm.side(0).len(), comm.side(1).len()];
        match kind {
            Kind::Alltoall if inter => [0, 1]
                .into_iter()
                .flat_map(|own| vec![sizes[1 - own]; sizes[own]])
                .map(row)
                .collect(),
            Kind::Alltoall => (0..size).map(|_| row(size)).collect(),
            Kind::Allgather if inter => (0..sizes[0] + sizes[1]).map(|_| row(1)).collect(),
            Kind::Gather | Kind::Scatter if inter => vec![row(sizes[1 - side])],
            Kind::ReduceScatter if inter => {
                // Both groups reduce vectors of the same length.
                let mut rows = sizes.map(row);
                if vector {
                    let sums = [0, 1].map(|at| rows[at].iter().sum::<u64>());
                    let short = usize::from(sums[1] < sums[0]);
                    rows[short][0] += sums[1 - short] - sums[short];
                } else {
                    let unit = same.min(9);
                    rows = [0, 1].map(|at| vec![unit * sizes[1 - at] as u64; sizes[at]]);
                }
                rows.to_vec()
            }
            Kind::NeighborAllgather => neighbors.iter().map(|_| row(1)).collect(),
            Kind::NeighborAlltoall => neighbors.iter().map(|(to, _)| row(to.len())).collect(),
            Kind::Gather | Kind::Scatter | Kind::Allgather | Kind::ReduceScatter => {
                vec![row(size)]
            }
            _ => vec![row(1)],
        }
    }
}
