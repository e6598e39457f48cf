//! Recorded computing times, and the file format that stores them.

use serde::{Deserialize, Serialize};
use sim_core::words::counted;

use crate::{error::Error, json};

/// Name and version of the file format.
const SCHEMA: &str = "windtunnel.computing/1";

/// Largest file that is read, in bytes.
const BYTES_MAX: u64 = 1 << 28;

/// Stands in the list of calls for the end of a process.
pub(crate) const END: &str = "end";

/// The time that each process of a run computed before each of its calls and before its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, expecting = "an object with a recording")]
pub struct Recording {
    schema: String,
    /// Name of the program, for display.
    pub program: String,
    /// Number of ranks at the start of the run.
    pub ranks: u32,
    /// Names of calls, without duplicates; processes refer to them by position.
    calls: Vec<String>,
    /// Ranks, followed by the threads and ranks that started later, in order of their start.
    pub(crate) processes: Vec<Process>,
}

/// Recorded calls of one process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, expecting = "an object with the times of a process")]
pub(crate) struct Process {
    calls: Vec<u32>,
    /// Computing time before each call, in picoseconds.
    pub(crate) durations_ps: Vec<u64>,
}

impl Process {
    pub(super) fn push(&mut self, call: u32, picoseconds: u64) {
        self.calls.push(call);
        self.durations_ps.push(picoseconds);
    }
}

impl Recording {
    pub(super) fn empty(ranks: u32) -> Self {
        let schema = SCHEMA.to_string();
        let processes = vec![Process::default(); ranks as usize];
        Self { schema, program: String::new(), ranks, calls: Vec::new(), processes }
    }

    /// Reads the recording of a program on `ranks` ranks.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is no recording, or was made with another
    /// number of ranks.
    pub(super) fn load(path: &str, ranks: u32) -> Result<Self, Error> {
        let bad = |reason: String| Error::BadFile { path: path.into(), reason };
        let text = json::text_up_to(path, BYTES_MAX)?;
        let recording: Self = json::read(&text, path)?;
        recording.check().map_err(|reason| bad(reason.into()))?;
        if recording.ranks != ranks {
            let (program, recorded) = (&recording.program, counted(recording.ranks.into(), "rank"));
            let help = "give that number, or another file";
            return Err(bad(format!("holds {program} on {recorded}, not on {ranks}; {help}")));
        }
        Ok(recording)
    }

    fn check(&self) -> Result<(), &'static str> {
        if self.schema != SCHEMA {
            return Err("is no recording of this version (its schema is not \
                        windtunnel.computing/1)");
        }
        if self.processes.len() < self.ranks as usize {
            return Err("has fewer processes than ranks");
        }
        for process in &self.processes {
            if process.calls.len() != process.durations_ps.len() {
                return Err("a process has not as many durations_ps as calls");
            }
            if process.calls.iter().any(|call| *call as usize >= self.calls.len()) {
                return Err("a process has a call that is not in the list of calls");
            }
        }
        Ok(())
    }

    /// Returns the number of a call's name, adding it if necessary; `None` is the end of a process.
    pub(super) fn number_of(&mut self, name: Option<&str>) -> u32 {
        let name = name.unwrap_or(END);
        let known = self.calls.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.calls.push(name.into());
            self.calls.len() - 1
        }) as u32
    }

    /// Returns the name of the call at position `at` of a process.
    pub(super) fn call(&self, process: u32, at: usize) -> Option<&str> {
        let call = self.processes.get(process as usize)?.calls.get(at)?;
        Some(&self.calls[*call as usize])
    }

    /// Returns the contents of the file: JSON, one line per process.
    pub fn text(&self) -> String {
        let processes: Vec<String> =
            self.processes.iter().map(|process| format!("    {}", word(process))).collect();
        format!(
            "{{\n  \"schema\": {},\n  \"program\": {},\n  \"ranks\": {},\n  \"calls\": {},\n  \
             \"processes\": [\n{}\n  ]\n}}\n",
            word(&self.schema),
            word(&self.program),
            self.ranks,
            word(&self.calls),
            processes.join(",\n")
        )
    }
}

fn word(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("words and numbers are JSON")
}
