//! What a network consists of, and what that costs: cables by length, switches and adapters by ports.

use std::collections::BTreeMap;

use crate::topology::{LinkId, Topology, VertexId, spread_from};

/// Length of a cable, by the racks of its ends.
///
/// Nodes of the machine fill racks in the order of their numbers, each with all of its NICs; a switch
/// stands in the rack of the lowest-numbered node or switch that is joined to it and already has a place.
/// Racks stand in one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CableLength {
    /// Both ends are in one rack: copper.
    Short,
    /// The racks are near each other: active copper.
    Medium,
    /// Anything further: optical fibres.
    Long,
}

impl CableLength {
    /// All lengths, the shortest first.
    pub const ALL: [Self; 3] = [Self::Short, Self::Medium, Self::Long];

    /// Returns the word for this length in files and results.
    pub fn word(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Medium => "medium",
            Self::Long => "long",
        }
    }
}

/// How nodes stand in racks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Floor {
    /// Number of nodes of the machine in a rack.
    pub nodes_per_rack: u32,
    /// Largest distance of two racks, in racks, that a cable of medium length bridges.
    pub near_racks: u32,
}

impl Default for Floor {
    fn default() -> Self {
        Self { nodes_per_rack: 32, near_racks: 2 }
    }
}

/// The parts of a network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bill {
    /// Number of cables by length, in the order of [`CableLength::ALL`].
    pub cables: [u64; 3],
    /// Number of switches by number of ports.
    pub switches: BTreeMap<u32, u64>,
    /// Number of nodes by number of cables.
    pub adapters: BTreeMap<u32, u64>,
    /// How many of these forward messages of others: their adapters contain a router.
    pub forwarding: BTreeMap<u32, u64>,
}

impl Bill {
    /// Returns the parts of a topology whose nodes stand as `floor` says.
    pub fn of(topology: &Topology, floor: Floor) -> Self {
        let (nodes, vertices) = (topology.nodes(), topology.vertices());
        let cables = cables(topology);
        let mut ports = vec![0u32; vertices as usize];
        for (from, to) in &cables {
            ports[*from as usize] += 1;
            ports[*to as usize] += 1;
        }
        let racks = racks(topology, &cables, floor);
        let mut bill = Self::default();
        for (from, to) in cables {
            let apart = racks[from as usize].abs_diff(racks[to as usize]);
            let length = match apart {
                0 => CableLength::Short,
                near if near <= floor.near_racks => CableLength::Medium,
                _ => CableLength::Long,
            };
            bill.cables[length as usize] += 1;
        }
        for (vertex, ports) in (0..).zip(ports) {
            let kind = if vertex < nodes { &mut bill.adapters } else { &mut bill.switches };
            *kind.entry(ports).or_default() += 1;
            // A node with as many cables as it has ports for its own messages is between no others.
            let is_between = ports > topology.rails() && topology.forwards(VertexId(vertex));
            if vertex < nodes && is_between {
                *bill.forwarding.entry(ports).or_default() += 1;
            }
        }
        bill
    }

    /// Returns the number of cable ends, at nodes and switches together.
    pub fn ports(&self) -> u64 {
        2 * self.cables.iter().sum::<u64>()
    }

    /// Returns the number of crosspoints: of a switch with n ports n², of a node that forwards
    /// messages (n + 1)², since its own messages have a port, too.
    pub fn crosspoints(&self) -> u64 {
        let square = |ports: u64| ports.saturating_mul(ports);
        let switches = self.switches.iter().map(|(ports, count)| square((*ports).into()) * count);
        let routers =
            self.forwarding.iter().map(|(ports, count)| square(u64::from(*ports) + 1) * count);
        switches.chain(routers).sum()
    }

    /// Returns whether all nodes are joined to one switch and to nothing else, or to several such switches.
    pub fn is_one_switch(&self) -> bool {
        let nodes: u64 = self.adapters.values().sum();
        let mut switches = self.switches.iter();
        let Some((ports, count)) = switches.next().filter(|_| switches.next().is_none()) else {
            return false;
        };
        let is_joined_to_each = |(cables, _): (&u32, &u64)| u64::from(*cables) == *count;
        u64::from(*ports) == nodes && self.adapters.iter().all(is_joined_to_each)
    }
}

/// Returns the two ends of every cable; of cables that carry one direction those of each link.
fn cables(topology: &Topology) -> Vec<(u32, u32)> {
    let links = (0..topology.link_count()).map(|link| topology.link_ends(LinkId(link)));
    let one_way = topology.has_one_way_cables();
    let ends = links.map(|(from, to)| (from.0, to.0));
    ends.filter(|(from, to)| one_way || from < to).collect()
}

