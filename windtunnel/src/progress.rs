//! A progress bar for work over a second, on a terminal only.

use std::{
    io::{IsTerminal, stderr},
    sync::mpsc::{RecvTimeoutError, Sender, channel},
    thread,
    time::Duration,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::Options;

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// What is shown while work goes on. Dropping it clears the line.
pub(crate) struct Progress {
    bar: ProgressBar,
    _end: Option<Sender<()>>,
}

impl Progress {
    /// `steps` steps of `what`; one step shows the time alone.
    pub(crate) fn new(options: &Options, what: &'static str, steps: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::hidden());
        if options.quiet || !stderr().is_terminal() {
            return Self { bar, _end: None };
        }
        let template = if steps > 1 {
            "{msg} {bar:32} {pos}/{len}, {elapsed} so far, {eta} to go"
        } else {
            "{msg} {spinner} {elapsed} so far"
        };
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
        Self { bar, _end: Some(end) }
    }

    /// One step is done.
    pub(crate) fn step(&self) {
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
