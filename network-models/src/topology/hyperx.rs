//! `hyperx`: a grid of switches in which every line of every dimension is a complete graph (Ahn,
//! Binkert, Davis, McLaren and Schreiber, "HyperX: topology, routing, and packaging of efficient
//! large-scale networks", SC 2009). With as many nodes a switch as switches in a line it is the
//! flattened butterfly (Kim, Dally and Abts, ISCA 2007).

use std::f64::consts::{PI, TAU};

use super::{
    BadSizes, Labels, Plan, Shape, Sizes, TopologyDescription, TopologyKind, halving::product,
    row_major,
};

/// The topology `hyperx`.
#[derive(Debug)]
pub(super) struct HyperX;

impl TopologyKind for HyperX {
    fn description(&self) -> TopologyDescription {
        TopologyDescription {
            name: "hyperx",
            syntax: "hyperx[:AxBx..[:T]]",
            sizes: "AxBx..:T, T nodes a switch",
            summary: "grid of switches whose lines are complete graphs, T nodes a switch; dimension order; \
                      AxA:A is a flattened butterfly",
        }
    }

    fn plan(&self, sizes: Sizes, needed: u32) -> Result<Plan, BadSizes> {
        let (dims, hosts) = match sizes.0.map(|text| text.split_once(':').ok_or(text)) {
            None => {
                let holds = |side: &u32| u64::from(*side).pow(3) >= u64::from(needed);
                let side = (1..).find(holds).unwrap_or(1);
                (vec![side, side], Some(side))
            }
            Some(Err(dims)) => (Sizes(Some(dims)).many()?, None),
            Some(Ok((dims, hosts))) => (Sizes(Some(dims)).many()?, Sizes(Some(hosts)).one()?),
        };
        let switches = dims.iter().fold(1u64, |all, size| all.saturating_mul(u64::from(*size)));
        let fewest = u64::from(needed).div_ceil(switches) as u32;
        let hosts = hosts.unwrap_or(fewest.max(1));
        let text: Vec<String> = dims.iter().map(u32::to_string).collect();
        let others: u64 = dims.iter().map(|size| u64::from(size - 1)).sum();
        let plan = Plan::new(
            format!("{}:{hosts}", text.join("x")),
            switches.saturating_mul(hosts.into()),
            move || Lines { dims, hosts },
        );
        Ok(plan.with_cables(switches.saturating_mul(others) / 2))
    }
}

/// Node n is at switch n / T; switches are numbered row-major. Routing is dimension order, from the
/// last dimension to the first.
#[derive(Debug)]
struct Lines {
    /// Switches along each dimension.
    dims: Vec<u32>,
    /// Nodes of a switch.
    hosts: u32,
}

impl Lines {
    fn switches(&self) -> u32 {
        self.dims.iter().product()
    }

    /// Returns the switch that a vertex is or belongs to.
    fn switch(&self, vertex: u32) -> u32 {
        if vertex < self.nodes() { vertex / self.hosts } else { vertex - self.nodes() }
    }
}

impl Shape for Lines {
    fn nodes(&self) -> u32 {
        self.switches() * self.hosts
    }

    fn vertices(&self) -> u32 {
        self.nodes() + self.switches()
    }

    fn neighbours(&self, vertex: u32) -> Vec<u32> {
        let switch = self.switch(vertex);
        if vertex < self.nodes() {
            return vec![self.nodes() + switch];
        }
        let mut neighbours: Vec<u32> = (switch * self.hosts..(switch + 1) * self.hosts).collect();
        let mut stride = 1;
        for size in self.dims.iter().rev() {
            let here = switch / stride % size;
            let others = (0..*size).filter(|there| *there != here);
            neighbours.extend(others.map(|there| vertex - here * stride + there * stride));
            stride *= size;
        }
        neighbours
    }

    fn next_hop(&self, at: u32, target: u32) -> u32 {
        let (from, to) = (self.switch(at), self.switch(target));
        if at < self.nodes() {
            return self.nodes() + from;
        }
        let mut stride = 1;
        for size in self.dims.iter().rev() {
            let (here, there) = (from / stride % size, to / stride % size);
            if here != there {
                return at - here * stride + there * stride;
            }
            stride *= size;
        }
        target
    }

    fn hops(&self, source: u32, target: u32) -> Option<u32> {
        if source == target {
            return Some(0);
        }
        let (mut from, mut to, mut hops) = (self.switch(source), self.switch(target), 2);
        for size in self.dims.iter().rev() {
            hops += u32::from(from % size != to % size);
            (from, to) = (from / size, to / size);
        }
        Some(hops)
    }

    fn coordinates(&self, node: u32) -> Vec<u32> {
        let mut coordinates = row_major(self.switch(node), &self.dims);
        coordinates.push(node % self.hosts);
        coordinates
    }

    /// Halves the switches, and the nodes of the one that is left over, if any.
    fn halving(&self) -> Option<u64> {
        let cut = |size: u64| (size / 2) * size.div_ceil(2);
        let left_over = if self.switches() % 2 == 1 { u64::from(self.hosts / 2) } else { 0 };
        Some(product(&self.dims, &cut) + left_over)
    }

