//! Ring allgather with every receive posted before the first send (Pacheco, chapter 13, exercises 3
//! and 4): each block is forwarded as soon as it has arrived.

use mpi_api::api::{
    initialize,
    request::{Request, multiple_scope, scope},
    traits::*,
};

use super::{
    BuiltIn, Values, all_pairs,
    allgather_ring::{BLOCK, Ring},
    of_allgather,
};

pub(super) fn programs() -> Vec<BuiltIn> {
    let program = |name, summary, body| BuiltIn {
        name,
        summary,
        parameters: BLOCK,
        power_of_two: false,
        body,
        volume: |values, ranks| of_allgather(values, ranks, 2, all_pairs(ranks)),
    };
    vec![
        program("allgather-ring-test", "ring allgather, receives posted, a loop of tests", test),
        program("allgather-ring-waitany", "ring allgather, receives posted, wait any", wait_any),
    ]
}

fn test(values: &Values) {
    let universe = initialize().expect("once");
    let mut ring = Ring::new(universe.world(), values);
    let mut blocks = vec![vec![0.0f32; ring.block]; ring.passes()];
    scope(|scope| {
        let predecessor = ring.predecessor();
        let mut receives: Vec<Option<Request<'_, _, _>>> = blocks
            .iter_mut()
            .enumerate()
            .map(|(tag, block)| {
                Some(predecessor.immediate_receive_into_with_tag(scope, block, tag as i32))
            })
            .collect();
        send_own(&ring);
        while receives.iter().any(Option::is_some) {
            for (tag, slot) in receives.iter_mut().enumerate() {
                let Some(receive) = slot.take() else { continue };
                match receive.test_with_data() {
                    Ok((_, block)) => hand_on(&ring, block, tag + 1),
                    Err(receive) => *slot = Some(receive),
                }
            }
        }
    });
    finish(&mut ring, &blocks);
}

fn wait_any(values: &Values) {
    let universe = initialize().expect("once");
    let mut ring = Ring::new(universe.world(), values);
    let mut blocks = vec![vec![0.0f32; ring.block]; ring.passes()];
    multiple_scope(ring.passes(), |scope, receives| {
        let predecessor = ring.predecessor();
        for (tag, block) in blocks.iter_mut().enumerate() {
            receives.add(predecessor.immediate_receive_into_with_tag(scope, block, tag as i32));
        }
        send_own(&ring);
        while let Some((tag, _, block)) = receives.wait_any() {
            hand_on(&ring, block, tag + 1);
        }
    });
    finish(&mut ring, &blocks);
}

fn send_own(ring: &Ring) {
    if ring.passes() > 0 {
        ring.successor().send_with_tag(ring.outgoing(0), 0);
    }
}

fn hand_on(ring: &Ring, block: &[f32], tag: usize) {
    if tag < ring.passes() {
        ring.successor().send_with_tag(block, tag as i32);
    }
}

fn finish(ring: &mut Ring, blocks: &[Vec<f32>]) {
    for (pass, block) in blocks.iter().enumerate() {
        ring.keep(pass, block);
    }
    ring.check();
}
