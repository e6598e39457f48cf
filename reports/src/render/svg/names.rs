//! Names beside the points of a picture, where they cover neither a point nor another name.

use std::cmp::Ordering;

use super::canvas::{Anchor, Point, text_width};

/// Radius that is kept free around a point, in pixels.
const POINT: i32 = 8;
/// Half the height of a line of text, in pixels.
const HALF_LINE: i32 = 7;
/// Distances of a name from its point, the nearest first, in pixels.
const DISTANCES: [i32; 7] = [9, 18, 28, 40, 54, 70, 90];
/// Largest distance at which a name needs no line to its point.
const BESIDE: i32 = DISTANCES[0];
/// Directions from a point to its name, the best first: across and down, in eighths of the distance.
const DIRECTIONS: [Point; 8] =
    [(8, -8), (8, 8), (-8, -8), (-8, 8), (8, 0), (-8, 0), (0, -12), (0, 12)];
const EIGHTHS: i32 = 8;

/// A rectangle: the corners at the top left and at the bottom right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rect {
    pub(super) from: Point,
    pub(super) to: Point,
}

impl Rect {
    fn covers(&self, other: &Self) -> bool {
        let apart = |low: i32, high: i32, from: i32, to: i32| high <= from || to <= low;
        !apart(self.from.0, self.to.0, other.from.0, other.to.0)
            && !apart(self.from.1, self.to.1, other.from.1, other.to.1)
    }

    fn contains(&self, other: &Self) -> bool {
        let inside = |low: Point, high: Point| low.0 <= high.0 && low.1 <= high.1;
        inside(self.from, other.from) && inside(other.to, self.to)
    }
}

/// The place of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The end of the text that is nearer to the point, or its middle; in the middle of its height.
    pub(super) at: Point,
    /// Which part of the text is there. Its width is an estimate.
    pub(super) anchor: Anchor,
    /// End of the line that leads to the point, if the name is not beside it.
    pub(super) leader: Option<Point>,
}

/// Returns the place of the name of each point within `bounds`, as near to the point as there is space;
/// `None` where there is none. Names that come first in `order` choose first, and those that are not in it have
/// no place.
pub(super) fn places(
    names: &[String],
    points: &[Point],
    order: impl Iterator<Item = usize>,
    bounds: Rect,
) -> Vec<Option<Place>> {
    let around =
        |&(x, y): &Point| Rect { from: (x - POINT, y - POINT), to: (x + POINT, y + POINT) };
    let mut taken: Vec<Rect> = points.iter().map(around).collect();
    let mut found = vec![None; names.len()];
    for at in order {
        let width = text_width(&names[at]);
        let is_free = |(rect, _): &(Rect, Place)| {
            bounds.contains(rect) && !taken.iter().any(|other| other.covers(rect))
        };
        if let Some((rect, place)) = candidates(points[at], width).find(is_free) {
            taken.push(rect);
            found[at] = Some(place);
        }
    }
    found
}

/// Returns the places of a name of some width around its point, the nearest first.
fn candidates((x, y): Point, width: i32) -> impl Iterator<Item = (Rect, Place)> {
    let at = move |distance: i32, (across, down): Point| {
        let end = (x + across * distance / EIGHTHS, y + down * distance / EIGHTHS);
        let (left, anchor) = match across.cmp(&0) {
            Ordering::Less => (end.0 - width, Anchor::Right),
            Ordering::Equal => (end.0 - width / 2, Anchor::Middle),
            Ordering::Greater => (end.0, Anchor::Left),
        };
        let rect = Rect { from: (left, end.1 - HALF_LINE), to: (left + width, end.1 + HALF_LINE) };
        // A line to a name above or below ends at the edge of its text.
        let edge = if across == 0 { end.1 - down.signum() * HALF_LINE } else { end.1 };
        let leader = (distance > BESIDE).then_some((end.0, edge));
        (rect, Place { at: end, anchor, leader })
    };
    DISTANCES
        .into_iter()
        .flat_map(move |distance| DIRECTIONS.map(|direction| at(distance, direction)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Rect = Rect { from: (0, 0), to: (860, 400) };

    #[test]
    fn names_cover_neither_points_nor_each_other() {
        let points = [(500, 200), (520, 195), (535, 204), (610, 196), (500, 200), (845, 390)];
        let names: Vec<String> = points.iter().map(|_| "planes:2*fat-tree:10x2".into()).collect();
        let found = places(&names, &points, 0..points.len(), BOUNDS);
        let width = text_width(&names[0]);
        let rects: Vec<Rect> = found
            .iter()
            .map(|place| place.expect("there is space"))
            .map(|Place { at: (x, y), anchor, .. }| match anchor {
                Anchor::Left => (x, y),
                Anchor::Middle => (x - width / 2, y),
                Anchor::Right => (x - width, y),
            })
            .map(|(x, y)| Rect { from: (x, y - HALF_LINE), to: (x + width, y + HALF_LINE) })
            .collect();
        for (at, rect) in rects.iter().enumerate() {
            assert!(BOUNDS.contains(rect), "{rect:?}");
            assert!(rects[at + 1..].iter().all(|other| !other.covers(rect)), "{rects:?}");
            let covers = |(x, y): &Point| {
                rect.covers(&Rect { from: (*x - 5, *y - 5), to: (*x + 5, *y + 5) })
            };
            assert!(!points.iter().any(covers), "{rect:?}");
        }
        assert!(found[0].is_some_and(|place| place.leader.is_none()), "beside its point");
        assert!(found.iter().flatten().any(|place| place.leader.is_some()), "{found:?}");
    }

    #[test]
    fn names_without_space_are_left_out() {
        let names = ["a".to_owned(), "b".to_owned()];
        let small = Rect { from: (0, 0), to: (20, 10) };
        assert_eq!(places(&names, &[(4, 4), (5, 5)], 0..2, small), [None, None]);
    }
}
