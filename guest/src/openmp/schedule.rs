//! How the iterations of a loop are divided into chunks (OpenMP 5.2, section 11.5.3). Nothing here has
//! state: a chunk follows from numbers alone.

use std::ops::Range;

/// Which thread executes which iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Static,
    Dynamic,
    Guided,
    /// The choice is ours: as `Static`.
    Auto,
}

/// A kind of schedule with its chunk size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Schedule {
    pub(super) kind: Kind,
    /// Iterations of a chunk; 0 is the default of the kind.
    pub(super) chunk: u64,
    /// Whether a thread gets its chunks in the order of the iterations. All of ours do; the program
    /// may ask for the modifier again.
    pub(super) monotonic: bool,
}

/// The bit for `monotonic` in the numbers of schedules.
pub(super) const MONOTONIC: u32 = 1 << 31;

impl Schedule {
    pub(super) const fn of(kind: Kind, chunk: u64) -> Self {
        Self { kind, chunk, monotonic: false }
    }

    /// Returns the schedule of a number of `omp_sched_t`; `None` if there is none.
    pub(super) fn numbered(number: u32, chunk: u64) -> Option<Self> {
        let kind = match number & !MONOTONIC {
            1 => Kind::Static,
            2 => Kind::Dynamic,
            3 => Kind::Guided,
            4 => Kind::Auto,
            _ => return None,
        };
        Some(Self { kind, chunk, monotonic: number & MONOTONIC != 0 })
    }

    /// Reports whether each thread's chunks are known when the loop begins.
    pub(super) fn is_static(self) -> bool {
        match self.kind {
            Kind::Static | Kind::Auto => true,
            Kind::Dynamic | Kind::Guided => false,
        }
    }

    /// Returns its number as a value of `omp_sched_t`.
    pub(super) fn number(self) -> u32 {
        let kind = match self.kind {
            Kind::Static => 1,
            Kind::Dynamic => 2,
            Kind::Guided => 3,
            Kind::Auto => 4,
        };
        kind | if self.monotonic { MONOTONIC } else { 0 }
    }

    /// Returns the iterations that a thread of a static schedule executes in its `trip`-th chunk.
    fn own_chunk(self, count: u64, size: u64, number: u64, trip: u64) -> Option<Range<u64>> {
        if self.chunk == 0 {
            let (each, more) = (count / size, count % size);
            let start = number * each + number.min(more);
            let end = start + each + u64::from(number < more);
            return (trip == 0 && start < end).then_some(start..end);
        }
        let start = trip.checked_mul(size)?.checked_add(number)?.checked_mul(self.chunk)?;
        (start < count).then(|| start..start.saturating_add(self.chunk).min(count))
    }

    /// Returns the next chunk of a thread, given the first iteration that nobody has (`next`) and the
    /// number of chunks that the thread has had. Only dynamic schedules move `next`.
    pub(super) fn chunk(
        self,
        count: u64,
        next: &mut u64,
        (number, size): (u32, u32),
        trip: u64,
    ) -> Option<Range<u64>> {
        let size = u64::from(size);
        let taken = match self.kind {
            Kind::Static | Kind::Auto => return self.own_chunk(count, size, number.into(), trip),
            Kind::Dynamic => self.chunk.max(1),
            Kind::Guided => (count - *next).div_ceil(size).max(self.chunk.max(1)),
        };
        let start = *next;
        *next = start.saturating_add(taken).min(count);
        (start < *next).then_some(start..*next)
    }
}

/// The values of a loop variable: `count` values from `start`, each `step` further. Values are kept as
/// words; a signed variable has the same words in two's complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Space {
    pub(super) count: u64,
    start: u64,
    step: u64,
    end: u64,
}

impl Space {
    /// Returns the values of `for (i = start; i < end; i += step)`, or `i > end` if the step is
    /// negative.
    pub(super) fn signed(start: i64, end: i64, step: i64) -> Self {
        let distance = i128::from(end) - i128::from(start);
        let count = if step == 0 || (distance > 0) != (step > 0) {
            0
        } else {
            distance.unsigned_abs().div_ceil(u128::from(step.unsigned_abs())) as u64
        };
        Self { count, start: start as u64, step: step as u64, end: end as u64 }
    }

