//! The axes of `windtunnel compare`: `--axis NAME=VALUES`, and the options that are shorthands for some
//! of them.

mod field;
#[cfg(test)]
mod tests;
mod value;
mod written;

use network_models::Topology;
use scenarios::{
    error::Error,
    options::{COMPARED_MODEL, Folder},
    scenario::Request,
};

pub(in crate::command) use self::written::Written;
use self::{
    field::{Field, field},
    value::{Value, algorithms, as_it_is, collectives, value},
};
use crate::{
    args::Grid,
    lists::{each_once, list, lists, topologies},
    ranges::{bad, consecutive, ranges},
};

/// Topologies that are compared if neither a topology nor an axis is named.
const TOPOLOGIES: [&str; 5] = ["ring", "mesh", "torus", "hypercube", "crossbar"];

/// Most configurations of one comparison.
const CONFIGURATIONS_MAX: usize = 100_000;

/// The text of a value that changes nothing.
const TODAY: &str = "as today";

/// An axis with its values.
pub(in crate::command) struct Axis {
    field: Field,
    values: Vec<Value>,
}

/// One point of the grid.
pub(super) struct Point {
    pub(super) request: Request,
    /// The position on each axis.
    pub(super) at: Vec<usize>,
    /// Number of the line of points that differ in the number of ranks only.
    pub(super) line: usize,
}

impl Axis {
    /// Returns the name for display.
    pub(in crate::command) fn name(&self) -> String {
        self.field.name()
    }

    /// Returns whether the values are circumstances of a decision, and nothing to choose.
    pub(super) fn is_condition(&self) -> bool {
        self.field.role().is_condition
    }

    /// Returns whether a row shows the value in a column that every comparison has.
    pub(super) fn has_column(&self) -> bool {
        self.field.role().has_column
    }

    /// Returns whether the name of a configuration that is left out has the value anyway.
    pub(super) fn is_in_every_name(&self) -> bool {
        self.field.role().is_in_every_name
    }

    /// Returns whether the axis has several values.
    pub(in crate::command) fn varies(&self) -> bool {
        self.values.len() > 1
    }

    /// Returns the number of values.
    pub(in crate::command) fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns the factor by which a value multiplies the setting, if it does.
    pub(in crate::command) fn factor(&self, at: usize) -> Option<f64> {
        self.values[at].factor()
    }

    /// Returns a request with one of the values.
    pub(in crate::command) fn applied(&self, at: usize, base: &Request) -> Request {
        let mut request = base.clone();
        (self.values[at].apply)(&mut request);
        request
    }

    /// Returns whether both axes change the same.
    pub(in crate::command) fn is_same_setting(&self, other: &Self) -> bool {
        self.field == other.field
    }

    /// Returns whether the axis varies the seed.
    pub(in crate::command) fn is_seed(&self) -> bool {
        self.field == Field::Seed
    }

    /// Returns whether the values differ in what nobody chooses: seeds, noise, traffic of others.
    pub(in crate::command) fn is_chance(&self) -> bool {
        self.field.role().is_chance
    }

    /// Checks that a topology has the link whose rate is varied, if this axis does that.
    ///
    /// # Errors
    /// Returns an error if it does not.
    pub(in crate::command) fn suits(&self, topology: &Topology) -> Result<(), Error> {
        if let Field::Link(cable) = &self.field {
            cable.on(topology)?;
        }
        Ok(())
    }

    /// Returns the position of the value that changes nothing in `base`.
    pub(in crate::command) fn today(&self, base: &Request) -> Option<usize> {
        (0..self.len()).find(|at| self.applied(*at, base) == *base)
    }

    /// Returns the axis with what holds in `base` as its first value.
    pub(in crate::command) fn with_today(mut self, base: &Request) -> Self {
        let today = match self.today(base) {
            Some(at) => self.values.remove(at),
            None => Value::new(TODAY, |_| {}),
        };
        self.values.insert(0, today);
        self
    }

    /// Returns a value as it is written.
    pub(in crate::command) fn text(&self, at: usize) -> &str {
        &self.values[at].text
    }

