//! Tells instructions apart by which programs may synchronise: atomic ones, and those that load numbers for which nobody
//! waits.

use iced_x86::{Decoder, DecoderError, DecoderOptions, Instruction, MemorySize, Mnemonic};

/// Most bytes of an instruction (Intel SDM volume 2, 2.3.11).
pub(super) const BYTES_MAX: usize = 15;

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

/// Returns the kind of the first instruction of this code; `None` if the code ends before it does.
pub(super) fn kind(code: &[u8]) -> Option<Kind> {
    let mut decoder = Decoder::new(64, code, DecoderOptions::NONE);
    let instruction = decoder.decode();
    if decoder.last_error() == DecoderError::NoMoreBytes {
        return None;
    }
    Some(match instruction.mnemonic() {
        Mnemonic::Xchg => Kind::Atomic,
        _ if instruction.has_lock_prefix() => Kind::Atomic,
        mnemonic if is_of_numbers(&instruction) && !compares_or_copies(mnemonic) => Kind::Floating,
        _ => Kind::Other,
    })
}

fn is_of_numbers(instruction: &Instruction) -> bool {
    matches!(
        instruction.memory_size().info().element_type(),
        MemorySize::Float32 | MemorySize::Float64 | MemorySize::Float80
    )
}

/// Reports whether an instruction compares numbers, or copies anything: compilers move all packed data with the instructions
/// for numbers of single precision, which are the shortest.
fn compares_or_copies(mnemonic: Mnemonic) -> bool {
    matches!(
        mnemonic,
        Mnemonic::Movups
            | Mnemonic::Movaps
            | Mnemonic::Vmovups
            | Mnemonic::Vmovaps
            | Mnemonic::Ucomiss
            | Mnemonic::Ucomisd
            | Mnemonic::Comiss
            | Mnemonic::Comisd
            | Mnemonic::Vucomiss
            | Mnemonic::Vucomisd
            | Mnemonic::Vcomiss
            | Mnemonic::Vcomisd
            | Mnemonic::Cmpss
            | Mnemonic::Cmpsd
            | Mnemonic::Cmpps
            | Mnemonic::Cmppd
            | Mnemonic::Vcmpss
            | Mnemonic::Vcmpsd
            | Mnemonic::Vcmpps
            | Mnemonic::Vcmppd
            | Mnemonic::Fcom
            | Mnemonic::Fcomp
    )
}

#[cfg(test)]
mod tests {
    use super::*;

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
        atomic.into_iter().for_each(|code| assert_eq!(kind(code), Some(Kind::Atomic), "{code:x?}"));
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
        for code in floating {
            assert_eq!(kind(code), Some(Kind::Floating), "{code:x?}");
        }
        // mov (%rdx),%eax; cmp $0,(%rdx); movdqu (%rdx),%xmm0; movups (%rdx),%xmm0; ucomisd (%rdx),%xmm0;
        // fcoml (%rdx); vpaddd (%rdx),%ymm0,%ymm0
        let other: [&[u8]; 7] = [
            &[0x8b, 0x02],
            &[0x83, 0x3a, 0x00],
            &[0xf3, 0x0f, 0x6f, 0x02],
            &[0x0f, 0x10, 0x02],
            &[0x66, 0x0f, 0x2e, 0x02],
            &[0xdc, 0x12],
            &[0xc5, 0xfd, 0xfe, 0x02],
        ];
        other.into_iter().for_each(|code| assert_eq!(kind(code), Some(Kind::Other), "{code:x?}"));
        assert_eq!(kind(&[0xf2, 0x0f]), None);
    }
}