/// Returns the rack of every vertex.
fn racks(topology: &Topology, cables: &[(u32, u32)], floor: Floor) -> Vec<u32> {
    let mut neighbours = vec![Vec::new(); topology.vertices() as usize];
    for (from, to) in cables {
        neighbours[*from as usize].push(*to);
        neighbours[*to as usize].push(*from);
    }
    let rack = |node: u32| node / topology.nics() / floor.nodes_per_rack.max(1);
    let nodes = (0..topology.nodes()).map(|node| (node, rack(node)));
    let joined = |vertex: u32| neighbours[vertex as usize].as_slice();
    let racks = spread_from(nodes, neighbours.len(), joined, |rack| rack, |_| true);
    // What is joined to nothing stands in the first one.
    racks.into_iter().map(|rack| if rack == u32::MAX { 0 } else { rack }).collect()
}

/// Money and power of one part.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Price {
    /// Money, in the unit of the prices.
    pub price: f64,
    /// Power in watts.
    pub watts: f64,
}

/// How much parts with a number of ports cost.
#[derive(Clone, Debug, PartialEq)]
pub enum ByPorts {
    /// `per_port` for each port and `per_crosspoint` for each crosspoint inside.
    Formula {
        /// Money of one port.
        per_port: f64,
        /// Money of one crosspoint.
        per_crosspoint: f64,
    },
    /// What is for sale, by number of ports: the smallest with enough ports is bought.
    Table(BTreeMap<u32, Price>),
}

impl ByPorts {
    /// Returns the price of a part with this many ports and crosspoints; `None` if none is for sale.
    fn of(&self, ports: u32, crosspoints: f64) -> Option<Price> {
        match self {
            Self::Formula { per_port, per_crosspoint } => {
                let price = per_port * f64::from(ports) + per_crosspoint * crosspoints;
                Some(Price { price, watts: 0.0 })
            }
            Self::Table(table) => table.range(ports..).next().map(|(_, price)| *price),
        }
    }
}

/// Unit prices.
#[derive(Clone, Debug, PartialEq)]
pub struct Prices {
    /// Unit of money for display.
    pub unit: String,
    /// Switches by number of ports.
    pub switches: ByPorts,
    /// Adapters of nodes by number of cables.
    pub adapters: ByPorts,
    /// Cables, in the order of [`CableLength::ALL`].
    pub cables: [Price; 3],
    /// How the nodes stand.
    pub floor: Floor,
    /// Whether a single switch for all nodes may be recommended.
    pub sells_one_switch: bool,
}

impl Default for Prices {
    /// Returns prices in units of the cheapest cable: cables cost 1, 2 or 4 by length, a port of a switch
    /// or an adapter 1, and a crosspoint a tenth. One switch for all nodes is a yardstick that nobody
    /// sells.
    fn default() -> Self {
        let by_ports = ByPorts::Formula { per_port: 1.0, per_crosspoint: 0.1 };
        Self {
            unit: "units".to_owned(),
            switches: by_ports.clone(),
            adapters: by_ports,
            cables: [1.0, 2.0, 4.0].map(|price| Price { price, watts: 0.0 }),
            floor: Floor::default(),
            sells_one_switch: false,
        }
    }
}

/// What a network costs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NetworkCost {
    /// Money, in the unit of the prices.
    pub price: f64,
    /// Power in watts.
    pub watts: f64,
    /// Whether all its parts have a price. If not, the others make the cost.
    pub is_priced: bool,
    /// Whether it can be bought: all its parts have a price, and it is no yardstick
    /// ([`Prices::sells_one_switch`]).
    pub for_sale: bool,
}

impl NetworkCost {
    /// Returns the number by which networks are compared: money, or power if no part has a price.
    pub fn amount(&self) -> f64 {
        if self.price > 0.0 { self.price } else { self.watts }
    }
}

