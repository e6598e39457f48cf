//! [`Interrupted`]: where a program was interrupted, and which functions had called each other there.
//!
//! The handler of a signal may not allocate memory, since it may have interrupted just that. So it copies the registers
//! and the top of the stack, and the functions are found later by the frame tables of the objects (System V ABI for
//! x86-64, section 3.7; Linux Standard Base 5.0, core, section 10.6).
#![allow(unsafe_code, reason = "reads the tables of loaded objects")]

use std::{ffi::c_int, ffi::c_void, mem, slice};

use gimli::{
    BaseAddresses, CfaRule, EhFrame, EhFrameHdr, LittleEndian, Register, RegisterRule,
    UnwindContext, UnwindSection, X86_64,
};
use sim_core::Site;

use crate::site::{self, CodeFrame};

/// Words of the stack that are kept: the functions of a library that were called last lie in them.
const WORDS: usize = 1024;
/// Most functions that are looked at.
const DEPTH_MAX: usize = 64;
/// The registers of a frame, by their DWARF numbers, the last one being the return address.
const REGISTERS: usize = 17;
const RETURN_ADDRESS: usize = 16;
const FRAME_POINTER: usize = 6;
const STACK_POINTER: usize = 7;

/// The registers of the system's contexts in the order of their DWARF numbers.
const OF_CONTEXT: [c_int; REGISTERS] = [
    libc::REG_RAX,
    libc::REG_RDX,
    libc::REG_RCX,
    libc::REG_RBX,
    libc::REG_RSI,
    libc::REG_RDI,
    libc::REG_RBP,
    libc::REG_RSP,
    libc::REG_R8,
    libc::REG_R9,
    libc::REG_R10,
    libc::REG_R11,
    libc::REG_R12,
    libc::REG_R13,
    libc::REG_R14,
    libc::REG_R15,
    libc::REG_RIP,
];

/// The registers and the top of the stack of an interrupted program.
#[derive(Clone, Copy)]
pub(super) struct Interrupted {
    registers: [usize; REGISTERS],
    stack: [usize; WORDS],
    /// Bytes of the stack that are read where they lie, since nothing runs on it; 0 if they were copied.
    there: usize,
}

impl Interrupted {
    /// Nothing at all.
    pub(super) const NONE: Self = Self { registers: [0; REGISTERS], stack: [0; WORDS], there: 0 };

    /// Copies what a signal has interrupted.
    ///
    /// # Safety
    /// `context` is a handler's, and the stack is not closed.
    pub(super) unsafe fn copy(&mut self, context: *const libc::ucontext_t) {
        // SAFETY: guaranteed by the caller; a rank's stack extends above the interrupted place, or ends with it at the
        // end of a page.
        unsafe {
            let room = self.take(&(*context).uc_mcontext.gregs) / size_of::<usize>();
            let top = self.registers[STACK_POINTER] as *const usize;
            (self.stack, self.there) = ([0; WORDS], 0);
            for (at, word) in self.stack.iter_mut().enumerate().take(room) {
                *word = top.add(at).read();
            }
        }
    }

    /// Copies registers in the order of the system's contexts; returns how many bytes of the stack there are.
    fn take(&mut self, registers: &[i64]) -> usize {
        self.registers = OF_CONTEXT.map(|register| registers[register as usize] as usize);
        site::stack_above(self.registers[STACK_POINTER])
    }

    /// Looks at what a signal has interrupted, as long as its handler runs.
    ///
    /// # Safety
    /// `context` is a handler's, which runs on another stack, and the interrupted one is not closed.
    pub(super) unsafe fn look_at(context: *const libc::ucontext_t) -> Self {
        // SAFETY: guaranteed by the caller.
        unsafe { Self::with_registers(&(*context).uc_mcontext.gregs) }
    }

    /// Looks at a program with these registers, in the order of the system's contexts, while nothing runs on its stack.
    ///
    /// # Safety
    /// The stack above the stack pointer is that of the functions which led to the instruction, and it is not closed.
    pub(super) unsafe fn with_registers(registers: &[i64]) -> Self {
        let mut interrupted = Self::NONE;
        interrupted.there = interrupted.take(registers);
        interrupted
    }

