//! The examples give what they must, and so do the identities between MPI functions.

mod equivalences;
mod suite;
