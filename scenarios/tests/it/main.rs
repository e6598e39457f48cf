//! Files that come with the program: machines, scenarios and their schemas.

mod conformance;
mod library;
mod schema;
mod verdicts;
