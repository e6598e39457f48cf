//! A Jacobi iteration on a two-dimensional torus of ranks, whose halos are exchanged by
//! neighbourhood collectives (MPI draft, section 7.7).

use mpi_api::{
    api::{
        collective::Section,
        datatype::{DatatypeRef, UserDatatype},
        environment::carries_all_data,
        initialize,
        topology::CartesianCommunicator,
        traits::*,
    },
    object::signature::Primitive,
};

use super::{BuiltIn, Values, Volume, product};

const SIZES: &[(&str, usize)] = &[("n", 16), ("iterations", 4)];

pub(super) fn programs() -> Vec<BuiltIn> {
    let program = |name, summary, body| BuiltIn {
        name,
        summary,
        parameters: SIZES,
        power_of_two: false,
        body,
        volume,
    };
    vec![
        program("jacobi-neighbor", "2-D torus, halos copied, neighbor alltoall", copied),
        program("jacobi-neighborw", "2-D torus, halos in place, neighbor alltoallw", in_place),
        program(
            "jacobi-neighborw-persistent",
            "2-D torus, persistent neighbor alltoallw, overlapped",
            persistent,
        ),
    ]
}

/// Old and new points with their halos; each iteration sends four sides of them.
fn volume(values: &Values, ranks: u64) -> Volume {
    let [n, iterations] = ["n", "iterations"].map(|name| values.get(name) as u64);
    Volume {
        arrays: product(&[ranks, 2, n + 2, n + 2, 8]),
        messages: product(&[ranks, 4, iterations]),
        ..Volume::default()
    }
}

const REAL: DatatypeRef<'static> = DatatypeRef::system(Primitive::Float64);

/// The points of one rank, with a halo on every side.
struct Field {
    torus: CartesianCommunicator,
    n: usize,
    iterations: usize,
    u: Vec<f64>,
}

impl Field {
    fn new(values: &Values) -> Self {
        let (n, iterations) = (values.get("n"), values.get("iterations"));
        let world = mpi_api::api::topology::SimpleCommunicator::world();
        let mut dims = [0; 2];
        CartesianCommunicator::balance(&world, &mut dims);
        let torus = world.create_cartesian_communicator(&dims, &[true; 2], true);
        let torus = torus.expect("every rank has a place");
        let mut field = Self { torus, n, iterations, u: vec![f64::NAN; (n + 2) * (n + 2)] };
        let (first, size) = (field.first(), field.size());
        for row in 0..n {
            for column in 0..n {
                let at = field.at(row + 1, column + 1);
                field.u[at] = initial(first[0] + row, first[1] + column, size);
            }
        }
        field
    }

    fn at(&self, row: usize, column: usize) -> usize {
        row * (self.n + 2) + column
    }

    /// Returns the position of the rank's first point in the whole field.
    fn first(&self) -> [usize; 2] {
        let layout = self.torus.get_layout();
        [layout.coords[0] as usize * self.n, layout.coords[1] as usize * self.n]
    }

    /// Returns the size of the whole field.
    fn size(&self) -> [usize; 2] {
        let layout = self.torus.get_layout();
        [layout.dims[0] as usize * self.n, layout.dims[1] as usize * self.n]
    }

    /// Computes new values of some rows and columns from the current ones.
    fn update(
        &self,
        new: &mut [f64],
        rows: std::ops::RangeInclusive<usize>,
        columns: std::ops::RangeInclusive<usize>,
    ) {
        for row in rows {
            for column in columns.clone() {
                let sides = self.u[self.at(row - 1, column)]
                    + self.u[self.at(row + 1, column)]
                    + self.u[self.at(row, column - 1)]
                    + self.u[self.at(row, column + 1)];
                new[self.at(row, column)] = 0.25 * sides;
            }
        }
    }

    fn sweep(&mut self) {
        let mut new = self.u.clone();
        self.update(&mut new, 1..=self.n, 1..=self.n);
        self.torus.compute(5e-9 * (self.n * self.n) as f64);
        self.u = new;
    }

