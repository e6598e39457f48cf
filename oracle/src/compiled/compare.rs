//! Comparison of the results of `run`, `check` and `mpiexec` on a compiled program with the
//! interpretation of its plan.

use std::{collections::BTreeSet, path::Path, process::Output, sync::Arc};

use mpi_api::{
    finding::Finding,
    outcome::{Ending, RunResult},
};
use scenarios::{
    options::Buffering,
    safety::{self, Policy, PolicyRun, Report, Space, Variation},
    scenario::{Request, Scenario},
};
use serde_json::Value;

use super::{build::Form, tool::Tool};
use crate::{
    interpret::Interpreted,
    judge::verdict_of,
    plan::{Fault, Plan, Wrong},
    reference::Expected,
    sweep::{EVENTS_MAX, request},
};

/// Compares all results; `program` is the executable that holds the plan.
///
/// # Errors
/// Returns a description of the first difference.
pub(super) fn compare(plan: &Plan, form: Form, program: &str, tool: &Tool) -> Result<(), String> {
    let (request, scenario) = scenario(plan, form);
    let number = plan.seed.to_string();
    let command = Commanded { tool, request: &request, program, number: &number };
    let told = |what: &str, text: String| format!("{what}: {text}");
    let ran = scenario.run_with(scenario.settings());
    command.run(plan, &ran).map_err(|text| told("run", text))?;
    command.mpiexec(plan, &ran).map_err(|text| told("mpiexec", text))?;
    command.check(plan, &safety::check(&scenario)).map_err(|text| told("check", text))
}

/// Returns whether a check finds the fault of the plan only where it sees what the program does with memory,
/// which the interpretation does not show.
fn is_seen_in_memory(plan: &Plan) -> bool {
    matches!(plan.fault, Some(Fault::Window(Wrong::Buffers | Wrong::Order | Wrong::Stored)))
}

fn scenario(plan: &Plan, form: Form) -> (Request, Scenario) {
    let expected = Arc::new(Expected::of(plan));
    let program = Arc::new(Interpreted::new(Arc::new(plan.clone()), expected));
    let buffering = [Buffering::System, Buffering::Zero, Buffering::Infinite, Buffering::Bytes(64)];
    let which = plan.seed as usize + form.number();
    let request = Request {
        buffering: buffering[which / 3 % buffering.len()],
        ..request(plan, which % crate::sweep::NETWORKS.len())
    };
    let scenario = request.clone().resolve_program(program).expect("a request of ours is right");
    (request, scenario)
}

/// The command line that runs one plan.
struct Commanded<'a> {
    tool: &'a Tool,
    request: &'a Request,
    program: &'a str,
    number: &'a str,
}

