//! The loop of the parent: starts processes, feeds their input, collects their output, and ends
//! them at the deadline.
#![allow(unsafe_code, reason = "handles signals that tell this process to end")]

use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
    io::{self, Write},
    mem::MaybeUninit,
    os::fd::{AsFd, BorrowedFd},
    ptr,
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    pipe::{PipeFlags, pipe_with},
    process::{PidfdFlags, Signal, WaitStatus, kill_process, pidfd_open},
};
use serde::{Serialize, de::DeserializeOwned};

use super::{Done, Failure, OUT_OF_MEMORY, Settings, Stop, TIMES_TOLD_TO_END, Work, told_to_end};
use crate::{
    child::{Ends, Frame, fork, frames, live},
    folder::{View, Views},
    input::{Given, Input, waits_for_input},
    process::Live,
    tail::Tail,
};

/// Time that a process has to stop before it is killed.
const GRACE: Duration = Duration::from_secs(2);
/// Longest sleep of the loop.
const NAP: Duration = Duration::from_millis(50);
/// Longest sleep while it is unknown whether a process waits for input.
const SHORT_NAP: Duration = Duration::from_millis(2);

/// Time from one look at what processes wait for to the next.
const LOOK: Duration = Duration::from_millis(500);

/// Number of signals that ask for the end of the work; one more ends this process. Two, because `timeout` sends
/// its signal both to the process and to its group.
const PATIENCE: u32 = 2;

/// Runs work in forks of this process.
pub(crate) struct Supervisor {
    settings: Settings,
    input: RefCell<Input>,
    views: Option<Views>,
    remarks: RefCell<BTreeSet<String>>,
    stopped: Cell<Option<Stop>>,
    done: Cell<u64>,
    progress: RefCell<String>,
    /// When it was last looked whether a process waits for a lock.
    looked: Cell<Instant>,
}

/// The purpose of a ready descriptor.
#[derive(Clone, Copy)]
enum Ready {
    Answer(usize),
    Output(usize),
    End,
    Feed(usize),
    Input,
}

/// Installs handlers: from now on the signals that end a process are only recorded.
pub(crate) fn listen() {
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // SAFETY: the handler has the required signature and calls only async-signal-safe
        // functions.
        unsafe {
            let mut action = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
            action.sa_sigaction = on_end as *const () as usize;
            libc::sigemptyset(&raw mut action.sa_mask);
            libc::sigaction(signal, &raw const action, ptr::null_mut());
        }
    }
    // A process that ends leaves a pipe without a reader.
    // SAFETY: sets the disposition of a signal.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
}

