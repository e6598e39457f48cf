//! GraphML (Brandes et al. 2002), of which nodes, edges and their data are read.
//!
//! Data are recognised by the name of their key: `kind` of a node, `bandwidth`, `latency` and
//! `cables` of an edge. Others are ignored unless they are misspelt ones of these.

use std::collections::BTreeMap;

use roxmltree::{Document, Node};

use super::{
    GraphFileError,
    attribute::{self, Place},
    draft::{Cable, Draft, Role, Undeclared},
    quantity,
};

/// Reads a GraphML document.
pub(super) fn read(text: &str) -> Result<Draft, GraphFileError> {
    let document = Document::parse(text).map_err(|error| {
        GraphFileError::at(error.pos().row as usize, format!("the XML is malformed: {error}"))
    })?;
    let reader = Reader { lines: Lines::of(text), keys: keys(&document) };
    if !document.root_element().has_tag_name_of("graphml") {
        let reason = "an XML file of a topology must be GraphML, whose first element is `graphml`";
        return Err(GraphFileError::at(1, reason));
    }
    for key in document.descendants().filter(|node| node.has_tag_name_of("key")) {
        reader.check_key(key)?;
    }
    let mut draft = Draft::new(Undeclared::ByDegree);
    for element in document.descendants().filter(|node| node.has_tag_name_of("node")) {
        reader.vertex(element, &mut draft)?;
    }
    for element in document.descendants().filter(Node::is_element) {
        match element.tag_name().name() {
            "edge" => reader.edge(element, &mut draft)?,
            "hyperedge" => {
                let reason = "a hyperedge is not a cable; expected edges between two nodes";
                return Err(reader.error(element, reason));
            }
            _ => {}
        }
    }
    Ok(draft)
}

/// The name of an element without its namespace, which not all writers give.
trait Named {
    fn has_tag_name_of(&self, name: &str) -> bool;
}

impl Named for Node<'_, '_> {
    fn has_tag_name_of(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}

/// A key of a document.
struct Key<'a> {
    name: &'a str,
    default: Option<&'a str>,
}

/// Returns the keys by their identifiers.
fn keys<'a>(document: &'a Document) -> BTreeMap<&'a str, Key<'a>> {
    let keys = document.descendants().filter(|node| node.has_tag_name_of("key"));
    let key = |node: Node<'a, '_>| {
        let id = node.attribute("id")?;
        let default = node.children().find(|child| child.has_tag_name_of("default"));
        let default = default.and_then(|node| node.text()).map(str::trim);
        Some((id, Key { name: node.attribute("attr.name").unwrap_or(id), default }))
    };
    keys.filter_map(key).collect()
}

/// Where the lines of a text begin.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        Self(text.match_indices('\n').map(|(place, _)| place).collect())
    }

    fn line(&self, place: usize) -> usize {
        self.0.partition_point(|end| *end < place) + 1
    }
}

struct Reader<'a> {
    lines: Lines,
    keys: BTreeMap<&'a str, Key<'a>>,
}

impl Reader<'_> {
    fn line(&self, node: Node) -> usize {
        self.lines.line(node.range().start)
    }

    fn error(&self, node: Node, reason: impl Into<String>) -> GraphFileError {
        GraphFileError::at(self.line(node), reason)
    }

    /// Returns the value of the data of an element whose key has a name, or the key's default.
    fn data<'n>(&'n self, element: Node<'n, '_>, name: &str) -> Option<&'n str> {
        let own = element.children().filter(|child| child.has_tag_name_of("data")).find(|data| {
            let id = data.attribute("key").unwrap_or_default();
            self.keys.get(id).map_or(id, |key| key.name) == name
        });
        let default = || self.keys.values().find(|key| key.name == name)?.default;
        own.and_then(|data| data.text()).map(str::trim).or_else(default)
    }

    /// Refuses a key whose name was probably meant to be one that is read.
    fn check_key(&self, key: Node) -> Result<(), GraphFileError> {
        let place = match key.attribute("for") {
            Some("node") => Place::Vertex,
            Some("edge") => Place::Cable,
            _ => return Ok(()),
        };
        let name = key.attribute("attr.name").or(key.attribute("id")).unwrap_or_default();
        attribute::check(name, place).map_err(|reason| self.error(key, reason))
    }

    fn attribute<'n>(&self, element: Node<'n, '_>, name: &str) -> Result<&'n str, GraphFileError> {
        element.attribute(name).filter(|value| !value.trim().is_empty()).ok_or_else(|| {
            let kind = element.tag_name().name();
            self.error(element, format!("the {kind} has no attribute `{name}`"))
        })
    }

    fn vertex(&self, element: Node, draft: &mut Draft) -> Result<(), GraphFileError> {
        let line = self.line(element);
        let vertex = draft.vertex(line, self.attribute(element, "id")?)?;
        match self.data(element, "kind") {
            Some(kind) => draft.declare(line, vertex, role(line, kind)?),
            None => Ok(()),
        }
    }

    fn edge(&self, element: Node, draft: &mut Draft) -> Result<(), GraphFileError> {
        let line = self.line(element);
        let end = |name| {
            let id = self.attribute(element, name)?;
            draft.known(id).ok_or_else(|| {
                self.error(element, format!("the {name} of the edge, `{id}`, is not a node"))
            })
        };
        let (source, target) = (end("source")?, end("target")?);
        let graph = element.ancestors().find(|node| node.has_tag_name_of("graph"));
        let by_default = graph.and_then(|graph| graph.attribute("edgedefault"));
        let arrow = match element.attribute("directed") {
            Some(directed) => directed == "true",
            None => by_default == Some("directed"),
        };
        let mut cable = Cable { arrow, ..Cable::default() };
        set(&mut cable, |name| self.data(element, name))
            .map_err(|reason| self.error(element, reason))?;
        draft.join(line, source, target, cable)
    }
}

/// Sets the attributes of a cable that `value` has.
pub(super) fn set<'a>(
    cable: &mut Cable,
    value: impl Fn(&str) -> Option<&'a str>,
) -> Result<(), String> {
    cable.numbers.bandwidth = value("bandwidth").map(quantity::bandwidth).transpose()?;
    cable.numbers.delay = value("latency").map(quantity::latency).transpose()?;
    cable.count = value("cables").map_or(Ok(1), quantity::cables)?;
    Ok(())
}

/// Reads the kind of a vertex.
pub(super) fn role(line: usize, kind: &str) -> Result<Role, GraphFileError> {
    match kind {
        "host" | "node" => Ok(Role::Node),
        "switch" => Ok(Role::Switch),
        _ => {
            let reason =
                format!("no vertex is of kind `{kind}`; allowed are host, node and switch");
            Err(GraphFileError::at(line, reason))
        }
    }
}
