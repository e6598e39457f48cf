//! A progress bar for work that takes more than a second, shown on terminals only.
#![allow(clippy::disallowed_types, reason = "shows how long work takes on this machine")]

use std::{
    io::{IsTerminal, stderr},
    sync::mpsc::{RecvTimeoutError, Sender, channel},
    thread,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::Options;

/// Time before the progress bar appears.
const PATIENCE: Duration = Duration::from_secs(1);

/// A progress bar that is shown during some work. Dropping it clears the line.
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Start of the work, if [`Progress::show`] draws the bar.
    since: Option<Instant>,
    _end: Option<Sender<()>>,
}

impl Progress {
    /// Creates the progress bar of one simulation in this process.
    pub(crate) fn new(options: &Options, what: &'static str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::hidden());
        if options.quiet || !stderr().is_terminal() {
            return Self { bar, since: None, _end: None };
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
        Self { bar, since: None, _end: Some(end) }
    }

    /// Creates the progress bar of an unknown number of executions, drawn by [`Progress::show`]
    /// alone: it starts no thread, so that the process may fork.
    pub(crate) fn of_executions(options: &Options, what: &'static str) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let shown = !options.quiet && stderr().is_terminal();
        if let Ok(style) = ProgressStyle::with_template(
            "{msg} {spinner} {pos} executions{prefix}, {elapsed} so far",
        ) {
            bar.set_style(style);
        }
        bar.set_message(what);
        Self { bar, since: shown.then(Instant::now), _end: None }
    }

    /// Creates the progress bar of so many executions, which estimates how long the rest takes; drawn by
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
