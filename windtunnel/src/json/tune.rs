//! The object of `windtunnel tune --json`.

use reports::analysis::{Trial, TunedSetting, Tuning};
use scenarios::scenario::Request;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use super::hexadecimal;

/// The best settings of a program, as far as they were searched.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Tune {
    /// `windtunnel.tune/1`.
    schema: &'static str,
    /// Name of the program.
    program: String,
    /// Number of ranks that it has today.
    ranks: u32,
    /// Name of today's machine.
    machine: String,
    /// Kind and size of today's topology.
    topology: String,
    /// Today's network model.
    network: String,
    /// Seed of the simulations and of the search.
    seed: u64,
    /// Most combinations that were to be tried.
    budget: u64,
    /// Combinations to choose from that were tried.
    tried: u64,
    /// Combinations that were simulated, with those that have values of today which are not to be chosen.
    simulated: u64,
    /// Combinations that were tried and cannot be run, do not complete, or are unsafe.
    rejected: u64,
    /// All combinations; null if they are more than 2^64.
    combinations: Option<u64>,
    /// Whether all combinations were tried, so that none is better.
    exhaustive: bool,
    /// Whether the time (`--max-wall`) was over before the search.
    stopped: bool,
    /// Makespan with today's settings; null if that run does not complete.
    today_makespan_ns: Option<f64>,
    /// Shortest makespan; null if no combination is acceptable.
    best_makespan_ns: Option<f64>,
    /// By how much it differs from today's.
    change_percent: Option<f64>,
    /// Digest of the run with the best settings.
    best_digest: Option<String>,
    /// Command line of that run.
    command: String,
    /// What the best settings change of the machine, for which there are no options.
    machine_settings: Vec<String>,
    /// The settings.
    settings: Vec<Setting>,
}

/// One setting.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Setting {
    /// Name, as for an axis of `compare`.
    setting: String,
    /// Value in the best combination; null if there is none.
    best: Option<String>,
    /// Whether that value is not today's.
    changed: bool,
    /// Makespan of the best combination with today's value of this setting; null if it is not changed, or that
    /// combination is not acceptable or was not tried.
    without_makespan_ns: Option<f64>,
    /// Each value with all other settings as they are today.
    alone: Vec<Alone>,
}

/// One value of a setting.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Alone {
    /// Value as written.
    value: String,
    /// Whether this combination was tried.
    tried: bool,
    /// Makespan; null if the combination is not acceptable or was not tried.
    makespan_ns: Option<f64>,
    /// By how much it differs from today's.
    change_percent: Option<f64>,
    /// Why it is not acceptable; null if it is.
    rejected_because: Option<String>,
}

/// Returns the makespan of a combination, if it is known.
fn nanoseconds(trial: Option<Trial>) -> Option<f64> {
    Some(trial?.time()?.as_ns_f64())
}

impl Tune {
    pub(crate) fn new(found: &Tuning, request: &Request, budget: u64) -> Self {
        let [machine, topology, network] = found.system.clone();
        let setting = |setting: &TunedSetting| Setting {
            setting: setting.name.clone(),
            best: setting.best.clone(),
            changed: setting.is_changed,
            without_makespan_ns: nanoseconds(setting.without),
            alone: setting
                .alone
                .iter()
                .map(|alone| Alone {
                    value: alone.value.clone(),
                    tried: alone.trial.is_tried(),
                    makespan_ns: nanoseconds(Some(alone.trial)),
                    change_percent: alone.trial.time().and_then(|time| found.change(time)),
                    rejected_because: alone.remark.clone(),
                })
                .collect(),
        };
        Self {
            schema: "windtunnel.tune/1",
            program: found.program.clone(),
            ranks: found.ranks,
            machine,
            topology,
            network,
            seed: request.seed,
            budget,
            tried: found.tried as u64,
            simulated: found.simulated.iter().sum::<usize>() as u64,
            rejected: found.rejected as u64,
            combinations: u64::try_from(found.combinations).ok(),
            exhaustive: found.is_exhaustive(),
            stopped: found.stopped,
            today_makespan_ns: found.today.map(|time| time.as_ns_f64()),
            best_makespan_ns: found.best.map(|time| time.as_ns_f64()),
            change_percent: found.best.and_then(|time| found.change(time)),
            best_digest: found.digest.map(hexadecimal),
            command: found.command.clone(),
            machine_settings: found.machine.clone(),
            settings: found.settings.iter().map(setting).collect(),
        }
    }
}
