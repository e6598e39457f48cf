//! The stages of the routers in a cycle: requests, grants, and flits that are sent on.

use super::{
    super::{
        allocator::{Rank, Request},
        fabric::End,
    },
    Activity, Candidate, NONE, Output, Routers, Scratch, Stage, Step,
};

impl Routers {
    /// Lets every router allocate virtual channels and its switch.
    pub(in super::super) fn allocate(&mut self, cycle: u64) -> Activity {
        if cfg!(debug_assertions) {
            self.assert_others_wait(cycle);
        }
        let mut all = Activity::default();
        let mut router = self.alert.next(0);
        while let Some(number) = router {
            let mut activity = Activity::default();
            self.ask_for_channels(number, cycle, &mut activity);
            self.ask_for_switch(number, cycle, &mut activity);
            let asks =
                !self.scratch.vc_requests.is_empty() || !self.scratch.switch_requests.is_empty();
            if asks {
                self.grant_channels(number, cycle, &mut activity);
                self.grant_switch(number, cycle, &mut activity);
            } else if !activity.timed {
                // Its lanes are held by its own inputs, so that nothing but an arrival changes what it asks for.
                self.alert.remove(number);
            }
            all.moved |= activity.moved;
            all.timed |= activity.timed;
            router = self.alert.next(number + 1);
        }
        all
    }

    /// Asserts that routers which are left out have nothing to ask for in this cycle, and wait for no later one.
    fn assert_others_wait(&mut self, cycle: u64) {
        let waits = |number: &u32| self.alert.next(*number) != Some(*number);
        let waiting: Vec<u32> = self.awake.iter().filter(waits).collect();
        for number in waiting {
            let mut activity = Activity::default();
            self.ask_for_channels(number, cycle, &mut activity);
            self.ask_for_switch(number, cycle, &mut activity);
            let Scratch { vc_requests, switch_requests, .. } = &self.scratch;
            assert!(vc_requests.is_empty() && switch_requests.is_empty() && !activity.timed);
        }
    }

    /// Returns the lane at a place of a router's inputs.
    pub(super) fn lane_at(&self, router: u32, place: u32) -> u32 {
        let channels = self.layout.channels;
        let ports = &self.fabric.routers[router as usize];
        ports.inputs[(place / channels) as usize] * channels + place % channels
    }

    /// Returns the number of the output port that a lane leads away from.
    fn output_port(&self, lane: u32) -> u32 {
        match self.fabric.channels[(lane / self.layout.channels) as usize].from {
            End::Router { port, .. } => port,
            End::Node(_) => unreachable!("a path leads on from a router"),
        }
    }

    /// Collects the requests of waiting packets for the lanes that nobody holds.
    fn ask_for_channels(&mut self, router: u32, cycle: u64, activity: &mut Activity) {
        let mut requests = std::mem::take(&mut self.scratch.vc_requests);
        let mut lanes = std::mem::take(&mut self.scratch.vc_lanes);
        requests.clear();
        lanes.clear();
        for place in self.routers[router as usize].busy.iter() {
            let lane = self.lane_at(router, place);
            let input = &self.inputs[lane as usize];
            if !matches!(input.stage, Stage::Waiting { .. }) {
                continue;
            }
            if cycle < input.vc_from {
                activity.timed = true;
                continue;
            }
            // Looked up first: where the network is congested, mostly nothing is free.
            let Some((free, space)) = self.free_of(input.stage) else { continue };
            let rank = Rank { speculative: false, born: self.born(lane) };
            let (channels, port) = (self.layout.channels, self.output_port(free.first));
            for output in free.lanes().filter(|output| self.takes(*output, space)) {
                let output_place = port * channels + output % channels;
                requests.push(Request { input: place, output: output_place, rank });
                lanes.push((lane, output));
            }
        }
        self.scratch.vc_requests = requests;
        self.scratch.vc_lanes = lanes;
    }

    /// Returns whether a packet may be given a lane: nobody holds it, and its buffer has space for so many flits.
    fn takes(&self, output: u32, space: u32) -> bool {
        let Output { holder, credits } = self.outputs[output as usize];
        holder == NONE && credits >= space
    }

    /// Returns the step of which a waiting packet may be given a lane, the escape only if the wanted one has none,
    /// and the space that such a lane must have.
    fn free_of(&self, stage: Stage) -> Option<(Step, u32)> {
        let Stage::Waiting { wanted, escape, space } = stage else { return None };
        let takes = |(step, space): &(Step, u32)| step.lanes().any(|lane| self.takes(lane, *space));
        [(wanted, space), (escape, 0)].into_iter().find(takes)
    }

    /// Returns when the packet at the head of a buffer was created.
    fn born(&self, lane: u32) -> u64 {
        let flit = self.inputs[lane as usize].flits.front().expect("a flit");
        self.packets[flit.packet as usize].born
    }

