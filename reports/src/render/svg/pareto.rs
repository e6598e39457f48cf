//! Run time against cost, with the front that nothing beats.

use plotters::prelude::*;

use super::{
    bars::unit_of,
    canvas::{Anchor, Canvas, INFALLIBLE, LABEL, NOTE, Point, draw, text_width},
    chart::{Room, chart, mesh, tick},
    names::{Place, Rect, places},
    palette::{ACCENT, FAINT, SERIES},
};
use crate::format::shorten_apart;

const WIDTH: i32 = 860;
const HEIGHT: i32 = 470;
const TOP: i32 = 62;
const ROOM: Room = Room { left: 84, right: 36, top: TOP, bottom: 84, before: 8, below: 36 };
/// Most names that are drawn beside their points; the front comes first.
const NAMES: usize = 24;
/// Radius of a point, in pixels.
const RADIUS: i32 = 5;
/// Most characters of a name; longer ones are shortened.
const NAME: usize = 36;

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
        let across = 0.0..if dear > 0.0 { 1.12 * dear } else { 1.0 };
        let up = 0.0..if most > 0.0 { 1.12 * most * scale } else { 1.0 };
        let axes = chart(canvas, ROOM).build_cartesian_2d(across, up);
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
        let places =
            points.iter().map(|point| chart.backend_coord(&(point.cost, point.ms * scale)));
        let places: Vec<Point> = places.collect();
        name_points(canvas, points, &places);
        // Those on the front are on top.
        for worth in Worth::ALL.into_iter().rev() {
            for (_, place) in
                points.iter().zip(&places).filter(|(point, _)| Worth::of(point) == worth)
            {
                worth.draw(canvas, *place);
            }
        }
        legend(canvas, points);
    })
}

/// What a point says about its configuration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Worth {
    OnFront,
    Beaten,
    NotForSale,
}

impl Worth {
    const ALL: [Self; 3] = [Self::OnFront, Self::Beaten, Self::NotForSale];

    fn of(point: &ParetoPoint) -> Self {
        match (point.on_front, point.for_sale) {
            (true, _) => Self::OnFront,
            (false, true) => Self::Beaten,
            (false, false) => Self::NotForSale,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::OnFront => "on the front: nothing is both faster and cheaper",
            Self::Beaten => "something is at least as good in both",
            Self::NotForSale => "not for sale",
        }
    }

    fn draw(self, canvas: &Canvas, at: Point) {
        match self {
            Self::OnFront => canvas.disc(at, RADIUS, ACCENT),
            Self::Beaten => canvas.disc(at, RADIUS, SERIES[0]),
            Self::NotForSale => canvas.circle(at, RADIUS, FAINT),
        }
    }
}

/// Draws below the chart what its points mean, as far as it has such ones.
fn legend(canvas: &Canvas, points: &[ParetoPoint]) {
    let (mut x, y) = (22, HEIGHT - 16);
    let has = |worth: &Worth| points.iter().any(|point| Worth::of(point) == *worth);
    for worth in Worth::ALL.into_iter().filter(has) {
        worth.draw(canvas, (x, y));
        canvas.text((x + 12, y), worth.words(), Anchor::Left, NOTE);
        x += 12 + text_width(worth.words()) + 26;
    }
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

/// Writes names beside their points, those of the front first, where they cover nothing; a line leads to a name
/// that is further away.
fn name_points(canvas: &Canvas, points: &[ParetoPoint], at: &[Point]) {
    let names: Vec<String> = points.iter().map(|point| point.name.clone()).collect();
    let names = shorten_apart(&names, NAME);
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by_key(|at| !points[*at].on_front);
    let bounds =
        Rect { from: (ROOM.left + 6, ROOM.top - 16), to: (WIDTH - 6, HEIGHT - ROOM.bottom) };
    let found = places(&names, at, order.into_iter().take(NAMES), bounds);
    for (index, place) in found.into_iter().enumerate() {
        let Some(Place { at: end, anchor, leader }) = place else { continue };
        if let Some(edge) = leader {
            canvas.path(vec![at[index], edge], 1, FAINT);
        }
        canvas.text(end, &names[index], anchor, LABEL);
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
        for text in ["ring:4", "cost in EUR", "run time in ms", "on the front", "as good in both"] {
            assert!(picture.contains(text), "{text}");
        }
        assert!(!picture.contains("not for sale"), "no point is");
        assert!(pareto("t", "EUR", &[]).contains("No run completed"));
    }
}
