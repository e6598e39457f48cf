//! Loops that call nothing and wait for memory to change, such as `while (!flag);`.
//!
//! Ranks and their threads are coroutines, so what such a loop waits for does not happen while it runs. A timer
//! finds a rank that has run for long without a call. From then on its program is executed one instruction at a
//! time, by the trap flag. If a lap of instructions ends with the registers that it began with, the functions of
//! `lap` find out what it writes, and the lap is executed once more: if registers and the bytes that it writes end
//! as they began, the program will do the same for ever, unless somebody else changes memory. So the rank is
//! suspended for a time, and then the lap is tried again.
//!
//! When the timer finds a loop does not matter: nothing else happens in the simulation meanwhile, and the state of
//! the rank is the same after each lap. So runs remain deterministic.
#![allow(unsafe_code, reason = "executes a program step by step, and reads memory that it writes")]

use std::{
    cell::UnsafeCell,
    ffi::{c_int, c_void},
    sync::{
        Once,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use super::{
    super::rank::Rank,
    attend::attend,
    lap::{Lap, REGISTERS, Registers},
    strike,
};
use crate::{
    site,
    watch::{self, me},
};

/// The processor flag that causes a trap after the next instruction (Intel SDM volume 1, 3.4.3).
pub(crate) const TRAP_FLAG: i64 = 0x100;
/// The instruction `int3`.
const BREAKPOINT: u8 = 0xcc;
/// Flags that are not part of the program's state: trap, and resume after a breakpoint.
const NOT_STATE: i64 = TRAP_FLAG | 0x1_0000;
/// `si_code` of a trap after one instruction.
const TRAP_TRACE: c_int = 2;
/// Most instructions of a lap. Loops that wait have a few.
const STEPS_MAX: usize = 128;

/// What the traps are for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Nothing: the program is not executed in steps.
    Idle,
    /// A lap is searched for.
    Search,
    /// A lap was found, and what it writes is to be found.
    Found,
    /// The lap is executed once more.
    Repeat,
    /// It has ended as it began.
    Repeated,
}

struct Stepper {
    phase: Phase,
    /// The registers before each instruction of the lap.
    log: [Registers; STEPS_MAX],
    /// Instructions executed.
    count: usize,
    /// The lap that is repeated, or one that was given up.
    lap: Option<Box<Lap>>,
}

/// The stepper; accessed by the thread in `OWNER` only.
struct Shared(UnsafeCell<Stepper>);

// SAFETY: only the thread that is the owner reads or writes it.
unsafe impl Sync for Shared {}

static STEPPER: Shared = Shared(UnsafeCell::new(Stepper {
    phase: Phase::Idle,
    log: [[0; REGISTERS]; STEPS_MAX],
    count: 0,
    lap: None,
}));

/// The thread whose program is executed in steps, as [`me`] names it; 0 if there is none.
static OWNER: AtomicUsize = AtomicUsize::new(0);

/// Returns the stepper if this thread owns it.
fn mine() -> Option<*mut Stepper> {
    (OWNER.load(Relaxed) == me()).then_some(STEPPER.0.get())
}

/// Makes this thread the owner, unless another one is.
fn claim() -> Option<*mut Stepper> {
    let _ = OWNER.compare_exchange(0, me(), Relaxed, Relaxed);
    mine()
}

impl Stepper {
    /// Ends the execution in steps.
    fn stop(&mut self) {
        self.phase = Phase::Idle;
        OWNER.store(0, Relaxed);
    }
}

/// Installs the function that examines ranks which have run for long.
pub(super) fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if !is_debugged() {
            Lap::prepare();
            sim_core::interrupt::examine_long_stretches(begin);
        }
    });
}

/// Reports whether a debugger has started this process: it would take the traps for its own.
fn is_debugged() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:"));
    tracer.is_some_and(|number| number.trim() != "0")
}

/// Returns the registers of a context, with the flags.
///
/// # Safety
/// `context` is a signal handler's.
unsafe fn registers(context: *const libc::ucontext_t) -> Registers {
    // SAFETY: guaranteed by the caller.
    let all = unsafe { &(*context).uc_mcontext.gregs };
    let mut registers: Registers = std::array::from_fn(|number| all[number]);
    registers[libc::REG_EFL as usize] &= !NOT_STATE;
    registers
}

/// Reports whether the next instruction is one of the program.
fn is_in_program(registers: &Registers) -> bool {
    site::is_of_program(registers[libc::REG_RIP as usize] as usize)
}

/// Sets whether the program traps after its next instruction.
///
/// # Safety
/// `context` is a signal handler's, or a copy that the system will restore.
unsafe fn set_trap(context: *mut libc::ucontext_t, traps: bool) {
    // SAFETY: guaranteed by the caller.
    let flags = unsafe { &mut (*context).uc_mcontext.gregs[libc::REG_EFL as usize] };
    *flags = if traps { *flags | TRAP_FLAG } else { *flags & !TRAP_FLAG };
}

