//! Source texts and how they are compiled.

use crate::{plan::Plan, written};

/// How much the compiler does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// `-O0`.
    None,
    /// `-O2`.
    Two,
}

impl Level {
    /// Every one.
    pub(super) const ALL: [Self; 2] = [Self::None, Self::Two];

    /// The compiler's option.
    pub(super) fn flag(self) -> &'static str {
        match self {
            Self::None => "-O0",
            Self::Two => "-O2",
        }
    }
}

/// The program in C that runs the plan whose seed is its argument.
pub fn source(plans: &[Plan]) -> String {
    written::c_program(plans)
}
