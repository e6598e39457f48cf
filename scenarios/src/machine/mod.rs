//! Machines: JSON files in which every number has its unit and its provenance.

mod adjust;
mod file;
mod filesystem;
mod nics;
mod representation;

use std::path::Path;

use mpi_api::{
    cost::Costs,
    settings::{Buffering, Pool},
};
use network_models::{
    Bandwidth, ByteTime, Catalog, Hardware, LocalPath, NodeNics, NodeShape, Protocol, Switching,
};
use serde_json::Value;
use sim_core::SimDuration;

pub use self::adjust::{Adjustment, Change};
pub use self::file::{
    BufferingNumbers, CostNumbers, Format, Machine, NetworkNumbers, NodeNumbers,
    NodeRepresentation, Order, ProtocolNumbers, Provenance, Quantity,
};
pub use self::filesystem::{FilesystemNumbers, ServerNodes, ServerRule};
use crate::{
    error::Error,
    json,
    networks::{network_model, topology, with_path},
};

/// Built-in machines: the ideal one, a network by itself, those of the textbook's time, then present ones.
const BUILT_IN: [(&str, &str); 19] = [
    ("ideal", include_str!("../../machines/ideal.json")),
    ("router", include_str!("../../machines/router.json")),
    ("paragon", include_str!("../../machines/paragon.json")),
    ("sp2", include_str!("../../machines/sp2.json")),
    ("ncube2", include_str!("../../machines/ncube2.json")),
    ("ipsc860", include_str!("../../machines/ipsc860.json")),
    ("cm5", include_str!("../../machines/cm5.json")),
    ("t3d", include_str!("../../machines/t3d.json")),
    ("bluegene-q", include_str!("../../machines/bluegene-q.json")),
    ("aries", include_str!("../../machines/aries.json")),
    ("slingshot", include_str!("../../machines/slingshot.json")),
    ("omni-path", include_str!("../../machines/omni-path.json")),
    ("infiniband-edr", include_str!("../../machines/infiniband-edr.json")),
    ("infiniband-hdr", include_str!("../../machines/infiniband-hdr.json")),
    ("infiniband-ndr", include_str!("../../machines/infiniband-ndr.json")),
    ("ethernet-1g", include_str!("../../machines/ethernet-1g.json")),
    ("ethernet-10g", include_str!("../../machines/ethernet-10g.json")),
    ("ethernet-25g", include_str!("../../machines/ethernet-25g.json")),
    ("ethernet-100g", include_str!("../../machines/ethernet-100g.json")),
];

/// Largest time of one step, in nanoseconds: about a quarter of an hour.
const NANOSECONDS_MAX: f64 = 1e12;
/// Largest time of one byte, in picoseconds: a millisecond.
const PICOSECONDS_MAX: f64 = 1e9;
/// Largest number of sockets of a node, and of cores of a socket.
const CORES_MAX: f64 = 1024.0;
/// Largest number of NICs of a node.
const NICS_MAX: f64 = 64.0;
/// Largest number of servers of a file system.
const SERVERS_MAX: f64 = 65536.0;
/// Largest number of bytes, or of bytes per second.
const BYTES_MAX: f64 = 1e15;

/// Returns the text of an input file.
///
/// # Errors
/// Returns an error if the file cannot be read, is longer than 16 MiB or is not UTF-8.
pub fn text_of(path: &str) -> Result<String, Error> {
    json::text_of(path)
}

fn duration(quantity: &Quantity) -> SimDuration {
    SimDuration::from_ps((quantity.value * 1000.0).round() as u64)
}

fn byte_time(quantity: &Quantity) -> ByteTime {
    ByteTime::from_fs((quantity.value * 1000.0).round() as u64)
}

fn rate(quantity: &Quantity) -> Bandwidth {
    Bandwidth::from_bytes_per_sec(quantity.value as u64)
}