    /// Returns the sections sent to, and received from, the four neighbours.
    fn sections<'d>(&self, column: &'d UserDatatype) -> [[Section<'d>; 4]; 2] {
        let (n, row) = (self.n, REAL);
        let section = |(at, count, datatype): (usize, usize, DatatypeRef<'d>)| Section {
            displacement: 8 * at as isize,
            count: count as i32,
            datatype,
        };
        let side = |low: usize, high: usize| {
            [
                (self.at(low, 1), n, row),
                (self.at(high, 1), n, row),
                (self.at(1, low), 1, column.as_ref()),
                (self.at(1, high), 1, column.as_ref()),
            ]
            .map(section)
        };
        [side(1, n), side(0, n + 1)]
    }

    fn column(&self) -> UserDatatype {
        UserDatatype::vector(self.n as i32, 1, self.n as i32 + 2, &REAL)
    }

    /// Compares with the same iteration on the whole field; skipped if that takes long.
    fn check(&self) {
        let size = self.size();
        if size[0] * size[1] * self.iterations > CHECKED_MAX || !carries_all_data() {
            return;
        }
        let mut all: Vec<f64> = (0..size[0] * size[1])
            .map(|place| initial(place / size[1], place % size[1], size))
            .collect();
        for _ in 0..self.iterations {
            let old = all.clone();
            let point = |row: usize, column: usize| old[row % size[0] * size[1] + column % size[1]];
            for (place, value) in all.iter_mut().enumerate() {
                let (row, column) = (place / size[1] + size[0], place % size[1] + size[1]);
                let sides = point(row - 1, column)
                    + point(row + 1, column)
                    + point(row, column - 1)
                    + point(row, column + 1);
                *value = 0.25 * sides;
            }
        }
        let first = self.first();
        for row in 0..self.n {
            for column in 0..self.n {
                let expected = all[(first[0] + row) * size[1] + first[1] + column];
                let got = self.u[self.at(row + 1, column + 1)];
                assert!(got == expected, "point ({row}, {column}) is {got}, not {expected}");
            }
        }
    }
}

/// Most point updates of a comparison; larger ones are skipped.
const CHECKED_MAX: usize = 1 << 20;

fn initial(row: usize, column: usize, size: [usize; 2]) -> f64 {
    ((row % size[0] * 7 + column % size[1] * 13) % 32) as f64
}

fn copied(values: &Values) {
    let _universe = initialize().expect("once");
    let mut field = Field::new(values);
    let n = field.n;
    for _ in 0..field.iterations {
        let mut out = Vec::with_capacity(4 * n);
        let line = |row: usize| (1..=n).map(move |at| (row, at));
        let edges = [1, n].map(line).into_iter().flatten();
        let columns = [1, n].into_iter().flat_map(|column| (1..=n).map(move |at| (at, column)));
        out.extend(edges.chain(columns).map(|(row, column)| field.u[field.at(row, column)]));
        let mut got = vec![0.0; 4 * n];
        field.torus.neighbor_all_to_all_into(&out, &mut got);
        for at in 0..n {
            let halo = [(0, at + 1), (n + 1, at + 1), (at + 1, 0), (at + 1, n + 1)];
            for (side, (row, column)) in halo.into_iter().enumerate() {
                let place = field.at(row, column);
                field.u[place] = got[side * n + at];
            }
        }
        field.sweep();
    }
    field.check();
}

#[allow(unsafe_code, reason = "sections of an array are known by address")]
fn in_place(values: &Values) {
    let _universe = initialize().expect("once");
    let mut field = Field::new(values);
    let column = field.column();
    let [out, halo] = field.sections(&column);
    for _ in 0..field.iterations {
        // SAFETY: every section is inside the array, and the halo is disjoint from the edges.
        unsafe { field.torus.neighbor_all_to_all_sections(&mut field.u, &out, &halo) };
        field.sweep();
    }
    field.check();
}

#[allow(unsafe_code, reason = "sections of an array are known by address")]
fn persistent(values: &Values) {
    let _universe = initialize().expect("once");
    let mut field = Field::new(values);
    let n = field.n;
    let column = field.column();
    let [out, halo] = field.sections(&column);
    let mut exchange = field.torus.neighbor_all_to_all_sections_init(&out, &halo);
    for _ in 0..field.iterations {
        // SAFETY: every section is inside the array.
        unsafe { exchange.start(&mut field.u) };
        let mut new = field.u.clone();
        field.update(&mut new, 2..=n.max(2) - 1, 2..=n.max(2) - 1);
        field.torus.compute(5e-9 * (n * n) as f64);
        // SAFETY: every section is inside the array, and the halo was not read meanwhile.
        unsafe { exchange.wait(&mut field.u) };
        for edge in [1, n] {
            field.update(&mut new, edge..=edge, 1..=n);
            field.update(&mut new, 1..=n, edge..=edge);
        }
        field.u = new;
    }
    exchange.free();
    field.check();
}
