//! The communication matrix as a grid of squares.

use super::canvas::{Anchor, INK, LABEL, NOTE, draw, ramp};
use crate::{
    analysis::CommunicationMatrix,
    format::{bytes, count},
};

const LEFT: i32 = 70;
const TOP: i32 = 84;

/// Bytes from each rank (row) to each (column); messages where none carries data.
pub fn matrix(matrix: &CommunicationMatrix) -> String {
    let side = matrix.side.max(1) as i32;
    let cell = (448 / side).clamp(7, 40);
    let extent = cell * side;
    let width = (LEFT + extent + 40).max(470);
    let by_bytes = matrix.total_bytes() > 0;
    let values = if by_bytes { &matrix.bytes } else { &matrix.messages };
    let most = values.iter().copied().max().unwrap_or(0);
    let show = |value: u64| if by_bytes { bytes(value) } else { count(value) };
    draw(width as u32, (TOP + extent + 66) as u32, |canvas| {
        let what = if by_bytes { "Bytes" } else { "Messages" };
        canvas.title(&format!("{what} sent from each rank to each"));
        canvas.ramp_legend((LEFT + 24, 48), "0", &show(most));
        for row in 0..matrix.side {
            for column in 0..matrix.side {
                let value = values[matrix.cell(row, column)];
                if value > 0 {
                    // At least a visible step away from nothing.
                    let part = 0.12 + 0.88 * value as f64 / most.max(1) as f64;
                    let at = (LEFT + cell * column as i32, TOP + cell * row as i32);
                    canvas.rect(at, (at.0 + cell - 1, at.1 + cell - 1), ramp(part));
                }
            }
        }
        let corner = (LEFT + extent, TOP + extent);
        canvas.frame((LEFT - 1, TOP - 1), corner, INK);
        let every = (matrix.side.div_ceil(16)).next_power_of_two();
        for index in (0..matrix.side).step_by(every as usize) {
            let label = matrix.span(index).0.to_string();
            let middle = cell * index as i32 + cell / 2;
            canvas.text((LEFT - 8, TOP + middle), &label, Anchor::Right, LABEL);
            canvas.text((LEFT + middle, TOP - 10), &label, Anchor::Middle, LABEL);
        }
        canvas.upwards((20, TOP + extent / 2), "sending rank");
        let middle = (LEFT + extent / 2, TOP + extent + 18);
        canvas.text(middle, "receiving rank (numbered above)", Anchor::Middle, LABEL);
        let mut note =
            format!("{} messages, {}", count(matrix.total_messages()), bytes(matrix.total_bytes()));
        if matrix.block > 1 {
            note.push_str(&format!("; each square stands for {0} x {0} ranks", matrix.block));
        }
        canvas.text((16, TOP + extent + 44), &note, Anchor::Left, NOTE);
    })
}
