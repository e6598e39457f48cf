//! Run time against cost, with the front that nothing beats.

use plotters::prelude::*;

use super::{
    bars::unit_of,
    canvas::{Anchor, Canvas, INFALLIBLE, LABEL, NOTE, draw, text_width},
    chart::{Room, chart, mesh, tick},
    palette::{ACCENT, FAINT, SERIES},
};
use crate::format::shorten_apart;

const WIDTH: i32 = 860;
const HEIGHT: i32 = 470;
const TOP: i32 = 62;
/// Most names that are drawn beside their points; the front comes first.
const NAMES: usize = 24;

/// One configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct ParetoPoint {
    /// Name.
    pub name: String,
    /// Cost, in the unit of the axis.
    pub cost: f64,
    /// Run time in milliseconds.
    pub ms: f64,
    /// Whether it is on the front.
    pub on_front: bool,
    /// Whether all its parts are for sale.
    pub for_sale: bool,
}

/// Draws run time against cost. `unit` is that of the cost.
pub fn pareto(title: &str, unit: &str, points: &[ParetoPoint]) -> String {
    draw(WIDTH as u32, HEIGHT as u32, |canvas| {
        canvas.title(title);
        if points.is_empty() {
            canvas.text(
                (16, TOP),
                "No run completed, so there is nothing to weigh.",
                Anchor::Left,
                NOTE,
            );
            return;
        }
        let most = points.iter().map(|point| point.ms).fold(0.0, f64::max);
        let (scale, time_unit) = unit_of(most);
        let dear = points.iter().map(|point| point.cost).fold(0.0, f64::max);
        let room = Room { left: 84, right: 36, top: TOP, bottom: 84, before: 8, below: 36 };
        let across = 0.0..if dear > 0.0 { 1.12 * dear } else { 1.0 };
        let up = 0.0..if most > 0.0 { 1.12 * most * scale } else { 1.0 };
        let axes = chart(canvas, room).build_cartesian_2d(across, up);
        let mut chart = axes.expect(INFALLIBLE);
        let mut axes = mesh(&mut chart);
        let (cost, time) = (format!("cost in {unit}"), format!("run time in {time_unit}"));
        axes.x_labels(8).x_label_formatter(&tick).x_desc(cost);
        axes.y_labels(8).y_label_formatter(&tick).y_desc(time).draw().expect(INFALLIBLE);
        let mut front: Vec<(f64, f64)> = points
            .iter()
            .filter(|point| point.on_front)
            .map(|point| (point.cost, point.ms * scale))
            .collect();
        front.sort_by(|a, b| a.0.total_cmp(&b.0));
        let steps = steps(&front);
        let line = LineSeries::new(steps, ACCENT.stroke_width(2));
        chart.draw_series(line).expect(INFALLIBLE);
        for point in points {
            let color = match (point.on_front, point.for_sale) {
                (true, _) => ACCENT,
                (false, true) => SERIES[0],
                (false, false) => FAINT,
            };
            let style = if point.for_sale { color.filled() } else { color.stroke_width(2) };
            let marker = Circle::new((point.cost, point.ms * scale), 5, style);
            chart.draw_series([marker]).expect(INFALLIBLE);
        }
        let places =
            points.iter().map(|point| chart.backend_coord(&(point.cost, point.ms * scale)));
        name_points(canvas, points, &places.collect::<Vec<_>>());
        let legend = "line: the front, on which nothing is both faster and cheaper; open circles: not for sale";
        canvas.text((16, HEIGHT - 16), legend, Anchor::Left, NOTE);
    })
}

/// Returns the corners of the stairs between the points of a front: a point beats everything
/// slower to the right of it.
fn steps(front: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut corners: Vec<(f64, f64)> = Vec::new();
    for point in front {
        if let Some(last) = corners.last() {
            corners.push((point.0, last.1));
        }
        corners.push(*point);
    }
    corners
}

/// Writes names beside their points, those of the front first, where they cover no other name.
fn name_points(canvas: &Canvas, points: &[ParetoPoint], places: &[(i32, i32)]) {
    let names: Vec<String> = points.iter().map(|point| point.name.clone()).collect();
    let names = shorten_apart(&names, 36);
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by_key(|at| !points[*at].on_front);
    let mut taken: Vec<(i32, i32, i32)> = Vec::new();
    for at in order.into_iter().take(NAMES) {
        let ((x, y), width) = (places[at], text_width(&names[at]));
        let candidates =
            [(x + 9, y - 9), (x + 9, y + 10), (x - 9 - width, y - 9), (x - 9 - width, y + 10)];
        let free = |(left, middle): &(i32, i32)| {
            let inside = *left >= 90 && left + width < WIDTH - 6 && *middle > TOP - 10;
            let covers = |other: &(i32, i32, i32)| {
                (other.1 - middle).abs() < 14 && *left < other.2 && other.0 < left + width
            };
            inside && !taken.iter().any(covers)
        };
        if let Some((left, middle)) = candidates.into_iter().find(free) {
            taken.push((left, middle, left + width));
            canvas.text((left, middle), &names[at], Anchor::Left, LABEL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_is_a_staircase() {
        assert_eq!(steps(&[(1.0, 9.0), (3.0, 4.0)]), [(1.0, 9.0), (3.0, 9.0), (3.0, 4.0)]);
        let point = |name: &str, cost, ms, on_front| ParetoPoint {
            name: name.to_owned(),
            cost,
            ms,
            on_front,
            for_sale: true,
        };
        let picture =
            pareto("t", "EUR", &[point("ring:4", 1.0, 2.0, true), point("b", 3.0, 3.0, false)]);
        for text in ["ring:4", "cost in EUR", "run time in ms"] {
            assert!(picture.contains(text), "{text}");
        }
        assert!(pareto("t", "EUR", &[]).contains("No run completed"));
    }
}