impl Prices {
    /// Returns the cost of a network.
    pub fn cost(&self, bill: &Bill) -> NetworkCost {
        let is_sold = self.sells_one_switch || !bill.is_one_switch();
        let mut cost = NetworkCost { price: 0.0, watts: 0.0, is_priced: true, for_sale: is_sold };
        let mut add = |price: Option<Price>, count: u64| match price {
            Some(price) => {
                cost.price += price.price * count as f64;
                cost.watts += price.watts * count as f64;
            }
            None => (cost.is_priced, cost.for_sale) = (false, false),
        };
        for (price, count) in self.cables.iter().zip(bill.cables) {
            add(Some(*price), count);
        }
        for (ports, count) in &bill.switches {
            add(self.switches.of(*ports, f64::from(*ports).powi(2)), *count);
        }
        for (ports, count) in &bill.adapters {
            let forwarding = bill.forwarding.get(ports).copied().unwrap_or(0);
            add(self.adapters.of(*ports, (f64::from(*ports) + 1.0).powi(2)), forwarding);
            add(self.adapters.of(*ports, 0.0), count - forwarding);
        }
        cost
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::TopologySpec;

    fn bill(text: &str) -> Bill {
        let topology = text.parse::<TopologySpec>().expect("a topology").build(1).expect("it fits");
        Bill::of(&topology, Floor::default())
    }

    #[test]
    fn a_crossbar_is_counted_by_its_crosspoints() {
        let crossbar = bill("crossbar:64");
        assert!(crossbar.is_one_switch());
        assert_eq!(crossbar.cables, [32, 32, 0]);
        assert_eq!((crossbar.ports(), crossbar.crosspoints()), (128, 4096));
        let ring = bill("ring:64");
        assert_eq!((ring.cables, ring.crosspoints()), ([62, 2, 0], 64 * 9));
        assert!(!ring.is_one_switch() && !bill("fat-tree:4x2").is_one_switch());
        let prices = Prices::default();
        let yardstick = prices.cost(&crossbar);
        assert!(yardstick.is_priced && !yardstick.for_sale);
        assert!(bill("planes:2*crossbar:64").is_one_switch());
        assert!(!bill("planes:2*fat-tree:4x2").is_one_switch());
        // Cables 32 + 2 * 32, ports of the nodes and of the switch 128, crosspoints 409.6.
        assert!((prices.cost(&crossbar).price - 633.6).abs() < 1e-9);
        // Cables 62 + 2 * 2, ports 128, crosspoints 57.6.
        assert!((prices.cost(&ring).price - 251.6).abs() < 1e-9);
    }

    #[test]
    fn cables_between_far_racks_are_long() {
        assert_eq!(bill("crossbar:256").cables, [32, 64, 160]);
        let near = Floor { nodes_per_rack: 1, near_racks: 1 };
        let ring = "ring:6".parse::<TopologySpec>().expect("a topology").build(6).expect("it fits");
        assert_eq!(Bill::of(&ring, near).cables, [0, 5, 1]);
    }

    #[test]
    fn racks_hold_nodes_and_not_nics() {
        let build = |nics| {
            let spec = "crossbar:64".parse::<TopologySpec>().expect("a topology");
            Bill::of(&spec.build(64).expect("it fits").with_nics(nics), Floor::default())
        };
        // 64 nodes with one NIC each need two racks; 16 with four stand in one.
        assert_eq!([build(1).cables, build(4).cables], [[32, 32, 0], [64, 0, 0]]);
        assert_eq!(build(1).adapters, build(4).adapters);
    }

    #[test]
    fn nodes_beside_stages_of_switches_forward_nothing() {
        let crosspoints = ["butterfly:2x2", "omega:2x2"].map(|name| bill(name).crosspoints());
        // Four switches with two cables from before and two to behind.
        assert_eq!(crosspoints, [4 * 16; 2]);
    }

    #[test]
    fn cables_in_one_direction_are_each_counted() {
        let kautz = bill("kautz:2x3");
        let links: u64 = kautz.cables.iter().sum();
        assert_eq!((links, kautz.adapters.clone()), (24, BTreeMap::from([(4, 12)])));
    }

    #[test]
    fn the_smallest_switch_with_enough_ports_is_bought() {
        let sold = |price| Price { price, watts: 10.0 };
        let prices = Prices {
            switches: ByPorts::Table(BTreeMap::from([(8, sold(100.0)), (36, sold(900.0))])),
            adapters: ByPorts::Table(BTreeMap::from([(1, sold(5.0))])),
            cables: [sold(1.0); 3],
            sells_one_switch: true,
            ..Prices::default()
        };
        let cost = prices.cost(&bill("crossbar:9"));
        assert_eq!((cost.price, cost.watts, cost.for_sale), (954.0, 190.0, true));
        let unsold = prices.cost(&bill("crossbar:37"));
        assert!(!unsold.for_sale && !unsold.is_priced, "no switch has 37 ports");
        assert!(!prices.cost(&bill("ring:4")).for_sale, "no adapter has two ports");
    }
}
