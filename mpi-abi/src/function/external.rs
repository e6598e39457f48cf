//! The data representation "external32" (MPI section 14.5.2), which is the same on every machine.
//! Numbers are big-endian; `long` has 4 bytes, `wchar_t` 2, and a `long double` is IEEE binary128.

use std::ffi::{c_char, c_int, c_void};

use mpi_api::object::{
    datatype::Datatype,
    signature::{Kind, Primitive, Signature},
};

use super::{
    pack::{advance, position, range, read},
    text,
    transfer::{Part, unpack_all},
};
use crate::{
    constant::{Handle, class},
    memory::fill,
    state::{Fault, Mpi, Number, Representation, argument, local, put},
};

/// The conversion of one number.
#[derive(Clone, Copy)]
enum Form {
    /// The same bytes in big-endian order.
    Turned(usize),
    /// An integer that is shorter in the external representation.
    Narrow { here: usize, there: usize, signed: bool },
    /// The 80-bit format of the machine in 16 bytes, to and from binary128.
    LongDouble,
}

impl Form {
    /// Returns the conversion of each number of a type; a complex type has two numbers.
    fn of(primitive: Primitive) -> Self {
        let complex = primitive.kind() == Kind::Complex
            || matches!(primitive, Primitive::Complex4 | Primitive::Complex32);
        match primitive {
            Primitive::Long => Self::Narrow { here: 8, there: 4, signed: true },
            Primitive::UnsignedLong => Self::Narrow { here: 8, there: 4, signed: false },
            Primitive::WideChar => Self::Narrow { here: 4, there: 2, signed: false },
            Primitive::LongDouble
            | Primitive::LongDoubleComplex
            | Primitive::CxxLongDoubleComplex => Self::LongDouble,
            other => Self::Turned(other.size() / if complex { 2 } else { 1 }),
        }
    }

    /// Returns the size in bytes on this machine and in the external representation.
    fn sizes(self) -> (usize, usize) {
        match self {
            Self::Turned(size) => (size, size),
            Self::Narrow { here, there, .. } => (here, there),
            Self::LongDouble => (16, 16),
        }
    }

    fn encode(self, value: &[u8], out: &mut Vec<u8>) -> Mpi {
        match self {
            Self::Turned(_) => out.extend(value.iter().rev()),
            Self::Narrow { there, signed, .. } => {
                let (kept, lost) = value.split_at(there);
                let filling = if signed && kept[there - 1] >> 7 == 1 { 0xff } else { 0 };
                if lost.iter().any(|byte| *byte != filling) {
                    let text = format!("an integer does not fit into {there} bytes");
                    return Err(Fault::new(class::CONVERSION, text));
                }
                out.extend(kept.iter().rev());
            }
            Self::LongDouble => out.extend(to_binary128(value).to_be_bytes()),
        }
        Ok(())
    }

    fn decode(self, value: &[u8], out: &mut Vec<u8>) {
        match self {
            Self::Turned(_) => out.extend(value.iter().rev()),
            Self::Narrow { here, there, signed } => {
                out.extend(value.iter().rev());
                let filling = if signed && value[0] >> 7 == 1 { 0xff } else { 0 };
                out.extend(std::iter::repeat_n(filling, here - there));
            }
            Self::LongDouble => out.extend(from_binary128(value)),
        }
    }
}

/// Fraction bits of the 80-bit format and of binary128.
const FRACTION: (u32, u32) = (63, 112);

/// Converts exactly: both formats have the same exponents, and the fraction is longer.
fn to_binary128(extended: &[u8]) -> u128 {
    let word = |range: std::ops::Range<usize>| {
        extended[range].iter().rev().fold(0u64, |word, byte| word << 8 | u64::from(*byte))
    };
    let (mantissa, top) = (word(0..8), word(8..10));
    let fraction = mantissa & (u64::MAX >> 1);
    let subnormal = top & 0x7fff == 0 && mantissa >> 63 == 1;
    u128::from(top + u64::from(subnormal)) << FRACTION.1
        | u128::from(fraction) << (FRACTION.1 - FRACTION.0)
}

