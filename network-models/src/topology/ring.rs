//! `ring` and `linear`: grids of one dimension.

use super::{BadSizes, Plan, Sizes, TopologyDescription, TopologyKind, grid::Grid};

/// The topology `ring`: every node has two neighbours.
#[derive(Debug)]
pub(super) struct Ring;

/// The topology `linear`: a ring that is cut open.
#[derive(Debug)]
pub(super) struct Linear;

impl TopologyKind for Ring {
    fn description(&self) -> TopologyDescription {
        TopologyDescription {
            name: "ring",
            syntax: "ring[:NODES]",
            sizes: "NODES",
            summary: "each node has two neighbours; the shorter way round, 2 virtual channels",
        }
    }

    fn plan(&self, sizes: Sizes, needed: u32) -> Result<Plan, BadSizes> {
        plan(sizes, needed, true)
    }
}

impl TopologyKind for Linear {
    fn description(&self) -> TopologyDescription {
        TopologyDescription {
            name: "linear",
            syntax: "linear[:NODES]",
            sizes: "NODES",
            summary: "a ring that is cut open",
        }
    }

    fn plan(&self, sizes: Sizes, needed: u32) -> Result<Plan, BadSizes> {
        plan(sizes, needed, false)
    }
}

fn plan(sizes: Sizes, needed: u32, closed: bool) -> Result<Plan, BadSizes> {
    let nodes = sizes.one()?.unwrap_or(needed);
    Ok(Plan::new(nodes, nodes.into(), move || Grid { dims: vec![nodes], closed }))
}

#[cfg(test)]
mod tests {
    use crate::topology::testing::{along, around, check, different, verify};

    #[test]
    fn closed_forms() {
        for p in [3u32, 4, 7, 8, 33, 64] {
            check(&format!("ring:{p}"), p.into(), 2, p / 2, different(around(p), p), 2);
            let degree = if p > 2 { 2 } else { 1 };
            let links = u64::from(p) - 1;
            check(&format!("linear:{p}"), links, degree, p - 1, different(along(p), p), 1);
        }
        check("ring:1", 0, 0, 0, 0.0, 0);
        check("ring:2", 1, 1, 1, 1.0, 1);
    }

    #[test]
    fn routes() {
        verify(&["ring:1", "ring:2", "ring:7", "ring:8", "linear:1", "linear:5"]);
    }
}
