//! Topologies as users write them: `mesh:8x8`, `hypercube`, `file:links.txt`.

use std::{collections::VecDeque, str::FromStr};

use super::{FatTree, Shape, Topology};

/// Most nodes a topology may have.
const NODES_MAX: u64 = 1 << 22;
/// Most nodes of an edge list: routes are kept for every pair.
const LISTED_MAX: u32 = 1 << 13;

/// A topology as written; sizes may be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TopologySpec {
    /// `ring`, `linear`: one dimension.
    Line {
        /// Whether it closes.
        closed: bool,
        /// Nodes.
        size: Option<u32>,
    },
    /// `mesh`, `torus`: sizes, or none for the most square two dimensions that hold the ranks.
    Grid {
        /// Whether each dimension closes.
        closed: bool,
        /// Sizes.
        dims: Vec<u32>,
    },
    /// `hypercube:DIMENSION`.
    Hypercube(Option<u32>),
    /// `crossbar:NODES`.
    Crossbar(Option<u32>),
    /// `star:NODES`.
    Star(Option<u32>),
    /// `tree:ARITYxLEVELS`.
    Tree(u32, Option<u32>),
    /// `fat-tree:ARITYxLEVELS:TAPER`.
    FatTree {
        /// Down ports of a switch.
        arity: u32,
        /// Levels of switches.
        levels: Option<u32>,
        /// Nodes at a switch to each of its up ports; divides the arity.
        taper: u32,
    },
    /// An edge list: number of nodes, and pairs.
    Edges(u32, Vec<(u32, u32)>),
}

/// Why a topology cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TopologyError {
    /// No topology is called that.
    #[error("no topology is called `{0}`; there are {allowed}", allowed = names())]
    Unknown(String),
    /// Its sizes cannot be read.
    #[error("the size `{size}` of topology `{name}` is not of the form {form}")]
    Size {
        /// Topology.
        name: String,
        /// As written.
        size: String,
        /// As it should be.
        form: &'static str,
    },
    /// It has more nodes than can be simulated.
    #[error("topology `{0}` has more than {NODES_MAX} nodes")]
    TooLarge(String),
    /// An edge list has more nodes than routes can be kept for.
    #[error("the edge list has {0} nodes, and at most {LISTED_MAX} are possible")]
    ListTooLong(u32),
    /// It has fewer nodes than are needed.
    #[error(
        "topology `{name}` has {nodes} nodes and {needed} are needed; take a larger one or put \
         several ranks on a node with --ranks-per-node"
    )]
    TooSmall {
        /// Topology.
        name: String,
        /// What it has.
        nodes: u32,
        /// What it takes.
        needed: u32,
    },
    /// A graph in pieces.
    #[error("the edge list is not connected: node {0} cannot be reached from node 0")]
    Disconnected(u32),
}

