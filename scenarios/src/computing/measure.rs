//! Computing times measured on the host.

use std::{
    cell::{Cell, RefCell},
    time::Duration,
};

use mpi_api::call::Call;
use sim_core::{Meter, ProcessId, SimDuration};

use super::{
    Clock,
    recording::{Process, Recording},
};

/// Measures the computing times of one run, and records them if they are to be kept.
pub(crate) struct Measuring {
    clock: Clock,
    factor: f64,
    begun: Cell<Duration>,
    kept: Option<RefCell<Recording>>,
}

impl Measuring {
    pub(super) fn new(clock: Clock, factor: f64, ranks: u32, keep: bool) -> Self {
        let kept = keep.then(|| RefCell::new(Recording::empty(ranks)));
        Self { clock, factor, begun: Cell::default(), kept }
    }

    pub(super) fn recording(&self, program: &str) -> Option<Recording> {
        let mut recording = self.kept.as_ref()?.take();
        recording.program = program.into();
        Some(recording)
    }
}

impl Meter<Call> for Measuring {
    fn begin(&self, _process: ProcessId) {
        self.begun.set((self.clock.0)());
    }

    fn end(&self, process: ProcessId, call: Option<&Call>) -> Option<SimDuration> {
        let host = (self.clock.0)().saturating_sub(self.begun.get());
        let picoseconds = (host.as_nanos() as f64 * 1e3 * self.factor).round() as u64;
        if let Some(kept) = &self.kept {
            let mut kept = kept.borrow_mut();
            let call = kept.number_of(call.map(Call::name));
            kept.process(process.0).push(call, picoseconds);
        }
        Some(SimDuration::from_ps(picoseconds))
    }

    fn restart(&self) {
        self.begun.set((self.clock.0)());
    }
}

impl Recording {
    fn process(&mut self, process: u32) -> &mut Process {
        let at = process as usize;
        if self.processes.len() <= at {
            self.processes.resize_with(at + 1, Process::default);
        }
        &mut self.processes[at]
    }
}
