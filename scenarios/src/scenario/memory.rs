//! Estimate of the memory that a run needs.

use mpi_api::settings::Settings;

use super::Scenario;

/// Bytes of the kernel's and the engine's tables for one rank, as measured with many ranks.
const TABLES: u64 = 8 << 10;
/// Bytes of stack that a rank touches at least.
const TOUCHED: u64 = 4 << 10;

/// Memory of a run, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// Address space of one rank, most of which is never touched.
    pub address_space: u64,
    /// Memory that one rank touches at least.
    pub touched: u64,
}

impl Scenario {
    /// Returns the memory that each rank needs.
    pub fn need_per_rank(&self) -> Need {
        let Settings { limits, .. } = self.settings();
        let limits = self.program.limits(limits);
        let stack = (limits.stack_bytes + limits.guard_bytes) as u64;
        let image = self.program.image_bytes();
        Need { address_space: stack + image + TABLES, touched: TABLES + TOUCHED }
    }
}
