//! What the ranks of compiled programs see of the world.

use std::{
    io::{self, Write},
    time::Duration,
};

use mpi_api::call::{Operation, Reply, Site};
use sim_core::SimDuration;

use super::Output;
use crate::{
    libc::{Host, Stream},
    state::State,
};

/// What programs see of the world: clocks, and a place for their output.
pub(super) struct Console {
    pub(super) output: Output,
    pub(super) host_clocks: bool,
}

impl Host for Console {
    fn now(&self, _: u32) -> Option<Duration> {
        if self.host_clocks {
            return None;
        }
        let state = State::current()?;
        match state.kernel(Site::here(), Operation::Now) {
            Ok(Reply::Time(time)) => Some(Duration::from_nanos(time.as_ps() / 1000)),
            _ => None,
        }
    }

    fn sleep(&self, _: u32, time: Duration) {
        if let Some(state) = State::current() {
            let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX / 1000);
            let time = SimDuration::from_ns(nanoseconds.min(u64::MAX / 1000));
            // Nothing to tell: the run may be over.
            let _ = state.kernel(Site::here(), Operation::Compute(time));
        }
    }

    fn write(&self, rank: u32, stream: Stream, lines: &[u8]) {
        let text = match self.output {
            Output::Discard => return,
            Output::Print => lines.to_vec(),
            Output::Label => labelled(rank, lines),
        };
        // A reader who went away is no fault of the simulation.
        let _ = match stream {
            Stream::Output => io::stdout().lock().write_all(&text),
            Stream::Error => io::stderr().lock().write_all(&text),
        };
    }
}

fn labelled(rank: u32, lines: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(lines.len() + 8);
    for line in lines.split_inclusive(|byte| *byte == b'\n') {
        text.extend_from_slice(format!("[{rank}] ").as_bytes());
        text.extend_from_slice(line);
    }
    text
}
