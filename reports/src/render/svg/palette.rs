//! The colours of all pictures: on white, where a picture stands alone or on paper, and on a page that is
//! dark.
//!
//! A picture has the colours for white in its attributes. Pages have rules for them ([`on_dark_pages`]), so that
//! the same picture follows the page that it is part of.

use std::fmt::Write;

use plotters::style::{RGBColor, colors::WHITE};

/// Colour of text and axes.
pub(super) const INK: RGBColor = RGBColor(0x22, 0x26, 0x2b);
/// Colour of less important text.
pub(super) const FAINT: RGBColor = RGBColor(0x5f, 0x67, 0x70);
/// Colour of grid lines.
pub(super) const GRID: RGBColor = RGBColor(0xe2, 0xe5, 0xe9);
/// Colour of the page, and of text on discs in ink.
pub(super) const PAPER: RGBColor = WHITE;
/// Colour of computation.
pub(super) const COMPUTE: RGBColor = RGBColor(0x00, 0x72, 0xb2);
/// Colour of processor time inside MPI.
pub(super) const OVERHEAD: RGBColor = RGBColor(0xe6, 0x9f, 0x00);
/// Colour of blocked time.
pub(super) const WAITING: RGBColor = RGBColor(0xc9, 0xcd, 0xd2);
/// Colour of blocked time in which data move.
pub(super) const TRANSFER: RGBColor = RGBColor(0x7d, 0x91, 0xa5);
/// Colour of the time after a rank had ended.
pub(super) const ENDED: RGBColor = RGBColor(0xee, 0xf0, 0xf2);
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

/// What a dark page has in the place of the colours that do not stand out from it; variables are those of its
/// style. Hues stand out from black and white alike, and stay.
const DARK: [(RGBColor, &str); 6] = [
    (INK, "var(--ink)"),
    (FAINT, "var(--soft)"),
    (GRID, "var(--line)"),
    (PAPER, "var(--page)"),
    (WAITING, "var(--waiting)"),
    (ENDED, "var(--tint)"),
];

/// Number of colours of a scale, so many that neighbours look the same.
const SHADES: usize = 64;

/// Corners of the scale on white, from little to much: pale to dark, with monotone lightness.
const ON_WHITE: [[u8; 3]; 5] =
    [[226, 232, 238], [143, 200, 232], [48, 134, 190], [20, 74, 138], [26, 22, 66]];

/// Corners of the scale on black: the other way round, so that much stands out from the page.
const ON_BLACK: [[u8; 3]; 5] =
    [[44, 54, 66], [28, 84, 132], [40, 140, 196], [130, 196, 232], [238, 246, 252]];

/// Returns the colour on white of a part between nothing (0) and the most (1).
pub(super) fn ramp(part: f64) -> RGBColor {
    shade(&ON_WHITE, (part.clamp(0.0, 1.0) * (SHADES - 1) as f64).round() as usize)
}

/// Returns the colours of the scale on white, from little to much, as they stand in pictures.
pub(crate) fn scale() -> Vec<String> {
    (0..SHADES).map(|place| hex(shade(&ON_WHITE, place))).collect()
}

fn shade(corners: &[[u8; 3]; 5], place: usize) -> RGBColor {
    let at = 4.0 * place as f64 / (SHADES - 1) as f64;
    let index = (at as usize).min(3);
    let (a, b, mix) = (corners[index], corners[index + 1], at - index as f64);
    let blend = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * mix).round() as u8;
    RGBColor(blend(a[0], b[0]), blend(a[1], b[1]), blend(a[2], b[2]))
}

/// Returns a colour as plotters writes it.
fn hex(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}

/// Returns the rules by which pictures follow a dark page on the screen. On paper they stay as they are.
pub(crate) fn on_dark_pages() -> String {
    let mut rules = String::from("@media screen and (prefers-color-scheme:dark){\n");
    let mut replace = |from: RGBColor, to: &str| {
        let from = hex(from);
        for property in ["fill", "stroke"] {
            let _ = writeln!(rules, "figure [{property}=\"{from}\"]{{{property}:{to}}}");
        }
    };
    for (color, dark) in DARK {
        replace(color, dark);
    }
    for place in 0..SHADES {
        replace(shade(&ON_WHITE, place), &hex(shade(&ON_BLACK, place)));
    }
    rules + "}\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance (WCAG 2.2).
    fn luminance(RGBColor(red, green, blue): RGBColor) -> f64 {
        let linear = |part: u8| match f64::from(part) / 255.0 {
            low if low <= 0.04045 => low / 12.92,
            part => ((part + 0.055) / 1.055).powf(2.4),
        };
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    fn contrast(one: RGBColor, other: RGBColor) -> f64 {
        let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
        one.max(other) / one.min(other)
    }

    /// The dark page of `style.css`.
    const NIGHT: RGBColor = RGBColor(0x15, 0x18, 0x1c);

    #[test]
    fn hues_stand_out_from_black_and_white() {
        let followers = DARK.map(|(color, _)| color);
        let hues = SERIES.into_iter().chain([COMPUTE, OVERHEAD, ACCENT, TRANSFER]);
        for hue in hues.filter(|hue| !followers.contains(hue)) {
            assert!(contrast(hue, NIGHT) >= 3.0, "{hue:?} on black: {}", contrast(hue, NIGHT));
            assert!(contrast(hue, WHITE) >= 2.2, "{hue:?} on white: {}", contrast(hue, WHITE));
        }
    }

    #[test]
    fn the_scales_rise_from_the_page_on() {
        for place in 1..SHADES {
            let step =
                |corners| luminance(shade(corners, place)) - luminance(shade(corners, place - 1));
            assert!(step(&ON_WHITE) < 0.0, "place {place} on white");
            assert!(step(&ON_BLACK) > 0.0, "place {place} on black");
        }
        assert!(contrast(shade(&ON_BLACK, 0), NIGHT) >= 1.4, "something is more than nothing");
        assert_eq!((ramp(0.0), ramp(1.0)), (RGBColor(226, 232, 238), RGBColor(26, 22, 66)));
        let mut colors = scale();
        colors.extend(DARK.map(|(color, _)| hex(color)));
        colors.sort_unstable();
        colors.dedup();
        assert_eq!(colors.len(), SHADES + DARK.len(), "each has one counterpart");
    }
}
