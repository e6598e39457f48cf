//! Access to the registers of a context that a signal interrupted.
#![allow(unsafe_code, reason = "reads and changes the interrupted context")]

pub(super) use machine::{
    address, complete_switch, divert, enter, has_returned, kind, returns_to, set_stack_pointer,
    stack_pointer,
};

/// Bytes below the stack pointer that may belong to the interrupted function (the red zone), with a
/// margin.
const SPARE: usize = 512;

#[cfg(target_arch = "x86_64")]
mod machine {
    use corosensei::trap::TrapHandlerRegs;

    use crate::outcome::AccessKind;

    /// # Safety
    /// `context` is a signal handler's third argument.
    pub(crate) unsafe fn address(context: *const libc::ucontext_t) -> usize {
        // SAFETY: guaranteed by the caller.
        unsafe { (*context).uc_mcontext.gregs[libc::REG_RIP as usize] as usize }
    }

    /// # Safety
    /// `context` is a signal handler's third argument.
    pub(crate) unsafe fn stack_pointer(context: *const libc::ucontext_t) -> usize {
        // SAFETY: guaranteed by the caller.
        unsafe { (*context).uc_mcontext.gregs[libc::REG_RSP as usize] as usize }
    }

    /// Sets the stack pointer with which the thread continues when the handler returns.
    ///
    /// # Safety
    /// As for `address`, and the interrupted code can continue with it.
    pub(crate) unsafe fn set_stack_pointer(context: *mut libc::ucontext_t, pointer: usize) {
        // SAFETY: guaranteed by the caller.
        unsafe { (*context).uc_mcontext.gregs[libc::REG_RSP as usize] = pointer as i64 };
    }

    /// Returns how the instruction that caused a page fault accessed its operand.
    ///
    /// # Safety
    /// `context` is the third argument of a handler of `SIGSEGV` or `SIGBUS`.
    pub(crate) unsafe fn kind(context: *const libc::ucontext_t) -> Option<AccessKind> {
        /// Bit of the page-fault error code (Intel SDM volume 3, 4.7).
        const WRITE: i64 = 2;
        // SAFETY: guaranteed by the caller.
        let error = unsafe { (*context).uc_mcontext.gregs[libc::REG_ERR as usize] };
        Some(if error & WRITE != 0 { AccessKind::Write } else { AccessKind::Read })
    }

    /// Reports whether the instruction that cannot be fetched is that after a return: the word below the stack pointer
    /// is its address. After a call, the last word of the stack is a return address, and the one below is free.
    ///
    /// # Safety
    /// `context` is a signal handler's third argument, and its stack has a word below the stack pointer.
    pub(crate) unsafe fn has_returned(context: *const libc::ucontext_t) -> bool {
        // SAFETY: guaranteed by the caller.
        unsafe {
            let below = (stack_pointer(context) as *const usize).sub(1);
            below.read_unaligned() == address(context)
        }
    }

    /// Returns where an instruction that was not completed returns to, if it returns from a function.
    ///
    /// # Safety
    /// `context` is a signal handler's third argument, its instruction was executed and its stack is there.
    pub(crate) unsafe fn returns_to(context: *const libc::ucontext_t) -> Option<usize> {
        /// `ret` and `ret` with a number of bytes, perhaps after `rep` (Intel SDM volume 2, RET).
        const RETURNS: [u8; 2] = [0xc3, 0xc2];
        const REPEAT: u8 = 0xf3;
        // SAFETY: guaranteed by the caller.
        unsafe {
            let code = address(context) as *const u8;
            let code = if code.read() == REPEAT { code.add(1) } else { code };
            let target = || (stack_pointer(context) as *const usize).read_unaligned();
            RETURNS.contains(&code.read()).then(target)
        }
    }

    /// Stores what leads back to the caller of a coroutine, if the thread was struck on its way there: by the call that
    /// reaches the coroutine, or where that has led to. `link` is where the words are, and `back` the address to return to.
    ///
    /// # Safety
    /// `context` is the third argument of a handler of a signal that the processor has raised between the beginning of a switch
    /// to a coroutine and its end, and `link` was the place of these words whenever a coroutine was resumed.
    pub(crate) unsafe fn complete_switch(
        context: *const libc::ucontext_t,
        link: usize,
        back: usize,
    ) {
        const WORD: usize = size_of::<usize>();
        // SAFETY: guaranteed by the caller: the switch has pushed one word above these, and was to push them.
        unsafe {
            let below = stack_pointer(context).wrapping_sub(link);
            if below == WORD || below == 2 * WORD {
                let words = link as *mut usize;
                words.write((*context).uc_mcontext.gregs[libc::REG_RBP as usize] as usize);
                words.add(1).write(back);
            }
        }
    }

