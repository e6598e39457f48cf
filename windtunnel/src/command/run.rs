//! `windtunnel run`.

use std::sync::Arc;

use mpi_abi::launch::Output;
use mpi_api::{
    outcome::{Ending, Reordering, RunResult},
    trace::{Record, Recording, TraceSink},
};
use network_models::Cost;
use reports::{
    Detail, MachineNotes,
    analysis::{HottestLink, Summary},
    render::{
        self,
        html::{self, RunPage},
        text::{self, Header},
    },
};
use scenarios::{error::Error, machine::Machine, scenario::Scenario};
use serde_json::{Value, json};

use super::program::{Own, resolve};
use crate::{args::Options, diagnostic, output::Destination, progress::Progress};

/// Runs a program once and prints what happened.
///
/// # Errors
/// If the input is bad or a file cannot be written.
pub(crate) fn run(options: &Options, own: Option<&Own>) -> Result<u8, Error> {
    let output = if options.json { Output::Discard } else { Output::Print };
    let scenario = resolve(options, own, output)?;
    let files = Files::claim(options)?;
    let progress = Progress::new(options, "simulating", 1);
    let (result, records) = files.run(&scenario);
    drop(progress);
    if options.json {
        println!("{:#}", json_result(&scenario, &result));
    } else if options.quiet {
        println!("{}", result.makespan);
    } else {
        for finding in &result.findings {
            println!("{}\n", diagnostic::render(finding));
        }
        print!("{}", report(&scenario, &result));
    }
    let clean = result.ending == Ending::Completed && result.findings.is_empty();
    files.write(&scenario, result, records)?;
    Ok(u8::from(!clean))
}

/// The files that a run is asked to write.
pub(super) struct Files {
    trace: Option<Destination>,
    report: Option<Destination>,
}

impl Files {
    /// Makes sure that they can be written.
    ///
    /// # Errors
    /// If one cannot.
    pub(super) fn claim(options: &Options) -> Result<Self, Error> {
        let claim = |path: &Option<String>| path.as_deref().map(Destination::claim).transpose();
        Ok(Self { trace: claim(&options.trace)?, report: claim(&options.report)? })
    }

    /// Whether any was asked for.
    pub(super) fn any(&self) -> bool {
        self.trace.is_some() || self.report.is_some()
    }

    /// Runs with as much recording as they need.
    pub(super) fn run(&self, scenario: &Scenario) -> (RunResult, Vec<Record>) {
        let sink = self.any().then(|| Box::<Recording>::default() as Box<dyn TraceSink>);
        let (result, sink) = scenario.run(sink);
        (result, sink.map(|sink| sink.finish()).unwrap_or_default())
    }

    /// Writes them.
    ///
    /// # Errors
    /// If the disk is full, say.
    pub(super) fn write(
        self,
        scenario: &Scenario,
        result: RunResult,
        records: Vec<Record>,
    ) -> Result<(), Error> {
        if let Some(destination) = self.trace {
            let mut bytes = Vec::new();
            let topology = Some(&*scenario.topology);
            render::perfetto::write(scenario.request.ranks, &records, topology, &mut bytes)
                .expect("memory takes all");
            destination.write(&bytes)?;
        }
        if let Some(destination) = self.report {
            destination.write(html::run(&page(scenario, result, records)).as_bytes())?;
        }
        Ok(())
    }
}

fn page(scenario: &Scenario, result: RunResult, records: Vec<Record>) -> RunPage {
    let request = &scenario.request;
    let entry = |name: &str, value: String| (name.to_string(), value);
    let mut settings = vec![
        entry("program", request.program.clone()),
        entry("ranks", request.ranks.to_string()),
        entry("topology", topology(scenario)),
        entry("network model", scenario.network.clone()),
        entry("placement", request.placement.clone()),
        entry("buffering", request.buffering.clone()),
        entry("seed", request.seed.to_string()),
        entry("digest", format!("{:016x}", result.digest)),
    ];
    let parameters = request.parameters.iter();
    settings.extend(parameters.map(|(key, value)| entry(key, value.clone())));
    RunPage {
        program: request.program.clone(),
        machine: machine_notes(&scenario.machine),
        settings,
        command: command(),
        findings: result.findings.iter().map(diagnostic::render).collect(),
        detail: Detail {
            title: format!("{}, {} ranks", scenario.topology.name(), request.ranks),
            topology: Arc::clone(&scenario.topology),
            result,
            records,
        },
    }
}

