//! Runs an example on simulated ranks: with all sends buffered and with none.

use std::sync::Arc;

use mpi_api::{
    outcome::Ending,
    run::run,
    settings::{Buffering, Settings},
};
use network_models::{Constant, LocalPath, NodeId};
use sim_core::SimDuration;

/// Runs `program` on this many ranks; it has to end well, whatever the buffering.
pub(crate) fn simulate(ranks: u32, program: fn()) {
    for buffering in [Buffering::zero(), Buffering::infinite()] {
        let settings = Settings::free((0..ranks).map(NodeId).collect(), buffering);
        let local = LocalPath { latency: SimDuration::from_ns(1), bandwidth: None };
        let network = Box::new(Constant::new(SimDuration::from_us(1), None, local));
        let (result, _) = run(settings, network, &(Arc::new(program) as _), None);
        assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
        assert!(result.findings.is_empty(), "{:?}", result.findings);
    }
}
