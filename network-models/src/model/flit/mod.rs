//! `flit`: wormhole routing through input-queued routers with virtual channels.

mod allocator;
mod bits;
#[cfg(test)]
mod comparison;
mod fabric;
mod network;
mod parameters;
mod router;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod wheel;

use std::{
    num::{NonZeroU32, NonZeroU64},
    sync::Arc,
};

use sim_core::SimDuration;

pub use self::{
    allocator::Allocation,
    network::Flits,
    parameters::{Classes, FlitParameters, Stages},
};
use super::{
    BadOption, Changing, Hardware, ModelDescription, ModelKind, ModelMisfit, ModelOption,
    paths::{Choice, Seed},
};
use crate::{
    network::Network,
    routing::{self, RoutingKind},
    topology::{LinkId, Timeline, Topology},
};

/// Largest number of virtual channels of a link.
const CHANNELS_MAX: u32 = 64;

/// Largest number of cycles, flits or bytes of an option.
const NUMBER_MAX: u32 = 1 << 20;

/// Sizes of a flit in bytes, the best one first: a hop should not be longer than the machine's.
const FLITS: [u64; 3] = [32, 16, 8];

/// Virtual channels of a link, unless the routing needs more.
const CHANNELS: u32 = 4;

/// Space for flits of a virtual channel, unless the round trip of a credit is longer.
const BUFFER: u32 = 8;

/// The model `flit`, with its options.
#[derive(Clone, Debug)]
pub(super) struct FlitKind {
    flit: Option<NonZeroU32>,
    packet: NonZeroU32,
    channels: Option<NonZeroU32>,
    buffer: Option<NonZeroU32>,
    stages: Stages,
    wire: Option<NonZeroU32>,
    credit: u32,
    speculation: bool,
    allocation: Allocation,
    oldest_first: bool,
    routing: Arc<dyn RoutingKind>,
    classes: Classes,
    seed: Seed,
}

impl Default for FlitKind {
    fn default() -> Self {
        let number = |number| NonZeroU32::new(number).expect("it is not 0");
        Self {
            flit: None,
            packet: number(16),
            channels: None,
            buffer: None,
            stages: Stages::default(),
            wire: None,
            credit: 1,
            speculation: false,
            allocation: Allocation::InputFirst,
            oldest_first: false,
            routing: routing::routings().swap_remove(0),
            classes: Classes::Links,
            seed: Seed::default(),
        }
    }
}

impl ModelKind for FlitKind {
    fn description(&self) -> ModelDescription {
        ModelDescription {
            name: "flit",
            summary: "wormhole routing: flits, virtual channels, allocation cycle by cycle",
            source: "Dally and Towles 2004",
        }
    }