    /// # Safety
    /// As for `address`. The thread continues at `entry` when the handler returns.
    pub(crate) unsafe fn enter(context: *mut libc::ucontext_t, entry: &TrapHandlerRegs) {
        // SAFETY: guaranteed by the caller.
        let registers = unsafe { &mut (*context).uc_mcontext.gregs };
        registers[libc::REG_RIP as usize] = entry.rip as i64;
        registers[libc::REG_RSP as usize] = entry.rsp as i64;
        registers[libc::REG_RBP as usize] = entry.rbp as i64;
        registers[libc::REG_RDI as usize] = entry.rdi as i64;
        registers[libc::REG_RSI as usize] = entry.rsi as i64;
        /// The flag that causes a trap after each instruction (Intel SDM volume 1, 3.4.3).
        const TRAP: i64 = 0x100;
        registers[libc::REG_EFL as usize] &= !TRAP;
        // The process may have changed the floating-point modes; the kernel runs with the defaults.
        // SAFETY: the system's, which it reads when the handler returns.
        if let Some(float) = unsafe { (*context).uc_mcontext.fpregs.as_mut() } {
            (float.mxcsr, float.cwd, float.swd, float.ftw) = (0x1f80, 0x037f, 0, 0);
        }
    }

    /// # Safety
    /// As for `address`. The thread continues in `function`, which does not return, on its present stack,
    /// when the handler returns.
    pub(crate) unsafe fn divert(context: *mut libc::ucontext_t, function: extern "C" fn() -> !) {
        // SAFETY: guaranteed by the caller.
        let registers = unsafe { &mut (*context).uc_mcontext.gregs };
        let top = registers[libc::REG_RSP as usize] as usize - super::SPARE;
        // The ABI's alignment at function entry: a multiple of 16, less the word of the return
        // address.
        registers[libc::REG_RSP as usize] = ((top & !15) - 8) as i64;
        registers[libc::REG_RIP as usize] = function as usize as i64;
    }
}

#[cfg(target_arch = "aarch64")]
mod machine {
    use corosensei::trap::TrapHandlerRegs;

    use crate::outcome::AccessKind;

    /// # Safety
    /// `context` is a signal handler's third argument.
    pub(crate) unsafe fn address(context: *const libc::ucontext_t) -> usize {
        // SAFETY: guaranteed by the caller.
        unsafe { (*context).uc_mcontext.pc as usize }
    }

    /// # Safety
    /// `context` is a signal handler's third argument.
    pub(crate) unsafe fn stack_pointer(context: *const libc::ucontext_t) -> usize {
        // SAFETY: guaranteed by the caller.
        unsafe { (*context).uc_mcontext.sp as usize }
    }

    /// Sets the stack pointer with which the thread continues when the handler returns.
    ///
    /// # Safety
    /// As for `address`, and the interrupted code can continue with it.
    pub(crate) unsafe fn set_stack_pointer(context: *mut libc::ucontext_t, pointer: usize) {
        // SAFETY: guaranteed by the caller.
        unsafe { (*context).uc_mcontext.sp = pointer as u64 };
    }

    /// Returns `None`: the register that says whether a faulting instruction wrote is not part of
    /// the basic context.
    ///
    /// # Safety
    /// As on other machines.
    pub(crate) unsafe fn kind(_: *const libc::ucontext_t) -> Option<AccessKind> {
        None
    }

    /// Returns `false`: calls and returns leave nothing in memory.
    ///
    /// # Safety
    /// As on other machines.
    pub(crate) unsafe fn has_returned(_: *const libc::ucontext_t) -> bool {
        false
    }

    /// Returns `None`: a return to an address that is none strikes there.
    ///
    /// # Safety
    /// As on other machines.
    pub(crate) unsafe fn returns_to(_: *const libc::ucontext_t) -> Option<usize> {
        None
    }

    /// Does nothing: the stack pointer does not tell how far a switch has come. The signal is raised again.
    ///
    /// # Safety
    /// As on other machines.
    pub(crate) unsafe fn complete_switch(_: *const libc::ucontext_t, _: usize, _: usize) {}

    /// # Safety
    /// As for `address`. The thread continues at `entry` when the handler returns.
    pub(crate) unsafe fn enter(context: *mut libc::ucontext_t, entry: &TrapHandlerRegs) {
        // SAFETY: guaranteed by the caller.
        let registers = unsafe { &mut (*context).uc_mcontext };
        registers.pc = entry.pc;
        registers.sp = entry.sp;
        registers.regs[0] = entry.x0;
        registers.regs[1] = entry.x1;
        registers.regs[29] = entry.x29;
        registers.regs[30] = entry.lr;
    }

    /// # Safety
    /// As for `address`. The thread continues in `function`, which does not return, on its present stack,
    /// when the handler returns.
    pub(crate) unsafe fn divert(context: *mut libc::ucontext_t, function: extern "C" fn() -> !) {
        // SAFETY: guaranteed by the caller.
        let registers = unsafe { &mut (*context).uc_mcontext };
        registers.sp = ((registers.sp as usize - super::SPARE) & !15) as u64;
        registers.pc = function as usize as u64;
    }
}
