//! The effect of an access on the memory of its target.

use smallvec::SmallVec;

use crate::{
    call::{Access, Action, Payload, Runs},
    object::{op::Op, signature::Primitive},
    window_memory::WindowMemory,
};

/// Carries out an access whose displacement is `base` in this memory. Returns the data that return to
/// the origin, if there are any. Each call is one step of simulated time, so that it is atomic.
pub(super) fn carry_out(memory: &dyn WindowMemory, base: i64, access: &Access) -> Option<Payload> {
    let data = access.payload.contents();
    match &access.action {
        Action::Put => {
            write(memory, base, &access.runs, &data);
            None
        }
        Action::Get => Some(returned(read(memory, base, &access.runs))),
        Action::Update { op, primitive, fetch } => {
            if matches!(op, Op::NoOp) {
                return fetch.then(|| returned(read(memory, base, &access.runs)));
            }
            let before = read(memory, base, &access.runs);
            let mut after = Bytes::from_slice(&data);
            after.resize(before.len(), 0);
            op.apply(*primitive, &before, &mut after);
            write(memory, base, &access.runs, &after);
            fetch.then(|| returned(before))
        }
        Action::Swap(primitive) => {
            let before = read(memory, base, &access.runs);
            let (compare, new) = data.split_at(primitive.size().min(data.len()));
            if before.as_slice() == compare {
                write(memory, base, &access.runs, new);
            }
            Some(returned(before))
        }
    }
}

/// Bytes of an access, most of which are a number or two.
type Bytes = SmallVec<[u8; 32]>;

fn returned(bytes: Bytes) -> Payload {
    if bytes.spilled() { bytes.into_vec().into() } else { Payload::from_slice(&bytes) }
}

/// Returns what an access would return if its target's memory is out of reach.
pub(super) fn nothing(access: &Access) -> Option<Payload> {
    access.action.fetches().then(|| Payload::Absent(access.runs.bytes()))
}

fn read(memory: &dyn WindowMemory, base: i64, runs: &Runs) -> Bytes {
    let bytes = runs.bytes() as usize;
    let few = [0; 32];
    let mut data = match bytes <= few.len() {
        true => Bytes::from_buf_and_len(few, bytes),
        false => Bytes::from_elem(0, bytes),
    };
    let mut rest = &mut data[..];
    for (at, bytes) in runs.iter() {
        let (run, more) = rest.split_at_mut(bytes as usize);
        memory.read(base + at, run);
        rest = more;
    }
    data
}

fn write(memory: &dyn WindowMemory, base: i64, runs: &Runs, mut data: &[u8]) {
    for (at, bytes) in runs.iter() {
        let (run, more) = data.split_at((bytes as usize).min(data.len()));
        memory.write(base + at, run);
        data = more;
    }
}

/// Reports whether the operations of two concurrent updates of one place may be mixed: equal ones, and
/// those that only read or replace.
pub(super) fn mixes(one: &Action, other: &Action) -> bool {
    fn kind(action: &Action) -> Option<(Option<&Op>, Primitive)> {
        match action {
            Action::Update { op, primitive, .. } => Some((Some(op), *primitive)),
            Action::Swap(primitive) => Some((None, *primitive)),
            Action::Put | Action::Get => None,
        }
    }
    let neutral = |op: Option<&Op>| matches!(op, None | Some(Op::NoOp | Op::Replace));
    match (kind(one), kind(other)) {
        (Some((first, a)), Some((second, b))) => {
            let same = match (first, second) {
                (Some(first), Some(second)) => {
                    std::mem::discriminant(first) == std::mem::discriminant(second)
                }
                _ => false,
            };
            a.representation() == b.representation() && (same || neutral(first) || neutral(second))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    struct Held(RefCell<Vec<u8>>);

    impl WindowMemory for Held {
        fn read(&self, at: i64, into: &mut [u8]) {
            into.copy_from_slice(&self.0.borrow()[at as usize..][..into.len()]);
        }

        fn write(&self, at: i64, bytes: &[u8]) {
            self.0.borrow_mut()[at as usize..][..bytes.len()].copy_from_slice(bytes);
        }
    }

    fn access(action: Action, runs: Runs, data: &[u8]) -> Access {
        let payload = Payload::from_slice(data);
        Access { target: 0, at: 0, runs, action, payload, ticket: 0, strided: false }
    }

    fn update(op: Op, fetch: bool) -> Action {
        Action::Update { op, primitive: Primitive::UInt8, fetch }
    }

    #[test]
    fn data_go_to_their_runs_in_order_and_come_back() {
        let memory = Held(RefCell::new(vec![0; 8]));
        let runs = || Runs::Many(Box::new([(4, 2), (0, 1)]));
        assert!(carry_out(&memory, 1, &access(Action::Put, runs(), &[7, 8, 9])).is_none());
        assert_eq!(*memory.0.borrow(), [0, 9, 0, 0, 0, 7, 8, 0]);
        let got = carry_out(&memory, 1, &access(Action::Get, runs(), &[])).expect("data");
        assert_eq!(got.as_slice(), [7, 8, 9]);
    }

    #[test]
    fn updates_combine_replace_or_only_read() {
        let memory = Held(RefCell::new(vec![5, 6]));
        let run = || Runs::One(0, 2);
        let result = |action, data: &[u8]| carry_out(&memory, 0, &access(action, run(), data));
        assert!(result(update(Op::Sum, false), &[1, 2]).is_none());
        assert_eq!(result(update(Op::NoOp, true), &[]).expect("data").as_slice(), [6, 8]);
        assert_eq!(result(update(Op::Replace, true), &[1, 1]).expect("data").as_slice(), [6, 8]);
        assert_eq!(*memory.0.borrow(), [1, 1]);
    }

    #[test]
    fn a_swap_compares_first() {
        let memory = Held(RefCell::new(vec![5]));
        let swap = |data: &[u8]| {
            let access = access(Action::Swap(Primitive::UInt8), Runs::One(0, 1), data);
            carry_out(&memory, 0, &access).expect("data").as_slice().to_vec()
        };
        assert_eq!((swap(&[4, 1]), swap(&[5, 2]), swap(&[5, 3])), (vec![5], vec![5], vec![2]));
    }

    #[test]
    fn equal_and_neutral_operations_mix() {
        let sum = update(Op::Sum, true);
        assert!(mixes(&sum, &update(Op::Sum, false)) && mixes(&sum, &update(Op::NoOp, true)));
        assert!(!mixes(&sum, &update(Op::Max, false)) && !mixes(&sum, &Action::Put));
        assert!(mixes(&Action::Swap(Primitive::UInt8), &update(Op::Replace, true)));
        assert!(!mixes(&Action::Swap(Primitive::Int32), &update(Op::Replace, true)));
    }
}
