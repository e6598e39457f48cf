//! The command `windtunnel validate`: the textbook's tables and other published measurements compared
//! with the simulator.

mod published;

use scenarios::{error::Error, scenario::Request};
use sim_core::words::change;

use crate::json::{
    self,
    validate::{Row, Validation},
};

/// The source of the tables.
const TEXTBOOK: &str = "Pacheco, Parallel Programming with MPI, Tables 13.2 to 13.4";

/// Program, machine, variant, and milliseconds at 2, 8 and 32 ranks (Pacheco, Parallel
/// Programming with MPI, Tables 13.2 to 13.4).
const TABLES: [(&str, &str, &str, [f64; 3]); 10] = [
    ("ring", "paragon", "blocking", [0.14, 1.0, 4.9]),
    ("ring", "paragon", "nonblocking", [0.10, 0.94, 4.2]),
    ("ring", "paragon", "persistent", [0.21, 1.1, 4.4]),
    ("ring", "sp2", "blocking", [0.11, 0.85, 3.9]),
    ("ring", "sp2", "nonblocking", [0.080, 0.54, 2.5]),
    ("ring", "sp2", "persistent", [0.09, 0.53, 2.6]),
    ("cube", "paragon", "blocking", [11.0, 58.0, 270.0]),
    ("cube", "paragon", "nonblocking", [11.0, 51.0, 250.0]),
    ("cube", "sp2", "blocking", [12.0, 49.0, 220.0]),
    ("cube", "sp2", "nonblocking", [12.0, 45.0, 190.0]),
];

/// Simulates and returns all rows.
///
/// # Errors
/// Never returns an error for the machines that come with Windtunnel.
pub(crate) fn rows() -> Result<Vec<Row>, Error> {
    let mut rows = Vec::new();
    for (algorithm, machine, variant, times) in TABLES {
        for (ranks, table_ms) in [2, 8, 32].into_iter().zip(times) {
            let suffix = if variant == "blocking" { "" } else { variant };
            let dash = if suffix.is_empty() { "" } else { "-" };
            let block = if algorithm == "cube" { 16_384 } else { 1 };
            let program = format!("allgather-{algorithm}{dash}{suffix}");
            let mut request = Request::new(program, ranks);
            request.parameters = [("blocksize".to_string(), block.to_string())].into();
            request.machine = machine.into();
            request.network = Some("loggp".into());
            let simulated_ms = request.resolve()?.run(None)?.result.makespan.as_secs_f64() * 1e3;
            rows.push(Row {
                algorithm,
                machine,
                variant,
                ranks,
                table_ms,
                simulated_ms,
                used_in_fitting: true,
                source: TEXTBOOK,
            });
        }
    }
    Ok(rows)
}

/// Prints the tables.
///
/// # Errors
/// The same as [`rows`].
pub(crate) fn validate(as_json: bool) -> Result<u8, Error> {
    let rows = rows()?;
    let measurements = published::measurements()?;
    if as_json {
        json::print(&Validation::new(rows, measurements));
        return Ok(0);
    }
    println!("{TEXTBOOK}, in ms.");
    println!("The machines are fitted to these tables: a calibration, not a validation.\n");
    println!("algorithm machine  variant      ranks     table simulated    error");
    for row in rows {
        let error = change(row.simulated_ms / row.table_ms - 1.0);
        println!(
            "{:<9} {:<8} {:<12} {:>5} {:>9.3} {:>9.3} {:>9}",
            row.algorithm,
            row.machine,
            row.variant,
            row.ranks,
            row.table_ms,
            row.simulated_ms,
            error
        );
    }
    published::print(&measurements);
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_thirty_numbers_are_met() {
        let rows = rows().expect("our own machines");
        assert_eq!(rows.len(), 30);
        for row in rows {
            let allowed = if row.algorithm == "ring" { 0.07 } else { 0.035 };
            let error = row.simulated_ms / row.table_ms - 1.0;
            assert!(
                error.abs() <= allowed,
                "{} {} {} {}: {} against {}",
                row.algorithm,
                row.machine,
                row.variant,
                row.ranks,
                row.simulated_ms,
                row.table_ms
            );
        }
    }
}
