//! `fat-tree`: tapered k-ary n-trees and trees with an arity and a taper for each level, switches in
//! levels with the nodes as leaves (Öhring, Ibel, Das and Kumar, "On generalized fat trees", 1995).
//!
//! A switch of level l has m(l) down ports and w(l) up ports, m(l) divided by the level's taper. Its
//! number has digits: those from l up identify the subtree that it is the root of; those below l say
//! which up port was taken on each level on the way to it. A switch and its parent therefore differ
//! in one digit, which is a position below and a port above.

use super::{
    Axes, AxisMetric, BadSizes, Labels, Plan, Shape, Sizes, TopologyDescription, TopologyKind,
    halving::halved_by_subtrees, kind::power,
};

/// Number of levels with which the smallest fat tree is larger than any topology may be.
const LEVELS_MAX: u32 = 23;

/// Fat trees.
#[derive(Debug)]
pub(super) struct FatTree;

impl TopologyKind for FatTree {
    fn description(&self) -> TopologyDescription {
        TopologyDescription {
            name: "fat-tree",
            syntax: "fat-tree[:ARITY[xLEVELS][:TAPER]]",
            sizes: "ARITYxLEVELS:TAPER, arity at least 2 and a multiple of the taper, or one arity \
                    for each level from the nodes up, ARITY,ARITY,..:TAPER,TAPER,.., with no tapers \
                    or as many as arities, the last of them 1",
            summary: "k-ary n-tree of switches, D-mod-K routing; TAPER nodes share an up port; with an \
                      arity and a taper for each level 24,18,18:1,2,1",
        }
    }

    fn plan(&self, sizes: Sizes, needed: u32) -> Result<Plan, BadSizes> {
        let text = sizes.0.unwrap_or("2");
        let (shape, tapers) = text.split_once(':').map_or((text, None), |(a, b)| (a, Some(b)));
        let (arities, tapers) = if shape.contains(',') {
            let arities = list(shape)?;
            let untapered = vec![1; arities.len()];
            (arities, tapers.map_or(Ok(untapered), list)?)
        } else {
            let arities = uniform(Sizes(Some(shape)), needed)?;
            let mut all = vec![1; arities.len()];
            all[0] = Sizes(tapers).one()?.unwrap_or(1);
            (arities, all)
        };
        let levels = Levels::new(arities, tapers)?;
        let product = |product: u64, arity: &u32| product.saturating_mul(u64::from(*arity));
        let nodes = levels.arities.iter().fold(1, product);
        let plan = Plan::new(levels.name(), nodes, move || Switches::new(levels));
        Ok(plan)
    }
}

/// Reads positive numbers separated by commas.
fn list(text: &str) -> Result<Vec<u32>, BadSizes> {
    text.split(',').map(|number| Sizes(Some(number)).one()?.ok_or(BadSizes)).collect()
}

/// Reads `ARITYxLEVELS`, and returns the arity of each level.
fn uniform(shape: Sizes, needed: u32) -> Result<Vec<u32>, BadSizes> {
    let (arity, levels) = match shape.many()?.as_slice() {
        [arity] => (*arity, None),
        [arity, levels] if *levels < LEVELS_MAX => (*arity, Some(*levels)),
        _ => return Err(BadSizes),
    };
    let levels = levels.unwrap_or_else(|| {
        let holds = |levels: &u32| power(arity, *levels) >= u64::from(needed);
        (1..LEVELS_MAX).find(holds).unwrap_or(LEVELS_MAX)
    });
    Ok(vec![arity; levels as usize])
}

/// Down and up ports of the switches of each level, from the nodes up.
#[derive(Clone, Debug)]
struct Levels {
    arities: Vec<u32>,
    tapers: Vec<u32>,
}

