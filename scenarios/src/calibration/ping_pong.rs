//! The time of one message by its size: overheads, latency, time per byte, and its breaks.

use super::{
    coverage::MANY,
    criterion::{Judge, Judged, noise, unseen, weight},
    least_squares::{Equation, solve},
    measurement::Point,
    pieces::{self, Piece, Pieced},
    uncertainty::Uncertainty,
};

/// Difference of the criterion that counts as evidence (Kass and Raftery 1995).
const BETTER: f64 = 2.0;
/// Coefficients that each fit keeps: overheads, the time per byte, and the latency, if an eager limit shows it.
pub(super) const KEPT: usize = 3;
/// Difference of the criterion within which a position of the eager limit is in the interval of 95 % (the quantile of
/// the chi-squared distribution with one degree of freedom).
const AS_LIKELY: f64 = 3.84;
/// Most fits that are as good.
const FITS_MAX: usize = 4;
/// Fewest points on each side of a break.
const SIDE: usize = 2;

/// The time of a message of n bytes, nanoseconds: `overheads + latency + (per_byte + copy) n` up to
/// the eager limit, `overheads + 3 latency + per_byte n` above it (the data follow a request and an
/// answer), `big n` more from `big_from` on, and what protocols by size add.
#[derive(Clone, Debug, PartialEq)]
pub struct MessageTime {
    /// o of the sender and the receiver together; with the latency if that is not determined.
    pub overheads: f64,
    /// L with its hops; `None` without a break, which alone determines it.
    pub latency: Option<f64>,
    /// Per byte: G and the overheads per byte O of both sides.
    pub per_byte: f64,
    /// Per byte of an eager message in addition.
    pub copy: f64,
    /// Per byte of a very long message in addition.
    pub big: f64,
    /// Largest measured size below the break and smallest one above it.
    pub eager_break: Option<(u64, u64)>,
    /// Smallest measured size of a very long message.
    pub big_from: Option<u64>,
    /// What further protocols add, in ascending order of sizes; each holds up to the next one.
    pub protocols: Vec<Piece>,
    /// How far the curve determines all of this.
    pub uncertainty: Uncertainty,
}

/// Positions of the breaks: the first point above each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Breaks {
    pub(super) eager: Option<usize>,
    pub(super) big: Option<usize>,
}

impl Breaks {
    pub(super) fn count(self) -> usize {
        usize::from(self.eager.is_some()) + usize::from(self.big.is_some())
    }

    /// Returns the number of columns of the equations.
    pub(super) fn columns(self) -> usize {
        2 + if self.eager.is_some() { 2 } else { 0 } + usize::from(self.big.is_some())
    }
}

impl MessageTime {
    /// Fits the function to a curve of at least two points: for all positions of the breaks by
    /// least squares of relative residuals, of which the Bayesian information criterion chooses; with
    /// further protocols if it prefers that. `eager_limit` is the size of the largest eager message, if
    /// it is known.
    ///
    /// Returns those that are as good: a jump of a protocol and one of the eager limit look alike. Of these the
    /// ones with an eager limit are first, which nearly every MPI library has.
    ///
    /// If residuals say that measurements are noisy, the curve is fitted again with a criterion that knows how
    /// noisy, and protocols are found only where they are determined. An eager limit is found only where the jump there
    /// determines a latency.
    pub fn fits(points: &[Point], eager_limit: Option<u64>) -> Vec<Self> {
        let all = Self::candidates(points, eager_limit, None);
        let best = all.iter().min_by(|one, other| one.value.total_cmp(&other.value));
        // Where protocols leave no measurement to judge them by, those without them are judged.
        let plain = || Pieced::plain(points, None, &places_of_eager(points, eager_limit), |_| true);
        let noise = best.and_then(|best| best.noise().or_else(|| plain().noise()));
        let many = points.len() >= MANY;
        let noise = noise.filter(|noise| many && Judge::new(points, None, solve).is_noisy(*noise));
        let mut all =
            if noise.is_some() { Self::candidates(points, eager_limit, noise) } else { all };
        let accepts = |fit: &Pieced| {
            (eager_limit.is_some() || !many || fit.determines_latency())
                && (noise.is_none() || fit.determines_protocols())
        };
        all.retain(accepts);
        if all.is_empty() {
            // One of which too little is known to say so is as bad.
            let accepts = |fit: &Pieced| accepts(fit) && (eager_limit.is_some() || fit.is_clear());
            all.push(Pieced::plain(points, noise, &places_of_eager(points, eager_limit), accepts));
        }
        let whole = |fit: Pieced| {
            let eager_limit = fit.range_of_eager(points, noise, eager_limit);
            let uncertainty = Uncertainty { eager_limit, ..Uncertainty::of(&fit) };
            Self::of(points, fit.base, &fit.solution, fit.pieces, uncertainty)
        };
        all.into_iter().map(whole).collect()
    }

