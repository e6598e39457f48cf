//! The forms in which a plan is compiled: language and optimisation level.

use crate::written::Language;

/// A language and an optimisation level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Language of the source text.
    pub language: Language,
    /// Option of the compiler, such as `-O2`.
    pub level: &'static str,
}

impl Form {
    /// The forms in C.
    pub const C: [Self; 2] = [
        Self { language: Language::C, level: "-O0" },
        Self { language: Language::C, level: "-O2" },
    ];
    /// The forms in Fortran.
    pub const FORTRAN: [Self; 2] = [
        Self { language: Language::Fortran, level: "-O0" },
        Self { language: Language::Fortran, level: "-O2" },
    ];

    /// Returns the name of the form in messages.
    pub(super) fn name(self) -> String {
        let Self { language, level } = self;
        format!("{language:?} {level}")
    }

    /// Returns the number by which machines are chosen, so that the levels run on different ones.
    pub(super) fn number(self) -> usize {
        2 * usize::from(self.level == "-O2") + usize::from(self.language == Language::Fortran)
    }
}
