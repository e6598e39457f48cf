//! Tables of a comparison for a terminal: the ranking, and run times by two axes.

use super::text::aligned;
use crate::{
    analysis::{Pivot, cost_amount},
    comparison::{Axis, Differ, Row, Skipped, by_ranks, has_scaling},
    format::{count, counted, percent, whole_percent},
};

/// Most characters of a line of a table of two axes that are filled.
const WIDE: usize = 100;

/// A column: its name and the text of each row.
type Column<'a> = (String, Box<dyn Fn(&Row) -> String + 'a>);

/// Returns a table of the configurations: by number of ranks, those of equal numbers from fast to slow.
/// Columns in which all rows agree are left out, as are speed-up and efficiency for one number of
/// ranks. `weak` says that the work grows with the ranks, `unit` is that of the costs.
pub fn comparison_table(rows: &[Row], weak: bool, unit: &str) -> String {
    let order = by_ranks(rows);
    let Some(first) = order.first() else { return String::new() };
    let differ = Differ::of(&order);
    let named: [(&str, bool, fn(&Row) -> String); 5] = [
        ("topology", true, |row| row.topology.clone()),
        ("machine", differ.machine, |row| row.machine.clone()),
        ("network", differ.network, |row| row.network.clone()),
        ("placement", differ.placement, |row| row.placement.clone()),
        ("collectives", differ.collectives, |row| row.collectives.clone()),
    ];
    let named = named.into_iter().filter(|column| column.1);
    let mut columns: Vec<Column> =
        named.map(|(name, _, of)| (name.to_owned(), Box::new(of) as Box<_>)).collect();
    for (place, setting) in first.settings.iter().enumerate() {
        let value = move |row: &Row| row.settings[place].value.clone();
        columns.push((setting.axis.clone(), Box::new(value)));
    }
    let left = columns.len();
    columns.extend(numbers(has_scaling(&order), weak, unit));
    let mut table: Vec<Vec<String>> = vec![columns.iter().map(|column| column.0.clone()).collect()];
    table.extend(order.iter().map(|row| columns.iter().map(|column| column.1(row)).collect()));
    // The names of links, in the last column, are text.
    let last = columns.len() - 1;
    let widest = table.iter().map(|row| row[last].chars().count()).max().unwrap_or(0);
    for row in &mut table {
        row[last] = format!("{:<widest$}", row[last]);
    }
    aligned(&table, left).join("\n") + "\n"
}

fn numbers(scaling: bool, weak: bool, unit: &str) -> Vec<Column<'_>> {
    let column = |name: &str, of: fn(&Row) -> String| -> Column { (name.to_owned(), Box::new(of)) };
    let mut columns = vec![
        column("ranks", |row| row.ranks.to_string()),
        column("run time", |row| match row.completed() {
            true => row.makespan.to_string(),
            false => row.ending.word().to_owned(),
        }),
    ];
    if scaling {
        let name = if weak { "scaled speed-up" } else { "speed-up" };
        columns.push(column(name, |row| match row.completed() {
            true => format!("{:.2}", row.speedup),
            false => "-".into(),
        }));
        columns.push(column(efficiency_name(weak), |row| match row.completed() {
            true => whole_percent(100.0 * row.efficiency),
            false => "-".into(),
        }));
    }
    columns.push(column("links", |row| count(row.structure.links)));
    columns.push(column("ports", |row| count(row.bill.ports())));
    columns.push(("cost".to_owned(), Box::new(move |row| cost_cell(row, unit))));
    columns.extend([
        column("diameter", |row| row.structure.diameter.to_string()),
        column("hops", |row| format!("{:.2}", row.mean_hops)),
        column("busy", |row| match row.hottest_link {
            Some((_, busy)) => percent(busy),
            None => "-".to_owned(),
        }),
        column("hottest link", |row| match &row.hottest_link {
            Some((name, _)) => name.clone(),
            None => "-".to_owned(),
        }),
    ]);
    columns
}

/// Returns the cost of a row, or why it cannot be bought.
pub(super) fn cost_cell(row: &Row, unit: &str) -> String {
    match (row.cost.for_sale, row.cost.is_priced) {
        (true, _) => cost_amount(row, unit),
        (false, true) => format!("{} (ideal)", cost_amount(row, unit)),
        (false, false) => "not for sale".to_owned(),
    }
}

/// Returns the name of the column of efficiencies.
pub(super) fn efficiency_name(weak: bool) -> &'static str {
    if weak { "weak efficiency" } else { "efficiency" }
}

