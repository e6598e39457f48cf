//! The space-time diagram: the activities of each rank over time, and the messages between ranks.

use mpi_api::trace::{Activity, Record};
use plotters::style::Color;
use sim_core::SimTime;

use super::{
    canvas::{Anchor, Canvas, INFALLIBLE, LABEL, NOTE, Point, draw},
    chart::{Places, Room, chart, mesh, tick},
    palette::{COMPUTE, INK, OVERHEAD, WAITING},
};
use crate::{format::count, records::Records};

/// Most messages that are drawn; of more, an evenly spaced selection is drawn.
const ARROWS: usize = 2000;
const LEFT: i32 = 72;
const RIGHT: i32 = 24;
const TOP: i32 = 70;
const BOTTOM: i32 = 70;

/// Draws bars of compute, overhead and waiting for each rank, and an arrow for each message from
/// the time its data enter the network to their arrival. At most 2,000 arrows are drawn.
pub fn space_time(
    ranks: u32,
    records: &Records,
    makespan: SimTime,
    width: u32,
    height: u32,
) -> String {
    let (width, height) = (width.max(480), height.max(200));
    let frame = Frame::new(ranks, makespan, width as i32, height as i32);
    let between = |record: Record| match record {
        Record::Message { source, target, injected, arrived, .. }
            if source < ranks && target < ranks && source != target =>
        {
            Some([(source, injected), (target, arrived)])
        }
        _ => None,
    };
    let messages = || records.messages().filter_map(between);
    let all = messages().count();
    let stride = all.div_ceil(ARROWS).max(1);
    let drawn = all.div_ceil(stride);
    draw(width, height, |canvas| {
        canvas.title("What each rank did, and the messages between them");
        let legend = [("compute", COMPUTE), ("overhead in MPI", OVERHEAD), ("waiting", WAITING)];
        let x = canvas.legend((16, 48), &legend);
        canvas.path(vec![(x, 48), (x + 22, 48)], 1, INK);
        canvas.polygon(vec![(x + 26, 48), (x + 18, 45), (x + 18, 51)], INK);
        canvas.text((x + 32, 48), "message", Anchor::Left, LABEL);
        frame.axes(canvas);
        for (rank, runs) in frame.rasterize(records).into_iter().enumerate() {
            let (top, bottom) = frame.bar(rank as u32);
            for (activity, from, to) in runs {
                canvas.rect((LEFT + from, top), (LEFT + to, bottom), color(activity));
            }
        }
        for [from, to] in messages().step_by(stride) {
            frame.arrow(canvas, from, to, drawn);
        }
        let note = if stride > 1 {
            let (drawn, all) = (count(drawn as u64), count(all as u64));
            format!("{drawn} of {all} messages drawn: one in {stride}, in order of delivery")
        } else {
            match all {
                0 => "no messages between ranks".to_owned(),
                1 => "the message between ranks is drawn".to_owned(),
                many => format!("all {} messages between ranks drawn", count(many as u64)),
            }
        };
        let is_lost = |record: &Record| matches!(record, Record::Undelivered { .. });
        let note = match records.messages().filter(is_lost).count() {
            0 => note,
            lost => format!("{note}; {} more never delivered", count(lost as u64)),
        };
        canvas.text((16, height as i32 - 14), &note, Anchor::Left, NOTE);
    })
}

fn color(activity: Activity) -> plotters::style::RGBColor {
    match activity {
        Activity::Compute => COMPUTE,
        Activity::Overhead => OVERHEAD,
        Activity::Waiting => WAITING,
    }
}

struct Frame {
    ranks: u32,
    makespan: u64,
    columns: i32,
    row: f64,
}

impl Frame {
    fn new(ranks: u32, makespan: SimTime, width: i32, height: i32) -> Self {
        let bottom = height - BOTTOM;
        let row = f64::from(bottom - TOP) / f64::from(ranks.max(1));
        Self { ranks, makespan: makespan.as_ps().max(1), columns: width - LEFT - RIGHT, row }
    }

    /// Returns the column of a time, in pixels from the left end of the bars.
    fn column(&self, time: SimTime) -> i32 {
        let wide = u128::from(time.as_ps().min(self.makespan)) * self.columns as u128;
        (wide / u128::from(self.makespan)) as i32
    }

    fn middle(&self, rank: u32) -> i32 {
        TOP + ((f64::from(rank) + 0.5) * self.row).round() as i32
    }

