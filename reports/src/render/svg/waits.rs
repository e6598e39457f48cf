//! The wait-for graph of a stall: who waits for whom.

use std::{collections::BTreeMap, f64::consts::TAU};

use super::{
    canvas::{Anchor, Ink, LABEL, NOTE, draw},
    palette::{ACCENT, FAINT, INK, PAPER, WAITING},
};
use crate::format::counted;

const SIDE: i32 = 420;
const CENTRE: (f64, f64) = (210.0, 238.0);
const RADIUS: f64 = 150.0;
/// Radius of a rank's circle.
const NODE: f64 = 15.0;
/// Most ranks that are drawn; those of a cycle come first.
const RANKS_MAX: usize = 24;

/// A blocked rank and those that it waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The rank.
    pub rank: u32,
    /// The ranks that it waits for.
    pub partners: Vec<u32>,
    /// Whether it needs all of them, or any one.
    pub all: bool,
}

/// Draws who waits for whom. The ranks of `cycle`, in order, are highlighted.
pub fn waits(all: &[Wait], cycle: &[u32]) -> String {
    let mut ranks: Vec<u32> = cycle.to_vec();
    let blocked = all.iter().map(|wait| wait.rank);
    let partners = all.iter().flat_map(|wait| wait.partners.iter().copied());
    for rank in blocked.chain(partners) {
        if ranks.len() < RANKS_MAX && !ranks.contains(&rank) {
            ranks.push(rank);
        }
    }
    if cycle.is_empty() {
        ranks.sort_unstable();
    }
    let places: BTreeMap<u32, (f64, f64)> = (ranks.iter().enumerate())
        .map(|(at, rank)| {
            let turn = TAU * at as f64 / ranks.len() as f64 - TAU / 4.0;
            (*rank, (CENTRE.0 + RADIUS * turn.cos(), CENTRE.1 + RADIUS * turn.sin()))
        })
        .collect();
    let follows = |from: u32, to: u32| {
        let at = cycle.iter().position(|rank| *rank == from);
        at.is_some_and(|at| cycle[(at + 1) % cycle.len()] == to)
    };
    draw(SIDE as u32, SIDE as u32, |canvas| {
        canvas.title("Who waits for whom");
        let note = "dashed: any one of several is enough; grey: a rank that has ended";
        canvas.text((16, 46), note, Anchor::Left, NOTE);
        for wait in all {
            for partner in &wait.partners {
                let ends = (places.get(&wait.rank), places.get(partner));
                let (Some(from), Some(to)) = ends else { continue };
                let color = if follows(wait.rank, *partner) { ACCENT } else { FAINT };
                for line in arrow(*from, *to, wait.all) {
                    canvas.path(line, 2, color);
                }
            }
        }
        for (rank, (x, y)) in &places {
            let is_blocked = all.iter().any(|wait| wait.rank == *rank);
            let fill = match (cycle.contains(rank), is_blocked) {
                (true, _) => ACCENT,
                (false, true) => INK,
                (false, false) => WAITING,
            };
            let centre = (*x as i32, *y as i32);
            canvas.disc(centre, NODE as i32, fill);
            let color = if is_blocked { PAPER } else { INK };
            canvas.text(centre, &rank.to_string(), Anchor::Middle, Ink { color, ..LABEL });
        }
        let hidden = all.iter().filter(|wait| !places.contains_key(&wait.rank)).count();
        if hidden > 0 {
            let text = format!("{} not drawn", counted(hidden as u64, "more blocked rank"));
            canvas.text((16, SIDE - 20), &text, Anchor::Left, NOTE);
        }
    })
}

/// Returns the lines of an arrow between two circles, dashed unless `whole`.
fn arrow(from: (f64, f64), to: (f64, f64), whole: bool) -> Vec<Vec<(i32, i32)>> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let long = dx.hypot(dy);
    if long < 1.0 {
        return Vec::new();
    }
    let (ux, uy) = (dx / long, dy / long);
    // Arrows of both directions lie beside each other.
    let (sx, sy) = (-uy * 3.0, ux * 3.0);
    let at = |along: f64, beside: f64| {
        let x = from.0 + ux * along + sx - uy * beside;
        let y = from.1 + uy * along + sy + ux * beside;
        (x.round() as i32, y.round() as i32)
    };
    let (first, last) = (NODE, long - NODE - 2.0);
    let mut lines = vec![vec![at(last - 9.0, 5.0), at(last, 0.0), at(last - 9.0, -5.0)]];
    if whole {
        lines.push(vec![at(first, 0.0), at(last, 0.0)]);
        return lines;
    }
    let mut along = first;
    while along < last {
        lines.push(vec![at(along, 0.0), at((along + 6.0).min(last), 0.0)]);
        along += 11.0;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_ranks_are_counted_and_a_cycle_is_drawn() {
        let wait = |rank: u32| Wait { rank, partners: vec![(rank + 1) % 40], all: true };
        let picture = waits(&(0..40).map(wait).collect::<Vec<_>>(), &[38, 39, 0]);
        assert!(picture.contains("16 more blocked ranks not drawn"), "{picture}");
        let drawn = |picture: &str, rank: &str| picture.lines().any(|line| line == rank);
        assert!(drawn(&picture, "38") && drawn(&picture, "39"), "the cycle is drawn: {picture}");
        let few = waits(&[Wait { rank: 3, partners: vec![1, 2], all: false }], &[]);
        assert!(drawn(&few, "1") && drawn(&few, "3") && !few.contains("more blocked"), "{few}");
    }
}
