//! Ranges of run times: of each configuration under several network models.

use plotters::prelude::*;

use super::{
    canvas::{Anchor, INFALLIBLE, LABEL, NOTE, draw, text_width},
    chart::{Places, Room, chart, mesh, tick},
    palette::{FAINT, SERIES},
    series::marker,
};
use crate::format::{counted, shorten_apart};

/// Most configurations in a picture; further ones are left out.
const MOST: usize = 40;
/// Most characters of a name; longer ones are shortened.
const NAME: usize = 40;
const ROW: i32 = 26;
const WIDTH: i32 = 900;
const TOP: i32 = 66;
const BOTTOM: i32 = 60;

/// Draws a line from the shortest to the longest of the times of each row, microseconds, with a
/// marker for each model.
pub fn ranges(models: &[String], rows: &[(String, Vec<Option<f64>>)]) -> String {
    let omitted = rows.len().saturating_sub(MOST);
    let rows = &rows[..rows.len() - omitted];
    let height = TOP + BOTTOM + ROW * rows.len().max(1) as i32;
    let names: Vec<String> = rows.iter().map(|row| row.0.clone()).collect();
    let names = shorten_apart(&names, NAME);
    let left = names.iter().map(|name| text_width(name)).max().unwrap_or(0) + 24;
    let most =
        rows.iter().flat_map(|(_, times)| times.iter().flatten()).copied().fold(0.0, f64::max);
    // Long names leave the ranges their room.
    let width = WIDTH.max(left + 460);
    draw(width as u32, height as u32, |canvas| {
        canvas.title("Run time under each network model");
        let legend: Vec<(&str, RGBColor)> = models
            .iter()
            .enumerate()
            .map(|(index, name)| (name.as_str(), SERIES[index % SERIES.len()]))
            .collect();
        canvas.legend((16, 46), &legend);
        if omitted > 0 {
            let text = format!("{} not shown", counted(omitted as u64, "more configuration"));
            canvas.text((16, height - 12), &text, Anchor::Left, NOTE);
        }
        let room = Room { left, right: 24, top: TOP, bottom: BOTTOM, before: left, below: 24 };
        let across = 0.0..if most > 0.0 { 1.05 * most } else { 1.0 };
        let places = Places::rows(rows.len(), 1);
        let mut chart = chart(canvas, room).build_cartesian_2d(across, places).expect(INFALLIBLE);
        let mut axes = mesh(&mut chart);
        axes.disable_y_mesh().x_labels(8).x_label_formatter(&tick).x_desc("run time in us");
        axes.y_labels(0).draw().expect(INFALLIBLE);
        for (index, (_, times)) in rows.iter().enumerate() {
            let y = index as f64 + 0.5;
            canvas.text(
                (12, TOP + ROW * index as i32 + ROW / 2),
                &names[index],
                Anchor::Left,
                LABEL,
            );
            let known = || times.iter().flatten().copied();
            let (least, longest) =
                (known().fold(f64::INFINITY, f64::min), known().fold(0.0, f64::max));
            if least.is_finite() {
                let line = PathElement::new(vec![(least, y), (longest, y)], FAINT.stroke_width(3));
                chart.draw_series([line]).expect(INFALLIBLE);
            }
            let points =
                times.iter().enumerate().filter_map(|(model, time)| Some((model, (*time)?)));
            let marks = points.map(|(model, time)| {
                let color = SERIES[model % SERIES.len()].filled();
                EmptyElement::at((time, y)) + Polygon::new(marker(model), color)
            });
            chart.draw_series(marks).expect(INFALLIBLE);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn a_picture_has_a_marker_for_each_time() {
        let models = ["link".to_owned(), "fluid".to_owned()];
        let rows = [
            ("torus:4x4, 16 ranks".to_owned(), vec![Some(3.0), Some(4.0)]),
            ("ring:16, 16 ranks".to_owned(), vec![Some(5.0), None]),
        ];
        let picture = ranges(&models, &rows);
        for text in ["torus:4x4, 16 ranks", "ring:16", "link", "fluid"] {
            assert!(picture.contains(text), "{text}");
        }
        assert_eq!(picture.matches("<polygon").count(), 3);
        assert!(ranges(&models, &[]).starts_with("<svg"));
    }
}
