//! [`Piece`]: further protocols of a message by its size, and the search for them.

use super::{
    criterion::{Judge, Judged},
    least_squares::{Equation, solve_many},
    measurement::Point,
    ping_pong::{Breaks, KEPT, equations},
};

/// Fewest points of a protocol.
const POINTS: usize = 3;
/// Most breaks between protocols beside that of the eager limit.
const BREAKS_MAX: usize = 4;
/// Most positions that are tried for the begin of a protocol.
pub(super) const STARTS_MAX: usize = 32;
/// Difference of two criteria that counts as none.
const SAME: f64 = 1e-6;

/// What a message takes in addition from a size on, up to that of the next piece. No processor and no
/// link is busy meanwhile.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Smallest measured size.
    pub from: u64,
    /// Largest measured size below; `None` if there is none.
    pub behind: Option<u64>,
    /// Fixed time, nanoseconds.
    pub fixed: f64,
    /// Time per byte, nanoseconds.
    pub per_byte: f64,
}

impl Piece {
    /// Returns a sentence about the piece, which is one of `all`.
    pub(super) fn note(&self, all: &[Self]) -> String {
        let next = all.iter().find(|other| other.from > self.from);
        let to = next.and_then(|other| other.behind);
        let to = to.map_or_else(String::new, |to| format!(" up to {to}"));
        format!(
            "Messages from {} bytes{to}: {:.1} ns and {:.4} ns per byte more, in which neither \
             processors nor links are busy.",
            self.from, self.fixed, self.per_byte
        )
    }
}

/// All breaks of a curve: those of the base, and the first points of further protocols.
#[derive(Clone, Debug, PartialEq)]
struct Layout {
    base: Breaks,
    starts: Vec<usize>,
}

/// A layout with its criterion.
struct Candidate {
    value: f64,
    layout: Layout,
}

/// A fit, with or without protocols.
pub(super) struct Pieced {
    /// The Bayesian information criterion.
    pub(super) value: f64,
    /// The breaks of the base.
    pub(super) base: Breaks,
    /// The coefficients of the base.
    pub(super) solution: Vec<f64>,
    /// The protocols.
    pub(super) pieces: Vec<Piece>,
    /// All equations, with the columns of the base first.
    pub(super) equations: Vec<Equation>,
    /// The coefficients of all columns.
    pub(super) coefficients: Vec<f64>,
    /// Number of breaks.
    pub(super) breaks: usize,
}

/// Searches protocols beside the breaks of a base, whose eager limit stays.
///
/// Beginning without, the best of the layouts that differ a little is taken while the criterion falls.
/// Very long messages need no break of their own here: a protocol can say the same.
pub(super) fn search(points: &[Point], noise: Option<f64>, base: Breaks) -> Pieced {
    let judge = Judge::new(points, noise, solve_many);
    let candidate = |layout: Layout| {
        let value = judge.judged(&layout.equations(points), layout.breaks()).value;
        Candidate { value, layout }
    };
    let mut best = candidate(Layout { base, starts: Vec::new() });
    loop {
        let mut next: Option<Candidate> = None;
        for layout in neighbours(points, &best.layout) {
            let found = candidate(layout);
            if next.as_ref().is_none_or(|next| found.value < next.value - SAME) {
                next = Some(found);
            }
        }
        match next.filter(|next| next.value < best.value - SAME) {
            Some(next) => best = next,
            None => break,
        }
    }
    let layout = best.layout;
    let kept = KEPT.min(layout.base.columns());
    let (equations, breaks) = (layout.equations(points), layout.breaks());
    let Judged { value, mut solution } = judge.thinned(equations.clone(), breaks, kept);
    let coefficients = solution.clone();
    let Layout { base, starts } = layout;
    let mut added = solution.split_off(base.columns());
    if starts.first() == Some(&0) {
        share(&mut solution, &mut added);
    }
    let pieces = pieces(points, &starts, &added);
    Pieced { value, base, solution, pieces, equations, coefficients, breaks }
}

/// Moves what all protocols add to the base. Protocols of all sizes and the base are not distinguished
/// by any measurement; what every message takes is that of links and processors.
fn share(base: &mut [f64], added: &mut [f64]) {
    for column in [0, 1] {
        let of_pieces = || (column..added.len()).step_by(2);
        let least = of_pieces().map(|at| added[at]).fold(f64::INFINITY, f64::min);
        of_pieces().for_each(|at| added[at] -= least);
        base[column] += least;
    }
}

