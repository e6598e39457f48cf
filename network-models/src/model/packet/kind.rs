//! The model `packet` by name, with its options.

use std::{num::NonZeroU32, sync::Arc};

use sim_core::SimDuration;

use super::{DropTail, DropTailParameters, PacketParameters, Packets};
use crate::{
    model::{
        BadOption, Changing, Hardware, ModelDescription, ModelKind, ModelMisfit, ModelOption,
        ROUTING,
        paths::{Choice, Follower},
    },
    network::Network,
    routing::RoutingKind,
    size::size,
    topology::{Timeline, Topology},
    units,
};

/// Bytes of a queue unless another number is given: 9 MB of a switch of 64 ports are 144 KiB a port.
const QUEUE: u32 = 131_072;

/// The shortest time-out unless another is given, as in Linux.
const LEAST_TIMEOUT: SimDuration = SimDuration::from_us(200_000);

/// The longest that can be given.
const LEAST_TIMEOUT_MAX: SimDuration = SimDuration::from_us(60_000_000);

/// The first window unless another is given, in packets (RFC 6928).
const WINDOW: u32 = 10;

/// The model `packet`, with its options.
#[derive(Clone, Debug)]
pub(in crate::model) struct PacketKind {
    size: NonZeroU32,
    /// `None` has not been given, here and below.
    buffers: Option<NonZeroU32>,
    drops: bool,
    queue: Option<NonZeroU32>,
    least_timeout: Option<SimDuration>,
    window: Option<NonZeroU32>,
    selective: Option<bool>,
    routing: Choice,
}

/// A number that is not 0.
const fn number(number: u32) -> NonZeroU32 {
    match NonZeroU32::new(number) {
        Some(number) => number,
        None => NonZeroU32::MIN,
    }
}

impl Default for PacketKind {
    fn default() -> Self {
        Self {
            size: number(4096),
            buffers: None,
            drops: false,
            queue: None,
            least_timeout: None,
            window: None,
            selective: None,
            routing: Choice::default(),
        }
    }
}

const OPTIONS: &[ModelOption] = &[
    ModelOption { name: "size", form: "BYTES", summary: "largest packet (4096)" },
    ModelOption {
        name: "buffers",
        form: "PACKETS",
        summary: "packets that a switch stores for each link and virtual channel (8, and more where credits take long)",
    },
    ModelOption {
        name: "loss",
        form: "none|drop-tail",
        summary: "whether full queues hold packets back or drop them, to be sent again as by TCP \
                  (none)",
    },
    ModelOption {
        name: "queue",
        form: "BYTES",
        summary: "drop-tail: bytes that a switch stores for each outgoing link (131072)",
    },
    ModelOption {
        name: "rto",
        form: "TIME",
        summary: "drop-tail: shortest time-out of a connection, as in 1ms (200ms)",
    },
    ModelOption {
        name: "window",
        form: "PACKETS",
        summary: "drop-tail: packets before the first acknowledgement (10)",
    },
    ModelOption {
        name: "sack",
        form: "yes|no",
        summary: "drop-tail: whether acknowledgements name what has arrived behind a missing packet (no)",
    },
    ModelOption {
        name: ROUTING.name,
        form: "dimension-order|random-ties|valiant|ugal-l|ugal-g|ugal-threshold|ecmp|spray|up-down|table:PATH",
        summary: "see `windtunnel list routings`; a path for each message (the topology's own)",
    },
    ModelOption {
        name: "seed",
        form: "NUMBER",
        summary: "seed of what is random: paths, and delays under drop-tail (that of the run)",
    },
];

impl PacketKind {
    /// Returns an option that was given and means nothing, and the one that it needs.
    fn idle_option(&self) -> Option<(&'static str, &'static str)> {
        if self.drops {
            return self.buffers.map(|_| ("buffers", "loss=none"));
        }
        let given = [
            ("queue", self.queue.is_some()),
            ("rto", self.least_timeout.is_some()),
            ("window", self.window.is_some()),
            ("sack", self.selective.is_some()),
        ];
        let (name, _) = given.into_iter().find(|(_, given)| *given)?;
        Some((name, "loss=drop-tail"))
    }
}

