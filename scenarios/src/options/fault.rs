//! Faults of links as users write them.

use std::{borrow::Cow, fmt, str::FromStr};

use network_models::{FaultMismatch, LinkChange, LinkFault, LinkId, Topology, VertexId};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use sim_core::SimTime;

use super::units::{as_text, duration};
use crate::error::Error;

/// A change of all cables between two vertices, in both directions.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Fault {
    text: String,
    /// What is before the change as a cable that fails at the begin of the run: names may have a `@`, as those
    /// of the switches of planes do.
    from_begin: Cable,
    /// The same as a cable and a time.
    later: Option<(Cable, SimTime)>,
    change: LinkChange,
}

/// The cables between two vertices, as the user names these: `0-1`, `3-s4`, `3-leaf0`, `node 3 -> switch leaf0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cable(String);

/// The forms of a fault, for messages.
const FORMS: &str = "link:A-B@TIME=cut or link:A-B@TIME=SHARE, where A and B are numbers of \
    nodes, or of switches as in s0, or names that a file gives them, TIME has a unit (2ms) or is left out with its \
    @ for the begin of the run, and SHARE is what is left of the rate, more than 0 and at most 1";

impl FromStr for Cable {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = "a link is A-B, numbers of nodes, or of switches as in s0, or names that a file gives them";
        match divisions(text).next() {
            Some(_) => Ok(Self(text.to_owned())),
            None => Err(form.to_owned()),
        }
    }
}

/// Returns the pairs of vertices that a text may name: names may have hyphens, too.
fn divisions(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let sign = if text.contains("->") { "->" } else { "-" };
    let divided = text.match_indices(sign);
    let divided = divided.map(move |(at, _)| (text[..at].trim(), text[at + sign.len()..].trim()));
    divided.filter(|(from, to)| !from.is_empty() && !to.is_empty())
}

impl fmt::Display for Cable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Cable {
    /// Returns the cables between the ends of a link.
    ///
    /// # Panics
    /// Panics if the topology has no such link.
    pub fn of(topology: &Topology, link: LinkId) -> Self {
        let (from, to) = topology.link_ends(link);
        Self(format!("{}-{}", topology.short_name(from), topology.short_name(to)))
    }

    /// Returns the ends on a topology.
    ///
    /// # Errors
    /// Returns an error if the topology does not have one of them, or no cable joins them.
    pub fn on(&self, topology: &Topology) -> Result<(VertexId, VertexId), FaultMismatch> {
        let mut wrong = None;
        for (from, to) in divisions(&self.0) {
            let ends = (topology.vertex_named(from), topology.vertex_named(to));
            let (known, mismatch) = match ends {
                (Some(from), Some(to)) => match FaultMismatch::unless_joined(from, to, topology) {
                    Ok(()) => return Ok((from, to)),
                    Err(mismatch) => (2, mismatch),
                },
                (Some(_), None) => (1, FaultMismatch::no_vertex(to, topology)),
                (None, Some(_)) => (1, FaultMismatch::no_vertex(from, topology)),
                (None, None) => (0, FaultMismatch::no_vertex(from, topology)),
            };
            // What is told is of the division that is most nearly right.
            if wrong.as_ref().is_none_or(|(best, _)| known > *best) {
                wrong = Some((known, mismatch));
            }
        }
        Err(wrong.map_or_else(|| FaultMismatch::no_vertex(&self.0, topology), |(_, wrong)| wrong))
    }
}

/// Returns the time that a text with a unit says; 0 needs none.
fn time_of(text: &str) -> Option<SimTime> {
    match text {
        "0" | "0s" | "0ms" | "0us" | "0ns" | "0ps" => Some(SimTime::ZERO),
        text => duration(text).ok(),
    }
}

fn parse(text: &str) -> Option<Fault> {
    let (place, change) = text.strip_prefix("link:")?.rsplit_once('=')?;
    let from_begin = place.parse().ok()?;
    let later = match place.rsplit_once('@') {
        Some((_, "")) => return None,
        Some((ends, time)) => ends.parse().ok().zip(time_of(time)),
        None => None,
    };
    let change = match change {
        "cut" => LinkChange::Cut,
        share => {
            let share: f64 = share.parse().ok()?;
            LinkChange::Rate(Some(share).filter(|share| *share > 0.0 && *share <= 1.0)?)
        }
    };
    Some(Fault { text: text.to_owned(), from_begin, later, change })
}

impl Fault {
    /// Returns the fault on a topology. What is behind the last `@` belongs to the name of a vertex if the
    /// topology has that vertex, and else is a time.
    ///
    /// # Errors
    /// Returns an error if the topology does not have one of the ends, no cable joins them, or the time has
    /// no unit.
    pub fn on(&self, topology: &Topology) -> Result<LinkFault, Error> {
        let ((from, to), at) = match (self.from_begin.on(topology), &self.later) {
            (Ok(ends), _) => (ends, SimTime::ZERO),
            (Err(_), Some((cable, at))) => (cable.on(topology)?, *at),
            (Err(mismatch), None) => return Err(self.without_unit(topology, mismatch)),
        };
        Ok(LinkFault { from, to, at, change: self.change })
    }

    /// Returns the error of a fault whose cable is not there: what is behind its `@` was meant as a time if the
    /// vertices before it are there.
    fn without_unit(&self, topology: &Topology, mismatch: FaultMismatch) -> Error {
        let parts = self.from_begin.0.rsplit_once('@');
        let is_timed = parts.is_some_and(|(cable, _)| {
            let ends = Cable(cable.to_owned()).on(topology);
            matches!(ends, Ok(_) | Err(FaultMismatch::NoLink { .. }))
        });
        match is_timed {
            true => Error::BadValue {
                what: "the fault".into(),
                value: self.text.clone(),
                allowed: FORMS.into(),
            },
            false => mismatch.into(),
        }
    }
}

impl FromStr for Fault {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        parse(text).ok_or_else(|| format!("a fault is {FORMS}"))
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
            "pattern": "^link:.+-.+=(cut|[0-9.eE+-]+)$"
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_have_ends_a_time_and_a_change() {
        let fault: Fault = "link:3-s4@2ms=0.5".parse().expect("a fault");
        let (cable, at) = fault.later.expect("it has a time");
        assert_eq!(cable.to_string(), "3-s4");
        assert_eq!((at.as_ps(), fault.change), (2_000_000_000, LinkChange::Rate(0.5)));
        let fault: Fault = "link:0-1=cut".parse().expect("a fault");
        assert_eq!((fault.from_begin.to_string(), fault.later), ("0-1".to_owned(), None));
        assert_eq!(fault.change, LinkChange::Cut);
        for wrong in [
            "",
            "link:",
            "link:1-2",
            "link:1-2=",
            "link:1=cut",
            "link:1-2@=cut",
            "link:-b=cut",
            "link:a-=cut",
            "link:1-2=0",
            "link:1-2=1.5",
            "link:1-2=NaN",
            "node:1-2=cut",
            "link:1-2=gone",
        ] {
            assert!(wrong.parse::<Fault>().is_err(), "{wrong}");
        }
    }
}
