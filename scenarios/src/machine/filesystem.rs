//! The file systems of a machine file.

use std::rc::Rc;

use mpi_api::settings::{ClientCache, Filesystem};
use network_models::{ByteTime, NodeId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Machine, Quantity, allowed_instead_of, duration, members};
use crate::{error::Error, json};

/// A file system. Files are striped over the servers; each server does one
/// thing after the other.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object with the numbers of a file system")]
pub struct FilesystemNumbers {
    /// Servers that hold data.
    pub servers: Quantity,
    /// Bytes that a server holds before the next one follows.
    pub stripe_bytes: Quantity,
    /// Servers that hold one file; all when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stripe_count: Option<Quantity>,
    /// Time from a request to the beginning of its transfer.
    pub server_latency_ns: Quantity,
    /// Rate of a server.
    pub server_bandwidth_bytes_per_s: Quantity,
    /// Opening, closing, resizing or deleting a file, and an access to a shared file pointer; the server
    /// of metadata does one after the other.
    pub metadata_latency_ns: Quantity,
    /// Where the servers are in the network: then requests, data and answers are transfers of the network
    /// model. When left out they have a network of their own that takes no time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_nodes: Option<ServerNodes>,
    /// Memory of each node that holds bytes of files; none when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_cache_bytes: Option<Quantity>,
    /// Rate of copies from and to this memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_cache_bandwidth_bytes_per_s: Option<Quantity>,
}

/// The nodes of the network at which the servers of a file system are.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "not where servers are; allowed are \"spread\", \"last\" or an array of numbers of nodes"
)]
pub enum ServerNodes {
    /// A rule.
    Rule(ServerRule),
    /// Their numbers; if there are fewer than servers, they are used again in turn.
    List(Vec<u32>),
}

/// A rule for the nodes of servers.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ServerRule {
    /// At equal distances in the order of the nodes.
    Spread,
    /// The last nodes.
    Last,
}

impl ServerNodes {
    /// Returns the nodes of `servers` servers in a network of `nodes` nodes.
    fn of(&self, servers: u32, nodes: u32) -> Rc<[NodeId]> {
        match self {
            Self::List(list) => list.iter().copied().map(NodeId).collect(),
            Self::Rule(ServerRule::Spread) => (0..u64::from(servers))
                .map(|server| NodeId((server * u64::from(nodes) / u64::from(servers)) as u32))
                .collect(),
            Self::Rule(ServerRule::Last) => {
                let first = nodes.saturating_sub(servers);
                (0..servers.min(nodes)).map(|server| NodeId(first + server)).collect()
            }
        }
    }
}

impl FilesystemNumbers {
    /// Reads a file that describes a file system.
    fn load(path: &str) -> Result<Self, Error> {
        let text = json::text_of(path)?;
        let numbers: Self = json::read(&text, path)?;
        let wrong = numbers.wrong();
        match wrong {
            Some((pointer, reason)) => Err(json::not_allowed(&text, path, &pointer, reason)),
            None => Ok(numbers),
        }
    }

    /// Returns pointer and reason of the first thing that is wrong.
    pub(super) fn wrong(&self) -> Option<(String, String)> {
        let value = serde_json::to_value(self).expect("numbers are plain data");
        let map = value.as_object().cloned().unwrap_or_default();
        for (key, number) in map {
            let Ok(quantity) = serde_json::from_value::<Quantity>(number) else { continue };
            if let Some(allowed) = allowed_instead_of(quantity.value, &key) {
                let reason = format!("is {}; allowed is {allowed}", quantity.value);
                return Some((format!("/{key}/value"), reason));
            }
        }
        let servers = self.servers.value;
        if let Some(stripes) = self.stripe_count.as_ref().filter(|count| count.value > servers) {
            let reason = format!("is {}; there are {servers} servers", stripes.value);
            return Some(("/stripe_count/value".into(), reason));
        }
        match (&self.client_cache_bytes, &self.client_cache_bandwidth_bytes_per_s) {
            (Some(_), None) => {
                let reason = "needs `client_cache_bandwidth_bytes_per_s` beside it";
                return Some(("/client_cache_bytes".into(), reason.into()));
            }
            (None, Some(_)) => {
                let reason = "needs `client_cache_bytes` beside it";
                return Some(("/client_cache_bandwidth_bytes_per_s".into(), reason.into()));
            }
            (Some(_), Some(_)) | (None, None) => {}
        }
        match &self.server_nodes {
            Some(ServerNodes::List(list)) if list.is_empty() => {
                Some(("/server_nodes".into(), "is empty; allowed are numbers of nodes".into()))
            }
            Some(_) | None => None,
        }
    }