impl Levels {
    /// Checks the ports.
    fn new(arities: Vec<u32>, tapers: Vec<u32>) -> Result<Self, BadSizes> {
        // The single taper of a tree of one level is allowed, and does nothing.
        let spare = arities.len() == 1 && tapers.len() == 1;
        let fits = tapers.len() == arities.len() && (arities.len() as u32) <= LEVELS_MAX;
        let whole = |(arity, taper): (&u32, &u32)| *arity >= 2 && arity.is_multiple_of(*taper);
        let top = tapers.last().is_some_and(|taper| *taper == 1);
        if fits && (top || spare) && arities.iter().zip(&tapers).all(whole) {
            Ok(Self { arities, tapers })
        } else {
            Err(BadSizes)
        }
    }

    /// Returns the sizes in full: `ARITYxLEVELS:TAPER` if that says it all.
    fn name(&self) -> String {
        let (arity, taper, levels) = (self.arities[0], self.tapers[0], self.arities.len());
        let is_uniform = self.arities.iter().all(|other| *other == arity)
            && self.tapers.iter().skip(1).all(|other| *other == 1);
        if is_uniform {
            let taper = if taper > 1 { format!(":{taper}") } else { String::new() };
            return format!("{arity}x{levels}{taper}");
        }
        let list =
            |numbers: &[u32]| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        let tapered = self.tapers.iter().any(|taper| *taper > 1);
        let tapers = if tapered { format!(":{}", list(&self.tapers)) } else { String::new() };
        format!("{}{tapers}", list(&self.arities))
    }
}

/// A fat tree with its sizes.
///
/// Routing is up until the target is below, by the port that the target's number names (D-mod-K,
/// which spreads targets over the upper switches), and then down.
#[derive(Debug)]
struct Switches {
    nodes: u32,
    /// The ports of each level of switches, from the nodes up.
    levels: Vec<Level>,
}

/// A level of switches.
#[derive(Debug)]
struct Level {
    /// Down ports of a switch.
    down: u32,
    /// Up ports of a switch; none at the top.
    up: u32,
    /// Nodes below a down port: the product of the down ports of the levels below.
    below: u32,
    /// Switches with the same nodes below them: the product of the up ports of the levels below.
    twins: u32,
    /// Number of switches of the level.
    switches: u32,
    /// The first vertex of the level.
    first: u32,
}

impl Switches {
    fn new(levels: Levels) -> Self {
        let nodes: u32 = levels.arities.iter().product();
        let (mut below, mut twins, mut first) = (1, 1, nodes);
        let ports = levels.arities.iter().zip(&levels.tapers);
        let mut rows: Vec<Level> = ports
            .map(|(down, taper)| {
                let up = down / taper;
                let switches = nodes / below / down * twins;
                let level = Level { down: *down, up, below, twins, switches, first };
                (below, twins, first) = (below * down, twins * up, first + switches);
                level
            })
            .collect();
        if let Some(top) = rows.last_mut() {
            top.up = 0;
        }
        Self { nodes, levels: rows }
    }

    /// Returns level and number within it of a switch.
    fn place(&self, vertex: u32) -> (usize, u32) {
        let above = self.levels.iter().rposition(|level| level.first <= vertex);
        let level = above.expect("a switch, not a node");
        (level, vertex - self.levels[level].first)
    }

    /// Returns the switch behind an up port.
    fn parent(&self, level: usize, at: u32, port: u32) -> u32 {
        let (here, above) = (&self.levels[level], &self.levels[level + 1]);
        let (subtree, twin) = (at / here.twins, at % here.twins);
        above.first + subtree / above.down * above.twins + port * here.twins + twin
    }

    /// Returns the switch behind a down port.
    fn child(&self, level: usize, at: u32, place: u32) -> u32 {
        let (here, under) = (&self.levels[level], &self.levels[level - 1]);
        let (subtree, twin) = (at / here.twins, at % here.twins);
        under.first + (subtree * here.down + place) * under.twins + twin % under.twins
    }
}

impl Shape for Switches {
    fn nodes(&self) -> u32 {
        self.nodes
    }

    fn vertices(&self) -> u32 {
        self.nodes + self.levels.iter().map(|level| level.switches).sum::<u32>()
    }

