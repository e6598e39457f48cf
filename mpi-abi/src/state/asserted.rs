//! [`Asserted`]: what a program has asserted about the use of a communicator or window by its info keys.

use std::cell::RefCell;

use mpi_api::{check::info_assertion::InfoAssertion, finding::CallPlace, object::info::Info};

/// The assertions of one object, each with the call that has made it.
#[derive(Default)]
pub(crate) struct Asserted(RefCell<Vec<(InfoAssertion, CallPlace)>>);

impl Asserted {
    /// Creates the assertions of an object that is made with these hints.
    pub(crate) fn of(hints: &Info, by: CallPlace) -> Self {
        let made = Self::default();
        made.learn(hints, by);
        made
    }

    /// Takes over what a call asserts or takes back; keys that it does not give keep their values.
    pub(crate) fn learn(&self, given: &Info, by: CallPlace) {
        let mut known = self.0.borrow_mut();
        for assertion in InfoAssertion::ALL {
            let Some((_, value)) = given.0.iter().find(|(key, _)| key == assertion.key()) else {
                continue;
            };
            let place = known.iter().position(|(made, _)| *made == assertion);
            match (value == "true", place) {
                (true, None) => known.push((assertion, by)),
                (false, Some(place)) => drop(known.remove(place)),
                (true, Some(_)) | (false, None) => {}
            }
        }
    }

    /// Reports whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    /// Returns the call that has made an assertion.
    pub(crate) fn made(&self, assertion: InfoAssertion) -> Option<CallPlace> {
        self.0.borrow().iter().find(|(made, _)| *made == assertion).map(|(_, by)| *by)
    }
}
