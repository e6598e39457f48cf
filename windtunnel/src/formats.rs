//! [`Format`]: the value of `--format`.

use clap::ValueEnum;

/// A format of the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// One object, as with --json.
    Json,
    /// The Static Analysis Results Interchange Format, 2.1.0, which editors and code hosts read.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
    /// A test suite in the XML of JUnit, with a test case for each number of ranks.
    Junit,
}
