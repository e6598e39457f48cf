//! The results of a study as the columns of a table, in order of their numbers.

use std::collections::BTreeMap;

use scenarios::options;

use super::Axis;
use crate::json::sweep::Row;

/// A column: its name, and its values in the order of the rows.
pub(super) struct Column {
    pub(super) name: String,
    pub(super) values: Values,
    /// The values as the study writes them, if it is an axis; empty where one is missing.
    pub(super) written: Option<Vec<String>>,
}

impl Column {
    /// Returns one value as text; empty if it is missing.
    pub(super) fn text(&self, at: usize) -> String {
        match &self.written {
            Some(written) => written[at].clone(),
            None => self.values.text(at),
        }
    }
}

/// The values of a column, all of one type; `None` is a missing one.
pub(super) enum Values {
    Unsigned(Vec<Option<u64>>),
    Integer(Vec<Option<i64>>),
    Float(Vec<Option<f64>>),
    Text(Vec<Option<String>>),
}

/// Returns the columns of all results: number, seed, a column for each axis, and what came of it.
///
/// The type of an axis is that of all its values in the study, so that it does not depend on which of them have a
/// result: whole numbers, numbers, or text.
pub(super) fn columns(axes: &[Axis], rows: &BTreeMap<u64, Row>) -> Vec<Column> {
    let whole = |name, of: fn(&Row) -> Option<u64>| {
        column(name, Values::Unsigned(rows.values().map(of).collect()))
    };
    let float = |name, of: fn(&Row) -> Option<f64>| {
        column(name, Values::Float(rows.values().map(of).collect()))
    };
    let text = |name, of: fn(&Row) -> Option<String>| {
        column(name, Values::Text(rows.values().map(of).collect()))
    };
    let mut columns =
        vec![whole("number", |row| Some(row.number)), whole("seed", |row| Some(row.seed))];
    columns.extend(axes.iter().map(|axis| of_axis(axis, rows)));
    columns.extend([
        text("outcome", |row| Some(row.outcome.word().to_owned())),
        float("makespan_ns", |row| row.makespan_ns),
        float("compute_share", |row| of_run(row, row.compute_share)),
        float("overhead_share", |row| of_run(row, row.overhead_share)),
        float("waiting_share", |row| of_run(row, row.waiting_share)),
        whole("messages", |row| of_run(row, row.messages)),
        whole("bytes", |row| of_run(row, row.bytes)),
        text("digest", |row| of_run(row, row.digest.clone())),
        text("findings", |row| Some(row.findings.join(" "))),
        text("reason", |row| row.reason.clone()),
    ]);
    apart(&mut columns);
    columns
}

/// Returns what a row says of its run, if there was one.
fn of_run<T>(row: &Row, value: T) -> Option<T> {
    row.outcome.has_run().then_some(value)
}

/// Renames each axis that has the name of another column, such as `bytes`, to `axis.NAME`: readers find columns
/// by their names.
fn apart(columns: &mut [Column]) {
    let (axes, others): (Vec<&mut Column>, Vec<&mut Column>) =
        columns.iter_mut().partition(|column| column.written.is_some());
    for axis in axes {
        if others.iter().any(|other| other.name == axis.name) {
            axis.name = format!("axis.{}", axis.name);
        }
    }
}

fn column(name: &str, values: Values) -> Column {
    Column { name: name.to_owned(), values, written: None }
}

fn of_axis(axis: &Axis, rows: &BTreeMap<u64, Row>) -> Column {
    let name = axis.name();
    let all: Vec<&str> = (0..axis.len()).map(|at| axis.text(at)).collect();
    let given = || rows.values().map(|row| row.settings.get(&name).map(String::as_str));
    let written = given().map(|text| text.unwrap_or_default().to_owned()).collect();
    Column { values: typed(&all, given()), written: Some(written), name }
}

/// Returns values with the narrowest type that holds all those of an axis.
fn typed<'a>(all: &[&str], given: impl Iterator<Item = Option<&'a str>>) -> Values {
    let is_number = |text: &&str| text.parse().is_ok_and(f64::is_finite);
    if all.iter().all(|text| whole(text).is_some()) {
        Values::Integer(given.map(|text| whole(text?)).collect())
    } else if all.iter().all(is_number) {
        Values::Float(given.map(|text| text?.parse().ok()).collect())
    } else {
        Values::Text(given.map(|text| text.map(str::to_owned)).collect())
    }
}

/// Returns a whole number, or a size with its unit in bytes: an axis such as 8..64K mixes both.
fn whole(text: &str) -> Option<i64> {
    text.parse().ok().or_else(|| options::size(text)?.try_into().ok())
}

impl Values {
    /// Returns the number of values.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Unsigned(values) => values.len(),
            Self::Integer(values) => values.len(),
            Self::Float(values) => values.len(),
            Self::Text(values) => values.len(),
        }
    }

    fn text(&self, at: usize) -> String {
        fn shown<T: ToString>(value: Option<&T>) -> String {
            value.map(T::to_string).unwrap_or_default()
        }
        match self {
            Self::Unsigned(values) => shown(values[at].as_ref()),
            Self::Integer(values) => shown(values[at].as_ref()),
            Self::Float(values) => shown(values[at].as_ref()),
            Self::Text(values) => shown(values[at].as_ref()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(all: &[&str]) -> &'static str {
        match typed(all, all.iter().map(|text| Some(*text))) {
            Values::Unsigned(_) => "unsigned",
            Values::Integer(_) => "integer",
            Values::Float(_) => "float",
            Values::Text(_) => "text",
        }
    }

    #[test]
    fn names_are_different() {
        let bytes = || column("bytes", Values::Unsigned(vec![Some(1)]));
        let axis = Column { written: Some(vec!["8K".into()]), ..bytes() };
        let ranks = Column { name: "ranks".into(), written: Some(vec!["4".into()]), ..bytes() };
        let mut columns = [axis, ranks, bytes()];
        apart(&mut columns);
        assert_eq!(columns.map(|column| column.name), ["axis.bytes", "ranks", "bytes"]);
    }

    #[test]
    fn an_axis_has_the_type_of_all_its_values() {
        assert_eq!(kind(&["4", "16", "-1"]), "integer");
        assert_eq!(kind(&["0.5", "2", "1e-3"]), "float");
        assert_eq!(kind(&["8", "2K", "1MB"]), "integer");
        for words in [["x0.5", "x2"], ["inf", "1"], ["nan", "1"]] {
            assert_eq!(kind(&words), "text", "{words:?}");
        }
    }
}
