//! The way of a message between two ranks.
//!
//! `protocol` decides how a message is carried and is pure; `send` and `launch` take its steps at the
//! sender, `receive` and `matching` those at the receiver; `direct` is the short way of blocking calls.
//! `buffer` holds the pools of the system and attached buffers, `buffered` the calls about the latter,
//! `message` the table of messages, `wire` the network with what is under way in it, `conversion` the data between unlike nodes.

pub mod buffer;
pub(in crate::kernel) mod buffered;
pub(in crate::kernel) mod conversion;
pub(in crate::kernel) mod direct;
pub(in crate::kernel) mod launch;
pub(in crate::kernel) mod matching;
pub(in crate::kernel) mod message;
pub(in crate::kernel) mod protocol;
pub(in crate::kernel) mod receive;
pub(in crate::kernel) mod send;
pub(in crate::kernel) mod wire;