    /// Returns the settings of a run on a network of `nodes` nodes.
    fn settings(&self, nodes: u32) -> Filesystem {
        let byte_time = |rate: &Quantity| ByteTime::from_fs((1e15 / rate.value).round() as u64);
        let servers = self.servers.value as u32;
        let cache = self.client_cache_bytes.as_ref();
        let cache = cache.zip(self.client_cache_bandwidth_bytes_per_s.as_ref());
        Filesystem {
            servers,
            stripe: self.stripe_bytes.value as u64,
            latency: duration(&self.server_latency_ns),
            byte_time: byte_time(&self.server_bandwidth_bytes_per_s),
            metadata: duration(&self.metadata_latency_ns),
            stripe_count: self.stripe_count.as_ref().map(|count| count.value as u32),
            server_nodes: self
                .server_nodes
                .as_ref()
                .map_or(Rc::default(), |places| places.of(servers, nodes)),
            cache: cache.map(|(bytes, rate)| ClientCache {
                bytes: bytes.value as u64,
                byte_time: byte_time(rate),
            }),
        }
    }
}

impl Machine {
    /// Returns this machine with the file system of this name, or of the file with this path, as its only
    /// one.
    ///
    /// # Errors
    /// Returns an error if there is neither, or the file is malformed.
    pub fn with_filesystem(mut self, name: &str) -> Result<Self, Error> {
        let found = if json::is_file_name(name) {
            FilesystemNumbers::load(name)?
        } else {
            let known = self.filesystems.get(name).cloned();
            known.ok_or_else(|| {
                let names =
                    self.filesystems.keys().map(String::as_str).chain(["files (FILE.json)"]);
                Error::unknown("file system of this machine", name, names)
            })?
        };
        self.filesystem = Some(found);
        self.filesystems.clear();
        Ok(self)
    }

    /// Returns the machine's file system on a network of `nodes` nodes, or the default one if the machine
    /// says nothing of it.
    ///
    /// # Errors
    /// Returns an error if a server is at a node that the network does not have.
    pub fn filesystem(&self, nodes: u32) -> Result<Filesystem, Error> {
        let Some(numbers) = &self.filesystem else { return Ok(Filesystem::default()) };
        let settings = numbers.settings(nodes);
        match settings.server_nodes.iter().find(|node| node.0 >= nodes) {
            Some(node) => Err(Error::BadValue {
                what: "the node of a server of the file system".into(),
                value: node.0.to_string(),
                allowed: format!("0 to {}, the nodes of the topology", nodes - 1),
            }),
            None => Ok(settings),
        }
    }

    /// Returns pointer and reason of what is wrong with a file system.
    pub(super) fn wrong_filesystem(&self) -> Option<(String, String)> {
        let own = self.filesystem.iter().map(|numbers| ("/filesystem".to_owned(), numbers));
        let named = self.filesystems.iter();
        let named = named.map(|(name, numbers)| (format!("/filesystems/{name}"), numbers));
        own.chain(named).find_map(|(at, numbers)| {
            numbers.wrong().map(|(pointer, reason)| (format!("{at}{pointer}"), reason))
        })
    }

