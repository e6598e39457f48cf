//! `omega`: stages of switches with a perfect shuffle before each (Lawrie, "Access and alignment of
//! data in an array processor", 1975).

use super::{
    BadSizes, Plan, Sizes, TopologyDescription, TopologyKind,
    stages::{self, Wiring},
};

/// The topology `omega`: a multistage network of perfect shuffles.
#[derive(Debug)]
pub(super) struct Omega;

impl TopologyKind for Omega {
    fn description(&self) -> TopologyDescription {
        TopologyDescription {
            name: "omega",
            syntax: "omega[:ARITY[xSTAGES]]",
            sizes: "ARITYxSTAGES, arity at least 2",
            summary: "stages of switches, each behind a perfect shuffle, one route for each pair; cables \
                      carry one direction",
        }
    }

    fn plan(&self, sizes: Sizes, needed: u32) -> Result<Plan, BadSizes> {
        stages::plan(sizes, needed, Wiring::Shuffle)
    }
}
