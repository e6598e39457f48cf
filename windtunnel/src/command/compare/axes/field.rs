//! What axes change, and their names.

use mpi_api::collective::select::Selector;
use scenarios::{
    error::Error,
    machine::Machine,
    options::Cable,
    program::parameters_of,
    scenario::{Aspect, Request},
};

/// What an axis changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::command) enum Field {
    Topology,
    Machine,
    Placement,
    Collectives,
    Network,
    /// The algorithm of one collective.
    Collective(String),
    EagerLimit,
    Buffering,
    RanksPerNode,
    RanksPerSocket,
    Seed,
    Noise,
    Background,
    /// A number of the machine.
    Number(String),
    /// All numbers of the machine of one kind, by a factor.
    Scaled(Aspect),
    /// The rate of the cables between two vertices, by a factor.
    Link(Cable),
    Arguments,
    /// A parameter of a built-in program.
    Parameter(String),
    Ranks,
}

/// The names of axes that are always there.
pub(super) const NAMES: [(&str, Field); 18] = [
    ("ranks", Field::Ranks),
    ("topology", Field::Topology),
    ("machine", Field::Machine),
    ("network", Field::Network),
    ("placement", Field::Placement),
    ("collectives", Field::Collectives),
    ("eager-limit", Field::EagerLimit),
    ("buffering", Field::Buffering),
    ("ranks-per-node", Field::RanksPerNode),
    ("ranks-per-socket", Field::RanksPerSocket),
    ("seed", Field::Seed),
    ("noise", Field::Noise),
    ("background", Field::Background),
    ("latency", Field::Scaled(Aspect::Latency)),
    ("bandwidth", Field::Scaled(Aspect::Bandwidth)),
    ("gap", Field::Scaled(Aspect::Gap)),
    ("overhead", Field::Scaled(Aspect::Overhead)),
    ("args", Field::Arguments),
];

/// Beginning of the names of links.
const LINK: &str = "link:";

impl Field {
    /// Returns how deep the axis is nested; axes of equal depth keep the user's order.
    pub(super) fn nesting(&self) -> u8 {
        match self {
            Self::Topology => 0,
            Self::Machine => 1,
            Self::Placement => 2,
            Self::Collectives => 3,
            Self::Network => 4,
            Self::Collective(_)
            | Self::EagerLimit
            | Self::Buffering
            | Self::RanksPerNode
            | Self::RanksPerSocket
            | Self::Seed
            | Self::Noise
            | Self::Background
            | Self::Number(_)
            | Self::Scaled(_)
            | Self::Link(_)
            | Self::Arguments
            | Self::Parameter(_) => 5,
            Self::Ranks => 6,
        }
    }

    /// Returns whether the values are circumstances of a decision, and nothing to choose.
    pub(super) fn is_condition(&self) -> bool {
        match self {
            Self::Ranks
            | Self::Seed
            | Self::Noise
            | Self::Background
            | Self::Number(_)
            | Self::Scaled(_)
            | Self::Link(_)
            | Self::Arguments
            | Self::Parameter(_) => true,
            Self::Topology
            | Self::Machine
            | Self::Placement
            | Self::Collectives
            | Self::Network
            | Self::Collective(_)
            | Self::EagerLimit
            | Self::Buffering
            | Self::RanksPerNode
            | Self::RanksPerSocket => false,
        }
    }

    /// Returns whether a row shows the value in a column that every comparison has.
    pub(super) fn has_column(&self) -> bool {
        match self {
            Self::Topology
            | Self::Machine
            | Self::Placement
            | Self::Collectives
            | Self::Network
            | Self::Ranks => true,
            Self::Collective(_)
            | Self::EagerLimit
            | Self::Buffering
            | Self::RanksPerNode
            | Self::RanksPerSocket
            | Self::Seed
            | Self::Noise
            | Self::Background
            | Self::Number(_)
            | Self::Scaled(_)
            | Self::Link(_)
            | Self::Arguments
            | Self::Parameter(_) => false,
        }
    }

    /// Returns whether the values differ in what nobody chooses: seeds, noise, traffic of others.
    pub(super) fn is_chance(&self) -> bool {
        match self {
            Self::Seed | Self::Noise | Self::Background => true,
            Self::Topology
            | Self::Machine
            | Self::Placement
            | Self::Collectives
            | Self::Network
            | Self::Collective(_)
            | Self::EagerLimit
            | Self::Buffering
            | Self::RanksPerNode
            | Self::RanksPerSocket
            | Self::Number(_)
            | Self::Scaled(_)
            | Self::Link(_)
            | Self::Arguments
            | Self::Parameter(_)
            | Self::Ranks => false,
        }
    }

    /// Returns whether the name of a configuration that is left out has the value anyway.
    pub(super) fn is_in_every_name(&self) -> bool {
        match self {
            Self::Topology | Self::Ranks => true,
            Self::Machine
            | Self::Placement
            | Self::Collectives
            | Self::Network
            | Self::Collective(_)
            | Self::EagerLimit
            | Self::Buffering
            | Self::RanksPerNode
            | Self::RanksPerSocket
            | Self::Seed
            | Self::Noise
            | Self::Background
            | Self::Number(_)
            | Self::Scaled(_)
            | Self::Link(_)
            | Self::Arguments
            | Self::Parameter(_) => false,
        }
    }

    /// Returns the name for display.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Collective(name) | Self::Parameter(name) | Self::Number(name) => name.clone(),
            Self::Link(cable) => format!("{LINK}{cable}"),
            field => {
                let known = NAMES.iter().find(|(_, known)| known == field);
                known.map_or(String::new(), |(name, _)| (*name).to_owned())
            }
        }
    }
}

/// Returns what an axis changes, by its name.
pub(super) fn field(name: &str, base: &Request) -> Result<Field, Error> {
    if let Some((_, field)) = NAMES.iter().find(|(known, _)| *known == name) {
        return Ok(field.clone());
    }
    if let Some(ends) = name.strip_prefix(LINK) {
        let refuse = |allowed: String| Error::BadValue {
            what: "an axis".into(),
            value: name.into(),
            allowed,
        };
        return ends.parse().map(Field::Link).map_err(refuse);
    }
    let collectives: Vec<String> =
        Selector::table().into_iter().map(|(name, _)| format!("collectives.{name}")).collect();
    let spelled = name.replace('-', "_");
    if collectives.contains(&spelled) {
        let (_, collective) = spelled.split_once('.').unwrap_or_default();
        return Ok(Field::Collective(collective.to_owned()));
    }
    let parameters = parameters_of(&base.program);
    if let Some(parameter) = name.strip_prefix("p.").or(Some(name))
        && parameters.contains(&parameter)
    {
        return Ok(Field::Parameter(parameter.to_owned()));
    }
    if let Some(parameter) = name.strip_prefix("p.") {
        return Err(Error::unknown("parameter", parameter, parameters));
    }
    let numbers = Machine::load_with(&base.machine, &base.catalog)?.numbers();
    if numbers.iter().any(|known| known == name) {
        return Ok(Field::Number(name.to_owned()));
    }
    let fixed = NAMES.iter().map(|(known, _)| *known).chain([LINK]);
    let named = collectives.iter().chain(&numbers).map(String::as_str);
    Err(Error::unknown("axis", name, fixed.chain(parameters).chain(named)))
}
