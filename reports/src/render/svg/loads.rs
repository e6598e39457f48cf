//! Latency and throughput of networks by offered load.

use std::ops::Range;

use plotters::prelude::*;

use super::{
    canvas::{Anchor, Canvas, INFALLIBLE, NOTE, draw, text_width},
    chart::{Room, chart, mesh, tick},
    palette::SERIES,
    series::{legend, marker},
};
use crate::format::{counted, shorten_apart};

const HEIGHT: i32 = 430;
const TOP: i32 = 58;
/// Width of a plotting area, in pixels.
const PANEL: i32 = 330;
/// Width of the vertical axis of a panel, in pixels.
const AXIS: i32 = 62;
/// Left edge of each panel, in pixels.
const PANELS: [i32; 2] = [8, 8 + AXIS + PANEL + 22];
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
/// are colours. Points of a line must be in order of their loads.
pub fn load_curves(title: &str, note: &str, lines: &[(String, Vec<LoadPoint>)]) -> String {
    let omitted = lines.len().saturating_sub(SERIES.len());
    let lines = &lines[..lines.len() - omitted];
    let named: Vec<String> = lines.iter().map(|line| line.0.clone()).collect();
    let named = shorten_apart(&named, 32);
    let names = named.iter().map(|name| text_width(name)).max().unwrap_or(0);
    let width = PANELS[1] + AXIS + PANEL + 76 + names.max(60);
    draw(width as u32, HEIGHT as u32, |canvas| {
        canvas.title(title);
        let more = format!("; {} not shown", counted(omitted as u64, "more network"));
        let note = if omitted > 0 { format!("{note}{more}") } else { note.to_owned() };
        canvas.text((16, HEIGHT - 16), &note, Anchor::Left, NOTE);
        let points = || lines.iter().flat_map(|line| &line.1);
        let loads = points().map(|point| point.offered.max(point.accepted)).fold(0.1, f64::max);
        let least = points().map(|point| point.latency_us).fold(f64::INFINITY, f64::min);
        let most = points().map(|point| point.latency_us).fold(0.0, f64::max);
        let steep = if least.is_finite() { most.min(STEEP * least) } else { 1.0 };
        let share = 0.0..105.0 * loads;
        let latency = Panel { width, number: 0, across: share.clone(), up: 0.0..1.04 * steep };
        latency.draw(canvas, "mean latency in us", lines, |point| point.latency_us);
        let accepted = Panel { width, number: 1, across: share.clone(), up: share };
        accepted.draw(canvas, "accepted load in %", lines, |point| 100.0 * point.accepted);
        legend(canvas, (PANELS[1] + AXIS + PANEL + 24, TOP + 10), named.iter().cloned());
    })
}

/// One of the two charts.
struct Panel {
    /// Width of the picture, in pixels.
    width: i32,
    number: usize,
    across: Range<f64>,
    up: Range<f64>,
}

impl Panel {
    fn draw(
        &self,
        canvas: &Canvas,
        title: &str,
        lines: &[(String, Vec<LoadPoint>)],
        value: fn(&LoadPoint) -> f64,
    ) {
        let before = PANELS[self.number];
        let right = self.width - before - AXIS - PANEL;
        let room = Room { left: before + AXIS, right, top: TOP, bottom: 80, before, below: 32 };
        let axes = chart(canvas, room).build_cartesian_2d(self.across.clone(), self.up.clone());
        let mut chart = axes.expect(INFALLIBLE);
        let mut axes = mesh(&mut chart);
        axes.x_labels(7).x_label_formatter(&tick).x_desc("offered load in % of a port");
        axes.y_labels(7).y_label_formatter(&tick).y_desc(title);
        axes.draw().expect(INFALLIBLE);
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
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_at_the_top_of_the_chart() {
        assert_eq!(clipped(&[(0.0, 1.0), (1.0, 3.0), (2.0, 1.0)], 2.0), [(0.0, 1.0), (0.5, 2.0)]);
        assert_eq!(clipped(&[(0.0, 3.0), (1.0, 1.0)], 2.0), []);
        assert_eq!(clipped(&[(0.0, 1.0), (1.0, 2.0)], 2.0), [(0.0, 1.0), (1.0, 2.0)]);
    }

    #[test]
    fn markers_end_where_the_line_does() {
        let point = |offered, latency_us| LoadPoint { offered, accepted: offered, latency_us };
        let line = vec![point(0.1, 1.0), point(0.5, 100.0), point(0.9, 2.0)];
        let picture = load_curves("Uniform", "", &[("ring:16, fluid".to_owned(), line)]);
        // Of latencies, of accepted loads, and in the legend.
        assert_eq!(picture.matches("<polygon").count(), 1 + 3 + 1);
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
