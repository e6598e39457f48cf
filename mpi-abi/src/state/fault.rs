//! Errors on their way to a program.

use mpi_api::{
    call::{CommId, Site},
    error::{ErrorClass, MpiError},
};

use super::State;
use crate::constant::{CLASS_TEXTS, Handle, class};

/// A failed call: code and text.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) code: i32,
    pub(crate) text: String,
    /// A handler has heard of it: only its code is left to return.
    pub(crate) heard: bool,
}

/// The result of a call's body.
pub(crate) type Mpi<T = ()> = Result<T, Fault>;

impl Fault {
    pub(crate) fn new(code: i32, text: impl Into<String>) -> Self {
        Self { code, text: text.into(), heard: false }
    }

    /// A handler other than a communicator's hears of it.
    pub(crate) fn heard(self, state: &State, site: Site, handler: Handle, object: Handle) -> Self {
        let code = state.handle(site, handler, (object, CommId::SELF), self);
        Self { code, text: String::new(), heard: true }
    }
}

const CLASSES: [(ErrorClass, i32); 18] = [
    (ErrorClass::Buffer, class::BUFFER),
    (ErrorClass::Count, class::COUNT),
    (ErrorClass::Type, class::TYPE),
    (ErrorClass::Tag, class::TAG),
    (ErrorClass::Comm, class::COMM),
    (ErrorClass::Rank, class::RANK),
    (ErrorClass::Request, class::REQUEST),
    (ErrorClass::Root, class::ROOT),
    (ErrorClass::Group, class::GROUP),
    (ErrorClass::Op, class::OP),
    (ErrorClass::Topology, class::TOPOLOGY),
    (ErrorClass::Dims, class::DIMS),
    (ErrorClass::Arg, class::ARG),
    (ErrorClass::Truncate, class::TRUNCATE),
    (ErrorClass::Spawn, class::SPAWN),
    (ErrorClass::Other, class::OTHER),
    (ErrorClass::InStatus, class::IN_STATUS),
    (ErrorClass::Pending, class::PENDING),
];

/// The kernel's name of a class; codes of the program are "other".
pub(crate) fn class_of(code: i32) -> ErrorClass {
    if let Some((class, _)) = CLASSES.iter().find(|(_, known)| *known == code) {
        return *class;
    }
    let text = usize::try_from(code - 1).ok().and_then(|at| CLASS_TEXTS.get(at));
    let name = text.and_then(|text| text.split_once(':')).map(|(name, _)| name);
    name.map_or(ErrorClass::Other, ErrorClass::Named)
}

/// The constant of a class.
fn code_of(class: ErrorClass) -> i32 {
    let named = |text: &str| text.split_once(':').is_some_and(|(name, _)| name == class.name());
    let known = CLASSES.iter().find(|(known, _)| *known == class).map(|(_, code)| *code);
    let found = || CLASS_TEXTS.iter().position(|text| named(text)).map(|at| at as i32 + 1);
    known.or_else(found).unwrap_or(class::OTHER)
}

impl From<MpiError> for Fault {
    fn from(error: MpiError) -> Self {
        Self { code: code_of(error.class), text: error.message, heard: false }
    }
}