    fn neighbours(&self, vertex: u32) -> Vec<u32> {
        if vertex < self.nodes {
            return vec![self.levels[0].first + vertex / self.levels[0].down];
        }
        let (level, at) = self.place(vertex);
        let below = (0..self.levels[level].down).map(|place| match level {
            0 => at * self.levels[0].down + place,
            _ => self.child(level, at, place),
        });
        let above = (0..self.levels[level].up).map(|port| self.parent(level, at, port));
        below.chain(above).collect()
    }

    fn next_hop(&self, vertex: u32, target: u32) -> u32 {
        if vertex < self.nodes {
            return self.levels[0].first + vertex / self.levels[0].down;
        }
        let (level, at) = self.place(vertex);
        let here = &self.levels[level];
        let place = target / here.below;
        if at / here.twins != place / here.down {
            return self.parent(level, at, place % here.up);
        }
        match level {
            0 => target,
            _ => self.child(level, at, place % here.down),
        }
    }

    /// Routes go up to the lowest switch above both leaves, and down again.
    fn hops(&self, source: u32, target: u32) -> Option<u32> {
        let (mut from, mut to, mut hops) = (source, target, 0);
        for level in &self.levels {
            if from == to {
                break;
            }
            (from, to) = (from / level.down, to / level.down);
            hops += 2;
        }
        Some(hops)
    }

    fn axes(&self) -> Option<Axes> {
        let sizes = self.levels.iter().rev().map(|level| level.down).collect();
        Some(Axes { sizes, metric: AxisMetric::Levels })
    }

    /// Cuts off subtrees below the highest level that have half of the nodes together. Switches with the same
    /// nodes below them are on the same side of some smallest cut, so that a subtree is cut off by all cables
    /// that lead up from it.
    fn bisection(&self) -> Option<u64> {
        let subtrees: Vec<(u64, u64)> = self
            .levels
            .iter()
            .map(|level| (u64::from(level.below), u64::from(level.twins)))
            .collect();
        Some(halved_by_subtrees(self.nodes.into(), &subtrees))
    }

    fn layout(&self, vertex: u32) -> (f64, f64) {
        if vertex < self.nodes {
            return (f64::from(vertex), 0.0);
        }
        let (level, at) = self.place(vertex);
        let spacing = f64::from(self.nodes) / f64::from(self.levels[level].switches);
        ((f64::from(at) + 0.5) * spacing - 0.5, 2.0 * (level as f64 + 1.0))
    }

    fn labels(&self) -> Labels {
        Labels::Below
    }
}

#[cfg(test)]
mod tests {
    use crate::topology::{
        TopologySpec,
        testing::{build, check, sound, structure},
    };

    #[test]
    fn closed_forms_with_and_without_taper() {
        for (k, n, taper) in
            [(2u32, 3u32, 1u32), (4, 2, 1), (4, 3, 1), (4, 3, 2), (4, 3, 4), (8, 2, 2), (6, 1, 1)]
        {
            let (p, up) = (k.pow(n), k / taper);
            let name = format!("fat-tree:{k}x{n}:{taper}");
            let cables = u64::from(p) + u64::from(n - 1) * u64::from(up * k.pow(n - 1));
            let degree = match n {
                1 => k,
                2 => k + up,
                _ => 2 * k,
            };
            let hops: f64 = (0..n).map(|l| f64::from(2 * (l + 1) * (k - 1) * k.pow(l))).sum();
            let bisection = u64::from(p / 2) / if n > 1 { u64::from(taper) } else { 1 };
            check(&name, cables, degree, 2 * n, hops / f64::from(p - 1), bisection);
            let switches = k.pow(n - 1) + (n - 1) * if n > 1 { up * k.pow(n - 2) } else { 0 };
            assert_eq!(structure(&name).switches, switches, "{name}");
        }
    }