    fn options(&self) -> &'static [ModelOption] {
        const fn option(
            name: &'static str,
            form: &'static str,
            summary: &'static str,
        ) -> ModelOption {
            ModelOption { name, form, summary }
        }
        const {
            &[
                option(
                    "flit",
                    "BYTES",
                    "size of a flit; a link carries one in each cycle (8 to 32, so that a hop is not \
                     longer than the machine's)",
                ),
                option("packet", "FLITS", "largest packet (16)"),
                option(
                    "channels",
                    "1..64",
                    "virtual channels of a link (4, or what the routing needs)",
                ),
                option(
                    "buffer",
                    "FLITS",
                    "space of a virtual channel (8, or a credit's round trip)",
                ),
                option("route", "CYCLES", "route computation (1)"),
                option("vc", "CYCLES", "allocation of a virtual channel (1)"),
                option("switch", "CYCLES", "allocation of the switch (1)"),
                option("traversal", "CYCLES", "switch traversal (1)"),
                option(
                    "wire",
                    "CYCLES",
                    "link between routers (what the stages leave of the machine's hop)",
                ),
                option("credit", "CYCLES", "processing of a credit (1)"),
                option("speculation", "yes|no", "allocate channel and switch in one cycle (no)"),
                option(
                    "allocator",
                    "input-first|output-first|islip",
                    "separable, round-robin (input-first)",
                ),
                option("priority", "none|age", "whether older messages are granted first (none)"),
                option(
                    "routing",
                    "dimension-order|random-ties|valiant|ugal-l|ugal-g|ugal-threshold|par|minimal-adaptive|ecmp|spray|up-down|table:PATH",
                    "see `windtunnel list routings` (dimension-order)",
                ),
                option(
                    "classes",
                    "yes|no|all",
                    "divide virtual channels as the routing needs; no lets it deadlock, all divides those \
                     of cables to nodes, too (yes)",
                ),
                option("seed", "NUMBER", "seed of routings that draw paths (that of the run)"),
            ]
        }
    }

    fn with_option(&self, name: &str, value: &str) -> Result<Arc<dyn ModelKind>, BadOption> {
        let mut kind = self.clone();
        let up_to = |most: u32| value.parse().ok().filter(|n| *n <= most).ok_or(BadOption);
        let positive = |most: u32| NonZeroU32::new(up_to(most)?).ok_or(BadOption);
        match name {
            "flit" => kind.flit = Some(positive(NUMBER_MAX)?),
            "packet" => kind.packet = positive(NUMBER_MAX)?,
            "channels" => kind.channels = Some(positive(CHANNELS_MAX)?),
            "buffer" => kind.buffer = Some(positive(NUMBER_MAX)?),
            "route" => kind.stages.route = up_to(NUMBER_MAX)?,
            "vc" => kind.stages.vc = positive(NUMBER_MAX)?.get(),
            "switch" => kind.stages.switch = positive(NUMBER_MAX)?.get(),
            "traversal" => kind.stages.traversal = up_to(NUMBER_MAX)?,
            "wire" => kind.wire = Some(positive(NUMBER_MAX)?),
            "credit" => kind.credit = up_to(NUMBER_MAX)?,
            "speculation" => kind.speculation = yes_or_no(value)?,
            "allocator" => kind.allocation = Allocation::parse(value).ok_or(BadOption)?,
            "priority" => {
                kind.oldest_first = match value {
                    "none" => false,
                    "age" => true,
                    _ => return Err(BadOption),
                }
            }
            "routing" => kind.routing = routing::named(value).ok_or(BadOption)?,
            "classes" => {
                kind.classes = match value {
                    "yes" => Classes::Links,
                    "no" => Classes::Ignored,
                    "all" => Classes::Everywhere,
                    _ => return Err(BadOption),
                }
            }
            "seed" if kind.seed.set(value) => {}
            _ => return Err(BadOption),
        }
        Ok(Arc::new(kind))
    }

    fn with_routing(&self, routing: Arc<dyn RoutingKind>) -> Option<Arc<dyn ModelKind>> {
        Some(Arc::new(Self { routing, ..self.clone() }))
    }

    fn with_seed(&self, seed: u64) -> Option<Arc<dyn ModelKind>> {
        Some(Arc::new(Self { seed: self.seed.in_run(seed), ..self.clone() }))
    }

    fn check(&self, hardware: &Hardware, topology: &Topology) -> Result<(), ModelMisfit> {
        self.parameters(hardware, topology).check(topology)
    }

    fn changing(&self) -> Option<&dyn Changing> {
        self.routing.is_own().then_some(self)
    }

    fn build(&self, hardware: &Hardware, topology: &Arc<Topology>) -> Box<dyn Network> {
        let parameters = self.parameters(hardware, topology);
        Box::new(Flits::new(Arc::clone(topology), parameters, hardware.local))
    }
}

impl Changing for FlitKind {
    fn check(&self, hardware: &Hardware, timeline: &Timeline) -> Result<(), ModelMisfit> {
        let (parameters, needed) = self.changing_parameters(hardware, timeline);
        parameters.check(timeline.base())?;
        parameters.check_channels(needed, || timeline.base().name().to_owned())
    }

