//! The steps of paths, and the route computation of routers.

use std::ops::Range;

use super::{End, Layout, LinkId, Packet, Routers, Stage, Stages, Step};

impl Routers {
    /// Returns the step over a channel in any virtual channel.
    pub(in crate::model::flit) fn any_lane(&self, channel: u32) -> Step {
        let Range { start, end } = self.lanes(channel);
        Step { first: start, end }
    }

    /// Returns the step over a link in the virtual channels of a class. The cables of hosts need not be
    /// divided into classes: nothing waits in a circle there.
    pub(in crate::model::flit) fn step(&self, link: LinkId, class: u32) -> Step {
        let any = self.any_lane(link.0);
        let ends = self.fabric.channels[link.0 as usize];
        let Layout { channels, classes, exits, .. } = self.layout;
        if matches!(ends.from, End::Node(_)) || ends.is_of_node() && !exits {
            return any;
        }
        let share = |class: u32| any.first + class * channels / classes;
        let class = class % classes;
        Step { first: share(class), end: share(class + 1) }
    }

    /// Begins the route computation of the packet whose head is the first flit of a buffer.
    pub(super) fn begin(&mut self, lane: u32, cycle: u64) {
        let Stages { route, vc, switch, .. } = self.layout.stages;
        let number = self.inputs[lane as usize].flits.front().expect("a flit").packet;
        let packet = &self.packets[number as usize];
        if packet.open == Some(packet.at) {
            self.revise(lane, number);
        }
        let packet = &self.packets[number as usize];
        let flits = packet.flits;
        let (wanted, escape) = match packet.path.get(packet.at as usize) {
            Some(step) => (*step, Step::NOWHERE),
            None => self.decide(lane, number),
        };
        // A packet may ask for an escape only while its head is the first flit of a buffer. So none may stand with
        // its head behind another packet and with its tail where others wait: if it does not fit behind what is in
        // the buffer of a lane, that must be empty (Ma, Enright Jerger and Wang, "Whole packet forwarding", 2012).
        let space = if escape == Step::NOWHERE { 0 } else { flits.min(self.layout.buffer) };
        let input = &mut self.inputs[lane as usize];
        input.stage = Stage::Waiting { wanted, escape, space };
        let routed = cycle + u64::from(route);
        input.vc_from = routed + u64::from(vc) - 1;
        input.switch_from = routed + u64::from(vc.max(switch)) - 1;
    }

    /// Decides the rest of the path of a packet that is at the router behind a lane.
    fn revise(&mut self, lane: u32, number: u32) {
        let End::Router { router, .. } =
            self.fabric.channels[(lane / self.layout.channels) as usize].to
        else {
            unreachable!("a node takes every packet");
        };
        let at = self.fabric.vertices[router as usize];
        let Packet { target, at: place, flits, .. } = self.packets[number as usize];
        let Some(mut progressive) = self.choosers.progressive.take() else { return };
        let channels = self.layout.channels;
        let next = |packet: &Packet| (packet.path[place as usize].first / channels) as usize;
        // The packet does not wait for itself: on an idle network its own flits would make any detour look shorter.
        self.waiting[next(&self.packets[number as usize])] -= u64::from(flits);
        let mut rest = std::mem::take(&mut self.scratch.rest);
        rest.clear();
        progressive.revise(at, target, self, &mut rest);
        self.choosers.progressive = Some(progressive);
        let steps: Vec<Step> = rest.iter().map(|hop| self.step(hop.link, hop.class)).collect();
        self.scratch.rest = rest;
        let exit = self.fabric.exits[target.0 as usize].map(|exit| self.any_lane(exit));
        let path = &mut self.packets[number as usize].path;
        path.truncate(place as usize);
        path.extend(steps.into_iter().chain(exit));
        self.waiting[next(&self.packets[number as usize])] += u64::from(flits);
    }

    /// Decides the next step of a packet that is at the router behind a lane: of the links that it
    /// may take the one with the shortest queue, and the escape.
    fn decide(&mut self, lane: u32, number: u32) -> (Step, Step) {
        let End::Router { router, .. } =
            self.fabric.channels[(lane / self.layout.channels) as usize].to
        else {
            unreachable!("a node takes every packet");
        };
        let at = self.fabric.vertices[router as usize];
        let Packet { target, escaped, .. } = self.packets[number as usize];
        if at.0 == target.0 {
            let exit = self.fabric.exits[target.0 as usize].expect("it has a router");
            return (self.any_lane(exit), Step::NOWHERE);
        }
        let mut per_hop = self.choosers.per_hop.take().expect("it decides where no path is left");
        let escape = per_hop.escape(escaped.unwrap_or(at), at, target);
        let escape = self.step(escape.link, escape.class);
        let mut steps = (escape, Step::NOWHERE);
        if escaped.is_none() {
            let mut choices = std::mem::take(&mut self.scratch.choices);
            choices.clear();
            let class = per_hop.choices(at, target, &mut choices);
            if let Some(link) = choices.iter().min_by_key(|link| (self.queued(link.0), link.0)) {
                steps = (self.step(*link, class), escape);
            }
            self.scratch.choices = choices;
        }
        self.choosers.per_hop = Some(per_hop);
        steps
    }
}
