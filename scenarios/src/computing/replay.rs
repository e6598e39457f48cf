//! Replay of recorded computing times.

use std::{cell::RefCell, sync::Arc};

use mpi_api::call::Call;
use sim_core::{Meter, ProcessId, SimDuration};

use super::recording::{END, Recording};

/// Supplies the times of a recording to a run, call by call.
pub(crate) struct Replaying {
    recording: Arc<Recording>,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    /// Number of recorded calls that each process has used.
    used: Vec<usize>,
    misfit: Option<String>,
}

impl Replaying {
    pub(super) fn new(recording: Arc<Recording>) -> Self {
        let used = vec![0; recording.processes.len()];
        Self { recording, state: RefCell::new(State { used, misfit: None }) }
    }

    /// Returns a description of the first call that differs from the recording, if there is one.
    pub(super) fn misfit(&self) -> Option<String> {
        self.state.borrow().misfit.clone()
    }

    /// Describes how the recording and the present call of a process differ.
    fn differ(&self, process: u32, at: usize, call: Option<&Call>) -> String {
        let ranks = self.recording.ranks;
        let who = match process.checked_sub(ranks) {
            None => format!("rank {process}"),
            Some(further) => format!("further process {further} of the run"),
        };
        let now = match call {
            None => format!("{who} ends after {at} calls"),
            Some(call) => {
                let place = call.site.known();
                let place = place.map(|site| format!(" at {}:{}", site.file, site.line));
                let place = place.unwrap_or_default();
                format!("call {} of {who} is {}{place}", at + 1, call.name())
            }
        };
        let then = match self.recording.call(process, at) {
            Some(END) => "there the recording ends".to_string(),
            Some(name) => format!("in the recording it is {name}"),
            None => "the recording ends before".to_string(),
        };
        format!(
            "{now}, but {then}: the program no longer fits; take the file away to have it \
             recorded again"
        )
    }
}

impl Meter<Call> for Replaying {
    fn begin(&self, _process: ProcessId) {}

    fn end(&self, process: ProcessId, call: Option<&Call>) -> Option<SimDuration> {
        let mut state = self.state.borrow_mut();
        let at = state.used.get(process.0 as usize).copied().unwrap_or(0);
        let expected = self.recording.call(process.0, at);
        if expected != Some(call.map_or(END, Call::name)) {
            let differ = self.differ(process.0, at, call);
            state.misfit.get_or_insert(differ);
            return None;
        }
        state.used[process.0 as usize] = at + 1;
        let process = &self.recording.processes[process.0 as usize];
        Some(SimDuration::from_ps(process.durations_ps[at]))
    }
}
