//! Floating-point state: rounding, exceptions and flags belong to a thread of a program.
//!
//! A switch between coroutines leaves them alone. They are taken when a rank is suspended and set when
//! it goes on; in between, and so in the kernel, the modes are those of a new process. In the usual
//! case, default modes, that is two stores and two comparisons each way.
#![allow(unsafe_code, reason = "reads and writes registers of the floating-point units")]

use std::{arch::asm, mem::MaybeUninit};

/// `MXCSR` of a new process: everything is masked, to nearest, nothing flushed.
pub(super) const MXCSR: u32 = 0x1f80;
/// Control word of the x87 unit in a new process.
pub(super) const CONTROL: u16 = 0x037f;
/// Flags of exceptions that have occurred, in `MXCSR` and in the status word of the x87 unit.
const FLAGS: u16 = 0x3f;
/// Top of the x87 stack in the status word: not 0 if there is something on it.
const TOP: u16 = 0x3800;

/// Modes and flags of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Modes {
    mxcsr: u32,
    control: u16,
    status: u16,
}

impl Modes {
    /// Those of a new process.
    pub(super) const FRESH: Self = Self { mxcsr: MXCSR, control: CONTROL, status: 0 };

    /// Whether only flags of the newer unit differ from those of a new process.
    #[inline]
    pub(super) fn are_plain(self) -> bool {
        self.mxcsr & !u32::from(FLAGS) == MXCSR
            && self.control == CONTROL
            && self.status & (FLAGS | TOP) == 0
    }

    /// Sets modes that are plain.
    #[inline]
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
        let (mut mxcsr, mut control) = (0_u32, 0_u16);
        let status: u16;
        // SAFETY: stores registers into the two variables; needs no stack and changes nothing.
        unsafe {
            asm!(
                "stmxcsr [{mxcsr}]",
                "fnstcw [{control}]",
                "fnstsw ax",
                mxcsr = in(reg) &raw mut mxcsr,
                control = in(reg) &raw mut control,
                out("ax") status,
                options(nostack, preserves_flags),
            );
        }
        Self { mxcsr, control, status }
    }
}

/// What a suspended program finds again.
#[derive(Clone, Copy)]
pub(super) struct Float {
    modes: Modes,
    /// The whole x87 unit as `fnsave` keeps it, if its modes are not the default or its stack is not
    /// empty.
    whole: Option<MaybeUninit<[u32; 27]>>,
}

impl Float {
    /// Of a program that begins, or of a function of one.
    pub(super) fn of(modes: Modes) -> Self {
        Self { modes: Modes { status: modes.status & FLAGS, ..modes }, whole: None }
    }

    pub(super) fn modes(&self) -> Modes {
        self.modes
    }

    /// Takes the present state, and leaves the modes of a new process.
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

    /// Sets the state.
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

/// The unit is as in a new process afterwards.
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

/// Sets control word and flags of a unit whose stack is empty.
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
