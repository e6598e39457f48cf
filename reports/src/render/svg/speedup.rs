//! Charts of speed-up and efficiency by number of ranks.

use plotters::{
    coord::{combinators::WithKeyPoints, types::RangedCoordf64},
    prelude::*,
};

use super::{
    canvas::{Anchor, Canvas, FAINT, INFALLIBLE, NOTE, SERIES, draw, text_width},
    chart::{Room, chart, mesh, tick},
    series::{legend, marker},
};
use crate::format::shorten;

/// Most series that are drawn, the best ones.
const MOST: usize = SERIES.len();
const HEIGHT: i32 = 430;
const TOP: i32 = 58;
/// Width of a plotting area, in pixels.
const PANEL: i32 = 330;
/// Width of the vertical axis of a panel, in pixels.
const AXIS: i32 = 62;
/// Left edge of each panel, in pixels.
const PANELS: [i32; 2] = [8, 8 + AXIS + PANEL + 22];

/// One point of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SpeedupPoint {
    /// Number of ranks.
    pub(crate) ranks: u32,
    /// Speed-up relative to the run with the smallest number of ranks.
    pub(crate) speedup: f64,
    /// Speed-up divided by the factor by which the number of ranks grew.
    pub(crate) efficiency: f64,
}

/// Draws lines of speed-up; `note` describes the baseline.
pub(crate) fn speedup_lines(lines: &[(String, Vec<SpeedupPoint>)], note: &str) -> String {
    let mut lines: Vec<(String, Vec<SpeedupPoint>)> =
        lines.iter().filter(|line| !line.1.is_empty()).cloned().collect();
    let best = |points: &[SpeedupPoint]| points.iter().map(|p| p.speedup).fold(0.0, f64::max);
    lines.sort_by(|a, b| best(&b.1).total_cmp(&best(&a.1)));
    let omitted = lines.len().saturating_sub(MOST);
    lines.truncate(MOST);
    lines.iter_mut().for_each(|line| line.1.sort_by_key(|point| point.ranks));
    lines.iter_mut().for_each(|line| line.0 = shorten(&line.0, 24));
    let names = lines.iter().map(|line| text_width(&line.0)).max().unwrap_or(0);
    let width = PANELS[1] + AXIS + PANEL + 76 + names.max(60);
    draw(width as u32, HEIGHT as u32, |canvas| {
        canvas.title("Speed-up and efficiency, by topology");
        let mut note = note.to_owned();
        if omitted > 0 {
            note.push_str(&format!("; {omitted} more topologies not shown"));
        }
        canvas.text((16, HEIGHT - 16), &note, Anchor::Left, NOTE);
        let most = lines.iter().map(|line| best(&line.1)).fold(1.0, f64::max);
        let peak = lines.iter().flat_map(|l| &l.1).map(|p| p.efficiency).fold(1.0, f64::max);
        let up = Panel { width, number: 0, lines: &lines, most, title: "speed-up" };
        up.draw(canvas, |point| point.speedup);
        let title = "efficiency in %";
        let efficiency = Panel { width, number: 1, lines: &lines, most: 100.0 * peak, title };
        efficiency.draw(canvas, |point| 100.0 * point.efficiency);
        let right = PANELS[1] + AXIS + PANEL + 24;
        legend(canvas, (right, TOP + 10), lines.iter().map(|line| line.0.clone()));
    })
}

/// One of the two charts; the axis of ranks is logarithmic.
struct Panel<'a> {
    /// Width of the picture, in pixels.
    width: i32,
    number: usize,
    lines: &'a [(String, Vec<SpeedupPoint>)],
    /// Largest value on the vertical axis.
    most: f64,
    title: &'a str,
}

/// The coordinate system of a panel.
type Axes = Cartesian2d<WithKeyPoints<LogCoord<f64>>, RangedCoordf64>;

impl Panel<'_> {
    fn draw(&self, canvas: &Canvas, value: fn(&SpeedupPoint) -> f64) {
        let mut ranks: Vec<u32> =
            self.lines.iter().flat_map(|line| &line.1).map(|point| point.ranks.max(1)).collect();
        ranks.sort_unstable();
        ranks.dedup();
        let least = f64::from(ranks.first().copied().unwrap_or(1));
        let most = f64::from(ranks.last().copied().unwrap_or(1)).max(2.0 * least);
        // Half a label fits at either end.
        let margin = (most / least).powf(0.04);
        let before = PANELS[self.number];
        let right = self.width - before - AXIS - PANEL;
        let room = Room { left: before + AXIS, right, top: TOP, bottom: 80, before, below: 32 };
        let scale = (least / margin..most * margin).log_scale().base(2.0);
        let axis = scale.with_key_points(apart(&ranks, least, most));
        let axes = chart(canvas, room).build_cartesian_2d(axis, 0.0..1.04 * self.most);
        let mut chart = axes.expect(INFALLIBLE);
        let mut axes = mesh(&mut chart);
        axes.disable_x_mesh().x_label_formatter(&tick).x_desc("ranks (logarithmic)");
        axes.y_labels(7).y_label_formatter(&tick).y_desc(self.title);
        axes.draw().expect(INFALLIBLE);
        if self.number == 0 {
            ideal(canvas, &mut chart, least, (most, 1.04 * self.most));
        }
        for (index, (_, points)) in self.lines.iter().enumerate() {
            let color = SERIES[index % SERIES.len()];
            let curve = points.iter().map(|p| (f64::from(p.ranks.max(1)), value(p)));
            let marked = |at| EmptyElement::at(at) + Polygon::new(marker(index), color.filled());
            chart.draw_series(curve.clone().map(marked)).expect(INFALLIBLE);
            let line = LineSeries::new(curve, color.stroke_width(2));
            chart.draw_series(line).expect(INFALLIBLE);
        }
    }
}

/// Returns the numbers of ranks whose labels do not overlap, starting with the smallest.
fn apart(ranks: &[u32], least: f64, most: f64) -> Vec<f64> {
    let mut shown = Vec::new();
    let mut free = f64::NEG_INFINITY;
    for count in ranks {
        let at = (f64::from(*count) / least).ln() / (most / least).ln() * f64::from(PANEL);
        let half = f64::from(text_width(&count.to_string())) / 2.0;
        if at - half > free {
            shown.push(f64::from(*count));
            free = at + half + 4.0;
        }
    }
    shown
}

/// Draws the line of ideal speed-up, as far as it fits.
fn ideal<'a, 'b>(
    canvas: &'a Canvas<'b>,
    chart: &mut ChartContext<'a, SVGBackend<'b>, Axes>,
    least: f64,
    (ranks, top): (f64, f64),
) {
    let most = (ranks / least).min(top);
    if most < 1.2 {
        return;
    }
    let points = (0..=70).map(|step| most.powf(f64::from(step) / 70.0));
    let curve = points.map(|gain| (least * gain, gain));
    let dashes = DashedLineSeries::new(curve, 4, 4, FAINT.stroke_width(1));
    chart.draw_series(dashes).expect(INFALLIBLE);
    let (x, y) = chart.backend_coord(&(least * most, most));
    canvas.text((x - 10, y.max(TOP + 8)), "ideal", Anchor::Right, NOTE);
}
