//! Source positions in compiled programs.

/// A source position in a compiled program, from its debug information.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// Source file as it was given to the compiler.
    pub file: &'static str,
    /// Line, from 1; 0 if the program has no debug information.
    pub line: u32,
    /// Column, from 1; 0 if unknown.
    pub column: u32,
    /// Function as written in the source; empty if unknown.
    pub function: &'static str,
}

impl Site {
    /// A position of which nothing is known.
    pub const UNKNOWN: Self = Self { file: "", line: 0, column: 0, function: "" };
}
