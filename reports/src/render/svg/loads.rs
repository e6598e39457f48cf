//! Latency and throughput of networks by offered load.

use std::ops::Range;

use plotters::prelude::*;

use super::{
    canvas::{Anchor, Canvas, INFALLIBLE, NOTE, Point, draw, text_width},
    chart::{Room, chart, mesh, tick},
    palette::SERIES,
    series::{LINE, legend, marker},
};
use crate::format::shorten_apart;

const HEIGHT: i32 = 430;
const TOP: i32 = 58;
/// Width of a plotting area, in pixels.
const PANEL: i32 = 330;
/// Width of the vertical axis of a panel, in pixels.
const AXIS: i32 = 62;
/// Left edge of each panel, in pixels.
const PANELS: [i32; 2] = [8, 8 + AXIS + PANEL + 22];
/// Least height below a list of names, in pixels.
const BOTTOM: i32 = 16;
/// Most characters of a name; longer ones are shortened.
const NAME: usize = 32;
/// Length of the arrow at a line that goes on above the chart, in pixels.
const ARROW: i32 = 12;
/// The axis of latencies ends at this multiple of the smallest latency.
const STEEP: f64 = 8.0;

/// One measurement with synthetic traffic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadPoint {
    /// Offered load, as a share of a port's rate.
    pub offered: f64,
    /// Accepted load, as a share of a port's rate.
    pub accepted: f64,
    /// Mean latency in microseconds.
    pub latency_us: f64,
}

/// Draws mean latency and accepted load by offered load, a line for each network, as many as there
/// are colours; the names of others are listed. An arrow marks a line that goes on above the chart. Points of a line
/// must be in order of their loads.
pub fn load_curves(title: &str, note: &str, lines: &[(String, Vec<LoadPoint>)]) -> String {
    let named: Vec<String> = lines.iter().map(|line| line.0.clone()).collect();
    let named = shorten_apart(&named, NAME);
    let names = named.iter().map(|name| text_width(name)).max().unwrap_or(0);
    let lines = &lines[..lines.len().min(SERIES.len())];
    let (shown, left_out) = named.split_at(lines.len());
    let width = PANELS[1] + AXIS + PANEL + 76 + names.max(60);
    let (left, top) = (PANELS[1] + AXIS + PANEL + 24, TOP + 10);
    let listed = top + LINE * (named.len() + 1) as i32 + BOTTOM;
    let height = if left_out.is_empty() { HEIGHT } else { HEIGHT.max(listed) };
    draw(width as u32, height as u32, |canvas| {
        canvas.title(title);
        let points = || lines.iter().flat_map(|line| &line.1);
        let loads = points().map(|point| point.offered.max(point.accepted)).fold(0.1, f64::max);
        let least = points().map(|point| point.latency_us).fold(f64::INFINITY, f64::min);
        let most = points().map(|point| point.latency_us).fold(0.0, f64::max);
        let steep = if least.is_finite() { most.min(STEEP * least) } else { 1.0 };
        let share = 0.0..105.0 * loads;
        let size = (width, height);
        let latency = Panel { size, number: 0, across: share.clone(), up: 0.0..1.04 * steep };
        let is_cut = latency.draw(canvas, "mean latency in us", lines, |point| point.latency_us);
        let accepted = Panel { size, number: 1, across: share.clone(), up: share };
        accepted.draw(canvas, "accepted load in %", lines, |point| 100.0 * point.accepted);
        legend(canvas, (left, top), shown.iter().cloned());
        list_left_out(canvas, (left, top + LINE * shown.len() as i32), left_out);
        let cut = if is_cut { "; an arrow: latencies go on above" } else { "" };
        canvas.text((16, HEIGHT - 16), &format!("{note}{cut}"), Anchor::Left, NOTE);
    })
}

/// Lists the networks for which there is no colour.
fn list_left_out(canvas: &Canvas, (x, top): Point, names: &[String]) {
    if names.is_empty() {
        return;
    }
    canvas.text((x, top), "not shown, for want of colours:", Anchor::Left, NOTE);
    for (y, name) in (top + LINE..).step_by(LINE as usize).zip(names) {
        canvas.text((x + 34, y), name, Anchor::Left, NOTE);
    }
}

/// One of the two charts.
struct Panel {
    /// Width and height of the picture, in pixels.
    size: Point,
    number: usize,
    across: Range<f64>,
    up: Range<f64>,
}

