//! Bar charts: run times, and the time of each activity.

use plotters::{prelude::*, style::RGBColor};

use super::{
    canvas::{Anchor, Canvas, INFALLIBLE, LABEL, NOTE, draw, text_width},
    chart::{Places, Room, chart, mesh, tick},
    palette::{COMPUTE, ENDED, OVERHEAD, TRANSFER, WAITING},
};
use crate::format::{count, percent, shorten_apart, three_digits};

/// Most bars in a picture; further ones are left out.
const MOST: usize = 40;
/// Most characters of a name; longer ones are shortened.
const NAME: usize = 46;
const ROW: i32 = 24;
const WIDTH: i32 = 900;
/// Least width of the bars themselves, in pixels.
const BARS: i32 = 440;
const TOP: i32 = 52;
const BOTTOM: i32 = 60;

/// Draws run times in milliseconds, the shortest first.
pub fn bars(title: &str, rows: &[(String, f64)]) -> String {
    let mut sorted: Vec<&(String, f64)> = rows.iter().collect();
    sorted.sort_by(|a, b| a.1.total_cmp(&b.1));
    let omitted = sorted.len().saturating_sub(MOST);
    sorted.truncate(MOST);
    let most = sorted.iter().map(|row| row.1).fold(0.0, f64::max);
    let (scale, unit) = unit_of(most);
    let names: Vec<String> = sorted.iter().map(|row| row.0.clone()).collect();
    let bars = sorted.iter().zip(shorten_apart(&names, NAME)).map(|((_, ms), name)| Bar {
        name,
        parts: vec![(ms * scale, COMPUTE)],
        label: Some(time(*ms)),
    });
    let bars: Vec<Bar> = bars.collect();
    draw(width(&bars) as u32, height(&bars), |canvas| {
        canvas.title(title);
        if bars.is_empty() {
            canvas.text(
                (16, TOP),
                "No run completed, so there is no run time.",
                Anchor::Left,
                NOTE,
            );
            return;
        }
        let last = if most > 0.0 { most * scale } else { 1.0 };
        bar_chart(canvas, &bars, last, &format!("run time in {unit}"));
        note(canvas, &bars, omitted);
    })
}

/// Returns the factor that converts milliseconds to a suitable unit, and that unit.
pub(super) fn unit_of(ms: f64) -> (f64, &'static str) {
    match ms {
        m if m >= 1000.0 => (1e-3, "s"),
        m if m >= 1.0 => (1.0, "ms"),
        m if m >= 1e-3 => (1e3, "us"),
        _ => (1e6, "ns"),
    }
}

/// Returns a time with a suitable unit.
fn time(ms: f64) -> String {
    let (scale, unit) = unit_of(ms);
    format!("{} {unit}", three_digits(ms * scale))
}

/// Draws percentages of compute, overhead and waiting as one bar per entry, in the order given.
pub fn breakdown(rows: &[(String, [f64; 3])]) -> String {
    let omitted = rows.len().saturating_sub(MOST);
    let legend = [("compute", COMPUTE), ("overhead in MPI", OVERHEAD), ("waiting", WAITING)];
    let names: Vec<String> = rows.iter().take(MOST).map(|row| row.0.clone()).collect();
    let bars = rows.iter().zip(shorten_apart(&names, NAME)).map(|((_, shares), name)| Bar {
        name,
        parts: shares.iter().copied().zip(legend.map(|(_, color)| color)).collect(),
        label: shares.iter().all(|share| *share == 0.0).then(|| "no time passed".to_owned()),
    });
    let bars: Vec<Bar> = bars.collect();
    let width = width(&bars);
    draw(width as u32, height(&bars), |canvas| {
        canvas.title("Where the time of the ranks went");
        if bars.is_empty() {
            canvas.text((16, TOP), "No configuration was run.", Anchor::Left, NOTE);
            return;
        }
        canvas.legend((width - 340, 22), &legend);
        bar_chart(canvas, &bars, 100.0, "share of rank time in %");
        note(canvas, &bars, omitted);
    })
}

/// Draws the parts of the blocked and processor time in MPI, as percentages, one bar per entry.
pub fn mpi_time(title: &str, rows: &[(String, [f64; 3])]) -> String {
    let legend = [("overhead", OVERHEAD), ("waiting", WAITING), ("transfer", TRANSFER)];
    let names: Vec<String> = rows.iter().map(|row| row.0.clone()).collect();
    let bars = rows.iter().zip(shorten_apart(&names, NAME)).map(|((_, shares), name)| Bar {
        name,
        parts: shares.iter().copied().zip(legend.map(|(_, color)| color)).collect(),
        label: Some(percent(shares.iter().sum())),
    });
    let bars: Vec<Bar> = bars.collect();
    let longest = rows.iter().map(|(_, shares)| shares.iter().sum()).fold(0.0, f64::max);
    let width = width(&bars);
    draw(width as u32, height(&bars), |canvas| {
        canvas.title(title);
        if longest <= 0.0 {
            canvas.text((16, TOP), "No call took any time.", Anchor::Left, NOTE);
            return;
        }
        canvas.legend((width - 300, 22), &legend);
        bar_chart(canvas, &bars, longest, "share of rank time in %");
    })
}

/// Draws numbers of messages by size, the program's own, those inside of collective operations and, if there are
/// any, one-sided accesses, one bar per entry, in the order given.
pub fn size_classes(rows: &[(String, [u64; 3])]) -> String {
    let legend = [("messages", COMPUTE), ("inside collectives", OVERHEAD), ("one-sided", TRANSFER)];
    let has_accesses = rows.iter().any(|(_, [_, _, accesses])| *accesses > 0);
    let (legend, legend_width) =
        if has_accesses { (&legend[..], 400) } else { (&legend[..2], 300) };
    counts("Messages by size", rows, legend, legend_width)
}

