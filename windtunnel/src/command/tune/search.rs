//! The search for the best combination of settings: one setting at a time, then coordinate descent with
//! restarts.

use std::{collections::BTreeMap, ops::Range};

use rand::Rng;
use scenarios::error::Error;
use sim_core::{ChaCha8Rng, SimTime, stream};

/// A combination: the position of the value of each setting.
pub(super) type Point = Vec<usize>;

/// Run time of a combination; `None` if it is not acceptable, because it cannot be run, does not
/// complete or is unsafe.
pub(super) type Score = Option<SimTime>;

/// Runs combinations and returns their scores in order; `None` of a run that was stopped.
pub(super) type Evaluate<'a> = dyn FnMut(&[Point]) -> Result<Vec<Option<Score>>, Error> + 'a;

/// Most combinations of one call of [`Evaluate`].
const BATCH: usize = 256;

/// Number of descents from random combinations that go on side by side. It is fixed, so that the
/// combinations that are tried do not depend on the number of processors.
const ABREAST: usize = 4;

/// Most rounds of restarts in which nothing new was tried.
const FRUITLESS: usize = 64;

/// The combinations of a search.
pub(super) struct Space {
    /// Positions of the values of each setting that may be chosen.
    pub(super) offered: Vec<Range<usize>>,
    /// Position of today's value of each setting, which may be one that is not offered.
    pub(super) today: Point,
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
    /// Whether the time was over before the budget.
    pub(super) stopped: bool,
}

impl Space {
    /// Returns the number of combinations.
    pub(super) fn combinations(&self) -> u128 {
        self.offered.iter().fold(1, |product: u128, at| product.saturating_mul(at.len() as u128))
    }

    /// Reports whether all values of a combination are offered.
    pub(super) fn offers(&self, point: &Point) -> bool {
        point.iter().zip(&self.offered).all(|(at, offered)| offered.contains(at))
    }

    /// Returns the number of settings that differ from today's.
    pub(super) fn changes(&self, point: &Point) -> usize {
        let pairs = point.iter().zip(&self.today);
        pairs.filter(|(at, today)| at != today).count()
    }

    /// Returns a combination with another value of one setting.
    pub(super) fn with(point: &Point, setting: usize, at: usize) -> Point {
        let mut other = point.clone();
        other[setting] = at;
        other
    }
}

impl Found {
    /// Returns the offered combination with the shortest known run time; of equally fast ones that with the fewest
    /// changes, then the first in the order of the values.
    pub(super) fn best<'k>(
        known: &'k BTreeMap<Point, Score>,
        space: &Space,
    ) -> Option<(&'k Point, SimTime)> {
        let offered = known.iter().filter(|(point, _)| space.offers(point));
        let scored = offered.filter_map(|(point, score)| Some((point, (*score)?)));
        scored.min_by_key(|(point, time)| (*time, space.changes(point)))
    }
}

/// Searches a space: all of it if the budget suffices, else from today's combination.
///
/// The search tries every value of each setting alone, then the combination of the best values. Where today's
/// combination is not one of those to choose from, the budget keeps one run for that. It then descends from
/// that combination and from the best combination so far: setting by setting, those with the largest effect
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
    let known = BTreeMap::new();
    let mut search = Search { space, budget, known, stopped: false, evaluate };
    if space.combinations() <= budget as u128 {
        search.everything()?;
    } else {
        let order = search.alone()?;
        let of_best_values = search.of_best_values();
        search.try_all([of_best_values.clone()])?;
        search.descend(vec![of_best_values.clone()], &order)?;
        let offered = search.known.iter().filter(|(point, _)| space.offers(point));
        let best = offered.filter_map(|(point, score)| Some(((*score)?, point))).min();
        let best = best.map_or(of_best_values, |(_, point)| point.clone());
        search.descend(vec![best], &order)?;
        search.restarts(seed, &order)?;
    }
    Ok(Found { known: search.known, stopped: search.stopped })
}

