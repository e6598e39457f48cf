//! Statistics of a few numbers: medians, and quantiles of intervals.

/// Two-sided 95 % quantiles of Student's distribution with 1 to 30 degrees of freedom.
const QUANTILES: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042,
];

/// Returns the two-sided 95 % quantile of Student's distribution; 0 without degrees of freedom.
pub fn student_quantile(freedom: usize) -> f64 {
    match freedom {
        0 => 0.0,
        1..=30 => QUANTILES[freedom - 1],
        // The first terms of the expansion around the normal distribution (Fisher and Cornish 1960).
        _ => 1.959_964 + 2.372_27 / freedom as f64 + 2.822_5 / (freedom as f64).powi(2),
    }
}

/// Returns the median of numbers in ascending order: the mean of the middle two of an even number; `None` if there are no
/// numbers.
pub fn median(sorted: &[f64]) -> Option<f64> {
    let upper = *sorted.get(sorted.len() / 2)?;
    Some(f64::midpoint(sorted[(sorted.len() - 1) / 2], upper))
}