/// Returns the smallest and largest value of a number, by the unit in its key.
fn allowed(key: &str) -> (f64, f64) {
    match key {
        "duplex_factor" => (1.0, 2.0),
        "sockets" | "cores_per_socket" => (1.0, CORES_MAX),
        "nics" => (1.0, NICS_MAX),
        "servers" | "stripe_count" => (1.0, SERVERS_MAX),
        "stripe_bytes" => (1.0, BYTES_MAX),
        _ if key.ends_with("_ns") => (0.0, NANOSECONDS_MAX),
        _ if key.ends_with("_ps") => (0.0, PICOSECONDS_MAX),
        _ if key.ends_with("_bytes_per_s") => (1.0, BYTES_MAX),
        _ => (0.0, BYTES_MAX),
    }
}

/// Reports whether a number is a whole one: a size or a count.
fn is_whole(key: &str) -> bool {
    let is_count = matches!(
        key,
        "duplex_factor" | "sockets" | "cores_per_socket" | "nics" | "servers" | "stripe_count"
    );
    is_count || is_size(key)
}

/// Reports whether a number is a size in bytes.
fn is_size(key: &str) -> bool {
    key.ends_with("_bytes")
}

/// Returns the allowed values of a number as text, if a value is none of them.
fn allowed_instead_of(value: f64, key: &str) -> Option<String> {
    let (least, most) = allowed(key);
    let is_allowed = (least..=most).contains(&value) && !(is_whole(key) && value.fract() != 0.0);
    if is_allowed {
        return None;
    }
    let whole = if is_whole(key) { "a whole number from " } else { "" };
    let most = if most < 1e6 { most.to_string() } else { format!("{most:e}") };
    Some(format!("{whole}{least} to {most}"))
}

