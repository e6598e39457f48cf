//! Ring allgather (Pacheco, Parallel Programming with MPI, chapter 13): in p - 1 passes each rank
//! sends the block that it received last to its successor.

use mpi_api::api::{
    BSEND_OVERHEAD,
    environment::carries_all_data,
    initialize,
    point_to_point::send_receive_into,
    request::scope,
    topology::{Process, SimpleCommunicator},
    traits::*,
};

use super::{BuiltIn, Values, all_pairs, of_allgather};

pub(super) const BLOCK: &[(&str, usize)] = &[("blocksize", 1)];

pub(super) fn programs() -> Vec<BuiltIn> {
    let program = |name, summary, body| BuiltIn {
        name,
        summary,
        parameters: BLOCK,
        power_of_two: false,
        body,
        volume: |values, ranks| of_allgather(values, ranks, 1, all_pairs(ranks)),
    };
    vec![
        program(
            "allgather-ring",
            "ring allgather, all send then receive: leans on buffering",
            plain,
        ),
        program("allgather-ring-sendrecv", "ring allgather with sendrecv", sendrecv),
        program("allgather-ring-evenodd", "ring allgather, even ranks send first", even_odd),
        program("allgather-ring-nonblocking", "ring allgather, isend and irecv", nonblocking),
        program("allgather-ring-persistent", "ring allgather, persistent requests", persistent),
        program("allgather-ring-buffered", "ring allgather, buffered sends", buffered),
        program(
            "allgather-ring-synchronous",
            "ring allgather, even ranks ssend first",
            synchronous,
        ),
        program(
            "allgather-ring-ready",
            "ring allgather, receives posted before ready sends",
            ready,
        ),
    ]
}

/// One rank's position in the ring and its part of the data.
pub(super) struct Ring {
    pub(super) comm: SimpleCommunicator,
    pub(super) block: usize,
    y: Vec<f32>,
}

impl Ring {
    pub(super) fn new(comm: SimpleCommunicator, values: &Values) -> Self {
        let block = values.get("blocksize");
        let (rank, size) = (comm.rank() as usize, comm.size() as usize);
        let mut y = vec![0.0; block * size];
        // Memory that is never written takes none of this computer's.
        if carries_all_data() {
            y[rank * block..(rank + 1) * block].fill(rank as f32);
        }
        Self { comm, block, y }
    }

    pub(super) fn passes(&self) -> usize {
        self.comm.size() as usize - 1
    }

    pub(super) fn successor(&self) -> Process<'_> {
        self.comm.process_at_rank((self.comm.rank() + 1) % self.comm.size())
    }

    pub(super) fn predecessor(&self) -> Process<'_> {
        self.comm.process_at_rank((self.comm.rank() + self.comm.size() - 1) % self.comm.size())
    }

    /// Returns the block to send in a pass, counting backwards from the rank's own block.
    pub(super) fn outgoing(&self, pass: usize) -> &[f32] {
        let size = self.comm.size() as usize;
        let at = (self.comm.rank() as usize + size - pass) % size * self.block;
        &self.y[at..at + self.block]
    }

    pub(super) fn keep(&mut self, pass: usize, block: &[f32]) {
        let size = self.comm.size() as usize;
        let at = (self.comm.rank() as usize + 2 * size - pass - 1) % size * self.block;
        if carries_all_data() {
            self.y[at..at + self.block].copy_from_slice(block);
        }
    }

    pub(super) fn check(&self) {
        if !carries_all_data() {
            return;
        }
        for (position, value) in self.y.iter().enumerate() {
            assert_eq!(*value, (position / self.block) as f32, "block {position} is wrong");
        }
    }
}

fn plain(values: &Values) {
    let universe = initialize().expect("once");
    let mut ring = Ring::new(universe.world(), values);
    for pass in 0..ring.passes() {
        let mut block = vec![0.0; ring.block];
        ring.successor().send(ring.outgoing(pass));
        ring.predecessor().receive_into(&mut block);
        ring.keep(pass, &block);
    }
    ring.check();
}

