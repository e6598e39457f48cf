//! How far measurements determine what is fitted to them: intervals of 95 %.

use sim_core::statistics::student_quantile;

use super::{
    criterion::{noise, unseen},
    least_squares::{deviations, dot},
    pieces::Pieced,
};

/// Unit of a fitted value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Nanoseconds.
    Time,
    /// Nanoseconds per byte.
    TimePerByte,
    /// Bytes.
    Size,
    /// Megabytes per second.
    Rate,
}

impl Unit {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "ns",
            Self::TimePerByte => "ns per byte",
            Self::Size => "bytes",
            Self::Rate => "MB/s",
        }
    }

    fn number(self, value: f64) -> String {
        match self {
            Self::Time | Self::Rate => format!("{value:.1}"),
            Self::TimePerByte => format!("{value:.4}"),
            Self::Size => format!("{value}"),
        }
    }
}

/// A fitted value with its interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// What it is.
    pub name: String,
    /// The value.
    pub value: f64,
    /// The interval in which it is with a probability of 95 %, if measurements scatter around the fit by chance; `None`
    /// if they are too few to say.
    pub interval: Option<(f64, f64)>,
    /// Unit of all of them.
    pub unit: Unit,
}

/// Half of an interval relative to its value, above which the value is not determined.
const WIDE: f64 = 0.5;

impl Estimate {
    /// Returns an estimate whose interval has the given half, and no negative part.
    pub(super) fn new(name: String, value: f64, half: Option<f64>, unit: Unit) -> Self {
        let interval = half.map(|half| ((value - half).max(0.0), value + half));
        Self { name, value, interval, unit }
    }

    /// Returns the interval as in `2.1 to 3.4 ns`.
    pub fn interval_text(&self) -> String {
        match self.interval {
            None => "not determined".into(),
            Some((low, high)) => {
                let [low, high] = [low, high].map(|value| self.unit.number(value));
                format!("{low} to {high} {}", self.unit.name())
            }
        }
    }

    /// Returns the value as in `2.7 ns`.
    pub fn value_text(&self) -> String {
        format!("{} {}", self.unit.number(self.value), self.unit.name())
    }

    pub(super) fn warning(&self) -> String {
        let (name, value, interval) = (&self.name, self.value_text(), self.interval_text());
        format!(
            "the measurements do not determine {name}: {value} is the best fit, the 95 % interval is {interval}"
        )
    }

    /// Reports whether the measurements determine the value.
    pub fn is_determined(&self) -> bool {
        self.interval.is_some_and(|(low, high)| high - low <= 2.0 * WIDE * self.value)
    }
}

/// Halves of the intervals of what describes a message; `None` where the measurements are too few.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Uncertainty {
    /// The scatter of measurements around the fit, relative to their times.
    pub(super) noise: Option<f64>,
    /// Factor of a standard deviation in the half of an interval.
    pub(super) factor: f64,
    pub(super) overheads: Option<f64>,
    pub(super) latency: Option<f64>,
    /// Of an empty message.
    pub(super) empty: Option<f64>,
    pub(super) per_byte: Option<f64>,
    pub(super) copy: Option<f64>,
    pub(super) big: Option<f64>,
    /// Of the fixed time and the time per byte of each protocol.
    pub(super) protocols: Vec<[Option<f64>; 2]>,
    /// Time per byte of the longest messages, whatever it consists of, and the half of its interval.
    pub(super) longest: (f64, Option<f64>),
    /// The sizes between which the eager limit is.
    pub(super) eager_limit: Option<(u64, u64)>,
}

impl Uncertainty {
    /// Returns that of a fit.
    pub(super) fn of(fit: &Pieced) -> Self {
        let Pieced { equations, coefficients, breaks, base, .. } = fit;
        let columns = base.columns();
        let last = coefficients.len() - 1;
        let longest_columns =
            [Some(1), base.big.map(|_| columns - 1), Some(last).filter(|last| *last >= columns)];
        let longest_columns: Vec<usize> = longest_columns.into_iter().flatten().collect();
        let longest = longest_columns.iter().map(|at| coefficients[*at]).sum();
        let Some((square, freedom)) = noise(equations, coefficients, *breaks) else {
            return Self { longest: (longest, None), ..Self::default() };
        };
        // The latency of an eager limit is asked for even if it is 0.
        let is_chosen =
            |at: &usize| *at < 2 || coefficients[*at] > 0.0 || base.eager.is_some() && *at == 2;
        let chosen: Vec<usize> = (0..coefficients.len()).filter(is_chosen).collect();
        let rows = deviations(equations, &chosen);
        let factor = student_quantile(freedom);
        let half = |of: &[usize]| {
            let rows = rows.as_ref()?;
            let mut sum = vec![0.0; chosen.len()];
            for at in of {
                if let Some(row) = chosen.iter().position(|chosen| chosen == at) {
                    sum.iter_mut().zip(&rows[row]).for_each(|(sum, part)| *sum += part);
                }
            }
            Some(factor * (square * dot(&sum, &sum)).sqrt())
        };
        let eager = |at: usize| base.eager.and_then(|_| half(&[at]));
        let of_protocol = |at: usize| [half(&[at]), half(&[at + 1])];
        Self {
            noise: Some(unseen(square.sqrt())),
            factor,
            overheads: half(&[0]),
            latency: eager(2),
            empty: if base.eager.is_some() { half(&[0, 2]) } else { half(&[0]) },
            per_byte: half(&[1]),
            copy: eager(3),
            big: base.big.and_then(|_| half(&[columns - 1])),
            protocols: (columns..coefficients.len()).step_by(2).map(of_protocol).collect(),
            longest: (longest, half(&longest_columns)),
            eager_limit: None,
        }
    }

    /// Returns half of the interval of one measurement.
    pub(super) fn of_one(&self, value: f64) -> Option<f64> {
        self.noise.map(|noise| self.factor * noise * value)
    }
}
