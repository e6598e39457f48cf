//! Point-to-point communication: every way to send with every way to receive.

use windtunnel::mpi::{
    point_to_point::{Destination, Source},
    request::StaticScope,
    topology::{Process, SimpleCommunicator},
    traits::*,
};

use crate::cases::{Cases, Element, with_each_type};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Send {
    Standard,
    Synchronous,
    Buffered,
    Immediate,
    ImmediateSynchronous,
    ImmediateBuffered,
    Persistent,
    PersistentSynchronous,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Receive {
    Into,
    Vector,
    Immediate,
    Future,
    Persistent,
    Probe,
    MatchedProbe,
}

const SENDS: [Send; 8] = [
    Send::Standard,
    Send::Synchronous,
    Send::Buffered,
    Send::Immediate,
    Send::ImmediateSynchronous,
    Send::ImmediateBuffered,
    Send::Persistent,
    Send::PersistentSynchronous,
];
const RECEIVES: [Receive; 7] = [
    Receive::Into,
    Receive::Vector,
    Receive::Immediate,
    Receive::Future,
    Receive::Persistent,
    Receive::Probe,
    Receive::MatchedProbe,
];
const TAG: i32 = 7;

impl Send {
    /// Sends this many elements.
    #[track_caller]
    fn send<T: Element>(self, to: Process<'_>, count: usize, tag: i32) {
        let data: &'static [T] = vec![T::of(3); count].leak();
        match self {
            Self::Standard => to.send_with_tag(data, tag),
            Self::Synchronous => to.synchronous_send_with_tag(data, tag),
            Self::Buffered => to.buffered_send_with_tag(data, tag),
            Self::Immediate => drop(to.immediate_send_with_tag(StaticScope, data, tag).wait()),
            Self::ImmediateSynchronous => {
                to.immediate_synchronous_send_with_tag(StaticScope, data, tag).wait();
            }
            Self::ImmediateBuffered => {
                to.immediate_buffered_send_with_tag(StaticScope, data, tag).wait();
            }
            Self::Persistent | Self::PersistentSynchronous => {
                let mut request = match self {
                    Self::Persistent => to.send_init(data, tag),
                    _ => to.synchronous_send_init(data, tag),
                };
                request.start_with(data);
                request.wait_active();
                request.free();
            }
        }
    }

    fn is_synchronous(self) -> bool {
        matches!(self, Self::Synchronous | Self::ImmediateSynchronous | Self::PersistentSynchronous)
    }
}

impl Receive {
    /// Receives at most this many elements.
    #[track_caller]
    fn receive<T: Element>(self, from: impl Source, count: usize, tag: i32) {
        let data: &'static mut [T] = vec![T::default(); count].leak();
        match self {
            Self::Into => drop(from.receive_into_with_tag(data, tag)),
            Self::Vector => drop(from.receive_vec_with_tag::<T>(tag)),
            Self::Immediate => {
                from.immediate_receive_into_with_tag(StaticScope, data, tag).wait();
            }
            Self::Future => drop(from.immediate_receive_with_tag::<T>(tag).get()),
            Self::Persistent => {
                let mut request = from.receive_init(data, tag);
                request.start();
                request.wait_into(data);
                request.free();
            }
            Self::Probe => {
                let status = from.probe_with_tag(tag);
                assert!(status.bytes() > 0 || count != 4);
                from.receive_into_with_tag(data, tag);
            }
            Self::MatchedProbe => {
                let (message, _) = from.matched_probe_with_tag(tag);
                message.matched_receive_into(data);
            }
        }
    }

    /// Reports whether it has room for a fixed number of elements.
    fn has_room(self) -> bool {
        !matches!(self, Self::Vector | Self::Future)
    }

    /// Returns the number of elements of the messages that it can take.
    fn count(self) -> usize {
        if self == Self::Future { 1 } else { 4 }
    }
}

fn other(world: &SimpleCommunicator) -> Process<'_> {
    world.process_at_rank(1 - world.rank())
}

/// Adds all programs about messages.
pub(crate) fn add(cases: &mut Cases) {
    for send in SENDS {
        for receive in RECEIVES {
            with_each_type!(sound(cases, send, receive));
            wrong(cases, send, receive);
        }
        unfinished_sends(cases, send);
    }
    for receive in RECEIVES {
        unfinished_receives(cases, receive);
    }
    for send in SENDS {
        pairs(cases, send);
    }
}

fn family(send: Send, receive: Receive) -> String {
    format!("send {send:?} to receive {receive:?}")
}

