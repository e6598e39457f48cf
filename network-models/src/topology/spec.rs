//! Topologies as users write them: `mesh:8x8`, `hypercube`.

use std::{str::FromStr, sync::Arc};

use super::{
    GraphFile, GraphFileError, NODES_MAX, Plan, PlaneSet, PlanesKind, Sizes, Topology,
    TopologyKind, kind::CABLES_MAX,
};
use crate::catalog::Catalog;

/// A topology as the user writes it; sizes may be left out.
#[derive(Clone, Debug)]
pub struct TopologySpec {
    kind: Arc<dyn TopologyKind>,
    sizes: Option<String>,
}

/// Why a topology cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TopologyError {
    /// No topology has this name.
    #[error("no topology is called `{name}`; there are {allowed}", allowed = allowed.join(", "))]
    Unknown {
        /// The name as written.
        name: String,
        /// The names that exist.
        allowed: Vec<&'static str>,
    },
    /// The sizes are not of the topology's form.
    #[error("the size `{size}` of topology `{name}` is not of the form {form}")]
    Size {
        /// Name of the topology.
        name: &'static str,
        /// The sizes as written.
        size: String,
        /// The form they must have.
        form: &'static str,
    },
    /// The topology has more nodes than can be simulated.
    #[error("topology `{0}` has more than {NODES_MAX} nodes")]
    TooLarge(String),
    /// The topology has more cables than can be simulated.
    #[error("topology `{0}` has more than {CABLES_MAX} cables")]
    TooDense(String),
    /// The topology has fewer nodes than are needed.
    #[error(
        "topology `{name}` has {nodes} nodes{origin} and {needed} are needed; take a larger one or \
         put several ranks on a node with --ranks-per-node"
    )]
    TooSmall {
        /// Name and sizes of the topology.
        name: String,
        /// Number of nodes of the topology.
        nodes: u32,
        /// Number of nodes needed.
        needed: u32,
        /// Which vertices are nodes, in brackets, if that is a question.
        origin: &'static str,
    },
    /// The shape does not have the nodes that its kind has planned.
    #[error("topology `{name}` plans {planned} nodes, and its shape has {nodes}: a fault of it")]
    Inconsistent {
        /// Name and sizes of the topology.
        name: String,
        /// The nodes of the plan.
        planned: u32,
        /// The nodes of the shape.
        nodes: u32,
    },
    /// The file of a graph is malformed.
    #[error(transparent)]
    GraphFile(#[from] GraphFileError),
}

impl TopologySpec {
    /// Creates the topology `kind` with these sizes.
    ///
    /// # Errors
    /// Returns [`TopologyError::Size`] if the sizes are malformed.
    pub fn new(kind: Arc<dyn TopologyKind>, sizes: Option<&str>) -> Result<Self, TopologyError> {
        let spec = Self { kind, sizes: sizes.map(str::to_owned) };
        spec.plan(1)?;
        Ok(spec)
    }

    /// Builds the topology with at least `needed` nodes; a size left out is the smallest that is
    /// enough.
    ///
    /// # Errors
    /// Returns an error if the topology is too small for `needed` or too large to simulate.
    pub fn build(&self, needed: u32) -> Result<Topology, TopologyError> {
        let needed = needed.max(1);
        let plan = self.plan(needed)?;
        let name = format!("{}:{}", self.kind.description().name, plan.sizes);
        if plan.nodes > u64::from(NODES_MAX) {
            return Err(TopologyError::TooLarge(name));
        }
        if plan.cables > CABLES_MAX {
            return Err(TopologyError::TooDense(name));
        }
        if plan.nodes < u64::from(needed) {
            let (nodes, origin) = (plan.nodes as u32, plan.origin);
            return Err(TopologyError::TooSmall { name, nodes, needed, origin });
        }
        let shape = (plan.build)();
        if u64::from(shape.nodes()) != plan.nodes {
            let (planned, nodes) = (plan.nodes as u32, shape.nodes());
            return Err(TopologyError::Inconsistent { name, planned, nodes });
        }
        Ok(Topology::new(self.kind.description().name, &plan.sizes, shape))
    }

