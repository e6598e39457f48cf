//! Run times along one axis, a line for each value of another one.

use plotters::prelude::*;

use super::{
    bars::unit_of,
    canvas::{Anchor, INFALLIBLE, NOTE, draw, text_width},
    chart::{Places, Room, chart, mesh, tick},
    palette::SERIES,
    series::{legend, marker},
};
use crate::format::{counted, shorten_apart};

const HEIGHT: i32 = 470;
const TOP: i32 = 62;
/// Width of the plotting area, in pixels.
const PANEL: i32 = 620;
const LEFT: i32 = 84;
/// From this ratio of the largest to the smallest value on, an axis is logarithmic.
const LOGARITHMIC: f64 = 8.0;

/// The axis along which the values lie.
#[derive(Clone, Copy, Debug)]
pub struct SweptAxis<'a> {
    /// Name.
    pub name: &'a str,
    /// Values as written.
    pub values: &'a [String],
    /// Values as numbers, if all are.
    pub numbers: Option<&'a [f64]>,
}

/// A name, and a run time in milliseconds for each value of the axis; `None` where nothing
/// completed.
pub type SweptLine = (String, Vec<Option<f64>>);

/// Draws run times on a logarithmic scale. Numbers lie where they belong, on a linear or, if they are
/// far apart, a logarithmic axis; other values are equally far apart and not joined by lines.
pub fn sweep(title: &str, axis: SweptAxis, lines: &[SweptLine]) -> String {
    let omitted = lines.len().saturating_sub(SERIES.len());
    let lines = &lines[..lines.len() - omitted];
    let names: Vec<String> = lines.iter().map(|line| line.0.clone()).collect();
    let names = shorten_apart(&names, 36);
    let widest = names.iter().map(|name| text_width(name)).max().unwrap_or(0);
    let width = LEFT + PANEL + 24 + 34 + widest.max(120) + 20;
    draw(width as u32, HEIGHT as u32, |canvas| {
        canvas.title(title);
        let times = || lines.iter().flat_map(|line| &line.1).flatten().copied();
        let most = times().fold(0.0, f64::max);
        if most <= 0.0 {
            canvas.text(
                (16, TOP),
                "No run completed, so there is no run time.",
                Anchor::Left,
                NOTE,
            );
            return;
        }
        let (scale, unit) = unit_of(most);
        let least = times().filter(|ms| *ms > 0.0).fold(most, f64::min);
        // Of times that are close together powers of ten would label too few.
        let base = if most / least < 200.0 { 2.0 } else { 10.0 };
        let up = (scale * least / 1.3..scale * most * 1.3).log_scale().base(base);
        let (places, logarithmic) = places(axis);
        let first = places.iter().copied().fold(f64::INFINITY, f64::min);
        let last = places.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let margin = ((last - first) * 0.05).max(0.3);
        let range = first - margin..last + margin;
        let pixel = |at: f64| (at - range.start) / (range.end - range.start) * f64::from(PANEL);
        let marks = apart(&places, axis.values, pixel);
        let across = Places::labelled(range.clone(), marks.clone());
        let room = Room {
            left: LEFT,
            right: width - LEFT - PANEL,
            top: TOP,
            bottom: 84,
            before: 8,
            below: 36,
        };
        let mut chart = chart(canvas, room).build_cartesian_2d(across, up).expect(INFALLIBLE);
        let label = |at: &f64| {
            let found = places.iter().position(|place| (place - at).abs() < 1e-9);
            found.map_or(String::new(), |found| axis.values[found].clone())
        };
        let kind = if logarithmic { " (logarithmic)" } else { "" };
        let mut axes = mesh(&mut chart);
        axes.x_label_formatter(&label).x_labels(marks.len()).x_desc(format!("{}{kind}", axis.name));
        axes.y_labels(8).y_label_formatter(&tick);
        axes.y_desc(format!("run time in {unit} (logarithmic)")).draw().expect(INFALLIBLE);
        for (index, (_, times)) in lines.iter().enumerate() {
            let color = SERIES[index % SERIES.len()];
            let curve = places.iter().zip(times);
            let curve: Vec<(f64, f64)> = curve
                .filter_map(|(at, ms)| Some((*at, scale * ms.filter(|ms| *ms > 0.0)?)))
                .collect();
            let marked = |at| EmptyElement::at(at) + Polygon::new(marker(index), color.filled());
            chart.draw_series(curve.iter().copied().map(marked)).expect(INFALLIBLE);
            if axis.numbers.is_some() {
                let line = LineSeries::new(curve, color.stroke_width(2));
                chart.draw_series(line).expect(INFALLIBLE);
            }
        }
        legend(canvas, (LEFT + PANEL + 24, TOP + 10), names.iter().cloned());
        if omitted > 0 {
            let more = counted(omitted as u64, "more line");
            let note = format!("{more} not shown; the table has them");
            canvas.text((16, HEIGHT - 16), &note, Anchor::Left, NOTE);
        }
    })
}

