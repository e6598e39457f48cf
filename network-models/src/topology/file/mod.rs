//! `file`: any graph of nodes and switches, read from a file.
//!
//! The format is recognised by its content: an edge list, the output of `ibnetdiscover`, GraphML or
//! DOT. Each is read into a [`Draft`](draft::Draft), which decides which vertices are nodes.

mod attribute;
mod dot;
mod draft;
mod edge_list;
mod graphml;
mod ibnetdiscover;
mod quantity;
mod routes;

use std::sync::Arc;

pub(super) use self::quantity::latency;
use self::{draft::Cabling, routes::Cabled};
use super::{BadSizes, PLANES, Plan, PlaneSet, Sizes, TopologyDescription, TopologyKind};

/// A topology that is read from a file.
#[derive(Clone, Debug)]
pub struct GraphFile {
    name: String,
    cabling: Arc<Cabling>,
}

/// Why a text does not describe a network.
///
/// Display: the line, if one is wrong, what is wrong and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{reason}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct GraphFileError {
    line: Option<usize>,
    reason: String,
}

impl GraphFileError {
    fn at(line: usize, reason: impl Into<String>) -> Self {
        Self { line: Some(line), reason: reason.into() }
    }

    fn of_file(reason: impl Into<String>) -> Self {
        Self { line: None, reason: reason.into() }
    }

    /// Returns the number of the line that is wrong, from 1, if it is one line.
    pub fn line(&self) -> Option<usize> {
        self.line
    }
}

impl GraphFile {
    /// Reads a graph. `name` is what the topology is called after `file:`, such as the file's path.
    ///
    /// # Errors
    /// Returns an error if the text is malformed, or if the graph has no nodes, is too large or is
    /// not connected.
    pub fn parse(text: &str, name: &str) -> Result<Self, GraphFileError> {
        let draft = if text.trim_start().starts_with('<') {
            graphml::read(text)?
        } else if dot::is_dot(text) {
            dot::read(text)?
        } else if ibnetdiscover::is_discovery(text) {
            ibnetdiscover::read(text)?
        } else {
            edge_list::read(text)?
        };
        Ok(Self { name: name.to_owned(), cabling: Arc::new(draft.finish()?) })
    }
}

impl GraphFile {
    /// Divides the text of a topology that is read from a file, `file:PATH` or `planes:2*file:PATH`, into planes
    /// and path; `None` if it is another topology. The path is empty if it is left out.
    pub fn named_in(text: &str) -> Option<(Option<PlaneSet>, &str)> {
        let of_planes = text.strip_prefix(PLANES.name).and_then(|rest| rest.strip_prefix(':'));
        let (planes, inner) = match of_planes.and_then(PlaneSet::split) {
            Some((planes, inner)) => (Some(planes), inner),
            None => (None, text),
        };
        let (name, path) = inner.split_once(':').unwrap_or((inner, ""));
        (name == FILE.name).then_some((planes, path))
    }
}

impl TopologyKind for GraphFile {
    fn description(&self) -> TopologyDescription {
        FILE
    }

    fn plan(&self, _: Sizes, _: u32) -> Result<Plan, BadSizes> {
        let cabling = Arc::clone(&self.cabling);
        let plan = Plan::new(&self.name, cabling.nodes.into(), move || Cabled::new(&cabling));
        Ok(plan.with_origin(self.cabling.origin))
    }
}

/// Name, syntax and summary of the topologies that are read from files.
pub(crate) const FILE: TopologyDescription = TopologyDescription {
    name: "file",
    syntax: "file:PATH",
    sizes: "PATH",
    summary: "the graph in an edge list, GraphML, DOT or the output of ibnetdiscover; all shortest \
              routes, by a hash of source and target; 1 virtual channel, or one for each hop where \
              its routes have a cycle of dependencies",
};

#[cfg(test)]
mod tests;
