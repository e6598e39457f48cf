//! [`Draft`]: the vertices and cables of a file, from which a [`Cabling`] is made.

use std::collections::BTreeMap;

use super::GraphFileError;
use crate::topology::{Graph, LinkNumbers, NODES_MAX, kind::CABLES_MAX};

/// Most vertices that forward packets, since distances are stored for pairs of them.
const FORWARDING_MAX: usize = 1 << 13;

/// What a vertex is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Node,
    Switch,
}

/// The role of vertices of which the file says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Undeclared {
    /// Nodes, unless only nodes are declared: then switches.
    Nodes,
    /// If nothing is declared, vertices with one cable are nodes and the others switches; all are
    /// nodes if fewer than two have one cable. If only one role is declared, they have the other.
    ByDegree,
}

/// A cable, or parallel ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cable {
    pub(super) numbers: LinkNumbers,
    pub(super) count: u32,
    /// Whether the file describes one direction: one in the opposite direction is the same cable.
    pub(super) arrow: bool,
}

impl Default for Cable {
    fn default() -> Self {
        Self { numbers: LinkNumbers::default(), count: 1, arrow: false }
    }
}

#[derive(Clone, Debug)]
struct Vertex {
    name: String,
    /// Where it is named first.
    line: usize,
    role: Option<Role>,
    /// Role unless it is declared.
    presumed: Option<Role>,
}

impl Vertex {
    fn role(&self) -> Option<Role> {
        self.role.or(self.presumed)
    }
}

/// What a file says, in the file's order.
#[derive(Debug)]
pub(super) struct Draft {
    vertices: Vec<Vertex>,
    by_name: BTreeMap<String, u32>,
    cables: Vec<(u32, u32, Cable)>,
    count: u64,
    undeclared: Undeclared,
    ordered: bool,
}

/// The parallel cables of each pair of vertices, the lower number first.
pub(super) type Bundles = BTreeMap<(u32, u32), Vec<LinkNumbers>>;

/// A graph of nodes and switches. Vertices below `nodes` are nodes.
#[derive(Debug)]
pub(super) struct Cabling {
    pub(super) nodes: u32,
    /// Names of all vertices.
    pub(super) names: Vec<String>,
    /// Whether the name of each node is its number.
    pub(super) numbered: bool,
    /// Whether nodes forward packets of others.
    pub(super) nodes_forward: bool,
    pub(super) bundles: Bundles,
    /// Which vertices are nodes, in brackets, for messages.
    pub(super) origin: &'static str,
}

impl Draft {
    pub(super) fn new(undeclared: Undeclared) -> Self {
        Self {
            vertices: Vec::new(),
            by_name: BTreeMap::new(),
            cables: Vec::new(),
            count: 0,
            undeclared,
            ordered: false,
        }
    }

    /// Keeps nodes in the order in which they were added, even if their names are numbers.
    pub(super) fn keep_order(&mut self) {
        self.ordered = true;
    }

    /// Returns the number of the vertex with a name, if there is one.
    pub(super) fn known(&self, name: &str) -> Option<u32> {
        self.by_name.get(name).copied()
    }

    /// Returns the number of the vertex with a name; a new one if there is none.
    pub(super) fn vertex(&mut self, line: usize, name: &str) -> Result<u32, GraphFileError> {
        if let Some(known) = self.by_name.get(name) {
            return Ok(*known);
        }
        let number = self.vertices.len() as u32;
        if number >= NODES_MAX {
            let reason = format!("there are more than {NODES_MAX} vertices");
            return Err(GraphFileError::at(line, reason));
        }
        self.vertices.push(Vertex { name: name.to_owned(), line, role: None, presumed: None });
        self.by_name.insert(name.to_owned(), number);
        Ok(number)
    }

    /// Declares the role of a vertex.
    pub(super) fn declare(
        &mut self,
        line: usize,
        vertex: u32,
        role: Role,
    ) -> Result<(), GraphFileError> {
        let vertex = &mut self.vertices[vertex as usize];
        if vertex.role.replace(role).is_some_and(|before| before != role) {
            let reason = format!("`{}` is declared a node and a switch", vertex.name);
            return Err(GraphFileError::at(line, reason));
        }
        Ok(())
    }

    /// Sets the role of a vertex that is not declared; a declaration may follow.
    pub(super) fn presume(&mut self, vertex: u32, role: Role) {
        self.vertices[vertex as usize].presumed = Some(role);
    }

