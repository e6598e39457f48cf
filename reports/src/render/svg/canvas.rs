//! The drawing surface of all pictures: a plotters area with helper functions.

use plotters::{
    coord::Shift,
    prelude::*,
    style::{
        FontStyle,
        text_anchor::{HPos, Pos, VPos},
    },
};

/// Colour of text and axes.
pub(super) const INK: RGBColor = RGBColor(0x22, 0x26, 0x2b);
/// Colour of less important text.
pub(super) const FAINT: RGBColor = RGBColor(0x5f, 0x67, 0x70);
/// Colour of grid lines.
pub(super) const GRID: RGBColor = RGBColor(0xe2, 0xe5, 0xe9);
/// Colour of computation.
pub(super) const COMPUTE: RGBColor = RGBColor(0x00, 0x72, 0xb2);
/// Colour of processor time inside MPI.
pub(super) const OVERHEAD: RGBColor = RGBColor(0xe6, 0x9f, 0x00);
/// Colour of blocked time.
pub(super) const WAITING: RGBColor = RGBColor(0xc9, 0xcd, 0xd2);
/// Colour that highlights the most important element.
pub(super) const ACCENT: RGBColor = RGBColor(0xd5, 0x5e, 0x00);
/// Colours of the lines of a chart, in order.
pub(super) const SERIES: [RGBColor; 8] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0x22, 0x26, 0x2b),
    RGBColor(0x8c, 0x84, 0x20),
];

/// Returns a colour between pale (0) and dark (1); lightness is monotone.
pub(super) fn ramp(part: f64) -> RGBColor {
    const STOPS: [(u8, u8, u8); 5] =
        [(226, 232, 238), (143, 200, 232), (48, 134, 190), (20, 74, 138), (26, 22, 66)];
    let at = part.clamp(0.0, 1.0) * 4.0;
    let index = (at as usize).min(3);
    let (a, b, mix) = (STOPS[index], STOPS[index + 1], at - index as f64);
    let blend = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * mix).round() as u8;
    RGBColor(blend(a.0, b.0), blend(a.1, b.1), blend(a.2, b.2))
}

/// Horizontal and vertical alignment of a text relative to its position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Left,
    Middle,
    Right,
}

/// Size, colour and weight of a text.
#[derive(Clone, Copy)]
pub(super) struct Ink {
    pub(super) size: i32,
    pub(super) color: RGBColor,
    pub(super) bold: bool,
}

/// Factor by which plotters' SVG backend divides font sizes.
const SHRINKAGE: f64 = 1.24;

impl Ink {
    pub(super) fn style(self) -> TextStyle<'static> {
        let style = if self.bold { FontStyle::Bold } else { FontStyle::Normal };
        let size = f64::from(self.size) * SHRINKAGE;
        let mut text = TextStyle::from(FontDesc::new(FontFamily::SansSerif, size, style));
        text.color = self.color.to_backend_color();
        text
    }
}

/// Style of axis labels.
pub(super) const LABEL: Ink = Ink { size: 12, color: INK, bold: false };
/// Style of captions and notes.
pub(super) const NOTE: Ink = Ink { size: 12, color: FAINT, bold: false };
/// Style of titles.
pub(super) const TITLE: Ink = Ink { size: 16, color: INK, bold: true };

/// A point in pixels, from the top left corner.
pub(super) type Point = (i32, i32);

/// A white drawing surface that is rendered as SVG text.
pub(super) struct Canvas<'a> {
    pub(super) area: DrawingArea<SVGBackend<'a>, Shift>,
}

pub(super) const INFALLIBLE: &str = "drawing into a string cannot fail";

/// Draws `picture` on a canvas of this size, and returns the SVG text.
pub(super) fn draw(width: u32, height: u32, picture: impl FnOnce(&Canvas)) -> String {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, (width, height)).into_drawing_area();
        let canvas = Canvas { area };
        canvas.area.fill(&WHITE).expect(INFALLIBLE);
        picture(&canvas);
        canvas.area.present().expect(INFALLIBLE);
    }
    text
}

impl Canvas<'_> {
    pub(super) fn text(&self, at: Point, text: &str, anchor: Anchor, ink: Ink) {
        let horizontal = match anchor {
            Anchor::Left => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::Right => HPos::Right,
        };
        let look = ink.style().pos(Pos::new(horizontal, VPos::Center));
        self.area.draw(&Text::new(text.to_owned(), at, look)).expect(INFALLIBLE);
    }

    pub(super) fn rect(&self, from: Point, to: Point, color: impl Color) {
        self.area.draw(&Rectangle::new([from, to], color.filled())).expect(INFALLIBLE);
    }

    pub(super) fn frame(&self, from: Point, to: Point, color: RGBColor) {
        self.area.draw(&Rectangle::new([from, to], color.stroke_width(1))).expect(INFALLIBLE);
    }

    pub(super) fn path(&self, points: Vec<Point>, width: u32, color: impl Color) {
        self.area.draw(&PathElement::new(points, color.stroke_width(width))).expect(INFALLIBLE);
    }

    pub(super) fn polygon(&self, points: Vec<Point>, color: impl Color) {
        self.area.draw(&Polygon::new(points, color.filled())).expect(INFALLIBLE);
    }

    pub(super) fn disc(&self, at: Point, radius: i32, color: RGBColor) {
        self.area.draw(&Circle::new(at, radius, color.filled())).expect(INFALLIBLE);
    }

    pub(super) fn title(&self, text: &str) {
        self.text((16, 22), text, Anchor::Left, TITLE);
    }

    /// Draws coloured squares with names in a row, and returns the horizontal position after them.
    pub(super) fn legend(&self, at: Point, entries: &[(&str, RGBColor)]) -> i32 {
        let mut x = at.0;
        for (name, color) in entries {
            self.rect((x, at.1 - 6), (x + 12, at.1 + 6), *color);
            self.text((x + 18, at.1), name, Anchor::Left, LABEL);
            x += 18 + text_width(name) + 22;
        }
        x
    }

    /// Draws a colour scale from pale to dark with names at its ends.
    pub(super) fn ramp_legend(&self, at: Point, least: &str, most: &str) {
        self.text((at.0 - 8, at.1), least, Anchor::Right, LABEL);
        for step in 0..40 {
            let x = at.0 + step * 4;
            self.rect((x, at.1 - 6), (x + 4, at.1 + 6), ramp(f64::from(step) / 39.0));
        }
        self.text((at.0 + 168, at.1), most, Anchor::Left, LABEL);
    }
}

/// Estimates the width of a title in pixels.
pub(super) fn title_width(text: &str) -> i32 {
    text.chars().count() as i32 * 9
}

/// Estimates the width of a label in pixels.
pub(super) fn text_width(text: &str) -> i32 {
    text.chars().count() as i32 * 69 / 10
}
