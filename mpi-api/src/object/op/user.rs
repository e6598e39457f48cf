//! The functions of reduction operations that programs create.

use std::{mem::Discriminant, rc::Rc};

use serde::{Deserialize, Serialize};
use sim_core::Address;

use super::Op;
use crate::numbered::Table;

/// A user function that leaves `invec op inoutvec` in `inoutvec`, for any number of dense elements.
pub type UserFunction = Rc<dyn Fn(&[u8], &mut [u8])>;

thread_local! {
    static FUNCTIONS: Table<UserFunction> = const { Table::new() };
}

/// What ranks compare of an operation that they give.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operator {
    /// A predefined operation, and its name in the standard.
    Predefined(Discriminant<Op>, &'static str),
    /// Of an operation of the program whether it is commutative, and the address of its function, if that is known.
    Own(bool, Option<Address>),
}

impl Operator {
    /// Reports whether two ranks may give these operations. Of functions of two files nothing is known.
    pub(crate) fn agrees(self, other: Self) -> bool {
        match (self, other) {
            (Self::Own(mine, place), Self::Own(theirs, at)) => {
                let differ = |(one, other): (Address, Address)| {
                    one.file == other.file && one.address != other.address
                };
                mine == theirs && !place.zip(at).is_some_and(differ)
            }
            (Self::Predefined(..), _) | (_, Self::Predefined(..)) => self == other,
        }
    }
}

impl PartialEq for Operator {
    // Ranks of every collective compare it: names take longer.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Predefined(mine, _), Self::Predefined(theirs, _)) => mine == theirs,
            (Self::Own(mine, place), Self::Own(theirs, at)) => mine == theirs && place == at,
            (Self::Predefined(..), Self::Own(..)) | (Self::Own(..), Self::Predefined(..)) => false,
        }
    }
}

/// The number of the function of one reduction; only the side of the ranks knows the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserReduction(u32);

impl UserReduction {
    /// Stores the function until the call that uses it is executed.
    pub fn new(function: UserFunction) -> Self {
        Self(FUNCTIONS.with(|functions| functions.keep(function)))
    }

    /// Takes the function out of the table; `None` if it was taken before.
    pub fn take(self) -> Option<UserFunction> {
        FUNCTIONS.with(|functions| functions.take(self.0))
    }
}

/// Drops the functions of calls that were never executed.
pub(crate) fn forget() {
    FUNCTIONS.with(Table::clear);
}