    #[test]
    fn routes() {
        sound(&[
            "fat-tree:3x2",
            "fat-tree:2x4",
            "fat-tree:4x3:2",
            "fat-tree:6x2:3",
            "fat-tree:5x1",
            "fat-tree:4,3,2",
            "fat-tree:4,6,2:2,3,1",
            "fat-tree:6,4:3,1",
            "fat-tree:2,3,4:1,3,1",
        ]);
    }

    #[test]
    fn closed_forms_with_ports_for_each_level() {
        for (arities, tapers) in [
            (vec![24u32, 18, 18], vec![1u32, 2, 1]),
            (vec![4, 3, 2], vec![1, 1, 1]),
            (vec![4, 6, 2], vec![2, 3, 1]),
            (vec![6, 4], vec![3, 1]),
        ] {
            let nodes: u32 = arities.iter().product();
            // Each level passes on the cables from below divided by its taper.
            let (mut cables, mut total, mut switches) = (nodes, 0, 0);
            let (mut above, mut hops, mut under) = (0, 0, 1);
            for (level, (arity, taper)) in arities.iter().zip(&tapers).enumerate() {
                total += u64::from(cables);
                switches += cables / arity;
                above = cables;
                cables /= taper;
                hops += 2 * (level as u32 + 1) * (under * arity - under);
                under *= arity;
            }
            let ports = arities.iter().zip(&tapers).enumerate();
            let degree = ports.map(|(level, (arity, taper))| {
                arity + if level + 1 < arities.len() { arity / taper } else { 0 }
            });
            let list =
                |numbers: &[u32]| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
            let name = format!("fat-tree:{}:{}", list(&arities), list(&tapers));
            let diameter = 2 * arities.len() as u32;
            let mean = f64::from(hops) / f64::from(nodes - 1);
            let degree = degree.max().expect("levels");
            check(&name, total, degree, diameter, mean, u64::from(above / 2));
            assert_eq!(structure(&name).switches, switches, "{name}");
        }
    }

    #[test]
    fn ports_for_each_level_are_the_short_form_if_they_are_equal() {
        let name = |text: &str| {
            let spec: Result<TopologySpec, _> = text.parse();
            spec.ok().and_then(|spec| spec.build(1).ok()).map(|tree| tree.name().to_owned())
        };
        assert_eq!(name("fat-tree:4,4,4:2,1,1").as_deref(), Some("fat-tree:4x3:2"));
        assert_eq!(name("fat-tree:4,4").as_deref(), Some("fat-tree:4x2"));
        assert_eq!(name("fat-tree:24,18,18:1,2,1").as_deref(), Some("fat-tree:24,18,18:1,2,1"));
        assert_eq!(name("fat-tree:4,3").as_deref(), Some("fat-tree:4,3"));
        for sizes in ["4,1", "4,3:2,3", "4,3:3", "4,", "4,3:", "4,3x2", "4x2:1,2"] {
            assert_eq!(name(&format!("fat-tree:{sizes}")), None, "{sizes}");
        }
        // One taper for each level.
        for sizes in ["4,3:1,1,1", "4,4:1", "24,18,18:1", "24,18,18:1,2", "24,18,18:1,2,1,1"] {
            let error = format!("fat-tree:{sizes}").parse::<TopologySpec>().expect_err(sizes);
            assert!(error.to_string().contains("as many as arities"), "{error}");
        }
    }

    #[test]
    fn targets_spread_over_the_ports_of_each_level() {
        let tree = build("fat-tree:4,4,2:2,2,1");
        let next = |at, target| tree.shape().next_hop(at, target);
        // 8 leaves from vertex 32 on, 4 switches above them from 40 on, 4 at the top from 44 on.
        assert_eq!([next(0, 31), next(32, 28), next(32, 29), next(32, 31)], [32, 40, 41, 41]);
        assert_eq!([next(40, 16), next(40, 20), next(41, 28)], [44, 46, 47]);
        assert_eq!([next(44, 31), next(47, 0)], [42, 41]);
    }
}
