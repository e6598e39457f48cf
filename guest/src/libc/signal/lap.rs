//! [`Lap`]: the instructions of one pass through a loop, and what they write.
#![allow(unsafe_code, reason = "reads memory of a program")]

use std::{ops::Range, slice};

use iced_x86::{
    Decoder, DecoderOptions, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, Register,
};
use sim_core::Site;

use crate::watch;

/// The general registers in the order of the system's contexts, with the instruction pointer and the flags.
pub(super) const REGISTERS: usize = libc::REG_EFL as usize + 1;
/// The values of these registers.
pub(super) type Registers = [i64; REGISTERS];

/// Bytes of the floating-point and vector registers in the layout of `FXSAVE` (Intel SDM volume 1, 10.5.1).
const FLOAT_BYTES: usize = 416;

/// One pass through a loop, which ends with the registers that it began with.
pub(super) struct Lap {
    /// The registers before each instruction.
    log: Vec<Registers>,
    /// The bytes that it writes.
    written: Vec<Range<usize>>,
    /// What they contained at its beginning, one after the other.
    contents: Vec<u8>,
    /// The floating-point and vector registers at its beginning.
    float: [u8; FLOAT_BYTES],
    site: Site,
    fresh: bool,
}

impl Lap {
    /// Makes what laps are decoded with.
    pub(super) fn prepare() {
        // The decoder makes its tables when it is first used.
        let _ = Decoder::with_ip(64, &[0x90], 0, DecoderOptions::NONE).decode();
    }

    /// Finds out what the instructions with these registers before each of them write. `None` if that is not known, or
    /// if one of them depends on more than memory and registers.
    ///
    /// # Safety
    /// The instructions are those of the program, which is interrupted at the end of the pass.
    pub(super) unsafe fn new(log: &[Registers]) -> Option<Box<Self>> {
        let mut factory = InstructionInfoFactory::new();
        let mut written: Vec<Range<usize>> = Vec::new();
        for registers in log {
            // SAFETY: guaranteed by the caller.
            let instruction =
                unsafe { watch::instruction_at(registers[libc::REG_RIP as usize] as usize) }?;
            written.extend(writes(&mut factory, &instruction, registers)?);
        }
        written.sort_by_key(|bytes| (bytes.start, bytes.end));
        written.dedup();
        // SAFETY: guaranteed by the caller.
        let site = unsafe { first_place(log) }.unwrap_or(Site::NOWHERE);
        let (contents, float) = (Vec::new(), [0; FLOAT_BYTES]);
        Some(Box::new(Self { log: log.to_vec(), written, contents, float, site, fresh: true }))
    }

    /// Returns the registers before each instruction.
    pub(super) fn log(&self) -> &[Registers] {
        &self.log
    }

    /// Returns the place of the loop in the program's source.
    pub(super) fn site(&self) -> Site {
        self.site
    }

    /// Reports whether the rank has not been suspended in this loop yet.
    pub(super) fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// Records that the rank was suspended in this loop.
    pub(super) fn grow_stale(&mut self) {
        self.fresh = false;
    }

    /// Keeps what a further pass begins with.
    ///
    /// # Safety
    /// The program has just made a pass, and `context` is that of its interruption.
    pub(super) unsafe fn remember(&mut self, context: *const libc::ucontext_t) {
        self.contents.clear();
        for bytes in &self.written {
            // SAFETY: the program has written there.
            self.contents.extend_from_slice(unsafe { memory(bytes) });
        }
        // SAFETY: guaranteed by the caller.
        if let Some(float) = unsafe { float_of(context) } {
            self.float.copy_from_slice(float);
        }
    }

    /// Reports whether the bytes that a pass writes, and the vector registers, are as it began with.
    ///
    /// # Safety
    /// As for [`Self::remember`].
    pub(super) unsafe fn is_as_before(&self, context: *const libc::ucontext_t) -> bool {
        let mut rest = &self.contents[..];
        for bytes in &self.written {
            let (before, more) = rest.split_at(bytes.len().min(rest.len()));
            // SAFETY: the program has written there.
            if unsafe { memory(bytes) } != before {
                return false;
            }
            rest = more;
        }
        // SAFETY: guaranteed by the caller.
        unsafe { float_of(context) }.is_none_or(|float| *float == self.float)
    }
}

