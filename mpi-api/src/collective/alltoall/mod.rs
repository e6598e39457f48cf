//! All-to-all: one block from every rank for every rank.

use super::{Buffer, Schedule, Shape, blocks::Blocks};

pub mod bruck;
pub mod linear;
pub mod pairwise;
pub mod ring;
pub mod strided;

/// Builds one round; `distance` returns how far the receiver of a turn is, and its sender on the other side.
fn at_once(shape: &Shape, distance: impl Fn(u32) -> u32) -> Schedule {
    let (sent, got) = (Blocks::new(&shape.send), Blocks::new(&shape.receive));
    let mut schedule = Schedule::new(got.start(shape.size), 0);
    for turn in 1..shape.size {
        let from = shape.before(distance(turn));
        schedule.receive(from, got.of(Buffer::Output, from));
    }
    for turn in 1..shape.size {
        let to = shape.after(distance(turn));
        schedule.send(to, sent.of(Buffer::Input, to));
    }
    schedule.copy(sent.of(Buffer::Input, shape.rank), got.of(Buffer::Output, shape.rank));
    schedule.end_round();
    schedule
}

/// Builds p - 1 rounds; `partners` returns the receiver and the sender of a rank in a round.
fn one_by_one(shape: &Shape, partners: impl Fn(u32) -> (u32, u32)) -> Schedule {
    let (sent, got) = (Blocks::new(&shape.send), Blocks::new(&shape.receive));
    let mut schedule = Schedule::new(got.start(shape.size), 0);
    let own = (sent.of(Buffer::Input, shape.rank), got.of(Buffer::Output, shape.rank));
    for round in 1..shape.size {
        let (to, from) = partners(round);
        schedule.send(to, sent.of(Buffer::Input, to));
        schedule.receive(from, got.of(Buffer::Output, from));
        if round == 1 {
            schedule.copy(own.0, own.1);
        }
        schedule.end_round();
    }
    if shape.size == 1 {
        schedule.copy(own.0, own.1);
        schedule.end_round();
    }
    schedule
}
