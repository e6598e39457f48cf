//! [`Exchange`]: a collective access in two phases. Ranks that were chosen, the aggregators, access
//! large parts of the file each, and exchange the data with all ranks over the network.
//!
//! After R. Thakur, W. Gropp and E. Lusk, "Data Sieving and Collective I/O in ROMIO", 1999.

use std::collections::VecDeque;

use super::plan::Step;
use crate::{
    call::{Direction, FileId},
    object::hints::HintsInUse,
};

/// Bytes that tell an aggregator where a run of bytes belongs: offset and length.
const PER_RUN: u64 = 16;

/// Ranks that have come to a collective access.
pub(super) struct Gathering {
    /// Accesses under way, in the order in which ranks have come; none of ranks whose access is wrong.
    pub(super) accesses: Vec<u32>,
    /// Number of ranks that have not come.
    pub(super) missing: u32,
    /// Whether the access is known to be in two phases. Ranks that do not wait for each other decide that when the last
    /// one has come.
    pub(super) is_decided: bool,
}

impl Gathering {
    pub(super) fn new(ranks: u32, is_decided: bool) -> Self {
        Self { accesses: Vec::new(), missing: ranks, is_decided }
    }
}

/// A collective access in two phases.
pub(super) struct Exchange {
    pub(super) file: FileId,
    pub(super) direction: Direction,
    /// Accesses under way, which it completes.
    pub(super) accesses: Vec<u32>,
    pub(super) aggregators: Vec<Aggregator>,
    /// Number of aggregators that have not done their part.
    pub(super) left: u32,
}

/// A rank that accesses a part of the file for all.
pub(super) struct Aggregator {
    /// The rank of the run.
    pub(super) rank: u32,
    /// What it has still to do, one buffer after the other.
    pub(super) rounds: VecDeque<Round>,
    /// Pieces of the present round that are under way.
    pub(super) waits_for: u32,
}

/// What one buffer of an aggregator holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Round {
    /// Bytes on the wire between each rank and the aggregator, by rank of the run.
    pub(super) pieces: Vec<(u32, u64)>,
    pub(super) first: i64,
    pub(super) end: i64,
    /// Whether bytes in between belong to nobody: a write has to read them first.
    pub(super) has_holes: bool,
}

impl Round {
    /// Returns what the aggregator asks of the servers.
    pub(super) fn steps(&self, direction: Direction) -> VecDeque<Step> {
        let step =
            |direction| Step { direction, at: self.first, bytes: (self.end - self.first) as u64 };
        match direction {
            Direction::Write if self.has_holes => {
                [step(Direction::Read), step(Direction::Write)].into()
            }
            Direction::Read | Direction::Write => [step(direction)].into(),
        }
    }
}

/// Reports whether the bytes of one rank lie between those of another: then the ranks help each other.
/// `bounds` are first byte and end of each rank that has any.
pub(super) fn are_interleaved(mut bounds: Vec<(i64, i64)>) -> bool {
    bounds.sort_unstable();
    bounds.windows(2).any(|pair| pair[1].0 < pair[0].1)
}

/// The parts of the file that the aggregators access.
struct Domains {
    first: i64,
    /// Bytes of a part, whole stripes.
    size: i64,
    /// Bytes of a buffer.
    buffer: i64,
}

impl Domains {
    fn new((first, end): (i64, i64), hints: &HintsInUse) -> Self {
        let within = |bytes: u64| bytes.min(i64::MAX as u64) as i64;
        let unit = within(hints.stripe);
        let first = first - first % unit;
        let part = ((end - first) as u64).div_ceil(u64::from(hints.aggregators));
        let size = within(part.div_ceil(hints.stripe).saturating_mul(hints.stripe));
        Self { first, size, buffer: within(hints.collective_buffer) }
    }

    /// Returns the aggregator and the round in which a byte is accessed, and the end of that round's
    /// bytes.
    fn place(&self, at: i64) -> ((usize, i64), i64) {
        let (part, inside) = ((at - self.first) / self.size, (at - self.first) % self.size);
        let round = inside / self.buffer;
        let end = (round + 1).saturating_mul(self.buffer).min(self.size);
        ((part as usize, round), (self.first + part * self.size).saturating_add(end))
    }
}

/// A run of a round, with the rank to which it belongs.
struct Cut {
    place: (usize, i64),
    at: i64,
    bytes: u64,
    rank: u32,
}