impl Search<'_> {
    fn is_over(&self) -> bool {
        self.stopped || self.known.len() >= self.budget
    }

    /// Tries those of the combinations that are not known, as far as the budget allows.
    fn try_all(&mut self, points: impl IntoIterator<Item = Point>) -> Result<(), Error> {
        self.try_within(self.budget, points)
    }

    /// Tries those of the combinations that are not known, until this many are.
    fn try_within(
        &mut self,
        most: usize,
        points: impl IntoIterator<Item = Point>,
    ) -> Result<(), Error> {
        let mut new: Vec<Point> = Vec::new();
        for point in points {
            let left = most.saturating_sub(self.known.len());
            if new.len() < left && !self.known.contains_key(&point) && !new.contains(&point) {
                new.push(point);
            }
        }
        for batch in new.chunks(BATCH) {
            for (point, score) in batch.iter().zip((self.evaluate)(batch)?) {
                match score {
                    Some(score) => drop(self.known.insert(point.clone(), score)),
                    None => self.stopped = true,
                }
            }
            if self.stopped {
                break;
            }
        }
        Ok(())
    }

    fn score(&self, point: &Point) -> Score {
        self.known.get(point).copied().flatten()
    }

    fn everything(&mut self) -> Result<(), Error> {
        let mut all: Vec<Point> = vec![Vec::new()];
        for offered in &self.space.offered {
            let extended = |point: &Point| -> Vec<Point> {
                offered.clone().map(|at| point.iter().copied().chain([at]).collect()).collect()
            };
            all = all.iter().flat_map(extended).collect();
        }
        self.try_all(all)
    }

    /// Tries every value of each setting alone, with the others as today, and returns the settings, those with the largest
    /// effect first.
    fn alone(&mut self) -> Result<Vec<usize>, Error> {
        let today = &self.space.today;
        let settings = 0..self.space.offered.len();
        // Those that have to change come first: without their best values nothing can be recommended.
        let mut first: Vec<usize> = settings.clone().collect();
        first.sort_by_key(|setting| self.space.offered[*setting].contains(&today[*setting]));
        let others = first.into_iter().flat_map(|setting| self.neighbours(today, setting));
        let points: Vec<Point> = [today.clone()].into_iter().chain(others).collect();
        let kept = usize::from(!self.space.offers(today));
        self.try_within(self.budget.saturating_sub(kept), points)?;
        let effect = |setting: &usize| {
            let times = self.neighbours(today, *setting);
            let times: Vec<u64> =
                times.iter().filter_map(|point| Some(self.score(point)?.as_ps())).collect();
            let least = times.iter().min().copied().unwrap_or(0);
            times.iter().max().copied().unwrap_or(0) - least
        };
        let mut order: Vec<usize> = settings.collect();
        order.sort_by_key(|setting| std::cmp::Reverse(effect(setting)));
        Ok(order)
    }

    /// Returns the combinations that differ from `point` in one setting at most, with each value of it that is offered.
    fn neighbours(&self, point: &Point, setting: usize) -> Vec<Point> {
        let offered = self.space.offered[setting].clone();
        offered.map(|at| Space::with(point, setting, at)).collect()
    }

    /// Returns the best neighbour in one setting: `point` itself if none is faster and its own value is offered.
    fn best_neighbour(&self, point: &Point, setting: usize) -> Point {
        let offered = &self.space.offered[setting];
        let own = Some(point[setting]).filter(|own| offered.contains(own));
        let mut best = Space::with(point, setting, own.unwrap_or(offered.start));
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
    fn of_best_values(&self) -> Point {
        let settings = 0..self.space.offered.len();
        let best = |setting: usize| self.best_neighbour(&self.space.today, setting)[setting];
        settings.map(best).collect()
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
                let offered = self.space.offered.iter();
                offered.map(|at| at.start + below(&mut random, at.len())).collect()
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
        Space { offered: vec![0..5, 0..6, 1..4], today: vec![0; 3] }
    }

    fn searched(space: &Space, budget: usize, seed: u64) -> (Found, Vec<usize>) {
        let mut batches = Vec::new();
        let mut evaluate = |points: &[Point]| {
            batches.push(points.len());
            Ok(points.iter().map(|point| Some(valley(point))).collect())
        };
        let found = search(space, budget, seed, &mut evaluate).expect("all is well-formed");
        (found, batches)
    }

    #[test]
    fn a_small_space_is_tried_as_a_whole() {
        let space = space();
        let (found, batches) = searched(&space, 90, 0);
        assert_eq!((space.combinations(), found.known.len(), batches), (90, 90, vec![90]));
        assert_eq!(Found::best(&found.known, &space), Some((&vec![3, 4, 1], SimTime::from_ps(10))));
        assert_eq!(space.changes(&vec![3, 0, 1]), 2);
    }

    #[test]
    fn a_larger_space_is_searched_within_the_budget() {
        let space = space();
        let (found, _) = searched(&space, 60, 1);
        assert_eq!(found.known.len(), 60);
        assert_eq!(Found::best(&found.known, &space), Some((&vec![3, 4, 1], SimTime::from_ps(10))));
        let (again, _) = searched(&space, 60, 1);
        assert_eq!(again.known, found.known);
        let (few, _) = searched(&space, 3, 1);
        assert_eq!(few.known.len(), 3);
    }

    #[test]
    fn a_small_budget_suffices_for_a_recommendation_without_todays_value() {
        // Two of three settings do not offer today's value.
        let space = Space { offered: vec![0..5, 1..6, 1..4], today: vec![0; 3] };
        for budget in 1..=20 {
            let (found, _) = searched(&space, budget, 0);
            assert_eq!(found.known.len(), budget);
            let best = Found::best(&found.known, &space);
            assert!(best.is_some_and(|(point, _)| space.offers(point)), "{budget}: {best:?}");
        }
        let (found, _) = searched(&space, 10, 0);
        assert_eq!(Found::best(&found.known, &space).map(|(point, _)| point), Some(&vec![0, 1, 1]));
    }

    #[test]
    fn a_search_that_is_stopped_keeps_what_it_knows() {
        let space = space();
        let mut calls = 0;
        // All runs of the first call end, and half of those of the second one.
        let mut evaluate = |points: &[Point]| {
            calls += 1;
            let ended = points.len() / calls;
            Ok((0..).zip(points).map(|(at, point)| (at < ended).then(|| valley(point))).collect())
        };
        let found = search(&space, 60, 0, &mut evaluate).expect("all is well-formed");
        assert!(found.stopped);
        assert_eq!(calls, 2);
        assert!(found.known.len() >= 1 + 4 + 5 + 3, "{}", found.known.len());
    }
}
