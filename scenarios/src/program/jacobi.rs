//! The Jacobi iteration with columns distributed over ranks, in the versions of MPI: The Complete
//! Reference, chapter 2. Each rank holds m columns of n values and a halo column on either side.

use mpi_api::api::{
    environment::carries_all_data,
    initialize,
    point_to_point::send_receive_into,
    request::{scope, wait_all},
    topology::{Process, SimpleCommunicator},
    traits::*,
};

use super::{BuiltIn, Values, Volume, product};

const SIZES: &[(&str, usize)] = &[("n", 32), ("columns", 4), ("iterations", 4)];

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
        program("jacobi-naive", "example 2.12: all send first, leans on buffering", naive),
        program("jacobi-evenodd", "example 2.13: odd ranks send first", even_odd),
        program("jacobi-sendrecv", "example 2.14: sendrecv, edges by test", sendrecv),
        program("jacobi-procnull", "example 2.15: sendrecv with null processes", null_process),
        program(
            "jacobi-nonblocking",
            "example 2.16: isend and irecv with single waits",
            nonblocking,
        ),
        program("jacobi-waitall", "example 2.26: isend and irecv with waitall", waitall),
        program("jacobi-persistent", "example 2.31: persistent requests", persistent),
    ]
}

/// Old and new columns with their halos; each iteration sends two of them.
fn volume(values: &Values, ranks: u64) -> Volume {
    let [n, columns, iterations] =
        ["n", "columns", "iterations"].map(|name| values.get(name) as u64);
    Volume {
        arrays: product(&[ranks, 2, n, columns + 2, 8]),
        messages: product(&[ranks, 2, iterations]),
        ..Volume::default()
    }
}

/// The columns of one rank: halo, m columns of its own, halo.
struct Field {
    comm: SimpleCommunicator,
    columns: Vec<Vec<f64>>,
    iterations: usize,
}

impl Field {
    fn new(comm: SimpleCommunicator, values: &Values) -> Self {
        let (n, m) = (values.get("n"), values.get("columns"));
        let first = comm.rank() as usize * m;
        let columns = (first..first + m + 2).map(|column| initial(column, n)).collect();
        Self { comm, columns, iterations: values.get("iterations") }
    }

    fn last(&self) -> usize {
        self.columns.len() - 2
    }

    fn is_first(&self) -> bool {
        self.comm.rank() == 0
    }

    fn is_last(&self) -> bool {
        self.comm.rank() == self.comm.size() - 1
    }

    fn left(&self) -> Process<'_> {
        if self.is_first() {
            self.comm.null_process()
        } else {
            self.comm.process_at_rank(self.comm.rank() - 1)
        }
    }

    fn right(&self) -> Process<'_> {
        if self.is_last() {
            self.comm.null_process()
        } else {
            self.comm.process_at_rank(self.comm.rank() + 1)
        }
    }

    /// Updates the rank's own columns once: five operations per point, one nanosecond each.
    fn sweep(&mut self) {
        relax(&mut self.columns);
        self.comm.compute(5e-9 * (self.columns[0].len() * self.last()) as f64);
    }

    /// Compares with the sequential iteration (example 2.11), repeated only as far around the
    /// rank's own columns as values travel. Skipped if even that takes long.
    fn check(&self) {
        let (n, m, far) = (self.columns[0].len(), self.last(), self.iterations);
        if n * (m + 2 * far) * far > CHECKED_MAX || !carries_all_data() {
            return;
        }
        let first = self.comm.rank() as usize * m;
        let (from, edge) = (first.saturating_sub(far), self.comm.size() as usize * m + 1);
        let to = (first + m + 1 + far).min(edge);
        let mut all: Vec<Vec<f64>> = (from..=to).map(|column| initial(column, n)).collect();
        for _ in 0..far {
            relax(&mut all);
        }
        let own = &self.columns[1..=m];
        assert!(own == &all[first + 1 - from..][..m], "not what the sequential iteration gives");
    }
}

/// Most point updates of a comparison; larger ones are skipped.
const CHECKED_MAX: usize = 1 << 20;

/// Returns the initial values of a column of the whole field, which are uneven.
fn initial(column: usize, n: usize) -> Vec<f64> {
    (0..n).map(|row| ((column * 7 + row * 13) % 32) as f64).collect()
}

/// Replaces every inner point by the mean of its four neighbours; the outermost columns stay.
fn relax(columns: &mut [Vec<f64>]) {
    let old = columns.to_vec();
    let n = old[0].len();
    for column in 1..old.len() - 1 {
        for row in 1..n.max(2) - 1 {
            let around = old[column - 1][row] + old[column + 1][row];
            columns[column][row] = 0.25 * (around + old[column][row - 1] + old[column][row + 1]);
        }
    }
}

fn run(values: &Values, exchange: fn(&mut Field)) {
    let universe = initialize().expect("once");
    let mut field = Field::new(universe.world(), values);
    for _ in 0..field.iterations {
        field.sweep();
        exchange(&mut field);
    }
    field.check();
}