/// Returns the first place of a loop in the program's source, apart from functions that it calls. A pass begins wherever
/// the loop happens to be interrupted; its first place is always the same.
///
/// # Safety
/// As for [`Lap::new`].
unsafe fn first_place(log: &[Registers]) -> Option<Site> {
    let stack = |registers: &&Registers| registers[libc::REG_RSP as usize];
    let outermost = log.iter().max_by_key(stack)?;
    let mut own: Vec<&Registers> =
        log.iter().filter(|registers| stack(registers) == stack(&outermost)).collect();
    own.sort_unstable_by_key(|registers| registers[libc::REG_RIP as usize]);
    own.dedup_by_key(|registers| registers[libc::REG_RIP as usize]);
    // SAFETY: guaranteed by the caller: the functions around the loop have not returned.
    let places = own.into_iter().filter_map(|registers| unsafe { watch::place_at(registers) });
    places.min_by_key(|place| (place.line, place.column))
}

/// # Safety
/// The memory is there, and nobody writes to it while the value lives.
unsafe fn memory(bytes: &Range<usize>) -> &[u8] {
    // SAFETY: guaranteed by the caller.
    unsafe { slice::from_raw_parts(bytes.start as *const u8, bytes.len()) }
}

/// # Safety
/// `context` is a signal handler's, or a copy of it.
unsafe fn float_of<'a>(context: *const libc::ucontext_t) -> Option<&'a [u8; FLOAT_BYTES]> {
    // SAFETY: guaranteed by the caller; the state has 512 bytes at least.
    unsafe { (*context).uc_mcontext.fpregs.cast::<[u8; FLOAT_BYTES]>().as_ref() }
}

/// Returns the bytes that an instruction writes with these registers. `None` if that is not known, or if it depends on
/// more than memory and registers.
fn writes(
    factory: &mut InstructionInfoFactory,
    instruction: &Instruction,
    registers: &Registers,
) -> Option<Vec<Range<usize>>> {
    if instruction.is_invalid() || depends_on_more(instruction.mnemonic()) {
        return None;
    }
    let info = factory.info(instruction);
    let mut written = Vec::new();
    for used in info.used_memory() {
        match used.access() {
            OpAccess::None | OpAccess::NoMemAccess | OpAccess::Read | OpAccess::CondRead => {
                continue;
            }
            OpAccess::Write
            | OpAccess::CondWrite
            | OpAccess::ReadWrite
            | OpAccess::ReadCondWrite => {}
        }
        let bytes = used.memory_size().size();
        if bytes == 0 || instruction.has_rep_prefix() || instruction.has_repne_prefix() {
            return None;
        }
        let start = used.virtual_address(0, |register, _, _| value(registers, register))? as usize;
        written.push(start..start.checked_add(bytes)?);
    }
    Some(written)
}

/// Reports whether what an instruction does depends on more than memory and registers: it reads a clock or random numbers,
/// or enters the system.
fn depends_on_more(mnemonic: Mnemonic) -> bool {
    matches!(
        mnemonic,
        Mnemonic::Rdtsc
            | Mnemonic::Rdtscp
            | Mnemonic::Rdpmc
            | Mnemonic::Rdrand
            | Mnemonic::Rdseed
            | Mnemonic::Rdpid
            | Mnemonic::Syscall
            | Mnemonic::Sysenter
            | Mnemonic::Int
            | Mnemonic::Int1
            | Mnemonic::Int3
            | Mnemonic::Into
            | Mnemonic::Xbegin
    )
}

