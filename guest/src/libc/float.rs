//! Floating-point state: rounding modes, exception masks and flags belong to a thread of a program.
//!
//! A switch between coroutines leaves them unchanged. They are saved when a rank is suspended and
//! restored when it is resumed; in between, and so in the kernel, the modes are those of a new
//! process. In the usual case, default modes, that takes two stores and two comparisons each way.
#![allow(unsafe_code, reason = "reads and writes registers of the floating-point units")]

use std::{arch::asm, mem::MaybeUninit};

/// `MXCSR` of a new process: all exceptions masked, round to nearest, no flush to zero.
pub(super) const MXCSR: u32 = 0x1f80;
/// x87 control word of a new process.
pub(super) const CONTROL: u16 = 0x037f;
/// Flags of exceptions that have occurred, in `MXCSR` and in the x87 status word.
const FLAGS: u16 = 0x3f;
/// Top-of-stack field of the x87 status word: not 0 if the stack is not empty.
const TOP: u16 = 0x3800;

/// Floating-point modes and flags of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Modes {
    mxcsr: u32,
    control: u16,
    status: u16,
}

impl Modes {
    /// The modes of a new process.
    pub(super) const FRESH: Self = Self { mxcsr: MXCSR, control: CONTROL, status: 0 };

    /// Reports whether only SSE flags differ from those of a new process.
    #[inline]
    pub(super) fn are_plain(self) -> bool {
        self.mxcsr & !u32::from(FLAGS) == MXCSR
            && self.control == CONTROL
            && self.status & (FLAGS | TOP) == 0
    }

    /// Restores modes for which `are_plain` holds.
    #[inline(always)]
    pub(super) fn put_plain(self) {
        let present = Self::present();
        if present.mxcsr != self.mxcsr {
            set_mxcsr(self.mxcsr);
        }
        if present.control != CONTROL || present.status & (FLAGS | TOP) != 0 {
            put_parts(self);
        }
    }

    #[inline]
    pub(super) fn present() -> Self {
        let (mut mxcsr, mut control) = (MaybeUninit::<u32>::uninit(), MaybeUninit::<u16>::uninit());
        let status: u16;
        // SAFETY: stores registers into the two variables; needs no stack and changes nothing.
        unsafe {
            asm!(
                "stmxcsr [{mxcsr}]",
                "fnstcw [{control}]",
                "fnstsw ax",
                mxcsr = in(reg) mxcsr.as_mut_ptr(),
                control = in(reg) control.as_mut_ptr(),
                out("ax") status,
                options(nostack, preserves_flags),
            );
        }
        // SAFETY: both were just stored.
        let (mxcsr, control) = unsafe { (mxcsr.assume_init(), control.assume_init()) };
        Self { mxcsr, control, status }
    }
}

/// The floating-point state of a suspended program.
#[derive(Clone, Copy)]
pub(super) struct Float {
    modes: Modes,
    /// The whole x87 state as saved by `fnsave`, if its modes are not the defaults or its stack is
    /// not empty.
    whole: Option<MaybeUninit<[u32; 27]>>,
}

impl Float {
    /// Returns the state of a program, or of a function of one, that begins.
    pub(super) fn of(modes: Modes) -> Self {
        Self { modes: Modes { status: modes.status & FLAGS, ..modes }, whole: None }
    }

    pub(super) fn modes(&self) -> Modes {
        self.modes
    }

    /// Saves the present state, and sets the modes of a new process.
    #[inline]
    pub(super) fn take() -> Self {
        let modes = Modes::present();
        let mut float = Self { modes, whole: None };
        if modes.mxcsr & !u32::from(FLAGS) != MXCSR {
            set_mxcsr(MXCSR);
        }
        if modes.control != CONTROL || modes.status & TOP != 0 {
            float.whole = Some(take_whole());
        }
        float
    }

    /// Restores the state.
    #[inline]
    pub(super) fn put(&self) {
        let present = Modes::present();
        if present.mxcsr != self.modes.mxcsr {
            set_mxcsr(self.modes.mxcsr);
        }
        match &self.whole {
            Some(whole) => put_whole(whole),
            None if present.control == self.modes.control
                && (present.status ^ self.modes.status) & FLAGS == 0 => {}
            None => put_parts(self.modes),
        }
    }
}

#[cold]
fn set_mxcsr(value: u32) {
    // SAFETY: the value was read from the register, or is its default.
    unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const value, options(nostack, readonly)) };
}

/// Saves the x87 state and resets the unit to that of a new process.
#[cold]
fn take_whole() -> MaybeUninit<[u32; 27]> {
    let mut whole = MaybeUninit::uninit();
    // SAFETY: the area has the 108 bytes that the instruction writes.
    unsafe { asm!("fnsave [{}]", in(reg) whole.as_mut_ptr(), options(nostack)) };
    whole
}

#[cold]
fn put_whole(whole: &MaybeUninit<[u32; 27]>) {
    // SAFETY: the area was written by `fnsave`.
    unsafe { asm!("frstor [{}]", in(reg) whole.as_ptr(), options(nostack)) };
}

/// Sets x87 control word and flags, for a unit whose stack is empty.
#[cold]
fn put_parts(modes: Modes) {
    let mut environment = [0_u32; 7];
    // SAFETY: the area has the 28 bytes that the instructions write and read.
    unsafe { asm!("fnstenv [{}]", in(reg) &raw mut environment, options(nostack)) };
    environment[0] = u32::from(modes.control);
    environment[1] = u32::from(modes.status & FLAGS);
    // SAFETY: as above.
    unsafe { asm!("fldenv [{}]", in(reg) &raw const environment, options(nostack)) };
}

#[cfg(test)]
mod tests {
    use super::{Float, MXCSR, Modes, put_parts, set_mxcsr};

    #[test]
    fn modes_and_flags_come_back_and_leave_nothing() {
        let other = Modes { mxcsr: 0x7fa1, control: 0x0f7f, status: 0x21 };
        set_mxcsr(other.mxcsr);
        put_parts(other);
        let taken = Float::take();
        assert_eq!(taken.modes().mxcsr, other.mxcsr);
        assert_eq!(taken.modes().control, other.control);
        let between = Modes::present();
        assert_eq!(between.control, Modes::FRESH.control);
        assert_eq!(between.mxcsr & !0x3f, MXCSR);
        taken.put();
        let again = Modes::present();
        assert_eq!((again.mxcsr, again.control), (other.mxcsr, other.control));
        assert_eq!(again.status & 0x3f, 0x21);
        Float::of(Modes::FRESH).put();
        assert_eq!(Modes::present(), Modes::FRESH);
    }
}
