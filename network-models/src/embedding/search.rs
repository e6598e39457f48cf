//! Improvement of a mapping by exchanging places, within a bounded amount of work.

use rand::RngExt;
use sim_core::ChaCha8Rng;

use super::{measure::Machine, near::Near, pattern::Edges};

/// Number of exchanges tried for each pair of places.
const TRIES: u64 = 40;
/// Most distances that are computed.
const WORK_MAX: u64 = 1 << 23;
/// Number of slots next to a partner that a place tries to get.
const CLOSE: usize = 6;

/// Exchanges places so that communicating ones come closer (simulated annealing). At first an
/// exchange may increase the cost, later by less, and at the end not at all; the result may still
/// be worse than the initial mapping. `edges` has both directions; `heat` is the largest increase
/// at first, in halves of the cost of a mean edge between nearest nodes.
pub(super) fn improve(
    edges: &Edges,
    machine: &Machine,
    slots: Vec<u32>,
    heat: u64,
    random: &mut ChaCha8Rng,
) -> Vec<u32> {
    let places = u64::from(edges.places());
    let weights: u64 = edges.iter().map(|edge| u64::from(edge.2)).sum();
    if weights == 0 {
        return slots;
    }
    let each = 4 * (edges.count() as u64).div_ceil(places).max(1);
    let tries = (TRIES * places * places).min(WORK_MAX / each).max(1);
    let mean = weights / edges.count() as u64 * u64::from(machine.nearest());
    let start = heat * mean / 2 + 1;
    let mut state = State::new(edges, machine, slots);
    for tried in 0..tries {
        let left = (3 * tries / 4).saturating_sub(tried);
        let bearable = (start * left / tries) as i64;
        let Some((a, b)) = state.pick(random) else { continue };
        let change = state.change(a, b);
        if change <= 0 || (bearable > 0 && change <= random.random_range(0..=2 * bearable)) {
            state.exchange(a, b);
        }
    }
    state.slots
}

struct State<'a> {
    edges: &'a Edges,
    machine: &'a Machine<'a>,
    slots: Vec<u32>,
    /// Place on each slot.
    places: Vec<u32>,
    /// Index in `close` of the first slot close to each slot.
    first: Vec<u32>,
    close: Vec<u32>,
}

impl<'a> State<'a> {
    fn new(edges: &'a Edges, machine: &'a Machine<'a>, slots: Vec<u32>) -> Self {
        let mut places = vec![0; slots.len()];
        for (place, slot) in slots.iter().enumerate() {
            places[*slot as usize] = place as u32;
        }
        let mut near = Near::new(machine);
        let (mut first, mut close) = (vec![0], Vec::new());
        for slot in 0..slots.len() as u32 {
            close.extend(near.of(slot, CLOSE, |other| other != slot));
            first.push(close.len() as u32);
        }
        Self { edges, machine, slots, places, first, close }
    }

    /// Returns two places to exchange: a random one and the one on a slot close to one of its
    /// partners, or sometimes on any slot.
    fn pick(&self, random: &mut ChaCha8Rng) -> Option<(u32, u32)> {
        let count = self.slots.len() as u32;
        let place = random.random_range(0..count);
        let partners = self.edges.of(place);
        let mut other = random.random_range(0..count);
        if !partners.is_empty() && random.random_range(0..8) > 0 {
            let partner = partners[random.random_range(0..partners.len() as u32) as usize].0;
            let slot = self.slots[partner as usize] as usize;
            let close = &self.close[self.first[slot] as usize..self.first[slot + 1] as usize];
            if !close.is_empty() {
                other = self.places
                    [close[random.random_range(0..close.len() as u32) as usize] as usize];
            }
        }
        let apart = self.machine.nodes[self.slots[place as usize] as usize]
            != self.machine.nodes[self.slots[other as usize] as usize];
        apart.then_some((place, other))
    }

    /// Returns the increase of the cost if two places are exchanged.
    fn change(&self, a: u32, b: u32) -> i64 {
        let (from, to) = (self.slots[a as usize], self.slots[b as usize]);
        self.moved(a, b, from, to) + self.moved(b, a, to, from)
    }

    fn moved(&self, place: u32, exchanged: u32, from: u32, to: u32) -> i64 {
        let each = |(other, weight): &(u32, u32)| {
            let at = self.slots[*other as usize];
            let (before, after) = (self.machine.apart(from, at), self.machine.apart(to, at));
            i64::from(*weight) * (i64::from(after) - i64::from(before))
        };
        let partners = self.edges.of(place).iter();
        partners.filter(|(other, _)| *other != exchanged).map(each).sum()
    }

    fn exchange(&mut self, a: u32, b: u32) {
        self.slots.swap(a as usize, b as usize);
        self.places[self.slots[a as usize] as usize] = a;
        self.places[self.slots[b as usize] as usize] = b;
    }
}
