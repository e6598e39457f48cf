//! Traffic of others as users write it.

use std::{borrow::Cow, fmt, str::FromStr};

use network_models::{TrafficPattern, size};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::units::as_text;
use crate::{error::Error, traffic::MESSAGE_BYTES};

/// Traffic of others on the network of a program.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct BackgroundTraffic {
    /// Who sends to whom.
    pub pattern: TrafficPattern,
    /// Load of each node, as a share of the rate of its port.
    pub load: f64,
    /// Size of each message.
    pub bytes: u64,
}

/// Size of a message unless it is given.
const BYTES: u64 = 4096;
/// Smallest load.
const LOAD_MIN: f64 = 0.001;

/// The form, for messages.
const FORM: &str = "background traffic is PATTERN:LOAD or PATTERN:LOAD:BYTES (as in uniform:0.3:64K): a \
    pattern of `windtunnel traffic`, a load of 0.001 to 1 of a node's port, and messages of 1 byte to 1G";

fn parse(text: &str) -> Option<BackgroundTraffic> {
    let mut parts = text.split(':');
    let pattern = TrafficPattern::named(parts.next()?)?;
    let load: f64 = parts.next()?.parse().ok()?;
    let bytes = match parts.next() {
        Some(bytes) => size(bytes)?,
        None => BYTES,
    };
    let allowed = (LOAD_MIN..=1.0).contains(&load) && MESSAGE_BYTES.contains(&bytes);
    (parts.next().is_none() && allowed).then_some(BackgroundTraffic { pattern, load, bytes })
}

impl FromStr for BackgroundTraffic {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        parse(text).ok_or_else(|| match text.split_once(':') {
            Some((pattern, _)) if TrafficPattern::named(pattern).is_none() => {
                let names = TrafficPattern::ALL.map(TrafficPattern::name);
                Error::unknown("traffic pattern", pattern, names).to_string()
            }
            Some(_) | None => FORM.to_owned(),
        })
    }
}

as_text!(BackgroundTraffic);

impl fmt::Display for BackgroundTraffic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pattern, load, bytes } = self;
        write!(f, "{pattern}:{load}:{bytes}")
    }
}

impl JsonSchema for BackgroundTraffic {
    fn schema_name() -> Cow<'static, str> {
        "BackgroundTraffic".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Traffic of others: PATTERN:LOAD or PATTERN:LOAD:BYTES.",
            "type": "string",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traffic_of_others_is_written_as_it_is_read() {
        for (text, full) in [
            ("uniform:0.3", "uniform:0.3:4096"),
            ("bit-complement:1:64", "bit-complement:1:64"),
            ("uniform:1:64K", "uniform:1:65536"),
        ] {
            let traffic: BackgroundTraffic = text.parse().expect("traffic");
            assert_eq!(traffic.to_string(), full);
        }
        for text in [
            "",
            "uniform",
            "uniform:0",
            "uniform:1.1",
            "uniform:nan",
            "uniform:0.3:0",
            "uniform:0.3:8:9",
            "uniform:-0.5",
        ] {
            let error = text.parse::<BackgroundTraffic>().expect_err(text);
            assert!(error.contains("PATTERN:LOAD"), "{error}");
        }
        let error = "unifrom:0.3".parse::<BackgroundTraffic>().expect_err("no pattern");
        assert!(error.contains("`unifrom` (did you mean `uniform`?)"), "{error}");
    }
}