fn sendrecv(values: &Values) {
    let universe = initialize().expect("once");
    let mut ring = Ring::new(universe.world(), values);
    let mut block = vec![0.0; ring.block];
    for pass in 0..ring.passes() {
        let out = ring.outgoing(pass);
        send_receive_into(out, &ring.successor(), &mut block, &ring.predecessor());
        ring.keep(pass, &block);
    }
    ring.check();
}

fn even_odd(values: &Values) {
    let universe = initialize().expect("once");
    let mut ring = Ring::new(universe.world(), values);
    for pass in 0..ring.passes() {
        let mut block = vec![0.0; ring.block];
        if ring.comm.rank() % 2 == 0 {
            ring.successor().send(ring.outgoing(pass));
            ring.predecessor().receive_into(&mut block);
        } else {
            ring.predecessor().receive_into(&mut block);
            ring.successor().send(ring.outgoing(pass));
        }
        ring.keep(pass, &block);
    }
    ring.check();
}

fn synchronous(values: &Values) {
    let universe = initialize().expect("once");
    let mut ring = Ring::new(universe.world(), values);
    for pass in 0..ring.passes() {
        let mut block = vec![0.0; ring.block];
        if ring.comm.rank() % 2 == 0 {
            ring.successor().synchronous_send(ring.outgoing(pass));
            ring.predecessor().receive_into(&mut block);
        } else {
            ring.predecessor().receive_into(&mut block);
            ring.successor().synchronous_send(ring.outgoing(pass));
        }
        ring.keep(pass, &block);
    }
    ring.check();
}

fn nonblocking(values: &Values) {
    let universe = initialize().expect("once");
    let mut ring = Ring::new(universe.world(), values);
    for pass in 0..ring.passes() {
        let out = ring.outgoing(pass);
        let mut block = vec![0.0; ring.block];
        scope(|scope| {
            let send = ring.successor().immediate_send(scope, out);
            let from = ring.predecessor();
            let receive = from.immediate_receive_into_with_tag(scope, &mut block, 0);
            send.wait();
            receive.wait();
        });
        ring.keep(pass, &block);
    }
    ring.check();
}

fn persistent(values: &Values) {
    let universe = initialize().expect("once");
    let mut ring = Ring::new(universe.world(), values);
    let mut block = vec![0.0; ring.block];
    let mut send = ring.successor().send_init(&block, 0);
    let mut receive = ring.predecessor().receive_init(&block, 0);
    for pass in 0..ring.passes() {
        send.start_with(ring.outgoing(pass));
        receive.start();
        send.wait_active();
        receive.wait_into(&mut block);
        ring.keep(pass, &block);
    }
    send.free();
    receive.free();
    ring.check();
}

fn buffered(values: &Values) {
    let universe = initialize().expect("once");
    let mut ring = Ring::new(universe.world(), values);
    let message = 4 * ring.block + BSEND_OVERHEAD as usize;
    universe.attach_buffer(ring.passes() * message);
    for pass in 0..ring.passes() {
        let mut block = vec![0.0; ring.block];
        ring.successor().buffered_send(ring.outgoing(pass));
        ring.predecessor().receive_into(&mut block);
        ring.keep(pass, &block);
    }
    universe.detach_buffer();
    ring.check();
}

fn ready(values: &Values) {
    let universe = initialize().expect("once");
    let mut ring = Ring::new(universe.world(), values);
    let mut blocks = vec![vec![0.0f32; ring.block]; ring.passes()];
    let first = ring.outgoing(0).to_vec();
    scope(|scope| {
        let predecessor = ring.predecessor();
        let post =
            |(pass, block)| predecessor.immediate_receive_into_with_tag(scope, block, pass as i32);
        let receives: Vec<_> = blocks.iter_mut().enumerate().map(post).collect();
        ring.comm.barrier();
        let mut out = &first;
        for (pass, receive) in receives.into_iter().enumerate() {
            ring.successor().ready_send_with_tag(out, pass as i32);
            out = receive.wait_for_data();
        }
    });
    for (pass, block) in blocks.iter().enumerate() {
        ring.keep(pass, block);
    }
    ring.check();
}
