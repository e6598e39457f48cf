//! The format of a machine file: keys with units, values with provenance.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::filesystem::FilesystemNumbers;

/// Where a number comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Provenance {
    /// Read in the source that is named.
    Seen,
    /// Fitted to the data that are named: a calibration.
    Fitted,
    /// Chosen, for a machine that does not exist.
    Defined,
    /// From memory or by analogy, not checked against a source.
    Unverified,
}

impl Provenance {
    /// Returns the word that stands for this provenance in machine files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Seen => "seen",
            Self::Fitted => "fitted",
            Self::Defined => "defined",
            Self::Unverified => "unverified",
        }
    }
}

/// One number of a machine file.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with `value`, `provenance` and perhaps `source`"
)]
pub struct Quantity {
    /// In the unit its key names.
    #[schemars(range(min = 0.0, max = 1e15))]
    pub value: f64,
    /// What kind of knowledge it is.
    pub provenance: Provenance,
    /// Where it comes from.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
}

/// Latencies and rates of the network.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object with the numbers of a network")]
pub struct NetworkNumbers {
    /// L: from the end of a send to the begin of its receive, without the hops.
    pub latency_ns: Quantity,
    /// g: least time between two messages of one node.
    pub gap_ns: Quantity,
    /// G: time of a byte at a node's port.
    pub byte_time_ps: Quantity,
    /// 2 where sending and receiving share the port, 1 where they do not.
    pub duplex_factor: Quantity,
    /// A switch and its wire.
    pub hop_ns: Quantity,
    /// Rate of a link in one direction.
    pub link_bandwidth_bytes_per_s: Quantity,
    /// Latency between two ranks of one node.
    pub in_node_latency_ns: Quantity,
    /// Rate between two ranks of one node.
    pub in_node_bandwidth_bytes_per_s: Quantity,
    /// What messages between nodes take in addition, by their size, in ascending order; nothing when
    /// left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub protocols: Vec<ProtocolNumbers>,
}

/// What messages from one size on, up to that of the next protocol, take in addition. Neither
/// processors nor links are busy in this time.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object with the numbers of a protocol")]
pub struct ProtocolNumbers {
    /// Smallest size.
    pub from_bytes: Quantity,
    /// Fixed time.
    pub latency_ns: Quantity,
    /// Time per byte.
    pub per_byte_ps: Quantity,
}

/// Processor time of calls.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object with processor times")]
pub struct CostNumbers {
    /// o of a blocking send.
    pub send_ns: Quantity,
    /// o of a blocking receive.
    pub receive_ns: Quantity,
    /// Posting a nonblocking send.
    pub post_send_ns: Quantity,
    /// Posting a nonblocking receive.
    pub post_receive_ns: Quantity,
    /// Completing a nonblocking send.
    pub wait_send_ns: Quantity,
    /// Completing a nonblocking receive.
    pub wait_receive_ns: Quantity,
    /// Starting a persistent request.
    pub start_ns: Quantity,
    /// Making a persistent request.
    pub init_ns: Quantity,
    /// Freeing a request.
    pub request_free_ns: Quantity,
    /// Making, committing and freeing a datatype.
    pub datatype_ns: Quantity,
    /// A test or a probe.
    pub poll_ns: Quantity,
    /// Once a rank, at its first long message.
    pub first_use_ns: Quantity,
    /// From this size a message is long.
    pub long_message_bytes: Quantity,
    /// O of a send.
    pub send_per_byte_ps: Quantity,
    /// O of a receive.
    pub receive_per_byte_ps: Quantity,
    /// Packing or unpacking what is not contiguous.
    pub pack_per_byte_ps: Quantity,
    /// The copy into a system buffer.
    pub copy_per_byte_ps: Quantity,
    /// Extra for very long messages.
    pub big_per_byte_ps: Quantity,
    /// From this size a message is very long.
    pub big_message_bytes: Quantity,
    /// Combining values in a reduction.
    pub reduce_per_byte_ps: Quantity,
}

