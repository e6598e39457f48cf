//! [`Routers`]: input-queued routers with virtual channels, cycle by cycle.

mod packet;
mod paths;
mod stages;

use std::{collections::VecDeque, ops::Range};

use slab::Slab;

pub(super) use self::packet::{Flit, Packet, Step};
use super::{
    allocator::{Allocation, Allocator, Request},
    bits::Bits,
    fabric::{Channel, End, Fabric, Ports},
    parameters::Stages,
    wheel::Wheel,
};
use crate::{
    routing::{Hop, PerHop, Progressive},
    topology::LinkId,
};

/// No lane.
const NONE: u32 = u32::MAX;

/// The state of a virtual channel at the end of its channel: the flits in its buffer.
#[derive(Clone, Debug)]
struct Input {
    flits: VecDeque<Flit>,
    stage: Stage,
    /// First cycle in which the packet takes part in the allocation of virtual channels.
    vc_from: u64,
    /// First cycle in which the packet takes part in the allocation of the switch.
    switch_from: u64,
}

/// The progress of the packet whose flit is the first in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// There is no packet.
    Idle,
    /// It waits for one of the wanted lanes, and if it may take none of them for one of the escape lanes.
    /// A wanted lane must have space for so many flits.
    Waiting { wanted: Step, escape: Step, space: u32 },
    /// It holds this lane.
    Holds(u32),
}

/// The state of a virtual channel at the beginning of its channel.
#[derive(Clone, Copy, Debug)]
struct Output {
    /// Flits for which the buffer at the other end has space.
    credits: u32,
    /// The lane of the packet that holds it.
    holder: u32,
}

#[derive(Debug)]
struct Router {
    /// The lanes of its inputs whose buffers are not empty, by their places.
    busy: Bits,
    /// For each input, the virtual channel that is asked first.
    turns: Vec<u32>,
    vc: Allocator,
    switch: Allocator,
}

/// A lane that asks for the switch.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    lane: u32,
    /// Virtual channel of its channel, counted from the one that is asked first.
    turn: u32,
}

/// A flit that a router sends over a channel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    pub(super) channel: u32,
    pub(super) packet: u32,
    pub(super) tail: bool,
    /// The cycle in which it is on its way.
    pub(super) leaves: u64,
}

/// What a cycle has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Activity {
    /// Whether a flit or a virtual channel was granted something.
    pub(super) moved: bool,
    /// Whether something waits for a later cycle and nothing else.
    pub(super) timed: bool,
}

/// The least time between two flits at the ports of the nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Picoseconds of a cycle.
    pub(super) period: u64,
    /// Picoseconds between flits.
    pub(super) gap: u64,
}

/// What decides about paths on the way.
#[derive(Debug)]
pub(super) struct Choosers {
    /// At each router.
    pub(super) per_hop: Option<Box<dyn PerHop>>,
    /// Where the rest of a path is open.
    pub(super) progressive: Option<Box<dyn Progressive>>,
}

/// The numbers of all routers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// Virtual channels of a channel.
    pub(super) channels: u32,
    /// Classes into which they are divided.
    pub(super) classes: u32,
    /// Whether the cables from switches to hosts are divided, too.
    pub(super) exits: bool,
    /// Space for flits of each.
    pub(super) buffer: u32,
    pub(super) stages: Stages,
    /// Cycles after which a credit that has arrived is used.
    pub(super) credit: u32,
    pub(super) speculation: bool,
    pub(super) allocation: Allocation,
    pub(super) pace: Pace,
}

/// All routers and channels. A lane is a virtual channel of a channel: number of the channel times
/// the number of virtual channels, plus its own number.
///
/// A flit that arrives in cycle t is at the head of its buffer. If it is the first of its packet,
/// the route is computed, a virtual channel of the next channel is allocated, and then the switch;
/// a later flit needs the switch only. The stage of an allocation of d cycles decides in its last
/// one. From the grant the flit takes the switch traversal and the wire. The credit for its place
/// leaves a cycle after the grant, and takes the wire and the credit delay.
///
/// Determinism: routers affect each other only through wires of at least one cycle, so that their
/// order within a cycle does not matter; inside a router the arbiters decide.
#[derive(Debug)]
pub(super) struct Routers {
    pub(super) fabric: Fabric,
    layout: Layout,
    choosers: Choosers,
    pub(super) packets: Slab<Packet>,
    inputs: Vec<Input>,
    outputs: Vec<Output>,
    routers: Vec<Router>,
    /// Routers whose buffers are not all empty.
    awake: Bits,
    /// Those of them that may ask for something: since they last asked for nothing, and waited for no cycle, a flit or
    /// a credit has arrived. The others wait for others, as most do where a network is congested.
    alert: Bits,
    /// For each channel: flits sent whose credits are not back.
    queued: Vec<u64>,
    /// For each channel: flits of the packets whose head is at its beginning and that go over it
    /// next, if paths are chosen ahead.
    waiting: Vec<u64>,
    /// For each channel: the least picoseconds between two flits.
    gaps: Vec<u64>,
    /// For each channel at which flits are more than a cycle apart: when it takes the next one, in
    /// picoseconds.
    free: Vec<u64>,
    arrivals: Wheel<(u32, Flit)>,
    credits: Wheel<u32>,
    /// Flits that have been sent over channels since the caller last took them.
    pub(super) crossings: Vec<Crossing>,
    scratch: Scratch,
}

