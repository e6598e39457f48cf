//! Bytes between nodes: topologies, routes, placements and cost models. No ranks, no tags.
//!
//! | model | captures | ignores | source |
//! |---|---|---|---|
//! | `constant` | latency, bandwidth | everything shared | Hockney 1994 |
//! | `loggp` | latency, gap, gap per byte of the sending node | distance, links | LogGP 1995 |
//! | `link` | every directed link of the route | finite switch buffers | virtual cut-through 1979 |

mod embedding;
mod model;
mod network;
mod placement;
mod topology;
mod units;

pub use embedding::{Cost, Embedding, Method, Pattern, embed};
pub use model::{Constant, LinkParameters, Links, LogGp, LogGpParameters, Recording, Switching};
pub use network::{
    Arrival, Delivery, Flight, LinkUsage, LocalPath, Network, NodeId, Occupancy, Transfer,
    TransferId,
};
pub use placement::{PlacementError, PlacementSpec};
pub use topology::{
    FatTree, LinkId, Shape, Structure, Topology, TopologyError, TopologySpec, VertexId, topologies,
};
pub use units::{Bandwidth, ByteTime};

/// Name, one line and source of each network model.
pub fn models() -> [(&'static str, &'static str, &'static str); 3] {
    [
        ("constant", "latency plus bytes over bandwidth, no contention", "Hockney 1994"),
        ("loggp", "latency, gap and gap per byte at the sending node", "LogGP 1995"),
        ("link", "messages reserve each directed link along the route", "virtual cut-through"),
    ]
}