    /// Looks at a function of the program that has made the running call. What it keeps in registers that the call
    /// may have changed is not known.
    pub(super) fn of_call(CodeFrame { code, pointer, stack }: CodeFrame) -> Option<Self> {
        let mut registers = [0; REGISTERS];
        // The call may be the last instruction of its function.
        (registers[RETURN_ADDRESS], registers[FRAME_POINTER]) = (code - 1, pointer);
        registers[STACK_POINTER] = stack?;
        let there = site::stack_above(registers[STACK_POINTER]);
        Some(Self { registers, there, ..Self::NONE })
    }

    /// Returns the address of the interrupted instruction.
    pub(super) fn instruction(&self) -> usize {
        self.registers[RETURN_ADDRESS]
    }

    /// Returns the place in the program's own source that was being executed, or else in any source of it.
    pub(super) fn place(&self) -> Option<Site> {
        let mut first = None;
        for at in self.addresses().into_iter().filter_map(site::of_code) {
            let place = Site::at(at.file, at.line, at.column.max(1));
            if site::is_own(at) {
                return Some(place);
            }
            first = first.or(Some(place));
        }
        first
    }

    /// Returns the addresses after the interrupted instruction and after the calls that led to it, innermost first.
    pub(super) fn addresses(&self) -> Vec<usize> {
        let mut found = vec![self.instruction() + 1];
        let mut registers = self.registers;
        while found.len() < DEPTH_MAX {
            // A call may be the last instruction of its function.
            let code =
                if found.len() == 1 { self.instruction() } else { found[found.len() - 1] - 1 };
            let caller = match Object::of(code) {
                Some(object) => object.caller(code, registers, self),
                None if found.len() == 1 => self.caller_of_nothing(),
                None => None,
            };
            match caller {
                Some(caller) if caller[RETURN_ADDRESS] > BELOW_CODE => registers = caller,
                Some(_) | None => break,
            }
            found.push(registers[RETURN_ADDRESS]);
        }
        found
    }

    /// Returns the registers of the function that called an address without code, as through a bad pointer: the call has
    /// left nothing but its own address.
    fn caller_of_nothing(&self) -> Option<[usize; REGISTERS]> {
        let mut caller = self.registers;
        caller[RETURN_ADDRESS] = self.word(caller[STACK_POINTER])?;
        caller[STACK_POINTER] += size_of::<usize>();
        Some(caller)
    }

    /// Returns a word of the stack.
    fn word(&self, address: usize) -> Option<usize> {
        let bytes = address.checked_sub(self.registers[STACK_POINTER])?;
        let is_word = bytes.is_multiple_of(size_of::<usize>());
        if is_word && bytes.saturating_add(size_of::<usize>()) <= self.there {
            // SAFETY: so much of the stack is there.
            return Some(unsafe { (address as *const usize).read() });
        }
        self.stack.get(bytes / size_of::<usize>()).copied().filter(|_| is_word)
    }
}

/// No function lies in the first page.
const BELOW_CODE: usize = 4096;

/// A loaded object: where its addresses count from, and its segments.
struct Object {
    base: usize,
    segments: Vec<libc::Elf64_Phdr>,
}

impl Object {
    /// Returns the object of the running program or of this process that holds an address.
    fn of(address: usize) -> Option<Self> {
        let object = match site::object_start(address) {
            Some(base) => Self::of_header(base)?,
            None => Self::of_process(address)?,
        };
        object.segment_of(address).is_some().then_some(object)
    }

    /// Reads the segments of an object that is loaded here.
    fn of_header(base: usize) -> Option<Self> {
        // SAFETY: an object of a program begins with its header, which lists its segments.
        unsafe {
            let header = &*(base as *const libc::Elf64_Ehdr);
            if header.e_ident[..4] != *b"\x7fELF" {
                return None;
            }
            let first = (base + header.e_phoff as usize) as *const libc::Elf64_Phdr;
            let segments = slice::from_raw_parts(first, usize::from(header.e_phnum));
            Some(Self { base, segments: segments.to_vec() })
        }
    }

