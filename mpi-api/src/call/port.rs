//! Calls about ports and published names (MPI sections 11.9.2 and 11.9.4).

use serde::{Deserialize, Serialize};

/// A call about ports and the services they are published as (MPI sections 11.9.2 and 11.9.4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PortCall {
    /// `MPI_Open_port`; the reply is the name of the port.
    Open,
    /// `MPI_Close_port`.
    Close(String),
    /// `MPI_Publish_name` with service and port name.
    Publish(String, String),
    /// `MPI_Unpublish_name` with service and port name.
    Unpublish(String, String),
    /// `MPI_Lookup_name`; the reply is the name of the port.
    Lookup(String),
}
