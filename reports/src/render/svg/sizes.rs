//! The distribution of message sizes.

use mpi_api::trace::{Protocol, Record};
use plotters::prelude::*;

use super::{
    canvas::{Anchor, INFALLIBLE, NOTE, draw},
    chart::{Places, Room, chart, mesh, tick},
    palette::{COMPUTE, OVERHEAD},
};
use crate::{
    format::{bytes, count},
    records::Records,
};

const WIDTH: u32 = 760;
const HEIGHT: u32 = 320;

/// Numbers of messages in one range of sizes: eager ones, then those by rendezvous.
type Class = [u64; 2];

/// Draws a bar for each power of two of bytes: eager messages at the bottom, rendezvous messages on
/// top. The first bar counts messages without data; the bar of 64 B counts those of 33 to 64 bytes.
pub fn message_sizes(records: &Records) -> String {
    let classes = classes(records);
    let most = classes.iter().map(|class| class[0] + class[1]).max().unwrap_or(0);
    draw(WIDTH, HEIGHT, |canvas| {
        canvas.title("Messages by size");
        let colors = [("eager", COMPUTE), ("rendezvous", OVERHEAD)];
        canvas.legend((WIDTH as i32 - 230, 22), &colors);
        if most == 0 {
            canvas.text((16, 54), "There were no messages.", Anchor::Left, NOTE);
            return;
        }
        let room = Room { left: 80, right: 24, top: 46, bottom: 64, before: 8, below: 12 };
        // A label takes about 60 pixels.
        let places = Places::columns(classes.len(), classes.len().div_ceil(10));
        let axes = chart(canvas, room).build_cartesian_2d(places, 0.0..1.04 * most as f64);
        let mut chart = axes.expect(INFALLIBLE);
        let size = |class: &f64| bytes(largest(*class as u32));
        let mut axes = mesh(&mut chart);
        axes.disable_x_mesh().x_labels(classes.len()).x_label_formatter(&size);
        axes.x_desc("size up to (logarithmic)").y_desc("messages");
        axes.y_labels(6).y_label_formatter(&whole).draw().expect(INFALLIBLE);
        for (class, counts) in classes.iter().enumerate() {
            let (left, right) = (class as f64 + 0.12, class as f64 + 0.88);
            let eager = counts[0] as f64;
            let all = (counts[0] + counts[1]) as f64;
            let bars = [(0.0, eager, COMPUTE), (eager, all, OVERHEAD)];
            let bars = bars.into_iter().filter(|(low, high, _)| low < high);
            let bars = bars.map(|(low, high, color)| {
                Rectangle::new([(left, low), (right, high)], color.filled())
            });
            chart.draw_series(bars).expect(INFALLIBLE);
        }
    })
}

fn whole(value: &f64) -> String {
    if value.fract() == 0.0 { count(*value as u64) } else { tick(value) }
}

/// Counts the messages of each size class, up to the largest one that occurs.
fn classes(records: &Records) -> Vec<Class> {
    let mut classes: Vec<Class> = Vec::new();
    for record in records.messages() {
        let Record::Message { bytes, protocol, .. } = record else { continue };
        let class = class(bytes) as usize;
        classes.resize(classes.len().max(class + 1), [0, 0]);
        let protocol = match protocol {
            Protocol::Eager => 0,
            Protocol::Rendezvous => 1,
        };
        classes[class][protocol] += 1;
    }
    classes
}

/// Returns the size class: 0 for no bytes, 1 for one byte, n + 1 for more than 2^(n-1) and up to
/// 2^n bytes.
fn class(bytes: u64) -> u32 {
    match bytes {
        0 => 0,
        _ => 1 + u64::BITS - (bytes - 1).leading_zeros(),
    }
}

/// Returns the largest number of bytes in a class.
fn largest(class: u32) -> u64 {
    match class {
        0 => 0,
        _ => 1u64.checked_shl(class - 1).unwrap_or(u64::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::{class, largest};

    #[test]
    fn classes_are_powers_of_two() {
        assert_eq!([0, 1, 2, 3, 4, 5, 64, 65].map(class), [0, 1, 2, 3, 3, 4, 7, 8]);
        for bytes in [0, 1, 2, 3, 100, 1 << 40, u64::MAX] {
            assert!(bytes <= largest(class(bytes)));
        }
    }
}
