//! Profiling layers between a program and MPI (MPI: The Complete Reference, chapter 8).

use std::{cell::Cell, rc::Rc};

use mpi_api::api::{
    initialize,
    profile::{Answer, Call, Layer, SimDuration, control, push},
    time,
    topology::SimpleCommunicator,
    traits::*,
};

use super::super::{Case, Expect, Row, declare};

const RANKS: &[u32] = &[2, 3, 4];

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::new(
            "B8.1",
            "MPI: The Complete Reference, section 8.4.1",
            "a send that counts bytes and time",
            vec![
                Case::new(
                    RANKS,
                    |_| Expect::safe().reaching(&["3 sends, 60 bytes"]),
                    "three messages of 4, 16 and 40 bytes; their time is what the program's own \
                     clock says around them",
                    counted,
                ),
                Case::new(
                    RANKS,
                    |_| {
                        Expect::safe().reaching(&["below 2 sends, 20 bytes; over 1 sends, 4 bytes"])
                    },
                    "a level that announces each message by one of its own: only the level below \
                     counts that one",
                    two_levels,
                )
                .named("two-levels"),
                Case::new(
                    RANKS,
                    |_| Expect::safe().reaching(&["2 sends, 44 bytes"]),
                    "on after init, then off for one message, then on again (section 8.3.1)",
                    switched,
                )
                .named("control"),
            ],
        ),
        Row::remark(
            "B8.2",
            "MPI: The Complete Reference, section 8.4.2",
            "two ways to build a profiling library",
            "a remark on linkers; that every function has its PMPI name, with a weak MPI one, and \
             that a library may lie over a library, is tested in mpi-abi",
        ),
    ]
}

/// What the wrapper of `MPI_Send` keeps.
struct Sends {
    on: Cell<bool>,
    calls: Cell<u32>,
    bytes: Cell<u64>,
    time: Cell<SimDuration>,
}

impl Sends {
    fn pushed() -> Rc<Self> {
        let time = Cell::new(SimDuration::default());
        push(Self { on: Cell::new(true), calls: Cell::new(0), bytes: Cell::new(0), time })
    }

    fn text(&self) -> String {
        format!("{} sends, {} bytes", self.calls.get(), self.bytes.get())
    }
}

impl Layer for Sends {
    fn after(&self, call: &Call, answer: &Answer<'_>) {
        if self.on.get() && call.function == "MPI_Send" {
            self.calls.set(self.calls.get() + 1);
            self.bytes.set(self.bytes.get() + call.bytes);
            self.time.set(self.time.get() + answer.took);
        }
    }

    fn control(&self, level: i32) {
        self.on.set(level > 0);
    }
}

/// Rank 0 sends, rank 1 receives this many messages, each when it has worked for a while.
fn between(messages: usize, send: impl FnOnce(&SimpleCommunicator)) {
    let universe = initialize().expect("once");
    let world = universe.world();
    match world.rank() {
        0 => send(&world),
        1 => {
            for _ in 0..messages {
                world.compute(1e-4);
                world.process_at_rank(0).receive_vec::<i32>();
            }
        }
        _ => {}
    }
}

fn counted() {
    between(3, |world| {
        let sends = Sends::pushed();
        let start = time();
        for count in [1, 4, 10] {
            world.process_at_rank(1).send(&vec![7i32; count][..]);
        }
        let elapsed = time() - start;
        assert!((sends.time.get().as_secs_f64() - elapsed).abs() < 1e-11, "{elapsed} s");
        declare(sends.text());
    });
}

/// Sends the length of each message before it.
struct Announcing(SimpleCommunicator);

impl Layer for Announcing {
    fn before(&self, call: &Call) {
        if call.function == "MPI_Send" {
            self.0.process_at_rank(1).send(&[call.bytes as i32; 4]);
        }
    }
}

fn two_levels() {
    between(2, |world| {
        let below = Sends::pushed();
        push(Announcing(SimpleCommunicator::world()));
        let over = Sends::pushed();
        world.process_at_rank(1).send(&7i32);
        declare(format!("below {}", below.text()));
        declare(format!("over {}", over.text()));
        assert!(below.time.get() <= over.time.get());
    });
}

fn switched() {
    between(3, |world| {
        let sends = Sends::pushed();
        for (count, level) in [(1, 0), (4, 1), (10, 1)] {
            world.process_at_rank(1).send(&vec![7i32; count][..]);
            control(level);
        }
        declare(sends.text());
    });
}
