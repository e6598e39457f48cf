//! Measurements that are far from those of the sizes around them.

use super::measurement::Point;

/// Least distance of an outlier from what its neighbours say, as a factor of times.
const FACTOR: f64 = 1.3;
/// The same in units of the scatter of all measurements.
const SCATTERS: f64 = 6.0;
/// Most outliers: one of so many measurements.
const SHARE: usize = 4;
/// Fewest measurements of which some can be told from the others.
const POINTS: usize = 8;

/// Returns the measurements without outliers, and the outliers, both in order of size.
///
/// A measurement is one if it is on no line through two sizes beside it, smaller ones, larger ones or one of each: next to
/// jumps between protocols, it is on that of one side. The farthest is taken away first, since
/// it also misleads those beside it.
pub(super) fn without_outliers(points: &[Point]) -> (Vec<Point>, Vec<Point>) {
    let (mut kept, mut outliers) = (points.to_vec(), Vec::new());
    if points.len() < POINTS {
        return (kept, outliers);
    }
    while outliers.len() < points.len() / SHARE {
        let bound = FACTOR.ln().max(SCATTERS * scatter(&kept));
        let far = (0..kept.len()).map(|at| (distance(&kept, at), at));
        let farthest = far.reduce(|far, next| if next.0 > far.0 { next } else { far });
        let Some((_, at)) = farthest.filter(|(distance, _)| *distance > bound) else { break };
        outliers.push(kept.remove(at));
    }
    outliers.sort_by_key(|point| point.bytes);
    (kept, outliers)
}

/// Returns size and time of a measurement on scales on which times are lines where they are constant and where they are
/// proportional to the size.
fn place(point: &Point) -> (f64, f64) {
    ((point.bytes.max(1) as f64).ln(), point.time_ns.ln())
}

/// Returns the time on the line through two measurements.
fn on_line(one: &Point, other: &Point, at: &Point) -> f64 {
    let [(x, time), (other_x, other_time), (at_x, _)] = [one, other, at].map(place);
    if x == other_x { time } else { time + (other_time - time) * (at_x - x) / (other_x - x) }
}

/// Returns the median distance of measurements from the lines between their neighbours.
fn scatter(points: &[Point]) -> f64 {
    let inner = points.windows(3).map(|three| {
        let [before, at, after] = three else { return 0.0 };
        (place(at).1 - on_line(before, after, at)).abs()
    });
    let mut inner: Vec<f64> = inner.collect();
    inner.sort_unstable_by(f64::total_cmp);
    inner.get(inner.len() / 2).copied().unwrap_or(0.0)
}

/// Returns how far a measurement is from what those around it say, as the logarithm of a factor.
fn distance(points: &[Point], at: usize) -> f64 {
    let point = &points[at];
    let get = |offset: isize| points.get(at.checked_add_signed(offset)?);
    let line = |one: isize, other: isize| Some(on_line(get(one)?, get(other)?, point));
    let time = place(point).1;
    match (get(-1), get(1)) {
        (Some(_), Some(_)) => {
            let (below, above) = (line(-2, -1), line(1, 2));
            let between = line(-1, 1);
            // A time that grows with the size is above the lines on both sides, and below the one in between.
            let side = below.into_iter().chain(above).fold(f64::NEG_INFINITY, f64::max);
            if side <= time && between.is_some_and(|between| time <= between) {
                return 0.0;
            }
            let said = [below, above, between].into_iter().flatten();
            said.map(|said| (said - time).abs()).fold(f64::INFINITY, f64::min)
        }
        // A jump beside the first or the last one looks the same as an outlier: such are only those that no jump
        // explains.
        (None, Some(next)) => {
            time - line(1, 2).map_or(place(next).1, |line| line.max(place(next).1))
        }
        (Some(last), None) => {
            let (x, before) = place(last);
            let most = before + (place(point).0 - x).max(0.0);
            let high = line(-2, -1).map_or(most, |line| line.max(most));
            let low = line(-2, -1).map_or(before, |line| line.min(before));
            (low - time).max(time - high)
        }
        (None, None) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve() -> Vec<Point> {
        let time = |bytes: u64| {
            let jump = if bytes > 8192 { 2000.0 } else { 0.0 };
            1000.0 + 0.1 * bytes as f64 + jump
        };
        let point = |bytes| Point { bytes, time_ns: time(bytes), rounding_ns: 0.0 };
        (0..23).map(|power| point(1 << power)).collect()
    }

    #[test]
    fn single_measurements_far_off_are_found() {
        let points = curve();
        let (kept, outliers) = without_outliers(&points);
        assert_eq!((kept.len(), outliers), (23, Vec::new()));
        for (at, factor) in
            [(3, 2.0), (8, 0.4), (13, 3.0), (14, 2.0), (20, 2.0), (22, 4.0), (0, 3.0)]
        {
            let mut points = points.clone();
            points[at].time_ns *= factor;
            let (kept, outliers) = without_outliers(&points);
            assert_eq!(outliers, [points[at]], "{at}");
            assert_eq!(kept.len(), 22);
        }
    }

    #[test]
    fn neighbours_that_are_both_far_off_are_found() {
        let mut points = curve();
        points[8].time_ns *= 5.0;
        points[9].time_ns *= 3.0;
        assert_eq!(without_outliers(&points).1, [points[8], points[9]]);
    }

    #[test]
    fn sizes_far_from_each_other_are_no_outliers() {
        let sizes = [0, 8, 1024, 8192, 65_536, 262_144, 1_048_576, 1 << 24];
        let point =
            |bytes: u64| Point { bytes, time_ns: 1800.0 + 0.17 * bytes as f64, rounding_ns: 5.0 };
        assert!(without_outliers(&sizes.map(point)).1.is_empty());
    }
}
