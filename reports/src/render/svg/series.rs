//! Colours and markers of the lines of a chart, and their legend.

use super::{
    canvas::{Anchor, Canvas, LABEL, Point},
    palette::SERIES,
};

/// Distance of names that stand one below the other, in pixels.
pub(super) const LINE: i32 = 22;

/// Draws the names of lines one below the other, the first one at a place.
pub(super) fn legend(canvas: &Canvas, (x, top): Point, names: impl Iterator<Item = String>) {
    for (index, name) in names.enumerate() {
        let (y, color) = (top + LINE * index as i32, SERIES[index % SERIES.len()]);
        canvas.path(vec![(x, y), (x + 24, y)], 2, color);
        let outline = marker(index).iter().map(|(dx, dy)| (x + 12 + dx, y + dy));
        canvas.polygon(outline.collect(), color);
        canvas.text((x + 34, y), &name, Anchor::Left, LABEL);
    }
}

/// Returns the outline of the marker of a series.
pub(super) fn marker(index: usize) -> &'static [Point] {
    match index % 4 {
        0 => &[(-4, -2), (-2, -4), (2, -4), (4, -2), (4, 2), (2, 4), (-2, 4), (-4, 2)],
        1 => &[(-4, -4), (4, -4), (4, 4), (-4, 4)],
        2 => &[(0, -5), (5, 0), (0, 5), (-5, 0)],
        _ => &[(0, -5), (5, 4), (-5, 4)],
    }
}
