//! `fat-tree`: the tapered k-ary n-tree, switches in levels with the nodes as leaves.
//!
//! A switch of level l is named by digits. Digits from l up identify the subtree that it is the
//! root of; digits below l say which up port was taken on each level on the way to it. A switch and
//! its parent therefore differ in one digit, which is a position below and a port above. With
//! tapering, the switches next to the nodes have fewer up ports than nodes: digit 0 has fewer
//! values above them, and every higher level has fewer switches.

use super::{
    Axes, AxisMetric, BadSizes, Labels, Plan, Shape, Sizes, TopologyDescription, TopologyKind,
    kind::power,
};

/// Number of levels with which the smallest fat tree is larger than any topology may be.
const LEVELS_MAX: u32 = 23;

/// The tapered k-ary n-tree.
#[derive(Debug)]
pub(super) struct FatTree;

impl TopologyKind for FatTree {
    fn description(&self) -> TopologyDescription {
        TopologyDescription {
            name: "fat-tree",
            syntax: "fat-tree[:ARITY[xLEVELS][:TAPER]]",
            sizes: "ARITYxLEVELS:TAPER, arity at least 2 and a multiple of the taper",
            summary: "k-ary n-tree of switches, D-mod-K routing; TAPER nodes share an up port",
        }
    }

    fn plan(&self, sizes: Sizes, needed: u32) -> Result<Plan, BadSizes> {
        let (shape, taper) = match sizes.0.unwrap_or("2").split_once(':') {
            Some((shape, taper)) => (shape, taper.parse().map_err(|_| BadSizes)?),
            None => (sizes.0.unwrap_or("2"), 1),
        };
        let (arity, levels) = match Sizes(Some(shape)).many()?.as_slice() {
            [arity] => (*arity, None),
            [arity, levels] if *levels < LEVELS_MAX => (*arity, Some(*levels)),
            _ => return Err(BadSizes),
        };
        if arity < 2 || taper == 0 || !arity.is_multiple_of(taper) {
            return Err(BadSizes);
        }
        let levels = levels.unwrap_or_else(|| {
            let holds = |levels: &u32| power(arity, *levels) >= u64::from(needed);
            (1..LEVELS_MAX).find(holds).unwrap_or(LEVELS_MAX)
        });
        let tree = Switches { arity, levels, up: arity / taper };
        let taper = if taper > 1 { format!(":{taper}") } else { String::new() };
        Ok(Plan::new(format!("{arity}x{levels}{taper}"), power(arity, levels), move || tree))
    }
}

/// A fat tree with its sizes.
///
/// Routing is up until the target is below, by the port that the target's number names (D-mod-K,
/// which spreads targets over the upper switches), and then down.
#[derive(Debug)]
struct Switches {
    /// Down ports of a switch.
    arity: u32,
    /// Levels of switches.
    levels: u32,
    /// Up ports of a switch next to the nodes; those above have `arity`.
    up: u32,
}

impl Switches {
    /// Returns the number of switches of a level.
    fn row(&self, level: u32) -> u32 {
        match level {
            0 => self.arity.pow(self.levels - 1),
            _ => self.up * self.arity.pow(self.levels - 2),
        }
    }

    /// Returns level and number within it of a switch.
    fn place(&self, vertex: u32) -> (u32, u32) {
        let above = vertex - self.nodes();
        let first = self.row(0);
        if above < first {
            return (0, above);
        }
        let row = self.row(1);
        (1 + (above - first) / row, (above - first) % row)
    }

    fn vertex(&self, level: u32, at: u32) -> u32 {
        let below = if level == 0 { 0 } else { self.row(0) + (level - 1) * self.row(1) };
        self.nodes() + below + at
    }

    /// Returns the number of up ports of the switches of a level.
    fn ports(&self, level: u32) -> u32 {
        match level {
            _ if level + 1 == self.levels => 0,
            0 => self.up,
            _ => self.arity,
        }
    }

    /// Returns the place value of a digit in the numbers of switches above level 0.
    fn weight(&self, digit: u32) -> u32 {
        if digit == 0 { 1 } else { self.up * self.arity.pow(digit - 1) }
    }

    fn parent(&self, level: u32, at: u32, port: u32) -> u32 {
        let number = if level == 0 {
            port + self.up * (at / self.arity)
        } else {
            let weight = self.weight(level);
            at - at / weight % self.arity * weight + port * weight
        };
        self.vertex(level + 1, number)
    }

    fn child(&self, level: u32, at: u32, place: u32) -> u32 {
        let number = if level == 1 {
            place + self.arity * (at / self.up)
        } else {
            let weight = self.weight(level - 1);
            at - at / weight % self.arity * weight + place * weight
        };
        self.vertex(level - 1, number)
    }
}

impl Shape for Switches {
    fn nodes(&self) -> u32 {
        self.arity.pow(self.levels)
    }

    fn vertices(&self) -> u32 {
        self.nodes() + (0..self.levels).map(|level| self.row(level)).sum::<u32>()
    }

    fn neighbours(&self, vertex: u32) -> Vec<u32> {
        if vertex < self.nodes() {
            return vec![self.vertex(0, vertex / self.arity)];
        }
        let (level, at) = self.place(vertex);
        let below = (0..self.arity).map(|place| match level {
            0 => at * self.arity + place,
            _ => self.child(level, at, place),
        });
        let above = (0..self.ports(level)).map(|port| self.parent(level, at, port));
        below.chain(above).collect()
    }

    fn next_hop(&self, vertex: u32, target: u32) -> u32 {
        if vertex < self.nodes() {
            return self.vertex(0, vertex / self.arity);
        }
        let (level, at) = self.place(vertex);
        let leaf = target / self.arity;
        let subtree = if level == 0 { at } else { at / self.weight(level) };
        if subtree != leaf / self.arity.pow(level) {
            let port = target / self.arity.pow(level) % self.ports(level);
            return self.parent(level, at, port);
        }
        match level {
            0 => target,
            _ => self.child(level, at, leaf / self.arity.pow(level - 1) % self.arity),
        }
    }

    /// Routes go up to the lowest switch above both leaves, and down again.
    fn hops(&self, source: u32, target: u32) -> Option<u32> {
        let (mut from, mut to, mut hops) = (source, target, 0);
        while from != to {
            (from, to) = (from / self.arity, to / self.arity);
            hops += 2;
        }
        Some(hops)
    }

    fn axes(&self) -> Option<Axes> {
        Some(Axes { sizes: vec![self.arity; self.levels as usize], metric: AxisMetric::Levels })
    }

    fn bisection(&self) -> Option<u64> {
        let nodes = u64::from(self.nodes());
        Some(match self.levels {
            1 => nodes / 2,
            _ => nodes * u64::from(self.up) / u64::from(self.arity) / 2,
        })
    }

    fn layout(&self, vertex: u32) -> (f64, f64) {
        if vertex < self.nodes() {
            return (f64::from(vertex), 0.0);
        }
        let (level, at) = self.place(vertex);
        let spacing = f64::from(self.nodes()) / f64::from(self.row(level));
        ((f64::from(at) + 0.5) * spacing - 0.5, 2.0 * f64::from(level + 1))
    }

    fn labels(&self) -> Labels {
        Labels::Below
    }
}

#[cfg(test)]
mod tests {
    use crate::topology::testing::{check, structure, verify};

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
        verify(&[
            "fat-tree:3x2",
            "fat-tree:2x4",
            "fat-tree:4x3:2",
            "fat-tree:6x2:3",
            "fat-tree:5x1",
        ]);
    }
}
