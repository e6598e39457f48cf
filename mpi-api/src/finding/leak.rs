//! Kinds of resources that ranks leave behind at finalize.

use serde::{Deserialize, Serialize};

use crate::text::{Text, interned};

/// A kind of resource that a rank leaves behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Leak {
    /// A request that was not completed.
    Request,
    /// The request of the named call, freed before the call was known to be complete.
    Freed(#[serde(deserialize_with = "interned")] Text),
    /// An object that was not freed.
    Object(Object),
    /// An object that the program keeps in a static variable until it ends.
    Cached(Object),
}

/// A kind of object that a program frees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs, reason = "Object::name names them")]
pub enum Object {
    AttachedBuffer,
    AttributeKey,
    Communicator,
    Datatype,
    ErrorHandler,
    File,
    Group,
    InfoObject,
    MemoryBlock,
    Operation,
    PersistentRequest,
    Port,
    PublishedName,
    Window,
}

impl Object {
    /// Returns its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::AttachedBuffer => "attached buffer",
            Self::AttributeKey => "attribute key",
            Self::Communicator => "communicator",
            Self::Datatype => "datatype",
            Self::ErrorHandler => "error handler",
            Self::File => "file",
            Self::Group => "group",
            Self::InfoObject => "info object",
            Self::MemoryBlock => "memory block",
            Self::Operation => "operation",
            Self::PersistentRequest => "persistent request",
            Self::Port => "port",
            Self::PublishedName => "published name",
            Self::Window => "window",
        }
    }
}