/// Returns the layouts with one or two protocols more, one less, or one elsewhere.
fn neighbours(points: &[Point], from: &Layout) -> Vec<Layout> {
    let mut all = Vec::new();
    for removed in 0..from.starts.len() {
        let mut fewer = from.starts.clone();
        fewer.remove(removed);
        for start in starts(points) {
            all.extend(with(&fewer, start, points.len()));
        }
        all.push(fewer);
    }
    for start in starts(points) {
        let Some(more) = with(&from.starts, start, points.len()) else { continue };
        let later = starts(points).filter(|second| *second > start);
        all.extend(later.filter_map(|second| with(&more, second, points.len())));
        all.push(more);
    }
    all.into_iter().map(|starts| Layout { starts, ..from.clone() }).collect()
}

/// Returns the positions at which a protocol may begin. Messages without bytes have none: those that announce others are
/// among them.
fn starts(points: &[Point]) -> impl Iterator<Item = usize> {
    let all = (0..points.len()).step_by(points.len().div_ceil(STARTS_MAX).max(1));
    all.filter(|start| points[*start].bytes > 0)
}

/// Adds a protocol, if all have enough points then.
fn with(starts: &[usize], start: usize, count: usize) -> Option<Vec<usize>> {
    let mut more = starts.to_vec();
    more.push(start);
    more.sort_unstable();
    let ends = more.iter().skip(1).chain([&count]);
    let long = more.iter().zip(ends).all(|(start, end)| end.saturating_sub(*start) >= POINTS);
    (long && more.len() <= BREAKS_MAX).then_some(more)
}

impl Layout {
    /// Returns the equations: the columns of the base, and two of each protocol.
    fn equations(&self, points: &[Point]) -> Vec<Equation> {
        let mut all = equations(points, self.base);
        for (at, equation) in all.iter_mut().enumerate() {
            let inside = self.starts.partition_point(|start| *start <= at);
            for piece in 1..=self.starts.len() {
                let bytes = if piece == inside { points[at].bytes as f64 } else { 0.0 };
                equation.factors.extend([f64::from(u8::from(piece == inside)), bytes]);
            }
        }
        all
    }

    fn breaks(&self) -> usize {
        self.base.count() + self.starts.len()
    }
}

/// Returns the pieces, without those that add nothing before any that does.
fn pieces(points: &[Point], starts: &[usize], solution: &[f64]) -> Vec<Piece> {
    let piece = |(start, added): (&usize, &[f64])| Piece {
        from: points[*start].bytes,
        behind: start.checked_sub(1).map(|before| points[before].bytes),
        fixed: added[0],
        per_byte: added[1],
    };
    without_first_empty(starts.iter().zip(solution.chunks(2)).map(piece).collect())
}

/// Leaves out pieces that add nothing before any that does.
pub(super) fn without_first_empty(all: Vec<Piece>) -> Vec<Piece> {
    let empty = |piece: &Piece| piece.fixed == 0.0 && piece.per_byte == 0.0;
    all.into_iter().skip_while(empty).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::ping_pong::MessageTime;

    #[test]
    fn no_protocol_begins_at_messages_without_bytes() {
        let point = |bytes| Point { bytes, time_ns: 1200.0, rounding_ns: 5.0 };
        let points = [0, 1, 2, 4, 8, 16].map(point);
        assert_eq!(starts(&points).next(), Some(1));
    }

    /// Without a stream the time per byte of a port is the slope of the ping-pong. These few points were once
    /// taken for two protocols on a network without a rate.
    #[test]
    fn protocols_of_all_sizes_leave_the_port_its_rate() {
        let measured = [
            (0, 1.8, 50.0),
            (8, 1.83, 5.0),
            (1024, 2.35, 5.0),
            (8192, 5.2, 50.0),
            (65_536, 18.1, 50.0),
            (1_048_576, 184.1, 50.0),
        ];
        let points = measured.map(|(bytes, us, rounding_ns)| Point {
            bytes,
            time_ns: us * 1000.0,
            rounding_ns,
        });
        for fit in MessageTime::fits(&points, None) {
            assert!((0.16..0.18).contains(&fit.per_byte), "{fit:?}");
        }
    }
}
