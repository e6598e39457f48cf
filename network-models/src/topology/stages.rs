//! [`Stages`]: the shape of multistage networks whose cables carry one direction.

use super::{BadSizes, Labels, Plan, Shape, Sizes, kind::power};

/// Number of stages with which the smallest network is larger than any topology may be.
const STAGES_MAX: u32 = 23;

/// The wires between two stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wiring {
    /// Stage i, counted from 1, exchanges the digit with the weight kⁿ⁻¹⁻ⁱ of the switch number.
    Butterfly,
    /// Each stage, the first one too, is preceded by a perfect shuffle of all wires.
    Shuffle,
}

/// A multistage network: n stages of kⁿ⁻¹ switches with k inputs and k outputs, on which a route
/// from each node leads through all stages back to any node.
///
/// Cables carry one direction, and there is one route for each pair. The output port at each stage
/// is a digit of the target, from the highest on (Dally and Towles, chapter 4).
#[derive(Debug)]
pub(super) struct Stages {
    arity: u32,
    stages: u32,
    wiring: Wiring,
}

/// Plans a multistage network of the sizes `KxN`.
pub(super) fn plan(sizes: Sizes, needed: u32, wiring: Wiring) -> Result<Plan, BadSizes> {
    let (arity, stages) = match sizes.many()?.as_slice() {
        [] => (2, None),
        [arity] => (*arity, None),
        [arity, stages] if *stages < STAGES_MAX => (*arity, Some(*stages)),
        _ => return Err(BadSizes),
    };
    if arity < 2 {
        return Err(BadSizes);
    }
    let stages = stages.unwrap_or_else(|| {
        let holds = |stages: &u32| power(arity, *stages) >= u64::from(needed);
        (1..STAGES_MAX).find(holds).unwrap_or(STAGES_MAX)
    });
    let nodes = power(arity, stages);
    let shape = Stages { arity, stages, wiring };
    let cables = nodes.saturating_mul(u64::from(stages) + 1);
    Ok(Plan::new(format!("{arity}x{stages}"), nodes, move || shape).with_cables(cables))
}

impl Stages {
    /// Returns the number of switches of a stage.
    fn row(&self) -> u32 {
        self.arity.pow(self.stages - 1)
    }

    fn switch(&self, stage: u32, number: u32) -> u32 {
        self.nodes() + stage * self.row() + number
    }

    /// Returns stage and number of a switch.
    fn place(&self, vertex: u32) -> (u32, u32) {
        let switch = vertex - self.nodes();
        (switch / self.row(), switch % self.row())
    }

    /// Returns the number of the switch that a wire leads to behind a perfect shuffle.
    fn shuffled(&self, wire: u32) -> u32 {
        wire % self.row()
    }

    /// Returns the vertex behind an output port of a switch.
    fn behind(&self, stage: u32, number: u32, port: u32) -> u32 {
        let wire = number * self.arity + port;
        if stage + 1 == self.stages {
            return wire;
        }
        let next = match self.wiring {
            Wiring::Butterfly => {
                let weight = self.arity.pow(self.stages - 2 - stage);
                number - number / weight % self.arity * weight + port * weight
            }
            Wiring::Shuffle => self.shuffled(wire),
        };
        self.switch(stage + 1, next)
    }

    /// Returns the switch of the first stage that a node sends to.
    fn entry(&self, node: u32) -> u32 {
        let number = match self.wiring {
            Wiring::Butterfly => node / self.arity,
            Wiring::Shuffle => self.shuffled(node),
        };
        self.switch(0, number)
    }
}

impl Shape for Stages {
    fn nodes(&self) -> u32 {
        self.arity.pow(self.stages)
    }

    fn vertices(&self) -> u32 {
        self.nodes() + self.stages * self.row()
    }

    fn neighbours(&self, vertex: u32) -> Vec<u32> {
        if vertex < self.nodes() {
            return vec![self.entry(vertex)];
        }
        let (stage, number) = self.place(vertex);
        (0..self.arity).map(|port| self.behind(stage, number, port)).collect()
    }

    /// Nodes have a cable to the first stage and one from the last.
    fn forwards(&self, vertex: u32) -> bool {
        vertex >= self.nodes()
    }

    fn is_one_way(&self) -> bool {
        true
    }

    fn next_hop(&self, at: u32, target: u32) -> u32 {
        if at < self.nodes() {
            return self.entry(at);
        }
        let (stage, number) = self.place(at);
        let digit = target / self.arity.pow(self.stages - 1 - stage) % self.arity;
        self.behind(stage, number, digit)
    }

    fn hops(&self, source: u32, target: u32) -> Option<u32> {
        Some(if source == target { 0 } else { self.stages + 1 })
    }

