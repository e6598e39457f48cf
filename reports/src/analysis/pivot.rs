//! Tables of two axes: what is given along the rows, what can be chosen along the columns.

use crate::comparison::{Axis, Row};

/// Run times by two axes, with the values of all others fixed.
#[derive(Clone, Debug, PartialEq)]
pub struct Pivot {
    /// Values of the other axes that vary, as in `ranks=64`; empty if none does.
    pub context: String,
    /// Position of the axis of the rows among all axes.
    pub down: usize,
    /// Position of the axis of the columns.
    pub across: usize,
    /// Whether the columns are models of the same network, of which none is to be chosen.
    pub models: bool,
    /// The position among the rows of the comparison for each row and column; `None` if that
    /// configuration cannot be run.
    pub cells: Vec<Vec<Option<usize>>>,
}

impl Pivot {
    /// Returns whether a cell has the shortest run time of its row, and that is something to choose.
    pub fn is_best(&self, rows: &[Row], down: usize, across: usize) -> bool {
        if self.models {
            return false;
        }
        let time = |cell: &Option<usize>| {
            cell.map(|place| &rows[place]).filter(|row| row.completed()).map(|row| row.makespan)
        };
        let least = self.cells[down].iter().filter_map(time).min();
        let several = self.cells[down].iter().filter_map(time).count() > 1;
        several && least.is_some() && time(&self.cells[down][across]) == least
    }
}

/// Returns the tables of a comparison: the first circumstance that varies (or the first axis) goes down,
/// the last other axis that can be chosen (or the last other axis) goes across, and every combination of
/// the rest is a table. Network models go across or down only if nothing else does. Nothing is returned if fewer than two axes have several values.
pub fn pivots(rows: &[Row], axes: &[Axis]) -> Vec<Pivot> {
    let varied: Vec<usize> = (0..axes.len()).filter(|axis| axes[*axis].values.len() > 1).collect();
    let condition = varied.iter().copied().find(|axis| axes[*axis].condition);
    let is_model = |axis: &usize| axes[*axis].model;
    let first = varied.iter().copied().find(|axis| !is_model(axis));
    let Some(down) = condition.or(first).or(varied.first().copied()) else { return Vec::new() };
    let others = || varied.iter().rev().copied().filter(|axis| *axis != down);
    let choice = others().find(|axis| !axes[*axis].condition && !is_model(axis));
    let other = choice.or_else(|| others().find(|axis| !is_model(axis)));
    let Some(across) = other.or_else(|| others().next()) else { return Vec::new() };
    let context = |row: &Row| {
        let rest = varied.iter().filter(|axis| ![down, across].contains(axis));
        let named = |axis: &usize| {
            let at = &axes[*axis];
            format!("{}={}", at.name, at.values[row.point[*axis]])
        };
        rest.map(named).collect::<Vec<String>>().join(", ")
    };
    let mut pivots: Vec<Pivot> = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        let here = context(row);
        let found = pivots.iter().position(|pivot| pivot.context == here);
        let at = found.unwrap_or_else(|| {
            let cells = vec![vec![None; axes[across].values.len()]; axes[down].values.len()];
            pivots.push(Pivot { context: here, down, across, models: axes[across].model, cells });
            pivots.len() - 1
        });
        pivots[at].cells[row.point[down]][row.point[across]] = Some(place);
    }
    pivots
}
