//! A small model of one-sided communication (MPI chapter 12): whether the use of a window is right, and which
//! data it leaves.
//!
//! `epochs` says which calls a rank may make, `order` whether two uses of memory are ordered, `course` goes through
//! a program with both, and `effect` carries the accesses out one after the other.

mod course;
mod effect;
mod epochs;
mod order;
#[cfg(test)]
mod tests;

pub(crate) use self::{
    course::{judge, judge_so_far},
    effect::{contents, present},
    order::Judgement,
};
