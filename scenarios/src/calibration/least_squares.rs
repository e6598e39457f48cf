//! Linear least squares with coefficients that may not be negative, for a handful of them.

/// One measurement: the factors of the coefficients, the value, and its weight.
#[derive(Clone, Debug)]
pub(super) struct Equation {
    pub(super) factors: Vec<f64>,
    pub(super) value: f64,
    /// The residual is multiplied by it.
    pub(super) weight: f64,
}

impl Equation {
    fn residual(&self, solution: &[f64]) -> f64 {
        let fitted: f64 = self.factors.iter().zip(solution).map(|(factor, x)| factor * x).sum();
        (fitted - self.value) * self.weight
    }
}

/// Returns the sum of the squares of weighted residuals.
pub(super) fn squares(equations: &[Equation], solution: &[f64]) -> f64 {
    equations.iter().map(|equation| equation.residual(solution).powi(2)).sum()
}

/// Returns the coefficients, none negative, with the least sum of squares.
///
/// Every subset of coefficients is tried with the others 0 (at most 2^5 of them here): the optimum
/// is among these (Karush, Kuhn, Tucker). Subsets that the measurements do not determine are left
/// out; of equal sums the subset with the fewest coefficients counts.
pub(super) fn solve(equations: &[Equation]) -> Vec<f64> {
    let count = equations.first().map_or(0, |equation| equation.factors.len());
    let mut best = vec![0.0; count];
    let mut least = squares(equations, &best);
    let mut subsets: Vec<u32> = (1..1 << count).collect();
    subsets.sort_by_key(|subset| subset.count_ones());
    for subset in subsets {
        let chosen: Vec<usize> = (0..count).filter(|at| subset >> at & 1 == 1).collect();
        let Some(part) = unbounded(equations, &chosen) else { continue };
        if part.iter().any(|x| *x < 0.0) {
            continue;
        }
        let mut whole = vec![0.0; count];
        for (at, x) in chosen.iter().zip(part) {
            whole[*at] = x;
        }
        let sum = squares(equations, &whole);
        // Not for less than rounding errors of the sum.
        if sum < least * (1.0 - 1e-9) {
            (best, least) = (whole, sum);
        }
    }
    best
}

/// Solves for some coefficients by modified Gram-Schmidt; `None` if they are not determined.
fn unbounded(equations: &[Equation], chosen: &[usize]) -> Option<Vec<f64>> {
    let count = chosen.len();
    if equations.len() < count {
        return None;
    }
    let column = |at: &usize| -> Vec<f64> {
        equations.iter().map(|equation| equation.factors[*at] * equation.weight).collect()
    };
    let mut columns: Vec<Vec<f64>> = chosen.iter().map(column).collect();
    let mut value: Vec<f64> =
        equations.iter().map(|equation| equation.value * equation.weight).collect();
    let mut triangle = vec![vec![0.0; count]; count];
    let mut projected = vec![0.0; count];
    for at in 0..count {
        let before = norm(&columns[at]);
        let (head, tail) = columns.split_at_mut(at);
        for (earlier, done) in head.iter().enumerate() {
            let part = dot(done, &tail[0]);
            triangle[earlier][at] = part;
            subtract(&mut tail[0], done, part);
        }
        let length = norm(&tail[0]);
        if length <= 1e-9 * before || length == 0.0 {
            return None;
        }
        tail[0].iter_mut().for_each(|x| *x /= length);
        triangle[at][at] = length;
        projected[at] = dot(&tail[0], &value);
        subtract(&mut value, &tail[0], projected[at]);
    }
    let mut solution = vec![0.0; count];
    for at in (0..count).rev() {
        let known: f64 = (at + 1..count).map(|later| triangle[at][later] * solution[later]).sum();
        solution[at] = (projected[at] - known) / triangle[at][at];
    }
    Some(solution)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

fn subtract(from: &mut [f64], what: &[f64], times: f64) {
    from.iter_mut().zip(what).for_each(|(x, y)| *x -= times * y);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn equations(rows: &[(&[f64], f64)]) -> Vec<Equation> {
        let row = |(factors, value): &(&[f64], f64)| Equation {
            factors: factors.to_vec(),
            value: *value,
            weight: 1.0,
        };
        rows.iter().map(row).collect()
    }

    #[test]
    fn a_line_through_three_points_is_that_of_the_textbook() {
        // y = 2/3 + x/2 is nearest to (0, 1), (1, 1), (2, 2) minus 1/6 each.
        let found =
            solve(&equations(&[(&[1.0, 0.0], 1.0), (&[1.0, 1.0], 1.0), (&[1.0, 2.0], 2.0)]));
        assert!(
            (found[0] - 5.0 / 6.0).abs() < 1e-12 && (found[1] - 0.5).abs() < 1e-12,
            "{found:?}"
        );
    }

    #[test]
    fn no_coefficient_is_negative() {
        // The unbounded line falls.
        let found = solve(&equations(&[(&[1.0, 0.0], 2.0), (&[1.0, 1.0], 1.0)]));
        assert!((found[0] - 1.5).abs() < 1e-12 && found[1] == 0.0, "{found:?}");
    }

    #[test]
    fn what_is_not_determined_is_zero() {
        // Both columns are the same: only their sum is determined.
        let found = solve(&equations(&[(&[1.0, 1.0], 3.0), (&[1.0, 1.0], 3.0)]));
        assert!((found[0] - 3.0).abs() < 1e-12 && found[1] == 0.0, "{found:?}");
    }

    #[test]
    fn weights_decide_between_measurements() {
        let mut rows = equations(&[(&[1.0], 1.0), (&[1.0], 2.0)]);
        rows[1].weight = 3.0;
        assert!((solve(&rows)[0] - 1.9).abs() < 1e-12);
    }
}