    /// Returns whether a size was left out, so that more nodes make the topology larger.
    pub fn grows(&self) -> bool {
        let nodes = |needed: u64| {
            let needed = u32::try_from(needed).ok()?;
            self.plan(needed).ok().map(|plan| plan.nodes)
        };
        nodes(1).is_some_and(|least| nodes(least + 1).is_some_and(|nodes| nodes > least))
    }

    fn plan(&self, needed: u32) -> Result<Plan, TopologyError> {
        self.kind.plan(Sizes(self.sizes.as_deref()), needed).map_err(|_| {
            let description = self.kind.description();
            let size = self.sizes.clone().unwrap_or_default();
            TopologyError::Size { name: description.name, size, form: description.sizes }
        })
    }
}

impl TopologySpec {
    /// Returns the topology of several of this one side by side.
    #[must_use]
    pub fn in_planes(self, planes: PlaneSet) -> Self {
        Self { kind: Arc::new(PlanesKind::new(planes, self.kind)), sizes: self.sizes }
    }
}

impl From<GraphFile> for TopologySpec {
    fn from(file: GraphFile) -> Self {
        Self { kind: Arc::new(file), sizes: None }
    }
}

impl FromStr for TopologySpec {
    type Err = TopologyError;

    /// Parses a built-in topology, see [`Catalog::standard`].
    fn from_str(text: &str) -> Result<Self, TopologyError> {
        Catalog::standard().topology(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topologies_grow_if_a_size_was_left_out() {
        for kind in crate::topology::standard() {
            let spec = TopologySpec::new(kind, None).expect("sizes may be left out");
            assert!(spec.grows(), "{spec:?}");
        }
        for (text, grows) in [
            ("torus:08x8", false),
            ("fat-tree:4,4:1,1", false),
            ("fat-tree:4", true),
            ("dragonfly:2x4x2", true),
            ("dragonfly:2x4x2x9:relative", false),
            ("slim-fly:5x4", false),
            ("planes:2*torus", true),
            ("planes:2*torus:4x4", false),
        ] {
            let spec = crate::Catalog::standard().topology(text).expect("a topology");
            assert_eq!(spec.grows(), grows, "{text}");
        }
    }

    #[test]
    fn sizes_left_out_are_the_smallest_that_hold() {
        let name = |text: &str, ranks| {
            let spec: TopologySpec = text.parse().expect("a topology");
            spec.build(ranks).map(|topology| topology.name().to_string())
        };
        assert_eq!(name("mesh", 64).as_deref(), Ok("mesh:8x8"));
        assert_eq!(name("torus", 12).as_deref(), Ok("torus:3x4"));
        assert_eq!(name("hypercube", 9).as_deref(), Ok("hypercube:4"));
        assert_eq!(name("ring", 7).as_deref(), Ok("ring:7"));
        assert_eq!(name("tree", 8).as_deref(), Ok("tree:2x4"));
        assert_eq!(name("fat-tree:4", 20).as_deref(), Ok("fat-tree:4x3"));
        assert_eq!(name("fat-tree:4:2", 16).as_deref(), Ok("fat-tree:4x2:2"));
        assert!(matches!(
            name("mesh:3x3", 10),
            Err(TopologyError::TooSmall { nodes: 9, needed: 10, .. })
        ));
        let large = "mesh:4294967295x4294967295x4294967295";
        assert_eq!(name(large, 1), Err(TopologyError::TooLarge(large.into())));
        assert!(matches!(name("tree:4294967295x22", 1), Err(TopologyError::TooLarge(_))));
    }

    #[test]
    fn bad_topologies_are_refused() {
        for text in [
            "donut",
            "mesh:0x3",
            "mesh:axb",
            "ring:-1",
            "hypercube:99",
            "tree:1x3",
            "tree:2x23",
            "tree:2x3x4",
            "fat-tree:4:3",
            "fat-tree:1",
            "fat-tree:4x0",
            "fat-tree:4x2:0",
            "fat-tree:4x2:",
            "fat-tree:4x99",
        ] {
            assert!(text.parse::<TopologySpec>().is_err(), "{text}");
        }
    }
}
