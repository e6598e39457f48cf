//! The object of `windtunnel validate --json`.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// The textbook's tables beside the simulator.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Validation {
    /// `windtunnel.validate/1`.
    schema: &'static str,
    /// The numbers, in the order of the tables.
    rows: Vec<Row>,
    /// Other published measurements, by machine.
    measurements: Vec<Measurement>,
}

/// A published measurement.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Measurement {
    /// Name of the machine.
    pub(crate) machine: &'static str,
    /// `ping-pong` (half of a round trip) or `stream` (a window of messages one way).
    pub(crate) benchmark: &'static str,
    /// Size of a message.
    pub(crate) bytes: u64,
    /// Unit of the values: `us` or `MB/s` (10^6 bytes per second).
    pub(crate) unit: &'static str,
    /// The measured value, or the lowest of several.
    pub(crate) measured: f64,
    /// The highest of several.
    pub(crate) measured_most: f64,
    /// Ours.
    pub(crate) simulated: f64,
    /// Error of our value, percent of the nearest measured one; 0 between the lowest and the highest.
    pub(crate) error_percent: f64,
    /// Whether the machine's numbers were chosen to meet it.
    pub(crate) used_in_fitting: bool,
    /// Where it was published.
    pub(crate) source: &'static str,
}

/// One number of the tables.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Row {
    /// `ring` or `cube`.
    pub(crate) algorithm: &'static str,
    /// Name of the machine.
    pub(crate) machine: &'static str,
    /// How the program sends.
    pub(crate) variant: &'static str,
    /// Number of ranks.
    pub(crate) ranks: u32,
    /// The textbook's, milliseconds.
    pub(crate) table_ms: f64,
    /// Ours, milliseconds.
    pub(crate) simulated_ms: f64,
    /// Whether the machine's numbers were chosen to meet it: of all of these.
    pub(crate) used_in_fitting: bool,
    /// Where it was published.
    pub(crate) source: &'static str,
}

impl Validation {
    pub(crate) fn new(rows: Vec<Row>, measurements: Vec<Measurement>) -> Self {
        Self { schema: "windtunnel.validate/1", rows, measurements }
    }
}
