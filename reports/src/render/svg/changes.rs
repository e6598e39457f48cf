//! Changes of the run time, as bars to the left and to the right of zero.

use plotters::{prelude::*, style::RGBColor};

use super::{
    canvas::{Anchor, Canvas, INFALLIBLE, LABEL, NOTE, draw, text_width},
    chart::{Places, Room, chart, mesh, tick},
    palette::{COMPUTE, FAINT, OVERHEAD},
};
use crate::format::shorten_apart;

/// Most rows in a picture; further ones are left out.
const MOST: usize = 40;
/// Most characters of a name; longer ones are shortened.
const NAME: usize = 46;
const ROW: i32 = 28;
const BARS: i32 = 560;
const TOP: i32 = 58;
const BOTTOM: i32 = 60;
/// Room for a label on either side of the bars.
const SIDE: i32 = 72;

/// One row: its name, and by how many percent the run time changes, up to two values.
pub type ChangeRow = (String, [Option<f64>; 2]);

/// Draws changes in percent. `legend` names the two values of each row, if all rows have two.
pub fn changes(title: &str, rows: &[ChangeRow], legend: Option<[&str; 2]>) -> String {
    let omitted = rows.len().saturating_sub(MOST);
    let rows = &rows[..rows.len() - omitted];
    let names: Vec<String> = rows.iter().map(|row| row.0.clone()).collect();
    let names = shorten_apart(&names, NAME);
    let widest = names.iter().map(|name| text_width(name)).max().unwrap_or(0);
    let height = TOP + ROW * rows.len().max(1) as i32 + BOTTOM;
    let left = 26 + widest;
    draw((left + SIDE + BARS + SIDE) as u32, height as u32, |canvas| {
        canvas.title(title);
        if let Some([first, second]) = legend {
            canvas.legend((16, 44), &[(first, COMPUTE), (second, OVERHEAD)]);
        }
        draw_rows(canvas, rows, &names, left);
        if omitted > 0 {
            let text = format!("{omitted} more not shown");
            canvas.text((16, height - 20), &text, Anchor::Left, NOTE);
        }
    })
}

fn draw_rows(canvas: &Canvas, rows: &[ChangeRow], names: &[String], left: i32) {
    let values = || rows.iter().flat_map(|row| row.1).flatten();
    let least = values().fold(0.0, f64::min);
    let most = values().fold(0.0, f64::max);
    let span = if most > least { most - least } else { 1.0 };
    // Labels stand beside the bars, so the axis goes on a little beyond them.
    let margin = span * f64::from(SIDE) / f64::from(BARS);
    let range = (least - margin)..(most + margin);
    let room = Room { left, right: 12, top: TOP, bottom: BOTTOM, before: 0, below: 12 };
    let axes = chart(canvas, room).build_cartesian_2d(range, Places::rows(rows.len(), 1));
    let mut chart = axes.expect(INFALLIBLE);
    let name = |row: &f64| names[*row as usize].clone();
    let mut mesh = mesh(&mut chart);
    mesh.disable_y_mesh().y_labels(rows.len()).y_label_formatter(&name);
    mesh.x_labels(7).x_label_formatter(&tick).x_desc("change of the run time in %");
    mesh.draw().expect(INFALLIBLE);
    let zero = [(0.0, 0.0), (0.0, rows.len() as f64)];
    chart.draw_series([PathElement::new(zero, FAINT.stroke_width(1))]).expect(INFALLIBLE);
    for (place, (_, pair)) in rows.iter().enumerate() {
        let bars: Vec<(f64, RGBColor)> = pair
            .iter()
            .zip([COMPUTE, OVERHEAD])
            .filter_map(|(it, color)| Some(((*it)?, color)))
            .collect();
        let thickness = 0.76 / bars.len().max(1) as f64;
        for (line, (value, color)) in bars.iter().enumerate() {
            let top = place as f64 + 0.12 + line as f64 * thickness;
            let corners = [(0.0, top), (*value, top + thickness)];
            chart.draw_series([Rectangle::new(corners, color.filled())]).expect(INFALLIBLE);
            let (x, y) = chart.backend_coord(&(*value, top + thickness / 2.0));
            let (at, anchor) = match *value < 0.0 {
                true => ((x - 5, y), Anchor::Right),
                false => ((x + 5, y), Anchor::Left),
            };
            let label = if *value == 0.0 { "0".to_owned() } else { format!("{value:+.1}") };
            canvas.text(at, &label, anchor, LABEL);
        }
    }
}
