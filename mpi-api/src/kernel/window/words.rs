//! [`Words`]: what those learn who read words that others update atomically. Locks, counters and flags that
//! programs make themselves order what they protect: who reads a value knows what its writer knew.

use std::collections::BTreeMap;

use super::recorded::writes;
use crate::{
    call::{Access, Action, Payload, Runs},
    kernel::causality::Clock,
    object::op::Op,
};

/// Most words of one access that are followed: larger ones are data.
const WORDS_MAX: u64 = 4096;

/// The moments of the updates of each word, by target, first byte and end.
#[derive(Debug, Default)]
pub(crate) struct Words(BTreeMap<u32, BTreeMap<i64, (i64, Clock)>>);

/// What an update does to the moments of its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// It only reads.
    Nothing,
    /// It writes a value of its own: earlier ones are gone.
    Replaced,
    /// It makes a value out of the earlier one.
    Continued,
}

impl Words {
    /// Follows an atomic access at a place of its target, whose origin was at `moment` when it started.
    /// Returns what its result tells.
    pub(super) fn update(
        &mut self,
        base: i64,
        access: &Access,
        result: Option<&Payload>,
        moment: &Clock,
    ) -> Option<Clock> {
        let width = match &access.action {
            Action::Update { primitive, .. } | Action::Swap(primitive) => primitive.size() as i64,
            Action::Put | Action::Get => return None,
        };
        if width == 0 || access.runs.bytes() / width as u64 > WORDS_MAX {
            return None;
        }
        let change = change(access, result);
        let words = self.0.entry(access.target).or_default();
        let mut told = access.action.fetches().then(Clock::default);
        for (at, bytes) in access.runs.iter() {
            let (first, end) = (base + at, base + at + bytes as i64);
            let places = (first..end).step_by(width as usize);
            for place in places {
                if let (Some(told), Some((_, before))) = (&mut told, words.get(&place)) {
                    told.join(before);
                }
                match change {
                    Change::Nothing => {}
                    Change::Replaced => {
                        words.insert(place, (place + width, moment.clone()));
                    }
                    Change::Continued => {
                        let word = words.entry(place).or_default();
                        word.0 = place + width;
                        word.1.join(moment);
                    }
                }
            }
        }
        told
    }

    /// Returns what a target learns that reads bytes of its own memory, or any of it.
    pub(super) fn polled(&self, target: u32, place: Option<(i64, &Runs)>) -> Clock {
        let mut told = Clock::default();
        let Some(words) = self.0.get(&target) else { return told };
        let Some((base, runs)) = place else {
            words.values().for_each(|(_, moment)| told.join(moment));
            return told;
        };
        for (at, bytes) in runs.iter() {
            let (first, end) = (base + at, base + at + bytes as i64);
            // A word has at most 64 bytes.
            let near = words.range(first - 64..end).filter(|(_, (past, _))| *past > first);
            near.for_each(|(_, (_, moment))| told.join(moment));
        }
        told
    }
}

fn change(access: &Access, result: Option<&Payload>) -> Change {
    match &access.action {
        action if !writes(action) => Change::Nothing,
        Action::Swap(primitive) => {
            let data = access.payload.contents();
            let wanted = &data[..primitive.size().min(data.len())];
            match result {
                Some(result) if *result.contents() == *wanted => Change::Continued,
                _ => Change::Nothing,
            }
        }
        Action::Update { op: Op::Replace, fetch: false, .. } => Change::Replaced,
        Action::Update { .. } => Change::Continued,
        Action::Put | Action::Get => Change::Nothing,
    }
}