/// Returns the value of a register that an address is computed from; `None` for the base of thread-local memory.
fn value(registers: &Registers, register: Register) -> Option<u64> {
    let number = match register {
        Register::RAX | Register::EAX => libc::REG_RAX,
        Register::RBX | Register::EBX => libc::REG_RBX,
        Register::RCX | Register::ECX => libc::REG_RCX,
        Register::RDX | Register::EDX => libc::REG_RDX,
        Register::RSI | Register::ESI => libc::REG_RSI,
        Register::RDI | Register::EDI => libc::REG_RDI,
        Register::RBP | Register::EBP => libc::REG_RBP,
        Register::RSP | Register::ESP => libc::REG_RSP,
        Register::R8 | Register::R8D => libc::REG_R8,
        Register::R9 | Register::R9D => libc::REG_R9,
        Register::R10 | Register::R10D => libc::REG_R10,
        Register::R11 | Register::R11D => libc::REG_R11,
        Register::R12 | Register::R12D => libc::REG_R12,
        Register::R13 | Register::R13D => libc::REG_R13,
        Register::R14 | Register::R14D => libc::REG_R14,
        Register::R15 | Register::R15D => libc::REG_R15,
        // Segments without a base.
        Register::CS | Register::DS | Register::ES | Register::SS => return Some(0),
        _ => return None,
    };
    let value = registers[number as usize] as u64;
    let is_half = register.size() == 4;
    Some(if is_half { value & 0xffff_ffff } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First and last address of the writes of an instruction at 0x1000, with these registers.
    fn of(code: &[u8], set: &[(libc::c_int, i64)]) -> Option<Vec<(usize, usize)>> {
        let mut registers: Registers = [0; REGISTERS];
        registers[libc::REG_RIP as usize] = 0x1000;
        for (number, value) in set {
            registers[*number as usize] = *value;
        }
        let instruction = Decoder::with_ip(64, code, 0x1000, DecoderOptions::NONE).decode();
        let written = writes(&mut InstructionInfoFactory::new(), &instruction, &registers)?;
        Some(written.into_iter().map(|bytes| (bytes.start, bytes.end - 1)).collect())
    }

    #[test]
    fn a_loop_that_only_reads_writes_nothing() {
        // mov eax, [rip + 0x10]; test eax, eax; je; pause
        let codes: [&[u8]; 4] =
            [&[0x8b, 0x05, 0x10, 0, 0, 0], &[0x85, 0xc0], &[0x74, 0xf6], &[0xf3, 0x90]];
        for code in codes {
            assert_eq!(of(code, &[]), Some(vec![]), "{code:x?}");
        }
    }

    #[test]
    fn writes_are_found_by_the_registers_of_their_addresses() {
        // mov [rbp - 4], eax
        assert_eq!(
            of(&[0x89, 0x45, 0xfc], &[(libc::REG_RBP, 0x8000)]),
            Some(vec![(0x7ffc, 0x7fff)])
        );
        // lock xchg [rdx + rcx * 8], rax
        let registers = [(libc::REG_RDX, 0x9000), (libc::REG_RCX, 2)];
        assert_eq!(of(&[0x48, 0x87, 0x04, 0xca], &registers), Some(vec![(0x9010, 0x9017)]));
        // call: the return address
        assert_eq!(
            of(&[0xe8, 0, 0, 0, 0], &[(libc::REG_RSP, 0x8000)]),
            Some(vec![(0x7ff8, 0x7fff)])
        );
        // mov [rip + 0x10], eax
        assert_eq!(of(&[0x89, 0x05, 0x10, 0, 0, 0], &[]), Some(vec![(0x1016, 0x1019)]));
    }

    #[test]
    fn what_depends_on_more_is_not_known() {
        let codes: [&[u8]; 4] =
            // rdtsc; syscall; rep stosb; mov fs:[0], eax
            [&[0x0f, 0x31], &[0x0f, 0x05], &[0xf3, 0xaa], &[0x64, 0x89, 0x04, 0x25, 0, 0, 0, 0]];
        for code in codes {
            assert_eq!(of(code, &[]), None, "{code:x?}");
        }
    }
}