impl Panel {
    /// Draws the chart, and returns whether a line goes on above it.
    fn draw(
        &self,
        canvas: &Canvas,
        title: &str,
        lines: &[(String, Vec<LoadPoint>)],
        value: fn(&LoadPoint) -> f64,
    ) -> bool {
        let before = PANELS[self.number];
        let right = self.size.0 - before - AXIS - PANEL;
        // What is listed beside the charts may need more height than they.
        let below = 32 + self.size.1 - HEIGHT;
        let room = Room { left: before + AXIS, right, top: TOP, bottom: 48 + below, before, below };
        let axes = chart(canvas, room).build_cartesian_2d(self.across.clone(), self.up.clone());
        let mut chart = axes.expect(INFALLIBLE);
        let mut axes = mesh(&mut chart);
        axes.x_labels(7).x_label_formatter(&tick).x_desc("offered load in % of a port");
        axes.y_labels(7).y_label_formatter(&tick).y_desc(title);
        axes.draw().expect(INFALLIBLE);
        let mut is_cut = false;
        for (index, (_, points)) in lines.iter().enumerate() {
            let color = SERIES[index % SERIES.len()];
            let curve: Vec<(f64, f64)> =
                points.iter().map(|point| (100.0 * point.offered, value(point))).collect();
            let inside = |at: &(f64, f64)| at.1 <= self.up.end;
            let marked = |at| EmptyElement::at(at) + Polygon::new(marker(index), color.filled());
            // A measurement that was stopped knows a lower bound only: markers end with the line.
            let markers = curve.iter().copied().take_while(inside).map(marked);
            chart.draw_series(markers).expect(INFALLIBLE);
            let line = LineSeries::new(clipped(&curve, self.up.end), color.stroke_width(2));
            chart.draw_series(line).expect(INFALLIBLE);
            if let Some(at) = leaves(&curve, self.up.end) {
                arrow(canvas, chart.backend_coord(&at), color);
                is_cut = true;
            }
        }
        is_cut
    }
}

/// Returns the line up to where it first leaves the chart at the top.
fn clipped(curve: &[(f64, f64)], top: f64) -> Vec<(f64, f64)> {
    let mut shown: Vec<(f64, f64)> = Vec::new();
    for (x, y) in curve.iter().copied() {
        if y > top {
            if let Some((before, low)) = shown.last().copied() {
                shown.push((before + (x - before) * (top - low) / (y - low), top));
            }
            break;
        }
        shown.push((x, y));
    }
    shown
}

/// Returns where the line leaves the chart at the top, or at the top where it begins above.
fn leaves(curve: &[(f64, f64)], top: f64) -> Option<(f64, f64)> {
    let above = curve.iter().find(|at| at.1 > top)?;
    Some(clipped(curve, top).last().map_or((above.0, top), |last| (last.0, top)))
}

/// Draws an arrow upwards from the top of the chart.
fn arrow(canvas: &Canvas, (x, y): Point, color: RGBColor) {
    canvas.path(vec![(x, y), (x, y - ARROW)], 2, color);
    canvas.path(vec![(x - 4, y - ARROW + 5), (x, y - ARROW), (x + 4, y - ARROW + 5)], 2, color);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_at_the_top_of_the_chart() {
        assert_eq!(clipped(&[(0.0, 1.0), (1.0, 3.0), (2.0, 1.0)], 2.0), [(0.0, 1.0), (0.5, 2.0)]);
        assert_eq!(clipped(&[(0.0, 3.0), (1.0, 1.0)], 2.0), []);
        assert_eq!(clipped(&[(0.0, 1.0), (1.0, 2.0)], 2.0), [(0.0, 1.0), (1.0, 2.0)]);
        assert_eq!(leaves(&[(0.0, 1.0), (1.0, 3.0), (2.0, 1.0)], 2.0), Some((0.5, 2.0)));
        assert_eq!(leaves(&[(0.0, 3.0), (1.0, 1.0)], 2.0), Some((0.0, 2.0)), "it begins above");
        assert_eq!(leaves(&[(0.0, 1.0), (1.0, 2.0)], 2.0), None);
    }

    #[test]
    fn markers_end_where_the_line_does() {
        let point = |offered, latency_us| LoadPoint { offered, accepted: offered, latency_us };
        let line = vec![point(0.1, 1.0), point(0.5, 100.0), point(0.9, 2.0)];
        let picture = load_curves("Uniform", "", &[("ring:16, fluid".to_owned(), line)]);
        // Of latencies, of accepted loads, and in the legend.
        assert_eq!(picture.matches("<polygon").count(), 1 + 3 + 1);
        assert!(picture.contains("an arrow: latencies go on above"));
    }

    #[test]
    fn networks_without_a_colour_are_named() {
        let line = |number| {
            let point = LoadPoint { offered: 0.1, accepted: 0.1, latency_us: 1.0 };
            (format!("ring:{number}, flit"), vec![point])
        };
        let lines: Vec<(String, Vec<LoadPoint>)> = (4..40).map(line).collect();
        let picture = load_curves("Uniform", "", &lines);
        for (name, _) in &lines {
            assert!(picture.contains(name), "{name}");
        }
        assert!(picture.contains("not shown") && !picture.contains("an arrow"));
        assert!(!load_curves("Uniform", "", &lines[..8]).contains("not shown"));
    }

    #[test]
    fn a_picture_has_every_name() {
        let point = |offered, latency_us| LoadPoint { offered, accepted: offered, latency_us };
        let lines = [
            ("torus:8x8, packet".to_owned(), vec![point(0.1, 1.0), point(0.9, 50.0)]),
            ("ring:64, packet".to_owned(), vec![]),
        ];
        let picture = load_curves("Tornado", "messages of 1,024 bytes", &lines);
        for text in ["Tornado", "torus:8x8, packet", "ring:64, packet", "accepted load in %"] {
            assert!(picture.contains(text), "{text}");
        }
    }
}