impl CostNumbers {
    /// Returns all processor times, those per call and those per byte; sizes are left out.
    pub(crate) fn times(&mut self) -> [&mut Quantity; 18] {
        [
            &mut self.send_ns,
            &mut self.receive_ns,
            &mut self.post_send_ns,
            &mut self.post_receive_ns,
            &mut self.wait_send_ns,
            &mut self.wait_receive_ns,
            &mut self.start_ns,
            &mut self.init_ns,
            &mut self.request_free_ns,
            &mut self.datatype_ns,
            &mut self.poll_ns,
            &mut self.first_use_ns,
            &mut self.send_per_byte_ps,
            &mut self.receive_per_byte_ps,
            &mut self.pack_per_byte_ps,
            &mut self.copy_per_byte_ps,
            &mut self.big_per_byte_ps,
            &mut self.reduce_per_byte_ps,
        ]
    }
}

/// The sockets of a node.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object with the numbers of a node")]
pub struct NodeNumbers {
    /// Sockets of a node. `in_node_latency_ns` and `in_node_bandwidth_bytes_per_s` are those of two
    /// ranks on one socket.
    pub sockets: Quantity,
    /// Cores of a socket, each for one rank; unlimited when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores_per_socket: Option<Quantity>,
    /// Rate of the memory of a socket, which the messages within the node share; unlimited when left
    /// out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bandwidth_bytes_per_s: Option<Quantity>,
    /// Latency between two ranks on different sockets.
    pub other_socket_latency_ns: Quantity,
    /// Rate between two ranks on different sockets.
    pub other_socket_bandwidth_bytes_per_s: Quantity,
    /// Network interfaces (NICs) of a node, each a place of the topology with a port of its own; 1 when
    /// left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nics: Option<Quantity>,
    /// Socket of each NIC; divided equally among the sockets when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nic_sockets: Option<Vec<u32>>,
    /// Time that a message takes in addition for each of its ends whose rank is on another socket than
    /// its NIC; 0 when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_socket_nic_latency_ns: Option<Quantity>,
}

/// The system's buffering of standard sends.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object with the numbers of buffering")]
pub struct BufferingNumbers {
    /// S: longest message that is sent before its receive is known.
    pub eager_limit_bytes: Quantity,
    /// Space for such messages, each rank; unlimited when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool_bytes: Option<Quantity>,
}

/// Order of the bytes of a number.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// The least significant one first.
    Little,
    /// The most significant one first.
    Big,
}

/// Format of `long double`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// As `double`.
    Binary64,
    /// 80 bits.
    Extended,
    /// Quadruple precision.
    Binary128,
}

/// How some nodes represent data; what is left out is as on x86-64.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object with the data representation of nodes")]
pub struct NodeRepresentation {
    /// First and last of these nodes.
    pub nodes: (u32, u32),
    /// Order of bytes.
    pub byte_order: Option<Order>,
    /// Width of `int`: 2, 4 or 8.
    pub int_bytes: Option<u8>,
    /// Width of `long`, addresses and counts: 4 or 8.
    pub long_bytes: Option<u8>,
    /// Width of a Fortran `INTEGER`: 2, 4 or 8.
    pub integer_bytes: Option<u8>,
    /// Format of `long double`.
    pub long_double: Option<Format>,
}

/// A modelled machine. Every number has its unit in its key, and its provenance.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "an object that describes a machine")]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// One line.
    pub summary: String,
    /// How its numbers were fitted, if they were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<String>,
    /// Topology when none is asked for, as in --topology.
    pub default_topology: String,
    /// Network model when none is asked for, as in --network.
    pub default_network: String,
    /// Nodes that represent data otherwise than x86-64 does; none when left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub representations: Vec<NodeRepresentation>,
    pub(crate) network: NetworkNumbers,
    pub(crate) costs: CostNumbers,
    pub(crate) buffering: BufferingNumbers,
    /// The sockets of the nodes; one that all ranks of a node share when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) node: Option<NodeNumbers>,
    /// The file system; four servers of 2 GB/s when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) filesystem: Option<FilesystemNumbers>,
    /// Further file systems by name, for --filesystem.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) filesystems: BTreeMap<String, FilesystemNumbers>,
}
