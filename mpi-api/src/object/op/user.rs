//! The functions of reduction operations that programs create.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::numbered::Table;

/// A user function that leaves `invec op inoutvec` in `inoutvec`, for any number of dense elements.
pub type UserFunction = Rc<dyn Fn(&[u8], &mut [u8])>;

thread_local! {
    static FUNCTIONS: Table<UserFunction> = const { Table::new() };
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
