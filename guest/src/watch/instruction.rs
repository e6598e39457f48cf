//! Decodes single instructions, and tells those apart by which programs may synchronise: atomic ones, and those that load
//! numbers for which nobody waits.

use iced_x86::{Decoder, DecoderError, DecoderOptions, Instruction, MemorySize, Mnemonic};

/// Most bytes that an instruction loads or stores at once, other than those that save processor states.
const BYTES_AT_ONCE: usize = 64;

/// Most bytes of an instruction (Intel SDM volume 2, 2.3.11).
pub(super) const BYTES_MAX: usize = 15;

/// What is known of an instruction that accesses memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct What {
    pub(super) kind: Kind,
    /// Number of bytes that it accesses from its address on; 1 if that depends on more.
    pub(super) bytes: usize,
}

/// What an instruction that accesses memory does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It reads and writes at once, if it writes.
    Atomic,
    /// It uses floating-point numbers, and does not compare them.
    Floating,
    /// Anything else.
    Other,
}

/// Returns the instruction at an address, where this code is; `None` if the code ends before it does.
pub(super) fn decode(code: &[u8], address: usize) -> Option<Instruction> {
    let mut decoder = Decoder::with_ip(64, code, address as u64, DecoderOptions::NONE);
    let instruction = decoder.decode();
    (decoder.last_error() != DecoderError::NoMoreBytes).then_some(instruction)
}

/// Returns what is known of an instruction.
pub(super) fn what(instruction: &Instruction) -> What {
    let kind = match instruction.mnemonic() {
        Mnemonic::Xchg => Kind::Atomic,
        _ if instruction.has_lock_prefix() => Kind::Atomic,
        mnemonic if is_of_numbers(instruction) && !compares_or_copies(mnemonic) => Kind::Floating,
        _ => Kind::Other,
    };
    What { kind, bytes: bytes(instruction) }
}

/// Returns the number of bytes that an instruction certainly accesses from its address on.
fn bytes(instruction: &Instruction) -> usize {
    let is_partial = instruction.has_op_mask()
        || instruction.is_vsib()
        || matches!(
            instruction.mnemonic(),
            Mnemonic::Vmaskmovps
                | Mnemonic::Vmaskmovpd
                | Mnemonic::Vpmaskmovd
                | Mnemonic::Vpmaskmovq
                | Mnemonic::Maskmovdqu
                | Mnemonic::Vmaskmovdqu
                | Mnemonic::Maskmovq
        );
    if is_partial { 1 } else { instruction.memory_size().size().clamp(1, BYTES_AT_ONCE) }
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

    fn of(code: &[u8]) -> Option<What> {
        decode(code, 0x1000).map(|instruction| what(&instruction))
    }

    fn kind(code: &[u8]) -> Option<Kind> {
        of(code).map(|what| what.kind)
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
        atomic.into_iter().for_each(|code| assert_eq!(kind(code), Some(Kind::Atomic), "{code:x?}"));
    }

    #[test]
    fn an_instruction_tells_how_many_bytes_it_accesses() {
        let bytes = |code: &[u8]| of(code).map(|what| what.bytes);
        // mov %al,(%rdx); mov %rax,(%rdx); movups %xmm0,(%rdx); vmovdqu (%rdx),%ymm0
        assert_eq!(bytes(&[0x88, 0x02]), Some(1));
        assert_eq!(bytes(&[0x48, 0x89, 0x02]), Some(8));
        assert_eq!(bytes(&[0x0f, 0x11, 0x02]), Some(16));
        assert_eq!(bytes(&[0xc5, 0xfe, 0x6f, 0x02]), Some(32));
        // vmaskmovpd (%rdx),%ymm1,%ymm0
        assert_eq!(bytes(&[0xc4, 0xe2, 0x75, 0x2d, 0x02]), Some(1));
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