    /// Returns the fits that are as good under one criterion.
    fn candidates(points: &[Point], eager_limit: Option<u64>, noise: Option<f64>) -> Vec<Pieced> {
        let eager = places_of_eager(points, eager_limit);
        let plain = Pieced::plain(points, noise, &eager, |_| true);
        let base = |eager: &Option<usize>| Breaks { eager: *eager, big: None };
        let tried = eager.iter().step_by(eager.len().div_ceil(pieces::STARTS_MAX).max(1));
        let searched = tried.map(|eager| pieces::search(points, noise, base(eager)));
        let mut all: Vec<Pieced> = searched.collect();
        // Without an eager limit, protocols need evidence; beside one, they are another reading of it.
        let most = plain.value + if plain.base.eager.is_some() { BETTER } else { -BETTER };
        all.retain(|fit| fit.value < most && !fit.pieces.is_empty());
        all.insert(0, plain);
        all.sort_by(|one, other| one.value.total_cmp(&other.value));
        let least = all[0].value;
        all.retain(|fit| fit.value < least + BETTER);
        all.truncate(FITS_MAX);
        all.sort_by_key(|fit| (!fit.has_eager_limit(), !fit.pieces.is_empty()));
        all
    }

    fn of(
        points: &[Point],
        breaks: Breaks,
        solution: &[f64],
        protocols: Vec<Piece>,
        uncertainty: Uncertainty,
    ) -> Self {
        let [overheads, per_byte, latency, copy, big] = spread(solution, breaks);
        let made = Self {
            overheads,
            latency: breaks.eager.map(|_| latency),
            per_byte,
            copy,
            big,
            eager_break: breaks.eager.map(|at| (points[at - 1].bytes, points[at].bytes)),
            big_from: breaks.big.map(|at| points[at].bytes),
            protocols,
            uncertainty,
        };
        made.with_common_time()
    }

    /// Moves the time per byte that all protocols have in common to that of each message, which the port takes.
    ///
    /// Measurements with two decimals show no time per byte where messages are so short that the first protocol does not
    /// apply; there, too, nothing may change that could be seen.
    fn with_common_time(mut self) -> Self {
        let Some(first) = self.protocols.first().map(|piece| piece.from) else { return self };
        let times = self.protocols.iter().map(|piece| piece.per_byte);
        let common = times.fold(f64::INFINITY, f64::min);
        let unseen = unseen(self.overheads + self.latency.unwrap_or(0.0));
        if common <= 0.0 || common * first as f64 > unseen {
            return self;
        }
        self.per_byte += common;
        self.protocols.iter_mut().for_each(|piece| piece.per_byte -= common);
        self.protocols = pieces::without_first_empty(self.protocols);
        self
    }
}

impl Pieced {
    /// Returns the best fit without protocols of those that are accepted, as those without an eager limit have to be.
    fn plain(
        points: &[Point],
        noise: Option<f64>,
        eager: &[Option<usize>],
        is_accepted: impl Fn(&Self) -> bool,
    ) -> Self {
        let judge = Judge::new(points, noise, solve);
        let mut best: Option<Self> = None;
        for eager in eager.iter().copied() {
            for big in [None].into_iter().chain(places(points)) {
                if eager.is_some() && eager == big {
                    continue;
                }
                let base = Breaks { eager, big };
                let (equations, breaks) = (equations(points, base), base.count());
                let Judged { value, solution } = judge.thinned(equations.clone(), breaks, KEPT);
                if best.as_ref().is_some_and(|best| value >= best.value) {
                    continue;
                }
                let (pieces, coefficients) = (Vec::new(), solution.clone());
                let found = Self { value, base, solution, pieces, equations, coefficients, breaks };
                if is_accepted(&found) {
                    best = Some(found);
                }
            }
        }
        best.expect("there is a fit without breaks")
    }

    /// Returns the mean square of the errors of the measurements.
    fn noise(&self) -> Option<f64> {
        noise(&self.equations, &self.coefficients, self.breaks).map(|(square, _)| square)
    }

