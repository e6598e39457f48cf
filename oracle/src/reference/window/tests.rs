//! The model on programs that the standard decides by hand.

use mpi_api::object::signature::Primitive;

use super::{Judgement, judge};
use crate::{
    layout::{Layout, Shape},
    plan::{
        Wrong,
        window::{Access, Deed, Flavor, Kind, Promise, Turn, Update, Window},
    },
};

/// Returns an access to the first word of a target's part.
fn access(kind: Kind, target: u32, request: bool) -> Access {
    let word = || Layout {
        fields: vec![(Primitive::Int32, 0)],
        extent: 4,
        shape: Shape::One,
        elements: 1,
    };
    let primitive = Primitive::Int32;
    let (from, into, there) = (word(), word(), word());
    Access { kind, request, primitive, target, at: 0, from, into, there }
}

/// Judges a program of three ranks with these accesses.
fn judged(accesses: &[Access], turns: &[Turn]) -> Judgement {
    judge(&Window {
        key: 0,
        comm: 0,
        flavor: Flavor::Create,
        bytes: vec![32; 3],
        unit: 1,
        unchecked: false,
        accesses: accesses.to_vec(),
        turns: turns.to_vec(),
    })
}

const FENCE: Turn = Turn::fence(false, false);
const RACE: Judgement = Judgement::Wrong(Wrong::Order);
const MISUSE: Judgement = Judgement::Wrong(Wrong::Epochs);

fn by(rank: u32, deeds: &[Deed]) -> Vec<Turn> {
    deeds.iter().map(|deed| Turn::Deed(rank, deed.clone())).collect()
}

fn put(rank: u32, id: usize) -> Turn {
    Turn::Deed(rank, Deed::Access(id))
}

#[test]
fn accesses_of_one_epoch_of_fences_are_not_ordered() {
    let puts = [access(Kind::Put, 2, false), access(Kind::Put, 2, false)];
    assert_eq!(judged(&puts, &[FENCE, put(0, 0), put(1, 1), FENCE]), RACE);
    assert_eq!(judged(&puts, &[FENCE, put(0, 0), put(0, 1), FENCE]), RACE, "of one rank neither");
    let apart = [FENCE, put(0, 0), FENCE, put(1, 1), FENCE];
    assert_eq!(judged(&puts, &apart), Judgement::Right);
    let sums = [access(Kind::Accumulate(Update::Sum), 2, false), puts[0].clone()];
    let same = [sums[0].clone(), sums[0].clone()];
    assert_eq!(judged(&same, &[FENCE, put(0, 0), put(1, 1), FENCE]), Judgement::Right);
    assert_eq!(judged(&sums, &[FENCE, put(0, 0), put(1, 1), FENCE]), RACE);
    let stored = [FENCE, put(0, 0), Turn::Deed(2, Deed::Store(0, 4, 0)), FENCE];
    assert_eq!(judged(&puts[..1], &stored), RACE);
}

#[test]
fn a_message_orders_what_is_complete() {
    let puts = [access(Kind::Put, 2, false), access(Kind::Put, 2, false)];
    let program = |flush: &[Deed]| {
        let first = by(0, &[&[Deed::LockAll, Deed::Access(0)], flush].concat());
        let tell = vec![Turn::Deed(1, Deed::LockAll), Turn::Tell(0, 1)];
        let second = by(1, &[Deed::Access(1), Deed::UnlockAll]);
        [first, tell, second, by(0, &[Deed::UnlockAll])].concat()
    };
    assert_eq!(judged(&puts, &program(&[Deed::Flush(Some(2))])), Judgement::Right);
    assert_eq!(judged(&puts, &program(&[])), RACE, "it is not complete");
    assert_eq!(judged(&puts, &program(&[Deed::FlushLocal(None)])), Judgement::Open);
}

#[test]
fn exclusive_locks_keep_accesses_apart_and_shared_ones_do_not() {
    let puts = [access(Kind::Put, 2, false), access(Kind::Put, 2, false)];
    let program = |exclusive| {
        let session =
            |rank, id| by(rank, &[Deed::Lock(2, exclusive), Deed::Access(id), Deed::Unlock(2)]);
        [session(0, 0), session(1, 1)].concat()
    };
    assert_eq!(judged(&puts, &program(true)), Judgement::Right);
    assert_eq!(judged(&puts, &program(false)), RACE);
}