/// One bar of [`protocols`]: the name of its sizes, and numbers of eager messages and of those by rendezvous.
pub(super) type SizeBar = (String, [u64; 2]);

/// Draws numbers of messages by size and protocol, one bar per entry, in the order given.
pub(super) fn protocols(rows: &[SizeBar]) -> String {
    let legend = [("eager", COMPUTE), ("rendezvous", OVERHEAD)];
    counts("Messages by size and protocol", rows, &legend, 230)
}

/// Draws numbers of messages, one bar per entry, in the order given: a part for each entry of the legend, which
/// begins `legend_width` before the right edge.
fn counts<const PARTS: usize>(
    title: &str,
    rows: &[(String, [u64; PARTS])],
    legend: &[(&str, RGBColor)],
    legend_width: i32,
) -> String {
    let bars = rows.iter().map(|(name, counts)| Bar {
        name: name.clone(),
        parts: counts
            .iter()
            .map(|it| *it as f64)
            .zip(legend.iter().map(|(_, color)| *color))
            .collect(),
        label: Some(count(counts.iter().sum())),
    });
    let bars: Vec<Bar> = bars.collect();
    let most = rows.iter().map(|(_, counts)| counts.iter().sum()).max().unwrap_or(0u64);
    let width = width(&bars);
    draw(width as u32, height(&bars), |canvas| {
        canvas.title(title);
        if bars.is_empty() {
            canvas.text((16, TOP), "There were no messages.", Anchor::Left, NOTE);
            return;
        }
        canvas.legend((width - legend_width, 22), legend);
        bar_chart(canvas, &bars, most.max(1) as f64, "messages");
    })
}

/// One bar of [`times`]: its name, and milliseconds outside MPI, in MPI, blocked, and after the end.
pub type TimeBar = (String, [f64; 4]);

/// Draws run times by what the ranks did, one bar per entry, in the order given.
pub fn times(title: &str, rows: &[TimeBar]) -> String {
    let legend = [
        ("compute", COMPUTE),
        ("overhead in MPI", OVERHEAD),
        ("waiting", WAITING),
        ("ended", ENDED),
    ];
    let most = rows.iter().map(|(_, parts)| parts.iter().sum()).fold(0.0, f64::max);
    let (scale, unit) = unit_of(most);
    let bars = rows.iter().map(|(name, parts)| Bar {
        name: name.clone(),
        parts: parts.iter().map(|ms| ms * scale).zip(legend.map(|(_, color)| color)).collect(),
        label: Some(time(parts.iter().sum())),
    });
    let bars: Vec<Bar> = bars.collect();
    let width = width(&bars);
    draw(width as u32, height(&bars), |canvas| {
        canvas.title(title);
        canvas.legend((width - 420, 22), &legend);
        let last = if most > 0.0 { most * scale } else { 1.0 };
        bar_chart(canvas, &bars, last, &format!("time in {unit}"));
    })
}

/// One row of a chart: segments side by side, and the text after them.
struct Bar {
    name: String,
    parts: Vec<(f64, RGBColor)>,
    label: Option<String>,
}

fn widest(bars: &[Bar]) -> i32 {
    bars.iter().map(|bar| text_width(&bar.name)).max().unwrap_or(0)
}

/// Returns the width of a picture: long names leave the bars as much room as short ones.
fn width(bars: &[Bar]) -> i32 {
    WIDTH.max(26 + widest(bars) + 90 + BARS)
}

fn height(bars: &[Bar]) -> u32 {
    (TOP + ROW * bars.len().max(1) as i32 + BOTTOM) as u32
}

/// Draws bars over an axis from 0 to `last`.
fn bar_chart(canvas: &Canvas, bars: &[Bar], last: f64, title: &str) {
    let room =
        Room { left: 26 + widest(bars), right: 90, top: TOP, bottom: BOTTOM, before: 0, below: 12 };
    let axes = chart(canvas, room).build_cartesian_2d(0.0..last, Places::rows(bars.len(), 1));
    let mut chart = axes.expect(INFALLIBLE);
    let name = |row: &f64| bars[*row as usize].name.clone();
    let mut axes = mesh(&mut chart);
    axes.disable_y_mesh().y_labels(bars.len()).y_label_formatter(&name);
    axes.x_labels(7).x_label_formatter(&tick).x_desc(title);
    axes.draw().expect(INFALLIBLE);
    for (row, bar) in bars.iter().enumerate() {
        let (top, bottom) = (row as f64 + 0.12, row as f64 + 0.88);
        let mut sum = 0.0;
        for (part, color) in bar.parts.iter().filter(|(part, _)| *part > 0.0) {
            let corners = [(sum, top), (sum + part, bottom)];
            sum += part;
            let rectangle = Rectangle::new(corners, color.filled());
            chart.draw_series([rectangle]).expect(INFALLIBLE);
        }
        if let Some(label) = &bar.label {
            let (x, y) = chart.backend_coord(&(sum, row as f64 + 0.5));
            canvas.text((x + 6, y), label, Anchor::Left, LABEL);
        }
    }
}

fn note(canvas: &Canvas, bars: &[Bar], omitted: usize) {
    if omitted > 0 {
        let text = format!("{omitted} more not shown");
        canvas.text((16, height(bars) as i32 - 20), &text, Anchor::Left, NOTE);
    }
}
