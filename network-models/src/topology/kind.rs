//! [`TopologyKind`]: a topology by name, whose sizes become a [`Shape`].

use std::{fmt::Debug, sync::Arc};

use super::Shape;

/// Largest number of nodes of a topology.
pub const NODES_MAX: u32 = 1 << 22;

/// Largest number of cables of a topology that tells it ahead.
pub(super) const CABLES_MAX: u64 = 1 << 24;

/// A topology as users name it; its sizes become a [`Shape`].
pub trait TopologyKind: Debug + Send + Sync {
    /// Returns name, syntax and summary.
    fn description(&self) -> TopologyDescription;

    /// Plans the topology with the given sizes. Sizes that are left out are the smallest with room
    /// for `needed` nodes, which is at least 1.
    ///
    /// # Errors
    /// Returns an error if the sizes are not of the form of [`TopologyDescription::sizes`].
    fn plan(&self, sizes: Sizes, needed: u32) -> Result<Plan, BadSizes>;
}

/// Name, syntax and summary of a topology.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TopologyDescription {
    /// The word before the colon, as in `mesh:8x8`.
    pub name: &'static str,
    /// The syntax, as in `mesh[:AxBx..]`.
    pub syntax: &'static str,
    /// The form of the sizes and their limits, for error messages, as in `AxBx..`.
    pub sizes: &'static str,
    /// One line about graph and routing.
    pub summary: &'static str,
}

/// A topology whose sizes are settled but whose tables are not built.
pub struct Plan {
    /// The sizes in full, as in `8x8`.
    pub(super) sizes: String,
    pub(super) nodes: u64,
    /// About how many cables there are, if nodes can have very many.
    pub(super) cables: u64,
    /// Which vertices are nodes, in brackets, if that is a question.
    pub(super) origin: &'static str,
    pub(super) build: Box<dyn FnOnce() -> Arc<dyn Shape>>,
}

impl Plan {
    /// Creates a plan from the sizes as the topology's name shows them, the number of nodes, and
    /// the function that builds the shape. The function is not called for more than [`NODES_MAX`]
    /// nodes, so that it need not guard against overflow.
    pub fn new<S: Shape + 'static>(
        sizes: impl ToString,
        nodes: u64,
        build: impl FnOnce() -> S + 'static,
    ) -> Self {
        Self {
            sizes: sizes.to_string(),
            nodes,
            cables: 0,
            origin: "",
            build: Box::new(|| Arc::new(build())),
        }
    }

    /// Declares about how many cables there are, so that a graph too large for the memory is
    /// refused before it is built. Useful if vertices can have very many neighbours.
    #[must_use]
    pub fn with_cables(self, cables: u64) -> Self {
        Self { cables, ..self }
    }
}

impl Plan {
    /// Says which vertices are nodes, for the message that there are too few.
    pub(super) fn with_origin(self, origin: &'static str) -> Self {
        Self { origin, ..self }
    }
}

/// The sizes of a topology are not of its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadSizes;

/// The sizes of a topology as written: what follows the colon, if there is one.
#[derive(Clone, Copy, Debug)]
pub struct Sizes<'a>(pub Option<&'a str>);

impl Sizes<'_> {
    /// Reads one positive number; `None` if it is left out.
    ///
    /// # Errors
    /// Returns an error if it is anything else.
    pub fn one(self) -> Result<Option<u32>, BadSizes> {
        self.0.map(positive).transpose()
    }

    /// Reads positive numbers separated by `x`; none if they are left out.
    ///
    /// # Errors
    /// Returns an error if they are anything else.
    pub fn many(self) -> Result<Vec<u32>, BadSizes> {
        self.0.map_or(Ok(Vec::new()), |text| text.split('x').map(positive).collect())
    }

    /// Reads positive numbers separated by `x` or commas; none if they are left out.
    pub(super) fn listed(self) -> Result<Vec<u32>, BadSizes> {
        self.0.map_or(Ok(Vec::new()), |text| text.split(['x', ',']).map(positive).collect())
    }
}

fn positive(text: &str) -> Result<u32, BadSizes> {
    text.parse().ok().filter(|number| *number > 0).ok_or(BadSizes)
}

/// Returns a power, or the largest number if it does not fit.
pub(super) fn power(base: u32, exponent: u32) -> u64 {
    u64::from(base).saturating_pow(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_positive_numbers() {
        assert_eq!(Sizes(None).one(), Ok(None));
        assert_eq!(Sizes(Some("12")).one(), Ok(Some(12)));
        assert_eq!(Sizes(Some("3x4x5")).many(), Ok(vec![3, 4, 5]));
        for text in ["", "0", "-1", "x", "3x", "3x0", "4294967296"] {
            assert_eq!(Sizes(Some(text)).one(), Err(BadSizes), "{text}");
            assert_eq!(Sizes(Some(text)).many(), Err(BadSizes), "{text}");
        }
    }
}