    fn is_equidistant(&self) -> bool {
        true
    }

    /// Half of the wires behind the first stage of a butterfly lead to the other half of the targets. A shuffle
    /// has wires between halves in more than one place.
    fn halving(&self) -> Option<u64> {
        match self.wiring {
            Wiring::Butterfly if self.arity.is_multiple_of(2) && self.stages > 1 => {
                Some(u64::from(self.nodes() / 2))
            }
            Wiring::Butterfly | Wiring::Shuffle => None,
        }
    }

    /// Draws nodes at the left and stages from left to right. Wires from the last stage to the
    /// nodes leave the drawing at the right.
    fn layout(&self, vertex: u32) -> (f64, f64) {
        let nodes = f64::from(self.nodes());
        let pitch = (1.2 * nodes / f64::from(self.stages + 1)).max(2.0);
        if vertex < self.nodes() {
            return (0.0, -f64::from(vertex));
        }
        let (stage, number) = self.place(vertex);
        let (arity, number) = (f64::from(self.arity), f64::from(number));
        (pitch * f64::from(stage + 1), -(number * arity + (arity - 1.0) / 2.0))
    }

    fn labels(&self) -> Labels {
        Labels::Nowhere
    }

    fn wraps(&self, from: u32, to: u32) -> bool {
        to < self.nodes() && from >= self.nodes()
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
        for wiring in ["butterfly", "omega"] {
            for (k, n) in [(2u32, 1u32), (2, 2), (2, 3), (2, 6), (3, 3), (4, 3), (8, 2)] {
                let (nodes, hops) = (k.pow(n), n + 1);
                // k outputs and k inputs of each switch; a cable to and one from each node.
                let cables = u64::from(nodes * (n + 1));
                let name = format!("{wiring}:{k}x{n}");
                let structure = build(&name).structure();
                check(&name, cables, 2 * k, hops, hops.into(), structure.bisection);
                assert_eq!(structure.switches, n * k.pow(n - 1));
                // A node alone has two cables.
                let is_halved = wiring == "butterfly" && k % 2 == 0 && n > 1;
                let most = if is_halved { nodes / 2 } else { nodes / 2 * 2 };
                assert!(structure.bisection <= most.into(), "{name}: {}", structure.bisection);
            }
        }
    }

    #[test]
    fn routes_and_channels() {
        for wiring in ["butterfly", "omega"] {
            let name = |sizes: &str| format!("{wiring}:{sizes}");
            for sizes in ["2x1", "2x2", "2x4", "3x3", "4x2", "5x1"] {
                sound(&[&name(sizes)]);
            }
        }
    }

    /// The largest number of routes of a permutation of the nodes on one link.
    fn conflicts(name: &str, image: impl Fn(u32) -> u32) -> u32 {
        let topology = build(name);
        let mut loads = vec![0u32; topology.link_count() as usize];
        for node in 0..topology.nodes() {
            let mut route = Vec::new();
            topology.shape().route(topology.graph(), node, image(node), &mut route);
            route.iter().for_each(|link| loads[link.0 as usize] += 1);
        }
        loads.into_iter().max().expect("links")
    }

    #[test]
    fn permutations_pass_or_conflict_as_is_known() {
        // Lawrie 1975: shifts pass an omega network, and the reversal of the bits needs √N passes.
        // (The last bit is inverted, too, so that no node sends to itself.)
        for shift in 1..16 {
            assert_eq!(conflicts("omega:2x4", |node| (node + shift) % 16), 1, "{shift}");
        }
        let reversed = |node: u32| node.reverse_bits() >> 28 ^ 1;
        assert_eq!(conflicts("omega:2x4", reversed), 4);
        // The links behind the second stage of a butterfly are named by the upper two bits of the
        // target and the middle ones of the source. A perfect shuffle makes these the same, and
        // its inverse never has two routes on a link.
        assert_eq!(conflicts("butterfly:2x4", reversed), 2);
        assert_eq!(conflicts("butterfly:2x4", |node| (node << 1 | node >> 3) & 15), 4);
        assert_eq!(conflicts("butterfly:2x4", |node| (node >> 1 | node << 3) & 15), 1);
    }

    #[test]
    fn sizes() {
        let name = |text: &str, ranks| {
            let spec: TopologySpec = text.parse().expect("a multistage network");
            spec.build(ranks).map(|topology| topology.name().to_owned())
        };
        assert_eq!(name("butterfly", 9).as_deref(), Ok("butterfly:2x4"));
        assert_eq!(name("omega:4", 17).as_deref(), Ok("omega:4x3"));
        for text in ["1x3", "2x0", "2x23", "2x2x2", "", "x"] {
            assert!(format!("omega:{text}").parse::<TopologySpec>().is_err(), "{text}");
        }
    }
}
