//! [`Instance`]: the state that the ranks of one collective operation share.

use rustc_hash::FxHashMap;
use sim_core::SimDuration;

use crate::{
    call::{CollectiveKind, CommId, Form, Management, Site},
    check::count_mismatch::BlockCall,
    error::Failure,
    kernel::{
        collective::{
            agreement::Agreement, blocks::Blocks, construction::CommConstruction, key::Key,
            roles::Roles,
        },
        communicator::mapping::note,
        process::birth::Birth,
    },
    object::{cart::Cart, graph::Reorder, op::Operator, signature::Signature},
};

/// The call of the first rank to enter, with which the others are compared.
#[derive(Clone)]
pub(crate) struct First {
    pub(crate) rank: u32,
    pub(crate) site: Site,
    pub(crate) kind: CollectiveKind,
    pub(crate) root: u32,
    pub(crate) op: Option<Operator>,
    pub(crate) signature: Signature,
    /// Bytes that each rank gives each other one, in an operation in which all blocks have one size.
    pub(crate) block: Option<u64>,
    /// The function called; `None` for ranks that do not describe their data.
    pub(crate) form: Option<Form>,
    /// Whether the rank gives `MPI_IN_PLACE`, in an operation in which all ranks have to give it or none.
    pub(crate) in_place: bool,
    pub(crate) manner: Manner,
}

impl First {
    /// Reports whether both calls give the same operation, if any.
    pub(crate) fn has_operation_of(&self, other: &Self) -> bool {
        match (self.op, other.op) {
            (Some(mine), Some(theirs)) => mine.agrees(theirs),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    /// Reports whether both calls are alike in all that has to agree, so that there is nothing to
    /// compare in detail.
    #[inline]
    pub(super) fn is_same_call(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.manner == other.manner
            && self.form == other.form
            && self.root == other.root
            && self.op == other.op
            && self.in_place == other.in_place
            && self.block == other.block
            && self.signature == other.signature
    }

    /// Reports whether ranks take part in an operation, whose end they wait for: other calls are only compared.
    pub(crate) fn is_awaited(&self) -> bool {
        self.manner != Manner::Initialization && self.kind != Management::SetInfo.into()
    }

    /// Returns the name of the call, as the program's language spells it.
    pub(crate) fn call(&self) -> &'static str {
        self.site.call_or(self.kind.name())
    }
}

/// The way an operation is called; the three do not match each other (MPI sections 6.12 and 6.13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    Blocking,
    Nonblocking,
    /// A start of a persistent operation.
    Persistent,
    /// The call that makes a persistent operation.
    Initialization,
}

impl Manner {
    /// Returns the adjective for texts.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Blocking => "blocking",
            Self::Nonblocking => "nonblocking",
            Self::Persistent | Self::Initialization => "persistent",
        }
    }
}

/// The state that the ranks of one collective operation share.
pub(crate) struct Instance {
    pub(crate) first: First,
    /// The calls of the world ranks that entered at another place than the first one.
    elsewhere: Vec<(u32, Site)>,
    /// Tag of the operation's messages.
    pub(crate) tag: i32,
    pub(crate) entered: u32,
    pub(crate) left: u32,
    /// Executions held at the gate until all ranks have entered.
    pub(crate) gate: Vec<u32>,
    /// World rank, colour and key of each rank that entered a communicator construction.
    pub(crate) places: Vec<(u32, Option<u32>, i64)>,
    /// Topology of the result.
    pub(crate) cart: Option<Cart>,
    /// The communication pattern that each rank gave, by world rank, if ranks may be reordered by
    /// it.
    pub(crate) reorder: Vec<(u32, Reorder)>,
    /// For an intercommunicator: the local leader's world rank, and the communicator, rank and tag
    /// with which it names the other leader.
    pub(crate) bridge: Option<(u32, CommId, u32, i32)>,
    /// State of a spawn.
    pub(crate) birth: Option<Box<Birth>>,
    /// For a group that meets another one: its root's world rank, the port, and the timeout.
    pub(crate) port: Option<(u32, String, Option<SimDuration>)>,
    /// The communicator of each colour, once constructed.
    pub(crate) made: Vec<(Option<u32>, Option<CommId>)>,
    /// Types of the data of each rank.
    pub(crate) types: Blocks,
    /// Roles of the ranks in an operation on an intercommunicator.
    pub(crate) roles: Option<Box<Roles>>,
    /// The arguments that all ranks of a communicator construction have to give alike.
    pub(crate) agreement: Agreement,
    /// Ranks whose calls return an error to the program when they leave.
    pub(crate) failing: Vec<(u32, Box<Failure>)>,
}

impl Instance {
    pub(super) fn new(first: First, tag: i32) -> Self {
        Self {
            first,
            elsewhere: Vec::new(),
            tag,
            entered: 0,
            left: 0,
            gate: Vec::new(),
            places: Vec::new(),
            cart: None,
            reorder: Vec::new(),
            bridge: None,
            birth: None,
            port: None,
            made: Vec::new(),
            types: Blocks::default(),
            roles: None,
            agreement: Agreement::default(),
            failing: Vec::new(),
        }
    }

    /// Counts a rank that enters.
    #[inline]
    pub(super) fn enter(&mut self, (rank, site): (u32, Site)) {
        self.entered += 1;
        // Most programs are in one line on all ranks.
        if !site.is(self.first.site) {
            self.elsewhere.push((rank, site));
        }
    }

    /// Returns the call by which a rank entered.
    pub(in crate::kernel) fn site_of(&self, rank: u32) -> Site {
        let own = self.elsewhere.iter().find(|(other, _)| *other == rank);
        own.map_or(self.first.site, |(_, site)| *site)
    }

    /// Returns the call that `ranks` make.
    pub(in crate::kernel) fn block_call(&self, ranks: u32) -> BlockCall {
        BlockCall::new(self.first.kind, self.first.form.unwrap_or_default(), ranks)
    }

    /// Records a rank's arguments of a communicator construction.
    pub(super) fn bring(&mut self, (rank, site): (u32, Site), making: &CommConstruction) {
        match making {
            CommConstruction::Place { color, key, cart, reorder, .. } => {
                self.places.push((rank, *color, *key));
                self.cart = cart.clone().or(self.cart.take());
                if let Some(reorder) = reorder {
                    note(&mut self.reorder, rank, reorder);
                }
            }
            CommConstruction::Bridge(Some((peer, remote)), tag) => {
                self.bridge = Some((rank, *peer, *remote, *tag));
            }
            CommConstruction::Spawn(Some(launches)) => {
                self.birth = Some(Box::new(Birth::of(rank, site, launches.clone())));
            }
            CommConstruction::Port(Some((port, timeout))) => {
                self.port = Some((rank, port.clone(), *timeout));
            }
            CommConstruction::Port(None)
            | CommConstruction::Spawn(None)
            | CommConstruction::Bridge(None, _)
            | CommConstruction::Nothing => {}
        }
    }
}

/// Halves of intercommunicators that wait for the other half, by the communicator of the leaders,
/// the tag and the leaders' world ranks in order.
pub(crate) type Meetings = FxHashMap<(u32, i32, u32, u32), Key>;
