//! The object of `windtunnel validate --json`.

use schemars::JsonSchema;
use serde::Serialize;

/// The textbook's tables beside the simulator.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Validation {
    /// `windtunnel.validate/1`.
    schema: &'static str,
    /// The numbers, in the order of the tables.
    rows: Vec<Row>,
}

/// One number of the tables.
#[derive(Debug, Serialize, JsonSchema)]
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
}

impl Validation {
    pub(crate) fn new(rows: Vec<Row>) -> Self {
        Self { schema: "windtunnel.validate/1", rows }
    }
}
