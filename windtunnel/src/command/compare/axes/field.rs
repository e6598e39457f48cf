//! What axes change, and their names.

use mpi_api::collective::select::Selector;
use scenarios::{
    error::{Error, nearest},
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

/// What part an axis has in a comparison.
pub(super) struct Role {
    /// How deep the axis is nested; axes of equal depth keep the user's order.
    pub(super) nesting: u8,
    /// Whether the values are circumstances of a decision, and nothing to choose.
    pub(super) is_condition: bool,
    /// Whether the values differ in what nobody chooses: seeds, noise, traffic of others.
    pub(super) is_chance: bool,
    /// Whether a row shows the value in a column that every comparison has.
    pub(super) has_column: bool,
    /// Whether the name of a configuration that is left out has the value anyway.
    pub(super) is_in_every_name: bool,
}

/// What one chooses, shown in a column that axes of this kind add.
const CHOICE: Role = Role {
    nesting: 5,
    is_condition: false,
    is_chance: false,
    has_column: false,
    is_in_every_name: false,
};

/// What one chooses, shown in a column that is always there.
const COLUMN: Role = Role { has_column: true, ..CHOICE };

const CONDITION: Role = Role { is_condition: true, ..CHOICE };

const CHANCE: Role = Role { is_chance: true, ..CONDITION };

impl Field {
    /// Returns what part the axis has in a comparison.
    pub(super) fn role(&self) -> Role {
        match self {
            Self::Topology => Role { nesting: 0, is_in_every_name: true, ..COLUMN },
            Self::Machine => Role { nesting: 1, ..COLUMN },
            Self::Placement => Role { nesting: 2, ..COLUMN },
            Self::Collectives => Role { nesting: 3, ..COLUMN },
            Self::Network => Role { nesting: 4, ..COLUMN },
            Self::Collective(_)
            | Self::EagerLimit
            | Self::Buffering
            | Self::RanksPerNode
            | Self::RanksPerSocket => CHOICE,
            Self::Number(_)
            | Self::Scaled(_)
            | Self::Link(_)
            | Self::Arguments
            | Self::Parameter(_) => CONDITION,
            Self::Seed | Self::Noise | Self::Background => CHANCE,
            Self::Ranks => {
                Role { nesting: 6, has_column: true, is_in_every_name: true, ..CONDITION }
            }
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
    // The name in tables and in JSON.
    if collectives.contains(&format!("collectives.{spelled}")) {
        return Ok(Field::Collective(spelled));
    }
    let numbers = Machine::load_with(&base.machine, &base.catalog)?.numbers();
    if numbers.iter().any(|known| known == name) {
        return Ok(Field::Number(name.to_owned()));
    }
    let fixed = NAMES.iter().map(|(known, _)| *known).chain([LINK]);
    let named = collectives.iter().chain(&numbers).map(String::as_str);
    let error = Error::unknown("axis", name, fixed.chain(parameters).chain(named));
    Err(match spelled.strip_prefix("collectives.") {
        // Compared without the prefix, which would make all of them similar; as `--collectives` does.
        Some(collective) => error.suggesting(
            nearest(collective, Selector::table().into_iter().map(|(name, _)| name))
                .map(|name| format!("collectives.{name}")),
        ),
        None => error,
    })
}