/// Begins to search for a lap.
///
/// # Safety
/// The argument is the third one of a signal handler that runs on another stack than the rank's.
unsafe fn begin(context: *mut c_void) {
    let context: *mut libc::ucontext_t = context.cast();
    // SAFETY: guaranteed by the caller; the stepper is the thread's own.
    unsafe {
        let now = registers(context);
        let steps = (*context).uc_mcontext.gregs[libc::REG_EFL as usize] & TRAP_FLAG != 0;
        if steps || !is_in_program(&now) {
            return;
        }
        let Some(stepper) = claim() else { return };
        let stepper = &mut *stepper;
        (stepper.phase, stepper.count) = (Phase::Search, 1);
        stepper.log[0] = now;
        set_trap(context, true);
    }
}

/// Reports whether a trap follows an instruction of a program that is executed in steps. The system may not know the
/// cause: virtual machines lose it now and then.
///
/// # Safety
/// The arguments are those of a signal handler.
unsafe fn is_step(info: *const libc::siginfo_t, context: *const libc::ucontext_t) -> bool {
    // SAFETY: guaranteed by the caller; the instruction before the next one is readable.
    unsafe {
        let registers = &(*context).uc_mcontext.gregs;
        let next = registers[libc::REG_RIP as usize] as *const u8;
        registers[libc::REG_EFL as usize] & TRAP_FLAG != 0
            && ((*info).si_code == TRAP_TRACE || next.sub(1).read() != BREAKPOINT)
    }
}

/// Handles a trap if it belongs to the execution in steps.
///
/// # Safety
/// The arguments are those of a signal handler that runs on another stack than the rank's.
pub(crate) unsafe fn takes(info: *mut libc::siginfo_t, context: *mut libc::ucontext_t) -> bool {
    // SAFETY: guaranteed by the caller; the stepper is the thread's own.
    unsafe {
        if !is_step(info, context) {
            return false;
        }
        let stepper = mine().map(|stepper| &mut *stepper);
        let Some(stepper) = stepper.filter(|stepper| stepper.phase != Phase::Idle) else {
            // The last trap of a stepper that has stopped.
            set_trap(context, false);
            return true;
        };
        let now = registers(context);
        let ended = match stepper.phase {
            _ if !is_in_program(&now) => Some(false),
            Phase::Search => stepper.search(now),
            Phase::Repeat => stepper.repeat(now, context),
            Phase::Idle | Phase::Found | Phase::Repeated => Some(false),
        };
        let Some(is_found) = ended else { return true };
        set_trap(context, false);
        if is_found {
            // Pages of the rank's stack may be closed (`watch`), and a rank that waits accesses nothing else.
            watch::open();
            strike::enter(look, libc::SIGTRAP, info, context);
        } else {
            stepper.stop();
        }
    }
    true
}

impl Stepper {
    /// Notes the registers after an instruction. Returns whether a lap was found, once that is known.
    fn search(&mut self, now: Registers) -> Option<bool> {
        if now == self.log[0] {
            self.phase = Phase::Found;
            return Some(true);
        }
        if self.count == STEPS_MAX {
            return Some(false);
        }
        self.log[self.count] = now;
        self.count += 1;
        None
    }

    /// Compares the registers after an instruction with those of the lap. Returns whether the lap has ended as it
    /// began, once that is known.
    ///
    /// # Safety
    /// `context` is a signal handler's.
    unsafe fn repeat(&mut self, now: Registers, context: *const libc::ucontext_t) -> Option<bool> {
        let Some(lap) = &self.lap else { return Some(false) };
        if self.count < lap.log().len() {
            let is_same = now == lap.log()[self.count];
            self.count += 1;
            return if is_same { None } else { Some(false) };
        }
        // SAFETY: guaranteed by the caller; the memory is the program's, which has just written to it.
        let is_same = now == lap.log()[0] && unsafe { lap.is_as_before(context) };
        if is_same {
            self.phase = Phase::Repeated;
        }
        Some(is_same)
    }
}

/// Runs on the rank's stack at the end of a lap: suspends the rank if the lap has ended as it began, and lets it be
/// executed once more.
unsafe extern "C-unwind" fn look(_: c_int, _: *mut libc::siginfo_t, context: *mut c_void) {
    let context: *mut libc::ucontext_t = context.cast();
    let Some(stepper) = mine() else { return };
    // SAFETY: the stepper is the thread's own; no trap occurs while the trap flag is not set. Other ranks may use the
    // stepper while this one is suspended, so that nothing of it is borrowed then.
    unsafe {
        let phase = (*stepper).phase;
        let known = (*stepper).lap.take();
        let lap = match phase {
            Phase::Found => {
                let stepper = &*stepper;
                Lap::new(&stepper.log[..stepper.count])
            }
            Phase::Repeated => known,
            Phase::Idle | Phase::Search | Phase::Repeat => None,
        };
        (*stepper).stop();
        let Some(mut lap) = lap else { return };
        if phase == Phase::Repeated {
            let rank = Rank::running();
            if !rank.host().spin(rank.number(), lap.site(), lap.is_fresh()) {
                return;
            }
            lap.grow_stale();
            sim_core::interrupt::examine_sooner();
            // The loop may wait for the handler of a timer.
            attend();
        }
        // While another thread executes its program in steps this loop runs on, until the timer finds it again.
        let Some(stepper) = claim() else { return };
        lap.remember(context);
        (*stepper).lap = Some(lap);
        ((*stepper).phase, (*stepper).count) = (Phase::Repeat, 1);
        set_trap(context, true);
    }
}