    /// Finds an object that the system has loaded.
    fn of_process(address: usize) -> Option<Self> {
        struct Wanted {
            address: usize,
            found: Option<Object>,
        }
        unsafe extern "C" fn look(
            info: *mut libc::dl_phdr_info,
            _: libc::size_t,
            data: *mut c_void,
        ) -> c_int {
            // SAFETY: `info` is the system's, `data` what is passed below.
            let (info, wanted) = unsafe { (&*info, &mut *data.cast::<Wanted>()) };
            // SAFETY: as above.
            let segments =
                unsafe { slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
            let object = Object { base: info.dlpi_addr as usize, segments: segments.to_vec() };
            let holds = object.segment_of(wanted.address).is_some();
            wanted.found = holds.then_some(object);
            c_int::from(holds)
        }
        let mut wanted = Wanted { address, found: None };
        // SAFETY: `look` uses the data as what it is, during this call only.
        unsafe { libc::dl_iterate_phdr(Some(look), (&raw mut wanted).cast()) };
        wanted.found
    }

    /// Returns the memory of the loaded segment that holds an address, from there on.
    fn segment_of(&self, address: usize) -> Option<&'static [u8]> {
        let end = |segment: &libc::Elf64_Phdr| {
            let start = self.base.checked_add(segment.p_vaddr as usize)?;
            let range = start..start + segment.p_filesz as usize;
            (segment.p_type == libc::PT_LOAD && range.contains(&address)).then_some(range.end)
        };
        let end = self.segments.iter().find_map(end)?;
        // SAFETY: the segment is loaded, and stays so while the program runs.
        Some(unsafe { slice::from_raw_parts(address as *const u8, end - address) })
    }

    /// Returns the registers of the function that called the one at `code`, which has these.
    fn caller(
        &self,
        code: usize,
        registers: [usize; REGISTERS],
        stack: &Interrupted,
    ) -> Option<[usize; REGISTERS]> {
        let tables = |segment: &&libc::Elf64_Phdr| segment.p_type == libc::PT_GNU_EH_FRAME;
        let index = self.base + self.segments.iter().find(tables)?.p_vaddr as usize;
        let bases = BaseAddresses::default().set_eh_frame_hdr(index as u64);
        let header = EhFrameHdr::new(self.segment_of(index)?, LittleEndian);
        let header = header.parse(&bases, mem::size_of::<usize>() as u8).ok()?;
        let gimli::Pointer::Direct(frames) = header.eh_frame_ptr() else { return None };
        let bases = bases.set_eh_frame(frames);
        let mut frames = EhFrame::new(self.segment_of(frames as usize)?, LittleEndian);
        frames.set_address_size(mem::size_of::<usize>() as u8);
        let mut context = UnwindContext::new();
        let row = header
            .table()?
            .unwind_info_for_address(
                &frames,
                &bases,
                &mut context,
                code as u64,
                EhFrame::cie_from_offset,
            )
            .ok()?;
        let CfaRule::RegisterAndOffset { register, offset } = row.cfa() else { return None };
        let value = |register: Register| registers.get(usize::from(register.0)).copied();
        let frame = value(*register)?.checked_add_signed(*offset as isize)?;
        let mut caller = registers;
        caller[STACK_POINTER] = frame;
        for (rule, number) in
            (0..REGISTERS as u16).map(|number| (row.register(Register(number)), number))
        {
            match rule {
                Some(RegisterRule::Offset(offset)) => {
                    let word = stack.word(frame.checked_add_signed(offset as isize)?);
                    caller[usize::from(number)] = word?;
                }
                Some(RegisterRule::Undefined) if Register(number) == X86_64::RA => return None,
                _ => {}
            }
        }
        Some(caller)
    }
}