/// Returns the names of the columns and the cells of a table of two axes; the shortest run time of each
/// row is marked with an asterisk.
pub(super) fn pivot_cells(rows: &[Row], axes: &[Axis], pivot: &Pivot) -> Vec<Vec<String>> {
    let (down, across) = (&axes[pivot.down], &axes[pivot.across]);
    let corner = format!("{} \\ {}", down.name, across.name);
    let mut table = vec![[corner].into_iter().chain(across.values.iter().cloned()).collect()];
    for (at, cells) in pivot.cells.iter().enumerate() {
        let cell = |(column, cell): (usize, &Option<usize>)| match cell.map(|place| &rows[place]) {
            None => "-".to_owned(),
            Some(row) if !row.completed() => row.ending.word().to_owned(),
            Some(row) => {
                let mark = if pivot.is_best(rows, at, column) { "*" } else { " " };
                format!("{}{mark}", row.makespan)
            }
        };
        let line = [down.values[at].clone()].into_iter();
        table.push(line.chain(cells.iter().enumerate().map(cell)).collect());
    }
    table
}

/// Returns tables of run times by two axes. Columns that do not fit side by side continue below.
pub fn pivot_tables(rows: &[Row], axes: &[Axis], pivots: &[Pivot]) -> String {
    let mut text = String::new();
    for pivot in pivots {
        if !text.is_empty() {
            text.push('\n');
        }
        if !pivot.context.is_empty() {
            text.push_str(&format!("{}:\n", pivot.context));
        }
        let table = pivot_cells(rows, axes, pivot);
        let width = |column: usize| {
            table.iter().map(|row| row[column].chars().count()).max().unwrap_or(0) + 2
        };
        let mut next = 1;
        while next < table[0].len() {
            let (first, mut used) = (next, width(0));
            while next < table[0].len() && (next == first || used + width(next) <= WIDE) {
                used += width(next);
                next += 1;
            }
            let part = |row: &Vec<String>| {
                [row[0].clone()].into_iter().chain(row[first..next].iter().cloned()).collect()
            };
            let part: Vec<Vec<String>> = table.iter().map(part).collect();
            text.push_str(&aligned(&part, 1).join("\n"));
            text.push('\n');
        }
    }
    if pivots.iter().any(|pivot| !pivot.models) {
        text.push_str("* shortest run time of its row\n");
    }
    text
}

/// Returns a sentence on the nodes that have no rank; `None` if all have some.
pub fn idle_nodes(rows: &[Row]) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    for row in by_ranks(rows).iter().filter(|row| row.nodes_idle > 0) {
        let (idle, nodes) = (count(row.nodes_idle.into()), counted(row.nodes.into(), "node"));
        let part = format!("{}: {idle} of {nodes}", row.label());
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    (!parts.is_empty()).then(|| format!("Idle, though costs count them: {}.", some(&parts)))
}

/// Returns a line for each different reason for which configurations were left out.
pub fn skipped_lines(skipped: &[Skipped]) -> String {
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for left in skipped {
        let name = format!("{} with {}", left.name, counted(u64::from(left.ranks), "rank"));
        match reasons.iter_mut().find(|(reason, _)| *reason == left.reason) {
            Some((_, names)) => names.push(name),
            None => reasons.push((&left.reason, vec![name])),
        }
    }
    let line =
        |(reason, names): &(&str, Vec<String>)| format!("left out: {}: {reason}\n", some(names));
    reasons.iter().map(line).collect()
}

/// Returns a line for each different finding, with the configurations that have it. `line` makes one
/// line of a finding's text.
pub fn finding_lines(rows: &[Row], line: impl Fn(&str) -> String) -> Vec<String> {
    let lines = grouped_findings(rows);
    lines.iter().map(|(text, names)| format!("{}: {}", some(names), line(text))).collect()
}

/// Returns the different findings, with the names of the configurations that have them.
pub(super) fn grouped_findings(rows: &[Row]) -> Vec<(&str, Vec<String>)> {
    let order = by_ranks(rows);
    let mut found: Vec<(&str, Vec<String>)> = Vec::new();
    for row in &order {
        let name = Differ::of(&order).label(row);
        for text in &row.findings {
            match found.iter_mut().find(|(known, _)| known == text) {
                Some((_, names)) => names.push(name.clone()),
                None => found.push((text, vec![name.clone()])),
            }
        }
    }
    found
}

/// Returns the first few names.
pub(super) fn some(names: &[String]) -> String {
    const SHOWN: usize = 6;
    let shown = names[..names.len().min(SHOWN)].join("; ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