#[test]
fn calls_that_fit_no_epoch_are_misuses() {
    let puts = [access(Kind::Put, 2, false), access(Kind::Put, 2, true)];
    let of = |turns: &[Turn]| judged(&puts, turns);
    assert_eq!(of(&[put(0, 0)]), MISUSE, "outside any epoch");
    assert_eq!(of(&[FENCE, put(0, 0)]), MISUSE, "the window is freed in an epoch");
    assert_eq!(of(&[FENCE, put(0, 1), FENCE]), MISUSE, "a request with an active target");
    assert_eq!(of(&by(0, &[Deed::Unlock(2)])), MISUSE);
    assert_eq!(of(&by(0, &[Deed::Lock(2, false), Deed::Lock(2, false)])), MISUSE);
    assert_eq!(of(&by(0, &[Deed::Lock(1, false), Deed::Access(0)])), MISUSE, "another target");
    let closed = Turn::fence(false, true);
    assert_eq!(of(&[closed, put(0, 0), FENCE]), MISUSE, "MPI_MODE_NOSUCCEED");
    let groups = [
        by(2, &[Deed::Post(vec![0], Promise::default())]),
        by(0, &[Deed::Start(vec![2]), Deed::Access(0)]),
    ];
    let ended = [by(0, &[Deed::Complete]), by(2, &[Deed::Wait { polls: false }])].concat();
    assert_eq!(of(&[groups.concat(), ended].concat()), Judgement::Right);
    assert_eq!(of(&groups.concat()), MISUSE, "the epochs are open");
    assert_eq!(of(&by(0, &[Deed::Start(vec![2])])), Judgement::Stuck, "nobody posts");
}

#[test]
fn buffers_belong_to_their_accesses_until_these_are_complete() {
    let gets = [access(Kind::Get, 2, false), access(Kind::Get, 2, true)];
    let early = [FENCE, put(0, 0), Turn::Deed(0, Deed::Peek(0)), FENCE];
    assert_eq!(judged(&gets, &early), Judgement::Wrong(Wrong::Buffers));
    let late = [FENCE, put(0, 0), FENCE, Turn::Deed(0, Deed::Peek(0))];
    assert_eq!(judged(&gets, &late), Judgement::Right);
    let deeds = [Deed::LockAll, Deed::Access(1), Deed::Flush(None), Deed::Peek(1)];
    let rest = [Deed::UnlockAll, Deed::Finish(1)];
    let program = by(0, &[&deeds[..], &rest].concat());
    assert_eq!(judged(&gets, &program), Judgement::Right, "a flush completes those with requests");
}

#[test]
fn promises_are_about_the_time_until_the_next_offer_or_since_the_last() {
    let fence = |promise| {
        let mut fence = FENCE;
        fence.assert(2, promise);
        fence
    };
    let no_put = || fence(Promise::default().no_put());
    let no_store = || fence(Promise::default().no_store());
    let with = |kind| vec![access(kind, 2, false)];
    let turns = [no_put(), put(0, 0), FENCE];
    assert_eq!(judged(&with(Kind::Put), &turns), MISUSE);
    assert_eq!(judged(&with(Kind::Get), &turns), Judgement::Right);
    assert_eq!(judged(&with(Kind::FetchAndOp(Update::NoOp)), &turns), Judgement::Right);
    let swap = with(Kind::CompareAndSwap(0));
    assert_eq!(judged(&swap, &turns), Judgement::Open);
    let twice = [swap[0].clone(), access(Kind::Get, 2, false)];
    let raced = [no_put(), put(0, 0), put(2, 1), FENCE];
    assert_eq!(judged(&twice, &raced), Judgement::Open, "either may be told first");
    let later = [no_put(), FENCE, put(0, 0), FENCE];
    assert_eq!(judged(&with(Kind::Put), &later), Judgement::Right);
    let store = || Turn::Deed(2, Deed::Store(0, 4, 0));
    let wrong = Judgement::Wrong(Wrong::Stored);
    assert_eq!(judged(&[], &[FENCE, store(), no_store()]), wrong);
    assert_eq!(judged(&[], &[FENCE, store(), FENCE, no_store()]), Judgement::Right);
    let synchronised = [FENCE, store(), Turn::Deed(2, Deed::Sync), no_store()];
    assert_eq!(judged(&[], &synchronised), Judgement::Open);
    let posted = [
        by(2, &[Deed::Store(0, 4, 0), Deed::Post(vec![0], Promise::default().no_store())]),
        by(0, &[Deed::Start(vec![2]), Deed::Complete]),
        by(2, &[Deed::Wait { polls: false }]),
    ];
    assert_eq!(judged(&[], &posted.concat()), wrong);
}
