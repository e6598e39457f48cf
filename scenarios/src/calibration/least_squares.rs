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

/// Returns the same as [`solve`] for more coefficients than whose subsets can be tried, by active sets
/// (Lawson and Hanson, "Solving Least Squares Problems", 1974, chapter 23).
///
/// The coefficient whose growth lowers the sum most is freed next; those that would become negative
/// are bound again. A coefficient that the free ones already determine stays 0.
pub(super) fn solve_many(equations: &[Equation]) -> Vec<f64> {
    let count = equations.first().map_or(0, |equation| equation.factors.len());
    let mut solution = vec![0.0; count];
    let mut free: Vec<usize> = Vec::new();
    let mut dependent = vec![false; count];
    let total = squares(equations, &solution).sqrt();
    // Each step lowers the sum; rounding errors end what would go on for ever.
    for _ in 0..4 * count {
        let bound = (0..count).filter(|at| !free.contains(at) && !dependent[*at]);
        let gains = bound.map(|at| (gain(equations, &solution, at), at));
        let best = gains.reduce(|best, next| if next.0 > best.0 { next } else { best });
        let Some((_, next)) = best.filter(|(gain, _)| *gain > 1e-9 * total) else { break };
        free.push(next);
        free.sort_unstable();
        if unbounded(equations, &free).is_none() {
            free.retain(|at| *at != next);
            dependent[next] = true;
            continue;
        }
        while let Some(part) = unbounded(equations, &free) {
            if step(&mut solution, &mut free, &part) {
                break;
            }
            dependent.fill(false);
        }
    }
    solution
}

/// Returns how much the residual is like the column of a coefficient.
fn gain(equations: &[Equation], solution: &[f64], at: usize) -> f64 {
    let column = |equation: &Equation| equation.factors[at] * equation.weight;
    let length = equations.iter().map(|it| column(it).powi(2)).sum::<f64>().sqrt();
    let product: f64 = equations.iter().map(|it| -column(it) * it.residual(solution)).sum();
    if length > 0.0 { product / length } else { 0.0 }
}

/// Moves the free coefficients to `part`, if none of it is negative; otherwise towards it up to where
/// the first becomes 0, and binds that. Returns whether all have moved.
fn step(solution: &mut [f64], free: &mut Vec<usize>, part: &[f64]) -> bool {
    let pairs = || free.iter().zip(part);
    let share = |(at, x): (&usize, &f64)| (solution[*at] / (solution[*at] - x), *at);
    let negative = pairs().filter(|(_, x)| **x <= 0.0).map(share);
    let first = negative.reduce(|first, next| if next.0 < first.0 { next } else { first });
    let reach = first.map_or(1.0, |(share, _)| share.max(0.0));
    for (at, x) in free.iter().zip(part) {
        solution[*at] += reach * (x - solution[*at]);
    }
    if let Some((_, at)) = first {
        solution[at] = 0.0;
        free.retain(|other| *other != at);
    }
    first.is_none()
}

/// Solves for some coefficients; `None` if they are not determined.
fn unbounded(equations: &[Equation], chosen: &[usize]) -> Option<Vec<f64>> {
    let Decomposed { triangle, projected } = decomposed(equations, chosen)?;
    let mut solution = vec![0.0; chosen.len()];
    for at in (0..chosen.len()).rev() {
        let later = at + 1..chosen.len();
        let known: f64 = later.map(|later| triangle[at][later] * solution[later]).sum();
        solution[at] = (projected[at] - known) / triangle[at][at];
    }
    Some(solution)
}

/// Returns a matrix whose product with its transpose is the covariance of some coefficients, if the weighted
/// values have errors of variance 1: a row for each of them. `None` if they are not determined.
pub(super) fn deviations(equations: &[Equation], chosen: &[usize]) -> Option<Vec<Vec<f64>>> {
    let Decomposed { triangle, .. } = decomposed(equations, chosen)?;
    let count = chosen.len();
    // The inverse of the triangle, row by row from the last: each follows from those below it.
    let mut inverse: Vec<Vec<f64>> = vec![Vec::new(); count];
    for at in (0..count).rev() {
        let entry = |column: usize| {
            let known: f64 =
                (at + 1..count).map(|later| triangle[at][later] * inverse[later][column]).sum();
            (if at == column { 1.0 } else { 0.0 } - known) / triangle[at][at]
        };
        inverse[at] = (0..count).map(entry).collect();
    }
    Some(inverse)
}

/// Weighted equations as an orthogonal matrix times a triangle.
struct Decomposed {
    triangle: Vec<Vec<f64>>,
    /// The values times the orthogonal matrix.
    projected: Vec<f64>,
}

/// Decomposes the columns of some coefficients by modified Gram-Schmidt; `None` if they are not determined.
fn decomposed(equations: &[Equation], chosen: &[usize]) -> Option<Decomposed> {
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
    Some(Decomposed { triangle, projected })
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
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
    fn the_covariance_of_a_line_is_that_of_the_textbook() {
        // At -1, 0, 1 and 2: the variance of the slope is 1 over the sum of squares around the middle, 5.
        let rows = [-1.0, 0.0, 1.0, 2.0].map(|x| Equation {
            factors: vec![1.0, x],
            value: 0.0,
            weight: 1.0,
        });
        let found = deviations(&rows, &[0, 1]).expect("it is determined");
        let covariance = |a: usize, b: usize| dot(&found[a], &found[b]);
        let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-12, "{found}");
        near(covariance(1, 1), 1.0 / 5.0);
        near(covariance(0, 0), 1.0 / 4.0 + 0.25 / 5.0);
        near(covariance(0, 1), -0.5 / 5.0);
        assert!(deviations(&rows[..1], &[0, 1]).is_none());
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
    fn many_coefficients_have_the_optimum_of_all_subsets() {
        let mut state = 1u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 24)
        };
        for case in 0..200 {
            let row = |_| Equation {
                factors: (0..5).map(|_| random() - 0.3).collect(),
                value: random() - 0.2,
                weight: 1.0,
            };
            let rows: Vec<Equation> = (0..8).map(row).collect();
            let least = squares(&rows, &solve(&rows));
            let found = solve_many(&rows);
            assert!(found.iter().all(|x| *x >= 0.0), "{case}: {found:?}");
            assert!(squares(&rows, &found) <= least * (1.0 + 1e-9) + 1e-12, "{case}: {found:?}");
        }
        // Dependent columns.
        let same = solve_many(&equations(&[(&[1.0, 1.0], 3.0), (&[1.0, 1.0], 3.0)]));
        assert!((same[0] + same[1] - 3.0).abs() < 1e-12, "{same:?}");
    }

    #[test]
    fn weights_decide_between_measurements() {
        let mut rows = equations(&[(&[1.0], 1.0), (&[1.0], 2.0)]);
        rows[1].weight = 3.0;
        assert!((solve(&rows)[0] - 1.9).abs() < 1e-12);
    }
}
