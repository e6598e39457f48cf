//! The semantics of MPI over any modelled network.
//!
//! Reading order: [`call`] (all that crosses between a rank and the kernel), [`kernel`],
//! [`collective`], [`finding`] and [`check`], then the user's [`api`].

pub mod api;
pub mod call;
pub mod check;
pub mod collective;
pub mod cost;
pub mod error;
pub mod file_system;
pub mod finding;
pub mod kernel;
pub mod noise;
mod numbered;
pub mod object;
pub mod observation;
pub mod outcome;
pub mod policy;
mod portability;
pub mod raw;
mod reading;
pub mod run;
pub mod settings;
pub mod spawn;
pub mod trace;
pub mod window_memory;

pub use sim_core::text;
