//! Runs an example on simulated ranks: with all sends buffered and with none.

use std::sync::Arc;

use mpi_api::{
    collective::select::Selector,
    cost::Costs,
    outcome::Ending,
    run::run,
    settings::{Buffering, Environment, Matching, OneSided, Polls, Settings, Synchronisation},
};
use network_models::{Constant, LocalPath, NodeId};
use sim_core::{Limits, SimDuration, TieBreak};

/// Runs `program` on so many ranks; it has to end well, whatever the buffering.
pub(crate) fn simulate(ranks: u32, program: fn()) {
    for buffering in [Buffering::zero(), Buffering::infinite()] {
        let settings = Settings {
            nodes: (0..ranks).map(NodeId).collect(),
            sockets: None,
            costs: Costs::free(),
            buffering,
            synchronisation: Synchronisation::Algorithm,
            selector: Selector::default_choice(),
            matching: Matching::Arrival,
            one_sided: OneSided::Prompt,
            tie_break: TieBreak::InsertionOrder,
            limits: Limits::standard(),
            polls: Polls::Prompt,
            late: None,
            noise: None,
            environment: Environment::default(),
        };
        let local = LocalPath { latency: SimDuration::from_ns(1), bandwidth: None };
        let network = Box::new(Constant::new(SimDuration::from_us(1), None, local));
        let (result, _) = run(settings, network, &(Arc::new(program) as _), None);
        assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
        assert!(result.findings.is_empty(), "{:?}", result.findings);
    }
}