fn naive(values: &Values) {
    run(values, |field| {
        let last = field.last();
        let mut halo = vec![0.0; field.columns[0].len()];
        if !field.is_first() {
            field.left().send(&field.columns[1]);
            field.left().receive_into(&mut halo);
            field.columns[0].copy_from_slice(&halo);
        }
        if !field.is_last() {
            field.right().send(&field.columns[last]);
            field.right().receive_into(&mut halo);
            field.columns[last + 1].copy_from_slice(&halo);
        }
    });
}

fn even_odd(values: &Values) {
    run(values, |field| {
        let last = field.last();
        let mut left_halo = vec![0.0; field.columns[0].len()];
        let mut right_halo = left_halo.clone();
        let (left, right) = (field.left(), field.right());
        if field.comm.rank() % 2 == 1 {
            left.send(&field.columns[1]);
            left.receive_into(&mut left_halo);
            right.send(&field.columns[last]);
            right.receive_into(&mut right_halo);
        } else {
            left.receive_into(&mut left_halo);
            left.send(&field.columns[1]);
            right.receive_into(&mut right_halo);
            right.send(&field.columns[last]);
        }
        keep(field, &left_halo, &right_halo);
    });
}

/// Stores the halos that were received from real neighbours.
fn keep(field: &mut Field, left: &[f64], right: &[f64]) {
    let last = field.last();
    if !field.is_first() {
        field.columns[0].copy_from_slice(left);
    }
    if !field.is_last() {
        field.columns[last + 1].copy_from_slice(right);
    }
}

fn sendrecv(values: &Values) {
    run(values, |field| {
        let last = field.last();
        let mut halo = vec![0.0; field.columns[0].len()];
        if !field.is_first() {
            let left = field.left();
            send_receive_into(&field.columns[1], &left, &mut halo, &left);
            field.columns[0].copy_from_slice(&halo);
        }
        if !field.is_last() {
            let right = field.right();
            send_receive_into(&field.columns[last], &right, &mut halo, &right);
            field.columns[last + 1].copy_from_slice(&halo);
        }
    });
}

fn null_process(values: &Values) {
    run(values, |field| {
        let last = field.last();
        let mut halo = field.columns[0].clone();
        send_receive_into(&field.columns[1], &field.left(), &mut halo, &field.left());
        field.columns[0].copy_from_slice(&halo);
        let mut halo = field.columns[last + 1].clone();
        send_receive_into(&field.columns[last], &field.right(), &mut halo, &field.right());
        field.columns[last + 1].copy_from_slice(&halo);
    });
}

fn nonblocking(values: &Values) {
    run(values, |field| {
        let last = field.last();
        let mut left_halo = field.columns[0].clone();
        let mut right_halo = field.columns[last + 1].clone();
        let (left, right) = (field.left(), field.right());
        scope(|scope| {
            let to_left = left.immediate_send(scope, &field.columns[1]);
            let to_right = right.immediate_send(scope, &field.columns[last]);
            let from_left = left.immediate_receive_into_with_tag(scope, &mut left_halo, 0);
            let from_right = right.immediate_receive_into_with_tag(scope, &mut right_halo, 0);
            to_left.wait();
            to_right.wait();
            from_left.wait();
            from_right.wait();
        });
        keep(field, &left_halo, &right_halo);
    });
}

fn waitall(values: &Values) {
    run(values, |field| {
        let last = field.last();
        let mut left_halo = field.columns[0].clone();
        let mut right_halo = field.columns[last + 1].clone();
        let (left, right) = (field.left(), field.right());
        scope(|scope| {
            wait_all(vec![
                left.immediate_send(scope, &field.columns[1]),
                right.immediate_send(scope, &field.columns[last]),
                left.immediate_receive_into_with_tag(scope, &mut left_halo, 0),
                right.immediate_receive_into_with_tag(scope, &mut right_halo, 0),
            ]);
        });
        keep(field, &left_halo, &right_halo);
    });
}

fn persistent(values: &Values) {
    let universe = initialize().expect("once");
    let mut field = Field::new(universe.world(), values);
    let last = field.last();
    let mut halos = [field.columns[0].clone(), field.columns[last + 1].clone()];
    let mut to_left = field.left().send_init(&halos[0], 0);
    let mut to_right = field.right().send_init(&halos[0], 0);
    let mut from_left = field.left().receive_init(&halos[0], 0);
    let mut from_right = field.right().receive_init(&halos[0], 0);
    for _ in 0..field.iterations {
        field.sweep();
        from_left.start();
        from_right.start();
        to_left.start_with(&field.columns[1]);
        to_right.start_with(&field.columns[last]);
        to_left.wait_active();
        to_right.wait_active();
        from_left.wait_into(&mut halos[0]);
        from_right.wait_into(&mut halos[1]);
        keep(&mut field, &halos[0], &halos[1]);
    }
    for request in [to_left, to_right, from_left, from_right] {
        request.free();
    }
    field.check();
}
