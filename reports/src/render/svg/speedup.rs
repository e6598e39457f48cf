//! Speed-up and efficiency against the number of ranks.

use super::canvas::{
    Anchor, Canvas, FAINT, GRID, LABEL, NOTE, Point, SERIES, draw, text_width, ticks,
};
use crate::format::shorten;

/// More series than this are not drawn; the best ones are.
const MOST: usize = SERIES.len();
const TOP: i32 = 58;
const BOTTOM: i32 = 350;
const PANEL: i32 = 330;

/// One point of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SpeedupPoint {
    /// Number of ranks.
    pub(crate) ranks: u32,
    /// How many times faster than with the smallest number of ranks.
    pub(crate) speedup: f64,
    /// Speed-up over what the ranks multiplied by.
    pub(crate) efficiency: f64,
}

/// Draws lines of known speed-up; `note` tells the baseline.
pub(crate) fn speedup_lines(lines: &[(String, Vec<SpeedupPoint>)], note: &str) -> String {
    let mut lines: Vec<(String, Vec<SpeedupPoint>)> =
        lines.iter().filter(|line| !line.1.is_empty()).cloned().collect();
    let best = |points: &[SpeedupPoint]| points.iter().map(|p| p.speedup).fold(0.0, f64::max);
    lines.sort_by(|a, b| best(&b.1).total_cmp(&best(&a.1)));
    let omitted = lines.len().saturating_sub(MOST);
    lines.truncate(MOST);
    lines.iter_mut().for_each(|line| line.1.sort_by_key(|point| point.ranks));
    let names = lines.iter().map(|line| text_width(&shorten(&line.0, 24))).max().unwrap_or(0);
    let width = 70 + PANEL + 80 + PANEL + 30 + 40 + names.max(60);
    draw(width as u32, 430, |canvas| {
        canvas.title("Speed-up and efficiency, by topology");
        let mut note = note.to_owned();
        if omitted > 0 {
            note.push_str(&format!("; {omitted} more topologies not shown"));
        }
        canvas.text((16, 414), &note, Anchor::Left, NOTE);
        let ranks: Vec<u32> = lines.iter().flat_map(|l| &l.1).map(|point| point.ranks).collect();
        let most = lines.iter().map(|line| best(&line.1)).fold(1.0, f64::max);
        let peak = lines.iter().flat_map(|l| &l.1).map(|p| p.efficiency).fold(1.0, f64::max);
        let up = Panel::new(canvas, 70, &ranks, most, "speed-up");
        let efficiency =
            Panel::new(canvas, 70 + PANEL + 80, &ranks, peak * 100.0, "efficiency in %");
        up.ideal(canvas);
        for (index, (name, points)) in lines.iter().enumerate() {
            let curve = points.iter().map(|p| up.place(p.ranks, p.speedup)).collect();
            line(canvas, curve, index);
            let curve =
                points.iter().map(|p| efficiency.place(p.ranks, 100.0 * p.efficiency)).collect();
            line(canvas, curve, index);
            let (x, y) = (efficiency.left + PANEL + 24, TOP + 10 + 22 * index as i32);
            line(canvas, vec![(x, y), (x + 24, y)], index);
            canvas.text((x + 34, y), &shorten(name, 24), Anchor::Left, LABEL);
        }
    })
}

fn line(canvas: &Canvas, points: Vec<Point>, index: usize) {
    let color = SERIES[index % SERIES.len()];
    for (x, y) in &points {
        let diamond = vec![(*x, y - 5), (x + 5, *y), (*x, y + 5), (x - 5, *y)];
        let triangle = vec![(*x, y - 5), (x + 5, y + 4), (x - 5, y + 4)];
        match index % 4 {
            0 => canvas.disc((*x, *y), 4, color),
            1 => canvas.rect((x - 4, y - 4), (x + 4, y + 4), color),
            2 => canvas.polygon(diamond, color),
            _ => canvas.polygon(triangle, color),
        }
    }
    canvas.path(points, 2, color);
}

/// One chart; the axis of ranks is logarithmic.
struct Panel {
    left: i32,
    least: f64,
    span: f64,
    last: f64,
    most_ranks: u32,
}

impl Panel {
    fn new(canvas: &Canvas, left: i32, ranks: &[u32], most: f64, title: &str) -> Self {
        let least = f64::from(ranks.iter().copied().min().unwrap_or(1).max(1)).log2();
        let most_ranks = ranks.iter().copied().max().unwrap_or(1).max(1);
        let span = (f64::from(most_ranks).log2() - least).max(1.0);
        let (positions, digits) = ticks(most, 6);
        let last = positions.last().copied().unwrap_or(1.0);
        let panel = Self { left, least, span, last, most_ranks };
        for position in positions {
            let (_, y) = panel.place(1, position);
            canvas.path(vec![(left, y), (left + PANEL, y)], 1, GRID);
            let label = format!("{position:.digits$}");
            canvas.text((left - 8, y), &label, Anchor::Right, LABEL);
        }
        let mut shown = ranks.to_vec();
        shown.sort_unstable();
        shown.dedup();
        let mut free = i32::MIN;
        for ranks in shown {
            let (x, _) = panel.place(ranks, 0.0);
            canvas.path(vec![(x, BOTTOM), (x, BOTTOM + 4)], 1, FAINT);
            let label = ranks.to_string();
            if x - text_width(&label) / 2 > free {
                canvas.text((x, BOTTOM + 14), &label, Anchor::Middle, LABEL);
                free = x + text_width(&label) / 2 + 4;
            }
        }
        canvas.path(vec![(left, TOP), (left, BOTTOM), (left + PANEL, BOTTOM)], 1, FAINT);
        let middle = (left + PANEL / 2, BOTTOM + 36);
        canvas.text(middle, "ranks (logarithmic)", Anchor::Middle, LABEL);
        canvas.upwards((left - 46, (TOP + BOTTOM) / 2), title);
        panel
    }

    fn place(&self, ranks: u32, value: f64) -> Point {
        // Room for half a label at both ends.
        let part = 0.04 + 0.92 * (f64::from(ranks.max(1)).log2() - self.least) / self.span;
        let height = f64::from(BOTTOM - TOP) * value / self.last;
        let x = self.left + (part * f64::from(PANEL)).round() as i32;
        (x, BOTTOM - height.round() as i32)
    }

    /// Speed-up that grows as the ranks do, as far as it fits.
    fn ideal(&self, canvas: &Canvas) {
        let least = self.least.exp2();
        let most = (f64::from(self.most_ranks) / least).min(self.last);
        if most <= 1.0 {
            return;
        }
        let points: Vec<Point> = (0..=70)
            .map(|step| {
                let gain = most.powf(f64::from(step) / 70.0);
                let part = 0.04 + 0.92 * gain.log2() / self.span;
                let x = self.left + (part * f64::from(PANEL)).round() as i32;
                (x, self.place(1, gain).1)
            })
            .collect();
        for dash in points.chunks(2) {
            canvas.path(dash.to_vec(), 1, FAINT);
        }
        if let Some((x, y)) = points.last() {
            canvas.text((x - 10, *y), "ideal", Anchor::Right, NOTE);
        }
    }
}
