//! Times by message size, measured and simulated, on logarithmic axes.

use plotters::prelude::*;

use super::{
    canvas::{Anchor, INFALLIBLE, NOTE, draw},
    chart::{Room, chart, mesh, tick},
    palette::{ACCENT, COMPUTE},
};
use crate::format::bytes;

const WIDTH: u32 = 760;
const HEIGHT: u32 = 380;

/// One size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// Size of a message.
    pub bytes: u64,
    /// Measured time in microseconds.
    pub measured_us: f64,
    /// Simulated time in microseconds; `None` if it was not simulated.
    pub simulated_us: Option<f64>,
}

/// Draws measured times as markers and simulated ones as a line. A size of 0 is drawn at half a
/// byte.
pub fn curves(title: &str, points: &[CurvePoint]) -> String {
    let size = |point: &CurvePoint| (point.bytes as f64).max(0.5);
    let times = || {
        let simulated = points.iter().filter_map(|point| point.simulated_us);
        points.iter().map(|point| point.measured_us).chain(simulated)
    };
    draw(WIDTH, HEIGHT, |canvas| {
        canvas.title(title);
        if points.is_empty() {
            canvas.text((16, 54), "There were no measurements.", Anchor::Left, NOTE);
            return;
        }
        canvas.legend((WIDTH as i32 - 230, 46), &[("measured", ACCENT), ("simulated", COMPUTE)]);
        let least = times().fold(f64::INFINITY, f64::min).max(1e-6);
        let most = times().fold(least, f64::max);
        let (first, last) = (size(&points[0]), size(&points[points.len() - 1]));
        let room = Room { left: 84, right: 24, top: 62, bottom: 64, before: 8, below: 12 };
        // Powers of 8 are round numbers of bytes, KiB and MiB.
        let across = (first / 1.3..last.max(first * 2.0) * 1.3).log_scale().base(8.0);
        let (low, high) = (least / 1.3, most * 1.3);
        let up = (low..high).log_scale().with_key_points(ticks(low, high));
        let mut chart = chart(canvas, room).build_cartesian_2d(across, up).expect(INFALLIBLE);
        let label = |size: &f64| bytes(*size as u64);
        let mut axes = mesh(&mut chart);
        axes.x_labels(10).x_label_formatter(&label).x_desc("size of a message");
        axes.y_label_formatter(&tick).y_desc("time in us");
        axes.draw().expect(INFALLIBLE);
        let simulated = points.iter().filter_map(|point| Some((size(point), point.simulated_us?)));
        let line = LineSeries::new(simulated, COMPUTE.stroke_width(2));
        chart.draw_series(line).expect(INFALLIBLE);
        let marker =
            |point: &CurvePoint| Circle::new((size(point), point.measured_us), 4, ACCENT.filled());
        chart.draw_series(points.iter().map(marker)).expect(INFALLIBLE);
    })
}

/// Most decades of an axis with three ticks in each.
const FEW_DECADES: f64 = 3.0;

/// Returns the ticks of a logarithmic axis: 1, 2 and 5 in each decade, or 1 only of many decades.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let steps: &[f64] = if (high / low).log10() <= FEW_DECADES { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let decades = low.log10().floor() as i32..=high.log10().floor() as i32;
    let all = decades.flat_map(|decade| steps.iter().map(move |step| step * 10f64.powi(decade)));
    all.filter(|tick| (low..=high).contains(tick)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_decades_have_more_ticks() {
        let about = |ticks: Vec<f64>| ticks.iter().map(tick).collect::<Vec<String>>();
        assert_eq!(about(ticks(1.3, 60.0)), ["2", "5", "10", "20", "50"]);
        assert_eq!(about(ticks(0.3, 20_000.0)), ["1", "10", "100", "1000", "10000"]);
    }

    #[test]
    fn a_picture_has_both_curves() {
        let point = |bytes: u64, time| CurvePoint {
            bytes,
            measured_us: time,
            simulated_us: Some(1.1 * time),
        };
        let picture =
            curves("Ping-pong", &[point(0, 1.0), point(1024, 2.0), point(1 << 22, 300.0)]);
        for text in ["Ping-pong", "measured", "simulated", "size of a message", "polyline"] {
            assert!(picture.contains(text), "{text}");
        }
        assert_eq!(picture.matches("<circle").count(), 3);
        assert!(curves("None", &[]).contains("no measurements"));
    }
}