/// Converts to the nearest value, ties to even.
fn from_binary128(bytes: &[u8]) -> [u8; 16] {
    let quad = bytes.iter().fold(0u128, |word, byte| word << 8 | u128::from(*byte));
    let shift = FRACTION.1 - FRACTION.0;
    let fraction = quad & ((1 << FRACTION.1) - 1);
    let (mut kept, rest) = (fraction >> shift, fraction & ((1 << shift) - 1));
    let mut top = quad >> FRACTION.1;
    let special = top & 0x7fff == 0x7fff;
    let half = 1 << (shift - 1);
    if special {
        // A NaN must not become an infinity when its fraction is cut.
        kept |= u128::from(kept == 0 && rest != 0) << (FRACTION.0 - 1);
    } else if rest > half || (rest == half && kept & 1 == 1) {
        kept += 1;
        top += kept >> FRACTION.0;
        kept &= (1 << FRACTION.0) - 1;
    }
    let whole = u128::from(top & 0x7fff != 0) << FRACTION.0;
    (top << 64 | whole | kept).to_le_bytes()
}

/// Checks that the name is "external32", the only representation supported.
fn check(name: *const c_char) -> Mpi {
    let name = text::read(name)?;
    if name == "external32" {
        return Ok(());
    }
    Err(Fault::new(class::ARG, format!("there is no data representation {name}")))
}

/// Returns the data of a buffer in the representation.
pub(crate) fn encoded(part: &Part) -> Mpi<Vec<u8>> {
    let bytes = size_of(&part.datatype) * part.count as u64;
    let (mut data, mut out) = (Vec::new(), Vec::with_capacity(bytes as usize));
    part.pack(&mut data);
    let here = |form: Form| form.sizes().0;
    numbers(&part.signature(), here, |form, place| form.encode(&data[place], &mut out))?;
    Ok(out)
}

/// Returns data in the representation as those of this machine, as far as there are whole numbers.
fn decoded(signature: &Signature, data: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(data.len());
    let there = |form: Form| form.sizes().1;
    let end = |_| Fault::new(class::TRUNCATE, "the data end here");
    // The error only ends the loop.
    let _ = numbers(signature, there, |form, place| {
        let number = data.get(place).ok_or(()).map_err(end)?;
        form.decode(number, &mut out);
        Ok(())
    });
    out
}

/// Returns the number of bytes in a file of one element of a type.
pub(crate) fn size_in(representation: Representation, datatype: &Datatype) -> u64 {
    match representation {
        Representation::Native | Representation::Internal => datatype.size(),
        Representation::External32 => size_of(datatype),
    }
}

/// Writes data of a file to a buffer.
pub(crate) fn store(representation: Representation, into: &[Part], data: &[u8]) {
    match (representation, into) {
        (Representation::External32, [part]) => part.unpack(&decoded(&part.signature(), data)),
        _ => unpack_all(into, data),
    }
}

/// Returns the bytes of memory that this many bytes of a file stand for.
pub(crate) fn bytes_here(representation: Representation, parts: &[Part], bytes: u64) -> u64 {
    let (Representation::External32, [part]) = (representation, parts) else { return bytes };
    let (here, there) = (part.datatype.size(), size_of(&part.datatype));
    if here == there || there == 0 {
        return bytes;
    }
    // The elements that are complete, and what is left of the next one.
    let rest = vec![0; (bytes % there) as usize];
    let rest = decoded(part.datatype.signature(), &rest).len() as u64;
    bytes / there * here + rest
}

/// Returns the bytes of one element of a type in the representation.
fn size_of(datatype: &Datatype) -> u64 {
    let runs = datatype.signature().runs();
    runs.map(|(primitive, count)| {
        let (here, there) = Form::of(primitive).sizes();
        count * (primitive.size() / here * there) as u64
    })
    .sum()
}

/// Calls `each` with the conversion of every number and its place in the packed bytes; `size`
/// returns the bytes that a number takes there.
fn numbers(
    signature: &Signature,
    size: impl Fn(Form) -> usize,
    mut each: impl FnMut(Form, std::ops::Range<usize>) -> Mpi,
) -> Mpi {
    let mut at = 0;
    for (primitive, count) in signature.runs() {
        let form = Form::of(primitive);
        let step = size(form);
        for _ in 0..count as usize * (primitive.size() / form.sizes().0) {
            each(form, at..at + step)?;
            at += step;
        }
    }
    Ok(())
}