    fn build(&self, hardware: &Hardware, timeline: &Timeline) -> Box<dyn Network> {
        let (parameters, _) = self.changing_parameters(hardware, timeline);
        Box::new(Flits::changing(timeline, parameters, hardware.local))
    }
}

impl FlitKind {
    /// Returns the classes of virtual channels that the topology's own routes need.
    fn classes_on(&self, timeline: &Timeline) -> u32 {
        if self.classes.divide() {
            Choice::default().with_channels_on(timeline).channels()
        } else {
            1
        }
    }

    /// Returns the parameters on a machine whose topology changes, and the classes of virtual channels
    /// that it needs. Unless a number is given, each class has as many channels as without changes.
    fn changing_parameters(
        &self,
        hardware: &Hardware,
        timeline: &Timeline,
    ) -> (FlitParameters, u32) {
        let parameters = self.parameters(hardware, timeline.base());
        let before = self.classes_on(&Timeline::constant(Arc::clone(timeline.base())));
        let each = parameters.channels.get() / before.max(1);
        let needed = self.classes_on(timeline);
        let most = needed.saturating_mul(each.max(1)).min(CHANNELS_MAX);
        let channels = self.channels.or(NonZeroU32::new(most)).unwrap_or(parameters.channels);
        (FlitParameters { channels, ..parameters }, needed)
    }

    /// Returns the parameters on a machine; what is not given follows from its numbers.
    fn parameters(&self, hardware: &Hardware, topology: &Topology) -> FlitParameters {
        let number = |number: u64| {
            let number = u32::try_from(number).unwrap_or(u32::MAX).min(NUMBER_MAX);
            NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN)
        };
        let inside = u64::from(self.stages.depth(self.speculation));
        // One link stands for all; a check refuses others. It is one without a rate of its own, if there is any.
        let mut links = (0..topology.link_count()).map(LinkId);
        let unstated = links.find(|link| topology.numbers(*link).bandwidth.is_none());
        let stands = unstated.unwrap_or(LinkId(0));
        let rate = topology.link_bandwidth(stands, hardware.link_bandwidth);
        let cycle = |flit: u64| rate.time_for(flit).as_ps();
        let flit = self.flit.unwrap_or_else(|| {
            let fits = |flit: &u64| cycle(*flit) * (inside + 1) <= hardware.hop.as_ps();
            number(FLITS.into_iter().find(fits).unwrap_or(FLITS[2]))
        });
        let period = NonZeroU64::new(cycle(flit.get().into())).unwrap_or(NonZeroU64::MIN);
        let wire = self.wire.unwrap_or_else(|| {
            number(hardware.hop.as_ps().div_ceil(period.get()).saturating_sub(inside))
        });
        let longest = (0..topology.link_count())
            .map(|link| topology.link_delay(LinkId(link), SimDuration::ZERO).as_ps())
            .max()
            .unwrap_or(0);
        let farthest = longest.div_ceil(period.get()).saturating_sub(inside);
        // The head of a packet holds its place until it has a way and a virtual channel, too.
        let held = inside - u64::from(self.stages.switch);
        let round_trip = 2 * farthest.max(wire.get().into()) + held + u64::from(self.credit) + 2;
        let needed = if self.classes.divide() && self.routing.fits(topology).is_ok() {
            self.routing.classes(topology)
        } else {
            1
        };
        FlitParameters {
            latency: hardware.latency,
            bandwidth: rate,
            injection: Some(hardware.injection),
            flit,
            packet: self.packet,
            channels: self.channels.unwrap_or_else(|| number(CHANNELS.max(needed).into())),
            buffer: self.buffer.unwrap_or_else(|| number(round_trip.max(BUFFER.into()))),
            stages: self.stages,
            wire,
            credit: self.credit,
            speculation: self.speculation,
            allocation: self.allocation,
            oldest_first: self.oldest_first,
            routing: Arc::clone(&self.routing),
            classes: self.classes,
            seed: self.seed.value(),
        }
    }
}

fn yes_or_no(value: &str) -> Result<bool, BadOption> {
    match value {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(BadOption),
    }
}
