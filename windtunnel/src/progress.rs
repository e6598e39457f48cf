//! A progress bar for work that takes more than a second, shown on terminals, and notes about work that takes
//! long where there is none.
#![allow(clippy::disallowed_types, reason = "shows how long work takes on this machine")]

use std::{
    cell::RefCell,
    io::{IsTerminal, stderr},
    sync::{
        Mutex,
        mpsc::{RecvTimeoutError, Sender, channel},
    },
    thread,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sim_core::{SimTime, interrupt, words::counted};

use crate::args::Options;

/// Time before the progress bar appears.
const PATIENCE: Duration = Duration::from_secs(1);

/// Times after which work without a progress bar is noted, in seconds.
const NOTED: [u64; 4] = [10, 60, 600, 3600];

/// The notes about some work.
struct Notes {
    since: Instant,
    made: usize,
}

impl Notes {
    fn new() -> Self {
        Self { since: Instant::now(), made: 0 }
    }

    /// Returns how many seconds the work has taken, if that is to be noted now.
    fn due(&mut self) -> Option<u64> {
        let due = NOTED.get(self.made).copied();
        let due = due.filter(|seconds| self.since.elapsed() >= Duration::from_secs(*seconds))?;
        self.made += 1;
        Some(due)
    }
}

/// The notes about the simulation in this process, and the events that it had had at the last look.
static RUN: Mutex<Option<(Notes, u64)>> = Mutex::new(None);

/// Notes on standard error that a simulation goes on, when it has taken long.
fn note_run(now: SimTime, events: u64) {
    let Ok(mut run) = RUN.lock() else { return };
    let (notes, before) = run.get_or_insert_with(|| (Notes::new(), events));
    if events < *before {
        *notes = Notes::new();
    }
    *before = events;
    if let Some(seconds) = notes.due() {
        eprintln!(
            "note: the run has taken {seconds} s and goes on: {now} of simulated time so far\n  help: \
             Ctrl-C ends it and shows where its ranks are; --max-time and --max-wall bound it"
        );
    }
}

/// How users learn that work goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Bar,
    Notes,
    Nothing,
}

impl Sign {
    fn of(options: &Options) -> Self {
        match (options.quiet, stderr().is_terminal()) {
            (true, _) => Self::Nothing,
            (false, true) => Self::Bar,
            (false, false) => Self::Notes,
        }
    }
}

/// A progress bar that is shown during some work. Dropping it clears the line.
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Start of the work, if [`Progress::show`] draws the bar.
    since: Option<Instant>,
    /// The notes that [`Progress::show`] makes where it draws none.
    notes: Option<RefCell<Notes>>,
    _end: Option<Sender<()>>,
}

impl Progress {
    /// Creates the progress bar of one simulation in this process.
    pub(crate) fn new(options: &Options, what: &'static str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::hidden());
        let sign = Sign::of(options);
        if sign == Sign::Notes {
            interrupt::tell_progress(note_run);
        }
        if sign != Sign::Bar {
            return Self { bar, since: None, notes: None, _end: None };
        }
        let template = "{msg} {spinner} {elapsed} so far";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(what);
        let (end, ended) = channel();
        let shown = bar.clone();
        thread::spawn(move || {
            if ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(PATIENCE / 8);
            }
        });
        Self { bar, since: None, notes: None, _end: Some(end) }
    }

    /// Creates the progress bar of an unknown number of executions, drawn by [`Progress::show`]
    /// alone: it starts no thread, so that the process may fork.
    pub(crate) fn of_executions(options: &Options, what: &'static str) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let sign = Sign::of(options);
        let since = (sign == Sign::Bar).then(Instant::now);
        let notes = (sign == Sign::Notes).then(|| RefCell::new(Notes::new()));
        if let Ok(style) = ProgressStyle::with_template(
            "{msg} {spinner} {pos} executions{prefix}, {elapsed} so far",
        ) {
            bar.set_style(style);
        }
        bar.set_message(what);
        Self { bar, since, notes, _end: None }
    }

    /// Creates the progress bar of this many executions, which estimates how long the rest takes; drawn by
    /// [`Progress::show`] alone.
    pub(crate) fn of_known(options: &Options, what: &'static str, count: u64) -> Self {
        let progress = Self::of_executions(options, what);
        progress.bar.set_length(count);
        let template = "{msg} {bar:30} {pos}/{len}, {elapsed} so far, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            progress.bar.set_style(style);
        }
        progress
    }

    /// Shows how many executions are done, and what else is told of them, once the work has taken a second.
    pub(crate) fn show(&self, done: u64, told: &str) {
        if let Some(seconds) = self.notes.as_ref().and_then(|notes| notes.borrow_mut().due()) {
            eprintln!(
                "note: {} has taken {seconds} s and goes on: {}{told} so far\n  help: Ctrl-C ends it \
                 with what is known by then; --max-wall bounds it",
                self.bar.message(),
                counted(done, "execution")
            );
        }
        let Some(since) = self.since else { return };
        if since.elapsed() < PATIENCE {
            return;
        }
        if self.bar.is_hidden() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_prefix(told.to_owned());
        self.bar.set_position(done);
        self.bar.tick();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_time_is_noted_once() {
        let ago = |seconds| Instant::now().checked_sub(Duration::from_secs(seconds)).expect("past");
        let mut notes = Notes { since: ago(9), made: 0 };
        assert_eq!(notes.due(), None);
        notes.since = ago(61);
        assert_eq!([notes.due(), notes.due(), notes.due()], [Some(10), Some(60), None]);
    }
}
