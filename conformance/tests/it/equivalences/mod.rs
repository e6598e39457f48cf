//! Two ways to say the same, over random programs and arguments; each identity has a row Q in the
//! conformance suite. A program asserts its own answers, and runs with all sends buffered and with
//! none.

mod collectives;
mod communication;
mod communicators;
mod completion;
mod datatypes;
mod grids;
mod messages;
mod modes;
mod reductions;
mod typed;

use std::sync::Arc;

use mpi_api::{
    api::{initialize, topology::SimpleCommunicator},
    outcome::{Ending, RunResult},
    settings::Buffering,
};
use proptest::{prelude::*, test_runner::Config};
use scenarios::scenario::{Request, Scenario};

/// How many programs an identity is tried with.
fn programs() -> Config {
    Config::with_cases(96)
}

/// Every rank runs `body` with the communicator of all.
fn scenario(ranks: usize, body: impl Fn(&SimpleCommunicator) + Send + Sync + 'static) -> Scenario {
    bare(ranks, move || {
        let universe = initialize().expect("once");
        body(&universe.world());
    })
}

/// Every rank runs `body`, which initializes MPI itself.
fn bare(ranks: usize, body: impl Fn() + Send + Sync + 'static) -> Scenario {
    let request = Request::new("random", ranks as u32);
    request.resolve_program(Arc::new(body)).expect("a small program")
}

fn run(scenario: &Scenario, buffering: Buffering) -> RunResult {
    scenario.run_with(mpi_api::settings::Settings { buffering, ..scenario.settings() })
}

/// What comes of it without buffering; it has to end well, with unlimited buffering too.
fn holds(scenario: &Scenario) -> Result<RunResult, TestCaseError> {
    let [_, unbuffered] = [Buffering::infinite(), Buffering::zero()].map(|buffering| {
        let result = run(scenario, buffering);
        let said: Vec<&str> = result.findings.iter().map(|f| f.message.as_str()).collect();
        prop_assert!(result.ending == Ending::Completed && said.is_empty(), "{said:?}");
        Ok(result)
    });
    unbuffered
}

/// Every rank runs `body` and finds that both ways are the same.
fn agree(
    ranks: usize,
    body: impl Fn(&SimpleCommunicator) + Send + Sync + 'static,
) -> Result<(), TestCaseError> {
    holds(&scenario(ranks, body)).map(|_| ())
}

/// The rules by which algorithms of collectives are picked.
fn rules() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["auto", "textbook", "mpich-4", "ompi-5.0"])
}

/// As [`agree`], with the algorithms of a rule.
fn agree_by(
    rule: &str,
    ranks: usize,
    body: impl Fn(&SimpleCommunicator) + Send + Sync + 'static,
) -> Result<(), TestCaseError> {
    let mut request = Request::new("random", ranks as u32);
    request.collectives = vec![rule.into()];
    let program = move || {
        let universe = initialize().expect("once");
        body(&universe.world());
    };
    let scenario = request.resolve_program(Arc::new(program)).expect("a small program");
    holds(&scenario).map(|_| ())
}

/// What rank `rank` sends as its `number`th message.
fn values(rank: usize, number: usize, count: usize) -> Vec<i32> {
    (0..count).map(|place| (1000 * rank + 100 * number + place) as i32).collect()
}
