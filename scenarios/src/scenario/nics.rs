//! Topologies for machines whose nodes have several NICs.

use network_models::{Topology, TopologyError, TopologySpec};

use crate::{error::Error, machine::Machine};

/// Builds a topology with places for the NICs of at least `needed` nodes of a machine.
pub(super) fn build(
    spec: &TopologySpec,
    needed: u32,
    machine: &Machine,
) -> Result<Topology, Error> {
    let nics = machine.nics().map_or(1, |nics| nics.count());
    let places = needed.saturating_mul(nics);
    let topology = spec.build(places).map_err(|error| match error {
        TopologyError::TooSmall { name, nodes, .. } if nics > 1 => {
            Error::TooFewPlaces { topology: name, places: nodes, nodes: needed, nics }
        }
        other => other.into(),
    })?;
    if nics > 1 && topology.rails() > 1 {
        return Err(Error::BadValue {
            what: "the topology of a machine whose nodes have several NICs (`nics`)".into(),
            value: topology.name().into(),
            allowed: format!(
                "one whose nodes have one port each, and here they have {}; each NIC is a node of it",
                topology.rails()
            ),
        });
    }
    Ok(topology.with_nics(nics))
}