/// Lists that are used again in each cycle.
#[derive(Debug, Default)]
struct Scratch {
    due: Vec<(u32, Flit)>,
    due_credits: Vec<u32>,
    vc_requests: Vec<Request>,
    /// The lane that asks and the lane that it asks for.
    vc_lanes: Vec<(u32, u32)>,
    switch_requests: Vec<Request>,
    candidates: Vec<Candidate>,
    choices: Vec<LinkId>,
    rest: Vec<Hop>,
}

impl Routers {
    pub(super) fn new(fabric: Fabric, layout: Layout, choosers: Choosers) -> Self {
        let lanes = fabric.channels.len() * layout.channels as usize;
        let input =
            Input { flits: VecDeque::new(), stage: Stage::Idle, vc_from: 0, switch_from: 0 };
        let output = |lane: usize| match fabric.channels[lane / layout.channels as usize].to {
            End::Node(_) => Output { credits: u32::MAX, holder: NONE },
            End::Router { .. } => Output { credits: layout.buffer, holder: NONE },
        };
        let router = |ports: &Ports| {
            let (inputs, outputs) = (ports.inputs.len() as u32, ports.outputs.len() as u32);
            let (in_lanes, out_lanes) = (inputs * layout.channels, outputs * layout.channels);
            Router {
                busy: Bits::new(in_lanes),
                turns: vec![0; inputs as usize],
                vc: Allocator::new(layout.allocation, in_lanes, out_lanes),
                switch: Allocator::new(layout.allocation, inputs, outputs),
            }
        };
        let wire = fabric.channels.iter().map(|channel| channel.wire).max().unwrap_or(1);
        let wire = u64::from(wire) + 1;
        let Pace { period, gap } = layout.pace;
        let gap = |channel: &Channel| if channel.is_of_node() { gap } else { period };
        Self {
            outputs: (0..lanes).map(output).collect(),
            inputs: vec![input; lanes],
            routers: fabric.routers.iter().map(router).collect(),
            awake: Bits::new(fabric.routers.len() as u32),
            alert: Bits::new(fabric.routers.len() as u32),
            queued: vec![0; fabric.channels.len()],
            waiting: vec![0; fabric.channels.len()],
            gaps: fabric.channels.iter().map(gap).collect(),
            free: vec![0; fabric.channels.len()],
            arrivals: Wheel::new(wire + u64::from(layout.stages.traversal)),
            credits: Wheel::new(wire + u64::from(layout.credit)),
            packets: Slab::new(),
            crossings: Vec::new(),
            scratch: Scratch::default(),
            fabric,
            layout,
            choosers,
        }
    }

    /// Returns whether the routers choose the paths of packets.
    pub(super) fn decides(&self) -> bool {
        self.choosers.per_hop.is_some()
    }

    /// Returns whether the paths of packets may change on the way.
    pub(super) fn revises(&self) -> bool {
        self.choosers.progressive.is_some()
    }

    /// Returns the lanes of a channel.
    pub(super) fn lanes(&self, channel: u32) -> Range<u32> {
        let channels = self.layout.channels;
        channel * channels..(channel + 1) * channels
    }

    /// Returns the flits that were sent over a channel and are not known to be forwarded.
    pub(super) fn queued(&self, channel: u32) -> u64 {
        self.queued[channel as usize]
    }

    /// Returns the flits that wait for a channel where it begins. Those of a packet that is coming
    /// count from its head on. Nothing is known if the routers choose the paths.
    pub(super) fn waiting(&self, channel: u32) -> u64 {
        self.waiting[channel as usize]
    }

    /// Returns whether the buffer at the end of a lane has space.
    pub(super) fn has_space(&self, lane: u32) -> bool {
        self.outputs[lane as usize].credits > 0
    }

    /// Returns the least picoseconds between two flits on a channel.
    pub(super) fn gap(&self, channel: u32) -> u64 {
        self.gaps[channel as usize]
    }

    /// Changes the least picoseconds between two flits on a link; a node's port may need more.
    pub(super) fn slow_down(&mut self, link: LinkId, gap: u64) {
        let ends = self.fabric.channels[link.0 as usize];
        let port = if ends.is_of_node() { self.layout.pace.gap } else { self.layout.pace.period };
        self.gaps[link.0 as usize] = gap.max(port);
    }

