//! Type signatures: the basic types of a message without their displacements (MPI section 5.1.1).

use std::{fmt, rc::Rc};

use serde::{Deserialize, Serialize};

pub use super::primitive::{Kind, Primitive};

/// A sequence of basic types. Repetitions are stored as such, so that a long message of a
/// structured type costs no more than one element of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Signature {
    /// A run of equal types: the type and its count.
    One(Primitive, u64),
    /// A signature repeated a number of times.
    Repeat(Rc<(Signature, u64)>),
    /// Several signatures in order.
    Sequence(Rc<Vec<Signature>>),
}

// Every message carries two signatures, so they are kept small.
const _: () = assert!(size_of::<Signature>() == 16);

impl Signature {
    /// The empty signature.
    pub const EMPTY: Self = Self::One(Primitive::Byte, 0);

    /// Creates the signature of `count` elements of a type; pair types are stored as their two
    /// parts.
    #[inline]
    pub fn of(primitive: Primitive, count: u64) -> Self {
        if primitive.kind() == Kind::Pair {
            return Self::of_pairs(primitive, count);
        }
        Self::One(primitive, count)
    }

    fn of_pairs(primitive: Primitive, count: u64) -> Self {
        match primitive.parts() {
            None => Self::One(primitive, count),
            Some((value, index)) if value == index => Self::One(value, 2 * count),
            Some((value, index)) => {
                Self::sequence(vec![Self::One(value, 1), Self::One(index, 1)]).repeat(count)
            }
        }
    }

    /// Returns this signature repeated `count` times.
    #[must_use]
    pub fn repeat(&self, count: u64) -> Self {
        match self {
            _ if count == 0 || self.is_empty() => Self::EMPTY,
            _ if count == 1 => self.clone(),
            Self::One(primitive, once) => Self::One(*primitive, once * count),
            Self::Repeat(once) => Self::Repeat(Rc::new((once.0.clone(), once.1 * count))),
            Self::Sequence(_) => Self::Repeat(Rc::new((self.clone(), count))),
        }
    }

