//! Runs the schedules of all ranks in memory, without buffering: a round ends when its receives
//! are filled and its sends taken.

use std::collections::BTreeMap;

use crate::collective::{Buffer, Region, Schedule, Step};

/// Computes `left op right`, element by element.
pub(super) type Combine = fn(&[u8], &[u8]) -> Vec<u8>;

struct Rank {
    schedule: Schedule,
    buffers: [Vec<u8>; 3],
    round: usize,
    started: bool,
    /// Number of sends of the round that no rank has taken yet.
    sends: usize,
    receives: usize,
}

impl Rank {
    fn bytes(&mut self, region: Region) -> &mut [u8] {
        let buffer = match region.buffer {
            Buffer::Input => 0,
            Buffer::Output => 1,
            Buffer::Scratch => 2,
        };
        &mut self.buffers[buffer][region.offset as usize..][..region.bytes as usize]
    }

    fn present(&self) -> Vec<Step> {
        let ends = &self.schedule.round_ends;
        let begin = if self.round == 0 { 0 } else { ends[self.round - 1] as usize };
        self.schedule.steps[begin..ends[self.round] as usize].to_vec()
    }

    fn finish(&mut self, combine: Combine) {
        for step in self.present() {
            let (from, into) = match step {
                Step::CombineLeft { from, into }
                | Step::CombineRight { from, into }
                | Step::Copy { from, into } => (from, into),
                _ => continue,
            };
            assert_ne!(into.buffer, Buffer::Input);
            assert!(!overlap(from, into), "{step:?}");
            assert_eq!(from.bytes, into.bytes);
            let (from, old) = (self.bytes(from).to_vec(), self.bytes(into).to_vec());
            let new = match step {
                Step::CombineLeft { .. } => combine(&from, &old),
                Step::CombineRight { .. } => combine(&old, &from),
                _ => from,
            };
            self.bytes(into).copy_from_slice(&new);
        }
        self.round += 1;
        self.started = false;
    }
}

fn overlap(a: Region, b: Region) -> bool {
    a.buffer == b.buffer && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes
}

fn check_round(steps: &[Step]) {
    let local = |step: &Step| !matches!(step, Step::Send { .. } | Step::Receive { .. });
    assert!(!steps.is_empty() && steps.is_sorted_by_key(local), "communication first: {steps:?}");
    for (index, receive) in steps.iter().enumerate() {
        let Step::Receive { into, .. } = *receive else { continue };
        for (other, step) in steps.iter().enumerate() {
            let busy = match *step {
                Step::Send { from, .. } => from,
                Step::Receive { into, .. } if other != index => into,
                _ => continue,
            };
            assert!(!overlap(into, busy), "{receive:?} {step:?}");
        }
    }
}

/// Runs all schedules and returns the outputs of all ranks.
pub(super) fn run(parts: Vec<(Schedule, Vec<u8>)>, combine: Combine) -> Vec<Vec<u8>> {
    let ready = |(schedule, input): (Schedule, Vec<u8>)| {
        assert_eq!(schedule.steps.len(), schedule.round_ends.last().map_or(0, |e| *e as usize));
        // Buffers are filled with garbage instead of zeros, because nothing may be read before it
        // is written.
        let output = vec![0xa5; schedule.output_bytes as usize];
        let scratch = vec![0x5a; schedule.scratch_bytes as usize];
        let buffers = [input, output, scratch];
        Rank { schedule, buffers, round: 0, started: false, sends: 0, receives: 0 }
    };
    let mut ranks: Vec<Rank> = parts.into_iter().map(ready).collect();
    let mut sent: BTreeMap<(usize, usize), Vec<Vec<u8>>> = BTreeMap::new();
    let mut posted: BTreeMap<(usize, usize), Vec<Region>> = BTreeMap::new();
    loop {
        let mut moved = false;
        for (me, rank) in ranks.iter_mut().enumerate() {
            if rank.round == rank.schedule.round_ends.len() {
                continue;
            }
            if !rank.started {
                moved = true;
                rank.started = true;
                let steps = rank.present();
                check_round(&steps);
                for step in steps {
                    match step {
                        Step::Send { to, from } => {
                            let data = rank.bytes(from).to_vec();
                            sent.entry((me, to as usize)).or_default().push(data);
                            rank.sends += 1;
                        }
                        Step::Receive { from, into } => {
                            posted.entry((from as usize, me)).or_default().push(into);
                            rank.receives += 1;
                        }
                        _ => {}
                    }
                }
            }
            if rank.sends == 0 && rank.receives == 0 {
                moved = true;
                rank.finish(combine);
            }
        }
        for (pair, places) in &mut posted {
            let Some(data) = sent.get_mut(pair) else { continue };
            let count = data.len().min(places.len());
            for (data, place) in data.drain(..count).zip(places.drain(..count)) {
                moved = true;
                assert_ne!(place.buffer, Buffer::Input);
                ranks[pair.1].bytes(place).copy_from_slice(&data);
                ranks[pair.0].sends -= 1;
                ranks[pair.1].receives -= 1;
            }
        }
        if !moved {
            break;
        }
    }
    for (rank, state) in ranks.iter().enumerate() {
        assert_eq!(state.round, state.schedule.round_ends.len(), "rank {rank} is stuck");
    }
    assert!(sent.values().all(Vec::is_empty), "a message was not received");
    ranks
        .into_iter()
        .map(|rank| {
            let [_, output, _] = rank.buffers;
            output
        })
        .collect()
}
