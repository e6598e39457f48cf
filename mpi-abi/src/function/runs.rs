//! Runs of bytes, and whether they have bytes in common.

/// Runs of bytes in ascending order of address, relative to a base address.
#[derive(Clone, Copy)]
pub(super) struct Runs<'a> {
    pub(super) base: i64,
    pub(super) list: &'a [(i64, i64)],
}

impl<'a> Runs<'a> {
    /// Creates runs with absolute addresses.
    pub(super) fn of(list: &'a [(i64, i64)]) -> Self {
        Self { base: 0, list }
    }

    fn first(self) -> Option<(i64, i64)> {
        self.list.first().map(|(start, end)| (self.base + start, self.base + end))
    }

    /// Drops the first run, and all following ones that end at or before `place`.
    fn beyond(self, place: i64) -> Self {
        let place = place - self.base;
        let list = &self.list[1..];
        let next_reaches = list.first().is_none_or(|run| run.1 > place);
        let passed = if next_reaches { 0 } else { list.partition_point(|run| run.1 <= place) };
        Self { list: &list[passed..], ..self }
    }

    /// Reports whether both contain a common byte.
    pub(super) fn meet(mut self, mut other: Self) -> bool {
        while let (Some(a), Some(b)) = (self.first(), other.first()) {
            if a.1 <= b.0 {
                self = self.beyond(b.0);
            } else if b.1 <= a.0 {
                other = other.beyond(a.0);
            } else {
                return true;
            }
        }
        false
    }
}
