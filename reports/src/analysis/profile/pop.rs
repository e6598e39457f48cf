//! [`Efficiencies`]: the efficiency model of the POP project.

use std::fmt;

use mpi_api::outcome::{Ending, RunResult};
use sim_core::{SimDuration, SimTime};

/// Why the two parts of the communication efficiency are not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoIdeal {
    /// Nobody asked for the run on the ideal network.
    NotAsked,
    /// Two runs of the program may differ for this reason.
    Irreproducible(&'static str),
    /// The run did not complete.
    NotCompleted,
    /// The run on the ideal network did not complete.
    IdealNotCompleted,
    /// On the ideal network the program sent other messages.
    OtherMessages,
}

impl fmt::Display for NoIdeal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotAsked => "not asked for",
            Self::Irreproducible(reason) => reason,
            Self::NotCompleted => "the run did not complete",
            Self::IdealNotCompleted => "the program did not complete on an ideal network",
            Self::OtherMessages => "the program sends other messages on an ideal network",
        })
    }
}

/// Efficiencies after Rosas, Giménez and Labarta (Scalability prediction for fundamental performance
/// factors, Supercomputing Frontiers and Innovations 1(2), 2014), as the POP project uses them.
///
/// All are 1 at best. With Cᵢ the time that rank i computes outside MPI, n the number of ranks, T the
/// makespan and T₀ that of the same program on an ideal network:
///
/// - load balance = mean C / max C
/// - communication efficiency = max C / T = serialisation × transfer
/// - serialisation efficiency = max C / T₀
/// - transfer efficiency = T₀ / T
/// - parallel efficiency = mean C / T = load balance × communication efficiency
#[derive(Clone, Debug, PartialEq)]
pub struct Efficiencies {
    /// Mean over the ranks of the time outside MPI, divided by the makespan.
    pub parallel: f64,
    /// Mean divided by largest time outside MPI; 1 if no rank computes.
    pub load_balance: f64,
    /// Largest time outside MPI divided by the makespan.
    pub communication: f64,
    /// Makespan on the ideal network, or why it is not known.
    pub ideal: Result<SimTime, NoIdeal>,
    most: SimDuration,
    makespan: SimTime,
}

impl Efficiencies {
    /// Computes the efficiencies of a run; `None` if it took no time. `ideal` is the result of the same
    /// program on the ideal network.
    pub fn of(result: &RunResult, ideal: Result<&RunResult, NoIdeal>) -> Option<Self> {
        let makespan = result.makespan;
        if makespan == SimTime::ZERO || result.ranks.is_empty() {
            return None;
        }
        let total: u128 = result.ranks.iter().map(|rank| u128::from(rank.compute.as_ps())).sum();
        let mean = total as f64 / result.ranks.len() as f64;
        let most = result.ranks.iter().map(|rank| rank.compute).max().unwrap_or_default();
        let whole = makespan.as_ps() as f64;
        let load_balance = if most == SimDuration::ZERO { 1.0 } else { mean / most.as_ps() as f64 };
        Some(Self {
            parallel: mean / whole,
            load_balance,
            communication: most.as_ps() as f64 / whole,
            ideal: ideal.and_then(|ideal| comparable(result, ideal)),
            most,
            makespan,
        })
    }

    /// Returns the serialisation efficiency, if the run on the ideal network is known and took time.
    pub fn serialisation(&self) -> Option<f64> {
        let ideal = self.ideal.as_ref().ok().filter(|ideal| **ideal > SimTime::ZERO)?;
        Some(self.most.as_ps() as f64 / ideal.as_ps() as f64)
    }

    /// Returns the transfer efficiency, if the run on the ideal network is known.
    pub fn transfer(&self) -> Option<f64> {
        let ideal = self.ideal.as_ref().ok()?;
        Some(ideal.as_ps() as f64 / self.makespan.as_ps() as f64)
    }
}

/// Returns the makespan on the ideal network if the program did the same there.
fn comparable(result: &RunResult, ideal: &RunResult) -> Result<SimTime, NoIdeal> {
    match (result.ending, ideal.ending) {
        (Ending::Stalled | Ending::Failed, _) => Err(NoIdeal::NotCompleted),
        (Ending::Completed, Ending::Stalled | Ending::Failed) => Err(NoIdeal::IdealNotCompleted),
        (Ending::Completed, Ending::Completed) => {
            let same = (result.messages, result.bytes) == (ideal.messages, ideal.bytes);
            if same { Ok(ideal.makespan) } else { Err(NoIdeal::OtherMessages) }
        }
    }
}
