//! The criterion by which fits of one curve are compared, whatever breaks they have.

use super::{
    least_squares::{Equation, squares},
    measurement::Point,
};

/// Share of a time that the measurement of it is taken to be uncertain by.
const UNCERTAINTY: f64 = 0.01;
/// Mean square below which residuals count as none, in units of the uncertainty.
const EXACT: f64 = 1e-2;

/// Mean square of residuals above which measurements are noisy, in units of what counts as none.
const NOISY: f64 = 10.0;
/// Number of coefficients that a break between noisy measurements counts as.
const NOISY_BREAK: usize = 2;

/// Returns what the residual of a point is multiplied by.
pub(super) fn weight(point: &Point) -> f64 {
    1.0 / (UNCERTAINTY * point.time_ns).max(point.rounding_ns)
}

/// Returns the time of a part of a message that is too short to be seen beside `time`.
pub(super) fn unseen(time: f64) -> f64 {
    UNCERTAINTY * time
}

/// How fits of one curve are judged.
#[derive(Clone, Copy)]
pub(super) struct Judge {
    /// Mean square of residuals that counts as none: what is exact enough, and what rounding does.
    exact: f64,
    /// Mean square of the errors of measurements, if they are noisy.
    noise: Option<f64>,
    /// Solves for coefficients.
    solve: fn(&[Equation]) -> Vec<f64>,
}

/// Coefficients with the criterion of their fit.
pub(super) struct Judged {
    pub(super) value: f64,
    pub(super) solution: Vec<f64>,
}

impl Judge {
    pub(super) fn new(
        points: &[Point],
        noise: Option<f64>,
        solve: fn(&[Equation]) -> Vec<f64>,
    ) -> Self {
        // The error of a number that is rounded has a third of the square of the largest one.
        let rounding = |point: &Point| (point.rounding_ns * weight(point)).powi(2) / 3.0;
        let count = points.len().max(1) as f64;
        let exact = EXACT + points.iter().map(rounding).sum::<f64>() / count;
        Self { exact, noise, solve }
    }

    /// Returns the Bayesian information criterion. Coefficients that are not 0 and breaks count: an eager limit
    /// without a copy is as simple as a protocol that is nothing but a jump. Between noisy measurements a break can
    /// be anywhere, and describes a few of them well: it counts twice, and what residuals below the noise are.
    fn criterion(&self, equations: &[Equation], solution: &[f64], breaks: usize) -> f64 {
        let count = equations.len() as f64;
        let free = free(solution);
        let squares = squares(equations, solution);
        match self.noise {
            None => {
                let residual = squares / count + self.exact;
                count * residual.ln() + (free + breaks) as f64 * count.ln()
            }
            Some(noise) => squares / noise + (free + NOISY_BREAK * breaks) as f64 * count.ln(),
        }
    }

    /// Returns whether errors of this mean square are more than what counts as none.
    pub(super) fn is_noisy(&self, noise: f64) -> bool {
        noise > NOISY * self.exact
    }

    /// Solves for the coefficients, and judges them.
    pub(super) fn judged(&self, equations: &[Equation], breaks: usize) -> Judged {
        let solution = (self.solve)(equations);
        Judged { value: self.criterion(equations, &solution, breaks), solution }
    }

    /// Returns the same without those coefficients from column `from` on that the criterion is better without:
    /// what rounding makes of a copy that costs nothing would count as much as one that does.
    pub(super) fn thinned(
        &self,
        mut equations: Vec<Equation>,
        breaks: usize,
        from: usize,
    ) -> Judged {
        let mut best = self.judged(&equations, breaks);
        loop {
            let mut next: Option<(Judged, Vec<Equation>)> = None;
            let present = (from..best.solution.len()).filter(|at| best.solution[*at] > 0.0);
            for column in present {
                let fewer = without(&equations, column);
                let found = self.judged(&fewer, breaks);
                let least = next.as_ref().map_or(best.value, |(next, _)| next.value);
                if found.value < least {
                    next = Some((found, fewer));
                }
            }
            let Some((found, fewer)) = next else { return best };
            (best, equations) = (found, fewer);
        }
    }
}

/// Returns the number of coefficients that are not 0.
fn free(solution: &[f64]) -> usize {
    solution.iter().filter(|x| **x > 0.0).count()
}

/// Returns the mean square of the errors of measurements and the degrees of freedom from which it is known: the
/// residuals of a fit, of which it has taken some for itself. `None` without degrees of freedom.
pub(super) fn noise(
    equations: &[Equation],
    solution: &[f64],
    breaks: usize,
) -> Option<(f64, usize)> {
    let freedom = equations.len().checked_sub(free(solution) + NOISY_BREAK * breaks)?;
    (freedom > 0).then(|| (squares(equations, solution) / freedom as f64, freedom))
}

/// Returns the equations with a coefficient that is 0.
fn without(equations: &[Equation], column: usize) -> Vec<Equation> {
    let mut fewer = equations.to_vec();
    fewer.iter_mut().for_each(|equation| equation.factors[column] = 0.0);
    fewer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::least_squares::{solve, solve_many};

    #[test]
    fn a_coefficient_that_explains_rounding_only_is_left_out() {
        // 1000 + n, of which the last is a little off: a second slope would describe that.
        let row = |at: u32| Equation {
            factors: vec![1.0, f64::from(at), if at > 5 { f64::from(at) } else { 0.0 }],
            value: 1000.0 + f64::from(at) + if at > 8 { 0.2 } else { 0.0 },
            weight: 0.1,
        };
        let rows: Vec<Equation> = (0..10).map(row).collect();
        for solve in [solve, solve_many] {
            let judge = Judge::new(&[], None, solve);
            assert!(judge.judged(&rows, 0).solution[2] > 0.0);
            assert_eq!(judge.thinned(rows.clone(), 0, 2).solution[2], 0.0);
        }
    }
}