/// Returns where the values lie, and whether that is on a logarithmic axis.
fn places(axis: SweptAxis) -> (Vec<f64>, bool) {
    let Some(numbers) = axis.numbers else {
        return ((0..axis.values.len()).map(|place| place as f64).collect(), false);
    };
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let most = numbers.iter().copied().fold(0.0, f64::max);
    if least > 0.0 && most / least >= LOGARITHMIC {
        return (numbers.iter().map(|number| number.log2()).collect(), true);
    }
    // Linear values are scaled to the number of values, so that margins suit both.
    let span = (most - least).max(f64::MIN_POSITIVE);
    let unit = numbers.len().saturating_sub(1).max(1) as f64;
    (numbers.iter().map(|number| (number - least) / span * unit).collect(), false)
}

/// Returns the places whose labels do not overlap.
fn apart(places: &[f64], values: &[String], pixel: impl Fn(f64) -> f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|a, b| places[*a].total_cmp(&places[*b]));
    let mut shown = Vec::new();
    let mut free = f64::NEG_INFINITY;
    for at in order {
        let (middle, half) = (pixel(places[at]), f64::from(text_width(&values[at])) / 2.0);
        if middle - half > free {
            shown.push(places[at]);
            free = middle + half + 6.0;
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis<'a>(values: &'a [String], numbers: Option<&'a [f64]>) -> SweptAxis<'a> {
        SweptAxis { name: "bytes", values, numbers }
    }

    #[test]
    fn numbers_lie_where_they_belong() {
        let values = ["8", "64", "1K"].map(str::to_owned);
        let numbers = [8.0, 64.0, 1024.0];
        assert_eq!(places(axis(&values, Some(&numbers))), (vec![3.0, 6.0, 10.0], true));
        let near = [1.0, 2.0, 5.0];
        assert_eq!(places(axis(&values, Some(&near))), (vec![0.0, 0.5, 2.0], false));
        assert_eq!(places(axis(&values, None)).0, [0.0, 1.0, 2.0]);
        let zero = [0.0, 8.0, 64.0];
        assert!(!places(axis(&values, Some(&zero))).1, "0 has no place on a logarithmic axis");
    }

    #[test]
    fn a_picture_has_names_and_values() {
        let values = ["8", "64", "1K"].map(str::to_owned);
        let numbers = [8.0, 64.0, 1024.0];
        let lines = [("ring".to_owned(), vec![Some(0.1), None, Some(2.0)])];
        let picture = sweep("t", axis(&values, Some(&numbers)), &lines);
        for text in
            ["ring", "1K", "bytes (logarithmic)", "run time in ms (logarithmic)", "polyline"]
        {
            assert!(picture.contains(text), "{text}: {picture}");
        }
        assert!(!sweep("t", axis(&values, None), &lines).contains("<polyline opacity"));
        assert!(sweep("t", axis(&values, None), &[]).contains("No run completed"));
    }
}