/// Name, syntax and one line for each topology.
pub fn topologies() -> [(&'static str, &'static str, &'static str); 9] {
    [
        ("ring", "ring[:NODES]", "each node has two neighbours; the shorter way round"),
        ("linear", "linear[:NODES]", "a ring that is cut open"),
        ("mesh", "mesh[:AxBx..]", "n-dimensional grid, dimension-order routing"),
        ("torus", "torus[:AxBx..]", "n-dimensional grid whose ends are joined"),
        ("hypercube", "hypercube[:DIMENSION]", "2^d nodes, e-cube routing"),
        ("crossbar", "crossbar[:NODES]", "all nodes around one ideal switch"),
        ("star", "star[:NODES]", "node 0 in the middle of all others"),
        ("tree", "tree[:ARITY[xLEVELS]]", "complete tree whose vertices are all nodes"),
        (
            "fat-tree",
            "fat-tree[:ARITY[xLEVELS][:TAPER]]",
            "k-ary n-tree of switches, D-mod-K routing; TAPER nodes share an up port",
        ),
    ]
}

fn names() -> String {
    let names: Vec<&str> = topologies().iter().map(|(name, ..)| *name).collect();
    format!("{} and file:PATH", names.join(", "))
}

impl FromStr for TopologySpec {
    type Err = TopologyError;

    fn from_str(text: &str) -> Result<Self, TopologyError> {
        let (name, size) = match text.split_once(':') {
            Some((name, size)) => (name, Some(size)),
            None => (text, None),
        };
        let wrong = |form| {
            let size = size.unwrap_or_default().to_string();
            TopologyError::Size { name: name.to_string(), size, form }
        };
        let one = |form| match size {
            None => Ok(None),
            Some(size) => match size.parse::<u32>() {
                Ok(size) if size > 0 => Ok(Some(size)),
                _ => Err(wrong(form)),
            },
        };
        let many = |form| match size {
            None => Ok(Vec::new()),
            Some(size) => size
                .split('x')
                .map(|part| part.parse::<u32>().ok().filter(|size| *size > 0))
                .collect::<Option<Vec<u32>>>()
                .ok_or_else(|| wrong(form)),
        };
        let levels = |form| -> Result<(u32, Option<u32>), TopologyError> {
            match many(form)?.as_slice() {
                [] => Ok((2, None)),
                [arity] if *arity > 1 => Ok((*arity, None)),
                [arity, levels] if *arity > 1 && *levels < 23 => Ok((*arity, Some(*levels))),
                _ => Err(wrong(form)),
            }
        };
        Ok(match name {
            "ring" | "linear" => Self::Line { closed: name == "ring", size: one("NODES")? },
            "mesh" | "torus" => Self::Grid { closed: name == "torus", dims: many("AxBx..")? },
            "hypercube" => {
                let dimension = match size {
                    Some("0") => Some(0),
                    _ => one("DIMENSION, up to 22")?,
                };
                if dimension.is_some_and(|dimension| dimension > 22) {
                    return Err(wrong("DIMENSION, up to 22"));
                }
                Self::Hypercube(dimension)
            }
            "crossbar" => Self::Crossbar(one("NODES")?),
            "star" => Self::Star(one("NODES")?),
            "tree" => {
                let (arity, levels) = levels("ARITYxLEVELS, arity at least 2")?;
                Self::Tree(arity, levels)
            }
            "fat-tree" => fat_tree(size).ok_or_else(|| {
                wrong("ARITYxLEVELS:TAPER, arity at least 2 and a multiple of the taper")
            })?,
            _ => return Err(TopologyError::Unknown(text.to_string())),
        })
    }
}

impl TopologySpec {
    /// Builds it with at least `needed` nodes; a size left out is the smallest that holds them.
    ///
    /// # Errors
    /// If it is too small for `needed` or too large to simulate.
    pub fn build(&self, needed: u32) -> Result<Topology, TopologyError> {
        let needed = needed.max(1);
        let (name, shape, nodes) = self.resolve(needed);
        if nodes > NODES_MAX {
            return Err(TopologyError::TooLarge(name));
        }
        if nodes < u64::from(needed) {
            return Err(TopologyError::TooSmall { name, nodes: nodes as u32, needed });
        }
        if let Self::Edges(nodes, edges) = self {
            return Ok(Topology::new(name, custom(*nodes, edges)?));
        }
        Ok(Topology::new(name, shape))
    }

    fn resolve(&self, needed: u32) -> (String, Shape, u64) {
        match self {
            Self::Line { closed, size } => {
                let size = size.unwrap_or(needed);
                let kind = if *closed { "ring" } else { "linear" };
                let shape = Shape::Grid { dims: vec![size], closed: *closed };
                (format!("{kind}:{size}"), shape, u64::from(size))
            }
            Self::Grid { closed, dims } => {
                let dims = if dims.is_empty() { square(needed) } else { dims.clone() };
                let kind = if *closed { "torus" } else { "mesh" };
                let text: Vec<String> = dims.iter().map(u32::to_string).collect();
                let nodes = dims.iter().fold(1u64, |n, d| n.saturating_mul(u64::from(*d)));
                let shape = Shape::Grid { dims, closed: *closed };
                (format!("{kind}:{}", text.join("x")), shape, nodes)
            }
            Self::Hypercube(dimension) => {
                let d = dimension.unwrap_or(u32::BITS - (needed - 1).leading_zeros());
                (format!("hypercube:{d}"), Shape::Hypercube(d), 1 << d)
            }
            Self::Crossbar(size) => {
                let size = size.unwrap_or(needed);
                (format!("crossbar:{size}"), Shape::Crossbar(size), u64::from(size))
            }
            Self::Star(size) => {
                let size = size.unwrap_or(needed);
                (format!("star:{size}"), Shape::Star(size), u64::from(size))
            }
            Self::Tree(arity, levels) => {
                let count = |levels| (0..levels).map(|l| power(*arity, l)).sum::<u64>();
                let levels = levels.unwrap_or_else(|| {
                    (1..23).find(|l| count(*l) >= u64::from(needed)).unwrap_or(23)
                });
                let shape = Shape::Tree { arity: *arity, levels };
                (format!("tree:{arity}x{levels}"), shape, count(levels))
            }
            Self::FatTree { arity, levels, taper } => {
                let levels = levels.unwrap_or_else(|| {
                    (1..23).find(|l| power(*arity, *l) >= u64::from(needed)).unwrap_or(23)
                });
                let tree = FatTree { arity: *arity, levels, up: arity / taper };
                let taper = if *taper > 1 { format!(":{taper}") } else { String::new() };
                let name = format!("fat-tree:{arity}x{levels}{taper}");
                (name, Shape::FatTree(tree), power(*arity, levels))
            }
            Self::Edges(nodes, _) => {
                (format!("file:{nodes}"), Shape::Crossbar(1), u64::from(*nodes))
            }
        }
    }

    /// An edge list: a line `a b` for each cable, `#` begins a comment.
    ///
    /// # Errors
    /// The number of the first line that is not of that form.
    pub fn from_edge_list(text: &str) -> Result<Self, usize> {
        let mut edges = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let parts: Option<Vec<u32>> =
                line.split_whitespace().map(|part| part.parse().ok()).collect();
            match parts.as_deref() {
                Some([a, b]) if a != b && *a < NODES_MAX as u32 && *b < NODES_MAX as u32 => {
                    edges.push((*a, *b));
                }
                _ => return Err(number + 1),
            }
        }
        let nodes = edges.iter().map(|(a, b)| a.max(b) + 1).max().unwrap_or(0);
        if nodes == 0 { Err(1) } else { Ok(Self::Edges(nodes, edges)) }
    }
}

