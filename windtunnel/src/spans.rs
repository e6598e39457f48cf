//! Parts of something that options ask for: a window of time, some ranks, a share of a study.

use std::cmp::Ordering;

use scenarios::options::simulated_time;
use sim_core::SimTime;

use crate::ranges::descending;

/// The time window of `--trace-window`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    from: SimTime,
    to: SimTime,
}

impl Window {
    /// Returns the beginning and the end.
    pub(crate) fn ends(self) -> (SimTime, SimTime) {
        (self.from, self.to)
    }

    /// Parses `FROM..TO`; a side that is left out is the beginning or the end of the run.
    ///
    /// # Errors
    /// Returns what is allowed.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        const FORM: &str = "a window is FROM..TO, such as 1ms..2.5ms, 500us.. or ..2s, not empty";
        let (from, to) = text.split_once("..").ok_or(FORM)?;
        let time = |text: &str, absent| match text {
            "" => Ok(absent),
            "0" => Ok(SimTime::ZERO),
            _ => simulated_time(text),
        };
        let window = Self { from: time(from, SimTime::ZERO)?, to: time(to, SimTime::MAX)? };
        match window.from.cmp(&window.to) {
            Ordering::Less => Ok(window),
            Ordering::Equal => Err(FORM.into()),
            Ordering::Greater => Err(descending(to, from)),
        }
    }
}

/// The ranks of `--trace-ranks`, as inclusive ranges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranks(Vec<(u32, u32)>);

impl Ranks {
    /// Returns the first and the last rank of each range.
    pub(crate) fn ranges(&self) -> &[(u32, u32)] {
        &self.0
    }

    /// Parses ranks and ranges of ranks with commas between them, such as `0,4..7`.
    ///
    /// # Errors
    /// Returns what is allowed.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let one = |text: &str| {
            let (first, last) = text.split_once("..").unwrap_or((text, text));
            Some((first.trim().parse().ok()?, last.trim().parse().ok()?))
        };
        let all: Option<Vec<(u32, u32)>> = text.split(',').map(one).collect();
        let all = all.ok_or("ranks are numbers and ranges, such as 0,4..7,32")?;
        match all.iter().find(|(first, last)| first > last) {
            Some((first, last)) => Err(descending(&last.to_string(), &first.to_string())),
            None => Ok(Self(all)),
        }
    }
}

/// Part of a study: every configuration whose number leaves `number` when divided by `of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    number: u32,
    of: u32,
}

impl Share {
    /// Parses `K/N`, where K is a number from 0 to N - 1.
    ///
    /// # Errors
    /// Returns what is allowed.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/');
        let numbers = numbers.and_then(|(one, of)| Some((one.parse().ok()?, of.parse().ok()?)));
        let (number, of) = numbers.filter(|(number, of)| number < of).ok_or_else(|| {
            "a share is K/N, the K-th of N from 0 on, such as 0/8 to 7/8".to_owned()
        })?;
        Ok(Self { number, of })
    }

    /// Returns K and N.
    pub(crate) fn numbers(self) -> (u32, u32) {
        (self.number, self.of)
    }

    /// Reports whether a configuration belongs to the share.
    pub(crate) fn has(self, number: u64) -> bool {
        number % u64::from(self.of) == u64::from(self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_have_units() {
        let window = |from, to| Ok(Window { from, to });
        let at = SimTime::from_ps;
        assert_eq!(Window::parse("1us..2ms"), window(at(1_000_000), at(2_000_000_000)));
        assert_eq!(Window::parse("0..1ns"), window(at(0), at(1000)));
        assert_eq!(Window::parse("1ns.."), window(at(1000), SimTime::MAX));
        assert_eq!(Window::parse(".."), window(at(0), SimTime::MAX));
        for wrong in ["", "1us", "1us-2us", "2us..1us", "1..2", "-1us..1us", "0..0"] {
            assert!(Window::parse(wrong).is_err(), "{wrong}");
        }
        assert!(Window::parse("2ms..1us").is_err_and(|told| told.contains("as in 1us..2ms")));
    }

    #[test]
    fn ranks_are_numbers_and_ranges() {
        assert_eq!(Ranks::parse("0, 4..7"), Ok(Ranks(vec![(0, 0), (4, 7)])));
        for wrong in ["", "a", "3..1", "-1", "1,", "1..", "0-3"] {
            assert!(Ranks::parse(wrong).is_err(), "{wrong}");
        }
        assert!(Ranks::parse("0,7..4").is_err_and(|told| told.contains("as in 4..7")));
    }

    #[test]
    fn shares_are_numbered_from_zero() {
        let share = Share::parse("2/8").expect("a share");
        assert!(share.has(2) && share.has(10) && !share.has(3));
        for wrong in ["", "8/8", "1", "-1/8", "0/0", "a/b"] {
            assert!(Share::parse(wrong).is_err(), "{wrong}");
        }
    }
}
