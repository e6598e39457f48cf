//! Files of unit prices: what switches, adapters and cables cost, in money and power.

use network_models::{ByPorts, Floor, Price, Prices};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{error::Error, json};

/// What a switch or an adapter with a number of ports costs.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object with the price of a part")]
pub struct PartPrice {
    /// Number of ports.
    #[schemars(range(min = 1))]
    pub ports: u32,
    /// Money of one; left out everywhere if networks are to be compared by their watts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 1e12))]
    pub price: Option<f64>,
    /// Power of one.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1e12))]
    pub watts: f64,
}

/// What a cable costs, transceivers included.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object with the price of a cable")]
pub struct CablePrice {
    /// Money of one; left out everywhere if networks are to be compared by their watts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.0, max = 1e12))]
    pub price: Option<f64>,
    /// Power of one.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1e12))]
    pub watts: f64,
}

/// Cables by length.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object with the prices of cables")]
pub struct CablePrices {
    /// Within a rack.
    pub short: CablePrice,
    /// Between racks that are at most `near_racks` apart.
    pub medium: CablePrice,
    /// Between racks that are further apart.
    pub long: CablePrice,
}

fn usual_nodes() -> u32 {
    Floor::default().nodes_per_rack
}

fn usual_distance() -> u32 {
    Floor::default().near_racks
}

/// Unit prices of the parts of a network.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object with prices")]
pub struct PriceList {
    /// Unit of money for display, such as EUR.
    pub unit: String,
    /// Switches for sale. The smallest with enough ports is bought; a switch with more ports than the
    /// largest is not for sale.
    pub switches: Vec<PartPrice>,
    /// Adapters of nodes for sale, by number of cables at the node; those with more than one port forward
    /// messages of others, as in a torus. Without a list adapters come with the nodes and cost nothing.
    #[serde(default)]
    pub adapters: Vec<PartPrice>,
    /// Cables.
    pub cables: CablePrices,
    /// Nodes in a rack; they fill racks in the order of their numbers.
    #[serde(default = "usual_nodes")]
    #[schemars(range(min = 1))]
    pub nodes_per_rack: u32,
    /// Distance, in racks, that a medium cable bridges.
    #[serde(default = "usual_distance")]
    pub near_racks: u32,
}

impl PriceList {
    /// Reads a file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is no list of prices, or a number is out of range.
    pub fn load(path: &str) -> Result<Self, Error> {
        let text = json::text_of(path)?;
        let list: Self = json::read(&text, path)?;
        let refuse =
            |pointer: String, reason: String| Err(json::not_allowed(&text, path, &pointer, reason));
        for (name, parts) in [("switches", &list.switches), ("adapters", &list.adapters)] {
            for (place, part) in parts.iter().enumerate() {
                if part.ports == 0 {
                    return refuse(
                        format!("/{name}/{place}/ports"),
                        "is 0; allowed is 1 or more".into(),
                    );
                }
                if parts[..place].iter().any(|other| other.ports == part.ports) {
                    return refuse(format!("/{name}/{place}/ports"), "is in the list twice".into());
                }
            }
        }
        if let Some(pointer) = list.without_price() {
            let reason = "has no price, and other parts have one; allowed is a price for each part, or for none \
                          to compare networks by their watts";
            return refuse(pointer, reason.into());
        }
        for (pointer, value) in list.numbers() {
            if !(0.0..=1e12).contains(&value) {
                return refuse(pointer, format!("is {value}; allowed is 0 to 1e12"));
            }
        }
        if list.nodes_per_rack == 0 {
            return refuse("/nodes_per_rack".into(), "is 0; allowed is 1 or more".into());
        }
        Ok(list)
    }

    /// Returns all prices and powers with their JSON pointers.
    fn numbers(&self) -> Vec<(String, f64)> {
        let mut numbers = Vec::new();
        let mut add = |at: &str, (price, watts): (Option<f64>, f64)| {
            numbers.extend(price.map(|price| (format!("{at}/price"), price)));
            numbers.push((format!("{at}/watts"), watts));
        };
        self.parts().iter().for_each(|(at, money, watts)| add(at, (*money, *watts)));
        numbers
    }

    /// Returns the JSON pointer of the first part without a price, if another part has one.
    fn without_price(&self) -> Option<String> {
        let parts = self.parts();
        let any = parts.iter().any(|(_, price, _)| price.is_some());
        let lacks = parts.into_iter().find(|(_, price, _)| price.is_none());
        lacks.filter(|_| any).map(|(at, ..)| at)
    }

    /// Returns the JSON pointers of all parts with their prices and powers.
    fn parts(&self) -> Vec<(String, Option<f64>, f64)> {
        let mut parts = Vec::new();
        for (name, list) in [("switches", &self.switches), ("adapters", &self.adapters)] {
            for (place, part) in list.iter().enumerate() {
                parts.push((format!("/{name}/{place}"), part.price, part.watts));
            }
        }
        let CablePrices { short, medium, long } = self.cables;
        for (name, cable) in [("short", short), ("medium", medium), ("long", long)] {
            parts.push((format!("/cables/{name}"), cable.price, cable.watts));
        }
        parts
    }

    /// Returns the prices for the library.
    pub fn prices(&self) -> Prices {
        let price = |price: Option<f64>, watts: f64| Price { price: price.unwrap_or(0.0), watts };
        let table = |parts: &[PartPrice]| {
            let part = |part: &PartPrice| (part.ports, price(part.price, part.watts));
            ByPorts::Table(parts.iter().map(part).collect())
        };
        let free = ByPorts::Formula { per_port: 0.0, per_crosspoint: 0.0 };
        let CablePrices { short, medium, long } = self.cables;
        let cable = |cable: CablePrice| price(cable.price, cable.watts);
        Prices {
            unit: self.unit.clone(),
            switches: table(&self.switches),
            adapters: if self.adapters.is_empty() { free } else { table(&self.adapters) },
            cables: [short, medium, long].map(cable),
            floor: Floor { nodes_per_rack: self.nodes_per_rack, near_racks: self.near_racks },
            sells_one_switch: true,
        }
    }
}