impl ModelKind for PacketKind {
    fn description(&self) -> ModelDescription {
        ModelDescription {
            name: "packet",
            summary: "packets wait in finite buffers for links and credits",
            source: "Kermani and Kleinrock 1979",
        }
    }

    fn options(&self) -> &'static [ModelOption] {
        OPTIONS
    }

    fn with_option(&self, name: &str, value: &str) -> Result<Arc<dyn ModelKind>, BadOption> {
        let mut kind = self.clone();
        let number = || value.parse().map_err(|_| BadOption);
        let bytes = || {
            let bytes = size(value).and_then(|bytes| u32::try_from(bytes).ok());
            bytes.and_then(NonZeroU32::new).ok_or(BadOption)
        };
        match (name, value) {
            ("size", _) => kind.size = bytes()?,
            ("buffers", _) => kind.buffers = Some(number()?),
            ("loss", "none") => kind.drops = false,
            ("loss", "drop-tail") => kind.drops = true,
            ("queue", _) => kind.queue = Some(bytes()?),
            ("rto", _) => {
                let allowed = SimDuration::from_ps(1)..=LEAST_TIMEOUT_MAX;
                let time = units::time(value).filter(|time| allowed.contains(time));
                kind.least_timeout = Some(time.ok_or(BadOption)?);
            }
            ("window", _) => kind.window = Some(number()?),
            ("sack", "yes") => kind.selective = Some(true),
            ("sack", "no") => kind.selective = Some(false),
            _ if kind.routing.set(name, value) => {}
            _ => return Err(BadOption),
        }
        Ok(Arc::new(kind))
    }

    fn with_routing(&self, routing: Arc<dyn RoutingKind>) -> Option<Arc<dyn ModelKind>> {
        Some(Arc::new(Self { routing: self.routing.with(routing), ..self.clone() }))
    }

    fn with_seed(&self, seed: u64) -> Option<Arc<dyn ModelKind>> {
        Some(Arc::new(Self { routing: self.routing.in_run(seed), ..self.clone() }))
    }

    fn check(&self, _: &Hardware, topology: &Topology) -> Result<(), ModelMisfit> {
        if let Some((option, needs)) = self.idle_option() {
            let model = self.description().name;
            return Err(ModelMisfit::Option { model, option, needs });
        }
        let follower = if self.drops { Follower::DropTail } else { Follower::Packet };
        self.routing.check(topology, follower)
    }

    fn changing(&self) -> Option<&dyn Changing> {
        self.routing.is_own().then_some(self)
    }

    fn build(&self, hardware: &Hardware, topology: &Arc<Topology>) -> Box<dyn Network> {
        Changing::build(self, hardware, &Timeline::constant(Arc::clone(topology)))
    }
}

impl Changing for PacketKind {
    fn waits_for_repair(&self) -> bool {
        self.drops
    }

    fn build(&self, hardware: &Hardware, timeline: &Timeline) -> Box<dyn Network> {
        if self.drops {
            let parameters = DropTailParameters {
                latency: hardware.latency,
                hop: hardware.hop,
                bandwidth: hardware.link_bandwidth,
                injection: Some(hardware.injection),
                switching: hardware.switching,
                size: self.size,
                queue: self.queue.unwrap_or(number(QUEUE)),
                least_timeout: self.least_timeout.unwrap_or(LEAST_TIMEOUT),
                window: self.window.unwrap_or(number(WINDOW)),
                selective: self.selective.unwrap_or(false),
                seed: self.routing.seed(),
            };
            return Box::new(DropTail::routed(timeline, parameters, hardware.local, &self.routing));
        }
        let parameters = PacketParameters {
            latency: hardware.latency,
            hop: hardware.hop,
            bandwidth: hardware.link_bandwidth,
            injection: Some(hardware.injection),
            switching: hardware.switching,
            size: self.size,
            buffers: self.buffers,
        };
        Box::new(Packets::routed(timeline, parameters, hardware.local, &self.routing))
    }
}
