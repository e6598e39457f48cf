//! The path of a message between two ranks.
//!
//! State: `message` is the table of messages, `matching` the queues of a rank, `buffer` the system's
//! pools and `attached` the buffers of a program, `direct` the blocking call of a rank that needs no
//! request, `wire` the network with the transfers under way. `protocol` decides how a message is
//! carried and is pure. Steps: `send` and `launch` execute those of the sender, `receive` those of the
//! receiver; `blocking` is the path of blocking calls without requests, `straight` that of eager messages
//! that fit their receive, `buffered` has the calls
//! about attached buffers, `conversion` converts data between unlike nodes.

use super::{MpiKernel, Sched};
use crate::{call::MessageCall, kernel::transport::send::Asked};

pub(in crate::kernel) mod attached;
pub(in crate::kernel) mod blocking;
pub mod buffer;
pub(in crate::kernel) mod buffered;
pub(in crate::kernel) mod conversion;
pub(in crate::kernel) mod direct;
mod flood;
pub(in crate::kernel) mod launch;
pub(in crate::kernel) mod matching;
pub(in crate::kernel) mod message;
pub(in crate::kernel) mod protocol;
pub(in crate::kernel) mod receive;
pub(in crate::kernel) mod send;
mod straight;
pub(in crate::kernel) mod wire;

impl MpiKernel {
    /// Executes a call that sends or receives a message. Returns whether the call owns nothing any
    /// more and need not be dropped.
    // Each message passes here twice; a call of its own would cost 35 instructions.
    #[inline(always)]
    pub(super) fn message_call(
        &mut self,
        rank: u32,
        call: &mut MessageCall,
        s: &mut Sched,
    ) -> bool {
        match call {
            MessageCall::Send(outgoing) => {
                self.blocking_send(rank, outgoing, s);
                outgoing.is_spent()
            }
            MessageCall::Receive(incoming) => {
                self.blocking_receive(rank, incoming, s);
                incoming.is_spent()
            }
            MessageCall::SendReceive(send, receive) => {
                self.send_receive(rank, send, receive, s);
                send.is_spent() && receive.is_spent()
            }
            MessageCall::StartSend(outgoing) => {
                self.start_send(rank, outgoing, Asked::Later, s);
                outgoing.is_spent()
            }
            MessageCall::StartDetachedSend(outgoing) => {
                self.start_send(rank, outgoing, Asked::AtTheEnd, s);
                outgoing.is_spent()
            }
            MessageCall::StartReceive(incoming) => {
                self.start_receive(rank, incoming, s);
                incoming.is_spent()
            }
            MessageCall::StartSendReceive(send, receive) => {
                self.start_send_receive(rank, send, receive, s);
                false
            }
            MessageCall::InitSend(outgoing) => {
                self.init_send(rank, outgoing, s);
                false
            }
            MessageCall::InitReceive(incoming) => {
                self.init_receive(rank, incoming, s);
                false
            }
        }
    }
}