    /// Returns whether a channel takes a flit in this cycle. Channels at nodes and links that have been
    /// slowed down may be slower than one flit in each cycle.
    pub(super) fn is_free(&self, channel: u32, cycle: u64) -> bool {
        self.free[channel as usize] <= cycle * self.layout.pace.period
    }

    /// Returns the first later cycle in which a flit or a credit arrives.
    pub(super) fn next_arrival(&self, cycle: u64) -> Option<u64> {
        let next = [self.arrivals.next(cycle), self.credits.next(cycle)];
        next.into_iter().flatten().min()
    }

    /// Puts a flit of a node on a lane of the channel by which it enters the network.
    pub(super) fn enter(&mut self, lane: u32, flit: Flit, cycle: u64) {
        self.put(lane, flit, cycle, cycle);
    }

    /// Puts a flit, for which a cycle has decided, on a lane in the cycle `leaves`.
    fn put(&mut self, lane: u32, flit: Flit, decided: u64, leaves: u64) {
        let number = lane / self.layout.channels;
        let channel = self.fabric.channels[number as usize];
        if let End::Router { .. } = channel.to {
            self.outputs[lane as usize].credits -= 1;
            self.queued[number as usize] += 1;
        }
        let (period, gap) = (self.layout.pace.period, self.gaps[number as usize]);
        if gap > period {
            let free = &mut self.free[number as usize];
            // A part of a cycle for which it waited is not lost.
            let waited = *free > decided.saturating_sub(1) * period;
            *free = if waited { *free } else { decided * period } + gap;
        }
        if flit.head {
            self.packets[flit.packet as usize].at += 1;
        }
        self.arrivals.add(leaves + u64::from(channel.wire), (lane, flit));
        let Flit { packet, tail, .. } = flit;
        self.crossings.push(Crossing { channel: number, packet, tail, leaves });
    }

    /// Takes the flits and credits that arrive in this cycle; appends the packets whose last flit
    /// arrives at a node.
    pub(super) fn receive(&mut self, cycle: u64, complete: &mut Vec<u32>) {
        let mut due = std::mem::take(&mut self.scratch.due);
        self.arrivals.take(cycle, &mut due);
        for (lane, flit) in &due {
            let End::Router { router, port } =
                self.fabric.channels[(lane / self.layout.channels) as usize].to
            else {
                if flit.tail {
                    complete.push(flit.packet);
                }
                continue;
            };
            if flit.head {
                let packet = &self.packets[flit.packet as usize];
                if let Some(step) = packet.path.get(packet.at as usize) {
                    let next = (step.first / self.layout.channels) as usize;
                    self.waiting[next] += u64::from(packet.flits);
                }
            }
            self.inputs[*lane as usize].flits.push_back(*flit);
            let place = port * self.layout.channels + lane % self.layout.channels;
            self.routers[router as usize].busy.insert(place);
            self.awake.insert(router);
            self.alert.insert(router);
            if self.inputs[*lane as usize].stage == Stage::Idle {
                self.begin(*lane, cycle);
            }
        }
        self.scratch.due = due;
        let mut due = std::mem::take(&mut self.scratch.due_credits);
        self.credits.take(cycle, &mut due);
        for lane in &due {
            self.outputs[*lane as usize].credits += 1;
            let channel = (lane / self.layout.channels) as usize;
            self.queued[channel] -= 1;
            if let End::Router { router, .. } = self.fabric.channels[channel].from {
                self.alert.insert(router);
            }
        }
        self.scratch.due_credits = due;
    }

    /// Returns whether no flit and no credit is under way.
    #[cfg(test)]
    pub(super) fn is_idle(&self) -> bool {
        let is_free = |output: &Output| {
            output.holder == NONE && [self.layout.buffer, u32::MAX].contains(&output.credits)
        };
        self.packets.is_empty()
            && self.awake.is_empty()
            && self.queued.iter().chain(&self.waiting).all(|flits| *flits == 0)
            && self.outputs.iter().all(is_free)
    }

    /// Returns each lane in which flits wait with each full lane that they wait for, if no flit can move.
    pub(super) fn waits(&self) -> impl Iterator<Item = [u32; 2]> {
        let is_full = |lane: &u32| !self.inputs[*lane as usize].flits.is_empty();
        let lanes = (0..).zip(&self.inputs);
        let waits = lanes.filter(|(_, input)| !input.flits.is_empty()).flat_map(|(lane, input)| {
            let awaited: Vec<u32> = match &input.stage {
                Stage::Idle => Vec::new(),
                Stage::Holds(output) => vec![*output],
                Stage::Waiting { wanted, escape, .. } => {
                    wanted.lanes().chain(escape.lanes()).collect()
                }
            };
            awaited.into_iter().map(move |next| [lane, next])
        });
        waits.filter(move |[_, next]| is_full(next))
    }
}
