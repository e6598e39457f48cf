//! Every algorithm against the direct computation of its result.

mod costs;
mod interpreter;
mod results;
mod rounds;
