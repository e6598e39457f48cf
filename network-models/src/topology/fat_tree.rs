//! The tapered k-ary n-tree: switches in levels, the nodes as leaves.
//!
//! A switch of level l is named by digits. Digits from l up say which subtree it stands on top
//! of; digits below l say which up port was taken on each level on the way to it. So a switch
//! and its parent differ in one digit, which means a place below and a port above. Tapering
//! leaves the switches next to the nodes with fewer up ports than nodes: digit 0 has fewer
//! values above them, and every higher level fewer switches.

/// A fat tree with its sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FatTree {
    /// Down ports of a switch.
    pub arity: u32,
    /// Levels of switches.
    pub levels: u32,
    /// Up ports of a switch next to the nodes; those above have `arity`.
    pub up: u32,
}

impl FatTree {
    /// Places for ranks.
    pub fn nodes(&self) -> u32 {
        self.arity.pow(self.levels)
    }

    /// Switches of a level.
    pub fn row(&self, level: u32) -> u32 {
        match level {
            0 => self.arity.pow(self.levels - 1),
            _ => self.up * self.arity.pow(self.levels - 2),
        }
    }

    /// Nodes and switches.
    pub fn vertices(&self) -> u32 {
        self.nodes() + (0..self.levels).map(|level| self.row(level)).sum::<u32>()
    }

    /// Cables between the halves of the tree.
    pub fn bisection(&self) -> u64 {
        let nodes = u64::from(self.nodes());
        match self.levels {
            1 => nodes / 2,
            _ => nodes * u64::from(self.up) / u64::from(self.arity) / 2,
        }
    }

    /// Level and number within it of a switch.
    pub fn place(&self, vertex: u32) -> (u32, u32) {
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

    /// Up ports of the switches of a level.
    fn ports(&self, level: u32) -> u32 {
        match level {
            _ if level + 1 == self.levels => 0,
            0 => self.up,
            _ => self.arity,
        }
    }

    /// Place value of a digit in the numbers of switches above level 0.
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

    pub(super) fn neighbours(&self, vertex: u32) -> Vec<u32> {
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

    /// Up until the target is below, by the port that the target's number names (D-mod-K, which
    /// spreads targets over the upper switches); then down.
    pub(super) fn next_hop(&self, vertex: u32, target: u32) -> u32 {
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

    /// Up to the lowest switch above both leaves, and down again.
    pub(super) fn hops(&self, source: u32, target: u32) -> u32 {
        let (mut from, mut to, mut hops) = (source, target, 0);
        while from != to {
            (from, to) = (from / self.arity, to / self.arity);
            hops += 2;
        }
        hops
    }

    pub(super) fn layout(&self, vertex: u32) -> (f64, f64) {
        if vertex < self.nodes() {
            return (f64::from(vertex), 0.0);
        }
        let (level, at) = self.place(vertex);
        let spacing = f64::from(self.nodes()) / f64::from(self.row(level));
        ((f64::from(at) + 0.5) * spacing - 0.5, 2.0 * f64::from(level + 1))
    }
}
