//! Data representations of nodes that differ from the usual one.

use std::rc::Rc;

use mpi_api::object::representation::{ByteOrder, LongDouble, Representation};

use super::file::{Format, Machine, NodeRepresentation, Order};

impl NodeRepresentation {
    fn resolve(&self) -> Representation {
        let usual = Representation::default();
        Representation {
            byte_order: match self.byte_order {
                Some(Order::Big) => ByteOrder::Big,
                Some(Order::Little) | None => usual.byte_order,
            },
            int_bytes: self.int_bytes.unwrap_or(usual.int_bytes),
            long_bytes: self.long_bytes.unwrap_or(usual.long_bytes),
            integer_bytes: self.integer_bytes.unwrap_or(usual.integer_bytes),
            long_double: match self.long_double {
                Some(Format::Binary64) => LongDouble::Binary64,
                Some(Format::Binary128) => LongDouble::Binary128,
                Some(Format::Extended) | None => usual.long_double,
            },
        }
    }

    /// Returns the key of the first value that is not allowed, with the reason.
    fn wrong(&self) -> Option<(&'static str, String)> {
        if self.nodes.0 > self.nodes.1 {
            let (first, last) = self.nodes;
            return Some(("nodes", format!("is {first} to {last}; the first node comes first")));
        }
        let widths: [(&str, Option<u8>, &[u8]); 3] = [
            ("int_bytes", self.int_bytes, &[2, 4, 8]),
            ("long_bytes", self.long_bytes, &[4, 8]),
            ("integer_bytes", self.integer_bytes, &[2, 4, 8]),
        ];
        widths.into_iter().find_map(|(key, given, allowed)| {
            let given = given.filter(|given| !allowed.contains(given))?;
            Some((key, format!("is {given}; allowed is one of {allowed:?}")))
        })
    }
}

impl Machine {
    /// Returns the data representation of each of `nodes` nodes, or `None` if all are equal. If
    /// several entries of the file name a node, the last one applies.
    pub fn representations(&self, nodes: u32) -> Option<Rc<[Representation]>> {
        if self.representations.is_empty() {
            return None;
        }
        let of = |node: u32| {
            let entries = self.representations.iter().rev();
            let mut found = entries.filter(|entry| (entry.nodes.0..=entry.nodes.1).contains(&node));
            found.next().map_or_else(Representation::default, NodeRepresentation::resolve)
        };
        let all: Rc<[Representation]> = (0..nodes).map(of).collect();
        let alike = all.windows(2).all(|pair| pair[0] == pair[1]);
        (!alike).then_some(all)
    }

    /// Returns JSON pointer and reason of the first invalid entry.
    pub(super) fn wrong_representation(&self) -> Option<(String, String)> {
        self.representations.iter().enumerate().find_map(|(place, entry)| {
            let (key, reason) = entry.wrong()?;
            Some((format!("/representations/{place}/{key}"), reason))
        })
    }
}
