//! The settings that most executions of a check begin with.

use mpi_api::settings::{CollectiveSynchronization, Settings};

use super::Space;
use crate::scenario::Scenario;

/// Returns the settings of an execution with this buffering in which collectives synchronise no more than they must.
pub(super) fn settings_with(space: Space, scenario: &Scenario) -> Settings {
    Settings {
        buffering: space.buffering(),
        synchronisation: CollectiveSynchronization::Minimal,
        ..scenario.settings()
    }
}