    /// Reports whether the jump at the eager limit determines a latency, if there is one: to be less than the
    /// interval is, where that can be seen.
    fn determines_latency(&self) -> bool {
        let Some(_) = self.base.eager else { return true };
        let [overheads, latency] = [self.coefficients[0], self.coefficients[2]];
        let half = Uncertainty::of(self).latency;
        half.is_none_or(|half| latency > half || half <= unseen(overheads + latency))
    }

    /// Reports whether there is no eager limit, or its latency is more than its interval.
    fn is_clear(&self) -> bool {
        let half = || Uncertainty::of(self).latency;
        self.base.eager.is_none() || half().is_some_and(|half| self.coefficients[2] > half)
    }

    /// Reports whether each protocol adds something, and each byte takes time in all of them, by more than the intervals.
    fn determines_protocols(&self) -> bool {
        let uncertainty = Uncertainty::of(self);
        let is_clear = |value: f64, half: Option<f64>| half.is_some_and(|half| value > half);
        let added = self.coefficients.get(self.base.columns()..).unwrap_or_default();
        let halves = uncertainty.protocols.iter().flatten();
        let clear =
            added.iter().zip(halves).all(|(value, half)| *value == 0.0 || is_clear(*value, *half));
        self.pieces.is_empty() || clear && is_clear(self.coefficients[1], uncertainty.per_byte)
    }

    /// Returns the sizes between which the eager limit is: those of all positions that explain the curve nearly as well.
    fn range_of_eager(
        &self,
        points: &[Point],
        noise: Option<f64>,
        given: Option<u64>,
    ) -> Option<(u64, u64)> {
        let own = self.base.eager?;
        let (mut first, mut last) = (own, own);
        if self.pieces.is_empty() && given.is_none() {
            let judge = Judge::new(points, noise, solve);
            for at in places(points).flatten() {
                let base = Breaks { eager: Some(at), ..self.base };
                let found = judge.judged(&equations(points, base), base.count());
                if found.value < self.value + AS_LIKELY {
                    (first, last) = (first.min(at), last.max(at));
                }
            }
        }
        Some((points[first - 1].bytes, points[last].bytes))
    }

    /// Reports whether the jump at an eager limit is a part of the fit.
    fn has_eager_limit(&self) -> bool {
        self.base.eager.is_some() && spread(&self.solution, self.base)[2] > 0.0
    }
}

/// Returns the positions at which a break has enough points on both sides.
fn places(points: &[Point]) -> impl Iterator<Item = Option<usize>> {
    (SIDE..=points.len().saturating_sub(SIDE)).map(Some)
}

/// Returns the positions that the break of the eager limit may have.
fn places_of_eager(points: &[Point], limit: Option<u64>) -> Vec<Option<usize>> {
    let Some(limit) = limit else { return [None].into_iter().chain(places(points)).collect() };
    let at = points.partition_point(|point| point.bytes <= limit);
    vec![Some(at).filter(|at| (1..points.len()).contains(at))]
}

/// Returns the coefficients in one order, with 0 for those that are not in the function.
fn spread(solution: &[f64], breaks: Breaks) -> [f64; 5] {
    let mut rest = solution[2..].iter().copied();
    let mut next = |there: bool| if there { rest.next().unwrap_or(0.0) } else { 0.0 };
    let (latency, copy) = (next(breaks.eager.is_some()), next(breaks.eager.is_some()));
    [solution[0], solution[1], latency, copy, next(breaks.big.is_some())]
}

