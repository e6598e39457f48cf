//! The gain from reordering the ranks of a communicator.

use mpi_api::outcome::Reordering;

use crate::format::{count, counted, signed, whole_percent};

/// The gain of one communicator, as text for display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gain {
    /// Topology of the communicator and its number of ranks.
    pub what: String,
    /// Method that found the numbering.
    pub method: &'static str,
    /// Weighted hops summed over all edges, before and after.
    pub hops: String,
    /// Weight on the most loaded link, before and after; `None` without links.
    pub load: Option<String>,
    /// Hops of the longest edge, before and after.
    pub longest: String,
    /// Call site in the program, if known.
    pub site: Option<String>,
}

impl Gain {
    /// Describes one reordering.
    pub fn of(reordering: &Reordering) -> Self {
        let Reordering { before, after, .. } = reordering;
        let ranks = counted(reordering.ranks.into(), "rank");
        let load = before.load.zip(after.load);
        Self {
            what: format!("{}, {ranks}", reordering.topology),
            method: reordering.method.name(),
            hops: change(before.hops, after.hops),
            load: load.map(|(before, after)| change(before, after)),
            longest: change(before.longest.into(), after.longest.into()),
            site: reordering.site.known().map(|site| format!("{}:{}", site.file, site.line)),
        }
    }
}

fn change(before: u64, after: u64) -> String {
    if before == after {
        return count(before);
    }
    let percent = (after as f64 - before as f64) * 100.0 / before as f64;
    format!("{} -> {} ({})", count(before), count(after), signed(percent, whole_percent))
}