impl Commanded<'_> {
    /// Returns the options of a command; `check` varies the buffering itself.
    fn options(&self, command: &str) -> Vec<String> {
        let request = self.request;
        let mut words = Vec::new();
        let mut option = |name: &str, value: &str| words.push(format!("--{name}={value}"));
        option("machine", &request.machine);
        option("topology", request.topology.as_deref().unwrap_or_default());
        option("network", request.network.as_deref().unwrap_or_default());
        option("placement", &request.placement);
        option("ranks-per-node", &request.ranks_per_node.to_string());
        option("seed", &request.seed.to_string());
        option("max-events", &EVENTS_MAX.to_string());
        // The Rust API, which interprets the plan, has this default.
        option("strictness", "standard");
        if command != "check" {
            option("buffering", &request.buffering.to_string());
        }
        words
    }

    fn start(&self, before: &[&str], after: &[&str]) -> Result<Output, String> {
        let (options, ranks) = (self.options(before[0]), self.request.ranks.to_string());
        let mut words = before.to_vec();
        words.extend(options.iter().map(String::as_str));
        words.extend(["-n", &ranks]);
        words.extend(after);
        let folder = Path::new(self.program).parent().expect("the program is in a folder");
        self.tool.start(&words, folder)
    }

    /// Runs a command, and returns the JSON object that it prints.
    fn json(&self, command: &str) -> Result<(Value, Output), String> {
        let output = self.start(&[command, "--json", self.program], &["--", self.number])?;
        match serde_json::from_slice(&output.stdout) {
            Ok(value) => Ok((value, output)),
            Err(error) => Err(format!("no JSON ({error}): {}", told(&output))),
        }
    }

    fn run(&self, plan: &Plan, ran: &RunResult) -> Result<(), String> {
        let (value, output) = self.json("run")?;
        same("the outcome", &value["outcome"], &ran.ending.word().into())?;
        same("the makespan", &value["makespan_ns"], &ran.makespan.as_ns_f64().into())?;
        same("the messages", &value["messages"], &ran.messages.into())?;
        same("the bytes", &value["bytes"], &ran.bytes.into())?;
        if plan.fault == Some(Fault::Window(Wrong::Buffers)) {
            // The interpretation has no buffers that could be used early.
            return Ok(());
        }
        same("the digest", &value["digest"], &digest(ran))?;
        codes(&value["findings"], &ran.findings).map_err(|text| text + &told(&output))
    }

    fn mpiexec(&self, plan: &Plan, ran: &RunResult) -> Result<(), String> {
        let output = self.start(&["mpiexec"], &[self.program, self.number])?;
        let ended_well = output.status.code() == Some(0);
        if ended_well != (ran.ending == Ending::Completed) {
            let wanted = ran.ending.word();
            return Err(format!("{} where the run is {wanted}: {}", output.status, told(&output)));
        }
        let silent = ran.findings.is_empty() && plan.fault != Some(Fault::Window(Wrong::Buffers));
        if ended_well && silent && !(output.stdout.is_empty() && output.stderr.is_empty()) {
            return Err(told(&output));
        }
        Ok(())
    }

    fn check(&self, plan: &Plan, report: &Report) -> Result<(), String> {
        let (value, output) = self.json("check")?;
        let aside = |text: String| format!("{text}; {}", told(&output));
        let verdict = match plan.fault {
            Some(Fault::Window(wrong)) => verdict_of(wrong),
            _ => report.verdict,
        };
        same("the verdict", &value["verdict"], &verdict.word().into()).map_err(aside)?;
        if is_seen_in_memory(plan) {
            return Ok(());
        }
        let exhaustive = &value["explored"]["exhaustive"];
        same("exhaustive", exhaustive, &report.exhaustive.into())?;
        let minimum = report.minimum.map(|minimum| minimum.bytes_per_rank);
        let told_minimum = &value["buffering"]["minimum_bytes_per_rank"];
        same("the minimum", told_minimum, &minimum.into())?;
        codes(&value["findings"], &report.findings).map_err(aside)?;
        self.executions(&value["runs"], report)
    }

    /// Compares the executions of the check, except those that only compiled programs have, and those
    /// of drawn orders: these depend on source lines, of which the interpretation has few. So does, beyond the budget,
    /// whether there are any in which some messages are buffered.
    fn executions(&self, list: &Value, report: &Report) -> Result<(), String> {
        let runs = list.as_array().map_or(&[][..], Vec::as_slice);
        let is_compared = |run: &&Value| {
            let policy = run["policy"].as_str().unwrap_or_default();
            let is_compared = report.exhaustive || !policy.starts_with("partial");
            is_compared && !policy.starts_with("watched") && !policy.contains("+drawn")
        };
        let found: Vec<&Value> = runs.iter().filter(is_compared).collect();
        let is_compared = |run: &&PolicyRun| match run.policy {
            Policy::Varied(_, Variation::Drawn(_)) | Policy::Watched(..) => false,
            Policy::Varied(Space::Partial, _) => report.exhaustive,
            Policy::Varied(..) | Policy::Search => true,
        };
        let wanted: Vec<_> = report.runs.iter().filter(is_compared).collect();
        for (found, wanted) in found.iter().zip(&wanted) {
            let result = &wanted.result;
            let name = |what: &str| format!("{what} of {}", wanted.policy);
            same("the execution", &found["policy"], &wanted.policy.to_string().into())?;
            same(&name("the outcome"), &found["outcome"], &result.ending.word().into())?;
            let makespan = result.makespan.as_ns_f64().into();
            same(&name("the makespan"), &found["makespan_ns"], &makespan)?;
            same(&name("the digest"), &found["digest"], &digest(result))?;
        }
        same("the executions", &found.len().into(), &wanted.len().into())
    }
}

fn digest(result: &RunResult) -> Value {
    format!("{:016x}", result.digest).into()
}

fn same(what: &str, found: &Value, wanted: &Value) -> Result<(), String> {
    if found == wanted { Ok(()) } else { Err(format!("{what}: {found} instead of {wanted}")) }
}

/// Compares the codes of all findings.
fn codes(found: &Value, wanted: &[Finding]) -> Result<(), String> {
    let list = found.as_array().map_or(&[][..], Vec::as_slice);
    let known = list.iter().filter_map(|one| one["code"].as_str().map(str::to_string));
    let found: BTreeSet<String> = known.collect();
    let wanted: BTreeSet<String> = wanted.iter().map(|one| one.code.name()).collect();
    if found == wanted {
        return Ok(());
    }
    let messages: Vec<&Value> = list.iter().map(|one| &one["message"]).collect();
    Err(format!("the findings are {found:?} instead of {wanted:?}: {messages:?}"))
}

/// Returns what a command printed, and how it ended.
fn told(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().take(3000).collect::<String>();
    format!("{}, {} {}", output.status, text(&output.stdout), text(&output.stderr))
}
