//! Programs as lists of their calls: recordings of runs, and the traces of other simulators.
//!
//! A [`Recorder`] observes a run and makes a [`Recording`]: the calls of every rank without their
//! data, the time computed between them, and what the control flow of the program saw (which
//! request completed, which message a wildcard received). A recording is a program: [`Recorded`]
//! runs it on any machine, without stacks and without data.
//!
//! On the machine of the recording a replay has the times of the recorded run. On another one every
//! rank makes the same calls in the same order: a wildcard receives from the recorded source, and
//! a wait ends with the recorded request.

mod file;
pub mod goal;
mod program;
mod recorder;
mod recording;
mod rename;
mod script;
mod step;
mod strip;
#[cfg(test)]
mod tests;
pub mod time_independent;
mod trace;

pub use self::{
    file::{FileError, MAGIC},
    program::Recorded,
    recorder::Recorder,
    recording::{Origin, Recording},
    trace::{Kind, OpenError, Trace, kind_of, open},
};
