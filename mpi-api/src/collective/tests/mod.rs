//! Tests of every algorithm against a direct computation of its result.

mod costs;
mod interpreter;
mod results;
mod rounds;
