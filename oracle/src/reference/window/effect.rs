//! The data that the program of a right window leaves, computed one turn after the other.

use super::course::together;
use crate::{
    layout::fill,
    plan::{
        Plan,
        window::{Access, Deed, Kind, Turn, Update, Window, span},
    },
};

/// The data of a window.
pub(crate) struct Contents {
    /// The result buffer of each access; `None` if it has none, or if it depends on the execution.
    pub(crate) results: Vec<Option<Vec<u8>>>,
    /// The bytes that each load reads, by turn; `None` where it depends on the execution.
    pub(crate) loads: Vec<Option<Vec<u8>>>,
    /// The present memory of each rank.
    memory: Vec<Vec<u8>>,
    /// The bytes of each rank that depend on the execution.
    open: Vec<u128>,
    /// Accesses whose results depend on it, and the turns of loads that do.
    loose_results: Vec<bool>,
    loose_loads: Vec<usize>,
}

/// A use of memory that is not ordered with another one.
struct Contender {
    turn: usize,
    target: usize,
    bytes: u128,
    writes: bool,
    /// `None` for a load or a store of the target itself.
    access: Option<usize>,
}

impl Contender {
    fn of(window: &Window, turn: usize) -> Self {
        let (target, bytes, writes, access) = match &window.turns[turn] {
            Turn::Deed(_, Deed::Access(id)) => {
                let access = &window.accesses[*id];
                (access.target, access.bytes(), access.kind.writes(), Some(*id))
            }
            Turn::Deed(rank, Deed::Load(first, count)) => {
                (*rank, span(*first, *count), false, None)
            }
            Turn::Deed(rank, Deed::Store(first, count, _)) => {
                (*rank, span(*first, *count), true, None)
            }
            other => unreachable!("{other:?} uses no memory"),
        };
        Self { turn, target: target as usize, bytes, writes, access }
    }
}

/// Returns what an element of a rank's memory holds at the end of a program so far.
pub(crate) fn present(plan: &Plan, window: &Window, target: u32, (at, size): (u64, usize)) -> u64 {
    let memory = &contents(plan, window).memory[target as usize];
    let mut word = [0; 8];
    word[..size].copy_from_slice(&memory[at as usize..][..size]);
    u64::from_le_bytes(word)
}

/// Computes the data of a right window.
pub(crate) fn contents(plan: &Plan, window: &Window) -> Contents {
    let memory: Vec<Vec<u8>> = window.bytes.iter().map(|bytes| vec![0; *bytes as usize]).collect();
    let mut contents = Contents {
        results: vec![None; window.accesses.len()],
        loads: vec![None; window.turns.len()],
        open: vec![0; memory.len()],
        loose_results: vec![false; window.accesses.len()],
        loose_loads: Vec::new(),
        memory,
    };
    together(window).into_iter().for_each(|pair| contents.contend(window, pair));
    for (number, turn) in window.turns.iter().enumerate() {
        let Turn::Deed(rank, deed) = turn else { continue };
        let rank = *rank as usize;
        match deed {
            Deed::Access(id) => {
                let result = contents.carry_out(plan, window, *id);
                let known = contents.open[window.accesses[*id].target as usize]
                    & window.accesses[*id].bytes()
                    == 0;
                if known && !contents.loose_results[*id] {
                    contents.results[*id] = result;
                }
            }
            Deed::Store(first, count, key) => {
                let bytes = plan.stored(window, rank as u32, *key, *count);
                contents.memory[rank][*first as usize..][..bytes.len()].copy_from_slice(&bytes);
            }
            Deed::Load(first, count)
                if contents.open[rank] & span(*first, *count) == 0
                    && !contents.loose_loads.contains(&number) =>
            {
                let bytes = &contents.memory[rank][*first as usize..][..*count as usize];
                contents.loads[number] = Some(bytes.to_vec());
            }
            _ => {}
        }
    }
    contents
}