fn sound<T: Element>(cases: &mut Cases, send: Send, receive: Receive) {
    let family = family(send, receive);
    let count = receive.count();
    let kind = std::any::type_name::<T>();
    cases.add((&family, &format!("sound {kind}")), 2, &["ok"], move |world| match world.rank() {
        0 => send.send::<T>(other(world), count, TAG),
        _ => receive.receive::<T>(other(world), count, TAG),
    });
    cases.add((&family, &format!("sound {kind}, from any rank")), 3, &["ok"], move |world| {
        match world.rank() {
            2 => send.send::<T>(world.process_at_rank(0), count, TAG),
            0 => receive.receive::<T>(world.any_process(), count, TAG),
            _ => {}
        }
    });
}

fn wrong(cases: &mut Cases, send: Send, receive: Receive) {
    let family = family(send, receive);
    let count = receive.count();
    let differs: &[&'static str] = &["parameter-matching"];
    let invalid: &[&'static str] = &["invalid-argument"];
    cases.add((&family, "another datatype sent"), 2, differs, move |world| match world.rank() {
        0 => send.send::<f32>(other(world), count, TAG), // here
        _ => receive.receive::<i32>(other(world), count, TAG),
    });
    cases.add((&family, "another datatype received"), 2, differs, move |world| {
        match world.rank() {
            0 => send.send::<i64>(other(world), count, TAG),
            _ => receive.receive::<f64>(other(world), count, TAG), // here
        }
    });
    if receive.has_room() {
        cases.add((&family, "longer than the receive"), 2, differs, move |world| {
            match world.rank() {
                0 => send.send::<i32>(other(world), count, TAG),
                _ => receive.receive::<i32>(other(world), count - 2, TAG), // here
            }
        });
    }
    cases.add((&family, "another communicator"), 2, differs, move |world| {
        let copy = world.duplicate();
        match world.rank() {
            0 => send.send::<i32>(other(&copy), count, TAG), // here
            _ => receive.receive::<i32>(other(world), count, TAG),
        }
    });
    cases.add((&family, "another tag"), 2, &["deadlock"], move |world| match world.rank() {
        0 => send.send::<i32>(other(world), count, TAG + 1), // here
        _ => receive.receive::<i32>(other(world), count, TAG),
    });
    cases.add((&family, "sent to itself"), 2, &["deadlock"], move |world| match world.rank() {
        0 => send.send::<i32>(world.this_process(), count, TAG),
        _ => receive.receive::<i32>(other(world), count, TAG),
    });
    cases.add((&family, "no such destination"), 2, invalid, move |world| match world.rank() {
        0 => send.send::<i32>(world.process_at_rank(99), count, TAG), // here
        _ => receive.receive::<i32>(other(world), count, TAG),
    });
    cases.add((&family, "no such source"), 2, invalid, move |world| match world.rank() {
        0 => send.send::<i32>(other(world), count, TAG),
        _ => receive.receive::<i32>(world.process_at_rank(99), count, TAG), // here
    });
    cases.add((&family, "negative tag"), 2, invalid, move |world| match world.rank() {
        0 => send.send::<i32>(other(world), count, -5), // here
        _ => receive.receive::<i32>(other(world), count, TAG),
    });
    cases.add((&family, "never sent"), 2, &["deadlock"], move |world| {
        if world.rank() == 1 {
            receive.receive::<i32>(other(world), count, TAG); // here
        }
    });
    let lost: &[&'static str] =
        if send.is_synchronous() { &["deadlock"] } else { &["call-ordering", "deadlock"] };
    cases.add((&family, "never received"), 2, lost, move |world| {
        if world.rank() == 0 {
            send.send::<i32>(other(world), count, TAG); // here
        }
    });
}

/// Adds programs whose sends are not completed, started or freed.
fn unfinished_sends(cases: &mut Cases, send: Send) {
    let family = format!("send {send:?}");
    let life: &[&'static str] = &["request-lifecycle"];
    let receive = Receive::Into;
    match send {
        Send::Standard | Send::Synchronous | Send::Buffered => {}
        Send::Immediate | Send::ImmediateSynchronous | Send::ImmediateBuffered => {
            cases.add((&family, "never completed"), 2, life, move |world| {
                let data: &'static [i32] = vec![1; 4].leak();
                let to = other(world);
                match (world.rank(), send) {
                    (1, _) => receive.receive::<i32>(to, 4, TAG),
                    (_, Send::Immediate) => {
                        drop(to.immediate_send_with_tag(StaticScope, data, TAG));
                    }
                    (_, Send::ImmediateSynchronous) => {
                        drop(to.immediate_synchronous_send_with_tag(StaticScope, data, TAG));
                    }
                    _ => drop(to.immediate_buffered_send_with_tag(StaticScope, data, TAG)),
                }
            });
        }
        Send::Persistent | Send::PersistentSynchronous => {
            let leak = &["request-lifecycle", "resource-leak"];
            cases.add((&family, "never freed"), 2, leak, move |world| {
                let (to, data) = (other(world), [1; 4]);
                if world.rank() == 1 {
                    return receive.receive::<i32>(to, 4, TAG);
                }
                let mut request = match send {
                    Send::PersistentSynchronous => to.synchronous_send_init(&data, TAG),
                    _ => to.send_init(&data, TAG),
                };
                request.start_with(&data);
                request.wait_active();
            });
            cases.add((&family, "never started"), 2, life, move |world| {
                let (to, data) = (other(world), [1; 4]);
                if world.rank() == 1 {
                    return receive.receive::<i32>(to, 4, TAG);
                }
                let mut request = to.send_init(&data, TAG); // here
                request.wait_active();
                request.free();
            });
            cases.add((&family, "started twice"), 2, life, move |world| {
                let (to, data) = (other(world), [1; 4]);
                if world.rank() == 1 {
                    receive.receive::<i32>(to, 4, TAG);
                    return receive.receive::<i32>(to, 4, TAG);
                }
                let mut request = to.synchronous_send_init(&data, TAG);
                request.start_with(&data);
                request.start_with(&data); // here
                request.wait_active();
                request.free();
            });
        }
    }
}

/// Adds programs whose receives are not completed, started or freed.
fn unfinished_receives(cases: &mut Cases, receive: Receive) {
    let family = format!("receive {receive:?}");
    let life: &[&'static str] = &["request-lifecycle"];
    let send = Send::Standard;
    match receive {
        Receive::Into | Receive::Vector | Receive::Probe | Receive::Future => {}
        Receive::Immediate => cases.add((&family, "never completed"), 2, life, move |world| {
            if world.rank() == 0 {
                return send.send::<i32>(other(world), 4, TAG);
            }
            let data: &'static mut [i32] = vec![0; 4].leak();
            drop(other(world).immediate_receive_into_with_tag(StaticScope, data, TAG)); // here
        }),
        Receive::Persistent => {
            let leak = &["request-lifecycle", "resource-leak"];
            cases.add((&family, "never freed"), 2, leak, move |world| {
                if world.rank() == 0 {
                    return send.send::<i32>(other(world), 4, TAG);
                }
                let mut data = [0; 4];
                let mut request = other(world).receive_init(&data, TAG); // here
                request.start();
                request.wait_into(&mut data);
            });
            cases.add((&family, "never started"), 2, life, move |world| {
                if world.rank() == 0 {
                    return send.send::<i32>(other(world), 4, TAG);
                }
                let mut data = [0; 4];
                let mut request = other(world).receive_init(&data, TAG); // here
                request.wait_into(&mut data);
                request.free();
            });
        }
        Receive::MatchedProbe => {
            cases.add((&family, "never received"), 2, &["call-ordering"], move |world| {
                if world.rank() == 0 {
                    return send.send::<i32>(other(world), 4, TAG); // here
                }
                let (message, _) = other(world).matched_probe_with_tag(TAG);
                std::mem::forget(message);
            });
        }
    }
}

/// Adds programs in which two ranks send to each other.
fn pairs(cases: &mut Cases, send: Send) {
    let family = format!("send {send:?} in pairs");
    let (both, name) = match send {
        Send::Buffered | Send::ImmediateBuffered => ("ok", "both send first, buffered"),
        send if send.is_synchronous() => ("deadlock", "both send first"),
        _ => ("buffering", "both send first"),
    };
    cases.add((&family, name), 2, &[both], move |world| {
        send.send::<f64>(other(world), 4, TAG);
        Receive::Into.receive::<f64>(other(world), 4, TAG);
    });
    cases.add((&family, "both receive first"), 2, &["deadlock"], move |world| {
        Receive::Into.receive::<f64>(other(world), 4, TAG); // here
        send.send::<f64>(other(world), 4, TAG);
    });
    cases.add((&family, "one sends first"), 2, &["ok"], move |world| {
        if world.rank() == 0 {
            send.send::<f64>(other(world), 4, TAG);
            Receive::Into.receive::<f64>(other(world), 4, TAG);
        } else {
            Receive::Into.receive::<f64>(other(world), 4, TAG);
            send.send::<f64>(other(world), 4, TAG);
        }
    });
    cases.add((&family, "both receives are posted first"), 2, &["ok"], move |world| {
        let data: &'static mut [f64] = vec![0.0; 4].leak();
        let receive = other(world).immediate_receive_into_with_tag(StaticScope, data, TAG);
        send.send::<f64>(other(world), 4, TAG);
        receive.wait();
    });
}
