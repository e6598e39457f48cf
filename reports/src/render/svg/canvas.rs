//! The drawing surface of all pictures: a plotters area with helper functions.

use plotters::{
    coord::Shift,
    prelude::*,
    style::{
        FontStyle,
        text_anchor::{HPos, Pos, VPos},
    },
};

use super::palette::{FAINT, INK, PAPER, ramp};

/// Horizontal and vertical alignment of a text relative to its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// A drawing surface that is rendered as SVG text.
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
        canvas.area.fill(&PAPER).expect(INFALLIBLE);
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

    pub(super) fn circle(&self, at: Point, radius: i32, color: RGBColor) {
        self.area.draw(&Circle::new(at, radius, color.stroke_width(2))).expect(INFALLIBLE);
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

    /// Draws the colour scale from little to much with names at its ends.
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
