//! Over which range of ranks or of another circumstance the fastest configuration stays the fastest.

use super::spread::EQUAL;
use crate::comparison::{Choice, Differ, Row};

/// A part of an axis on which one choice stays the fastest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// First value.
    pub first: String,
    /// Last value.
    pub last: String,
    /// Choices that are fastest, or as fast, at every value of the stretch; none if nothing
    /// completed.
    pub names: Vec<String>,
    /// Whether other choices are as fast at some of the values.
    pub shared: bool,
    /// Whether something that is not for sale is faster at some of the values.
    pub beaten: bool,
}

/// The winners along one axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// Name of the axis: `ranks`, or that of a setting.
    pub axis: String,
    /// Values of the other circumstances that vary, as in `ranks=64`; empty if none does.
    pub context: String,
    /// The parts of the axis, in the order of its values.
    pub stretches: Vec<Stretch>,
}

/// Returns the fastest choices of one network model along every circumstance that has several values.
/// Networks that are not for sale do not take part. Nothing is returned if there is only one choice.
pub fn ranges(rows: &[Row]) -> Vec<Range> {
    let all: Vec<&Row> = rows.iter().collect();
    let Some(first) = all.first() else { return Vec::new() };
    let differ = Differ { network: false, ..Differ::of(&all) };
    if all.iter().all(|row| differ.choice(row) == differ.choice(first)) {
        return Vec::new();
    }
    let axes = 0..first.conditions().len();
    let name = |axis: usize| first.conditions()[axis].0;
    let value = |row: &Row, axis: usize| row.conditions()[axis].1.clone();
    let varied: Vec<usize> = axes
        .filter(|axis| all.iter().any(|row| value(row, *axis) != value(first, *axis)))
        .collect();
    let mut found = Vec::new();
    for axis in varied.iter().copied() {
        let others: Vec<usize> = varied.iter().copied().filter(|other| *other != axis).collect();
        let context =
            |row: &Row| -> Vec<String> { others.iter().map(|other| value(row, *other)).collect() };
        for here in distinct(&all, context) {
            let within: Vec<&Row> =
                all.iter().copied().filter(|row| context(row) == here).collect();
            let values = distinct(&within, |row| value(row, axis));
            let fastest = values.into_iter().map(|at| {
                let rows: Vec<&Row> =
                    within.iter().copied().filter(|row| value(row, axis) == at).collect();
                (at, winners(&rows, differ), is_beaten(&rows, differ))
            });
            let stretches = stretches(fastest);
            let named = others.iter().map(|other| name(*other)).zip(&here);
            let named: Vec<String> = named.map(|(name, value)| format!("{name}={value}")).collect();
            let (axis, context) = (name(axis).to_owned(), named.join(", "));
            found.push(Range { axis, context, stretches });
        }
    }
    found
}

/// Returns the different values of what `of` returns for each row, in the order of the rows.
pub(super) fn distinct<'a, T: PartialEq>(rows: &[&'a Row], of: impl Fn(&'a Row) -> T) -> Vec<T> {
    let mut values: Vec<T> = Vec::new();
    for row in rows {
        let value = of(row);
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

/// Returns the fastest choices, and those that are as fast.
pub(super) fn winners<'a>(rows: &[&'a Row], differ: Differ) -> Vec<Choice<'a>> {
    let sold = || rows.iter().filter(|row| row.is_recommendable(differ));
    let Some(least) = sold().map(|row| row.makespan.as_ps()).min() else { return Vec::new() };
    let most = least as f64 * (1.0 + EQUAL);
    let wins = sold().filter(|row| row.makespan.as_ps() as f64 <= most).copied();
    distinct(&wins.collect::<Vec<&Row>>(), |row| differ.choice(row))
}

/// Returns whether something that is not for sale is faster than all that is.
pub(super) fn is_beaten(rows: &[&Row], differ: Differ) -> bool {
    let completed = || rows.iter().filter(|row| row.completed());
    let time = |row: &&&Row| row.makespan.as_ps();
    let (sold, unsold) = (
        completed().filter(|row| row.is_recommendable(differ)).map(|row| time(&row)).min(),
        completed().filter(|row| !row.is_recommendable(differ)).map(|row| time(&row)).min(),
    );
    sold.zip(unsold).is_some_and(|(sold, unsold)| sold as f64 > unsold as f64 * (1.0 + EQUAL))
}

/// The winners at one value of an axis, and whether something that is not for sale is faster.
type Fastest<'a> = (String, Vec<Choice<'a>>, bool);

/// Joins neighbouring values that have a winner in common.
fn stretches<'a>(fastest: impl Iterator<Item = Fastest<'a>>) -> Vec<Stretch> {
    // The winners beside the stretch that will have their names.
    let mut found: Vec<(Vec<Choice>, Stretch)> = Vec::new();
    for (value, choices, beaten) in fastest {
        if let Some((winners, last)) = found.last_mut() {
            let (count, most) = (winners.len(), winners.len().max(choices.len()));
            let common: Vec<Choice> =
                winners.iter().filter(|choice| choices.contains(choice)).cloned().collect();
            if !common.is_empty() || (choices.is_empty() && count == 0) {
                last.shared |= common.len() < most;
                last.beaten |= beaten;
                (last.last, *winners) = (value, common);
                continue;
            }
        }
        let (first, last) = (value.clone(), value);
        found.push((choices, Stretch { first, last, names: Vec::new(), shared: false, beaten }));
    }
    let named = |(choices, stretch): (Vec<Choice>, Stretch)| Stretch {
        names: choices.iter().map(Choice::to_string).collect(),
        ..stretch
    };
    found.into_iter().map(named).collect()
}

impl Range {
    /// Returns a sentence, as in `By ranks: ring is fastest from 4 to 16, torus at 64.` It says so where something
    /// that is not for sale is faster.
    pub fn sentence(&self) -> String {
        let context =
            if self.context.is_empty() { String::new() } else { format!(" with {}", self.context) };
        let part = |stretch: &Stretch| {
            let of = if stretch.beaten { "of what is for sale, " } else { "" };
            let who = match stretch.names.as_slice() {
                [] => "nothing that is for sale completes".to_owned(),
                [one] if stretch.shared => format!("{of}{one} is fastest, or as fast,"),
                [one] => format!("{of}{one} is fastest"),
                several => {
                    let most = if stretch.beaten { "fastest" } else { "equally fast" };
                    format!("{of}{} are {most}", several.join(" and "))
                }
            };
            match stretch.first == stretch.last {
                true => format!("{who} at {}", stretch.first),
                false => format!("{who} from {} to {}", stretch.first, stretch.last),
            }
        };
        let parts: Vec<String> = self.stretches.iter().map(part).collect();
        format!("By {}{context}: {}.", self.axis, parts.join("; "))
    }
}