/// `ARITY`, `ARITYxLEVELS`, each perhaps with `:TAPER`.
fn fat_tree(size: Option<&str>) -> Option<TopologySpec> {
    let size = size.unwrap_or("2");
    let (shape, taper) = match size.split_once(':') {
        Some((shape, taper)) => (shape, taper.parse().ok()?),
        None => (size, 1),
    };
    let (arity, levels) = match shape.split_once('x') {
        Some((arity, levels)) => (arity, Some(levels.parse().ok()?)),
        None => (shape, None),
    };
    let arity: u32 = arity.parse().ok()?;
    let sound = arity > 1
        && taper > 0
        && arity.is_multiple_of(taper)
        && levels.is_none_or(|levels| (1..23).contains(&levels));
    sound.then_some(TopologySpec::FatTree { arity, levels, taper })
}

fn power(base: u32, exponent: u32) -> u64 {
    u64::from(base).saturating_pow(exponent)
}

/// The most square two sizes with room for `needed`: an exact product if one is within a factor
/// of four of square.
fn square(needed: u32) -> Vec<u32> {
    let root = (1..).find(|side: &u32| u64::from(*side).pow(2) >= u64::from(needed)).unwrap_or(1);
    let fits = |rows: &u32| rows * rows <= needed && needed.is_multiple_of(*rows);
    let exact = (1..=root.min(65_535)).rev().find(fits);
    match exact {
        Some(rows) if needed / rows <= 4 * rows => vec![rows, needed / rows],
        _ => vec![needed.div_ceil(root), root],
    }
}

fn custom(nodes: u32, edges: &[(u32, u32)]) -> Result<Shape, TopologyError> {
    if nodes > LISTED_MAX {
        return Err(TopologyError::ListTooLong(nodes));
    }
    let mut neighbours = vec![Vec::new(); nodes as usize];
    for (a, b) in edges {
        neighbours[*a as usize].push(*b);
        neighbours[*b as usize].push(*a);
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    let size = nodes as usize;
    let mut next = vec![u16::MAX; size * size];
    for target in 0..nodes {
        let row = &mut next[target as usize * size..(target as usize + 1) * size];
        row[target as usize] = target as u16;
        let mut queue = VecDeque::from([target]);
        while let Some(at) = queue.pop_front() {
            for from in &neighbours[at as usize] {
                if row[*from as usize] == u16::MAX {
                    row[*from as usize] = at as u16;
                    queue.push_back(*from);
                }
            }
        }
        if let Some(lost) = row.iter().position(|hop| *hop == u16::MAX) {
            return Err(TopologyError::Disconnected(lost as u32));
        }
    }
    Ok(Shape::Custom { neighbours, next })
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(name("fat-tree:4", 20).as_deref(), Ok("fat-tree:4x3"));
        assert_eq!(name("fat-tree:4:2", 16).as_deref(), Ok("fat-tree:4x2:2"));
        assert!(matches!(
            name("mesh:3x3", 10),
            Err(TopologyError::TooSmall { nodes: 9, needed: 10, .. })
        ));
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
            "fat-tree:4:3",
            "fat-tree:1",
            "fat-tree:4x0",
            "fat-tree:4x2:0",
            "fat-tree:4x2:",
            "fat-tree:4x99",
        ] {
            assert!(text.parse::<TopologySpec>().is_err(), "{text}");
        }
        assert_eq!(TopologySpec::from_edge_list("0 1\n1 x\n"), Err(2));
        assert_eq!(TopologySpec::from_edge_list("0 1\n\n# x\n2 2\n"), Err(4), "a loop");
        assert_eq!(TopologySpec::from_edge_list("0 1 2\n"), Err(1));
        assert_eq!(TopologySpec::from_edge_list("# nothing\n"), Err(1));
        let build = |text| TopologySpec::from_edge_list(text).expect("a list").build(1).map(drop);
        assert_eq!(build("0 1\n2 3\n"), Err(TopologyError::Disconnected(2)));
        assert_eq!(build("0 9000\n"), Err(TopologyError::ListTooLong(9001)));
        let ring = TopologySpec::from_edge_list("0 1\n1 2 # a comment\n2 0\n").expect("a ring");
        assert_eq!(ring.build(3).map(|t| t.structure().diameter), Ok(1));
    }
}
