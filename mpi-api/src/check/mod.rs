//! The checks: what each finding says. One file a code.
//!
//! A function here takes facts as plain values (ranks, calls with their places, numbers, types) and
//! returns a [`Finding`](crate::finding::Finding). It decides nothing about the run: whoever has
//! established the facts, the kernel, a layer above it or the comparison of several executions,
//! reports the finding. What several codes say in the same words is in `disagreement`, `info_assertion`, `raised` and
//! `waiting`.

pub mod aborted;
pub mod argument_mismatch;
pub mod buffer_conflict;
pub mod buffer_overflow;
pub mod buffering_dependence;
pub mod collective_mismatch;
pub mod combining;
pub mod communicator_mismatch;
pub mod count_mismatch;
pub mod deadlock_cycle;
pub mod disagreement;
pub mod epoch_misuse;
pub mod exit_code;
pub mod file_race;
pub mod info_assertion;
pub mod leaks;
pub mod limit_reached;
pub mod livelock;
pub mod memory_type;
pub mod message_race;
pub mod missing;
pub mod near_miss;
pub mod network_deadlock;
pub mod never_matched;
pub mod not_finalized;
pub mod not_modelled;
pub mod operator_mismatch;
pub mod panicked;
pub mod peer_finished;
pub mod portability;
pub mod raised;
pub mod ready_without_receive;
pub mod request_leak;
pub mod request_misuse;
pub mod resource_leak;
pub mod root_mismatch;
pub mod short_buffer;
pub mod signal;
pub mod stack_overflow;
pub mod thread_misuse;
pub mod truncation;
pub mod type_mismatch;
pub mod unreceived_message;
pub mod unrepresentable;
pub mod waiting;
pub mod window_race;
