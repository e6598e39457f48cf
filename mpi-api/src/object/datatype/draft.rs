//! The algebra behind the constructors: each is a combination of repetition, shift and
//! concatenation of type maps (MPI section 5.1.2).

use std::cell::OnceCell;

use super::{Datatype, Description, Envelope, shape::Shape};
use crate::{
    error::{ErrorClass, MpiError},
    object::signature::{Primitive, Signature},
};

/// A type map before its envelope is known.
#[derive(Clone)]
pub(super) struct Draft {
    pub(super) size: u64,
    pub(super) elements: u64,
    /// First byte and end of the data; `None` without data.
    pub(super) bounds: Option<(i64, i64)>,
    pub(super) lb_marker: Option<i64>,
    pub(super) ub_marker: Option<i64>,
    /// Strictest alignment of the basic types in bytes, at least 1.
    pub(super) alignment: u64,
    pub(super) shape: Shape,
    pub(super) signature: Signature,
}

pub(super) fn too_large() -> MpiError {
    MpiError::new(ErrorClass::Count, "the datatype is larger than an address can tell")
}

impl Draft {
    pub(super) fn empty() -> Self {
        Self {
            size: 0,
            elements: 0,
            bounds: None,
            lb_marker: None,
            ub_marker: None,
            alignment: 1,
            shape: Shape::Empty,
            signature: Signature::EMPTY,
        }
    }

    pub(super) fn primitive(primitive: Primitive) -> Self {
        let size = primitive.size() as u64;
        let parts = primitive.parts().map(|(value, index)| (value.size(), index));
        let (shape, end) = match parts {
            None => (Shape::block(0, size), size),
            Some((value, index)) => {
                let at = value.next_multiple_of(index.alignment()) as u64;
                let blocks = [(0, value as u64), (at, index.size() as u64)];
                let shape = blocks.map(|(at, length)| Shape::block(at as i64, length));
                (Shape::sequence(shape), at + index.size() as u64)
            }
        };
        Self {
            size,
            elements: if parts.is_some() { 2 } else { 1 },
            bounds: Some((0, end as i64)),
            alignment: primitive.alignment() as u64,
            shape,
            signature: Signature::of(primitive, 1),
            ..Self::empty()
        }
    }

    pub(super) fn of(datatype: &Datatype) -> Self {
        datatype.0.draft.clone()
    }

    /// Returns `count` copies, `stride` bytes apart.
    pub(super) fn repeat(&self, count: u64, stride: i64) -> Result<Self, MpiError> {
        if count == 0 {
            return Ok(Self::empty());
        }
        let last = i64::try_from(count - 1).ok().and_then(|n| n.checked_mul(stride));
        let last = last.ok_or_else(too_large)?;
        Ok(Self {
            size: self.size.checked_mul(count).ok_or_else(too_large)?,
            elements: self.elements.checked_mul(count).ok_or_else(too_large)?,
            shape: self.shape.repeat(count, stride),
            signature: self.signature.repeat(count),
            ..self.stretched(last.min(0), last.max(0))?
        })
    }

    /// Returns the type map shifted by `by` bytes.
    pub(super) fn shift(&self, by: i64) -> Result<Self, MpiError> {
        Ok(Self { shape: self.shape.shift(by), ..self.stretched(by, by)? })
    }

    /// Moves the lower bounds by `low` and the upper bounds by `high` bytes.
    fn stretched(&self, low: i64, high: i64) -> Result<Self, MpiError> {
        let add = |a: i64, b: i64| a.checked_add(b).ok_or_else(too_large);
        let mut moved = self.clone();
        if let Some((first, past)) = self.bounds {
            moved.bounds = Some((add(first, low)?, add(past, high)?));
        }
        moved.lb_marker = self.lb_marker.map(|at| add(at, low)).transpose()?;
        moved.ub_marker = self.ub_marker.map(|at| add(at, high)).transpose()?;
        Ok(moved)
    }

    /// Concatenates the parts in the type map.
    pub(super) fn sequence(parts: Vec<Self>) -> Result<Self, MpiError> {
        let mut whole = Self::empty();
        for part in &parts {
            whole.size = whole.size.checked_add(part.size).ok_or_else(too_large)?;
            whole.elements += part.elements;
            whole.alignment = whole.alignment.max(part.alignment);
            whole.bounds = outer(whole.bounds, part.bounds);
            whole.lb_marker = least(whole.lb_marker, part.lb_marker);
            whole.ub_marker = whole.ub_marker.max(part.ub_marker);
        }
        whole.signature =
            Signature::sequence(parts.iter().map(|part| part.signature.clone()).collect());
        whole.shape = Shape::sequence(parts.into_iter().map(|part| part.shape));
        Ok(whole)
    }

    /// Sets explicit bounds, replacing previous ones.
    pub(super) fn resized(mut self, lb: i64, ub: i64) -> Self {
        (self.lb_marker, self.ub_marker) = (Some(lb), Some(ub));
        self
    }

    pub(super) fn finish(self, envelope: Envelope) -> Result<Datatype, MpiError> {
        let (first, past) = self.bounds.unwrap_or((0, 0));
        let lb = self.lb_marker.unwrap_or(first);
        let ub = match self.ub_marker {
            Some(ub) => ub,
            None => {
                let extent = i128::from(past) - i128::from(lb);
                let unit = i128::from(self.alignment);
                let padded = (extent + unit - 1).div_euclid(unit) * unit;
                i64::try_from(i128::from(lb) + padded).map_err(|_| too_large())?
            }
        };
        ub.checked_sub(lb).ok_or_else(too_large)?;
        let overlaps = OnceCell::new();
        let spans = OnceCell::new();
        Ok(Datatype::new(Description { envelope, lb, ub, draft: self, overlaps, spans }))
    }
}

fn outer(a: Option<(i64, i64)>, b: Option<(i64, i64)>) -> Option<(i64, i64)> {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        (a, b) => a.or(b),
    }
}

fn least(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}
