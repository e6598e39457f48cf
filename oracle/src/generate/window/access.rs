//! Random accesses.

use mpi_api::object::signature::Primitive;

use super::{Builder, Draft};
use crate::{
    layout::{Layout, Shape},
    plan::window::{Access, Deed, Kind, Update, Window},
    reference::window::present,
};

/// Types of data that no operation combines.
const TYPES: [Primitive; 5] =
    [Primitive::UInt8, Primitive::Int16, Primitive::Int32, Primitive::Float64, Primitive::Byte];

/// Returns the layout of consecutive elements.
fn plain(primitive: Primitive, elements: u64) -> Layout {
    let extent = primitive.size() as i64;
    Layout { fields: vec![(primitive, 0)], extent, shape: Shape::One, elements }
}

impl Builder {
    /// Adds an access by a rank to a target, if there is one that is right; `passive` says whether it may
    /// have a request.
    pub(super) fn access_by(&mut self, draft: &mut Draft, rank: u32, target: u32, passive: bool) {
        let Some(access) = self.any_access(draft, target, passive) else { return };
        let id = draft.window.accesses.len();
        draft.window.accesses.push(access);
        if !draft.try_deed(rank, Deed::Access(id)) {
            draft.window.accesses.pop();
        }
    }

    /// Returns an access to some bytes of a target.
    pub(super) fn any_access(
        &mut self,
        draft: &Draft,
        target: u32,
        passive: bool,
    ) -> Option<Access> {
        let kind = self.kind(draft);
        let primitive = if kind.is_atomic() { draft.primitive } else { self.pick(&TYPES) };
        let units = if kind.is_single() {
            1
        } else if self.one_in(20) {
            0
        } else {
            self.range(1, 6)
        };
        let simple = kind.is_single();
        let mut there = plain(primitive, units);
        if !simple {
            let drawn = self.layout(&[primitive], units, false);
            // Elements of atomic accesses lie on places of their size.
            let size = primitive.size() as i64;
            let aligned = drawn.map().iter().all(|(at, _)| at % size == 0);
            if aligned || !kind.is_atomic() {
                there = drawn;
            }
        }
        let at = match self.place(&draft.window, target, &there) {
            Some(at) => at,
            None => {
                there = plain(primitive, units);
                self.place(&draft.window, target, &there)?
            }
        };
        let mut side = |used: bool, sends: bool| {
            if used && !simple {
                self.layout(&[primitive], units, sends)
            } else {
                plain(primitive, units)
            }
        };
        let (from, into) = (side(kind.writes(), true), side(kind.fetches(), false));
        let kind = match kind {
            Kind::CompareAndSwap(_) if self.one_in(2) => {
                let place = (at, primitive.size());
                Kind::CompareAndSwap(present(&self.plan, &draft.window, target, place))
            }
            other => other,
        };
        let request = passive && !kind.is_single() && self.one_in(4);
        Some(Access { kind, request, primitive, target, at, from, into, there })
    }

    fn kind(&mut self, draft: &Draft) -> Kind {
        let others = [Update::Sum, Update::Max, Update::Xor, Update::Replace, Update::NoOp];
        let update = if self.one_in(4) { self.pick(&others) } else { draft.update };
        match self.below(12) {
            0..4 => Kind::Put,
            4..7 => Kind::Get,
            // `MPI_NO_OP` is for those that return something.
            7 | 8 if update != Update::NoOp => Kind::Accumulate(update),
            7..10 => Kind::GetAccumulate(update),
            10 => Kind::FetchAndOp(update),
            _ => Kind::CompareAndSwap(self.below(256)),
        }
    }

    /// Returns a place at a target from which a layout is inside its part.
    fn place(&mut self, window: &Window, target: u32, there: &Layout) -> Option<u64> {
        let map = there.map();
        let low = map.iter().map(|(at, _)| *at).min().unwrap_or(0);
        let high = map.iter().map(|(at, size)| at + *size as i64).max().unwrap_or(0);
        let step = window.unit.max(there.fields[0].0.size() as u64) as i64;
        let bytes = window.bytes[target as usize] as i64;
        let (least, most) = ((-low).max(0), bytes - high.max(0));
        let (first, last) = ((least + step - 1) / step, most.div_euclid(step));
        if most < 0 || first > last {
            return None;
        }
        Some(self.range(first as u64, last as u64 + 1) * step as u64)
    }
}
