//! Objects that a program keeps for its whole run: their handles are found in its static memory.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use mpi_api::{
    call::{ReportCall, Site, TypeCall},
    finding::{Leak, Object},
};

use super::{fault::Mpi, object::Type, rank::State};
use crate::constant::Handle;
use guest::running;

/// Maximum static memory that is searched, bytes: programs with more keep their data there.
const SEARCHED_MAX: usize = 64 << 20;

/// Objects of one kind that were never freed, with their handles and the places that made them.
type Left<'a> = &'a [(Handle, Site)];

/// Selects the objects whose place made only one object.
pub(super) fn made_once(left: Left<'_>) -> BTreeSet<Handle> {
    let place = |site: &Site| (site.file, site.line, site.column);
    let mut times: BTreeMap<_, u32> = BTreeMap::new();
    left.iter().for_each(|(_, site)| *times.entry(place(site)).or_default() += 1);
    left.iter().filter(|(_, site)| times[&place(site)] == 1).map(|(handle, _)| *handle).collect()
}

/// Selects the handles that occur in the static memory of the running program, as words of C or as numbers of Fortran, which
/// are half as long: the handles of types and operations cannot be confused with other values (`handle::FIRST_TYPE`).
fn in_static_memory(handles: &BTreeSet<Handle>) -> BTreeSet<Handle> {
    let mut found = BTreeSet::new();
    let (Some(low), Some(high)) = (handles.first(), handles.last()) else { return found };
    if running::static_bytes() > SEARCHED_MAX {
        return found;
    }
    // No page is closed: watched programs are not searched.
    running::each_static_word(|word| {
        for number in [word & 0xffff_ffff, word >> 32] {
            if (low..=high).contains(&&number) && handles.contains(&number) {
                found.insert(number);
            }
        }
    });
    found
}

impl State {
    /// Selects, from objects that were never freed, those that the program keeps on purpose.
    pub(super) fn cached(&self, left: Left<'_>) -> BTreeSet<Handle> {
        // Some of a watched program's pages may be closed, and the leaks of this program are
        // reported by the other runs.
        if self.watched { BTreeSet::new() } else { in_static_memory(&made_once(left)) }
    }

    /// Reports datatypes that the program keeps for its whole run as such, so that the kernel does
    /// not report them as leaks.
    pub(super) fn report_cached_types(&self, site: Site) -> Mpi {
        let made =
            |(handle, found): (Handle, &Rc<Type>)| Some((handle, found.record?, found.made?));
        let types: Vec<_> = self.types.borrow().entries().filter_map(made).collect();
        let left: Vec<_> = types.iter().map(|(handle, _, made)| (*handle, *made)).collect();
        let cached = self.cached(&left);
        for (_, record, made) in types.iter().filter(|(handle, ..)| cached.contains(handle)) {
            self.kernel(site, TypeCall::Free(*record))?;
            self.kernel(site, ReportCall::Leak(Leak::Cached(Object::Datatype), *made))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_place_makes_often_is_not_kept_on_purpose() {
        let at = |line| Site::at("a.c", line, 1);
        let left = [(1, at(3)), (2, at(4)), (3, at(4)), (4, at(5))];
        assert_eq!(made_once(&left), BTreeSet::from([1, 4]));
    }
}
