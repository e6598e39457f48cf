//! The search for the best combination of settings: one setting at a time, then coordinate descent with
//! restarts.

use std::collections::BTreeMap;

use rand::Rng;
use scenarios::error::Error;
use sim_core::{ChaCha8Rng, SimTime, stream};

/// A combination: the position of the value of each setting.
pub(super) type Point = Vec<usize>;

/// Run time of a combination; `None` if it is not acceptable, because it cannot be run, does not
/// complete or is unsafe.
pub(super) type Score = Option<SimTime>;

/// Runs combinations and returns their scores in order.
pub(super) type Evaluate<'a> = dyn FnMut(&[Point]) -> Result<Vec<Score>, Error> + 'a;

/// Most combinations of one call of [`Evaluate`].
const BATCH: usize = 256;

/// Number of descents from random combinations that go on side by side. It is fixed, so that the
/// combinations that are tried do not depend on the number of processors.
const ABREAST: usize = 4;

/// Most rounds of restarts in which nothing new was tried.
const FRUITLESS: usize = 64;

/// The combinations of a search.
pub(super) struct Space {
    /// Number of values of each setting.
    pub(super) sizes: Vec<usize>,
    /// Position of today's value of each setting, if it is among the values.
    pub(super) today: Vec<Option<usize>>,
}

/// A search with its results so far.
pub(super) struct Search<'a> {
    space: &'a Space,
    /// Most combinations that are tried.
    budget: usize,
    known: BTreeMap<Point, Score>,
    /// Whether the time was over before the budget.
    stopped: bool,
    evaluate: &'a mut Evaluate<'a>,
}

/// The result of a search.
pub(super) struct Found {
    /// Every combination that was tried, with its score.
    pub(super) known: BTreeMap<Point, Score>,
    /// The combination at which the search began.
    pub(super) start: Point,
    /// Whether the time was over before the budget.
    pub(super) stopped: bool,
}

impl Space {
    /// Returns the number of combinations.
    pub(super) fn combinations(&self) -> u128 {
        self.sizes.iter().fold(1, |product: u128, size| product.saturating_mul(*size as u128))
    }

    /// Returns today's combination, with the first value where today's is not among the values.
    fn start(&self) -> Point {
        self.today.iter().map(|today| today.unwrap_or(0)).collect()
    }

    /// Returns the number of settings that differ from today's.
    pub(super) fn changes(&self, point: &Point) -> usize {
        let pairs = point.iter().zip(&self.today);
        pairs.filter(|(at, today)| Some(**at) != **today).count()
    }

    /// Returns a combination with another value of one setting.
    pub(super) fn with(point: &Point, setting: usize, at: usize) -> Point {
        let mut other = point.clone();
        other[setting] = at;
        other
    }
}

impl Found {
    /// Returns the known combination with the shortest run time; of equally fast ones that with the fewest
    /// changes, then the first in the order of the values.
    pub(super) fn best<'k>(
        known: &'k BTreeMap<Point, Score>,
        space: &Space,
    ) -> Option<(&'k Point, SimTime)> {
        let scored = known.iter().filter_map(|(point, score)| Some((point, (*score)?)));
        scored.min_by_key(|(point, time)| (*time, space.changes(point)))
    }
}

/// Searches a space: all of it if the budget suffices, else from today's combination.
///
/// The search tries every value of each setting alone, then descends from the combination of the
/// best values and from the best combination so far: setting by setting, those with the largest effect
/// first, it tries all values and keeps the best, until none helps. After that it descends from random
/// combinations, drawn from `seed`, until the budget is used up.
///
/// # Errors
/// Returns an error if a combination is bad input.
pub(super) fn search<'a>(
    space: &'a Space,
    budget: usize,
    seed: u64,
    evaluate: &'a mut Evaluate<'a>,
) -> Result<Found, Error> {
    let start = space.start();
    let known = BTreeMap::new();
    let mut search = Search { space, budget, known, stopped: false, evaluate };
    if space.combinations() <= budget as u128 {
        search.everything()?;
    } else {
        let order = search.alone(&start)?;
        search.descend(vec![search.of_best_values(&start)], &order)?;
        let best = search.known.iter().filter_map(|(point, score)| Some(((*score)?, point)));
        let best = best.min().map_or_else(|| start.clone(), |(_, point)| point.clone());
        search.descend(vec![best], &order)?;
        search.restarts(seed, &order)?;
    }
    Ok(Found { known: search.known, start, stopped: search.stopped })
}

