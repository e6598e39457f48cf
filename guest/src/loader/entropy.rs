//! Recognises programs that draw random numbers from the processor.
//!
//! `rdrand` and `rdseed` can be neither trapped nor answered from the seed: the system can hide them
//! from a program that asks for them with `cpuid` only on some processors. A run of a program that
//! contains one of them is therefore said not to be reproducible. Libraries of the host are not
//! searched: they draw through functions that are replaced.

use iced_x86::{Decoder, DecoderOptions, Mnemonic};

use super::elf::Elf;

/// Bits of an x86-64 instruction stream.
const BITS: u32 = 64;

/// Reports whether the code of an object contains `rdrand` or `rdseed`.
pub(super) fn draws_from_processor(object: &Elf) -> bool {
    object.code().any(|code| has_bytes(code) && has_instruction(code))
}

/// Searches for the bytes `0f c7 /6` and `0f c7 /7` with a register, wherever they are: most
/// programs have none and need not be decoded.
fn has_bytes(code: &[u8]) -> bool {
    code.windows(3).any(|bytes| matches!(bytes, [0x0f, 0xc7, 0xf0..=0xff]))
}

/// Decodes the code from its start: the bytes may be part of a constant or of an address.
fn has_instruction(code: &[u8]) -> bool {
    let draws = [Mnemonic::Rdrand, Mnemonic::Rdseed];
    Decoder::new(BITS, code, DecoderOptions::NONE)
        .iter()
        .any(|instruction| draws.contains(&instruction.mnemonic()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_drawn(code: &[u8]) -> bool {
        has_bytes(code) && has_instruction(code)
    }

    #[test]
    fn draws_are_told_from_other_code() {
        // push rbp; rdrand eax; setb dl
        assert!(is_drawn(&[0x55, 0x0f, 0xc7, 0xf0, 0x0f, 0x92, 0xc2]));
        // ret; rdseed rcx (behind its prefix); mov rax, rcx; jae -9
        assert!(is_drawn(&[0xc3, 0x48, 0x0f, 0xc7, 0xf9, 0x48, 0x89, 0xc8, 0x73, 0xf7]));
        // cmpxchg16b [rdi]; sete al
        assert!(!is_drawn(&[0x0f, 0xc7, 0x0f, 0x0f, 0x94, 0xc0]));
        // mov eax, 0xf0c70f; jb 2, and lea rax, [rip + 0xf0c70f]; setb dl
        assert!(!is_drawn(&[0xb8, 0x0f, 0xc7, 0xf0, 0x00, 0x72, 0x02]));
        assert!(!is_drawn(&[0x48, 0x8d, 0x05, 0x0f, 0xc7, 0xf0, 0x00, 0x0f, 0x92, 0xc2]));
        assert!(!is_drawn(&[0x0f, 0xc7]));
    }
}
