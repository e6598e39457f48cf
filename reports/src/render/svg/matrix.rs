//! The communication matrix as a grid of squares.

use plotters::prelude::*;

use super::{
    canvas::{Anchor, Canvas, INFALLIBLE, NOTE, draw},
    chart::{Places, mesh},
    palette::{INK, ramp},
};
use crate::{
    analysis::CommunicationMatrix,
    format::{bytes, count, counted},
};

const LEFT: i32 = 70;
const TOP: i32 = 118;
/// Width of a digit of the axes, and the least distance of two numbers, in pixels.
const DIGIT: u32 = 7;
const SPACE: u32 = 6;

/// Draws the bytes sent from each rank (row) to each other (column), or the number of messages if
/// none carries data.
pub fn matrix(matrix: &CommunicationMatrix) -> String {
    let side = matrix.side.max(1) as i32;
    let cell = (448 / side).clamp(7, 40);
    let extent = cell * side;
    let width = (LEFT + extent + 40).max(470);
    let by_bytes = matrix.total_bytes() > 0;
    let values = if by_bytes { &matrix.bytes } else { &matrix.messages };
    let most = values.iter().copied().max().unwrap_or(0);
    let show = |value: u64| if by_bytes { bytes(value) } else { count(value) };
    draw(width as u32, (TOP + extent + 46) as u32, |canvas| {
        let what = if by_bytes { "Bytes" } else { "Messages" };
        canvas.title(&format!("{what} sent from each rank to each"));
        if most > 0 {
            canvas.ramp_legend((LEFT + 24, 48), "0", &show(most));
        }
        if most == 0 {
            canvas.text((16, 70), "No messages were sent.", Anchor::Left, NOTE);
        }
        for row in 0..matrix.side {
            for column in 0..matrix.side {
                let value = values[matrix.cell(row, column)];
                if value > 0 {
                    // The scale begins at zero, whose colour differs from the white of no message.
                    let part = value as f64 / most.max(1) as f64;
                    let at = (LEFT + cell * column as i32, TOP + cell * row as i32);
                    canvas.rect(at, (at.0 + cell - 1, at.1 + cell - 1), ramp(part));
                }
            }
        }
        canvas.frame((LEFT - 1, TOP - 1), (LEFT + extent, TOP + extent), INK);
        // As many numbers as stand side by side, at most 16.
        let digits = (matrix.side * matrix.block).saturating_sub(1).to_string().len() as u32;
        let numbers = (extent as u32 / (DIGIT * digits + SPACE)).clamp(1, 16);
        let every = (matrix.side.div_ceil(numbers)).next_power_of_two() as usize;
        axes(canvas, matrix, every, (width, extent));
        let mut note = format!(
            "{}, {}",
            counted(matrix.total_messages(), "message"),
            bytes(matrix.total_bytes())
        );
        if matrix.block > 1 {
            note.push_str(&format!("; each square stands for {0} x {0} ranks", matrix.block));
        }
        canvas.text((16, TOP + extent + 26), &note, Anchor::Left, NOTE);
    })
}

/// Draws the rank numbers: senders at the left, receivers at the top.
fn axes(canvas: &Canvas, matrix: &CommunicationMatrix, every: usize, (width, extent): (i32, i32)) {
    let side = matrix.side.max(1) as usize;
    let (columns, rows) = (Places::columns(side, every), Places::rows(side, every));
    let mut builder = ChartBuilder::on(&canvas.area);
    builder.margin_left(8).margin_top(TOP - 46).margin_right(width - LEFT - extent);
    builder.margin_bottom(46).y_label_area_size(LEFT - 8);
    builder.set_label_area_size(LabelAreaPosition::Top, 46);
    let axes = builder.build_cartesian_2d(columns, rows);
    let mut chart = axes.expect(INFALLIBLE);
    let first = |at: &f64| (*at as u32 * matrix.block).to_string();
    let mut axes = mesh(&mut chart);
    axes.disable_mesh().x_labels(side).y_labels(side).set_all_tick_mark_size(3);
    axes.x_label_formatter(&first).x_desc("receiving rank");
    axes.y_label_formatter(&first).y_desc("sending rank").draw().expect(INFALLIBLE);
}
