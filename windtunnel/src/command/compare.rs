//! `windtunnel compare`.

use mpi_api::outcome::RunResult;
use scenarios::{error::Error, scenario::Scenario};
use serde_json::{Value, json};

use super::run::{hottest, json_result};
use crate::args::Options;

/// Runs a program on several topologies and prints them in order of run time.
///
/// # Errors
/// If the input is bad.
pub(crate) fn compare(options: &Options, topologies: &[String]) -> Result<u8, Error> {
    let mut rows: Vec<(Scenario, RunResult)> = Vec::new();
    for topology in topologies {
        let mut request = options.request();
        request.topology = Some(topology.clone());
        request.network.get_or_insert_with(|| "link".into());
        let scenario = request.resolve()?;
        let result = scenario.run(None).0;
        rows.push((scenario, result));
    }
    rows.sort_by_key(|(scenario, result)| (result.makespan, scenario.topology.link_count()));
    if options.json {
        let rows: Vec<Value> = rows.iter().map(|(s, r)| json_row(s, r)).collect();
        println!("{:#}", json!({ "schema": "windtunnel.compare/1", "rows": rows }));
    } else {
        print_table(&rows);
    }
    Ok(u8::from(rows.iter().any(|(_, result)| !result.findings.is_empty())))
}

fn json_row(scenario: &Scenario, result: &RunResult) -> Value {
    let mut row = json_result(scenario, result);
    let structure = scenario.topology.structure();
    row["links"] = json!(structure.links);
    row["diameter"] = json!(structure.diameter);
    row["mean_hops"] = json!(structure.mean_hops);
    row["bisection"] = json!(structure.bisection);
    row
}

fn print_table(rows: &[(Scenario, RunResult)]) {
    let mut table = comfy_table::Table::new();
    table.set_header([
        "topology",
        "time",
        "slower by",
        "links",
        "diameter",
        "mean hops",
        "bisection",
    ]);
    let Some((_, best)) = rows.first() else { return };
    for (scenario, result) in rows {
        let structure = scenario.topology.structure();
        let ratio = result.makespan.as_secs_f64() / best.makespan.as_secs_f64().max(1e-12);
        table.add_row([
            scenario.topology.name().to_string(),
            result.makespan.to_string(),
            format!("{:.1} %", 100.0 * (ratio - 1.0)),
            structure.links.to_string(),
            structure.diameter.to_string(),
            format!("{:.2}", structure.mean_hops),
            structure.bisection.to_string(),
        ]);
    }
    println!("{table}\n");
    println!("{}", advice(rows));
}

/// The fastest, or one within 5 % of it that has fewer links.
fn advice(rows: &[(Scenario, RunResult)]) -> String {
    let (fastest, best) = &rows[0];
    let near =
        |result: &RunResult| result.makespan.as_secs_f64() <= 1.05 * best.makespan.as_secs_f64();
    let cheapest = rows
        .iter()
        .filter(|(_, result)| near(result))
        .min_by_key(|(scenario, _)| scenario.topology.link_count());
    let (chosen, result) = cheapest.unwrap_or(&rows[0]);
    let links = chosen.topology.structure().links;
    let name = chosen.topology.name();
    let why = if name == fastest.topology.name() {
        "nothing else is faster".to_string()
    } else {
        format!("it is within 5 % of {} and has fewer links", fastest.topology.name())
    };
    let hot = hottest(chosen, result).map_or(String::new(), |hot| format!(" Hottest link: {hot}."));
    format!("Choose {name}: {} with {links} links; {why}.{hot}", result.makespan)
}