impl Machine {
    /// Returns the names of the built-in machines.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// Returns the file of the built-in machine called `name`.
    ///
    /// # Errors
    /// Returns an error if there is no such machine.
    pub fn file(name: &str) -> Result<&'static str, Error> {
        let found = BUILT_IN.iter().find(|(known, _)| *known == name);
        found.map(|(_, text)| *text).ok_or_else(|| Error::unknown("machine", name, Self::names()))
    }

    /// Returns the built-in machine called `name`, or the one in the file with that path.
    ///
    /// # Errors
    /// Returns an error if there is neither, or the file is malformed.
    pub fn load(name: &str) -> Result<Self, Error> {
        Self::load_with(name, &Catalog::standard())
    }

    /// Like [`Machine::load`], for machines whose default topology or network model may be one of
    /// `catalog`.
    ///
    /// # Errors
    /// Returns the errors of [`Machine::load`].
    pub fn load_with(name: &str, catalog: &Catalog) -> Result<Self, Error> {
        if let Some((_, text)) = BUILT_IN.iter().find(|(known, _)| *known == name) {
            return Self::from_json(text, name, catalog);
        }
        if !json::is_file_name(name) {
            let unknown = Error::unknown("machine", name, Self::names().chain(["FILE.json"]));
            return Err(unknown.or_several("--machines", name));
        }
        Self::from_json(&json::text_of(name)?, name, catalog)
    }

    /// Reads a machine file; `path` is for messages, and paths in the file are relative to its folder.
    ///
    /// # Errors
    /// Returns an error if the file is malformed, a number is missing or out of range, a key is
    /// unknown, or the topology or network model is not in `catalog`.
    pub fn from_json(text: &str, path: &str, catalog: &Catalog) -> Result<Self, Error> {
        let mut machine: Self = json::read(text, path)?;
        for (section, key, quantity) in machine.quantities() {
            if let Some(allowed) = allowed_instead_of(quantity.value, &key) {
                let reason = format!("is {}; allowed is {allowed}", quantity.value);
                let pointer = format!("/{section}/{key}/value");
                return Err(json::not_allowed(text, path, &pointer, reason));
            }
        }
        let from = |protocol: &ProtocolNumbers| protocol.from_bytes.value;
        let mut pairs = machine.network.protocols.windows(2);
        if let Some(place) = pairs.position(|pair| from(&pair[0]) >= from(&pair[1])) {
            let pointer = format!("/network/protocols/{}/from_bytes/value", place + 1);
            let reason = "is not more than that of the protocol before it".to_owned();
            return Err(json::not_allowed(text, path, &pointer, reason));
        }
        let folder = Path::new(path).parent().unwrap_or(Path::new(""));
        let beside = |name: &str| folder.join(name).display().to_string();
        machine.default_topology = with_path(&machine.default_topology, catalog, beside);
        machine.default_network = with_path(&machine.default_network, catalog, beside);
        if let Err(error) = topology(&machine.default_topology, catalog) {
            return Err(json::not_allowed(text, path, "/default_topology", error.to_string()));
        }
        if let Err(error) = network_model(&machine.default_network, catalog) {
            return Err(json::not_allowed(text, path, "/default_network", error.to_string()));
        }
        if let Some((pointer, reason)) = machine.node.as_ref().and_then(NodeNumbers::wrong_nics) {
            return Err(json::not_allowed(text, path, pointer, reason));
        }
        if let Some((pointer, reason)) = machine.wrong_filesystem() {
            return Err(json::not_allowed(text, path, &pointer, reason));
        }
        if let Some((pointer, reason)) = machine.wrong_representation() {
            return Err(json::not_allowed(text, path, &pointer, reason));
        }
        Ok(machine)
    }

    /// Returns the processor time of each kind of call.
    pub fn costs(&self) -> Costs {
        let CostNumbers { long_message_bytes, big_message_bytes, .. } = &self.costs;
        let costs = &self.costs;
        Costs {
            send: duration(&costs.send_ns),
            receive: duration(&costs.receive_ns),
            post_send: duration(&costs.post_send_ns),
            post_receive: duration(&costs.post_receive_ns),
            wait_send: duration(&costs.wait_send_ns),
            wait_receive: duration(&costs.wait_receive_ns),
            start: duration(&costs.start_ns),
            init: duration(&costs.init_ns),
            request_free: duration(&costs.request_free_ns),
            datatype: duration(&costs.datatype_ns),
            poll: duration(&costs.poll_ns),
            first_use: duration(&costs.first_use_ns),
            long_message: long_message_bytes.value as u64,
            send_per_byte: byte_time(&costs.send_per_byte_ps),
            receive_per_byte: byte_time(&costs.receive_per_byte_ps),
            pack: byte_time(&costs.pack_per_byte_ps),
            copy: byte_time(&costs.copy_per_byte_ps),
            big: byte_time(&costs.big_per_byte_ps),
            big_message: big_message_bytes.value as u64,
            reduce: byte_time(&costs.reduce_per_byte_ps),
        }
    }

    /// Returns the machine's buffering of standard sends.
    pub fn buffering(&self) -> Buffering {
        Buffering {
            eager_limit: self.buffering.eager_limit_bytes.value as u64,
            pool: match &self.buffering.pool_bytes {
                Some(bytes) => Pool::Bytes(bytes.value as u64),
                None => Pool::Unlimited,
            },
        }
    }

    /// Returns the numbers that network models are built from.
    pub fn hardware(&self) -> Hardware {
        let numbers = &self.network;
        // A port that takes no time has the largest representable rate.
        let byte = numbers.byte_time_ps.value.max(0.001);
        Hardware {
            latency: duration(&numbers.latency_ns),
            gap: duration(&numbers.gap_ns),
            byte_time: byte_time(&numbers.byte_time_ps),
            injection: Bandwidth::from_bytes_per_sec((1e12 / byte) as u64),
            duplex_factor: numbers.duplex_factor.value as u64,
            hop: duration(&numbers.hop_ns),
            link_bandwidth: rate(&numbers.link_bandwidth_bytes_per_s),
            switching: Switching::CutThrough,
            local: LocalPath {
                latency: duration(&numbers.in_node_latency_ns),
                bandwidth: Some(rate(&numbers.in_node_bandwidth_bytes_per_s)),
            },
        }
    }

    /// Returns what messages take in addition by their size.
    pub fn protocols(&self) -> Vec<Protocol> {
        let protocol = |numbers: &ProtocolNumbers| Protocol {
            from: numbers.from_bytes.value as u64,
            latency: duration(&numbers.latency_ns),
            byte_time: byte_time(&numbers.per_byte_ps),
        };
        self.network.protocols.iter().map(protocol).collect()
    }

    /// Returns the sockets of the nodes, if the machine has any.
    pub fn node_shape(&self) -> Option<NodeShape> {
        let numbers = self.node.as_ref()?;
        Some(NodeShape {
            sockets: numbers.sockets.value as u32,
            cores: numbers.cores_per_socket.as_ref().map(|cores| cores.value as u32),
            memory: numbers.memory_bandwidth_bytes_per_s.as_ref().map(rate),
            within: self.hardware().local,
            across: LocalPath {
                latency: duration(&numbers.other_socket_latency_ns),
                bandwidth: Some(rate(&numbers.other_socket_bandwidth_bytes_per_s)),
            },
        })
    }

    /// Returns the number of processors of a rank, among which the cores of its node are divided, if the
    /// machine says how many there are.
    pub(crate) fn processors_of_rank(&self, ranks_per_node: u32) -> Option<u32> {
        let cores = self.node_shape()?.cores()?;
        Some((cores / ranks_per_node.max(1)).max(1))
    }

    /// Returns the NICs of the nodes, if nodes have sockets.
    pub fn nics(&self) -> Option<NodeNics> {
        self.node.as_ref().map(NodeNumbers::nics)
    }

    /// Returns section, key and value of every number in the file, in the file's order of sections
    /// and the alphabetical order of keys. Numbers of a list have keys such as `protocols/0/latency_ns`.
    pub fn quantities(&self) -> Vec<(&'static str, String, Quantity)> {
        let value = serde_json::to_value(self).expect("a machine is plain data");
        let numbers = |section: &'static str| {
            let map = value[section].as_object().cloned().unwrap_or_default();
            let all = match section {
                "filesystems" => Self::numbers_of_filesystems(&value),
                _ => map.into_iter().flat_map(|(key, value)| members(key, value)).collect(),
            };
            all.into_iter().filter_map(move |(key, number)| {
                serde_json::from_value(number).ok().map(|quantity| (section, key, quantity))
            })
        };
        ["network", "costs", "buffering", "node", "filesystem", "filesystems"]
            .into_iter()
            .flat_map(numbers)
            .collect()
    }
}