    /// Returns the output port for which a lane asks the switch, and the rank of its request. A
    /// packet without a virtual channel speculates that it is granted one in the same cycle.
    fn wanted(&self, lane: u32, cycle: u64, activity: &mut Activity) -> Option<(u32, Rank)> {
        let input = &self.inputs[lane as usize];
        let open = |output: &u32| self.has_space(*output);
        let (output, speculative) = match input.stage {
            Stage::Holds(output) => (Some(output).filter(open), false),
            Stage::Waiting { .. } if self.layout.speculation => {
                let (free, space) = self.free_of(input.stage)?;
                let takes = |output: &u32| self.takes(*output, space);
                (free.lanes().filter(takes).find(open), true)
            }
            Stage::Waiting { .. } | Stage::Idle => return None,
        };
        let output = output?;
        let free = self.is_free(output / self.layout.channels, cycle);
        if cycle < input.switch_from || !free {
            activity.timed = true;
            return None;
        }
        Some((self.output_port(output), Rank { speculative, born: self.born(lane) }))
    }

    /// Collects the requests for the switch, of each input at most one for each output.
    fn ask_for_switch(&mut self, router: u32, cycle: u64, activity: &mut Activity) {
        let mut requests = std::mem::take(&mut self.scratch.switch_requests);
        let mut candidates = std::mem::take(&mut self.scratch.candidates);
        requests.clear();
        candidates.clear();
        let channels = self.layout.channels;
        let (mut present, mut from) = (NONE, 0);
        for place in self.routers[router as usize].busy.iter() {
            let lane = self.lane_at(router, place);
            let Some((output, rank)) = self.wanted(lane, cycle, activity) else { continue };
            let input = place / channels;
            if input != present {
                (present, from) = (input, requests.len());
            }
            let asked_first = self.routers[router as usize].turns[input as usize];
            let turn = (place % channels + channels - asked_first) % channels;
            let (request, mine) = (Request { input, output, rank }, Candidate { lane, turn });
            let same = requests[from..].iter().position(|other| other.output == output);
            match same.map(|place| place + from) {
                None => {
                    requests.push(request);
                    candidates.push(mine);
                }
                Some(other) => {
                    let known = (requests[other].rank, candidates[other].turn);
                    if (rank, turn) < known {
                        (requests[other], candidates[other]) = (request, mine);
                    }
                }
            }
        }
        self.scratch.switch_requests = requests;
        self.scratch.candidates = candidates;
    }

    /// Gives lanes to packets that wait for them.
    fn grant_channels(&mut self, router: u32, cycle: u64, activity: &mut Activity) {
        let grants = self.routers[router as usize].vc.allocate(&self.scratch.vc_requests);
        for grant in grants {
            let (lane, output) = self.scratch.vc_lanes[*grant as usize];
            self.outputs[output as usize].holder = lane;
            let input = &mut self.inputs[lane as usize];
            if let Stage::Waiting { wanted, .. } = input.stage
                && !wanted.lanes().contains(&output)
            {
                let packet = input.flits.front().expect("a flit").packet;
                let at = self.fabric.vertices[router as usize];
                self.packets[packet as usize].escaped = Some(at);
            }
            input.stage = Stage::Holds(output);
            input.switch_from = match self.layout.speculation {
                true => input.switch_from.max(cycle + 1),
                false => cycle + u64::from(self.layout.stages.switch),
            };
            activity.moved = true;
        }
    }

    /// Sends flits through the switch.
    fn grant_switch(&mut self, router: u32, cycle: u64, activity: &mut Activity) {
        let state = &mut self.routers[router as usize];
        let grants = state.switch.allocate(&self.scratch.switch_requests).len();
        for place in 0..grants {
            let grant = self.routers[router as usize].switch.granted(place) as usize;
            let Candidate { lane, .. } = self.scratch.candidates[grant];
            // A speculative grant is lost without a virtual channel or without space behind it.
            let Stage::Holds(output) = self.inputs[lane as usize].stage else { continue };
            if !self.has_space(output) {
                continue;
            }
            let channels = self.layout.channels;
            let input = self.scratch.switch_requests[grant].input;
            self.routers[router as usize].turns[input as usize] = (lane % channels + 1) % channels;
            self.forward(router, (input, lane), output, cycle);
            activity.moved = true;
        }
    }

    /// Sends the first flit of a buffer over the lane that its packet holds.
    fn forward(&mut self, router: u32, (port, lane): (u32, u32), output: u32, cycle: u64) {
        let channels = self.layout.channels;
        let input = &mut self.inputs[lane as usize];
        let flit = input.flits.pop_front().expect("it asked for the switch");
        let is_empty = input.flits.is_empty();
        if flit.tail {
            input.stage = Stage::Idle;
            self.outputs[output as usize].holder = NONE;
        }
        if is_empty {
            let busy = &mut self.routers[router as usize].busy;
            busy.remove(port * channels + lane % channels);
            if busy.is_empty() {
                self.awake.remove(router);
            }
        } else if flit.tail {
            self.begin(lane, cycle + 1);
        }
        if !self.decides() {
            self.waiting[(output / channels) as usize] -= 1;
        }
        let wire = self.fabric.channels[(lane / channels) as usize].wire;
        self.credits.add(cycle + 1 + u64::from(wire) + u64::from(self.layout.credit), lane);
        self.put(output, flit, cycle, cycle + 1 + u64::from(self.layout.stages.traversal));
    }
}
