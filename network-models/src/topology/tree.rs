//! `tree`: a complete k-ary tree whose vertices are all nodes.

use super::{
    BadSizes, Labels, Plan, Shape, Sizes, TopologyDescription, TopologyKind,
    halving::halved_by_subtrees, kind::power,
};

/// Number of levels with which a binary tree is larger than any topology may be.
const LEVELS_MAX: u32 = 23;

/// The topology `tree`: a complete tree whose vertices are all nodes.
#[derive(Debug)]
pub(super) struct Tree;

impl TopologyKind for Tree {
    fn description(&self) -> TopologyDescription {
        TopologyDescription {
            name: "tree",
            syntax: "tree[:ARITY[xLEVELS]]",
            sizes: "ARITYxLEVELS, arity at least 2",
            summary: "complete tree whose vertices are all nodes",
        }
    }

    fn plan(&self, sizes: Sizes, needed: u32) -> Result<Plan, BadSizes> {
        let (arity, levels) = match sizes.many()?.as_slice() {
            [] => (2, None),
            [arity] if *arity > 1 => (*arity, None),
            [arity, levels] if *arity > 1 && *levels < LEVELS_MAX => (*arity, Some(*levels)),
            _ => return Err(BadSizes),
        };
        let count =
            |levels| (0..levels).map(|level| power(arity, level)).fold(0, u64::saturating_add);
        let levels = levels.unwrap_or_else(|| {
            let holds = |levels: &u32| count(*levels) >= u64::from(needed);
            (1..LEVELS_MAX).find(holds).unwrap_or(LEVELS_MAX)
        });
        let nodes = count(levels);
        Ok(Plan::new(format!("{arity}x{levels}"), nodes, move || Heap {
            arity,
            nodes: nodes as u32,
        }))
    }
}

/// The tree with its vertices numbered level by level, as in a heap. Routing is up to the lowest
/// vertex above both ends and down again.
#[derive(Debug)]
struct Heap {
    arity: u32,
    nodes: u32,
}

impl Heap {
    fn parent(&self, vertex: u32) -> u32 {
        (vertex - 1) / self.arity
    }
}

impl Shape for Heap {
    fn nodes(&self) -> u32 {
        self.nodes
    }

    fn neighbours(&self, vertex: u32) -> Vec<u32> {
        let first = u64::from(vertex) * u64::from(self.arity) + 1;
        let last = (first + u64::from(self.arity)).min(u64::from(self.nodes));
        let children = (first..last).map(|child| child as u32);
        children.chain((vertex > 0).then(|| self.parent(vertex))).collect()
    }

    fn next_hop(&self, at: u32, target: u32) -> u32 {
        let mut below = target;
        while below > at {
            let parent = self.parent(below);
            if parent == at {
                return below;
            }
            below = parent;
        }
        self.parent(at)
    }

    /// Climbs from the larger number, which is never above the other one, until both meet.
    fn hops(&self, source: u32, target: u32) -> Option<u32> {
        let (mut low, mut high, mut hops) = (source.min(target), source.max(target), 0);
        while low != high {
            let parent = self.parent(high);
            (low, high) = (low.min(parent), low.max(parent));
            hops += 1;
        }
        Some(hops)
    }

    /// Cuts off subtrees that have half of the nodes together, or such that have more and of these smaller ones.
    fn bisection(&self) -> Option<u64> {
        let mut subtrees = vec![(1, 1)];
        while let Some((whole, _)) = subtrees.last().filter(|last| last.0 < u64::from(self.nodes()))
        {
            subtrees.push((1 + u64::from(self.arity) * whole, 1));
        }
        let (nodes, _) = subtrees.pop().unwrap_or((1, 1));
        Some(halved_by_subtrees(nodes, &subtrees))
    }

    fn layout(&self, vertex: u32) -> (f64, f64) {
        let (mut level, mut first, mut width) = (0, 0, 1);
        while vertex >= first + width {
            first += width;
            width *= self.arity;
            level += 1;
        }
        let place = (f64::from(vertex - first) + 0.5) / f64::from(width);
        (place * 16.0, -2.0 * f64::from(level))
    }

    fn labels(&self) -> Labels {
        Labels::Nowhere
    }
}

#[cfg(test)]
mod tests {
    use crate::topology::testing::{check, verify};

    #[test]
    fn closed_forms() {
        for (k, levels) in [(2u32, 2u32), (2, 5), (3, 3), (5, 2)] {
            let below = |levels: u32| (0..levels).map(|level| k.pow(level)).sum::<u32>();
            let p = below(levels);
            // A cable below level l separates the subtree under it from the rest.
            let crossings: f64 = (1..levels)
                .map(|level| {
                    let under = f64::from(below(levels - level));
                    f64::from(k.pow(level)) * 2.0 * under * (f64::from(p) - under)
                })
                .sum();
            let mean = crossings / (f64::from(p) * f64::from(p - 1));
            let degree = if levels > 2 { k + 1 } else { k };
            let name = format!("tree:{k}x{levels}");
            let bisection = match (k, levels) {
                (3, 3) => 3,
                (5, 2) => 3,
                _ => 1,
            };
            check(&name, u64::from(p) - 1, degree, 2 * (levels - 1), mean, bisection);
        }
    }

    #[test]
    fn routes() {
        verify(&["tree:2x1", "tree:2x4", "tree:3x3"]);
    }
}
