//! The file of `--trace`.

use std::io::Write;

use flate2::{Compression, GzBuilder};
use mpi_api::trace::TraceSink;
use reports::render::perfetto::{self, Keeper, KeeperHandle, Kept, Selection};
use scenarios::{error::Error, scenario::Scenario};

use crate::{args::Options, output::Destination, spans::Window};

/// Beginning of every trace file.
const PLAIN: &[u8] = b"{\"displayTimeUnit\"";

/// Name in the header of compressed traces, by which they are recognised.
const NAME: &str = "windtunnel-trace.json";

/// Beginning of every compressed trace file (RFC 1952): a header with a name and no time.
const COMPRESSED: &[u8] = b"\x1f\x8b\x08\x08\0\0\0\0\x04\xffwindtunnel-trace.json\0";

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
        let ranks = options.trace_ranks.as_ref().map(|ranks| ranks.ranges().to_vec());
        let window = options.trace_window.map(Window::ends);
        Ok(Some(Self { destination, is_compressed, selection: Selection { window, ranks } }))
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
        if let Some(note) = self.selection.ranks.as_ref().and_then(|wanted| missing(wanted, ranks))
        {
            eprintln!("{note}");
        }
        let topology = Some(&*scenario.topology);
        self.destination.write_with(|mut out| {
            if !self.is_compressed {
                return perfetto::write(ranks, kept, topology, &mut out);
            }
            // The same bytes on every system.
            let header = GzBuilder::new().filename(NAME).operating_system(255);
            let mut packer = header.write(&mut out, Compression::fast());
            perfetto::write(ranks, kept, topology, &mut packer)?;
            packer.finish()?.flush()
        })
    }
}

/// Returns a note about ranks, the first and the last of each range, that a run does not have. How many it has is known when it
/// has ended, since programs may start ranks.
fn missing(wanted: &[(u32, u32)], ranks: u32) -> Option<String> {
    let last = ranks.saturating_sub(1);
    if !wanted.iter().any(|(first, _)| *first < ranks) {
        return Some(format!(
            "note: the trace is empty: --trace-ranks names no rank of the run, which has 0 to {last}"
        ));
    }
    let (_, beyond) = wanted.iter().find(|(_, end)| *end >= ranks)?;
    Some(format!("note: --trace-ranks names rank {beyond}, but the run has 0 to {last}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_traces_begin_as_announced() {
        let header = GzBuilder::new().filename(NAME).operating_system(255);
        let mut packer = header.write(Vec::new(), Compression::fast());
        packer.write_all(b"{}").expect("memory takes all");
        assert!(packer.finish().expect("memory takes all").starts_with(COMPRESSED));
    }
}