pub(super) fn equations(points: &[Point], breaks: Breaks) -> Vec<Equation> {
    let equation = |(at, point): (usize, &Point)| {
        let bytes = point.bytes as f64;
        let mut factors = vec![1.0, bytes];
        if let Some(first) = breaks.eager {
            let eager = at < first;
            factors.extend(if eager { [1.0, bytes] } else { [3.0, 0.0] });
        }
        if let Some(first) = breaks.big {
            factors.push(if at >= first { bytes } else { 0.0 });
        }
        Equation { factors, value: point.time_ns, weight: weight(point) }
    };
    points.iter().enumerate().map(equation).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(time: impl Fn(f64, u64) -> f64) -> Vec<Point> {
        let sizes = (0..23).map(|power| 1u64 << power);
        let point = |bytes| Point { bytes, time_ns: time(bytes as f64, bytes), rounding_ns: 0.0 };
        sizes.map(point).collect()
    }

    fn best(points: &[Point]) -> MessageTime {
        MessageTime::fits(points, None).swap_remove(0)
    }

    fn near(found: f64, wanted: f64) -> bool {
        (found - wanted).abs() <= 1e-6 * wanted.abs().max(1e-3)
    }

    #[test]
    fn a_break_separates_latency_from_overheads() {
        let points = curve(|n, bytes| match bytes {
            ..=16_384 => 450.0 + 800.0 + 0.182 * n,
            _ => 450.0 + 2400.0 + 0.082 * n,
        });
        let fitted = best(&points);
        assert_eq!(fitted.eager_break, Some((16_384, 32_768)));
        assert_eq!((fitted.big_from, fitted.big), (None, 0.0));
        assert!(near(fitted.latency.expect("a break"), 800.0), "{fitted:?}");
        assert!(near(fitted.overheads, 450.0) && near(fitted.per_byte, 0.082), "{fitted:?}");
        assert!(near(fitted.copy, 0.1), "{fitted:?}");
    }

    #[test]
    fn very_long_messages_cost_more_without_a_jump_of_the_protocol() {
        let points = curve(|n, bytes| 1000.0 + 2.0 * n + if bytes >= 1 << 19 { n } else { 0.0 });
        let fitted = best(&points);
        assert_eq!((fitted.eager_break, fitted.big_from), (None, Some(1 << 19)));
        assert!(near(fitted.big, 1.0) && near(fitted.overheads, 1000.0), "{fitted:?}");
    }

    #[test]
    fn a_straight_line_has_no_breaks() {
        let fitted = best(&curve(|n, _| 5.0 + 0.5 * n));
        assert_eq!((fitted.eager_break, fitted.big_from, fitted.latency), (None, None, None));
        assert!(near(fitted.overheads, 5.0) && near(fitted.per_byte, 0.5));
        let two = best(&curve(|n, _| 5.0 + 0.5 * n)[..2]);
        assert!(near(two.per_byte, 0.5), "{two:?}");
    }

    #[test]
    fn noise_of_a_per_cent_makes_no_breaks() {
        // A fixed sequence of errors between -1 % and 1 %.
        let error = |bytes: u64| ((bytes.trailing_zeros() * 7 % 5) as f64 - 2.0) / 200.0;
        let points = curve(|n, bytes| (1000.0 + 0.3 * n) * (1.0 + error(bytes)));
        let fitted = best(&points);
        assert_eq!((fitted.eager_break, fitted.big_from), (None, None), "{fitted:?}");
    }

    #[test]
    fn a_jump_alone_is_that_of_the_eager_limit() {
        // Jumps of up to twice the time of an empty message: half of the jump is the latency.
        for jump in [200.0, 600.0, 1200.0, 1600.0, 2200.0] {
            let time = |n: f64| 1100.0 + 0.25 * n;
            let points = curve(|n, bytes| time(n) + if bytes > 8192 { jump } else { 0.0 });
            let fitted = best(&points);
            assert_eq!(fitted.eager_break, Some((8192, 16_384)), "{jump}: {fitted:?}");
            let latency = fitted.latency.expect("a break");
            assert!(near(latency, jump / 2.0) && fitted.protocols.is_empty(), "{fitted:?}");
            assert!(near(fitted.overheads + latency, 1100.0) && fitted.copy == 0.0, "{fitted:?}");
        }
        // No latency explains a longer one.
        let points = curve(|n, bytes| 1100.0 + 0.25 * n + if bytes > 8192 { 9e3 } else { 0.0 });
        let fitted = best(&points);
        assert!(!fitted.protocols.is_empty(), "{fitted:?}");
    }

    #[test]
    fn protocols_that_add_nothing_are_none() {
        // Rounded to two decimals, as osu_latency prints it; the jump of 3 us is longer than two latencies.
        let points: Vec<Point> = (0..21)
            .map(|power| {
                let bytes = 1u64 << power;
                let jump = if bytes > 16_384 { 3000.0 } else { 0.0 };
                let time = 1100.0 + 1.25 * bytes as f64 + jump;
                Point { bytes, time_ns: (time / 10.0).round() * 10.0, rounding_ns: 5.0 }
            })
            .collect();
        for fitted in MessageTime::fits(&points, None) {
            let adds = |piece: &Piece| piece.fixed > 0.0 || piece.per_byte > 0.0;
            assert!(fitted.protocols.first().is_none_or(adds), "{fitted:?}");
        }
    }
}
