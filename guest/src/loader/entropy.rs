//! Recognises programs that draw random numbers from the processor.
//!
//! `rdrand` and `rdseed` can be neither trapped nor answered from the seed: the system can hide them
//! from a program that asks for them with `cpuid` only on some processors. A run of a program that
//! contains one of them is therefore said not to be reproducible. Libraries of the host are not
//! searched: they draw through functions that are replaced.

use super::elf::Elf;

/// Bytes behind the instruction within which its carry flag is examined.
const NEAR: usize = 24;

/// Reports whether the code of an object contains `rdrand` or `rdseed`.
pub(super) fn draws_from_processor(object: &Elf) -> bool {
    object.segments.iter().filter(|segment| segment.executable).any(|segment| {
        let end = segment.end.min(object.bytes.len());
        let code = object.bytes.get(segment.start..end).unwrap_or_default();
        (0..code.len()).any(|at| is_drawn(&code[at..]))
    })
}

/// Recognises `0f c7 /6` and `0f c7 /7` with a register, and an instruction that depends on the
/// carry flag soon afterwards: the flag says whether there was a number. The same three bytes within
/// other instructions are not followed by one as a rule.
fn is_drawn(code: &[u8]) -> bool {
    let [0x0f, 0xc7, register, rest @ ..] = code else { return false };
    let near = &rest[..rest.len().min(NEAR)];
    *register >= 0xf0 && (0..near.len()).any(|at| depends_on_carry(&near[at..]))
}

/// Recognises conditional jumps, moves and sets, and additions and subtractions with carry.
fn depends_on_carry(code: &[u8]) -> bool {
    match code {
        [0x0f, 0x42 | 0x43 | 0x82 | 0x83 | 0x92 | 0x93, ..] => true,
        [0x72 | 0x73 | 0x10..=0x15 | 0x18..=0x1d, ..] => true,
        [0x80 | 0x81 | 0x83, second, ..] => matches!(second & 0x38, 0x10 | 0x18),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_told_from_other_code() {
        // rdrand eax; setb dl
        assert!(is_drawn(&[0x0f, 0xc7, 0xf0, 0x0f, 0x92, 0xc2]));
        // rdseed rcx (behind its prefix); mov rax, rcx; jae -9
        assert!(is_drawn(&[0x0f, 0xc7, 0xf9, 0x48, 0x89, 0xc8, 0x73, 0xf7]));
        // cmpxchg16b [rdi]; sete al
        assert!(!is_drawn(&[0x0f, 0xc7, 0x0f, 0x0f, 0x94, 0xc0]));
        // The bytes in a constant, and code that does not look at the flag.
        assert!(!is_drawn(&[0x0f, 0xc7, 0xf0, 0x00, 0x48, 0x89, 0xc8, 0xc3]));
        assert!(!is_drawn(&[0x0f, 0xc7]));
    }
}
