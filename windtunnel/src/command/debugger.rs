//! `run --gdb`: a debugger that stops one rank at the call of a finding.
//!
//! The run is repeated three times, which changes nothing, because it is deterministic: once to learn the line of the
//! finding, once under gdb to count how often the rank reaches that line, and once under gdb to stop there the
//! last time.

use std::{
    env,
    fmt::Display,
    io,
    os::unix::process::CommandExt,
    process::{Command, Stdio},
};

use mpi_abi::launch::Output;
use mpi_api::{finding::Finding, outcome::RunResult};
use scenarios::error::Error;

use super::{line::without, program::Job};
use crate::{args::Options, diagnostic};

/// What gdb carries out, after the values that it begins with.
const SCRIPT: &str = include_str!("debugger.py");

/// The environment variable that hands the script to gdb.
const VARIABLE: &str = "WINDTUNNEL_DEBUGGER";

/// Where a rank is to stop.
struct Place {
    rank: u32,
    /// `FILE:LINE`, or `main`.
    line: String,
}

/// Runs the program, prints its first finding that concerns the rank and replaces this process by gdb, which
/// stops at the call of that finding, or at `main` if there is none.
///
/// # Errors
/// Returns an error if the program is not a compiled one, there is no such rank, or gdb cannot be started.
pub(super) fn stop_at_finding(rank: u32, job: &Job, options: &Options) -> Result<u8, Error> {
    let bad = |allowed: String| {
        let value = rank.to_string();
        Error::BadValue { what: "the rank that gdb stops".into(), value, allowed }
    };
    if !job.is_compiled() {
        return Err(bad("ranks of a program that `windtunnel cc`, `cxx` or `fc` has made".into()));
    }
    let ranks = job.request.ranks;
    if rank >= ranks {
        return Err(bad(format!("0 to {}", ranks - 1)));
    }
    crate::memory::limit(options, 1);
    let scenario = job.resolved(Output::Discard)?;
    let result = scenario.run(None)?.result;
    let place = Place { rank, line: line_of(rank, &result) };
    let reached = place.count()?;
    Err(place.stop(reached.saturating_sub(1)))
}

/// Returns the line where a rank is to stop, and prints why.
fn line_of(rank: u32, result: &RunResult) -> String {
    let found = result.findings.iter().find_map(|finding| Some((finding, line_in(finding, rank)?)));
    if let Some((finding, line)) = found {
        println!("{}\n", diagnostic::render(finding));
        return line;
    }
    match result.findings.first() {
        Some(finding) => {
            println!("{}\n", diagnostic::render(finding));
            println!("note: no line of rank {rank} is part of a finding: it stops at main");
        }
        None => println!("note: nothing is found in this execution: rank {rank} stops at main"),
    }
    "main".into()
}

/// Returns the first line of a finding that is a call of the rank.
fn line_in(finding: &Finding, rank: u32) -> Option<String> {
    let site = finding.sites.iter().find(|site| site.rank == rank)?.site.as_ref()?;
    (site.line > 0).then(|| format!("{}:{}", site.file, site.line))
}

impl Place {
    /// Returns how often the rank reaches the line in the whole run.
    fn count(&self) -> Result<u32, Error> {
        let mut gdb = self.gdb(&["-nx", "-batch"], None)?;
        let output = gdb.stdin(Stdio::null()).output().map_err(not_started)?;
        let text = String::from_utf8_lossy(&output.stdout);
        let reached = text.lines().rev().find_map(|line| line.strip_prefix("reached "));
        match reached.and_then(|count| count.parse().ok()) {
            Some(0) => Err(failed(&format!(
                "it finds no code at {} in the program of rank {}: was it compiled with -g?",
                self.line, self.rank
            ))),
            Some(count) => Ok(count),
            None => {
                let reason = String::from_utf8_lossy(&output.stderr);
                let reason = reason.lines().last().unwrap_or("it ended early").to_owned();
                Err(failed(&reason))
            }
        }
    }

    /// Replaces this process by gdb, which stops at the line after it was reached `skip` times. Returns why that
    /// was not possible.
    fn stop(&self, skip: u32) -> Error {
        match self.gdb(&[], Some(skip)) {
            Ok(mut gdb) => not_started(gdb.exec()),
            Err(error) => error,
        }
    }

    /// Returns a command that starts gdb on this process's own command line; without `skip` it counts.
    fn gdb(&self, options: &[&str], skip: Option<u32>) -> Result<Command, Error> {
        let own = env::current_exe().map_err(|error| failed(&error))?;
        let Self { rank, line } = self;
        // A string in JSON is one in Python.
        let line = serde_json::Value::from(line.as_str());
        let skip = skip.map_or_else(|| "None".to_owned(), |skip| skip.to_string());
        let script = format!("RANK = {rank}\nPLACE = {line}\nSKIP = {skip}\n{SCRIPT}");
        let mut gdb = Command::new("gdb");
        gdb.env(VARIABLE, script).arg("-q").args(options);
        gdb.args(["-ex", &format!("python import os; exec(os.environ['{VARIABLE}'])"), "--args"]);
        gdb.arg(own).args(without(env::args_os().skip(1), "run", &["gdb"]));
        Ok(gdb)
    }
}

fn not_started(error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::NotFound => failed(&"is not installed, and --gdb needs it"),
        _ => failed(&error),
    }
}

fn failed(reason: &dyn Display) -> Error {
    Error::BadFile { path: "gdb".into(), reason: reason.to_string() }
}
