//! The functions of a program that handle errors.

use std::{cell::RefCell, rc::Rc};

use crate::error::{HandlerId, MpiError};

type Function = Rc<dyn Fn(&MpiError)>;

/// The error handler functions of one rank. The kernel knows them only by number, so that they are
/// called and dropped where the rank runs.
#[derive(Default)]
pub(crate) struct Functions(RefCell<Vec<Function>>);

impl Functions {
    pub(super) fn add(&self, function: Function) -> HandlerId {
        let mut all = self.0.borrow_mut();
        all.push(function);
        HandlerId(all.len() as u32 - 1)
    }

    /// Nothing is borrowed during the call, because the function may create and set other handlers.
    pub(in crate::api) fn call(&self, number: HandlerId, error: &MpiError) {
        let function = self.0.borrow().get(number.0 as usize).cloned();
        if let Some(function) = function {
            function(error);
        }
    }

    pub(in crate::api) fn clear(&self) {
        // The list is emptied first, because dropping the captures of a function may be an MPI
        // call.
        let functions = self.0.take();
        drop(functions);
    }
}
