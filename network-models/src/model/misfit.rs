//! [`ModelMisfit`]: why a network model cannot be used on a topology.

/// Why a network model with its options does not fit a topology.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelMisfit {
    /// The routing is not defined for the topology.
    #[error("routing `{routing}` {reason}")]
    Routing {
        /// Name of the routing.
        routing: &'static str,
        /// Why it is not, as the predicate of a sentence about the routing.
        reason: String,
    },
    /// Links have different rates, and the model gives all of them the same clock.
    #[error(
        "the links of {topology} have different rates ({} and {} bytes/s), and all must have the same",
        rates.0, rates.1
    )]
    Rates {
        /// Name of the topology with its sizes.
        topology: String,
        /// Two of the rates, in bytes per second.
        rates: (u64, u64),
    },
    /// An option means nothing beside another one.
    #[error("option `{option}` of network model `{model}` needs `{needs}`")]
    Option {
        /// Name of the model.
        model: &'static str,
        /// Name of the option.
        option: &'static str,
        /// The option without which it means nothing, with its value.
        needs: &'static str,
    },
    /// The routing needs more virtual channels.
    #[error(
        "routing `{routing}` needs {needed} virtual channels on {topology}, and the model has \
         {given}{}",
        with_one(cycle)
    )]
    Channels {
        /// Name of the routing.
        routing: &'static str,
        /// Name of the topology with its sizes.
        topology: String,
        /// Virtual channels that the routing needs.
        needed: u32,
        /// Virtual channels that the model has.
        given: u32,
        /// Channels that wait for each other if there is one for each link, if they are known.
        cycle: Option<String>,
    },
}

fn with_one(cycle: &Option<String>) -> String {
    let text = |cycle: &String| format!("; with one channel packets wait for each other: {cycle}");
    cycle.as_ref().map(text).unwrap_or_default()
}
