//! [`Wheel`]: what happens after a known number of cycles.

/// Values that become due some cycles later, up to a limit.
///
/// Order: values that are due in one cycle come in the order in which they were added.
#[derive(Debug)]
pub(super) struct Wheel<T> {
    slots: Vec<Vec<T>>,
    count: usize,
}

impl<T> Wheel<T> {
    /// Creates an empty wheel for delays of up to `longest` cycles.
    pub(super) fn new(longest: u64) -> Self {
        Self { slots: (0..=longest).map(|_| Vec::new()).collect(), count: 0 }
    }

    /// Adds a value that is due in `cycle`, which is later than the cycle taken last.
    pub(super) fn add(&mut self, cycle: u64, value: T) {
        let slot = cycle as usize % self.slots.len();
        self.slots[slot].push(value);
        self.count += 1;
    }

    /// Moves the values that are due in `cycle` to `due`. No cycle in which values are due may be
    /// left out.
    pub(super) fn take(&mut self, cycle: u64, due: &mut Vec<T>) {
        let slot = cycle as usize % self.slots.len();
        due.clear();
        std::mem::swap(due, &mut self.slots[slot]);
        self.count -= due.len();
    }

    /// Returns the first cycle after `cycle` in which a value is due.
    pub(super) fn next(&self, cycle: u64) -> Option<u64> {
        let later = cycle + 1..=cycle + self.slots.len() as u64;
        let due = |cycle: &u64| !self.slots[*cycle as usize % self.slots.len()].is_empty();
        if self.count == 0 { None } else { later.into_iter().find(due) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_due_in_their_cycle() {
        let (mut wheel, mut due) = (Wheel::new(3), Vec::new());
        assert_eq!(wheel.next(7), None);
        for (cycle, value) in [(10, 'a'), (9, 'b'), (10, 'c')] {
            wheel.add(cycle, value);
        }
        assert_eq!(wheel.next(7), Some(9));
        wheel.take(8, &mut due);
        assert_eq!(due, []);
        wheel.take(9, &mut due);
        assert_eq!((due.as_slice(), wheel.next(9)), (&['b'][..], Some(10)));
        wheel.add(12, 'd');
        wheel.take(10, &mut due);
        assert_eq!((due.as_slice(), wheel.next(10)), (&['a', 'c'][..], Some(12)));
    }
}
