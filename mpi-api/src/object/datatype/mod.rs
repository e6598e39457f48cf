//! Derived datatypes: the layout of message data in memory (MPI section 5.1).
//!
//! A [`Datatype`] is a pure value. Whether it is committed or freed is a property of the program's
//! handle.

mod array;
mod comb;
mod construct;
mod copy;
mod draft;
mod envelope;
mod overlap;
mod shape;
#[cfg(test)]
mod tests;

use std::{
    cell::OnceCell,
    ops::{ControlFlow, Range},
    rc::Rc,
};

pub use array::{Dimension, Distribution, Order};
pub use comb::Comb;
use draft::Draft;
pub use envelope::{Combiner, Envelope, Named};
use shape::Shape;

use super::signature::{Primitive, Signature};

/// An immutable datatype; cheap to clone.
#[derive(Clone)]
pub struct Datatype(Rc<Description>);

struct Description {
    envelope: Envelope,
    lb: i64,
    ub: i64,
    draft: Draft,
    /// Whether one element names a byte twice; computed when first needed.
    overlaps: OnceCell<bool>,
    /// The result of [`Datatype::spans`]; computed when first needed.
    spans: OnceCell<Box<[(i64, i64)]>>,
}

/// Largest number of blocks of one element for which [`Datatype::spans`] returns places.
pub const SPANS_MAX: u64 = 1 << 12;

/// Sorts runs of bytes by address and joins those that touch or overlap.
pub fn joined(mut runs: Vec<(i64, i64)>) -> Box<[(i64, i64)]> {
    runs.sort_unstable();
    runs.dedup_by(|next, last| {
        let touches = next.0 <= last.1;
        if touches {
            last.1 = last.1.max(next.1);
        }
        touches
    });
    runs.into()
}

impl Datatype {
    fn new(description: Description) -> Self {
        Self(Rc::new(description))
    }

    /// Returns the bytes of data in one element, without gaps (`MPI_Type_size`).
    pub fn size(&self) -> u64 {
        self.0.draft.size
    }

    /// Returns the lower bound in bytes (`MPI_Type_get_extent`).
    pub fn lb(&self) -> i64 {
        self.0.lb
    }

    /// Returns the upper bound in bytes; unless set explicitly, it is padded to the strictest
    /// alignment.
    pub fn ub(&self) -> i64 {
        self.0.ub
    }

    /// Returns the distance between consecutive elements in bytes (`MPI_Type_get_extent`).
    pub fn extent(&self) -> i64 {
        self.0.ub - self.0.lb
    }

    /// Returns the displacement of the first byte of data (`MPI_Type_get_true_extent`); 0 without
    /// data.
    pub fn true_lb(&self) -> i64 {
        self.0.draft.bounds.map_or(0, |(first, _)| first)
    }

    /// Returns the bytes from the first to past the last byte of data (`MPI_Type_get_true_extent`).
    pub fn true_extent(&self) -> i64 {
        self.0.draft.bounds.map_or(0, |(first, past)| past - first)
    }

    /// Returns the strictest alignment of its basic types in bytes.
    pub fn alignment(&self) -> u64 {
        self.0.draft.alignment
    }

    /// Returns the number of basic types in one element; pair types have two.
    pub fn elements(&self) -> u64 {
        self.0.draft.elements
    }

    /// Returns the signature of one element.
    pub fn signature(&self) -> &Signature {
        &self.0.draft.signature
    }

    /// Returns the signature of `count` elements.
    pub fn signature_of(&self, count: u64) -> Signature {
        self.signature().repeat(count)
    }

    /// Returns the predefined type, if it is one.
    pub fn primitive(&self) -> Option<Primitive> {
        match self.0.envelope.named {
            Some(Named::Primitive(primitive)) => Some(primitive),
            _ => None,
        }
    }

    /// Returns the constructor and its arguments.
    pub fn envelope(&self) -> &Envelope {
        &self.0.envelope
    }

    /// Reports whether both are the same object.
    pub fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// Reports whether the data of any number of elements are one run of bytes from displacement 0.
    pub fn is_contiguous(&self) -> bool {
        match self.0.draft.shape {
            Shape::Empty => true,
            Shape::Blocks { at: 0, count: 1, length, .. } => self.extent() == length as i64,
            _ => false,
        }
    }

