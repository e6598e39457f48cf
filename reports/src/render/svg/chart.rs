//! Charts with axes in the common style of all pictures, made with plotters' chart builder.

use std::ops::Range;

use plotters::{
    chart::MeshStyle,
    coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged, ValueFormatter},
    prelude::*,
};

use super::{
    canvas::{Canvas, LABEL},
    palette::{FAINT, GRID},
};

/// The space around the plotting area, including labels and titles of axes, in pixels.
#[derive(Clone, Copy)]
pub(super) struct Room {
    pub(super) left: i32,
    pub(super) right: i32,
    pub(super) top: i32,
    pub(super) bottom: i32,
    /// Part of `left` that lies outside the axis.
    pub(super) before: i32,
    /// Part of `bottom` that lies outside the axis.
    pub(super) below: i32,
}

/// Starts a chart with axes at the left and at the bottom.
pub(super) fn chart<'a, 'b>(
    canvas: &'a Canvas<'b>,
    room: Room,
) -> ChartBuilder<'a, 'static, SVGBackend<'b>> {
    let mut builder = ChartBuilder::on(&canvas.area);
    builder
        .margin_left(room.before)
        .margin_right(room.right)
        .margin_top(room.top)
        .margin_bottom(room.below)
        .x_label_area_size(room.bottom - room.below)
        .y_label_area_size(room.left - room.before);
    builder
}

/// Starts the axes of a chart, with grid lines at the ticks only.
pub(super) fn mesh<'a, 'b, 'c, X, Y>(
    chart: &'b mut ChartContext<'a, SVGBackend<'c>, Cartesian2d<X, Y>>,
) -> MeshStyle<'a, 'b, X, Y, SVGBackend<'c>>
where
    X: Ranged + ValueFormatter<X::ValueType>,
    Y: Ranged + ValueFormatter<Y::ValueType>,
{
    let mut mesh = chart.configure_mesh();
    mesh.max_light_lines(0)
        .bold_line_style(GRID)
        .light_line_style(GRID)
        .axis_style(FAINT)
        .label_style(LABEL.style())
        .axis_desc_style(LABEL.style());
    mesh
}

/// An axis of equal places with labels in the middle of some of them: place n extends from n to n +
/// 1.
pub(super) struct Places {
    range: Range<f64>,
    middles: Vec<f64>,
}

impl Places {
    /// Creates an axis of columns with a label in every `every`th column.
    pub(super) fn columns(count: usize, every: usize) -> Self {
        let middles = (0..count).step_by(every).map(|place| place as f64 + 0.5).collect();
        Self { range: 0.0..count.max(1) as f64, middles }
    }

    /// Creates an axis of rows, the first one at the top, with a label in every `every`th row.
    pub(super) fn rows(count: usize, every: usize) -> Self {
        let Self { range, middles } = Self::columns(count, every);
        Self { range: range.end..range.start, middles }
    }

    /// Creates an axis over `range` with labels at some places.
    pub(super) fn labelled(range: Range<f64>, places: Vec<f64>) -> Self {
        Self { range, middles: places }
    }
}

impl Ranged for Places {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (start, end): (i32, i32)) -> i32 {
        let part = (value - self.range.start) / (self.range.end - self.range.start);
        start + (part * f64::from(end - start)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { Vec::new() } else { self.middles.clone() }
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

/// Returns the label of a tick without rounding errors.
pub(super) fn tick(value: &f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::tick;

    #[test]
    fn ticks_are_short() {
        assert_eq!(
            [0.1 + 0.2, 20.0, 0.0, 1e-5].map(|value| tick(&value)),
            ["0.3", "20", "0", "0.00001"]
        );
    }
}
