//! The forms in which a plan is compiled.

use crate::written::Language;

/// Language and level of optimisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// What it is written in.
    pub language: Language,
    /// The compiler's option.
    pub level: &'static str,
}

impl Form {
    /// Programs in C.
    pub const C: [Self; 2] = [
        Self { language: Language::C, level: "-O0" },
        Self { language: Language::C, level: "-O2" },
    ];
    /// Programs in Fortran.
    pub const FORTRAN: [Self; 2] = [
        Self { language: Language::Fortran, level: "-O0" },
        Self { language: Language::Fortran, level: "-O2" },
    ];

    /// What it is called in messages.
    pub(super) fn name(self) -> String {
        let Self { language, level } = self;
        format!("{language:?} {level}")
    }

    /// The number by which machines are chosen, so that the levels get different ones.
    pub(super) fn number(self) -> usize {
        2 * usize::from(self.level == "-O2") + usize::from(self.language == Language::Fortran)
    }
}
