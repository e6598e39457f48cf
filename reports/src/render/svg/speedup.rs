//! Charts of speed-up and efficiency by number of ranks.

use plotters::{
    coord::{combinators::WithKeyPoints, ranged1d::Ranged},
    prelude::*,
};

use super::{
    canvas::{Anchor, Canvas, INFALLIBLE, NOTE, draw, text_width},
    chart::{Room, chart, mesh, tick},
    palette::{FAINT, SERIES},
    series::{legend, marker},
};
use crate::format::{counted, shorten_apart};

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

/// Draws lines of speed-up and efficiency; `note` describes the baseline. `weak` says that the work grows
/// with the ranks.
pub(crate) fn speedup_lines(
    lines: &[(String, Vec<SpeedupPoint>)],
    note: &str,
    weak: bool,
) -> String {
    let titles = match weak {
        true => ("scaled speed-up (logarithmic)", "weak efficiency in %"),
        false => ("speed-up (logarithmic)", "efficiency in %"),
    };
    let mut lines: Vec<(String, Vec<SpeedupPoint>)> =
        lines.iter().filter(|line| !line.1.is_empty()).cloned().collect();
    let best = |points: &[SpeedupPoint]| points.iter().map(|p| p.speedup).fold(0.0, f64::max);
    lines.sort_by(|a, b| best(&b.1).total_cmp(&best(&a.1)));
    let omitted = lines.len().saturating_sub(MOST);
    lines.truncate(MOST);
    lines.iter_mut().for_each(|line| line.1.sort_by_key(|point| point.ranks));
    let short = shorten_apart(&lines.iter().map(|line| line.0.clone()).collect::<Vec<_>>(), 32);
    lines.iter_mut().zip(short).for_each(|(line, short)| line.0 = short);
    let names = lines.iter().map(|line| text_width(&line.0)).max().unwrap_or(0);
    let width = PANELS[1] + AXIS + PANEL + 76 + names.max(60);
    draw(width as u32, HEIGHT as u32, |canvas| {
        canvas.title("Speed-up and efficiency");
        let mut note = note.to_owned();
        if omitted > 0 {
            note.push_str(&format!("; {} not shown", counted(omitted as u64, "more line")));
        }
        canvas.text((16, HEIGHT - 16), &note, Anchor::Left, NOTE);
        if lines.is_empty() {
            let text = "No configuration completed with several numbers of ranks.";
            canvas.text((16, TOP), text, Anchor::Left, NOTE);
            return;
        }
        let (up, efficiency) = titles;
        Panel { width, number: 0, lines: &lines, title: up }.speedup(canvas);
        Panel { width, number: 1, lines: &lines, title: efficiency }.efficiency(canvas);
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
    title: &'a str,
}

/// The coordinate system of the chart of speed-up: both axes are logarithmic, so that ideal speed-up
/// is a straight line.
type Axes = Cartesian2d<WithKeyPoints<LogCoord<f64>>, LogCoord<f64>>;

impl Panel<'_> {
    /// Returns the smallest and the largest number of ranks, and the axis between them.
    fn ranks(&self) -> ((f64, f64), WithKeyPoints<LogCoord<f64>>) {
        let points = self.lines.iter().flat_map(|line| &line.1);
        let mut ranks: Vec<u32> = points.map(|point| point.ranks.max(1)).collect();
        ranks.sort_unstable();
        ranks.dedup();
        let least = f64::from(ranks.first().copied().unwrap_or(1));
        let most = f64::from(ranks.last().copied().unwrap_or(1)).max(2.0 * least);
        // Half a label fits at either end.
        let margin = (most / least).powf(0.04);
        let scale = (least / margin..most * margin).log_scale().base(2.0);
        ((least, most), scale.with_key_points(apart(&ranks, least, most)))
    }

    fn room(&self) -> Room {
        let before = PANELS[self.number];
        let right = self.width - before - AXIS - PANEL;
        Room { left: before + AXIS, right, top: TOP, bottom: 80, before, below: 32 }
    }

    fn speedup(&self, canvas: &Canvas) {
        let ((least, most), axis) = self.ranks();
        let gains = || self.lines.iter().flat_map(|line| &line.1).map(|point| point.speedup);
        let positive = gains().filter(|gain| *gain > 0.0);
        let bottom = positive.fold(1.0, f64::min);
        let top = gains().fold(most / least, f64::max);
        let margin = (top / bottom).powf(0.04);
        let up = (bottom / margin..top * margin).log_scale().base(2.0);
        let axes = chart(canvas, self.room()).build_cartesian_2d(axis, up);
        let mut chart: ChartContext<SVGBackend, Axes> = axes.expect(INFALLIBLE);
        let mut axes = mesh(&mut chart);
        axes.disable_x_mesh().x_label_formatter(&tick).x_desc("ranks (logarithmic)");
        axes.y_labels(7).y_label_formatter(&tick).y_desc(self.title);
        axes.draw().expect(INFALLIBLE);
        let dashes = [(least, 1.0), (most, most / least)];
        let dashes = DashedLineSeries::new(dashes, 4, 4, FAINT.stroke_width(1));
        chart.draw_series(dashes).expect(INFALLIBLE);
        let (x, y) = chart.backend_coord(&(most, most / least));
        canvas.text((x - 10, y.max(TOP + 8)), "ideal", Anchor::Right, NOTE);
        let shown = |point: &&SpeedupPoint| point.speedup > 0.0;
        for (index, (_, points)) in self.lines.iter().enumerate() {
            let points =
                points.iter().filter(shown).map(|p| (f64::from(p.ranks.max(1)), p.speedup));
            self.line(&mut chart, index, points.collect());
        }
    }

    fn efficiency(&self, canvas: &Canvas) {
        let (_, axis) = self.ranks();
        let shares = self.lines.iter().flat_map(|line| &line.1).map(|point| point.efficiency);
        let up = 0.0..104.0 * shares.fold(1.0, f64::max);
        let axes = chart(canvas, self.room()).build_cartesian_2d(axis, up);
        let mut chart = axes.expect(INFALLIBLE);
        let mut axes = mesh(&mut chart);
        axes.disable_x_mesh().x_label_formatter(&tick).x_desc("ranks (logarithmic)");
        axes.y_labels(7).y_label_formatter(&tick).y_desc(self.title);
        axes.draw().expect(INFALLIBLE);
        for (index, (_, points)) in self.lines.iter().enumerate() {
            let points = points.iter().map(|p| (f64::from(p.ranks.max(1)), 100.0 * p.efficiency));
            self.line(&mut chart, index, points.collect());
        }
    }

    /// Draws one line with its markers.
    fn line<'c, 'b, Y>(
        &self,
        chart: &mut ChartContext<'c, SVGBackend<'b>, Cartesian2d<WithKeyPoints<LogCoord<f64>>, Y>>,
        index: usize,
        curve: Vec<(f64, f64)>,
    ) where
        Y: Ranged<ValueType = f64>,
    {
        let color = SERIES[index % SERIES.len()];
        let marked = |at| EmptyElement::at(at) + Polygon::new(marker(index), color.filled());
        chart.draw_series(curve.iter().copied().map(marked)).expect(INFALLIBLE);
        let line = LineSeries::new(curve, color.stroke_width(2));
        chart.draw_series(line).expect(INFALLIBLE);
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