/// Deals out an access of all ranks, given as rank of the run and runs of bytes, to the aggregators.
pub(super) fn rounds(
    parts: &[(u32, &[(i64, u64)])],
    hints: &HintsInUse,
) -> Vec<(usize, VecDeque<Round>)> {
    let all = || parts.iter().flat_map(|(_, runs)| runs.iter());
    let first = all().map(|(at, _)| *at).min();
    let end = all().map(|(at, bytes)| at + *bytes as i64).max();
    let Some((first, end)) = first.zip(end) else { return Vec::new() };
    let domains = Domains::new((first, end), hints);
    let mut cuts = Vec::new();
    for (rank, runs) in parts {
        for (at, bytes) in *runs {
            let (mut at, end) = (*at, at + *bytes as i64);
            while at < end {
                let (place, until) = domains.place(at);
                let until = until.min(end);
                cuts.push(Cut { place, at, bytes: (until - at) as u64, rank: *rank });
                at = until;
            }
        }
    }
    cuts.sort_by_key(|cut| (cut.place, cut.at, cut.rank));
    let mut dealt: Vec<(usize, VecDeque<Round>)> = Vec::new();
    for group in cuts.chunk_by(|one, next| one.place == next.place) {
        let aggregator = group[0].place.0;
        let round = round_of(group);
        match dealt.last_mut() {
            Some((same, rounds)) if *same == aggregator => rounds.push_back(round),
            _ => dealt.push((aggregator, [round].into())),
        }
    }
    dealt
}

/// Returns the round of runs in ascending order.
fn round_of(cuts: &[Cut]) -> Round {
    let (first, mut end, mut has_holes) = (cuts[0].at, cuts[0].at, false);
    let mut by_rank: Vec<(u32, u64)> = Vec::with_capacity(cuts.len());
    for cut in cuts {
        has_holes |= cut.at > end;
        end = end.max(cut.at + cut.bytes as i64);
        by_rank.push((cut.rank, cut.bytes + PER_RUN));
    }
    by_rank.sort_by_key(|(rank, _)| *rank);
    let mut pieces: Vec<(u32, u64)> = Vec::new();
    for (rank, bytes) in by_rank {
        match pieces.last_mut() {
            Some((same, sum)) if *same == rank => *sum += bytes,
            _ => pieces.push((rank, bytes)),
        }
    }
    Round { pieces, first, end, has_holes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::hints::Technique;

    fn hints(aggregators: u32, buffer: u64) -> HintsInUse {
        HintsInUse {
            aggregators,
            collective_buffer: buffer,
            collective: [Technique::Enable; 2],
            sieve: [Technique::Automatic; 2],
            sieve_buffer: [1, 1],
            stripe_count: 1,
            stripe: 10,
            first_server: 0,
        }
    }

    /// Two ranks, 3 and 4, with four bytes each in turn.
    fn comb(rank: i64, times: i64) -> Vec<(i64, u64)> {
        (0..times).map(|n| (8 * n + 4 * rank, 4)).collect()
    }

    #[test]
    fn aggregators_have_whole_stripes() {
        let (one, other) = (comb(0, 5), comb(1, 5));
        let dealt = rounds(&[(3, &one), (4, &other)], &hints(2, 1000));
        // Bytes 0 to 39: two stripes each.
        let expected = |first, pieces: [u64; 2], runs: [u64; 2]| Round {
            pieces: vec![(3, pieces[0] + 16 * runs[0]), (4, pieces[1] + 16 * runs[1])],
            first,
            end: first + 20,
            has_holes: false,
        };
        let all: Vec<_> = dealt.into_iter().map(|(who, rounds)| (who, Vec::from(rounds))).collect();
        assert_eq!(
            all,
            [(0, vec![expected(0, [12, 8], [3, 2])]), (1, vec![expected(20, [8, 12], [2, 3])])]
        );
    }

    #[test]
    fn buffers_make_rounds() {
        let data = [(5, 40)];
        let dealt = rounds(&[(0, &data)], &hints(1, 25));
        let (_, rounds) = &dealt[0];
        let bounds: Vec<_> = rounds.iter().map(|round| (round.first, round.end)).collect();
        assert_eq!(bounds, [(5, 25), (25, 45)]);
        assert_eq!(rounds[0].pieces, [(0, 20 + 16)]);
    }

    #[test]
    fn holes_are_read_before_they_are_written() {
        let data = [(0, 4), (6, 4)];
        let dealt = rounds(&[(0, &data)], &hints(1, 25));
        let round = &dealt[0].1[0];
        let step = |direction| Step { direction, at: 0, bytes: 10 };
        assert_eq!(round.steps(Direction::Write), [step(Direction::Read), step(Direction::Write)]);
        assert_eq!(round.steps(Direction::Read), [step(Direction::Read)]);
    }

    #[test]
    fn huge_hints_make_one_round() {
        let hints = HintsInUse { stripe: u64::MAX, ..hints(3, u64::MAX) };
        let (one, other) = (comb(0, 5), comb(1, 5));
        let dealt = rounds(&[(3, &one), (4, &other)], &hints);
        let bounds: Vec<_> = dealt.iter().map(|(who, all)| (*who, all.len(), all[0].end)).collect();
        assert_eq!(bounds, [(0, 1, 40)]);
    }

    #[test]
    fn nothing_is_dealt_out_of_nothing() {
        assert_eq!(rounds(&[(0, &[]), (1, &[])], &hints(2, 25)).len(), 0);
    }

    #[test]
    fn ranks_one_behind_the_other_do_not_interleave() {
        assert!(!are_interleaved(vec![(0, 10), (10, 20), (30, 40)]));
        assert!(!are_interleaved(vec![(10, 20), (0, 10)]), "in any order of ranks");
        assert!(are_interleaved(vec![(0, 37), (4, 41)]));
    }
}