    /// Returns the collective whose algorithm is varied, if this axis does that.
    pub(super) fn collective(&self) -> Option<&str> {
        match &self.field {
            Field::Collective(name) => Some(name),
            _ => None,
        }
    }

    /// Returns whether the axis varies the program's arguments.
    pub(super) fn adds_arguments(&self) -> bool {
        self.field == Field::Arguments
    }

    /// Returns whether the axis changes what the program computes.
    pub(super) fn changes_program(&self) -> bool {
        matches!(self.field, Field::Ranks | Field::Arguments | Field::Parameter(_) | Field::Seed)
            && self.varies()
    }

    /// Returns the values as numbers, or all as factors: a factor and a number have no common scale.
    fn numbers(&self) -> Option<Vec<f64>> {
        let numbers: Option<Vec<f64>> = self.values.iter().map(Value::number).collect();
        numbers.or_else(|| self.values.iter().map(Value::factor).collect())
    }

    /// Returns the axis as reports have it.
    pub(super) fn reported(&self) -> reports::Axis {
        reports::Axis {
            name: self.name(),
            values: self.values.iter().map(|value| value.text.clone()).collect(),
            numbers: self.numbers(),
            condition: self.is_condition(),
            model: self.field == Field::Network,
        }
    }
}

/// Returns the axes of a comparison, in the order in which they are nested: numbers of ranks vary
/// fastest.
///
/// # Errors
/// Returns an error if a name or a value is unknown, or an axis is given twice.
pub(super) fn axes(grid: &Grid, base: &Request) -> Result<Vec<Axis>, Error> {
    let mut axes: Vec<Axis> = Vec::new();
    for text in &grid.axes {
        let axis = read(text, base)?;
        if axes.iter().any(|other| other.field == axis.field) {
            return Err(twice(&axis));
        }
        axes.push(axis);
    }
    let own_topology = grid.axes.is_empty() && base.topology.is_none();
    for shorthand in shorthands(grid, base)? {
        let (given, axis) = shorthand;
        match axes.iter().any(|other| other.field == axis.field) {
            true if given => return Err(twice(&axis)),
            true => {}
            false if axis.field == Field::Topology && !given && !own_topology => {
                axes.push(Axis { field: Field::Topology, values: vec![as_it_is(base)] });
            }
            false => axes.push(axis),
        }
    }
    // Stable: axes of one kind stay in the order in which they were written.
    axes.sort_by_key(|axis| axis.field.role().nesting);
    let count = axes.iter().map(|axis| axis.values.len()).try_fold(1usize, usize::checked_mul);
    match count.filter(|count| *count <= CONFIGURATIONS_MAX) {
        Some(_) => Ok(axes),
        None => Err(Error::BadValue {
            what: "the number of configurations".into(),
            value: axes
                .iter()
                .map(|axis| axis.values.len().to_string())
                .collect::<Vec<_>>()
                .join(" x "),
            allowed: format!("at most {CONFIGURATIONS_MAX}"),
        }),
    }
}

fn twice(axis: &Axis) -> Error {
    Error::BadValue {
        what: "an axis".into(),
        value: axis.name(),
        allowed: "each setting once, as --axis or as an option".into(),
    }
}

