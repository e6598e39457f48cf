//! Horizontal bars: run times, and where the time went.

use super::canvas::{
    Anchor, COMPUTE, Canvas, FAINT, GRID, LABEL, NOTE, OVERHEAD, WAITING, draw, text_width, ticks,
};
use crate::format::{shorten, three_digits};

/// More bars than this are not drawn.
const MOST: usize = 40;
const ROW: i32 = 24;
const WIDTH: i32 = 900;
const TOP: i32 = 52;

/// Run times in milliseconds, the shortest first.
pub fn bars(rows: &[(String, f64)]) -> String {
    let mut sorted: Vec<&(String, f64)> = rows.iter().collect();
    sorted.sort_by(|a, b| a.1.total_cmp(&b.1));
    let omitted = sorted.len().saturating_sub(MOST);
    sorted.truncate(MOST);
    let most = sorted.iter().map(|row| row.1).fold(0.0, f64::max);
    let (scale, unit) = unit_of(most);
    let names: Vec<&str> = sorted.iter().map(|row| row.0.as_str()).collect();
    let frame = Frame::new(&names, omitted);
    draw(WIDTH as u32, frame.height as u32, |canvas| {
        canvas.title("Run time of each configuration, fastest first");
        let last = frame.axis(canvas, most * scale, &format!("run time in {unit}"));
        for (index, (_, ms)) in sorted.iter().enumerate() {
            let (top, bottom) = frame.row(index);
            let end = frame.x(ms * scale / last);
            canvas.rect((frame.left, top), (end, bottom), COMPUTE);
            canvas.text((end + 6, (top + bottom) / 2), &time(*ms), Anchor::Left, LABEL);
        }
    })
}

/// What milliseconds are multiplied with, and the unit that gives.
fn unit_of(ms: f64) -> (f64, &'static str) {
    match ms {
        m if m >= 1000.0 => (1e-3, "s"),
        m if m >= 1.0 => (1.0, "ms"),
        m if m >= 1e-3 => (1e3, "us"),
        _ => (1e6, "ns"),
    }
}

/// A time in the unit that fits it.
fn time(ms: f64) -> String {
    let (scale, unit) = unit_of(ms);
    format!("{} {unit}", three_digits(ms * scale))
}

/// Percentages of compute, overhead and waiting as one bar per entry, in the order given.
pub fn breakdown(rows: &[(String, [f64; 3])]) -> String {
    let omitted = rows.len().saturating_sub(MOST);
    let rows = &rows[..rows.len().min(MOST)];
    let names: Vec<&str> = rows.iter().map(|row| row.0.as_str()).collect();
    let frame = Frame::new(&names, omitted);
    draw(WIDTH as u32, frame.height as u32, |canvas| {
        canvas.title("Where the time of the ranks went");
        let legend = [("compute", COMPUTE), ("overhead in MPI", OVERHEAD), ("waiting", WAITING)];
        canvas.legend((WIDTH - 340, 22), &legend);
        let last = frame.axis(canvas, 100.0, "share of rank time in %");
        for (index, (_, shares)) in rows.iter().enumerate() {
            let (top, bottom) = frame.row(index);
            let mut sum = 0.0;
            for (share, (_, color)) in shares.iter().zip(legend) {
                let from = frame.x(sum / last);
                sum += share;
                if frame.x(sum / last) > from {
                    canvas.rect((from, top), (frame.x(sum / last), bottom), color);
                }
            }
        }
    })
}

/// Names at the left, rows, and an axis below.
struct Frame<'a> {
    names: &'a [&'a str],
    omitted: usize,
    left: i32,
    right: i32,
    height: i32,
}

impl<'a> Frame<'a> {
    fn new(names: &'a [&'a str], omitted: usize) -> Self {
        let widest = names.iter().map(|name| text_width(&shorten(name, 46))).max().unwrap_or(0);
        let height = TOP + ROW * names.len().max(1) as i32 + 56;
        Self { names, omitted, left: 24 + widest, right: WIDTH - 90, height }
    }

    fn row(&self, index: usize) -> (i32, i32) {
        let top = TOP + ROW * index as i32;
        (top + 3, top + ROW - 3)
    }

    fn x(&self, part: f64) -> i32 {
        self.left + (part * f64::from(self.right - self.left)).round() as i32
    }

    /// Draws names and axis; returns the value at the right end.
    fn axis(&self, canvas: &Canvas, most: f64, title: &str) -> f64 {
        let (positions, digits) = ticks(most, 6);
        let last = positions.last().copied().unwrap_or(1.0);
        let bottom = TOP + ROW * self.names.len().max(1) as i32;
        for position in positions {
            let x = self.x(position / last);
            canvas.path(vec![(x, TOP), (x, bottom + 4)], 1, GRID);
            let label = format!("{position:.digits$}");
            canvas.text((x, bottom + 14), &label, Anchor::Middle, LABEL);
        }
        for (index, name) in self.names.iter().enumerate() {
            let (top, bottom) = self.row(index);
            let at = (self.left - 8, (top + bottom) / 2);
            canvas.text(at, &shorten(name, 46), Anchor::Right, LABEL);
        }
        canvas.path(vec![(self.left, TOP), (self.left, bottom)], 1, FAINT);
        let middle = (self.left + self.right) / 2;
        canvas.text((middle, bottom + 36), title, Anchor::Middle, LABEL);
        if self.omitted > 0 {
            let note = format!("{} more not shown", self.omitted);
            canvas.text((16, bottom + 36), &note, Anchor::Left, NOTE);
        }
        last
    }
}
