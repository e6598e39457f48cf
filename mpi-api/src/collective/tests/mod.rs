//! Every algorithm against the direct computation of its result.

mod interpreter;
mod results;
mod rounds;