pub(super) extern "C-unwind" fn pack_external<N: Number>(
    representation: *const c_char,
    input: *const c_void,
    count: N,
    datatype: Handle,
    buffer: *mut c_void,
    size: i64,
    place: *mut i64,
) -> c_int {
    local(|state, _| {
        check(representation)?;
        let part = Part::new(state, input as usize, count.wide(), datatype)?;
        let bytes = size_of(&part.datatype) * part.count as u64;
        let at = range(buffer, (position(place)?, bytes, size))?;
        let (mut data, mut out) = (Vec::new(), Vec::with_capacity(at.len()));
        part.pack(&mut data);
        let here = |form: Form| form.sizes().0;
        numbers(&part.signature(), here, |form, place| form.encode(&data[place], &mut out))?;
        fill(buffer, at.start, &out);
        put(place, at.end as i64)
    })
}

pub(super) extern "C-unwind" fn unpack_external<N: Number>(
    representation: *const c_char,
    buffer: *const c_void,
    size: i64,
    place: *mut i64,
    output: *mut c_void,
    count: N,
    datatype: Handle,
) -> c_int {
    local(|state, _| {
        check(representation)?;
        let part = Part::new(state, output as usize, count.wide(), datatype)?;
        let bytes = size_of(&part.datatype) * part.count as u64;
        let at = range(buffer, (position(place)?, bytes, size))?;
        let (data, mut out) = (read(buffer, &at), Vec::with_capacity(part.bytes() as usize));
        let there = |form: Form| form.sizes().1;
        numbers(&part.signature(), there, |form, place| {
            form.decode(&data[place], &mut out);
            Ok(())
        })?;
        part.unpack(&out);
        put(place, at.end as i64)
    })
}

pub(super) extern "C-unwind" fn pack_external_size<N: Number>(
    representation: *const c_char,
    count: N,
    datatype: Handle,
    size: *mut i64,
) -> c_int {
    local(|state, _| {
        check(representation)?;
        let each = size_of(&state.datatype(datatype)?);
        let bytes = argument::count(count.wide())?.checked_mul(each);
        let bytes = bytes.and_then(|bytes| i64::try_from(bytes).ok());
        let bytes = bytes.ok_or_else(|| Fault::new(class::COUNT, "the size is no address"))?;
        advance(size, bytes)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extended(mantissa: u64, top: u16) -> [u8; 16] {
        (u128::from(top) << 64 | u128::from(mantissa)).to_le_bytes()
    }

    #[test]
    fn long_doubles_keep_their_values() {
        let values = [
            (1u64 << 63, 0x3fffu16, 0x3fff_u128 << 112),
            (0xc000_0000_0000_0000, 0xc000, 0xc000_8000_u128 << 96),
            (0, 0, 0),
            (1, 0, 1 << 49),
            (1 << 63, 0x7fff, 0x7fff << 112),
            (u64::MAX, 0x7ffe, (0x7ffe << 112) | (((1 << 63) - 1) << 49)),
        ];
        for (mantissa, top, quad) in values {
            let here = extended(mantissa, top);
            assert_eq!(to_binary128(&here), quad, "{mantissa:x} {top:x}");
            assert_eq!(from_binary128(&quad.to_be_bytes()), here);
        }
    }

    #[test]
    fn what_is_too_precise_is_rounded_to_even() {
        let quad = |fraction: u128| (0x3fff_u128 << 112 | fraction).to_be_bytes();
        let half = 1 << 48;
        assert_eq!(from_binary128(&quad(half)), extended(1 << 63, 0x3fff));
        assert_eq!(from_binary128(&quad(half + 1)), extended(1 << 63 | 1, 0x3fff));
        assert_eq!(from_binary128(&quad(half | 1 << 49)), extended(1 << 63 | 2, 0x3fff));
        assert_eq!(from_binary128(&quad((1 << 112) - 1)), extended(1 << 63, 0x4000));
        let nan = (0x7fff_u128 << 112 | 1).to_be_bytes();
        assert_eq!(from_binary128(&nan), extended(3 << 62, 0x7fff));
    }
}