    /// Reports whether `count` elements name a byte twice: legal to send, an error to receive into
    /// (MPI section 5.1.11).
    pub fn overlaps(&self, count: u64) -> bool {
        if count == 0 {
            return false;
        }
        let shape = &self.0.draft.shape;
        if *self.0.overlaps.get_or_init(|| overlap::overlaps(shape)) {
            return true;
        }
        // Elements whose extents do not overlap need no further check.
        let apart = self.extent().unsigned_abs() >= self.true_extent() as u64;
        count > 1 && !apart && overlap::overlaps(&shape.repeat(count, self.extent()))
    }

    /// Returns the number of whole elements in `bytes` bytes (`MPI_Get_count`); `None` is
    /// `MPI_UNDEFINED`.
    pub fn count_in(&self, bytes: u64) -> Option<u64> {
        match self.size() {
            0 => (bytes == 0).then_some(0),
            size => bytes.is_multiple_of(size).then_some(bytes / size),
        }
    }

    /// Returns the number of basic elements in `bytes` bytes (`MPI_Get_elements`); `None` if they
    /// end inside one.
    pub fn basic_elements(&self, bytes: u64) -> Option<u64> {
        match self.size() {
            0 => (bytes == 0).then_some(0),
            size => {
                let part = self.signature().elements_in(bytes % size)?;
                Some(bytes / size * self.elements() + part)
            }
        }
    }

    /// Returns the range of bytes from the first to past the last that `count` elements touch;
    /// empty without data.
    pub fn span(&self, count: usize) -> Range<i64> {
        let Some((first, past)) = self.0.draft.bounds.filter(|_| count > 0) else { return 0..0 };
        let last = (count as i64 - 1).saturating_mul(self.extent());
        first.saturating_add(last.min(0))..past.saturating_add(last.max(0))
    }

    /// Returns displacement and length in bytes of every block of one element, in order of the type
    /// map, joined where they touch.
    pub fn blocks(&self) -> Vec<(i64, u64)> {
        let mut blocks = Vec::new();
        let _ = self.each_block(|at, length| {
            blocks.push((at, length));
            ControlFlow::Continue(())
        });
        blocks
    }

    /// Calls `f` with every block of one element, in order of the type map, until it breaks.
    fn each_block(&self, mut f: impl FnMut(i64, u64) -> ControlFlow<()>) -> ControlFlow<()> {
        self.0.draft.shape.walk(0, &mut |strip| {
            (0..strip.count as i64).try_for_each(|n| f(strip.at + n * strip.stride, strip.length))
        })
    }

    /// Returns first byte and end of every run of bytes of one element, disjoint and in order of
    /// address; empty if it has more than [`SPANS_MAX`] blocks.
    pub fn spans(&self) -> &[(i64, i64)] {
        self.0.spans.get_or_init(|| {
            let mut spans: Vec<(i64, i64)> = Vec::new();
            let told = self.each_block(|at, length| {
                spans.push((at, at + length as i64));
                if spans.len() as u64 > SPANS_MAX {
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            });
            if told.is_break() { Box::default() } else { joined(spans) }
        })
    }

    /// Returns the type map of one element: every basic type with its displacement in bytes, in
    /// order (MPI section 5.1.1). Its length is the number of basic types.
    pub fn type_map(&self) -> Vec<(Primitive, i64)> {
        let mut types = self.signature().runs().flat_map(|(primitive, count)| {
            std::iter::repeat_n(primitive, usize::try_from(count).unwrap_or(usize::MAX))
        });
        let mut map = Vec::new();
        for (start, length) in self.blocks() {
            let mut at = start;
            while at < start + length as i64
                && let Some(primitive) = types.next()
            {
                map.push((primitive, at));
                at += primitive.size() as i64;
            }
        }
        map
    }

    fn repeated(&self, count: usize) -> Shape {
        self.0.draft.shape.repeat(count as u64, self.extent())
    }
}

impl std::fmt::Debug for Datatype {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0.envelope.named {
            Some(Named::Primitive(primitive)) => f.write_str(primitive.name()),
            Some(Named::LowerBound) => f.write_str("MPI_LB"),
            Some(Named::UpperBound) => f.write_str("MPI_UB"),
            None => write!(f, "{:?} of {}", self.0.envelope.combiner, self.signature()),
        }
    }
}
