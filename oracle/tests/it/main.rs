//! Random programs, interpreted and compiled.

mod compiled;
mod simulated;
