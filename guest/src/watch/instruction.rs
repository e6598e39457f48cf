//! Tells instructions apart by which programs may synchronise: atomic ones, and those that load numbers for which nobody
//! waits (Intel SDM volume 2, chapter 2 and appendix A).

/// What is known of an instruction that accesses memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It reads and writes at once, if it writes.
    Atomic,
    /// It uses floating-point numbers, and does not compare them.
    Floating,
    /// Anything else.
    Other,
}

/// The prefix `lock`.
const LOCK: u8 = 0xf0;
/// Prefixes that change neither what is done nor with what.
const SEGMENTS_AND_SIZE: [u8; 7] = [0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x67];

/// The prefix that selects the type of operands, in the encoding of vector instructions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operands {
    /// No prefix: packed numbers of single precision, or anything in moves.
    None,
    /// 66: packed numbers of double precision.
    Double,
    /// F3 or F2: one number.
    One,
}

impl Operands {
    /// Returns those of the low bits of a VEX or EVEX prefix.
    fn of_bits(bits: u8) -> Self {
        match bits & 3 {
            0 => Self::None,
            1 => Self::Double,
            _ => Self::One,
        }
    }
}

/// Returns the kind of an instruction. No byte after it is looked at.
pub(super) fn kind(mut code: impl Iterator<Item = u8>) -> Kind {
    kind_of(&mut code).unwrap_or(Kind::Other)
}

fn kind_of(code: &mut impl Iterator<Item = u8>) -> Option<Kind> {
    let mut operands = Operands::None;
    loop {
        let floating = match code.next()? {
            LOCK => return Some(Kind::Atomic),
            0x66 => {
                operands = Operands::Double;
                continue;
            }
            0xf2 | 0xf3 => {
                operands = Operands::One;
                continue;
            }
            // The prefix of the 64-bit mode precedes the opcode.
            0x40..=0x4f => continue,
            byte if SEGMENTS_AND_SIZE.contains(&byte) => continue,
            // Exchanges with memory are atomic without a prefix.
            0x86 | 0x87 => return Some(Kind::Atomic),
            opcode @ 0xd8..=0xdf => is_of_stack(opcode, (code.next()? >> 3) & 7),
            0x0f => is_number(code.next()?, operands),
            0xc5 => {
                let operands = Operands::of_bits(code.next()?);
                is_number(code.next()?, operands)
            }
            0xc4 => {
                let map = code.next()? & 0x1f;
                let operands = Operands::of_bits(code.next()?);
                is_in_map(map, code.next()?, operands)
            }
            0x62 => {
                let map = code.next()? & 7;
                let operands = Operands::of_bits(code.next()?);
                code.next()?;
                is_in_map(map, code.next()?, operands)
            }
            _ => false,
        };
        return Some(if floating { Kind::Floating } else { Kind::Other });
    }
}

/// Reports whether an x87 instruction loads or computes, and does not compare.
fn is_of_stack(opcode: u8, operation: u8) -> bool {
    match opcode {
        0xd8 | 0xdc => !matches!(operation, 2 | 3),
        0xd9 | 0xdd => operation == 0,
        0xdb => operation == 5,
        _ => false,
    }
}

/// Reports whether an opcode of a map of vector instructions uses floating-point numbers.
fn is_in_map(map: u8, opcode: u8, operands: Operands) -> bool {
    match map {
        1 => is_number(opcode, operands),
        // Broadcasts, and multiplications with additions.
        2 => matches!(opcode, 0x18 | 0x19 | 0x96..=0x9f | 0xa6..=0xaf | 0xb6..=0xbf),
        _ => false,
    }
}

/// Reports whether an opcode after 0F uses floating-point numbers and does not compare. Moves of packed numbers of single
/// precision are not among them: they copy anything.
fn is_number(opcode: u8, operands: Operands) -> bool {
    match opcode {
        0x10 => operands != Operands::None,
        0x12 | 0x14 | 0x16 | 0x28 => operands == Operands::Double,
        // Roots, sums, products, conversions of precision, differences, least, quotients and greatest.
        0x51 | 0x58..=0x5a | 0x5c..=0x5f => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(code: &[u8]) -> Kind {
        kind(code.iter().copied())
    }

    #[test]
    fn locked_instructions_and_exchanges_are_atomic() {
        // lock xadd %eax,(%rdx); lock cmpxchg %rcx,(%rdx); xchg of 4, 2 and 8 bytes with (%rdx)
        let atomic: [&[u8]; 5] = [
            &[0xf0, 0x0f, 0xc1, 0x02],
            &[0xf0, 0x48, 0x0f, 0xb1, 0x0a],
            &[0x87, 0x02],
            &[0x66, 0x87, 0x02],
            &[0x48, 0x87, 0x02],
        ];
        atomic.into_iter().for_each(|code| assert_eq!(of(code), Kind::Atomic, "{code:x?}"));
    }

    #[test]
    fn loads_of_numbers_are_told_from_moves_of_anything() {
        // movsd (%rdx),%xmm0; addss 4(%rdx),%xmm1; movupd (%rdx),%xmm8; fldl (%rdx); vmulsd (%rdx),%xmm0,%xmm0;
        // vfmadd231sd (%rdx),%xmm1,%xmm0; vaddpd (%rdx),%zmm0,%zmm0
        let floating: [&[u8]; 7] = [
            &[0xf2, 0x0f, 0x10, 0x02],
            &[0xf3, 0x0f, 0x58, 0x4a, 0x04],
            &[0x66, 0x44, 0x0f, 0x10, 0x02],
            &[0xdd, 0x02],
            &[0xc5, 0xfb, 0x59, 0x02],
            &[0xc4, 0xe2, 0xf1, 0xb8, 0x02],
            &[0x62, 0xf1, 0xfd, 0x48, 0x58, 0x02],
        ];
        floating.into_iter().for_each(|code| assert_eq!(of(code), Kind::Floating, "{code:x?}"));
        // mov (%rdx),%eax; cmp $0,(%rdx); movdqu (%rdx),%xmm0; movups (%rdx),%xmm0; ucomisd (%rdx),%xmm0;
        // fcoml (%rdx); vpaddd (%rdx),%ymm0,%ymm0; nothing
        let other: [&[u8]; 8] = [
            &[0x8b, 0x02],
            &[0x83, 0x3a, 0x00],
            &[0xf3, 0x0f, 0x6f, 0x02],
            &[0x0f, 0x10, 0x02],
            &[0x66, 0x0f, 0x2e, 0x02],
            &[0xdc, 0x12],
            &[0xc5, 0xfd, 0xfe, 0x02],
            &[],
        ];
        other.into_iter().for_each(|code| assert_eq!(of(code), Kind::Other, "{code:x?}"));
    }
}
