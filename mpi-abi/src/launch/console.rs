//! The environment that ranks of compiled programs see: clocks and output streams.

use std::{
    io,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use mpi_api::call::{
    Administration, ClockCall, Direction, FileCall, PlainCall, Reply, Site, ThreadCall,
};
use sim_core::SimDuration;

use super::{
    Output, OutputFiles,
    part::{self, Left},
    redirect::Writer,
};
use crate::{
    constant::handle,
    function::environment::freed_otherwise,
    state::{NOWHERE, Stage, State},
};
use guest::libc::{Ending, FileUse, Host, Stream, Wait, write_past_ranks};

/// The clocks and the output of ranks, as their programs reach them.
pub(super) struct Console {
    pub(super) output: Output,
    pub(super) files: Arc<OutputFiles>,
    pub(super) host_clocks: bool,
}

impl Host for Console {
    fn now(&self, _: u32) -> Option<Duration> {
        if self.host_clocks {
            return None;
        }
        let state = State::current()?;
        match state.read_clock(NOWHERE, guest::site::frame()) {
            Ok(Reply::Time(time)) => Some(Duration::from_nanos(time.as_ps() / 1000)),
            _ => None,
        }
    }

    fn seed(&self) -> u64 {
        State::current().map_or(0, |state| state.environment().seed)
    }

    fn node(&self, _: u32) -> u32 {
        State::current().map_or(0, State::node)
    }

    fn measures(&self, _: u32) -> bool {
        State::current().is_some_and(|state| state.environment().computing.is_some())
    }

    fn processors(&self, _: u32) -> Option<u32> {
        State::current()?.environment().processors
    }

    fn reverses_tasks(&self, rank: u32) -> bool {
        State::current().is_some_and(|state| state.environment().reversed.contains(rank))
    }

    fn clock(&self, _: u32) -> Duration {
        State::current().map_or(Duration::ZERO, State::time)
    }

    fn attend(&self, _: u32, attends: bool) {
        if let Some(state) = State::current() {
            state.attend(attends);
        }
    }

    fn sleep(&self, _: u32, time: Duration) {
        if let Some(state) = State::current() {
            let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX / 1000);
            let time = SimDuration::from_ns(nanoseconds.min(u64::MAX / 1000));
            // An error is ignored: the run may already be over.
            let _ = state.kernel(NOWHERE, ClockCall::Compute(time));
        }
    }

    fn models_files(&self, _: u32) -> bool {
        State::current().is_some_and(|state| state.environment().models_io)
    }

    fn use_file(&self, _: u32, site: Site, what: FileUse<'_>) -> Option<u32> {
        let call = match what {
            FileUse::Number(name) => PlainCall::Number(name.to_owned()),
            FileUse::Open => PlainCall::Administer(Administration::Open),
            FileUse::Close(file) => PlainCall::Close(file),
            FileUse::Resize => PlainCall::Administer(Administration::Resize),
            FileUse::Access { file, writes, at, bytes } => {
                let direction = if writes { Direction::Write } else { Direction::Read };
                PlainCall::Access(file, direction, at, bytes)
            }
            FileUse::Sync(file) => PlainCall::Sync(file),
        };
        // Where no time can pass, such as in the function of a reduction, none does.
        match State::current()?.kernel(site, FileCall::Plain(call)) {
            Ok(Reply::Object(number)) => Some(number),
            Ok(_) | Err(_) => None,
        }
    }

    fn frees_given(&self, _: u32, site: Site, start: usize) {
        if let Some(state) = State::current() {
            freed_otherwise(state, site, start);
        }
    }

    fn spawn(&self, _: u32, body: Box<dyn FnOnce()>) -> Option<u32> {
        State::current()?.spawn_thread(body)
    }

    fn park(&self, _: u32, wait: Wait) -> bool {
        State::current().is_none_or(|state| state.park(wait))
    }

    fn unpark(&self, _: u32, threads: Vec<u32>, left: Vec<u32>) {
        tell(NOWHERE, ThreadCall::Unpark(threads, left));
    }

    fn give_way(&self, _: u32, site: Site) {
        tell(site, ThreadCall::Yield);
    }

    fn spin(&self, _: u32, site: Site, fresh: bool) -> bool {
        tell(site, ThreadCall::Spin { fresh })
    }

    fn thread_ends(&self, _: u32) {
        if let Some(state) = State::current() {
            state.stop_watching();
        }
    }

    fn desert(&self, _: u32) {
        if let Some(state) = State::current() {
            state.desert();
        }
    }

    fn is_unfinished(&self, _: u32) -> bool {
        State::current().is_some_and(|state| state.stage.get() == Stage::Running)
    }

    fn leaves(&self, rank: u32, place: guest::site::Site) {
        part::record_exit(rank, Left::By(place));
    }

    fn returns(&self, rank: u32, main: guest::site::Site) {
        part::record_exit(rank, Left::Main(main));
    }

    fn ended(&self, _: u32, ending: Ending) {
        if let Some(state) = State::current() {
            part::record(state, ending);
        }
    }

    fn flushes(&self) -> bool {
        match self.output {
            Output::Discard | Output::Print => true,
            // A label is at the start of a line.
            Output::Label => false,
        }
    }

    fn write(&self, rank: u32, stream: Stream, lines: &[u8]) {
        let text = match self.output {
            Output::Discard => return,
            Output::Print => lines.to_vec(),
            Output::Label => labelled(rank, lines),
        };
        if let Some(written) = self.files.write(writer(rank), stream, &text) {
            if let Err(reason) = written {
                LOST.get_or_init(|| reason);
            }
            return;
        }
        if let (Stream::Output, Some(last)) = (stream, text.last()) {
            WITHIN_LINE.store(*last != b'\n', Ordering::Relaxed);
        }
        if let (Err(error), Stream::Output) = (write_past_ranks(stream, &text), stream)
            // A closed pipe means that the reader has exited, which is not an error.
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            LOST.get_or_init(|| error.to_string());
        }
    }
}

/// The reason why output of a program could not be written, once that has happened.
static LOST: OnceLock<String> = OnceLock::new();

/// Returns why some output of the programs of this process could not be written, for example a full
/// disk; `None` if all of it was written.
pub fn lost_output() -> Option<&'static str> {
    LOST.get().map(String::as_str)
}

/// Whether the last text that a program of this process has written to standard output has no line end.
static WITHIN_LINE: AtomicBool = AtomicBool::new(false);

/// Reports whether the standard output of the programs of this process ends within a line.
pub fn ends_within_line() -> bool {
    WITHIN_LINE.load(Ordering::Relaxed)
}

/// Returns the values that distinguish the writing rank in output file patterns and labels.
fn writer(number: u32) -> Writer {
    let Some(state) = State::current() else { return Writer { rank: number, group: 0, node: 0 } };
    let rank = state.comm(handle::COMM_WORLD).map_or(number, |world| world.info.rank);
    Writer { rank, group: state.start.group, node: state.node() }
}

/// Makes a call about threads that has no result. Returns false if it failed: the run may already be
/// over.
fn tell(site: Site, call: ThreadCall) -> bool {
    State::current().is_some_and(|state| state.kernel(site, call).is_ok())
}

fn labelled(rank: u32, lines: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(lines.len() + 8);
    for line in lines.split_inclusive(|byte| *byte == b'\n') {
        text.extend_from_slice(format!("[{rank}] ").as_bytes());
        text.extend_from_slice(line);
    }
    text
}
