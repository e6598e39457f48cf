//! The path of a message between two ranks.
//!
//! `protocol` decides how a message is carried and is pure; `send` and `launch` execute the
//! sender's steps, `receive` and `matching` the receiver's; `direct` is the path of blocking calls
//! that need no request. `buffer` holds the system's pools and the attached buffers, `buffered` the
//! calls about the latter, `message` the table of messages, `wire` the network with the transfers
//! under way, `conversion` the conversion of data between unlike nodes.

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
