//! Transfer of bytes between nodes: topologies, routes, placements and cost models. This crate
//! knows no ranks and no tags.
//!
//! Reading order: `topology` (graphs and routes), `network` (the interface of models), `model`,
//! `catalog` (both by name), `node` (sockets), `nics` (ports of nodes), `placement` (ranks on nodes), `embedding` (process mappings).
//!
//! The models that come with the library:
//!
//! | model | captures | ignores | source |
//! |---|---|---|---|
//! | `constant` | latency, bandwidth | everything shared | Hockney 1994 |
//! | `loggp` | latency, gap, gap per byte of the sending node | distance, links | LogGP 1995 |
//! | `link` | every directed link of the route | finite switch buffers | virtual cut-through 1979 |
//! | `fluid` | fair sharing of links and ports | queues, packets | Bertsekas and Gallager 1992 |
//! | `flit` | flits, virtual channels, conflicts inside switches | | Dally and Towles 2004 |
//! | `packet` | packets, finite buffers, back-pressure | conflicts inside switches | Kermani and Kleinrock 1979 |

mod background;
mod catalog;
mod cost;
mod embedding;
mod faults;
mod model;
mod nearest;
mod network;
mod nics;
mod node;
mod placement;
mod protocols;
mod routing;
mod size;
mod topology;
mod traffic;
mod units;
mod usage;
#[cfg(test)]
mod wrappers;

pub use background::{Background, BackgroundPlan};
pub use catalog::{Catalog, CatalogError, ModelError};
pub use cost::{Bill, ByPorts, CableLength, Floor, NetworkCost, Price, Prices};
pub use embedding::{Cost, Embedding, Method, Pattern, embed};
pub use faults::{FaultMismatch, Faulty, LinkChange, LinkFault};
pub use model::{
    Allocation, BadOption, Changing, Classes, Constant, DropTail, DropTailParameters,
    FlitParameters, Flits, Fluid, FluidParameters, Hardware, LinkParameters, Links, LogGp,
    LogGpParameters, ModelDescription, ModelKind, ModelMisfit, ModelOption, PacketParameters,
    Packets, Stages, Switching, Weights,
};
pub use nearest::{nearest, suggested};
pub use network::{
    Crowd, Delivery, EventDriven, Flight, LinkLog, LinkUsage, LinkView, LocalPath, Network,
    NetworkDeadlock, NodeId, Occupancy, PacketLosses, Progress, Report, Standstill, Transfer,
    TransferId,
};
pub use nics::{NodeNics, RankPort, RankPorts};
pub use node::{Copying, NodeMemory, NodeShape, RankSockets};
pub use placement::{PlacementError, PlacementSpec};
pub use protocols::{Protocol, Protocols};
pub use routing::{
    Decision, Hop, PerHop, Progressive, Queues, RouteTable, RouteTableError, Routing,
    RoutingDescription, RoutingKind, routings,
};
pub use size::size;
pub use topology::{
    Axes, AxisMetric, BadSizes, ChannelCycle, Graph, GraphFile, GraphFileError, Labels, LinkId,
    LinkNumbers, NODES_MAX, Plan, PlaneRule, PlaneSet, Shape, Sizes, Structure, Timeline, Topology,
    TopologyDescription, TopologyError, TopologyFault, TopologyKind, TopologySpec, VertexId,
    row_major,
};
pub use traffic::{
    Loaded, PatternMismatch, PeakLoad, Stopped, Targets, TrafficPattern, TrafficPlan,
    TrafficResult, Unmeasured, measure,
};
pub use units::{Bandwidth, ByteTime, scaled};
