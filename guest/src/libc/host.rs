//! The services that a program's C library gets from the simulator.

use std::time::Duration;

use sim_core::Site;

use super::ending::Ending;
use crate::site::position::Site as Position;

/// The services that a program's C library gets from the simulator. Called on the stack of the
/// rank.
pub trait Host {
    /// Returns the simulated time since the program began; `None` leaves the program the host's
    /// clocks.
    fn now(&self, rank: u32) -> Option<Duration>;
    /// Lets simulated time pass; suspends the rank through [`suspend`](super::suspend()).
    fn sleep(&self, rank: u32, time: Duration);
    /// Reports whether programs are measured: the time that a rank computes is known at its next call.
    fn measures(&self, rank: u32) -> bool {
        let _ = rank;
        false
    }
    /// Returns the simulated time since the program began, without letting other ranks run.
    fn clock(&self, rank: u32) -> Duration {
        self.now(rank).unwrap_or_default()
    }
    /// Sets whether timers of the rank run: then `attend` must be called when a call ends.
    fn attend(&self, rank: u32, attends: bool) {
        let _ = (rank, attends);
    }
    /// Returns the seed of the random numbers that programs request from the system.
    fn seed(&self) -> u64 {
        0
    }
    /// Returns the number of the node that the rank is on.
    fn node(&self, rank: u32) -> u32 {
        let _ = rank;
        0
    }
    /// Returns the number of processors that the rank may use; `None` if the machine does not say.
    fn processors(&self, rank: u32) -> Option<u32> {
        let _ = rank;
        None
    }
    /// Reports whether the rank's OpenMP tasks and sections that can begin do so in reverse order.
    fn reverses_tasks(&self, rank: u32) -> bool {
        let _ = rank;
        false
    }
    /// Reports whether reading and writing files takes simulated time: then [`Host::use_file`] is told of it.
    fn models_files(&self, rank: u32) -> bool {
        let _ = rank;
        false
    }
    /// Lets the simulated time pass that something with a file takes, in a call at `site`. Returns the number of the file
    /// for [`FileUse::Number`].
    fn use_file(&self, rank: u32, site: Site, what: FileUse<'_>) -> Option<u32> {
        let _ = (rank, site, what);
        None
    }
    /// Reports whether an unfinished line is written when the program flushes its stream.
    fn flushes(&self) -> bool {
        true
    }
    /// Writes output: whole lines, except where the program flushes an unfinished one or ends without a
    /// newline.
    fn write(&self, rank: u32, stream: Stream, lines: &[u8]);
    /// Starts another thread of the rank, which runs `body`, and returns its number, from 1 in
    /// order. Returns `None` if no thread can be started.
    fn spawn(&self, rank: u32, body: Box<dyn FnOnce()>) -> Option<u32> {
        let _ = (rank, body);
        None
    }
    /// Suspends the calling thread until another one unparks it. Returns false if its time limit
    /// passed first.
    fn park(&self, rank: u32, wait: Wait) -> bool;
    /// Wakes those of `threads` that are parked, all of the rank; the threads in `left` now wait
    /// for the first of them.
    fn unpark(&self, rank: u32, threads: Vec<u32>, left: Vec<u32>) {
        let _ = (rank, threads, left);
    }
    /// Lets the other threads of the rank run before the calling one continues, in a call at `site`.
    fn give_way(&self, rank: u32, site: Site) {
        let _ = (rank, site);
    }
    /// Lets time pass because the calling thread, at `site`, is in a loop that calls nothing and ends only when somebody
    /// else changes memory that it reads. A loop is `fresh` where the thread has run on since the last call of this
    /// function. Returns false if no time can pass here.
    fn spin(&self, rank: u32, site: Site, fresh: bool) -> bool {
        let _ = (rank, site, fresh);
        false
    }
    /// Tells what the calling thread has done to memory that is watched, before it ends.
    fn thread_ends(&self, rank: u32) {
        let _ = rank;
    }
    /// Records that the program has ended in the calling thread: no other thread of the rank may
    /// continue.
    fn desert(&self, rank: u32) {
        let _ = rank;
    }
    /// Tells that the program of the rank frees a block at `site` that it has to return otherwise
    /// ([`memory::give`](crate::memory::give)).
    fn frees_given(&self, rank: u32, site: Site, start: usize) {
        let _ = (rank, site, start);
    }
    /// Reports whether the program of the rank must not end yet, with whatever code.
    fn is_unfinished(&self, rank: u32) -> bool {
        let _ = rank;
        false
    }
    /// Records the place where the program of the rank calls `exit` or a similar function with an
    /// error code, or too early.
    fn leaves(&self, rank: u32, place: Position) {
        let _ = (rank, place);
    }
    /// Records the place where the `main` of the rank's program begins, which has returned an error code.
    fn returns(&self, rank: u32, main: Position) {
        let _ = (rank, main);
    }
    /// Records how the program of the rank has ended, in a thread other than the main one.
    fn ended(&self, rank: u32, ending: Ending) {
        let _ = (rank, ending);
    }
}

/// The reason for which a thread waits for others of its rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Name of the function that waits.
    pub call: &'static str,
    /// Place of the call.
    pub site: Site,
    /// The only thread that can wake it, if there is just one.
    pub holder: Option<u32>,
    /// Longest time to wait; `None` is no limit.
    pub within: Option<Duration>,
    /// Whether the thread has no work, so that its wait explains no deadlock.
    pub idle: bool,
}

/// What a program does with a regular file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileUse<'a> {
    /// It asks for the number of the file with this absolute name, which takes no time.
    Number(&'a str),
    /// It opens a file.
    Open,
    /// It closes the file of this number, which is stored then.
    Close(u32),
    /// It sets the size of a file.
    Resize,
    /// It reads or writes consecutive bytes.
    Access {
        /// The number of the file.
        file: u32,
        /// Whether it writes.
        writes: bool,
        /// Where the bytes begin.
        at: u64,
        /// Their number.
        bytes: u64,
    },
    /// It waits until the file of this number is stored.
    Sync(u32),
}

/// The destination of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Output,
    /// Standard error.
    Error,
}
