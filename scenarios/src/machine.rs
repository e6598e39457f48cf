//! Machines: JSON files in which every number has its unit and its provenance.

use std::{collections::BTreeMap, fs};

use mpi_api::{
    cost::Costs,
    settings::{Buffering, Pool},
};
use network_models::{Bandwidth, ByteTime, LinkParameters, LocalPath, LogGpParameters, Switching};
use serde::Deserialize;
use sim_core::SimDuration;

use crate::error::Error;

const BUILT_IN: [(&str, &str); 5] = [
    ("ideal", include_str!("../machines/ideal.json")),
    ("paragon", include_str!("../machines/paragon.json")),
    ("sp2", include_str!("../machines/sp2.json")),
    ("infiniband-edr", include_str!("../machines/infiniband-edr.json")),
    ("ethernet-10g", include_str!("../machines/ethernet-10g.json")),
];

/// One number of a machine file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quantity {
    /// In the unit its key names.
    pub value: f64,
    /// seen, fitted, defined or unverified.
    pub provenance: String,
    /// Where it comes from.
    #[serde(default)]
    pub source: String,
}

/// A machine file as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// One line.
    pub summary: String,
    /// How its numbers were fitted, if they were.
    #[serde(default)]
    pub calibration: Option<String>,
    /// Topology when none is asked for.
    pub default_topology: String,
    /// Network model when none is asked for.
    pub default_network: String,
    network: BTreeMap<String, Quantity>,
    costs: BTreeMap<String, Quantity>,
    buffering: BTreeMap<String, Quantity>,
}

const NETWORK: [&str; 8] = [
    "latency_ns",
    "gap_ns",
    "byte_time_ps",
    "duplex_factor",
    "hop_ns",
    "link_bandwidth_bytes_per_s",
    "in_node_latency_ns",
    "in_node_bandwidth_bytes_per_s",
];
const COSTS: [&str; 20] = [
    "send_ns",
    "receive_ns",
    "post_send_ns",
    "post_receive_ns",
    "wait_send_ns",
    "wait_receive_ns",
    "start_ns",
    "init_ns",
    "request_free_ns",
    "datatype_ns",
    "poll_ns",
    "first_use_ns",
    "long_message_bytes",
    "send_per_byte_ps",
    "receive_per_byte_ps",
    "pack_per_byte_ps",
    "copy_per_byte_ps",
    "big_per_byte_ps",
    "big_message_bytes",
    "reduce_per_byte_ps",
];

/// Largest value of any number: beyond it nothing is meant.
const VALUE_MAX: f64 = 1e15;

impl Machine {
    /// Names of the machines that come with the program.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// The machine called `name`, or the one in the file of that name.
    ///
    /// # Errors
    /// If there is neither, or the file is malformed.
    pub fn load(name: &str) -> Result<Self, Error> {
        if let Some((_, text)) = BUILT_IN.iter().find(|(known, _)| *known == name) {
            return Self::from_json(text, name);
        }
        if !name.ends_with(".json") {
            return Err(Error::unknown("machine", name, Self::names()));
        }
        let text = fs::read_to_string(name)
            .map_err(|error| Error::BadFile { path: name.into(), reason: error.to_string() })?;
        Self::from_json(&text, name)
    }

    /// Reads a machine file; `path` is for messages.
    ///
    /// # Errors
    /// If it is malformed, a number is missing or out of range, or a key is unknown.
    pub fn from_json(text: &str, path: &str) -> Result<Self, Error> {
        let bad = |reason: String| Error::BadFile { path: path.into(), reason };
        let machine: Self = serde_json::from_str(text).map_err(|error| bad(error.to_string()))?;
        let buffering = ["eager_limit_bytes"];
        for (section, map, keys) in [
            ("network", &machine.network, &NETWORK[..]),
            ("costs", &machine.costs, &COSTS[..]),
            ("buffering", &machine.buffering, &buffering[..]),
        ] {
            if let Some(key) = keys.iter().find(|key| !map.contains_key(**key)) {
                return Err(bad(format!("/{section}/{key} is missing")));
            }
            for (key, quantity) in map {
                if !keys.contains(&key.as_str()) && key != "pool_bytes" {
                    return Err(bad(format!("/{section}/{key} is unknown; allowed are {keys:?}")));
                }
                if !(0.0..=VALUE_MAX).contains(&quantity.value) {
                    let value = quantity.value;
                    return Err(bad(format!(
                        "/{section}/{key}/value is {value}; allowed is 0 to {VALUE_MAX:e}"
                    )));
                }
            }
        }
        Ok(machine)
    }

