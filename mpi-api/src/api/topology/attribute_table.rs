//! The attributes of a rank's communicators.

use std::{
    any::{Any, TypeId},
    rc::Rc,
};

use elsa::FrozenVec;

use crate::call::CommId;

pub(super) type Value = Rc<dyn Any>;
pub(super) type Copy = Rc<dyn Fn(&dyn Any) -> Option<Value>>;
pub(super) type Delete = Rc<dyn Fn(Value)>;

/// The [`CommAttribute`](super::CommAttribute) values of one rank. They stay at their address until the rank ends, so
/// that they can be borrowed.
#[derive(Default)]
pub(crate) struct Lasting(pub(super) FrozenVec<Box<dyn Any>>);

impl Lasting {
    /// Stores a value and returns its index.
    pub(super) fn keep(&self, value: impl Any) -> usize {
        self.0.push(Box::new(value));
        self.0.len() - 1
    }
}

/// A value with the functions of its key.
#[derive(Clone)]
pub(super) struct Attribute {
    pub(super) key: u32,
    pub(super) value: Value,
    pub(super) copy: Copy,
    pub(super) delete: Delete,
}

/// All attributes of one rank, by communicator and in the order in which they were set.
#[derive(Default)]
pub(crate) struct Attributes {
    keys: u32,
    /// The keys of attribute types.
    types: Vec<(TypeId, u32)>,
    pub(super) kept: Vec<(CommId, Attribute)>,
}

impl Attributes {
    pub(super) fn next_key(&mut self) -> u32 {
        self.keys += 1;
        self.keys
    }

    pub(super) fn key_of(&mut self, kind: TypeId) -> u32 {
        if let Some((_, key)) = self.types.iter().find(|(known, _)| *known == kind) {
            return *key;
        }
        let key = self.next_key();
        self.types.push((kind, key));
        key
    }

    pub(super) fn find(&self, comm: CommId, key: u32) -> Option<&Attribute> {
        let same = |(of, kept): &&(CommId, Attribute)| *of == comm && kept.key == key;
        self.kept.iter().find(same).map(|(_, kept)| kept)
    }

    pub(super) fn take(&mut self, comm: CommId, key: u32) -> Option<Attribute> {
        let same = |(of, kept): &(CommId, Attribute)| *of == comm && kept.key == key;
        self.kept.iter().position(same).map(|place| self.kept.remove(place).1)
    }
}