    /// Adds cables between two vertices.
    pub(super) fn join(
        &mut self,
        line: usize,
        a: u32,
        b: u32,
        cable: Cable,
    ) -> Result<(), GraphFileError> {
        if a == b {
            let name = &self.vertices[a as usize].name;
            let reason = format!("a cable joins `{name}` with itself; expected two vertices");
            return Err(GraphFileError::at(line, reason));
        }
        self.count += u64::from(cable.count);
        if self.count > CABLES_MAX {
            return Err(GraphFileError::at(
                line,
                format!("there are more than {CABLES_MAX} cables"),
            ));
        }
        self.cables.push((a, b, cable));
        Ok(())
    }

    /// Decides which vertices are nodes, numbers them, and checks that they are connected.
    pub(super) fn finish(self) -> Result<Cabling, GraphFileError> {
        if self.cables.is_empty() {
            return Err(GraphFileError::of_file(
                "the file has no cables; allowed are an edge list (a line `a b` for each cable), \
                 the output of ibnetdiscover, GraphML and DOT",
            ));
        }
        let (roles, origin) = self.roles()?;
        let (order, numbered) = self.order(&roles)?;
        let mut places = vec![0; order.len()];
        for (place, vertex) in (0..).zip(&order) {
            places[*vertex as usize] = place;
        }
        let nodes = roles.iter().filter(|role| **role == Role::Node).count() as u32;
        let names = order.iter().map(|vertex| self.vertices[*vertex as usize].name.clone());
        let cabling = Cabling {
            nodes,
            names: names.collect(),
            numbered,
            nodes_forward: nodes as usize == order.len(),
            bundles: self.bundles(&places),
            origin,
        };
        let line = |vertex: u32| self.vertices[order[vertex as usize] as usize].line;
        cabling.check(line)?;
        Ok(cabling)
    }

    /// Returns the role of each vertex, and which ones are nodes, for messages.
    fn roles(&self) -> Result<(Vec<Role>, &'static str), GraphFileError> {
        let has = |role| self.vertices.iter().any(|vertex| vertex.role() == Some(role));
        let all = |role| self.vertices.iter().map(|_| role).collect::<Vec<_>>();
        let (others, origin) = match (has(Role::Node), has(Role::Switch), self.undeclared) {
            (false, false, Undeclared::Nodes) => return Ok((all(Role::Node), "")),
            (false, false, Undeclared::ByDegree) => {
                let mut degrees = vec![0u32; self.vertices.len()];
                let mut neighbours: Vec<Option<u32>> = vec![None; self.vertices.len()];
                for (a, b, cable) in &self.cables {
                    for (at, other) in [(*a, *b), (*b, *a)] {
                        // Two arrows between the same vertices may be one cable.
                        if !cable.arrow || neighbours[at as usize].replace(other) != Some(other) {
                            degrees[at as usize] += cable.count;
                        }
                    }
                }
                let by_degree: Vec<Role> = degrees
                    .iter()
                    .map(|degree| if *degree == 1 { Role::Node } else { Role::Switch })
                    .collect();
                let found = by_degree.iter().filter(|role| **role == Role::Node).count();
                return Ok(if found < 2 || found == by_degree.len() {
                    (all(Role::Node), " (all vertices: the file declares no hosts)")
                } else {
                    (by_degree, " (the vertices with one cable: the file declares no hosts)")
                });
            }
            (true, false, _) => (Role::Switch, " (those that the file declares)"),
            (false, true, _) | (true, true, Undeclared::Nodes) => {
                (Role::Node, " (those that the file does not declare to be switches)")
            }
            (true, true, Undeclared::ByDegree) => {
                if let Some(vertex) = self.vertices.iter().find(|vertex| vertex.role().is_none()) {
                    let reason = format!(
                        "`{}` is declared neither a host nor a switch, and others are both",
                        vertex.name
                    );
                    return Err(GraphFileError::at(vertex.line, reason));
                }
                (Role::Switch, " (those that the file declares)")
            }
        };
        let roles: Vec<Role> =
            self.vertices.iter().map(|vertex| vertex.role().unwrap_or(others)).collect();
        if !roles.contains(&Role::Node) {
            return Err(GraphFileError::of_file("the file has switches only, and no node"));
        }
        Ok((roles, origin))
    }

