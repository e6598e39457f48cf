//! `slim-fly`: the graphs of diameter 2 by McKay, Miller and Širáň as networks (Besta and Hoefler,
//! "Slim Fly: a cost effective low-diameter network topology", SC 2014).

use std::f64::consts::TAU;

use super::{
    BadSizes, Labels, Plan, Shape, Sizes, TopologyDescription, TopologyKind, field::Field,
    groups::Circles,
};

/// Largest order of the field.
const ORDER_MAX: u32 = 139;

/// The topology `slim-fly`.
#[derive(Debug)]
pub(super) struct SlimFly;

impl TopologyKind for SlimFly {
    fn description(&self) -> TopologyDescription {
        TopologyDescription {
            name: "slim-fly",
            syntax: "slim-fly[:Q[xP]]",
            sizes: "QxP: Q a prime power from 4 to 139 that is not 2 modulo 4, P nodes a router",
            summary: "2 Q^2 routers at most two links apart, P nodes a router; shortest routes, \
                      2 virtual channels",
        }
    }

    fn plan(&self, sizes: Sizes, needed: u32) -> Result<Plan, BadSizes> {
        let (order, hosts) = match sizes.listed()?.as_slice() {
            [] => {
                let holds = |order: &u32| {
                    is_order(*order)
                        && 2 * u64::from(order * order) * u64::from(balanced(*order))
                            >= u64::from(needed)
                };
                ((4..ORDER_MAX).find(holds).unwrap_or(ORDER_MAX), None)
            }
            [order] => (*order, None),
            [order, hosts] => (*order, Some(*hosts)),
            _ => return Err(BadSizes),
        };
        if !is_order(order) {
            return Err(BadSizes);
        }
        let hosts = hosts.unwrap_or(balanced(order));
        let nodes = 2 * u64::from(order * order) * u64::from(hosts);
        Ok(Plan::new(format!("{order}x{hosts}"), nodes, move || Mms::new(order, hosts)))
    }
}

/// Returns whether there is a graph for this order of the field.
fn is_order(order: u32) -> bool {
    let prime = (2..=order).find(|divisor| order.is_multiple_of(*divisor));
    let is_power =
        |prime: u32| (1..8).any(|degree| u64::from(prime).pow(degree) == u64::from(order));
    (4..=ORDER_MAX).contains(&order) && order % 4 != 2 && prime.is_some_and(is_power)
}

/// Returns the links of a router to others, (3q - δ)/2 with q = 4w + δ.
fn degree(order: u32) -> u32 {
    match order % 4 {
        0 => 3 * order / 2,
        1 => (3 * order - 1) / 2,
        _ => (3 * order).div_ceil(2),
    }
}

/// Returns the number of nodes of a router with which the network has full global bandwidth.
fn balanced(order: u32) -> u32 {
    degree(order).div_ceil(2)
}

/// Router (s, x, y) has number s·q² + x·q + y and the nodes from P times its number on.
///
/// Routers (0, x, y) and (0, x, y') are joined if y - y' is in the first set of generators,
/// (1, m, c) and (1, m, c') if c - c' is in the second, and (0, x, y) and (1, m, c) if y = mx + c.
///
/// Routing is minimal; of several routers between two, routes take the one with the lowest number.
/// The second link between routers has a virtual channel of its own.
#[derive(Debug)]
struct Mms {
    field: Field,
    /// Nodes of a router.
    hosts: u32,
    /// Whether an element is in the set of generators of each half.
    generators: [Vec<bool>; 2],
}

