//! The time of one message by its size: overheads, latency, time per byte, and its breaks.

use super::{
    least_squares::{Equation, solve, squares},
    measurement::Point,
};

/// Share of a time that the measurement of it is taken to be uncertain by.
const UNCERTAINTY: f64 = 0.01;
/// Mean square below which residuals count as none, in units of the uncertainty.
const EXACT: f64 = 1e-2;
/// Fewest points on each side of a break.
const SIDE: usize = 2;

/// The time of a message of n bytes, nanoseconds: `overheads + latency + (per_byte + copy) n` up to
/// the eager limit, `overheads + 3 latency + per_byte n` above it (the data follow a request and an
/// answer), and `big n` more from `big_from` on.
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
}

/// Positions of the breaks: the first point above each.
#[derive(Clone, Copy, Default)]
struct Breaks {
    eager: Option<usize>,
    big: Option<usize>,
}

impl MessageTime {
    /// Fits the function to a curve of at least two points: for all positions of the breaks by
    /// least squares of relative residuals, of which the Bayesian information criterion chooses.
    pub fn fit(points: &[Point]) -> Self {
        let places = || (SIDE..=points.len().saturating_sub(SIDE)).map(Some);
        let mut best: Option<(f64, Breaks, Vec<f64>)> = None;
        for eager in [None].into_iter().chain(places()) {
            for big in [None].into_iter().chain(places()) {
                if eager.is_some() && eager == big {
                    continue;
                }
                let breaks = Breaks { eager, big };
                let equations = equations(points, breaks);
                let solution = solve(&equations);
                let value = criterion(&equations, &solution, breaks);
                if best.as_ref().is_none_or(|(least, ..)| value < *least) {
                    best = Some((value, breaks, solution));
                }
            }
        }
        let (_, breaks, solution) = best.expect("there is a fit without breaks");
        let [overheads, per_byte, latency, copy, big] = spread(&solution, breaks);
        Self {
            overheads,
            latency: breaks.eager.map(|_| latency),
            per_byte,
            copy,
            big,
            eager_break: breaks.eager.map(|at| (points[at - 1].bytes, points[at].bytes)),
            big_from: breaks.big.map(|at| points[at].bytes),
        }
    }
}

/// Returns the coefficients in one order, with 0 for those that are not in the function.
fn spread(solution: &[f64], breaks: Breaks) -> [f64; 5] {
    let mut rest = solution[2..].iter().copied();
    let mut next = |there: bool| if there { rest.next().unwrap_or(0.0) } else { 0.0 };
    let (latency, copy) = (next(breaks.eager.is_some()), next(breaks.eager.is_some()));
    [solution[0], solution[1], latency, copy, next(breaks.big.is_some())]
}

fn equations(points: &[Point], breaks: Breaks) -> Vec<Equation> {
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
        let uncertain = (UNCERTAINTY * point.time_ns).max(point.rounding_ns);
        Equation { factors, value: point.time_ns, weight: 1.0 / uncertain }
    };
    points.iter().enumerate().map(equation).collect()
}

/// Returns the Bayesian information criterion. A break counts as a coefficient.
fn criterion(equations: &[Equation], solution: &[f64], breaks: Breaks) -> f64 {
    let count = equations.len() as f64;
    let broken = u32::from(breaks.eager.is_some()) + u32::from(breaks.big.is_some());
    let free = solution.len() as f64 + f64::from(broken);
    count * (squares(equations, solution) / count + EXACT).ln() + free * count.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(time: impl Fn(f64, u64) -> f64) -> Vec<Point> {
        let sizes = (0..23).map(|power| 1u64 << power);
        let point = |bytes| Point { bytes, time_ns: time(bytes as f64, bytes), rounding_ns: 0.0 };
        sizes.map(point).collect()
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
        let fitted = MessageTime::fit(&points);
        assert_eq!(fitted.eager_break, Some((16_384, 32_768)));
        assert_eq!((fitted.big_from, fitted.big), (None, 0.0));
        assert!(near(fitted.latency.expect("a break"), 800.0), "{fitted:?}");
        assert!(near(fitted.overheads, 450.0) && near(fitted.per_byte, 0.082), "{fitted:?}");
        assert!(near(fitted.copy, 0.1), "{fitted:?}");
    }

    #[test]
    fn very_long_messages_cost_more_without_a_jump_of_the_protocol() {
        let points = curve(|n, bytes| 1000.0 + 2.0 * n + if bytes >= 1 << 19 { n } else { 0.0 });
        let fitted = MessageTime::fit(&points);
        assert_eq!((fitted.eager_break, fitted.big_from), (None, Some(1 << 19)));
        assert!(near(fitted.big, 1.0) && near(fitted.overheads, 1000.0), "{fitted:?}");
    }

    #[test]
    fn a_straight_line_has_no_breaks() {
        let fitted = MessageTime::fit(&curve(|n, _| 5.0 + 0.5 * n));
        assert_eq!((fitted.eager_break, fitted.big_from, fitted.latency), (None, None, None));
        assert!(near(fitted.overheads, 5.0) && near(fitted.per_byte, 0.5));
        let two = MessageTime::fit(&curve(|n, _| 5.0 + 0.5 * n)[..2]);
        assert!(near(two.per_byte, 0.5), "{two:?}");
    }

    #[test]
    fn noise_of_a_per_cent_makes_no_breaks() {
        // A fixed sequence of errors between -1 % and 1 %.
        let error = |bytes: u64| ((bytes.trailing_zeros() * 7 % 5) as f64 - 2.0) / 200.0;
        let points = curve(|n, bytes| (1000.0 + 0.3 * n) * (1.0 + error(bytes)));
        let fitted = MessageTime::fit(&points);
        assert_eq!((fitted.eager_break, fitted.big_from), (None, None), "{fitted:?}");
    }
}