    /// Returns the concatenation of several signatures.
    pub fn sequence(parts: Vec<Self>) -> Self {
        let mut kept: Vec<Self> = Vec::new();
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            match (kept.last_mut(), part) {
                (Some(Self::One(last, count)), Self::One(primitive, more))
                    if *last == primitive =>
                {
                    *count += more;
                }
                (_, part) => kept.push(part),
            }
        }
        match kept.len() {
            0 => Self::EMPTY,
            1 => kept.swap_remove(0),
            _ => Self::Sequence(Rc::new(kept)),
        }
    }

    /// Reports whether the signature contains no types.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::One(_, 0))
    }

    /// Reports whether the signature is stored inline, without heap memory.
    #[inline]
    pub(crate) fn owns_nothing(&self) -> bool {
        matches!(self, Self::One(..))
    }

    /// Returns the basic type if all elements have the same one.
    pub fn uniform(&self) -> Option<Primitive> {
        match self {
            Self::One(primitive, _) => Some(*primitive),
            _ => None,
        }
    }

    /// Returns the runs of equal types in order; neighbouring runs may have the same type.
    pub fn runs(&self) -> Runs<'_> {
        Runs { stack: vec![(self, 1)] }
    }

    /// Returns the number of basic types in the first `bytes` bytes; `None` if they end inside one.
    pub fn elements_in(&self, bytes: u64) -> Option<u64> {
        let (mut left, mut elements) = (bytes, 0);
        for (primitive, count) in self.runs() {
            let size = primitive.size() as u64;
            let taken = (left / size).min(count);
            elements += taken;
            left -= taken * size;
            if taken < count {
                break;
            }
        }
        (left == 0).then_some(elements)
    }

    /// Checks that a receive with this signature accepts a message with the signature `sent`: the
    /// sent types must be a prefix of these, and packed data match anything (MPI section 3.3.1). A
    /// message that is too long is not a mismatch but a truncation, which is detected elsewhere.
    ///
    /// # Errors
    /// Returns a description of the first difference.
    pub fn receive_matches(&self, sent: &Self) -> Result<(), String> {
        match (self, sent) {
            (Self::One(mine, room), Self::One(theirs, count)) => {
                let none = *room == 0 || *count == 0;
                if mine == theirs || none || packed(*mine) || packed(*theirs) {
                    return Ok(());
                }
                return Err(format!("{} against {}", theirs.name(), mine.name()));
            }
            (Self::Repeat(mine), Self::Repeat(theirs)) if mine.0.same(&theirs.0) => return Ok(()),
            _ => {}
        }
        if self.has_packed() || sent.has_packed() {
            return Ok(());
        }
        match difference(self.runs(), sent.runs()) {
            Difference::Types(mine, theirs) => {
                Err(format!("{} against {}", theirs.name(), mine.name()))
            }
            _ => Ok(()),
        }
    }

    /// Reports whether a receive with this signature accepts a message with the signature `sent`;
    /// see [`Signature::receive_matches`].
    #[inline(always)]
    pub(crate) fn takes(&self, sent: &Self) -> bool {
        match (self, sent) {
            (Self::One(mine, _), Self::One(theirs, _)) if mine == theirs => true,
            _ => self.receive_matches(sent).is_ok(),
        }
    }

    /// Reports whether both signatures have the same types in the same order, however they are
    /// stored.
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::One(a, n), Self::One(b, m)) => n == m && (a == b || *n == 0),
            (Self::Sequence(a), Self::Sequence(b)) if Rc::ptr_eq(a, b) => true,
            (Self::Repeat(a), Self::Repeat(b)) if a.1 == b.1 && a.0.same(&b.0) => true,
            _ => matches!(difference(self.runs(), other.runs()), Difference::None),
        }
    }

    /// Returns the signature with types of equal representation replaced by one of them.
    #[must_use]
    pub fn representation(&self) -> Self {
        match self {
            Self::One(primitive, count) => Self::One(primitive.representation(), *count),
            Self::Repeat(once) => once.0.representation().repeat(once.1),
            Self::Sequence(parts) => {
                Self::sequence(parts.iter().map(Self::representation).collect())
            }
        }
    }

    /// Returns the packed size of the values, bytes.
    pub fn bytes(&self) -> u64 {
        self.runs().map(|(primitive, count)| primitive.size() as u64 * count).sum()
    }

    /// Reports whether both signatures have the same types up to the end of the shorter one.
    pub fn same_types(&self, other: &Self) -> bool {
        !matches!(difference(self.runs(), other.runs()), Difference::Types(..))
    }

    /// Reports whether a block of a collective operation sent with this signature may be received
    /// with the other: the same types in the same number; packed data match anything.
    pub fn matches_wholly(&self, other: &Self) -> bool {
        self.same(other) || self.has_packed() || other.has_packed()
    }

    /// Reports whether all ranks may describe the data of one collective operation by these signatures: the same types in
    /// the same number, of which `representations` alone count or not, or as many bytes of packed data (MPI section 5.2).
    pub(crate) fn describes_the_same(&self, other: &Self, representations: bool) -> bool {
        let is_packed = || self.has_packed() || other.has_packed();
        self.same(other)
            || representations && self.representation().same(&other.representation())
            || is_packed() && self.bytes() == other.bytes()
    }

    fn has_packed(&self) -> bool {
        match self {
            Self::One(primitive, _) => packed(*primitive),
            Self::Repeat(once) => once.0.has_packed(),
            Self::Sequence(parts) => parts.iter().any(Self::has_packed),
        }
    }
}

impl PartialEq for Signature {
    fn eq(&self, other: &Self) -> bool {
        self.same(other)
    }
}

impl Eq for Signature {}

fn packed(primitive: Primitive) -> bool {
    primitive == Primitive::Packed
}

/// An iterator over the runs of a signature, in order.
pub struct Runs<'a> {
    /// What is left to return: signatures with their remaining repetitions.
    stack: Vec<(&'a Signature, u64)>,
}

impl Iterator for Runs<'_> {
    type Item = (Primitive, u64);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (signature, times) = self.stack.pop()?;
            if times > 1 {
                self.stack.push((signature, times - 1));
            }
            match signature {
                Signature::One(_, 0) => {}
                Signature::One(primitive, count) => return Some((*primitive, *count)),
                Signature::Repeat(once) => self.stack.push((&once.0, once.1)),
                Signature::Sequence(parts) => {
                    self.stack.extend(parts.iter().rev().map(|part| (part, 1)));
                }
            }
        }
    }
}

