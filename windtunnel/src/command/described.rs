//! What reports say of a run besides its result: settings, machine, command line.

use mpi_api::outcome::RunResult;
use reports::{
    MachineNotes,
    analysis::{Efficiencies, Repetitions},
    render::text::{self, Header},
};
use scenarios::{
    computing::Choice,
    machine::Machine,
    scenario::{Request, Scenario},
};
use sim_core::words::{count, counted};

use super::line::shell_line;

/// Beginning of every report page.
pub(super) const PAGES: [&[u8]; 1] = [b"<!DOCTYPE html>"];

/// Warns on standard error if another run may have another result.
pub(super) fn caution(request: &Request) {
    if let Some(reason) = request.irreproducible() {
        eprintln!("note: not reproducible: {reason}");
    }
}

/// Warns on standard error of a scenario whose run may take long because of what surrounds its program.
pub(super) fn warn_of_overload(scenario: &Scenario) {
    if let Some(text) = scenario.overload() {
        eprintln!("note: {text}");
    }
}

/// Returns a sentence that says why the same run may have another result.
pub(super) fn caution_text(reason: &str) -> String {
    format!("Not reproducible: {reason}. Another run may give other times.")
}

/// Returns the command line of this process without the program's path.
pub(super) fn command() -> String {
    let words = std::env::args().enumerate().map(|(index, word)| match index {
        0 => word.rsplit('/').next().unwrap_or_default().to_string(),
        _ => word,
    });
    shell_line(words)
}

/// Returns the description of a machine for the report.
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

/// Returns what disturbs a run: noise of the operating system, faults of links and traffic of others.
pub(super) fn disturbances(request: &Request) -> Vec<String> {
    let noise = request.noise.iter().map(|noise| format!("noise {noise}, seed {}", request.seed));
    let faults = request.faults.iter().map(|fault| format!("fault {fault}"));
    let background = request.background.iter();
    let background =
        background.map(|traffic| format!("background {traffic}, seed {}", request.seed));
    noise.chain(faults).chain(background).collect()
}

/// Returns the topology with the origin of its size and the number of idle nodes.
pub(super) fn topology(scenario: &Scenario) -> String {
    let (request, built) = (&scenario.request, &scenario.topology);
    let mut text = built.name().to_string();
    if request.topology.is_none() {
        text.push_str(", the machine's");
    }
    if scenario.topology_grows {
        text.push_str(", the smallest that holds the ranks");
    }
    let idle = scenario.nodes_idle();
    if idle > 0 {
        text.push_str(&format!(
            "; {} of {} idle",
            count(idle.into()),
            counted(built.machine_nodes().into(), "node")
        ));
    }
    text
}

/// Returns how ranks are placed: on which nodes, sockets and NICs.
fn placement(scenario: &Scenario) -> String {
    let mut text = scenario.request.placement.clone();
    let most = scenario.most_ranks_on_a_node();
    if most > scenario.request.ranks_per_node {
        text.push_str(&format!(", up to {} on a node", counted(most.into(), "rank")));
    } else if scenario.request.ranks_per_node > 1 {
        text.push_str(&format!(
            ", {} on each node",
            counted(scenario.request.ranks_per_node.into(), "rank")
        ));
        if let Some(each) = scenario.ranks_per_socket() {
            text.push_str(&format!(", {each} at a time on a socket"));
        }
    }
    if scenario.topology.nics() > 1 {
        text.push_str(&format!(", {} NICs a node", scenario.topology.nics()));
    }
    text
}

/// Returns the text report of a run. `efficiencies` are those whose parts were asked for.
pub(super) fn report(
    scenario: &Scenario,
    result: &RunResult,
    repetitions: Option<&Repetitions>,
    efficiencies: Option<&Efficiencies>,
) -> String {
    let request = &scenario.request;
    let machine = format!("{}: {}", scenario.machine.name, scenario.machine.summary);
    let placement = placement(scenario);
    let computing = match (&request.compute, scenario.records_to()) {
        (Choice::Modelled, _) => None,
        (_, Some(path)) => Some(format!("measured on this host, recorded in {path}")),
        (choice, None) => Some(choice.to_string()),
    };
    let disturbances = disturbances(request);
    let sentence = repetitions.map(Repetitions::sentence);
    let header = Header {
        program: &request.program,
        machine: &machine,
        topology: &topology(scenario),
        network: &scenario.network,
        placement: &placement,
        computing: computing.as_deref(),
        irreproducible: request.irreproducible(),
        disturbances: &disturbances,
        repetitions: sentence.as_deref(),
        efficiencies,
    };
    text::run_report(&header, result, Some(&scenario.topology))
}