impl Contents {
    /// Notes what depends on which of two uses of the same bytes comes first.
    fn contend(&mut self, window: &Window, turns: (usize, usize)) {
        let [one, other] = [turns.0, turns.1].map(|turn| Contender::of(window, turn));
        for contender in [&one, &other] {
            match contender.access {
                Some(id) => self.loose_results[id] = true,
                None => self.loose_loads.push(contender.turn),
            }
        }
        let update = |one: &Contender| one.access.and_then(|id| window.accesses[id].kind.update());
        let commute = match (update(&one), update(&other)) {
            (Some(Update::Replace) | None, _) => false,
            (first, second) => first == second,
        };
        if one.writes && other.writes && !commute {
            // A carry, or a comparison, reaches bytes that the other does not use.
            self.open[one.target] |= one.bytes | other.bytes;
        }
    }

    /// Carries out an access, and returns its result buffer if it has one.
    fn carry_out(&mut self, plan: &Plan, window: &Window, id: usize) -> Option<Vec<u8>> {
        let access = &window.accesses[id];
        let memory = &mut self.memory[access.target as usize];
        let places = access.there.map();
        let place = |at: i64| (access.at as i64 + at) as usize;
        let before: Vec<u8> =
            places.iter().flat_map(|(at, size)| memory[place(*at)..][..*size].to_vec()).collect();
        let given = access.from.gather(&plan.origin_data(window, id));
        let after = after(access, &before, given);
        let mut left = &after[..];
        for (at, size) in &places {
            let (now, rest) = left.split_at(*size);
            memory[place(*at)..][..*size].copy_from_slice(now);
            left = rest;
        }
        access.kind.fetches().then(|| {
            let mut buffer = plan.result_memory(window, id);
            access.into.scatter(&before, &mut buffer);
            buffer
        })
    }
}

/// Returns what a target holds after an access.
fn after(access: &Access, before: &[u8], given: Vec<u8>) -> Vec<u8> {
    let size = access.primitive.size();
    match access.kind {
        Kind::Put => given,
        Kind::Get => before.to_vec(),
        Kind::Accumulate(update) | Kind::GetAccumulate(update) | Kind::FetchAndOp(update) => {
            if update == Update::NoOp {
                return before.to_vec();
            }
            let pairs = before.chunks(size).zip(given.chunks(size));
            pairs.flat_map(|(old, new)| combined(update, old, new)).collect()
        }
        Kind::CompareAndSwap(wanted) => {
            if *before == wanted.to_le_bytes()[..size] {
                given
            } else {
                before.to_vec()
            }
        }
    }
}

/// Returns `old op new` of one integer; those of one byte have no sign.
fn combined(update: Update, old: &[u8], new: &[u8]) -> Vec<u8> {
    let word = |bytes: &[u8]| {
        let signed = bytes.len() > 1 && bytes[bytes.len() - 1] >= 128;
        let mut all = [if signed { 255 } else { 0 }; 8];
        all[..bytes.len()].copy_from_slice(bytes);
        i64::from_le_bytes(all)
    };
    let (a, b) = (word(old), word(new));
    let result = match update {
        Update::Sum => a.wrapping_add(b),
        Update::Max => a.max(b),
        Update::Xor => a ^ b,
        Update::Replace => b,
        Update::NoOp => a,
    };
    result.to_le_bytes()[..old.len()].to_vec()
}

impl Plan {
    /// Returns the buffer with the data of an access.
    pub(crate) fn origin_data(&self, window: &Window, id: usize) -> Vec<u8> {
        let length = window.accesses[id].from.memory().1;
        fill(&[self.seed, window.key * 1000 + id as u64, 0, 11], length)
    }

    /// Returns the buffer for the result of an access, before it is made.
    pub(crate) fn result_memory(&self, window: &Window, id: usize) -> Vec<u8> {
        let length = window.accesses[id].into.memory().1;
        fill(&[self.seed, window.key * 1000 + id as u64, 0, 12], length)
    }

    /// Returns bytes that a rank stores itself.
    pub(crate) fn stored(&self, window: &Window, rank: u32, key: u64, count: u64) -> Vec<u8> {
        let key = [self.seed, window.key * 1000 + key, u64::from(rank), 13];
        fill(&key, count as usize)
    }
}