impl Mms {
    fn new(order: u32, hosts: u32) -> Self {
        let field = Field::new(order).expect("the plan has a prime power");
        let powers = field.powers();
        let w = ((order + 1) / 4) as usize;
        // The exponents of the first set; those of the second are one higher.
        let exponents: Vec<usize> = match order % 4 {
            3 => (0..w).map(|i| 2 * i).chain((0..w).map(|i| 2 * w - 1 + 2 * i)).collect(),
            _ => (0..order as usize / 2).map(|i| 2 * i).collect(),
        };
        let generators = [0, 1].map(|shift| {
            let mut set = vec![false; order as usize];
            for exponent in &exponents {
                set[powers[(exponent + shift) % powers.len()] as usize] = true;
            }
            set
        });
        Self { field, hosts, generators }
    }

    fn order(&self) -> u32 {
        self.field.order()
    }

    fn routers(&self) -> u32 {
        2 * self.order() * self.order()
    }

    /// Returns the router that a vertex is or belongs to.
    fn router(&self, vertex: u32) -> u32 {
        if vertex < self.nodes() { vertex / self.hosts } else { vertex - self.nodes() }
    }

    /// Returns half, column and place of a router.
    fn place(&self, router: u32) -> (u32, u32, u32) {
        let q = self.order();
        (router / (q * q), router / q % q, router % q)
    }

    fn are_joined(&self, a: u32, b: u32) -> bool {
        let (first, second) = (self.place(a.min(b)), self.place(a.max(b)));
        if first.0 == second.0 {
            let apart = self.field.subtract(first.2, second.2);
            return first.1 == second.1 && self.generators[first.0 as usize][apart as usize];
        }
        first.2 == self.field.add(self.field.multiply(second.1, first.1), second.2)
    }

    /// Returns the routers that a router is joined to, in ascending order.
    fn joined(&self, router: u32) -> impl Iterator<Item = u32> {
        let (q, (half, column, place)) = (self.order(), self.place(router));
        let own = router - place;
        let generators = &self.generators[half as usize];
        let beside = (0..q)
            .filter(move |other| generators[self.field.subtract(place, *other) as usize])
            .map(move |other| own + other);
        let across = (0..q).map(move |other| {
            let product = self.field.multiply(column, other);
            let end = match half {
                0 => self.field.subtract(place, product),
                _ => self.field.add(product, place),
            };
            (1 - half) * q * q + other * q + end
        });
        let (first, last) = match half {
            0 => (Some(beside), None),
            _ => (None, Some(beside)),
        };
        first.into_iter().flatten().chain(across).chain(last.into_iter().flatten())
    }
}

impl Shape for Mms {
    fn nodes(&self) -> u32 {
        self.routers() * self.hosts
    }

    fn vertices(&self) -> u32 {
        self.nodes() + self.routers()
    }

    fn neighbours(&self, vertex: u32) -> Vec<u32> {
        let router = self.router(vertex);
        if vertex < self.nodes() {
            return vec![self.nodes() + router];
        }
        let nodes = router * self.hosts..(router + 1) * self.hosts;
        nodes.chain(self.joined(router).map(|other| self.nodes() + other)).collect()
    }

    fn next_hop(&self, at: u32, target: u32) -> u32 {
        let (from, to) = (self.router(at), self.router(target));
        if at < self.nodes() {
            return self.nodes() + from;
        }
        if from == to {
            return target;
        }
        let between = || self.joined(from).find(|middle| self.are_joined(*middle, to));
        let next = if self.are_joined(from, to) { Some(to) } else { between() };
        self.nodes() + next.expect("the diameter is 2")
    }

    fn channels(&self) -> u32 {
        2
    }

    fn channel(&self, source: u32, at: u32, _: u32) -> u32 {
        u32::from(self.router(source) != self.router(at))
    }

    fn hops(&self, source: u32, target: u32) -> Option<u32> {
        let (from, to) = (self.router(source), self.router(target));
        Some(match () {
            () if source == target => 0,
            () if from == to => 2,
            () if self.are_joined(from, to) => 3,
            () => 4,
        })
    }

    fn coordinates(&self, node: u32) -> Vec<u32> {
        let (half, column, place) = self.place(self.router(node));
        vec![half, column, place, node % self.hosts]
    }

