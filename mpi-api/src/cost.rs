//! Processor costs of MPI calls: the overhead o and the overhead per byte O of LogGOPS, and the
//! copying, packing and set-up work around them. Time on the wire is modelled by the network.

use network_models::ByteTime;
use sim_core::SimDuration;

/// Processor costs of one machine. All durations are per call unless they say per byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Costs {
    /// Blocking send, before the message enters the network.
    pub send: SimDuration,
    /// Blocking receive, after the message arrived.
    pub receive: SimDuration,
    /// Posting a nonblocking send.
    pub post_send: SimDuration,
    /// Posting a nonblocking receive.
    pub post_receive: SimDuration,
    /// Completing a send in a wait or a successful test.
    pub wait_send: SimDuration,
    /// Completing a receive in a wait or a successful test.
    pub wait_receive: SimDuration,
    /// Starting one persistent request.
    pub start: SimDuration,
    /// Creating one persistent request.
    pub init: SimDuration,
    /// Freeing a request.
    pub request_free: SimDuration,
    /// Building, committing and freeing one derived datatype; half is charged at creation and
    /// half at commit.
    pub datatype: SimDuration,
    /// One unsuccessful test or immediate probe: lets simulated time advance while a program polls.
    pub poll: SimDuration,
    /// Charged once per rank and run, at the first message of at least `long_message` bytes.
    pub first_use: SimDuration,
    /// Smallest size of a long message, bytes.
    pub long_message: u64,
    /// Sender's overhead per byte (O of LogGOPS).
    pub send_per_byte: ByteTime,
    /// Receiver's overhead per byte (O of LogGOPS).
    pub receive_per_byte: ByteTime,
    /// Packing or unpacking a derived datatype, per byte, each side.
    pub pack: ByteTime,
    /// Copying into or out of a buffer, per byte: for blocking standard sends that are buffered,
    /// and for eager messages that arrive before their receive.
    pub copy: ByteTime,
    /// Additional time of the sender per byte, for messages of at least `big_message` bytes.
    pub big: ByteTime,
    /// Smallest size of a message to which `big` applies, bytes.
    pub big_message: u64,
    /// Combining operands of a reduction, per byte.
    pub reduce: ByteTime,
}

impl Costs {
    /// Reports whether preparing a dense message costs the same whatever its size.
    pub(crate) fn size_is_free(&self) -> bool {
        let none = ByteTime::from_fs(0);
        let first_use = self.first_use == SimDuration::ZERO || self.long_message == u64::MAX;
        self.send_per_byte == none
            && (self.big == none || self.big_message == u64::MAX)
            && first_use
    }

    /// Reports whether taking the result of a request costs no processor time.
    pub(crate) fn waits_are_free(&self) -> bool {
        let Self { wait_send, wait_receive, receive_per_byte, copy, pack, .. } = *self;
        [wait_send, wait_receive] == [SimDuration::ZERO; 2]
            && [receive_per_byte, copy, pack] == [ByteTime::from_fs(0); 3]
    }

    /// Reports whether the messages and reductions of collectives cost no processor time.
    pub(crate) fn collectives_are_free(&self) -> bool {
        let Self { send, receive, send_per_byte, receive_per_byte, copy, reduce, .. } = *self;
        [send, receive] == [SimDuration::ZERO; 2]
            && [send_per_byte, receive_per_byte, copy, reduce] == [ByteTime::from_fs(0); 4]
    }

    /// Returns costs of zero for everything except polling, which must let simulated time advance.
    pub fn free() -> Self {
        let zero = SimDuration::ZERO;
        let none = ByteTime::from_fs(0);
        Self {
            send: zero,
            receive: zero,
            post_send: zero,
            post_receive: zero,
            wait_send: zero,
            wait_receive: zero,
            start: zero,
            init: zero,
            request_free: zero,
            datatype: zero,
            poll: SimDuration::from_ns(100),
            first_use: zero,
            long_message: u64::MAX,
            send_per_byte: none,
            receive_per_byte: none,
            pack: none,
            copy: none,
            big: none,
            big_message: u64::MAX,
            reduce: none,
        }
    }
}
