//! Faults of links as users write them.

use std::{borrow::Cow, fmt, str::FromStr};

use network_models::{FaultMismatch, LinkChange, LinkFault, LinkId, Topology, VertexId};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use sim_core::SimTime;

use super::units::{as_text, duration};

/// A change of all cables between two vertices, in both directions.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Fault {
    text: String,
    cable: Cable,
    at: SimTime,
    change: LinkChange,
}

/// The cables between two vertices, by their numbers: `0-1`, `3-s4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cable(End, End);

/// An end of a cable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Node(u32),
    Switch(u32),
}

/// The form, for messages.
const FORM: &str = "a fault is link:A-B@TIME=cut or link:A-B@TIME=SHARE, where A and B are numbers of \
    nodes, or of switches as in s0, TIME has a unit (2ms) or is left out with its @ for the begin of the run, \
    and SHARE is what is left of the rate, more than 0 and at most 1";

impl FromStr for End {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text.strip_prefix('s') {
            Some(number) => number.parse().map(Self::Switch).map_err(drop),
            None => text.parse().map(Self::Node).map_err(drop),
        }
    }
}

impl End {
    fn vertex(self, topology: &Topology) -> Result<VertexId, FaultMismatch> {
        let (nodes, vertices) = (topology.nodes(), topology.vertices());
        let vertex = match self {
            Self::Node(number) => Some(number).filter(|number| *number < nodes),
            Self::Switch(number) => number.checked_add(nodes).filter(|vertex| *vertex < vertices),
        };
        vertex.map(VertexId).ok_or_else(|| FaultMismatch::no_vertex(self, topology))
    }
}

impl FromStr for Cable {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let ends = text.split_once('-').and_then(|(from, to)| {
            let end = |text: &str| text.parse::<End>().ok();
            Some(Self(end(from)?, end(to)?))
        });
        let form = "a link is A-B, numbers of nodes, or of switches as in s0";
        ends.ok_or_else(|| form.to_owned())
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Node(number) => write!(f, "{number}"),
            Self::Switch(number) => write!(f, "s{number}"),
        }
    }
}

impl fmt::Display for Cable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.0, self.1)
    }
}

impl Cable {
    /// Returns the cables between the ends of a link.
    ///
    /// # Panics
    /// Panics if the topology has no such link.
    pub fn of(topology: &Topology, link: LinkId) -> Self {
        let end = |vertex: VertexId| match vertex.0.checked_sub(topology.nodes()) {
            None => End::Node(vertex.0),
            Some(number) => End::Switch(number),
        };
        let (from, to) = topology.link_ends(link);
        Self(end(from), end(to))
    }

    /// Returns the ends on a topology.
    ///
    /// # Errors
    /// Returns an error if the topology does not have one of them.
    pub fn on(self, topology: &Topology) -> Result<(VertexId, VertexId), FaultMismatch> {
        Ok((self.0.vertex(topology)?, self.1.vertex(topology)?))
    }
}

fn parse(text: &str) -> Option<Fault> {
    let (place, change) = text.strip_prefix("link:")?.rsplit_once('=')?;
    let (ends, at) = match place.split_once('@') {
        Some((ends, "0" | "0s" | "0ms" | "0us" | "0ns" | "0ps")) => (ends, SimTime::ZERO),
        Some((ends, time)) => (ends, duration(time).ok()?),
        None => (place, SimTime::ZERO),
    };
    let cable = ends.parse().ok()?;
    let change = match change {
        "cut" => LinkChange::Cut,
        share => {
            let share: f64 = share.parse().ok()?;
            LinkChange::Rate(Some(share).filter(|share| *share > 0.0 && *share <= 1.0)?)
        }
    };
    Some(Fault { text: text.to_owned(), cable, at, change })
}

impl Fault {
    /// Returns the fault on a topology.
    ///
    /// # Errors
    /// Returns an error if the topology does not have one of the ends.
    pub fn on(&self, topology: &Topology) -> Result<LinkFault, FaultMismatch> {
        let (from, to) = self.cable.on(topology)?;
        Ok(LinkFault { from, to, at: self.at, change: self.change })
    }
}

impl FromStr for Fault {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        parse(text).ok_or_else(|| FORM.to_owned())
    }
}

as_text!(Fault);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl JsonSchema for Fault {
    fn schema_name() -> Cow<'static, str> {
        "Fault".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A fault of links: link:A-B@TIME=cut or link:A-B@TIME=SHARE.",
            "type": "string",
            "pattern": "^link:s?[0-9]+-s?[0-9]+(@[^=]+)?=(cut|[0-9.eE+-]+)$"
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_have_ends_a_time_and_a_change() {
        let fault: Fault = "link:3-s4@2ms=0.5".parse().expect("a fault");
        assert_eq!(fault.cable, Cable(End::Node(3), End::Switch(4)));
        assert_eq!(fault.cable.to_string(), "3-s4");
        assert_eq!((fault.at.as_ps(), fault.change), (2_000_000_000, LinkChange::Rate(0.5)));
        let fault: Fault = "link:0-1=cut".parse().expect("a fault");
        assert_eq!((fault.at, fault.change), (SimTime::ZERO, LinkChange::Cut));
        for wrong in [
            "",
            "link:",
            "link:1-2",
            "link:1-2=",
            "link:1=cut",
            "link:1-2@=cut",
            "link:1-2@3=cut",
            "link:1-2@-3ms=cut",
            "link:a-b=cut",
            "link:1-2=0",
            "link:1-2=1.5",
            "link:1-2=NaN",
            "node:1-2=cut",
            "link:1-2=gone",
            "link:99999999999-2=cut",
        ] {
            assert!(wrong.parse::<Fault>().is_err(), "{wrong}");
        }
    }
}
