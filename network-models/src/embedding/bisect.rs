//! Recursive bisection: halves the grid and the slots repeatedly, each along its longest side. For
//! grids that fit no box of the network.

use super::{frame::Dimensions, measure::Machine, pattern::Pattern};

/// Returns the slot of each place of a grid.
pub(super) fn map(pattern: &Pattern, machine: &Machine) -> Option<Vec<u32>> {
    let grid = pattern.grid.as_ref()?;
    let sizes: Vec<u32> = grid.iter().map(|(size, _)| *size).collect();
    let dimensions = Dimensions::of(machine, false);
    let coordinates =
        machine.nodes.iter().map(|node| dimensions.place(*node, node.0)).collect::<Vec<_>>();
    let mut work = Bisection { sizes: &sizes, coordinates, slots: vec![0; machine.nodes.len()] };
    let mut all: Vec<u32> = (0..machine.nodes.len() as u32).collect();
    work.halve(vec![0; sizes.len()], sizes.clone(), &mut all);
    Some(work.slots)
}

struct Bisection<'a> {
    sizes: &'a [u32],
    /// Coordinates of the node of each slot.
    coordinates: Vec<Vec<u32>>,
    slots: Vec<u32>,
}

impl Bisection<'_> {
    /// Assigns the part of the grid that starts at `low` and has these extents to as many slots.
    fn halve(&mut self, low: Vec<u32>, extents: Vec<u32>, slots: &mut [u32]) {
        let longest = (0..extents.len()).rev().max_by_key(|at| extents[*at]);
        let Some(along) = longest.filter(|along| extents[*along] > 1) else {
            let place = low.iter().zip(self.sizes).fold(0, |place, (at, size)| place * size + at);
            self.slots[place as usize] = slots[0];
            return;
        };
        let half = extents[along] / 2;
        let first = slots.len() / extents[along] as usize * half as usize;
        let across = self.longest(slots);
        slots.sort_unstable_by_key(|slot| (self.coordinates[*slot as usize][across], *slot));
        let (near, far) = slots.split_at_mut(first);
        let (mut start, mut rest) = (low.clone(), extents.clone());
        rest[along] = half;
        self.halve(low, rest.clone(), near);
        start[along] += half;
        rest[along] = extents[along] - half;
        self.halve(start, rest, far);
    }

    /// Returns the coordinate with the largest difference; the first one if several are equal.
    fn longest(&self, slots: &[u32]) -> usize {
        let extent = |at: &usize| {
            let along = slots.iter().map(|slot| self.coordinates[*slot as usize][*at]);
            along.clone().max().unwrap_or(0) - along.min().unwrap_or(0)
        };
        let count = self.coordinates.first().map_or(0, Vec::len);
        (0..count).rev().max_by_key(extent).unwrap_or(0)
    }
}
