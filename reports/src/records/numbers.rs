//! [`Numbers`]: values that are written once and then named by a number.

use std::collections::BTreeMap;

/// Values by numbers in order of appearance, from 0.
#[derive(Clone)]
pub(crate) struct Numbers<T> {
    numbers: BTreeMap<T, u32>,
    values: Vec<T>,
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self { numbers: BTreeMap::new(), values: Vec::new() }
    }
}

impl<T: Copy + Ord> Numbers<T> {
    /// Returns the number of a value.
    pub(crate) fn of(&mut self, value: T) -> u32 {
        *self.numbers.entry(value).or_insert_with(|| {
            self.values.push(value);
            self.values.len() as u32 - 1
        })
    }

    /// Returns the values in order of their numbers.
    pub(crate) fn values(&self) -> &[T] {
        &self.values
    }
}
