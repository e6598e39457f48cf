//! The events of the kernel.

use sim_core::Scheduler;

use crate::call::Reply;

/// An event that the kernel schedules for itself.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// A message's envelope enters the network.
    Inject(u32),
    /// A message's envelope arrives at its receiver.
    Arrive(u32),
    /// The clear-to-send arrives at the sender.
    Clear(u32),
    /// The data of a rendezvous arrive at the receiver.
    Data(u32),
    /// A request completes.
    Complete(u32),
    /// The network takes the message of this rank's blocking call.
    Sent(u32),
    /// A collective continues with its next round.
    Round(u32),
    /// A message of the short path inside a collective enters the network.
    PacketLeaves(u32),
    /// A message of the short path inside a collective arrives at its receiver.
    Packet(u32),
    /// A sender learns that the receiver of a partitioned communication has started.
    Open(u32),
    /// A part of a partitioned communication arrives at its receiver.
    Part(u32),
    /// The timeout of a parked thread expires.
    Alarm(u32),
    /// The next timer of this rank expires.
    Timer(u32),
    /// The timeout of a group that waits at a port expires.
    Deadline(u32),
    /// An access to a window, or a message of its synchronisation, reaches the next stage of its way.
    Window(u32),
    /// An access to a file takes effect.
    File(u32),
    /// An event-driven network model advances.
    Tick,
}

/// The engine's scheduler as the kernel uses it.
pub(crate) type Sched = Scheduler<Event, Reply>;
