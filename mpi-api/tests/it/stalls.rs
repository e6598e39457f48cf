//! Findings about ranks that wait for ever.

use mpi_api::{
    api::{
        initialize,
        request::{StaticScope, wait_all},
        traits::*,
    },
    finding::Code,
    outcome::Ending,
    settings::Buffering,
};

use crate::{go, settings};

#[test]
fn a_rank_that_is_waited_for_many_times_is_named_once() {
    let result = go(settings(3, Buffering::zero()), || {
        let universe = initialize().expect("once");
        let world = universe.world();
        if world.rank() == 0 {
            let requests = (0..9).map(|i| {
                let value = Box::leak(Box::new(0_u8));
                world.process_at_rank(1 + i % 2).immediate_receive_into(StaticScope, value)
            });
            wait_all(requests.collect());
        }
    });
    assert_eq!(result.ending, Ending::Stalled);
    let finding = &result.findings[0];
    assert_eq!(finding.code, Code::NeverMatched);
    let text = format!("{finding:?}");
    assert!(text.contains("for all of ranks 1 and 2\""), "{text}");
}