    /// Returns the top and the bottom of a rank's bar; the space between bars is for the arrows.
    fn bar(&self, rank: u32) -> (i32, i32) {
        let half = ((self.row * 0.3).round() as i32).clamp(1, 12);
        (self.middle(rank) - half, self.middle(rank) + half)
    }

    fn axes(&self, canvas: &Canvas) {
        let units = [(1e12, "s"), (1e9, "ms"), (1e6, "us"), (1e3, "ns")];
        let most = self.makespan as f64;
        let (scale, unit) =
            units.into_iter().find(|(scale, _)| most >= *scale).unwrap_or((1.0, "ps"));
        let every = ((15.0 / self.row).ceil().max(1.0) as u32).next_power_of_two();
        let room =
            Room { left: LEFT, right: RIGHT, top: TOP, bottom: BOTTOM, before: 8, below: 24 };
        let ranks = Places::rows(self.ranks as usize, every as usize);
        let axes = chart(canvas, room).build_cartesian_2d(0.0..most / scale, ranks);
        let mut chart = axes.expect(INFALLIBLE);
        let rank = |row: &f64| (*row as u32).to_string();
        let mut axes = mesh(&mut chart);
        axes.disable_y_mesh().y_labels(self.ranks as usize).y_label_formatter(&rank);
        axes.y_desc("rank").x_labels(9).x_label_formatter(&tick);
        axes.x_desc(format!("simulated time in {unit}")).draw().expect(INFALLIBLE);
    }

    /// Returns the main activity of each rank in each pixel column, with equal neighbours merged.
    fn rasterize(&self, records: &Records) -> Vec<Vec<(Activity, i32, i32)>> {
        const KINDS: [Activity; 3] = [Activity::Compute, Activity::Overhead, Activity::Waiting];
        let columns = self.columns as usize;
        let mut shares = vec![[0u64; 3]; columns * self.ranks as usize];
        for record in records.intervals() {
            let Record::Interval { rank, activity, start, end, .. } = record else { continue };
            if rank >= self.ranks || start >= end {
                continue;
            }
            let last = self.column(end).min(self.columns - 1);
            for column in self.column(start)..=last {
                let (from, to) = (self.edge(column), self.edge(column + 1));
                let part = end.as_ps().min(to).saturating_sub(start.as_ps().max(from));
                shares[rank as usize * columns + column as usize][activity as usize] += part;
            }
        }
        let mut rows = Vec::new();
        for row in shares.chunks(columns.max(1)) {
            let mut runs: Vec<(Activity, i32, i32)> = Vec::new();
            for (column, shares) in row.iter().enumerate() {
                let most = shares.iter().copied().max().unwrap_or(0);
                let Some(kind) = shares.iter().position(|s| *s == most && most > 0) else {
                    continue;
                };
                let (activity, at) = (KINDS[kind], column as i32);
                match runs.last_mut() {
                    Some(run) if run.0 == activity && run.2 == at => run.2 = at + 1,
                    _ => runs.push((activity, at, at + 1)),
                }
            }
            rows.push(runs);
        }
        rows
    }

    /// Returns the first picosecond of a pixel column.
    fn edge(&self, column: i32) -> u64 {
        let wide = u128::from(self.makespan) * column as u128;
        wide.div_ceil(self.columns.max(1) as u128) as u64
    }

    fn arrow(&self, canvas: &Canvas, from: (u32, SimTime), to: (u32, SimTime), drawn: usize) {
        let opacity = match drawn {
            0..=150 => 0.85,
            151..=600 => 0.5,
            _ => 0.2,
        };
        let (down, from_bar, to_bar) = (to.0 > from.0, self.bar(from.0), self.bar(to.0));
        let start = (LEFT + self.column(from.1), if down { from_bar.1 } else { from_bar.0 });
        let end = (LEFT + self.column(to.1), if down { to_bar.0 } else { to_bar.1 });
        canvas.path(vec![start, end], 1, INK.mix(opacity));
        if drawn <= 600 {
            canvas.polygon(head(start, end), INK.mix(opacity));
        }
    }
}

/// Returns a small triangle with its tip at `end`.
fn head(start: Point, end: Point) -> Vec<Point> {
    let (dx, dy) = (f64::from(end.0 - start.0), f64::from(end.1 - start.1));
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    let back = |side: f64| {
        let x = f64::from(end.0) - 7.0 * ux - 3.0 * side * uy;
        let y = f64::from(end.1) - 7.0 * uy + 3.0 * side * ux;
        (x.round() as i32, y.round() as i32)
    };
    vec![end, back(1.0), back(-1.0)]
}
