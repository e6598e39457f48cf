//! The file of `--trace`.

use std::io::Write;

use flate2::{Compression, GzBuilder};
use mpi_api::trace::TraceSink;
use reports::render::perfetto::{self, Keeper, KeeperHandle, Kept, Selection};
use scenarios::{error::Error, options::simulated_time, scenario::Scenario};
use sim_core::SimTime;

use crate::{args::Options, output::Destination};

/// Beginning of every trace file.
const PLAIN: &[u8] = b"{\"displayTimeUnit\"";

/// Name in the header of compressed traces, by which they are recognised.
const NAME: &str = "windtunnel-trace.json";

/// Beginning of every compressed trace file (RFC 1952): a header with a name and no time.
const COMPRESSED: &[u8] = b"\x1f\x8b\x08\x08\0\0\0\0\0\xffwindtunnel-trace.json\0";

/// A trace file that is asked for.
pub(super) struct TraceFile {
    destination: Destination,
    is_compressed: bool,
    selection: Selection,
}

impl TraceFile {
    /// Claims the file of `--trace`, if it is given. It is compressed if its name ends in `.gz`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written, or is something else already.
    pub(super) fn claim(options: &Options) -> Result<Option<Self>, Error> {
        let Some(path) = &options.trace else { return Ok(None) };
        let destination = Destination::claim_of_kind(path, &[PLAIN, COMPRESSED])?;
        let is_compressed = path.ends_with(".gz");
        let ranks = options.trace_ranks.as_ref().map(|ranks| ranks.0.clone());
        let window = options.trace_window.map(|window| (window.from, window.to));
        Ok(Some(Self { destination, is_compressed, selection: Selection { window, ranks } }))
    }

    /// Returns the file.
    pub(super) fn destination(&self) -> &Destination {
        &self.destination
    }

    /// Returns a sink that keeps what the trace shows and passes every record on to `next`.
    pub(super) fn keeper(
        &self,
        next: Option<Box<dyn TraceSink>>,
    ) -> (Box<dyn TraceSink>, KeeperHandle) {
        let (keeper, handle) = Keeper::new(self.selection.clone(), next);
        (Box::new(keeper), handle)
    }

    /// Writes the file.
    ///
    /// # Errors
    /// Returns an error if that fails, for example because the disk is full.
    pub(super) fn write(self, scenario: &Scenario, ranks: u32, kept: &Kept) -> Result<(), Error> {
        let topology = Some(&*scenario.topology);
        self.destination.write_with(|mut out| {
            if !self.is_compressed {
                return perfetto::write(ranks, kept, topology, &mut out);
            }
            // The same bytes on every system.
            let header = GzBuilder::new().filename(NAME).operating_system(255);
            let mut packer = header.write(&mut out, Compression::default());
            perfetto::write(ranks, kept, topology, &mut packer)?;
            packer.finish()?.flush()
        })
    }
}

/// The time window of `--trace-window`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    from: SimTime,
    to: SimTime,
}

impl Window {
    /// Parses `FROM..TO`; a side that is left out is the beginning or the end of the run.
    ///
    /// # Errors
    /// Returns what is allowed.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        const FORM: &str = "a window is FROM..TO, such as 1ms..2.5ms, 500us.. or ..2s, not empty";
        let (from, to) = text.split_once("..").ok_or(FORM)?;
        let time = |text: &str, absent| match text {
            "" => Ok(absent),
            "0" => Ok(SimTime::ZERO),
            _ => simulated_time(text),
        };
        let (from, to) = (time(from, SimTime::ZERO)?, time(to, SimTime::MAX)?);
        if from < to { Ok(Self { from, to }) } else { Err(FORM.into()) }
    }
}

/// The ranks of `--trace-ranks`, as inclusive ranges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranks(Vec<(u32, u32)>);

impl Ranks {
    /// Parses ranks and ranges of ranks with commas between them, such as `0,4..7`.
    ///
    /// # Errors
    /// Returns what is allowed.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let one = |text: &str| {
            let (first, last) = text.split_once("..").unwrap_or((text, text));
            let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
            Some((first, last)).filter(|(first, last)| first <= last)
        };
        let all: Option<Vec<_>> = text.split(',').map(one).collect();
        all.map(Self).ok_or_else(|| "ranks are numbers and ranges, such as 0,4..7,32".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_have_units() {
        let window = |from, to| Ok(Window { from, to });
        let at = SimTime::from_ps;
        assert_eq!(Window::parse("1us..2ms"), window(at(1_000_000), at(2_000_000_000)));
        assert_eq!(Window::parse("0..1ns"), window(at(0), at(1000)));
        assert_eq!(Window::parse("1ns.."), window(at(1000), SimTime::MAX));
        assert_eq!(Window::parse(".."), window(at(0), SimTime::MAX));
        for wrong in ["", "1us", "1us-2us", "2us..1us", "1..2", "-1us..1us", "0..0"] {
            assert!(Window::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn ranks_are_numbers_and_ranges() {
        assert_eq!(Ranks::parse("0, 4..7"), Ok(Ranks(vec![(0, 0), (4, 7)])));
        for wrong in ["", "a", "3..1", "-1", "1,", "1..", "0-3"] {
            assert!(Ranks::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn compressed_traces_begin_as_announced() {
        let header = GzBuilder::new().filename(NAME).operating_system(255);
        let mut packer = header.write(Vec::new(), Compression::default());
        packer.write_all(b"{}").expect("memory takes all");
        assert!(packer.finish().expect("memory takes all").starts_with(COMPRESSED));
    }
}