enum Difference {
    None,
    Length,
    Types(Primitive, Primitive),
}

/// Compares two signatures from the front until one of them ends.
fn difference(mut mine: Runs<'_>, mut theirs: Runs<'_>) -> Difference {
    let (mut left, mut right) = (mine.next(), theirs.next());
    loop {
        match (left, right) {
            (None, None) => return Difference::None,
            (None, _) | (_, None) => return Difference::Length,
            (Some((a, n)), Some((b, m))) => {
                if a != b {
                    return Difference::Types(a, b);
                }
                let taken = n.min(m);
                left = if n > taken { Some((a, n - taken)) } else { mine.next() };
                right = if m > taken { Some((b, m - taken)) } else { theirs.next() };
            }
        }
    }
}

/// Maximum number of runs shown before the rest is omitted.
const SHOWN: usize = 8;

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("nothing");
        }
        for (position, (primitive, count)) in self.runs().enumerate() {
            if position == SHOWN {
                return f.write_str(", …");
            }
            let comma = if position > 0 { ", " } else { "" };
            write!(f, "{comma}{count} x {}", primitive.name())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mixed(count: u64) -> Signature {
        let parts = vec![Signature::of(Primitive::Int32, 1), Signature::of(Primitive::Float32, 2)];
        Signature::sequence(parts).repeat(count)
    }

    #[test]
    fn a_short_message_matches_and_another_type_does_not() {
        let floats = |count| Signature::of(Primitive::Float32, count);
        assert_eq!(floats(15).receive_matches(&floats(10)), Ok(()));
        let bytes = Signature::of(Primitive::Byte, 40);
        assert!(bytes.receive_matches(&floats(10)).is_err());
        assert_eq!(Signature::of(Primitive::Packed, 40).receive_matches(&floats(10)), Ok(()));
        assert!(mixed(1).receive_matches(&floats(1)).is_err());
        assert_eq!(mixed(1).receive_matches(&Signature::of(Primitive::Int32, 1)), Ok(()));
        assert_eq!(mixed(1 << 60).receive_matches(&mixed(1 << 50)), Ok(()));
    }

    #[test]
    fn packed_data_of_the_same_size_are_the_same_data() {
        let [packed, ints] = [(Primitive::Packed, 8), (Primitive::Int32, 2)]
            .map(|(primitive, count)| Signature::of(primitive, count));
        assert!(packed.describes_the_same(&ints, false) && ints.describes_the_same(&packed, false));
        assert!(!Signature::of(Primitive::Packed, 12).describes_the_same(&ints, true));
        let [longs, wide] =
            [Primitive::Int64, Primitive::LongLong].map(|one| Signature::of(one, 1));
        assert!(longs.describes_the_same(&wide, true));
    }

    #[test]
    fn the_way_of_writing_does_not_count() {
        let by_hand = Signature::sequence(vec![mixed(1), mixed(2)]);
        assert!(by_hand.same(&mixed(3)));
        assert!(!by_hand.same(&mixed(2)));
        assert!(Signature::of(Primitive::TwoInt, 3).same(&Signature::of(Primitive::Int, 6)));
        assert_eq!(mixed(2).to_string().matches('x').count(), 4);
    }

    #[test]
    fn equal_representations_match_under_one_name() {
        let of = |first, second| {
            let parts = vec![Signature::of(first, 1), Signature::of(second, 2)];
            Signature::sequence(parts).repeat(3)
        };
        let (mine, theirs) =
            (of(Primitive::Long, Primitive::Float64), of(Primitive::Int64, Primitive::Real8));
        assert!(mine.receive_matches(&theirs).is_err());
        assert_eq!(mine.representation().receive_matches(&theirs.representation()), Ok(()));
        let other = of(Primitive::Int64, Primitive::Float32);
        assert!(mine.representation().receive_matches(&other.representation()).is_err());
    }

    #[test]
    fn elements_of_a_part() {
        assert_eq!(mixed(2).elements_in(16), Some(4));
        assert_eq!(mixed(2).elements_in(18), None);
        assert_eq!(mixed(1).elements_in(16), None);
    }
}
