//! The shape of data, by which the buffers of each round of a persistent operation are compared with those that it was
//! created with.

use std::{fmt, rc::Rc};

use super::{AsDatatype, Collection, Partitioned, UncommittedDatatype, part_bytes};
use crate::{
    call::Counts,
    error::{ErrorClass, MpiError},
    object::signature::Signature,
};

/// The types and the number of the elements of a buffer, and how they are divided among ranks.
#[derive(Clone)]
pub(crate) struct Shape {
    types: Signature,
    /// Size of each part in bytes, for a buffer in parts.
    parts: Option<Rc<[u64]>>,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.types.fmt(f)
    }
}

impl From<Signature> for Shape {
    fn from(types: Signature) -> Self {
        Self { types, parts: None }
    }
}

impl Shape {
    /// Reports whether there are no elements.
    pub(crate) fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// Returns the shape of a buffer.
    pub(crate) fn of<B: Collection + AsDatatype + ?Sized>(buffer: &B) -> Self {
        buffer.as_datatype().kind().signature(buffer.count().max(0) as u64).into()
    }

    /// Returns the shape of a buffer in parts.
    pub(crate) fn of_parts<B: Partitioned + AsDatatype + ?Sized>(buffer: &B) -> Self {
        let elements = buffer.counts().iter().map(|count| (*count).max(0) as u64).sum();
        let types = buffer.as_datatype().kind().signature(elements);
        let parts = match part_bytes(buffer) {
            Counts::Each(bytes) => Some(bytes),
            Counts::None | Counts::Uniform(_) => None,
        };
        Self { types, parts }
    }

    /// Checks that data of the shape `given` may take the place of these; `what` begins the error's text. Whether types
    /// with the same representation are the same is `representations`.
    ///
    /// # Errors
    /// `MPI_ERR_TYPE` if the types differ, `MPI_ERR_COUNT` if only the number of elements does, or the sizes of parts.
    pub(crate) fn accepts(
        &self,
        given: &Self,
        what: &str,
        representations: bool,
    ) -> Result<(), MpiError> {
        let created = "the request was created with";
        if !self.types.describes_the_same(&given.types, representations) {
            let text = format!("{what} {given}, and {created} {self}");
            return Err(MpiError::new(class_of_difference(&self.types, &given.types), text));
        }
        match (&self.parts, &given.parts) {
            (Some(own), Some(parts)) if own != parts => {
                let text = format!("{what} parts of other sizes than those that {created}");
                Err(MpiError::new(ErrorClass::Count, text))
            }
            _ => Ok(()),
        }
    }
}

/// Returns the class of an error about two signatures that should be the same: of types, or of numbers alone.
pub(crate) fn class_of_difference(one: &Signature, other: &Signature) -> ErrorClass {
    if one.same_types(other) { ErrorClass::Count } else { ErrorClass::Type }
}
