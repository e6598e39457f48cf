//! `butterfly`: the k-ary n-fly (Dally and Towles, chapter 4).

use super::{
    BadSizes, Plan, Sizes, TopologyDescription, TopologyKind,
    stages::{self, Wiring},
};

/// The topology `butterfly`: the k-ary n-fly.
#[derive(Debug)]
pub(super) struct Butterfly;

impl TopologyKind for Butterfly {
    fn description(&self) -> TopologyDescription {
        TopologyDescription {
            name: "butterfly",
            syntax: "butterfly[:ARITY[xSTAGES]]",
            sizes: "ARITYxSTAGES, arity at least 2",
            summary: "k-ary n-fly, stages of switches with one route for each pair; cables carry one \
                      direction",
        }
    }

    fn plan(&self, sizes: Sizes, needed: u32) -> Result<Plan, BadSizes> {
        stages::plan(sizes, needed, Wiring::Butterfly)
    }
}