/// Returns a member of a section, or the members of the objects in it if it is a list.
fn members(key: String, value: Value) -> Vec<(String, Value)> {
    let Value::Array(objects) = value else { return vec![(key, value)] };
    let of_object = |(place, object): (usize, Value)| {
        let map = object.as_object().cloned().unwrap_or_default();
        let name = format!("{key}/{place}");
        map.into_iter().map(move |(key, value)| (format!("{name}/{key}"), value))
    };
    objects.into_iter().enumerate().flat_map(of_object).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_machine_loads_and_tells_where_its_numbers_come_from() {
        for name in Machine::names() {
            let machine = Machine::load(name).expect("a machine of ours is well-formed");
            assert_eq!(machine.name, name);
            let numbers = machine.quantities();
            assert!(numbers.len() >= 29, "{name} has {} numbers", numbers.len());
            for (section, key, number) in numbers {
                let named = number.provenance == Provenance::Defined || !number.source.is_empty();
                assert!(named, "{name}: {section}.{key} has no source");
            }
        }
    }

    fn error(text: &str) -> (usize, String, String) {
        match Machine::from_json(text, "m.json", &Catalog::standard()) {
            Err(Error::Json { line, pointer, reason, nearest, .. }) => {
                (line, pointer, format!("{reason} {}", nearest.unwrap_or_default()))
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn bad_machines_are_refused_with_their_place() {
        let text = BUILT_IN[0].1;
        let (line, pointer, reason) = error(&text[..text.len() / 2]);
        assert!(line > 50 && pointer.starts_with("/costs/"), "{line} {pointer}");
        assert!(reason.contains("EOF"), "{reason}");
        let (_, pointer, reason) = error(&text.replace("\"latency_ns\"", "\"latencyns\""));
        assert_eq!(pointer, "/network/latencyns");
        assert!(reason.ends_with(" latency_ns"), "{reason}");
        let (line, pointer, reason) =
            error(&text.replacen("\"value\": 1000,", "\"value\": -1,", 1));
        assert_eq!((line, pointer.as_str()), (8, "/network/latency_ns/value"));
        assert!(reason.contains("is -1; allowed is 0"), "{reason}");
        let (_, pointer, reason) =
            error(&text.replacen("\"network\": {", "\"network\": 7, \"costs\": {", 1));
        assert_eq!(pointer, "/network");
        assert!(reason.starts_with("invalid type: number `7`, expected an object"), "{reason}");
        let (_, _, reason) = error(&text.replacen("\"value\": 1000,", "\"value\": \"1 ms\",", 1));
        assert!(reason.ends_with("expected a number "), "{reason}");
        let (_, pointer, reason) = error(&text.replacen(
            "\"duplex_factor\": {\n      \"value\": 1",
            "\"duplex_factor\": {\n      \"value\": 1.5",
            1,
        ));
        assert_eq!(pointer, "/network/duplex_factor/value");
        assert!(reason.contains("is 1.5; allowed is a whole number from 1 to 2"), "{reason}");
        let aries = include_str!("../../machines/aries.json");
        let (_, pointer, reason) = error(&aries.replacen("\"value\": 4097", "\"value\": 1024", 1));
        assert_eq!(pointer, "/network/protocols/1/from_bytes/value");
        assert!(reason.contains("not more than that of the protocol before"), "{reason}");
        let (_, pointer, _) = error(&aries.replacen("\"value\": 160.7", "\"value\": -1", 1));
        assert_eq!(pointer, "/network/protocols/0/per_byte_ps/value");
        let (_, pointer, _) = error(&text.replacen("\"crossbar\"", "\"donut\"", 1));
        assert_eq!(pointer, "/default_topology");
        let (_, pointer, _) = error(&text.replacen("\"link\"", "\"wire\"", 1));
        assert_eq!(pointer, "/default_network");
    }
    #[test]
    fn sizes_are_whole_numbers() {
        let text = include_str!("../../machines/aries.json");
        let machine = Machine::load("aries").expect("of ours");
        let numbers = machine.quantities();
        let number = |key: &str| {
            numbers.iter().find(|(_, name, _)| name == key).expect("it has one").2.value
        };
        for (section, key) in [
            ("buffering", "eager_limit_bytes"),
            ("costs", "long_message_bytes"),
            ("costs", "big_message_bytes"),
        ] {
            let begin = text.find(&format!("\"{key}\"")).expect("it is there");
            let (before, behind) = text.split_at(begin);
            let value = format!("\"value\": {}", number(key));
            let wrong = format!("{before}{}", behind.replacen(&value, "\"value\": 1.5", 1));
            let (line, pointer, reason) = error(&wrong);
            assert_eq!(pointer, format!("/{section}/{key}/value"));
            assert!(line > before.lines().count(), "{key}: {line}");
            assert!(
                reason.contains("is 1.5; allowed is a whole number from 0 to 1e15"),
                "{reason}"
            );
        }
    }
}