    /// Returns the vertices in order, nodes before switches, and whether the name of each node is
    /// its number: then they are ordered by it.
    fn order(&self, roles: &[Role]) -> Result<(Vec<u32>, bool), GraphFileError> {
        let of = |role: Role| {
            (0..self.vertices.len() as u32).filter(move |vertex| roles[*vertex as usize] == role)
        };
        let number = |vertex: u32| {
            let name = &self.vertices[vertex as usize].name;
            name.parse::<u32>().ok().filter(|number| number.to_string() == *name)
        };
        let mut nodes: Vec<u32> = of(Role::Node).collect();
        let count = nodes.len() as u32;
        let mut numbered = !self.ordered && nodes.iter().all(|vertex| number(*vertex).is_some());
        if numbered {
            nodes.sort_by_key(|vertex| number(*vertex));
            let gap = (0..count).find(|place| number(nodes[*place as usize]) != Some(*place));
            match (gap, self.undeclared) {
                (None, _) => {}
                (Some(gap), Undeclared::Nodes) => {
                    let reason = format!(
                        "no cable leads to node {gap}; nodes whose names are numbers must be 0 to \
                         {}, since there are {count}",
                        count - 1
                    );
                    return Err(GraphFileError::of_file(reason));
                }
                (Some(_), Undeclared::ByDegree) => {
                    numbered = false;
                    nodes.sort_unstable();
                }
            }
        }
        nodes.extend(of(Role::Switch));
        Ok((nodes, numbered))
    }

    /// Returns the cables of each pair of vertices. Of arrows in opposite directions those of the
    /// direction with more of them are cables.
    fn bundles(&self, places: &[u32]) -> Bundles {
        let mut bundles = Bundles::new();
        let mut arrows: BTreeMap<(u32, u32), [Vec<LinkNumbers>; 2]> = BTreeMap::new();
        for (a, b, cable) in &self.cables {
            let (a, b) = (places[*a as usize], places[*b as usize]);
            let pair = (a.min(b), a.max(b));
            let numbers = std::iter::repeat_n(cable.numbers, cable.count as usize);
            if cable.arrow {
                arrows.entry(pair).or_default()[usize::from(a > b)].extend(numbers);
            } else {
                bundles.entry(pair).or_default().extend(numbers);
            }
        }
        for (pair, [up, down]) in arrows {
            let more = if down.len() > up.len() { down } else { up };
            bundles.entry(pair).or_default().extend(more);
        }
        bundles
    }
}

impl Cabling {
    /// Returns the graph, in which each cable is a link in both directions.
    pub(super) fn graph(&self) -> Graph {
        let vertices = self.names.len() as u32;
        let mut neighbours = vec![Vec::new(); vertices as usize];
        for (a, b) in self.bundles.keys() {
            neighbours[*a as usize].push(*b);
            neighbours[*b as usize].push(*a);
        }
        let count = |a: u32, b: u32| self.bundles[&(a.min(b), a.max(b))].len() as u32;
        Graph::new(vertices, |vertex| neighbours[vertex as usize].clone(), count)
    }

    /// Returns whether a vertex forwards packets of others.
    pub(super) fn forwards(&self, vertex: u32) -> bool {
        self.nodes_forward || vertex >= self.nodes
    }

    /// Checks that each node can be reached from the first one and that routes can be stored.
    fn check(&self, line: impl Fn(u32) -> usize) -> Result<(), GraphFileError> {
        let graph = self.graph();
        let distances = graph.distances(0, |vertex| self.forwards(vertex));
        if let Some(node) = (0..self.nodes).find(|node| distances[*node as usize] == u32::MAX) {
            let through = graph.distances(0, |_| true)[node as usize] != u32::MAX;
            let reason = format!(
                "the graph is not connected: node `{}` cannot be reached from node `{}`{}",
                self.names[node as usize],
                self.names[0],
                if through {
                    " unless other nodes forward packets, which they do in files without switches \
                     only"
                } else {
                    ""
                }
            );
            return Err(GraphFileError::at(line(node), reason));
        }
        let inner = |vertex: &u32| graph.neighbours(*vertex).len() > 1;
        let forwarding = (0..self.names.len() as u32).filter(inner).count();
        if forwarding > FORWARDING_MAX {
            return Err(GraphFileError::of_file(format!(
                "the graph has {forwarding} vertices with several neighbours, and at most \
                 {FORWARDING_MAX} are possible"
            )));
        }
        Ok(())
    }
}
