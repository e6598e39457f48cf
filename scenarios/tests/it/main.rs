//! Files that come with the program: machines, scenarios and their schemas.

mod conformance;
mod equivalences;
mod library;
mod reordering;
mod schema;
mod verdicts;
