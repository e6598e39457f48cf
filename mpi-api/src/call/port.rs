//! Calls about ports.

/// A call about ports and the services they are published as (MPI sections 11.9.2 and 11.9.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PortCall {
    /// `MPI_Open_port`; the answer is its name.
    Open,
    /// `MPI_Close_port`.
    Close(String),
    /// `MPI_Publish_name` of a service at a port.
    Publish(String, String),
    /// `MPI_Unpublish_name`.
    Unpublish(String, String),
    /// `MPI_Lookup_name`; the answer is the name of the port.
    Lookup(String),
}