impl Search<'_> {
    fn is_over(&self) -> bool {
        self.stopped || self.known.len() >= self.budget
    }

    /// Tries those of the combinations that are not known, as far as the budget allows.
    fn try_all(&mut self, points: impl IntoIterator<Item = Point>) -> Result<(), Error> {
        let mut new: Vec<Point> = Vec::new();
        for point in points {
            let left = self.budget - self.known.len();
            if new.len() < left && !self.known.contains_key(&point) && !new.contains(&point) {
                new.push(point);
            }
        }
        for batch in new.chunks(BATCH) {
            match (self.evaluate)(batch) {
                Ok(scores) => self.known.extend(batch.iter().cloned().zip(scores)),
                Err(Error::Stopped) => {
                    self.stopped = true;
                    return Ok(());
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn score(&self, point: &Point) -> Score {
        self.known.get(point).copied().flatten()
    }

    fn everything(&mut self) -> Result<(), Error> {
        let mut all: Vec<Point> = vec![Vec::new()];
        for size in &self.space.sizes {
            let extended = |point: &Point| -> Vec<Point> {
                (0..*size).map(|at| point.iter().copied().chain([at]).collect()).collect()
            };
            all = all.iter().flat_map(extended).collect();
        }
        self.try_all(all)
    }

    /// Tries every value of each setting alone, and returns the settings, those with the largest effect
    /// first.
    fn alone(&mut self, start: &Point) -> Result<Vec<usize>, Error> {
        let settings = 0..self.space.sizes.len();
        let others = settings.clone().flat_map(|setting| self.neighbours(start, setting));
        let points: Vec<Point> = [start.clone()].into_iter().chain(others).collect();
        self.try_all(points)?;
        let effect = |setting: &usize| {
            let times = self.neighbours(start, *setting);
            let times: Vec<u64> =
                times.iter().filter_map(|point| Some(self.score(point)?.as_ps())).collect();
            let least = times.iter().min().copied().unwrap_or(0);
            times.iter().max().copied().unwrap_or(0) - least
        };
        let mut order: Vec<usize> = settings.collect();
        order.sort_by_key(|setting| std::cmp::Reverse(effect(setting)));
        Ok(order)
    }

    /// Returns the combinations that differ from `point` in one setting at most.
    fn neighbours(&self, point: &Point, setting: usize) -> Vec<Point> {
        (0..self.space.sizes[setting]).map(|at| Space::with(point, setting, at)).collect()
    }

    /// Returns the best neighbour in one setting; `point` itself if none is faster.
    fn best_neighbour(&self, point: &Point, setting: usize) -> Point {
        let mut best = point.clone();
        for other in self.neighbours(point, setting) {
            let faster = match (self.score(&other), self.score(&best)) {
                (Some(other), Some(best)) => other < best,
                (Some(_), None) => true,
                (None, _) => false,
            };
            if faster {
                best = other;
            }
        }
        best
    }

    /// Returns the combination of the values that are best alone.
    fn of_best_values(&self, start: &Point) -> Point {
        let settings = 0..self.space.sizes.len();
        settings.map(|setting| self.best_neighbour(start, setting)[setting]).collect()
    }

    /// Descends from several combinations side by side, until no change of one setting helps any.
    fn descend(&mut self, mut points: Vec<Point>, order: &[usize]) -> Result<(), Error> {
        // Number of settings in a row that did not help; a descent ends when none did.
        let mut idle = vec![0; points.len()];
        for setting in order.iter().copied().cycle() {
            let live: Vec<usize> = (0..points.len()).filter(|at| idle[*at] < order.len()).collect();
            if live.is_empty() || self.is_over() {
                return Ok(());
            }
            let wanted: Vec<Point> =
                live.iter().flat_map(|at| self.neighbours(&points[*at], setting)).collect();
            self.try_all(wanted)?;
            for at in live {
                let best = self.best_neighbour(&points[at], setting);
                idle[at] = if best == points[at] { idle[at] + 1 } else { 0 };
                points[at] = best;
            }
        }
        Ok(())
    }

    fn restarts(&mut self, seed: u64, order: &[usize]) -> Result<(), Error> {
        let mut random = stream(seed, "tune", 0);
        let mut fruitless = 0;
        while !self.is_over() && fruitless < FRUITLESS {
            let before = self.known.len();
            let mut draw = || -> Point {
                self.space.sizes.iter().map(|size| below(&mut random, *size)).collect()
            };
            let points: Vec<Point> = (0..ABREAST).map(|_| draw()).collect();
            self.descend(points, order)?;
            fruitless = if self.known.len() == before { fruitless + 1 } else { 0 };
        }
        Ok(())
    }
}

/// Returns a random number below `bound`.
fn below(random: &mut ChaCha8Rng, bound: usize) -> usize {
    ((u128::from(random.next_u64()) * bound as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A valley in which two settings must change together, and the third has no effect.
    fn valley(point: &Point) -> Score {
        let time = match (point[0], point[1]) {
            (3, 4) => 10,
            (0, 0) => 50,
            (a, b) => 60 + 10 * a.abs_diff(b) as u64 + a as u64,
        };
        (point[0] != 1).then(|| SimTime::from_ps(time))
    }

    fn space() -> Space {
        Space { sizes: vec![5, 6, 3], today: vec![Some(0), Some(0), None] }
    }

    fn searched(space: &Space, budget: usize, seed: u64) -> (Found, Vec<usize>) {
        let mut batches = Vec::new();
        let mut evaluate = |points: &[Point]| {
            batches.push(points.len());
            Ok(points.iter().map(valley).collect())
        };
        let found = search(space, budget, seed, &mut evaluate).expect("all is well-formed");
        (found, batches)
    }

    #[test]
    fn a_small_space_is_tried_as_a_whole() {
        let space = space();
        let (found, batches) = searched(&space, 90, 0);
        assert_eq!((space.combinations(), found.known.len(), batches), (90, 90, vec![90]));
        assert_eq!(Found::best(&found.known, &space), Some((&vec![3, 4, 0], SimTime::from_ps(10))));
        assert_eq!(space.changes(&vec![3, 0, 1]), 2);
    }

    #[test]
    fn a_larger_space_is_searched_within_the_budget() {
        let space = space();
        let (found, _) = searched(&space, 60, 1);
        assert_eq!(found.known.len(), 60);
        assert_eq!(found.start, [0, 0, 0]);
        assert_eq!(Found::best(&found.known, &space), Some((&vec![3, 4, 0], SimTime::from_ps(10))));
        let (again, _) = searched(&space, 60, 1);
        assert_eq!(again.known, found.known);
        let (few, _) = searched(&space, 3, 1);
        assert_eq!(few.known.len(), 3);
    }

    #[test]
    fn a_search_that_is_stopped_keeps_what_it_knows() {
        let space = space();
        let mut calls = 0;
        let mut evaluate = |points: &[Point]| {
            calls += 1;
            if calls > 1 { Err(Error::Stopped) } else { Ok(points.iter().map(valley).collect()) }
        };
        let found = search(&space, 60, 0, &mut evaluate).expect("all is well-formed");
        assert!(found.stopped);
        assert_eq!(found.known.len(), 1 + 4 + 5 + 2);
    }
}
