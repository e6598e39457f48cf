//! Type signatures: the types of a message without their places (MPI section 4.1.1).

use std::{fmt, rc::Rc};

/// A basic datatype.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "each is the MPI datatype that Primitive::name gives")]
pub enum Primitive {
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Float32,
    Float64,
    Bool,
    Byte,
    Packed,
}

impl Primitive {
    /// Bytes of one.
    pub fn size(self) -> usize {
        match self {
            Self::Int8 | Self::UInt8 | Self::Bool | Self::Byte | Self::Packed => 1,
            Self::Int16 | Self::UInt16 => 2,
            Self::Int32 | Self::UInt32 | Self::Float32 => 4,
            Self::Int64 | Self::UInt64 | Self::Float64 => 8,
        }
    }

    /// The constant of the standard.
    pub fn name(self) -> &'static str {
        match self {
            Self::Int8 => "MPI_INT8_T",
            Self::Int16 => "MPI_INT16_T",
            Self::Int32 => "MPI_INT32_T",
            Self::Int64 => "MPI_INT64_T",
            Self::UInt8 => "MPI_UINT8_T",
            Self::UInt16 => "MPI_UINT16_T",
            Self::UInt32 => "MPI_UINT32_T",
            Self::UInt64 => "MPI_UINT64_T",
            Self::Float32 => "MPI_FLOAT",
            Self::Float64 => "MPI_DOUBLE",
            Self::Bool => "MPI_C_BOOL",
            Self::Byte => "MPI_BYTE",
            Self::Packed => "MPI_PACKED",
        }
    }
}

/// Basic types in order, as runs of equal ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signature {
    /// One run.
    One(Primitive, u64),
    /// Several.
    Many(Rc<[(Primitive, u64)]>),
}

impl Signature {
    /// `count` of one type.
    pub fn of(primitive: Primitive, count: u64) -> Self {
        Self::One(primitive, count)
    }

    fn runs(&self) -> Vec<(Primitive, u64)> {
        match self {
            Self::One(primitive, count) => vec![(*primitive, *count)],
            Self::Many(runs) => runs.to_vec(),
        }
    }

    /// Whether a receive posted with this takes a message of `sent`: the sent types are a prefix
    /// of these, and packed data match anything (MPI section 3.3.1).
    ///
    /// # Errors
    /// The first difference, in words.
    pub fn receive_matches(&self, sent: &Self) -> Result<(), String> {
        if let (Self::One(mine, _), Self::One(theirs, count)) = (self, sent) {
            if mine == theirs || *count == 0 || packed(*mine) || packed(*theirs) {
                return Ok(());
            }
            return Err(format!("{} against {}", theirs.name(), mine.name()));
        }
        let (mine, theirs) = (self.runs(), sent.runs());
        if mine.iter().chain(&theirs).any(|(primitive, _)| packed(*primitive)) {
            return Ok(());
        }
        prefix(&mine, &theirs)
    }

    /// Whether two ranks name the same data.
    pub fn same(&self, other: &Self) -> bool {
        self == other
    }
}

fn packed(primitive: Primitive) -> bool {
    primitive == Primitive::Packed
}

fn prefix(mine: &[(Primitive, u64)], theirs: &[(Primitive, u64)]) -> Result<(), String> {
    let mut room = mine.iter().copied();
    let mut left = room.next();
    for (primitive, count) in theirs {
        let mut count = *count;
        while count > 0 {
            let Some((mine, space)) = left else { return Ok(()) };
            if mine != *primitive {
                return Err(format!("{} against {}", primitive.name(), mine.name()));
            }
            let taken = space.min(count);
            count -= taken;
            left = if space > taken { Some((mine, space - taken)) } else { room.next() };
        }
    }
    Ok(())
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, (primitive, count)) in self.runs().into_iter().enumerate() {
            let comma = if position > 0 { ", " } else { "" };
            write!(f, "{comma}{count} x {}", primitive.name())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_message_matches_and_another_type_does_not() {
        let floats = |count| Signature::of(Primitive::Float32, count);
        assert_eq!(floats(15).receive_matches(&floats(10)), Ok(()));
        let bytes = Signature::of(Primitive::Byte, 40);
        assert!(bytes.receive_matches(&floats(10)).is_err());
        assert_eq!(Signature::of(Primitive::Packed, 40).receive_matches(&floats(10)), Ok(()));
        let mixed = Signature::Many(Rc::new([(Primitive::Int32, 1), (Primitive::Float32, 2)]));
        assert!(mixed.receive_matches(&floats(1)).is_err());
        assert_eq!(mixed.receive_matches(&Signature::of(Primitive::Int32, 1)), Ok(()));
    }
}