    /// Draws planes of switches side by side, with the nodes around each switch. Lines are bent, so
    /// that the cables of a line lie side by side.
    fn layout(&self, vertex: u32) -> (f64, f64) {
        let place = row_major(self.switch(vertex), &self.dims);
        let (row, rows) = match place.len() {
            1 => (0, 1),
            dims => (place[dims - 2], self.dims[dims - 2]),
        };
        let (column, columns) = (place[place.len() - 1], self.dims[place.len() - 1]);
        // A circle instead of a line, if there is only one.
        let around = f64::from(self.hosts).sqrt() * 0.3 + 0.3;
        let pitch = 2.0 * around + 1.4;
        let (mut x, mut y) = if self.switches() == columns {
            let (radius, angle) =
                (pitch * f64::from(columns) / TAU, TAU * f64::from(column) / f64::from(columns));
            (radius * angle.sin(), radius * angle.cos())
        } else {
            let bend = |at: u32, of: u32| (PI * (f64::from(at) + 0.5) / f64::from(of)).sin();
            let depth = |of: u32| 0.2 * pitch * f64::from(of.saturating_sub(2));
            let x = pitch * f64::from(column) + depth(rows) * bend(row, rows);
            (x, -pitch * f64::from(row) + depth(columns) * bend(column, columns))
        };
        for (index, coordinate) in place.iter().rev().skip(2).enumerate() {
            let across = |of: u32| pitch * (1.15 * f64::from(of) + 0.6);
            let shift = f64::from(*coordinate);
            if index % 2 == 0 { x += shift * across(columns) } else { y -= shift * across(rows) }
        }
        if vertex < self.nodes() {
            // Off the lines, which go right and up.
            let turn = 0.125 + f64::from(vertex % self.hosts) / f64::from(self.hosts);
            x += around * (TAU * turn).sin();
            y += around * (TAU * turn).cos();
        }
        (x, y)
    }

    fn labels(&self) -> Labels {
        Labels::Nowhere
    }
}

#[cfg(test)]
mod tests {
    use crate::topology::{
        TopologySpec,
        testing::{build, check, sound},
    };

    #[test]
    fn closed_forms() {
        // With few nodes at a switch half of their cables are the fewest.
        for (dims, t, bisection) in [
            (vec![4u32, 4], 4u32, 16),
            (vec![3, 3, 3], 1, 13),
            (vec![2, 4], 3, 4),
            (vec![6], 2, 6),
            (vec![4; 3], 2, 64),
        ] {
            let switches: u32 = dims.iter().product();
            let nodes = switches * t;
            let others: u32 = dims.iter().map(|size| size - 1).sum();
            let cables = u64::from(nodes) + u64::from(switches * others / 2);
            // A coordinate differs from another one with probability 1 - 1/size.
            let mean: f64 = dims.iter().map(|size| 1.0 - 1.0 / f64::from(*size)).sum();
            let mean = 2.0 + mean * f64::from(nodes) / f64::from(nodes - 1);
            let text: Vec<String> = dims.iter().map(u32::to_string).collect();
            let diameter = 2 + dims.len() as u32;
            let name = format!("hyperx:{}:{t}", text.join("x"));
            check(&name, cables, t + others, diameter, mean, bisection);
        }
        check("hyperx:1:6", 6, 6, 2, 2.0, 3);
    }

    #[test]
    fn routes_take_the_last_dimension_first() {
        sound(&["hyperx:1:1", "hyperx:1:4", "hyperx:5", "hyperx:3x4:2", "hyperx:2x3x4:1"]);
        sound(&["hyperx:4x4:4", "hyperx:2x2x2x2:2", "hyperx:1x3:2"]);
        let hyperx = build("hyperx:4x4:1");
        let next = |at, target| hyperx.shape().next_hop(at, target);
        assert_eq!([next(0, 15), next(16, 15), next(19, 15), next(31, 15)], [16, 19, 31, 15]);
    }

    #[test]
    fn sizes_left_out_are_those_of_a_flattened_butterfly() {
        let name = |text: &str, ranks| {
            let spec: TopologySpec = text.parse().expect("a HyperX");
            spec.build(ranks).map(|topology| topology.name().to_owned())
        };
        assert_eq!(name("hyperx", 64).as_deref(), Ok("hyperx:4x4:4"));
        assert_eq!(name("hyperx", 65).as_deref(), Ok("hyperx:5x5:5"));
        assert_eq!(name("hyperx:4x4", 40).as_deref(), Ok("hyperx:4x4:3"));
        assert_eq!(name("hyperx:4x4:2", 2).as_deref(), Ok("hyperx:4x4:2"));
        assert!(name("hyperx:2000000", 1).is_err(), "too many cables");
        for text in ["", ":4", "4x4:", "4x4:0", "4x4:2x2", "4x0", "4,4"] {
            assert!(format!("hyperx:{text}").parse::<TopologySpec>().is_err(), "{text}");
        }
    }
}