    /// Returns the numbers of the named file systems, with keys such as `scratch/servers`.
    pub(super) fn numbers_of_filesystems(value: &Value) -> Vec<(String, Value)> {
        let all = value["filesystems"].as_object().cloned().unwrap_or_default();
        let one = |(name, section): (String, Value)| {
            let map = section.as_object().cloned().unwrap_or_default();
            let numbers = map.into_iter().flat_map(|(key, value)| members(key, value));
            numbers.map(move |(key, value)| (format!("{name}/{key}"), value)).collect::<Vec<_>>()
        };
        all.into_iter().flat_map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use network_models::Catalog;

    use super::*;

    const NUMBERS: &str = r#"{
        "servers": { "value": 2, "provenance": "defined" },
        "stripe_bytes": { "value": 64, "provenance": "defined" },
        "stripe_count": { "value": 1, "provenance": "defined" },
        "server_latency_ns": { "value": 1000, "provenance": "defined" },
        "server_bandwidth_bytes_per_s": { "value": 1e9, "provenance": "defined" },
        "metadata_latency_ns": { "value": 5000, "provenance": "defined" },
        "server_nodes": "last"
    }"#;

    fn machine(section: &str) -> Result<Machine, Error> {
        let text = Machine::file("ideal").expect("a machine of ours");
        let text = text.trim_end().strip_suffix('}').expect("an object").trim_end();
        let text = format!("{text},\n{section}\n}}");
        Machine::from_json(&text, "m.json", &Catalog::standard())
    }

    fn pointer(section: &str) -> String {
        match machine(section) {
            Err(Error::Json { pointer, .. }) => pointer,
            other => panic!("{:?}", other.map(|machine| machine.filesystems)),
        }
    }

    #[test]
    fn a_file_system_has_a_name() {
        let machine = machine(&format!("\"filesystems\": {{ \"scratch\": {NUMBERS} }}"));
        let machine = machine.expect("a machine");
        assert!(machine.numbers().contains(&"filesystems.scratch.servers".to_owned()));
        let unknown = machine.clone().with_filesystem("scrath").expect_err("no such name");
        assert!(unknown.to_string().contains("scratch"), "{unknown}");
        let settings = machine.with_filesystem("scratch").and_then(|it| it.filesystem(8));
        let settings = settings.expect("a file system");
        assert_eq!((settings.servers, settings.stripe_count), (2, Some(1)));
        assert_eq!(*settings.server_nodes, [NodeId(6), NodeId(7)]);
    }

    #[test]
    fn servers_are_at_nodes() {
        let spread = ServerNodes::Rule(ServerRule::Spread);
        assert_eq!(*spread.of(3, 8), [NodeId(0), NodeId(2), NodeId(5)]);
        assert_eq!(*ServerNodes::Rule(ServerRule::Last).of(3, 2), [NodeId(0), NodeId(1)]);
        let at = NUMBERS.replace("\"last\"", "[0, 9]");
        let machine = machine(&format!("\"filesystem\": {at}")).expect("a machine");
        let error = machine.filesystem(8).expect_err("there is no node 9");
        assert!(error.to_string().contains("0 to 7"), "{error}");
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        let with = |from: &str, to: &str| format!("\"filesystem\": {}", NUMBERS.replace(from, to));
        assert_eq!(pointer(&with("\"value\": 2,", "\"value\": 0,")), "/filesystem/servers/value");
        let half = with("\"value\": 1,", "\"value\": 1.5,");
        assert_eq!(pointer(&half), "/filesystem/stripe_count/value");
        let more = with("\"value\": 1,", "\"value\": 3,");
        assert_eq!(pointer(&more), "/filesystem/stripe_count/value", "there are 2 servers");
        assert_eq!(pointer(&with("\"last\"", "[]")), "/filesystem/server_nodes");
        for wrong in ["\"foo\"", "7", "[\"a\"]"] {
            let error = machine(&with("\"last\"", wrong)).expect_err("nowhere").to_string();
            let told = "/server_nodes: not where servers are; allowed are \"spread\", \"last\" or an array";
            assert!(error.contains(told), "{error}");
        }
        let cache = with(
            "\"server_nodes\": \"last\"",
            "\"client_cache_bytes\": { \"value\": 10, \"provenance\": \"defined\" }",
        );
        assert_eq!(pointer(&cache), "/filesystem/client_cache_bytes");
    }
}
