//! Published measurements of machines of ours, other than the textbook's.

use scenarios::{
    calibration::{
        measurement::Benchmark,
        simulated::{Platform, times},
    },
    error::Error,
    machine::Machine,
};
use sim_core::words::change;

use crate::json::validate::Measurement;

/// What was measured.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Half of a round trip, microseconds.
    PingPong,
    /// Windows of 64 messages one way, 10^6 bytes per second.
    Stream,
}

impl Kind {
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::PingPong => ("ping-pong", "us"),
            Self::Stream => ("stream", "MB/s"),
        }
    }

    fn benchmark(self) -> Benchmark {
        match self {
            Self::PingPong => Benchmark::PingPong { pairs: 1 },
            Self::Stream => Benchmark::Stream { pairs: 1, window: 64 },
        }
    }
}

/// One value.
struct Value {
    kind: Kind,
    bytes: u64,
    /// The lowest and the highest that were measured.
    range: (f64, f64),
    /// Whether the numbers of the machine were chosen after it.
    used: bool,
}

/// A value that the machine's numbers were chosen after.
const fn used(kind: Kind, bytes: u64, range: (f64, f64)) -> Value {
    Value { kind, bytes, range, used: true }
}

/// A value that they were not chosen after.
const fn unused(kind: Kind, bytes: u64, range: (f64, f64)) -> Value {
    Value { kind, bytes, range, used: false }
}

/// The measurements of one machine from one source.
struct Published {
    machine: &'static str,
    source: &'static str,
    values: &'static [Value],
}

const PUBLISHED: [Published; 7] = [
    Published {
        machine: "infiniband-edr",
        source: "OSU micro-benchmarks with Open MPI and MPICH, gist jfgrimm/3af692a5",
        values: &[
            used(Kind::PingPong, 8, (0.90, 0.98)),
            used(Kind::PingPong, 4096, (3.0, 3.3)),
            used(Kind::PingPong, 65_536, (12.6, 12.6)),
            used(Kind::Stream, 65_536, (11_600.0, 11_600.0)),
        ],
    },
    Published {
        machine: "aries",
        source: "OSU micro-benchmarks on a Cray XC40, gist hppritcha/6a3acd0c",
        values: &[
            used(Kind::PingPong, 8, (1.18, 1.20)),
            used(Kind::PingPong, 512, (1.18, 1.20)),
            used(Kind::PingPong, 1024, (1.49, 1.49)),
            used(Kind::PingPong, 4096, (2.42, 2.42)),
            used(Kind::PingPong, 8192, (4.97, 4.97)),
            used(Kind::PingPong, 32_768, (11.6, 11.6)),
            used(Kind::PingPong, 4_194_304, (435.6, 435.6)),
        ],
    },
    Published {
        machine: "omni-path",
        source: "OSU micro-benchmarks on Omni-Path 100, gist hppritcha/8da4436a",
        values: &[
            used(Kind::Stream, 1, (3.0, 3.0)),
            used(Kind::Stream, 1_048_576, (12_380.0, 12_380.0)),
        ],
    },
    Published {
        machine: "ethernet-1g",
        source: "OSU micro-benchmarks over TCP, gist jfgrimm/3af692a5",
        values: &[
            used(Kind::PingPong, 8, (24.6, 26.4)),
            used(Kind::Stream, 65_536, (117.0, 117.0)),
        ],
    },
    Published {
        machine: "paragon",
        source: "NASA report RNR-94-016 (Saini and Simon): NX under OSF/1, not MPI",
        values: &[
            unused(Kind::PingPong, 8, (100.0, 100.0)),
            unused(Kind::Stream, 1_048_576, (30.0, 35.0)),
        ],
    },
    Published {
        machine: "sp2",
        source: "MPL on the SP2, sdsc.edu/~majumdar/thesis/node56: not MPI",
        values: &[unused(Kind::PingPong, 8, (40.0, 40.0))],
    },
    Published {
        machine: "cm5",
        source: "CMMD compared with PVM, netlib.org/utk/papers/pvmmpp: not MPI",
        values: &[used(Kind::Stream, 1_048_576, (8.06, 8.06))],
    },
];

/// Simulates all measurements.
///
/// # Errors
/// Never returns an error for the machines that come with Windtunnel.
pub(super) fn measurements() -> Result<Vec<Measurement>, Error> {
    let mut found = Vec::new();
    for Published { machine, source, values } in PUBLISHED {
        let loaded = Machine::load(machine)?;
        let platform = Platform { topology: None, network: None, ranks_per_node: 1 };
        for Value { kind, bytes, range, used } in values {
            let (kind, bytes, (measured, measured_most)) = (*kind, *bytes, *range);
            let time = times(&loaded, &platform, kind.benchmark(), &[bytes])?;
            let time = time[0].unwrap_or(f64::NAN);
            let simulated = match kind {
                Kind::PingPong => time / 1e3,
                Kind::Stream => bytes as f64 / time * 1e3,
            };
            let nearest = simulated.clamp(measured, measured_most);
            let (benchmark, unit) = kind.names();
            found.push(Measurement {
                machine,
                benchmark,
                bytes,
                unit,
                measured,
                measured_most,
                simulated,
                error_percent: 100.0 * (simulated / nearest - 1.0),
                used_in_fitting: *used,
                source,
            });
        }
    }
    Ok(found)
}

/// Prints the measurements as a table for each machine.
pub(super) fn print(measurements: &[Measurement]) {
    println!(
        "\nOther published measurements. Those that are `fitted` were used for the numbers of"
    );
    println!("their machine, often rounded. Errors count from the nearest measured value.");
    println!(
        "No published times of collectives but the textbook's are at hand for these machines."
    );
    for group in measurements.chunk_by(|one, other| one.machine == other.machine) {
        let first = &group[0];
        println!("\n{}: {}", first.machine, first.source);
        println!("benchmark      bytes           measured    simulated    error");
        for row in group {
            let measured = if row.measured == row.measured_most {
                number(row.measured)
            } else {
                format!("{} to {}", number(row.measured), number(row.measured_most))
            };
            println!(
                "{:<9} {:>10} {:>18} {:>12} {:>9}  {}, {}",
                row.benchmark,
                row.bytes,
                measured,
                number(row.simulated),
                change(row.error_percent / 100.0),
                row.unit,
                if row.used_in_fitting { "fitted" } else { "not fitted" }
            );
        }
    }
}

/// Returns a number with about four digits.
fn number(value: f64) -> String {
    match value {
        v if v >= 1000.0 => format!("{v:.0}"),
        v if v >= 100.0 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_measurement_is_simulated_and_met_as_well_as_we_say() {
        let found = measurements().expect("our own machines");
        assert_eq!(found.len(), PUBLISHED.iter().map(|one| one.values.len()).sum::<usize>());
        for row in &found {
            // Libraries of the vendors were faster than the MPI of the textbook's time.
            let native = row.source.ends_with("not MPI");
            let bound = if native { 200.0 } else { 60.0 };
            assert!(
                row.error_percent.abs() < bound,
                "{} {} {}: {} against {}",
                row.machine,
                row.benchmark,
                row.bytes,
                row.simulated,
                row.measured
            );
        }
    }
}