    /// Cuts between the lower and the upper columns of both halves; of an odd number, the middle column of one
    /// half is below the cut and that of the other above.
    fn halving(&self) -> Option<u64> {
        let q = u64::from(self.order());
        let (first, second) = (q.div_ceil(2), q / 2);
        // A router is joined to one router of each column of the other half.
        Some(q * (first * (q - second) + (q - first) * second))
    }

    /// Draws columns as circles on a circle, those of the two halves in turns.
    fn layout(&self, vertex: u32) -> (f64, f64) {
        let (half, column, place) = self.place(self.router(vertex));
        let q = f64::from(self.order());
        let ring = q * (0.25 * f64::from(self.hosts)).max(1.0) / TAU;
        let circles = Circles { groups: 2 * self.order(), radius: ring + 1.0 };
        let node = vertex < self.nodes();
        let beside = if node {
            0.1 + 0.8 * (f64::from(vertex % self.hosts) + 0.5) / f64::from(self.hosts)
        } else {
            0.5
        };
        let distance = if node { ring + 1.0 } else { ring };
        circles.place(2 * column + half, (f64::from(place) + beside) / q, distance)
    }

    fn labels(&self) -> Labels {
        Labels::Nowhere
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{
        TopologySpec,
        testing::{build, check, sound},
    };

    #[test]
    fn closed_forms() {
        for (q, p) in [(4u32, 1u32), (5, 4), (7, 1), (8, 1), (9, 1), (11, 1)] {
            let (routers, links) = (2 * q * q, degree(q));
            let nodes = routers * p;
            let cables = u64::from(nodes) + u64::from(routers * links / 2);
            // Of the other routers, those that are not neighbours are two links away.
            let far = f64::from(p * (routers - 1 - links)) * 4.0;
            let hops = far + f64::from(p * links) * 3.0 + f64::from(p - 1) * 2.0;
            // Of the Hoffman-Singleton graph at least 62.5 (Hoffman and Singleton, 1960, by its eigenvalues). With one
            // node at each router half of their cables are fewer.
            let bisection = if q == 5 { 65 } else { nodes / 2 };
            let mean = hops / f64::from(nodes - 1);
            check(&format!("slim-fly:{q}x{p}"), cables, links + p, 4, mean, bisection.into());
        }
    }

    #[test]
    fn the_smallest_graph_of_a_prime_is_that_of_hoffman_and_singleton() {
        // 50 vertices of degree 7 and diameter 2: the Moore bound.
        let graph = build("slim-fly:5x1").structure();
        assert_eq!((graph.switches, graph.degree - 1, graph.diameter - 2), (50, 7, 2));
        assert_eq!(1 + 7 + 7 * 6, 50);
    }

    #[test]
    fn routes_and_channels() {
        sound(&["slim-fly:4x1", "slim-fly:5x1", "slim-fly:5x3", "slim-fly:7x1", "slim-fly:8x1"]);
    }

    #[test]
    fn sizes_left_out_are_balanced_and_the_smallest() {
        let name = |text: &str, ranks| {
            let spec: TopologySpec = text.parse().expect("a Slim Fly");
            spec.build(ranks).map(|topology| topology.name().to_owned())
        };
        assert_eq!(name("slim-fly", 64).as_deref(), Ok("slim-fly:4x3"));
        assert_eq!(name("slim-fly", 97).as_deref(), Ok("slim-fly:5x4"));
        assert_eq!(name("slim-fly", 1000).as_deref(), Ok("slim-fly:9x7"));
        assert_eq!(name("slim-fly:19", 10_000).as_deref(), Ok("slim-fly:19x15"));
        for text in ["2", "3", "6", "10", "12", "15", "140", "149", "5x0", "5x4x3", "5:4"] {
            assert!(format!("slim-fly:{text}").parse::<TopologySpec>().is_err(), "{text}");
        }
    }
}
