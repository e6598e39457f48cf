//! Data representations of nodes, and the conversion between nodes with different ones (MPI section
//! 3.3.2).
//!
//! All programs of a simulation run on one host and keep their data in its formats; a message
//! between different nodes carries the values that survive the conversion. Types of fixed width
//! always fit. `MPI_BYTE`, `MPI_PACKED` and characters are never converted.

use super::{
    op::long_double::{Lost, to_binary64},
    primitive::{Kind, Primitive},
    signature::Signature,
};

/// The order of the bytes of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ByteOrder {
    /// The least significant byte comes first.
    #[default]
    Little,
    /// The most significant byte comes first.
    Big,
}

/// The format of `long double`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LongDouble {
    /// The same format as `double`.
    Binary64,
    /// The 80-bit extended format of x86.
    #[default]
    Extended,
    /// The IEEE quadruple precision format.
    Binary128,
}

/// The data representation of one node. The default is x86-64 with Linux.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Representation {
    /// Order of the bytes of a number.
    pub byte_order: ByteOrder,
    /// Size of `int` in bytes, 2 to 8.
    pub int_bytes: u8,
    /// Size of `long`, addresses and counts in bytes, 4 to 8.
    pub long_bytes: u8,
    /// Size of a Fortran `INTEGER` in bytes, 2 to 8.
    pub integer_bytes: u8,
    /// Format of `long double`.
    pub long_double: LongDouble,
}

impl Default for Representation {
    fn default() -> Self {
        Self {
            byte_order: ByteOrder::Little,
            int_bytes: 4,
            long_bytes: 8,
            integer_bytes: 4,
            long_double: LongDouble::Extended,
        }
    }
}

/// A value that a node cannot represent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unrepresentable {
    /// Type of the value.
    pub primitive: Primitive,
    /// Index among the numbers of the message, from 0.
    pub place: u64,
    /// Reason why it cannot be represented.
    pub why: String,
}

impl Representation {
    fn width(&self, primitive: Primitive) -> usize {
        usize::from(match primitive {
            Primitive::Int | Primitive::Unsigned => self.int_bytes,
            Primitive::Long | Primitive::UnsignedLong => self.long_bytes,
            Primitive::Aint | Primitive::Offset | Primitive::Count => self.long_bytes,
            Primitive::FortranInteger => self.integer_bytes,
            _ => return primitive.size(),
        })
    }

    /// Converts packed data to the values that a node of this kind can hold. Returns whether there
    /// was anything to convert.
    ///
    /// # Errors
    /// The first value that it cannot represent: the communication fails.
    pub fn fit(&self, data: &mut [u8], signature: &Signature) -> Result<bool, Unrepresentable> {
        let (mut at, mut place, mut numbers) = (0, 0, false);
        for (primitive, count) in signature.runs() {
            let size = primitive.size();
            let left = (data.len() - at) / size;
            let run = size * usize::try_from(count).unwrap_or(left).min(left);
            numbers |= is_number(primitive) && run > 0;
            for value in data[at..at + run].chunks_exact_mut(size) {
                self.fit_one(primitive, value).map_err(|why| Unrepresentable {
                    primitive,
                    place,
                    why,
                })?;
                place += 1;
            }
            at += run;
            if at + size > data.len() {
                break;
            }
        }
        Ok(numbers)
    }

    fn fit_one(&self, primitive: Primitive, value: &mut [u8]) -> Result<(), String> {
        if primitive == Primitive::LongDouble && self.long_double == LongDouble::Binary64 {
            let Ok(bytes) = <[u8; 16]>::try_from(&*value) else { return Ok(()) };
            let kept = to_binary64(bytes).map_err(|lost| {
                let way = match lost {
                    Lost::Overflow => "large",
                    Lost::Underflow => "small",
                };
                format!("its magnitude is too {way} for a long double of 8 bytes")
            })?;
            value.copy_from_slice(&kept);
            return Ok(());
        }
        let width = self.width(primitive);
        if width >= value.len() {
            return Ok(());
        }
        let signed = primitive.kind() != Kind::Unsigned;
        let negative = signed && value[width - 1] >> 7 == 1;
        let filling = if negative { 0xff } else { 0 };
        if value[width..].iter().all(|byte| *byte == filling) {
            return Ok(());
        }
        let mut wide = [if signed && value[value.len() - 1] >> 7 == 1 { 0xff } else { 0 }; 16];
        wide[..value.len()].copy_from_slice(value);
        Err(format!("{} does not fit into {width} bytes", i128::from_le_bytes(wide)))
    }
}

/// Reports whether a type is converted between different nodes.
fn is_number(primitive: Primitive) -> bool {
    !matches!(primitive.kind(), Kind::Byte | Kind::Packed | Kind::Character) && primitive.size() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Representation {
        Representation { long_bytes: 4, int_bytes: 2, ..Representation::default() }
    }

    fn fit(primitive: Primitive, values: &[i64]) -> Result<bool, Unrepresentable> {
        let size = primitive.size();
        let mut data: Vec<u8> =
            values.iter().flat_map(|value| value.to_le_bytes()[..size].to_vec()).collect();
        let before = data.clone();
        let result = small().fit(&mut data, &Signature::of(primitive, values.len() as u64));
        assert_eq!(data, before, "integers that fit keep their values");
        result
    }

    #[test]
    fn integers_keep_their_value_or_fail() {
        let (low, high) = (i64::from(i32::MIN), i64::from(i32::MAX));
        assert_eq!(fit(Primitive::Long, &[0, -1, low, high]), Ok(true));
        let error = fit(Primitive::Long, &[1, high + 1, 2]).expect_err("too large");
        assert_eq!((error.primitive, error.place), (Primitive::Long, 1));
        assert_eq!(error.why, "2147483648 does not fit into 4 bytes");
        assert_eq!(
            fit(Primitive::Long, &[low - 1]).expect_err("too small").why,
            "-2147483649 does not fit into 4 bytes"
        );
        assert_eq!(fit(Primitive::UnsignedLong, &[high + 1]), Ok(true));
        assert!(fit(Primitive::UnsignedLong, &[1 << 32]).is_err());
        assert_eq!(fit(Primitive::Int, &[-32768, 32767]), Ok(true));
        assert!(fit(Primitive::Int, &[32768]).is_err());
    }

    #[test]
    fn types_of_fixed_width_and_bytes_always_fit() {
        for primitive in [Primitive::Int64, Primitive::UInt64, Primitive::LongLong] {
            assert_eq!(fit(primitive, &[i64::MIN, i64::MAX, -1]), Ok(true));
        }
        for primitive in [Primitive::Byte, Primitive::Packed, Primitive::Char] {
            assert_eq!(fit(primitive, &[255, 1]), Ok(false), "{}", primitive.name());
        }
    }

    #[test]
    fn a_message_may_end_before_its_signature() {
        let mut data = 5i64.to_le_bytes().to_vec();
        let signature = Signature::of(Primitive::Long, 100);
        assert_eq!(small().fit(&mut data, &signature), Ok(true));
        assert_eq!(small().fit(&mut [], &signature), Ok(false));
    }
}