/// Returns the axes that options are shorthands for, and whether an option was given for each.
fn shorthands(grid: &Grid, base: &Request) -> Result<Vec<(bool, Axis)>, Error> {
    let one = |given: &[String], otherwise: &str| match given {
        [] => vec![otherwise.to_owned()],
        given => lists(given),
    };
    let compared: Vec<String> = match (grid.topologies.as_slice(), &base.topology) {
        ([], Some(one)) => vec![one.clone()],
        ([], None) => TOPOLOGIES.map(str::to_owned).to_vec(),
        (given, _) => topologies(given),
    };
    let mut ranks: Vec<String> = grid.ranks().map(|count| count.get().to_string()).collect();
    if ranks.is_empty() {
        ranks.push(base.ranks.to_string());
    }
    let collectives = Axis {
        field: Field::Collectives,
        values: match grid.algorithms.as_slice() {
            [] => vec![Value::new("as given", |_| {})],
            given => each_once(lists(given)).iter().map(|words| collectives(words)).collect(),
        },
    };
    let network = base.network.as_deref().unwrap_or(COMPARED_MODEL);
    let asked = &grid.options.asked;
    let axis = |field: Field, values| axis(field, values, base, &Folder::working());
    Ok(vec![
        (!grid.topologies.is_empty() || asked.topology.is_some(), axis(Field::Topology, compared)?),
        (!grid.machines.is_empty(), axis(Field::Machine, one(&grid.machines, &base.machine))?),
        (
            !grid.placements.is_empty(),
            axis(Field::Placement, one(&grid.placements, &base.placement))?,
        ),
        (!grid.algorithms.is_empty(), collectives),
        (
            !grid.networks.is_empty() || asked.network.is_some(),
            axis(Field::Network, one(&grid.networks, network))?,
        ),
        (!grid.ranks_list.is_empty(), axis(Field::Ranks, ranks)?),
    ])
}

/// Reads an axis of the command line, `NAME=VALUES`.
///
/// # Errors
/// Returns an error if the name or a value is unknown.
pub(in crate::command) fn read(text: &str, base: &Request) -> Result<Axis, Error> {
    read_in(text, base, &Folder::working())
}

/// Reads an axis of a file, `NAME=VALUES`. Paths in its values are relative to `folder`.
///
/// # Errors
/// Returns an error if the name or a value is unknown.
pub(in crate::command) fn read_in(
    text: &str,
    base: &Request,
    folder: &Folder,
) -> Result<Axis, Error> {
    let Some((name, values)) = text.split_once('=') else {
        return Err(Error::BadValue {
            what: "a setting with its values".into(),
            value: text.into(),
            allowed: "NAME=VALUE,VALUE..., as in eager-limit=0,1K,8K".into(),
        });
    };
    let field = field(name.trim(), base)?;
    let values = match field {
        Field::Topology => topologies(&[values.to_owned()]),
        Field::EagerLimit
        | Field::Buffering
        | Field::Number(_)
        | Field::Parameter(_)
        | Field::Ranks
        | Field::RanksPerNode
        | Field::RanksPerSocket => ranges(name, list(values))?,
        Field::Seed => consecutive(name, list(values))?,
        Field::Collective(ref collective) => {
            let each = |value: String| match value.as_str() {
                "all" => algorithms(collective),
                _ => vec![value],
            };
            list(values).into_iter().flat_map(each).collect()
        }
        _ => list(values),
    };
    axis(field, values, base, folder)
}

fn axis(field: Field, values: Vec<String>, base: &Request, folder: &Folder) -> Result<Axis, Error> {
    let mut axis = Axis { field, values: Vec::new() };
    let name = axis.name();
    for text in each_once(values) {
        if text.is_empty() && axis.field != Field::Arguments && axis.field != Field::Network {
            return Err(bad(&name, &text, "one value or more, separated by commas"));
        }
        let value = value(&axis.field, (&name, &text), base, folder)?;
        axis.values.push(value);
    }
    if axis.field == Field::Ranks {
        axis.values
            .sort_by(|a, b| a.number().partial_cmp(&b.number()).expect("they are whole numbers"));
    }
    Ok(axis)
}

/// Returns every combination of values; the first axis varies slowest.
pub(super) fn points(axes: &[Axis], base: &Request) -> Vec<Point> {
    let mut points = vec![Point { request: base.clone(), at: Vec::new(), line: 0 }];
    for axis in axes {
        let extended = |point: &Point| -> Vec<Point> {
            let extended = |place: usize| {
                let at = point.at.iter().copied().chain([place]).collect();
                Point { request: axis.applied(place, &point.request), at, line: 0 }
            };
            (0..axis.len()).map(extended).collect()
        };
        points = points.iter().flat_map(extended).collect();
    }
    // The numbers of ranks vary fastest.
    let ranks = axes.last().map_or(1, |axis| axis.values.len());
    for (number, point) in points.iter_mut().enumerate() {
        point.line = number / ranks;
    }
    points
}