/// The command line of this process, the program's path left out.
pub(super) fn command() -> String {
    let words = std::env::args().enumerate().map(|(index, word)| match index {
        0 => word.rsplit('/').next().unwrap_or_default().to_string(),
        _ => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A machine for readers.
pub(super) fn machine_notes(machine: &Machine) -> MachineNotes {
    let note = |number: &scenarios::machine::Quantity| {
        format!("{} ({}) {}", number.value, number.provenance.word(), number.source)
    };
    MachineNotes {
        name: machine.name.clone(),
        summary: machine.calibration.clone().unwrap_or_else(|| machine.summary.clone()),
        numbers: machine
            .quantities()
            .iter()
            .map(|(section, key, number)| (format!("{section}.{key}"), note(number)))
            .collect(),
    }
}

/// The topology, where its size comes from and what it leaves idle.
fn topology(scenario: &Scenario) -> String {
    let (request, built) = (&scenario.request, &scenario.topology);
    let mut text = built.name().to_string();
    match &request.topology {
        None => text.push_str(", the machine's, the smallest that holds the ranks"),
        Some(asked) if asked != built.name() && !asked.starts_with("file:") => {
            text.push_str(", the smallest that holds the ranks");
        }
        Some(_) => {}
    }
    let idle = built.nodes().saturating_sub(scenario.nodes_used());
    if idle > 0 {
        text.push_str(&format!("; {idle} of {} nodes idle", built.nodes()));
    }
    text
}

/// The run in words.
pub(super) fn report(scenario: &Scenario, result: &RunResult) -> String {
    let request = &scenario.request;
    let machine = format!("{}: {}", scenario.machine.name, scenario.machine.summary);
    let placement = match request.ranks_per_node {
        1 => request.placement.clone(),
        count => format!("{}, {count} ranks on each node", request.placement),
    };
    let header = Header {
        program: &request.program,
        machine: &machine,
        topology: &topology(scenario),
        network: &scenario.network,
        placement: &placement,
    };
    text::run_report(&header, result, Some(&scenario.topology))
}

/// The busiest link for scripts.
pub(super) fn hottest(scenario: &Scenario, result: &RunResult) -> Value {
    match HottestLink::of(&result.links, &scenario.topology, result.makespan) {
        Some(link) => json!({
            "name": link.name,
            "busy_percent": link.busy,
            "bytes": link.bytes,
            "messages": link.messages,
        }),
        None => Value::Null,
    }
}

/// A communicator whose ranks were to be numbered anew, for scripts.
fn reordering(reordering: &Reordering) -> Value {
    let cost = |cost: &Cost| {
        json!({
            "weighted_hops": cost.hops,
            "largest_link_load": cost.load,
            "longest_edge": cost.longest,
        })
    };
    let site = reordering.site.known();
    json!({
        "topology": reordering.topology,
        "ranks": reordering.ranks,
        "method": reordering.method.name(),
        "before": cost(&reordering.before),
        "after": cost(&reordering.after),
        "file": site.map(|site| site.file),
        "line": site.map(|site| site.line),
    })
}

/// The run for scripts.
pub(super) fn json_result(scenario: &Scenario, result: &RunResult) -> Value {
    let request = &scenario.request;
    let ranks: Vec<Value> = result
        .ranks
        .iter()
        .map(|rank| {
            json!({
                "busy_ns": rank.compute.as_ns_f64(),
                "communicating_ns": rank.overhead.as_ns_f64(),
                "waiting_ns": rank.waiting.as_ns_f64(),
                "finish_ns": rank.finish.as_ns_f64(),
                "messages": rank.messages,
                "bytes": rank.bytes,
            })
        })
        .collect();
    let findings: Vec<Value> = result.findings.iter().map(diagnostic::json).collect();
    json!({
        "schema": "windtunnel.run/1",
        "program": request.program,
        "parameters": request.parameters,
        "ranks": request.ranks,
        "machine": scenario.machine.name,
        "topology": scenario.topology.name(),
        "network": scenario.network,
        "placement": request.placement,
        "ranks_per_node": request.ranks_per_node,
        "nodes_idle": scenario.topology.nodes().saturating_sub(scenario.nodes_used()),
        "buffering": request.buffering,
        "collectives": request.collectives,
        "seed": request.seed,
        "outcome": result.ending.word(),
        "makespan_ns": result.makespan.as_ns_f64(),
        "messages": result.messages,
        "bytes": result.bytes,
        "events": result.events,
        "digest": format!("{:016x}", result.digest),
        "per_rank": ranks,
        "hottest_link": hottest(scenario, result),
        "reorderings": result.reorderings.iter().map(reordering).collect::<Vec<Value>>(),
        "bound_by": Summary::of(result).bound,
        "findings": findings,
    })
}