extern "C" fn on_end(signal: libc::c_int) {
    if TIMES_TOLD_TO_END.fetch_add(1, Ordering::Relaxed) >= PATIENCE {
        // SAFETY: restores the default action and raises the signal again.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }
}

impl Supervisor {
    pub(crate) fn new(settings: Settings) -> Self {
        let remarks = RefCell::default();
        let views = if settings.surroundings { Views::new().ok() } else { None };
        let input = if settings.surroundings { Input::new() } else { Input::Nothing };
        Self {
            settings,
            input: RefCell::new(input),
            views,
            remarks,
            stopped: Cell::new(None),
            done: Cell::new(0),
            progress: RefCell::default(),
            looked: Cell::new(Instant::now()),
        }
    }

    pub(crate) fn parallel(&self) -> usize {
        self.settings.parallel.max(1)
    }

    pub(crate) fn tell(&self, progress: String) {
        self.progress.replace(progress);
    }

    pub(crate) fn stopped(&self) -> Option<Stop> {
        self.stopped.get()
    }

    pub(crate) fn remarks(&self) -> Vec<String> {
        self.remarks.borrow().iter().cloned().collect()
    }

    pub(crate) fn run<T>(&self, works: Vec<Work<'_, T>>) -> Vec<Done<T>>
    where
        T: Serialize + DeserializeOwned,
    {
        let mut results: Vec<Option<Done<T>>> = works.iter().map(|_| None).collect();
        let mut waiting = works.into_iter().enumerate();
        let mut live: Vec<Live> = Vec::new();
        loop {
            self.watch_the_time(&mut live);
            while live.len() < self.parallel() && self.stopped.get().is_none() {
                let Some((index, work)) = waiting.next() else { break };
                match self.begin((index, work), &live) {
                    Ok(process) => live.push(process),
                    Err(error) => {
                        let result = Err(Failure::Refused(error.to_string()));
                        results[index] = Some(Done { result, output: String::new() });
                    }
                }
            }
            if live.is_empty() {
                break;
            }
            self.attend(&mut live);
            for at in (0..live.len()).rev() {
                if live[at].ended {
                    let process = live.swap_remove(at);
                    let index = process.index;
                    results[index] = Some(self.conclude(process));
                }
            }
            let under_way: u64 = live.iter().map(|process| process.parts).sum();
            (self.settings.tick)(self.done.get() + under_way, &self.progress.borrow());
        }
        let stopped = || Done { result: Err(Failure::Stopped), output: String::new() };
        results.into_iter().map(|done| done.unwrap_or_else(stopped)).collect()
    }

    /// Asks all processes to stop at the deadline, and kills those that do not.
    fn watch_the_time(&self, live: &mut [Live]) {
        if self.stopped.get().is_none() {
            if told_to_end() {
                self.stopped.set(Some(Stop::Signal));
            } else if self.settings.deadline.is_some_and(|end| Instant::now() >= end) {
                self.stopped.set(Some(Stop::Deadline));
            }
        }
        if self.stopped.get().is_none() {
            return;
        }
        for process in live {
            match process.asked {
                None => {
                    process.asked = Some(Instant::now());
                    let _ = kill_process(process.process, Signal::TERM);
                }
                Some(since) if since.elapsed() > GRACE => {
                    let _ = kill_process(process.process, Signal::KILL);
                }
                Some(_) => {}
            }
        }
    }

    fn begin<T: Serialize>(
        &self,
        (index, work): (usize, Work<'_, T>),
        others: &[Live],
    ) -> io::Result<Live> {
        let room = self.views.as_ref().map(Views::room);
        let (answer, answers) = pipe_with(PipeFlags::CLOEXEC)?;
        let (output, outputs) = pipe_with(PipeFlags::CLOEXEC)?;
        let (input, feed) = match self.input.borrow().give()? {
            Given::Opened(file) => (Some(file), None),
            Given::Fed(end, feed) => (Some(end), Some(feed)),
            Given::Inherited => (None, None),
        };
        let _ = io::stdout().flush();
        let Some(process) = fork()? else {
            // This process must not hold the child's ends of its pipes open.
            drop((answer, output, feed));
            for other in others {
                other.close_here();
            }
            let ends = Ends { answer: answers, output: outputs, input };
            let substitute = self.settings.substitute;
            let enter = || match self.views.as_ref().zip(room.as_ref()) {
                Some((views, room)) => views.enter(room, substitute).map(remark),
                None => Ok(None),
            };
            let body = work.body;
            let value = || postcard::to_stdvec(&body()).unwrap_or_default();
            live(ends, (self.settings.prepare, self.settings.at_exit), enter, value)
        };
        Ok(Live {
            index,
            room,
            name: work.name,
            shown: work.shown && self.settings.show,
            process,
            end: pidfd_open(process, PidfdFlags::empty()).ok(),
            answer: Some(answer),
            output: Some(output),
            feed,
            bytes: Vec::new(),
            parts: 0,
            counted: 0,
            tail: Tail::default(),
            asked: None,
            locked: None,
            stuck: false,
            ended: false,
            status: None,
        })
    }

    /// Waits for an event and handles it.
    fn attend(&self, live: &mut [Live]) {
        let mut input = self.input.borrow_mut();
        let mut unsure = false;
        if let Some(stream) = input.stream().filter(|stream| !stream.wanted) {
            stream.wanted = live.iter().any(|process| waits_for_input(process.process));
            unsure = !stream.wanted;
        }
        let ready = wait(live, input.stream().map(|stream| &*stream), unsure);
        for what in ready {
            match what {
                Ready::Input => {
                    if let Some(stream) = input.stream() {
                        stream.fetch();
                    }
                }
                Ready::Feed(at) => {
                    let feed = live[at].feed.as_mut().zip(input.stream());
                    if feed.is_some_and(|(feed, stream)| !feed.push(stream)) {
                        live[at].feed = None;
                    }
                }
                Ready::Answer(at) => live[at].hear(),
                Ready::Output(at) => live[at].overhear(),
                // Every process is asked below whether it has ended.
                Ready::End => {}
            }
        }
        let looks = self.looked.get().elapsed() > LOOK;
        if looks {
            self.looked.set(Instant::now());
        }
        for process in live {
            let over = process.feed.as_ref().zip(input.stream());
            if over.is_some_and(|(feed, stream)| feed.is_over(stream)) {
                process.feed = None;
            }
            if looks {
                process.kill_if_stuck();
            }
            process.reap();
        }
    }

    /// Returns the outcome of a process that has ended.
    fn conclude<T: DeserializeOwned>(&self, mut process: Live) -> Done<T> {
        process.drain();
        self.done.set(self.done.get() + process.parts.max(1));
        if let Some((views, room)) = self.views.as_ref().zip(process.room.take()) {
            let kept = self.settings.keep_files.as_ref().map(|kept| kept.join(&process.name));
            let id = process.process.as_raw_nonzero().get().cast_unsigned();
            views.leave(room, id, process.is_quiet(), kept.as_deref());
        }
        let (mut value, mut place) = (None, String::new());
        for (kind, contents) in frames(&process.bytes) {
            match kind {
                // Counted when it was heard.
                Frame::Part => {}
                Frame::Value => value = postcard::from_bytes(contents).ok(),
                Frame::Exit => place = String::from_utf8_lossy(contents).into_owned(),
                Frame::Folder => {
                    let remark = String::from_utf8_lossy(contents).into_owned();
                    self.remarks.borrow_mut().insert(remark);
                }
            }
        }
        let status = process.status;
        let failure = || match status.and_then(WaitStatus::terminating_signal) {
            _ if process.stuck => Failure::Stuck,
            _ if process.asked.is_some() => Failure::Stopped,
            Some(signal) => Failure::Signal(signal),
            None => match status.and_then(WaitStatus::exit_status).unwrap_or(0) {
                // An exit of the program itself reports its position.
                OUT_OF_MEMORY if place.is_empty() => Failure::Refused("out of memory".into()),
                code => Failure::Exit(code, place),
            },
        };
        Done { result: value.ok_or_else(failure), output: process.tail.text() }
    }
}

/// Returns what the user should know about a view of the working folder.
fn remark(view: View) -> Option<&'static str> {
    match view {
        View::Overlay => None,
        View::Copy => Some(
            "each execution worked in a copy of the working folder: this system does not let \
             us put an overlay over it",
        ),
        View::Shared => Some(
            "the executions shared the working folder: this system allows no overlay, and the \
             folder is too large to copy",
        ),
    }
}

/// Waits until one of the descriptors is ready, or for a short time.
fn wait(live: &[Live], input: Option<&crate::input::Stream>, unsure: bool) -> Vec<Ready> {
    let mut polled: Vec<(Ready, BorrowedFd<'_>, PollFlags)> = Vec::new();
    for (at, process) in live.iter().enumerate() {
        let ends = [
            (Ready::Answer(at), &process.answer),
            (Ready::Output(at), &process.output),
            (Ready::End, &process.end),
        ];
        for (what, end) in ends {
            polled.extend(end.as_ref().map(|end| (what, end.as_fd(), PollFlags::IN)));
        }
        let pending =
            process.feed.as_ref().zip(input).and_then(|(feed, input)| feed.pending(input));
        if let Some(pipe) = pending {
            polled.push((Ready::Feed(at), pipe, PollFlags::OUT));
        }
    }
    if input.is_some_and(crate::input::Stream::is_awaited) {
        polled.push((Ready::Input, rustix::stdio::stdin(), PollFlags::IN));
    }
    let mut list: Vec<PollFd<'_>> = polled
        .iter()
        .map(|(_, descriptor, flags)| PollFd::from_borrowed_fd(*descriptor, *flags))
        .collect();
    let nap = if unsure { SHORT_NAP } else { NAP };
    let nap = Timespec { tv_sec: 0, tv_nsec: nap.as_nanos() as i64 };
    if poll(&mut list, Some(&nap)).is_err() {
        return Vec::new();
    }
    let ready = list.iter().zip(&polled).filter(|(entry, _)| !entry.revents().is_empty());
    ready.map(|(_, (what, ..))| *what).collect()
}
