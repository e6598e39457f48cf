//! The compilation units of an object's debug information.

use std::cell::OnceCell;

use gimli::{AttributeValue, DebugInfoOffset, UnitHeader, UnitOffset};

use super::debug::{Dwarf, Slice, Unit};

/// Where an entry is: the number of its unit, in the order of the file, and its offset there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct EntryRef {
    pub(super) unit: usize,
    pub(super) offset: UnitOffset,
}

/// The compilation units of an object. Each is read when it is first asked for.
pub(super) struct Units<'a> {
    all: Vec<(UnitHeader<Slice<'a>>, OnceCell<Option<Unit<'a>>>)>,
}

impl<'a> Units<'a> {
    /// Finds the units of an object.
    pub(super) fn new(dwarf: &Dwarf<'a>) -> Self {
        let mut headers = dwarf.units();
        let next = || Some((headers.next().ok()??, OnceCell::new()));
        Self { all: std::iter::from_fn(next).collect() }
    }

    /// Returns the number of units.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns a unit; `None` if it is broken, or if there are not so many.
    pub(super) fn get(&self, number: usize, dwarf: &Dwarf<'a>) -> Option<&Unit<'a>> {
        let (header, unit) = self.all.get(number)?;
        unit.get_or_init(|| dwarf.unit(*header).ok()).as_ref()
    }

    /// Returns what an attribute of an entry of a unit refers to. After optimisation at link time, this may be an entry of
    /// another unit.
    pub(super) fn referred(
        &self,
        unit: usize,
        value: &AttributeValue<Slice<'a>>,
    ) -> Option<EntryRef> {
        match *value {
            AttributeValue::UnitRef(offset) => Some(EntryRef { unit, offset }),
            AttributeValue::DebugInfoRef(offset) => self.at(offset),
            _ => None,
        }
    }

    /// Returns the place of an entry at an offset in the whole debug information.
    fn at(&self, offset: DebugInfoOffset) -> Option<EntryRef> {
        let begins_before = |header: &UnitHeader<Slice<'a>>| {
            header.debug_info_offset().is_some_and(|begin| begin <= offset)
        };
        let unit = self.all.partition_point(|(header, _)| begins_before(header)).checked_sub(1)?;
        let offset = offset.to_unit_offset(&self.all[unit].0)?;
        Some(EntryRef { unit, offset })
    }
}
