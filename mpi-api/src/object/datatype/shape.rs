//! The places of a type's bytes: loops over blocks instead of lists of blocks, so that the
//! description stays small for large counts.

use std::{ops::ControlFlow, rc::Rc};

/// Bytes relative to a base address, in the order of the type map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A shape without bytes.
    Empty,
    /// Equal blocks at equal distances; one block if `count` is 1.
    Blocks {
        /// Displacement of the first block in bytes.
        at: i64,
        /// Number of blocks, at least 1.
        count: u64,
        /// Distance between the starts of blocks in bytes.
        stride: i64,
        /// Length of a block in bytes, at least 1.
        length: u64,
    },
    /// Several copies of a shape at equal distances.
    Repeat {
        /// Displacement added to `inner`, in bytes.
        at: i64,
        /// Number of copies, at least 2.
        count: u64,
        /// Distance between copies in bytes.
        stride: i64,
        /// The shape that is repeated.
        inner: Rc<Shape>,
    },
    /// A sequence of shapes.
    Sequence {
        /// Displacement added to the parts, in bytes.
        at: i64,
        /// The shapes, at least 2 and none empty.
        parts: Rc<[Shape]>,
    },
}

/// Equal blocks at equal distances, the unit of the copy loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strip {
    pub(super) at: i64,
    pub(super) count: u64,
    pub(super) stride: i64,
    pub(super) length: u64,
}

impl Shape {
    pub(super) fn block(at: i64, length: u64) -> Self {
        if length == 0 {
            return Self::Empty;
        }
        Self::Blocks { at, count: 1, stride: length as i64, length }
    }

    pub(super) fn shift(&self, by: i64) -> Self {
        let mut moved = self.clone();
        match &mut moved {
            Self::Empty => {}
            Self::Blocks { at, .. } | Self::Repeat { at, .. } | Self::Sequence { at, .. } => {
                *at = at.wrapping_add(by);
            }
        }
        moved
    }

    pub(super) fn repeat(&self, times: u64, distance: i64) -> Self {
        match *self {
            _ if times == 0 => Self::Empty,
            _ if times == 1 => self.clone(),
            Self::Empty => Self::Empty,
            Self::Blocks { at, count: 1, length, .. } if distance == length as i64 => {
                Self::block(at, length * times)
            }
            Self::Blocks { at, count: 1, length, .. } => {
                Self::Blocks { at, count: times, stride: distance, length }
            }
            Self::Blocks { at, count, stride, length }
                if i128::from(stride) * i128::from(count) == i128::from(distance) =>
            {
                Self::Blocks { at, count: count * times, stride, length }
            }
            _ => {
                Self::Repeat { at: 0, count: times, stride: distance, inner: Rc::new(self.clone()) }
            }
        }
    }

    /// Concatenates the parts in order; adjacent blocks are joined, and evenly spaced ones become a
    /// loop.
    pub(super) fn sequence(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut kept: Vec<Self> = Vec::new();
        for part in parts {
            if part == Self::Empty {
                continue;
            }
            match kept.last_mut().and_then(|last| last.joined(&part)) {
                Some(joined) => *kept.last_mut().expect("it was joined") = joined,
                None => kept.push(part),
            }
        }
        match kept.len() {
            0 => Self::Empty,
            1 => kept.swap_remove(0),
            _ => Self::Sequence { at: 0, parts: kept.into() },
        }
    }

    /// Returns one shape for this one followed by a block, if there is one.
    fn joined(&self, next: &Self) -> Option<Self> {
        let Self::Blocks { at, count, stride, length } = *self else { return None };
        let Self::Blocks { at: then, count: 1, length: more, .. } = *next else { return None };
        if count == 1 && then == at.wrapping_add(length as i64) {
            return Some(Self::block(at, length + more));
        }
        let pace = if count == 1 { then.wrapping_sub(at) } else { stride };
        let expected = at.wrapping_add(pace.wrapping_mul(count as i64));
        (more == length && then == expected).then_some(Self::Blocks {
            at,
            count: count + 1,
            stride: pace,
            length,
        })
    }

    /// Calls `f` with every strip, in order, until it breaks.
    pub(super) fn walk(
        &self,
        base: i64,
        f: &mut impl FnMut(Strip) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self {
            Self::Empty => ControlFlow::Continue(()),
            Self::Blocks { at, count, stride, length } => f(Strip {
                at: base.wrapping_add(*at),
                count: *count,
                stride: *stride,
                length: *length,
            }),
            Self::Repeat { at, count, stride, inner } => {
                let mut place = base.wrapping_add(*at);
                for _ in 0..*count {
                    inner.walk(place, f)?;
                    place = place.wrapping_add(*stride);
                }
                ControlFlow::Continue(())
            }
            Self::Sequence { at, parts } => {
                let base = base.wrapping_add(*at);
                parts.iter().try_for_each(|part| part.walk(base, f))
            }
        }
    }

    /// Returns the loops from the outermost to the innermost and the length of its block, unless
    /// the shape contains a sequence.
    pub(super) fn nest(&self) -> Option<(Vec<(u64, i64)>, u64)> {
        match self {
            Self::Blocks { count, stride, length, .. } => Some((vec![(*count, *stride)], *length)),
            Self::Repeat { count, stride, inner, .. } => {
                let (mut loops, length) = inner.nest()?;
                loops.push((*count, *stride));
                Some((loops, length))
            }
            Self::Empty | Self::Sequence { .. } => None,
        }
    }
}