    fn duration(&self, key: &str, map: &BTreeMap<String, Quantity>) -> SimDuration {
        SimDuration::from_ps((map[key].value * 1000.0).round() as u64)
    }

    fn byte_time(&self, key: &str, map: &BTreeMap<String, Quantity>) -> ByteTime {
        ByteTime::from_fs((map[key].value * 1000.0).round() as u64)
    }

    fn rate(&self, key: &str) -> Bandwidth {
        Bandwidth::from_bytes_per_sec(self.network[key].value as u64)
    }

    /// Prices of calls.
    pub fn costs(&self) -> Costs {
        let map = &self.costs;
        let time = |key: &str| self.duration(key, map);
        let byte = |key: &str| self.byte_time(key, map);
        Costs {
            send: time("send_ns"),
            receive: time("receive_ns"),
            post_send: time("post_send_ns"),
            post_receive: time("post_receive_ns"),
            wait_send: time("wait_send_ns"),
            wait_receive: time("wait_receive_ns"),
            start: time("start_ns"),
            init: time("init_ns"),
            request_free: time("request_free_ns"),
            datatype: time("datatype_ns"),
            poll: time("poll_ns"),
            first_use: time("first_use_ns"),
            long_message: map["long_message_bytes"].value as u64,
            send_per_byte: byte("send_per_byte_ps"),
            receive_per_byte: byte("receive_per_byte_ps"),
            pack: byte("pack_per_byte_ps"),
            copy: byte("copy_per_byte_ps"),
            big: byte("big_per_byte_ps"),
            big_message: map["big_message_bytes"].value as u64,
            reduce: byte("reduce_per_byte_ps"),
        }
    }

    /// The system's buffering.
    pub fn buffering(&self) -> Buffering {
        Buffering {
            eager_limit: self.buffering["eager_limit_bytes"].value as u64,
            pool: match self.buffering.get("pool_bytes") {
                Some(bytes) => Pool::Bytes(bytes.value as u64),
                None => Pool::Unlimited,
            },
        }
    }

    /// For the model `loggp`.
    pub fn loggp(&self) -> LogGpParameters {
        LogGpParameters {
            latency: self.duration("latency_ns", &self.network),
            gap: self.duration("gap_ns", &self.network),
            byte_time: self.byte_time("byte_time_ps", &self.network),
            duplex_factor: self.network["duplex_factor"].value as u64,
        }
    }

    /// For the model `link`.
    pub fn link(&self) -> LinkParameters {
        let byte = self.network["byte_time_ps"].value.max(0.001);
        LinkParameters {
            latency: self.duration("latency_ns", &self.network),
            hop: self.duration("hop_ns", &self.network),
            bandwidth: self.rate("link_bandwidth_bytes_per_s"),
            injection: Some(Bandwidth::from_bytes_per_sec((1e12 / byte) as u64)),
            switching: Switching::CutThrough,
        }
    }

    /// Within a node.
    pub fn local(&self) -> LocalPath {
        LocalPath {
            latency: self.duration("in_node_latency_ns", &self.network),
            bandwidth: Some(self.rate("in_node_bandwidth_bytes_per_s")),
        }
    }

    /// Every number: key, value, provenance, source.
    pub fn provenance(&self) -> Vec<(String, f64, String, String)> {
        [("network", &self.network), ("costs", &self.costs), ("buffering", &self.buffering)]
            .into_iter()
            .flat_map(|(section, map)| {
                map.iter().map(move |(key, q)| {
                    (format!("{section}.{key}"), q.value, q.provenance.clone(), q.source.clone())
                })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_machine_loads() {
        for name in Machine::names() {
            let machine = Machine::load(name).expect("a machine of ours is well-formed");
            assert_eq!(machine.name, name);
        }
    }

    #[test]
    fn bad_machines_are_refused_with_their_place() {
        let text = BUILT_IN[0].1;
        let reason = |text: &str| match Machine::from_json(text, "m.json") {
            Err(Error::BadFile { reason, .. }) => reason,
            other => panic!("{other:?}"),
        };
        assert!(reason(&text[..text.len() / 2]).contains("line"));
        assert!(reason(&text.replace("\"latency_ns\"", "\"latencies\"")).contains("latency_ns"));
        let negative = text.replacen("\"value\": 1000,", "\"value\": -1,", 1);
        assert!(reason(&negative).contains("/network/") && reason(&negative).contains("-1"));
    }
}
