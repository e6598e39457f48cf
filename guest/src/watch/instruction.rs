//! Decodes single instructions, and tells those apart by which programs may synchronise: atomic ones, and those that load
//! numbers for which nobody waits.

use iced_x86::{
    ConditionCode, Decoder, DecoderError, DecoderOptions, FlowControl, Instruction, MemorySize,
    Mnemonic, OpKind, Register,
};

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

/// Has the tables of the decoder made, because a signal handler cannot.
pub(super) fn prepare() {
    decode(&[0x90], 0);
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

/// Reports whether an instruction that reads memory uses what it reads: a conditional move does if its condition holds,
/// by the flags of the processor before it.
pub(super) fn uses(instruction: &Instruction, flags: i64) -> bool {
    let [carry, parity, zero, sign, overflow] = [0, 2, 6, 7, 11].map(|bit| flags >> bit & 1 == 1);
    match instruction.condition_code() {
        ConditionCode::None => true,
        ConditionCode::o => overflow,
        ConditionCode::no => !overflow,
        ConditionCode::b => carry,
        ConditionCode::ae => !carry,
        ConditionCode::e => zero,
        ConditionCode::ne => !zero,
        ConditionCode::be => carry || zero,
        ConditionCode::a => !(carry || zero),
        ConditionCode::s => sign,
        ConditionCode::ns => !sign,
        ConditionCode::p => parity,
        ConditionCode::np => !parity,
        ConditionCode::l => sign != overflow,
        ConditionCode::ge => sign == overflow,
        ConditionCode::le => zero || sign != overflow,
        ConditionCode::g => !zero && sign == overflow,
    }
}

/// Most instructions between a load and the conditional move that selects it or another value.
const SELECTED_WITHIN: usize = 8;

/// Returns the register that an instruction loads, if it does nothing else.
pub(super) fn loaded(instruction: &Instruction) -> Option<Register> {
    let is_load =
        instruction.mnemonic() == Mnemonic::Mov && instruction.op0_kind() == OpKind::Register;
    is_load.then(|| instruction.op0_register().full_register())
}

/// Reports whether the next use of a register is a conditional move: compilers load both values among which a program
/// selects one. `next` returns the instruction at an address.
pub(super) fn is_selected(
    register: Register,
    mut address: u64,
    next: impl Fn(u64) -> Option<Instruction>,
) -> bool {
    for _ in 0..SELECTED_WITHIN {
        let Some(instruction) = next(address) else { return false };
        let kinds = (0..instruction.op_count()).map(|number| instruction.op_kind(number));
        let mut registers = (0..).zip(kinds).map(|(number, kind)| match kind {
            OpKind::Register => instruction.op_register(number),
            _ => Register::None,
        });
        let in_memory = [instruction.memory_base(), instruction.memory_index()];
        let is_it = |other: Register| other.full_register() == register;
        if registers.any(is_it) || in_memory.into_iter().any(is_it) {
            return instruction.condition_code() != ConditionCode::None;
        }
        if instruction.flow_control() != FlowControl::Next {
            return false;
        }
        address = instruction.next_ip();
    }
    false
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
    fn a_conditional_move_uses_what_it_reads_if_its_condition_holds() {
        let uses =
            |code: &[u8], flags| decode(code, 0x1000).map(|found| super::uses(&found, flags));
        let (zero, less) = (1 << 6, 1 << 7);
        // cmove (%rdx),%eax; cmovne (%rdx),%eax; cmovg (%rdx),%rax; mov (%rdx),%eax
        assert_eq!(
            [0, zero].map(|flags| uses(&[0x0f, 0x44, 0x02], flags)),
            [Some(false), Some(true)]
        );
        assert_eq!(
            [0, zero].map(|flags| uses(&[0x0f, 0x45, 0x02], flags)),
            [Some(true), Some(false)]
        );
        let larger = [0, zero, less].map(|flags| uses(&[0x48, 0x0f, 0x4f, 0x02], flags));
        assert_eq!(larger, [Some(true), Some(false), Some(false)]);
        assert_eq!(uses(&[0x8b, 0x02], 0), Some(true));
    }

    #[test]
    fn a_load_may_be_one_of_two_values_that_a_conditional_move_selects() {
        // mov (%rdx),%eax, then: test %edi,%edi; cmove (%rcx),%eax | test %eax,%eax; cmove %ecx,%edx | ret
        let load = decode(&[0x8b, 0x02], 0).expect("an instruction");
        let register = loaded(&load).expect("a register");
        let selects = |code: &[u8]| {
            let at = |address: u64| decode(code.get(address as usize..)?, address as usize);
            is_selected(register, 0, at)
        };
        assert!(selects(&[0x85, 0xff, 0x0f, 0x44, 0x01, 0xc3]));
        assert!(!selects(&[0x85, 0xc0, 0x0f, 0x44, 0xd1, 0xc3]));
        assert!(!selects(&[0xc3]));
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
