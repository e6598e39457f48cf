//! The command `windtunnel traffic`: latency and throughput of networks under synthetic traffic.

use network_models::{Catalog, Stopped, TrafficPattern, TrafficResult};
use reports::render::svg::{LoadPoint, load_curves};
use scenarios::{
    error::Error,
    options::RankCount,
    traffic::{Curve, Study},
};
use sim_core::{
    SimDuration,
    words::{count, counted},
};

use crate::{
    args::Traffic,
    execution::{self, unbound},
    json::{self, traffic},
    lists::{lists, topologies},
    output::Destination,
};

/// Measures the networks, prints their latencies and throughputs, and draws them if asked.
///
/// # Errors
/// Returns an error if an option is wrong or the picture cannot be written.
pub(crate) fn traffic(asked: &Traffic, catalog: &Catalog) -> Result<u8, Error> {
    let picture = Destination::claim_picture(asked.picture.as_deref())?;
    let names = || TrafficPattern::ALL.iter().map(|pattern| pattern.name());
    let pattern = TrafficPattern::named(&asked.pattern);
    let study = Study {
        machine: asked.machine.clone(),
        topologies: topologies(&asked.topology),
        networks: lists(&asked.network),
        nodes: asked.nodes.map(RankCount::get),
        pattern: pattern.ok_or_else(|| Error::unknown("pattern", &asked.pattern, names()))?,
        including_self: asked.include_self,
        loads: asked.load.iter().flat_map(|loads| loads.0.iter().copied()).collect(),
        bytes: asked.bytes,
        warm_up: asked.warm_up,
        measured: asked.measured,
        seed: asked.seed,
        catalog: catalog.clone(),
    };
    execution::stop_when_told(asked.max_wall);
    let curves = study.run()?;
    unbound();
    if asked.json {
        json::print(&traffic::Traffic::new(&study, &curves));
    } else {
        print(&study, &curves);
    }
    if let Some(picture) = picture {
        picture.write(draw(&study, &curves).as_bytes())?;
    }
    Ok(u8::from(curves.iter().any(|curve| !curve.not_measured.is_empty())))
}

fn print(study: &Study, curves: &[Curve]) {
    let Study { pattern, bytes, machine, .. } = study;
    let size = counted(*bytes, "byte");
    println!("traffic      {pattern}, messages of {size}, machine {machine}");
    println!("             loads in % of the rate of a port, latencies from creation to arrival");
    for Curve { topology, network, results, not_measured } in curves {
        println!("\n{topology}, {network}");
        if !results.is_empty() {
            println!("  offered accepted  mean latency   99 of 100 within");
        }
        for result in results {
            println!("{}", row(result));
        }
        if let Some(note) = lengthened(study, results) {
            println!("  {note}");
        }
        if !not_measured.is_empty() {
            let loads: Vec<String> =
                not_measured.iter().map(|load| format!("{:.1} %", 100.0 * load)).collect();
            println!("  not measured: {}: stopped before", loads.join(", "));
        }
    }
}

/// Returns what is said of measurements that took longer than they were asked to.
fn lengthened(study: &Study, results: &[TrafficResult]) -> Option<String> {
    let longest = results.iter().max_by_key(|result| result.measured + result.warm_up)?;
    let TrafficResult { warm_up, measured, .. } = *longest;
    ((warm_up, measured) != (study.warm_up, study.measured)).then(|| {
        format!(
            "measured for {} after {}, to be long against the time of a message",
            counted(measured.into(), "message time"),
            count(warm_up.into())
        )
    })
}

fn row(result: &TrafficResult) -> String {
    if result.messages == 0 {
        return "      no message was created in the measured time (--measured, --load)".into();
    }
    // Messages that had not arrived when a measurement was stopped take longer than is known.
    let least = if result.stopped.is_some() { "> " } else { "" };
    let time = |time: SimDuration| match time.as_ns_f64() {
        short if short < 1e3 => format!("{least}{short:.1} ns"),
        long => format!("{least}{:.3} us", long / 1e3),
    };
    let saturated = if result.saturated { "  saturated" } else { "" };
    let stopped = result.stopped.map(|Stopped { after, under_way }| {
        let (after, under_way) =
            (counted(after.into(), "message time"), counted(under_way, "message"));
        format!("  stopped after {after} with {under_way} a node under way")
    });
    format!(
        "  {:>5.1} % {:>6.1} % {:>13} {:>18}{saturated}{}",
        100.0 * result.offered,
        100.0 * result.accepted,
        time(result.mean_latency),
        time(result.latency_99),
        stopped.unwrap_or_default()
    )
}

fn draw(study: &Study, curves: &[Curve]) -> String {
    let point = |result: &TrafficResult| LoadPoint {
        offered: result.offered,
        accepted: result.accepted,
        latency_us: result.mean_latency.as_ns_f64() / 1e3,
    };
    let line = |curve: &Curve| {
        let name = format!("{}, {}", curve.topology, curve.network);
        let known = curve.results.iter().filter(|result| result.messages > 0);
        (name, known.map(point).collect())
    };
    let lines: Vec<(String, Vec<LoadPoint>)> = curves.iter().map(line).collect();
    let title = format!("Latency and throughput, traffic {}", study.pattern);
    let size = counted(study.bytes, "byte");
    let note = format!("messages of {size}, machine {}", study.machine);
    load_curves(&title, &note, &lines)
}
