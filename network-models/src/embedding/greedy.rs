//! Greedy construction of a mapping for any graph: one place after the other, near its main
//! partner.

use std::{cmp::Reverse, collections::BinaryHeap};

use super::{measure::Machine, near::Near, pattern::Edges};

/// Number of free slots that are compared for a place.
const CHOICES: usize = 8;

/// Returns the slot of each place. `edges` has both directions. The next place is always the
/// unassigned one that exchanges most with the assigned ones.
pub(super) fn construct(edges: &Edges, machine: &Machine) -> Vec<u32> {
    let mut work = Construction::new(edges, machine);
    let heaviest = |place: &u32| {
        let sum: u64 = edges.of(*place).iter().map(|edge| u64::from(edge.1)).sum();
        (Reverse(sum), *place)
    };
    let mut order: Vec<u32> = (0..edges.places()).collect();
    order.sort_unstable_by_key(heaviest);
    for start in order {
        work.pull(start, 0);
        while let Some((pull, Reverse(place))) = work.queue.pop() {
            if work.slots[place as usize].is_none() && work.pulls[place as usize] == pull {
                work.put(place);
            }
        }
    }
    work.slots.into_iter().map(|slot| slot.expect("every place is put somewhere")).collect()
}

struct Construction<'a> {
    edges: &'a Edges,
    machine: &'a Machine<'a>,
    near: Near<'a>,
    slots: Vec<Option<u32>>,
    /// Weight that each place exchanges with assigned places.
    pulls: Vec<u64>,
    queue: BinaryHeap<(u64, Reverse<u32>)>,
    taken: Vec<bool>,
    /// Slots ordered by node, and the position of the first free one.
    in_order: Vec<u32>,
    next: usize,
}

impl<'a> Construction<'a> {
    fn new(edges: &'a Edges, machine: &'a Machine<'a>) -> Self {
        let places = edges.places() as usize;
        let mut in_order: Vec<u32> = (0..places as u32).collect();
        in_order.sort_by_key(|slot| machine.nodes[*slot as usize]);
        Self {
            edges,
            machine,
            near: Near::new(machine),
            slots: vec![None; places],
            pulls: vec![0; places],
            queue: BinaryHeap::new(),
            taken: vec![false; places],
            in_order,
            next: 0,
        }
    }

    fn pull(&mut self, place: u32, weight: u32) {
        if self.slots[place as usize].is_none() {
            let pull = &mut self.pulls[place as usize];
            *pull += u64::from(weight);
            self.queue.push((*pull, Reverse(place)));
        }
    }

    fn put(&mut self, place: u32) {
        let slot = self.choose(place);
        self.slots[place as usize] = Some(slot);
        self.taken[slot as usize] = true;
        for (other, weight) in self.edges.of(place) {
            self.pull(*other, *weight);
        }
    }

    /// Returns the best of the free slots near the partner with which the place exchanges most.
    fn choose(&mut self, place: u32) -> u32 {
        let slots = &self.slots;
        let partners: Vec<(u32, u32)> = self
            .edges
            .of(place)
            .iter()
            .filter_map(|(other, weight)| Some((slots[*other as usize]?, *weight)))
            .collect();
        let closest = partners.iter().max_by_key(|(slot, weight)| (*weight, Reverse(*slot)));
        let Some((closest, _)) = closest else { return self.first_free() };
        let taken = &self.taken;
        let found = self.near.of(*closest, CHOICES, |slot| !taken[slot as usize]);
        let cost = |slot: &u32| -> u64 {
            let each = |(other, weight): &(u32, u32)| {
                u64::from(*weight) * u64::from(self.machine.apart(*slot, *other))
            };
            partners.iter().map(each).sum()
        };
        found.into_iter().min_by_key(cost).unwrap_or_else(|| self.first_free())
    }

    fn first_free(&mut self) -> u32 {
        while self.taken[self.in_order[self.next] as usize] {
            self.next += 1;
        }
        self.in_order[self.next]
    }
}
