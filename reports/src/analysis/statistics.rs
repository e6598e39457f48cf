//! The makespans of repeated runs: mean, median and confidence.

use sim_core::{
    SimTime,
    statistics::{median, student_quantile},
    words::counted,
};

/// Makespans of runs that differ in their seeds only.
#[derive(Clone, Debug, PartialEq)]
pub struct Repetitions {
    /// Seed and makespan of each run that completed, by seed.
    pub runs: Vec<(u64, SimTime)>,
    /// Seeds of the runs that did not complete.
    pub failed: Vec<u64>,
    /// Number of repetitions that were asked for.
    pub asked: u32,
    /// Whether nothing in the run is random, so that fewer runs stand for all.
    pub constant: bool,
}

/// Statistics of makespans, picoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistics {
    /// Arithmetic mean.
    pub mean: f64,
    /// Median; the mean of the middle two of an even number.
    pub median: f64,
    /// Bounds between which the mean lies with 95 % confidence (Student).
    pub confidence: (f64, f64),
    /// Standard deviation of one run.
    pub deviation: f64,
    /// The shortest.
    pub least: SimTime,
    /// The longest.
    pub most: SimTime,
}

impl Repetitions {
    /// Returns the statistics; `None` if no run completed.
    pub fn statistics(&self) -> Option<Statistics> {
        let mut sorted: Vec<SimTime> = self.runs.iter().map(|(_, makespan)| *makespan).collect();
        sorted.sort_unstable();
        let (least, most) = (*sorted.first()?, *sorted.last()?);
        let times: Vec<f64> = sorted.iter().map(|time| time.as_ps() as f64).collect();
        let count = times.len();
        // Relative to the least, so that equal times have exactly that mean.
        let base = times[0];
        let mean = base + times.iter().map(|time| time - base).sum::<f64>() / count as f64;
        let squares: f64 = times.iter().map(|time| (time - mean).powi(2)).sum();
        let deviation = if count > 1 { (squares / (count - 1) as f64).sqrt() } else { 0.0 };
        let half = student_quantile(count - 1) * deviation / (count as f64).sqrt();
        let median = median(&times)?;
        Some(Statistics {
            mean,
            median,
            confidence: (mean - half, mean + half),
            deviation,
            least,
            most,
        })
    }

    fn made(&self) -> usize {
        self.runs.len() + self.failed.len()
    }

    /// Reports whether repetitions are missing because the time for them was over.
    pub fn was_stopped(&self) -> bool {
        !self.constant && self.made() < self.asked as usize
    }

    /// Returns the result in one sentence.
    pub fn sentence(&self) -> String {
        let time = |ps: f64| SimTime::from_ps(ps.max(0.0).round() as u64);
        let Some(found) = self.statistics() else {
            return format!("none of {} completed", counted(self.asked.into(), "run"));
        };
        if self.constant {
            return format!(
                "nothing random has happened in this run: all {} repetitions take {}",
                self.asked, found.least
            );
        }
        let seeds = |first: u64, last: u64| format!("seeds {first} to {last}");
        let (first, last) = (self.runs[0].0, self.runs[self.runs.len() - 1].0);
        let (low, high) = found.confidence;
        let mut text = format!(
            "{}, {}: mean {}, median {}, mean with 95 % confidence {} to {}, least {}, most {}",
            counted(self.runs.len() as u64, "run"),
            seeds(first, last),
            time(found.mean),
            time(found.median),
            time(low),
            time(high),
            found.least,
            found.most
        );
        if self.was_stopped() {
            let asked = counted(self.asked.into(), "run");
            text.push_str(&format!("; stopped after {} of {asked}", self.made()));
        }
        if !self.failed.is_empty() {
            let failed: Vec<String> = self.failed.iter().map(u64::to_string).collect();
            text.push_str(&format!("; not completed with seeds {}", failed.join(", ")));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(times: &[u64]) -> Repetitions {
        let runs = (0..).zip(times).map(|(seed, time)| (seed, SimTime::from_ps(*time))).collect();
        Repetitions { runs, failed: Vec::new(), asked: times.len() as u32, constant: false }
    }

    #[test]
    fn the_interval_is_that_of_student() {
        // Mean 3, deviation sqrt(2.5); 2.776 sqrt(2.5) / sqrt(5) = 1.963.
        let found = of(&[1, 2, 3, 4, 5]).statistics().expect("runs");
        assert_eq!((found.mean, found.median), (3.0, 3.0));
        assert!((found.confidence.1 - 4.963).abs() < 1e-3, "{found:?}");
        assert_eq!(of(&[4, 1]).statistics().expect("runs").median, 2.5);
        let same = of(&[7; 40]).statistics().expect("runs");
        assert_eq!((same.confidence, same.deviation), ((7.0, 7.0), 0.0));
        assert!(
            (student_quantile(31) - 2.0395).abs() < 1e-3
                && (student_quantile(120) - 1.9799).abs() < 1e-3
        );
    }

    #[test]
    fn one_run_and_none_have_a_sentence() {
        assert!(of(&[5]).sentence().contains("mean 5 ps, median 5 ps"));
        assert_eq!(of(&[]).sentence(), "none of 0 runs completed");
        let stopped = Repetitions { asked: 100, ..of(&[1, 2]) };
        assert!(stopped.sentence().ends_with("most 2 ps; stopped after 2 of 100 runs"));
        let failed = Repetitions { failed: vec![3], ..of(&[1, 2]) };
        assert!(failed.sentence().ends_with("not completed with seeds 3"));
    }
}