    /// Like [`Space::signed`], with an unsigned variable that counts `up` or down.
    pub(super) fn unsigned(up: bool, start: u64, end: u64, step: u64) -> Self {
        let (distance, length) = if up {
            (end.saturating_sub(start), step)
        } else {
            (start.saturating_sub(end), step.wrapping_neg())
        };
        let count = if length == 0 { 0 } else { distance.div_ceil(length) };
        Self { count, start, step, end }
    }

    /// Returns the value of the first of these iterations and the value at which they end. The last
    /// iterations end at the end of the loop, by which programs recognise them.
    pub(super) fn bounds(&self, chunk: &Range<u64>) -> (u64, u64) {
        let value = |index: u64| self.start.wrapping_add(index.wrapping_mul(self.step));
        let end = if chunk.end == self.count { self.end } else { value(chunk.end) };
        (value(chunk.start), end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All chunks of a loop, when the threads take turns.
    fn chunks(schedule: Schedule, count: u64, size: u32) -> Vec<(u32, Range<u64>)> {
        let (mut next, mut found, mut trip) = (0, Vec::new(), 0);
        loop {
            let before = found.len();
            for number in 0..size {
                let chunk = schedule.chunk(count, &mut next, (number, size), trip);
                found.extend(chunk.map(|chunk| (number, chunk)));
            }
            trip += 1;
            if found.len() == before {
                return found;
            }
        }
    }

    #[test]
    fn each_iteration_is_executed_once() {
        for kind in [Kind::Static, Kind::Dynamic, Kind::Guided, Kind::Auto] {
            for chunk in [0, 1, 3, 100] {
                for count in [0, 1, 2, 7, 64, 101] {
                    for size in [1, 2, 3, 8, 64] {
                        let mut all: Vec<u64> = chunks(Schedule::of(kind, chunk), count, size)
                            .into_iter()
                            .flat_map(|(_, chunk)| chunk)
                            .collect();
                        all.sort_unstable();
                        let expected: Vec<u64> = (0..count).collect();
                        assert_eq!(all, expected, "{kind:?} {chunk} {count} {size}");
                    }
                }
            }
        }
    }

    #[test]
    fn chunks_have_the_sizes_of_their_kind() {
        let sizes = |kind, chunk| -> Vec<u64> {
            let chunks = chunks(Schedule::of(kind, chunk), 20, 3);
            chunks.into_iter().map(|(_, chunk)| chunk.end - chunk.start).collect()
        };
        assert_eq!(sizes(Kind::Static, 0), [7, 7, 6]);
        assert_eq!(sizes(Kind::Static, 8), [8, 8, 4]);
        assert_eq!(sizes(Kind::Dynamic, 0), [1; 20]);
        assert_eq!(sizes(Kind::Guided, 3), [7, 5, 3, 3, 2]);
    }

    #[test]
    fn loops_have_as_many_iterations_as_in_c() {
        for (start, end, step, count) in [
            (0, 10, 3, 4),
            (0, 9, 3, 3),
            (10, 0, -3, 4),
            (5, 5, 1, 0),
            (5, 4, 1, 0),
            (4, 5, -1, 0),
            (i64::MIN, i64::MAX, 1, u64::MAX),
            (i64::MAX, i64::MIN, i64::MIN, 2),
        ] {
            assert_eq!(Space::signed(start, end, step).count, count, "{start} {end} {step}");
        }
        assert_eq!(Space::unsigned(true, 0, u64::MAX, 2).count, 1 << 63);
        assert_eq!(Space::unsigned(false, 10, 0, 3u64.wrapping_neg()).count, 4);
        assert_eq!(Space::unsigned(true, 3, 2, 1).count, 0);
    }

    #[test]
    fn the_last_chunk_ends_where_the_loop_does() {
        let space = Space::signed(10, 0, -3);
        assert_eq!(space.bounds(&(0..2)), (10, 4));
        assert_eq!(space.bounds(&(2..4)), (4, 0));
    }

    #[test]
    fn schedules_have_the_numbers_of_the_header() {
        for number in [1, 2, 3, 4, MONOTONIC | 2] {
            assert_eq!(Schedule::numbered(number, 5).map(Schedule::number), Some(number));
        }
        assert_eq!(Schedule::numbered(5, 0), None);
    }
}
